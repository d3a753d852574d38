// The study of the friction corpus on a small corpus of our own, written to files and read back; its profile in closed
// form; and Siconos, where it is installed, on problems with a known answer. No test looks at a time.
#include "tribo/certify/certify.hpp"
#include "tribo/io/problem_file.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "studies/siconos_corpus/corpus.hpp"
#include "studies/siconos_corpus/peers/siconos_friction.hpp"
#include "studies/siconos_corpus/profile.hpp"
#include "studies/siconos_corpus/rows.hpp"
#include "studies/study.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

SparseMatrix diagonal(const VectorXd& values) { return MatrixXd(values.asDiagonal()).sparseView(); }

// Contacts that do not know one another: the first slides, the second sticks, the third opens.
LocalFriction three_contacts(int dimension) {
  LocalFriction problem;
  problem.dimension = dimension;
  problem.W = diagonal(VectorXd::Constant(3 * dimension, 2.0));
  problem.q = VectorXd::Zero(3 * dimension);
  problem.q(0) = -1.0;
  problem.q(1) = 3.0;
  problem.q(dimension) = -1.0;
  problem.q(dimension + 1) = 0.1;
  problem.q(2 * dimension) = 1.0;
  problem.mu = VectorXd::Constant(3, 0.5);
  return problem;
}

// The same bodies with their velocities: H = I, M = W⁻¹.
GlobalFriction three_bodies(int dimension) {
  const LocalFriction local = three_contacts(dimension);
  GlobalFriction problem;
  problem.dimension = dimension;
  problem.M = diagonal(VectorXd::Constant(3 * dimension, 0.5));
  problem.H = diagonal(VectorXd::Ones(3 * dimension));
  problem.f = 0.5 * local.q;
  problem.w = VectorXd::Zero(3 * dimension);
  problem.G.resize(3 * dimension, 0);
  problem.mu = local.mu;
  return problem;
}

class CorpusFolder {
 public:
  CorpusFolder() : path_(fs::temp_directory_path() / ("tribo_corpus_" + std::to_string(::getpid()))) {
    for (const char* kind : {"fc3d", "fc2d", "gfc3d"}) fs::create_directories(path_ / "contact-problems" / kind);
    write("fc3d/three.hdf5", three_contacts(3));
    write("fc2d/three.hdf5", three_contacts(2));
    write("gfc3d/three.hdf5", three_bodies(3));
  }
  ~CorpusFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }
  std::string file(const std::string& name) const { return (path_ / "contact-problems" / name).string(); }

 private:
  template <typename Problem>
  void write(const std::string& name, const Problem& problem) {
    EXPECT_TRUE(write_fclib(file(name), problem).has_value()) << name;
  }
  fs::path path_;
};

std::vector<json> run_quick(const std::string& data_dir, bool& held) {
  std::ostringstream out;
  StudyOptions options;
  options.json = true;
  options.quick = true;
  options.data_dir = data_dir;
  options.out = &out;
  held = run_siconos_corpus(options).value();
  std::vector<json> lines;
  std::istringstream in(out.str());
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

// Without the data there is nothing to be measured, and nothing failed; but it is said.
TEST(SiconosCorpus, SaysWhatIsLeftOut) {
  bool held = false;
  const std::vector<json> lines = run_quick("/nowhere", held);
  EXPECT_TRUE(held);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].at("kind"), "left-out");
}

// A file that cannot be read must not vanish from the count.
TEST(SiconosCorpus, ReadsEveryKindAndNamesWhatItCannotRead) {
  const CorpusFolder folder;
  std::ofstream(folder.file("fc3d/broken.dat")) << "3 1 nonsense";
  const FrictionCorpus corpus = read_friction_corpus(folder.path());
  ASSERT_TRUE(corpus.found);
  ASSERT_EQ(corpus.files.size(), 3U);
  EXPECT_EQ(corpus.files[0].name, "fc3d/three.hdf5");
  EXPECT_EQ(corpus.files[1].dimension(), 2);
  EXPECT_TRUE(corpus.files[2].is_global());
  EXPECT_EQ(corpus.files[2].contacts(), 3);
  ASSERT_EQ(corpus.unread.size(), 1U);
  EXPECT_TRUE(corpus.unread[0].starts_with("fc3d/broken.dat: ")) << corpus.unread[0];
}

// Ours and, where it is installed, Siconos stand in one row per file and target, judged by the same residual.
TEST(SiconosCorpus, MeasuresBothSidesOnEveryFile) {
  const CorpusFolder folder;
  bool held = false;
  const std::vector<json> lines = run_quick(folder.path(), held);
  int files = 0;
  std::set<std::string> kinds;
  for (const json& line : lines) {
    EXPECT_EQ(line.at("study"), "siconos-corpus");
    kinds.insert(line.at("kind"));
    if (line.at("kind") == "promise" && !line.at("name").get<std::string>().starts_with("time")) {
      EXPECT_TRUE(line.at("held").get<bool>()) << line.dump();
    }
    if (line.at("kind") != "file") continue;
    ++files;
    EXPECT_TRUE(line.at("certified").get<bool>()) << line.dump();
    EXPECT_LE(line.at("residual").get<double>(), line.at("target").get<double>());
    EXPECT_GT(line.at("solver_seconds").get<double>(), 0.0);
    if (!has_siconos_friction()) {
      EXPECT_TRUE(line.at("peer").is_null());
      continue;
    }
    ASSERT_FALSE(line.at("peer").is_null()) << line.dump();
    EXPECT_LE(line.at("peer").at("residual").get<double>(), line.at("target").get<double>());
    EXPECT_NEAR(line.at("ratio").get<double>(),
                line.at("peer").at("seconds").get<double>() / line.at("solver_seconds").get<double>(), 1e-9);
  }
  EXPECT_EQ(files, 6);
  EXPECT_EQ(kinds.contains("left-out"), !has_siconos_friction());
  for (const char* kind : {"file", "profile", "promise"}) EXPECT_TRUE(kinds.contains(kind)) << kind;
}

// Closed form: the fastest on one of two problems, three times as slow on the other, and one that solves nothing.
TEST(SiconosCorpus, ProfilesAreShares) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const std::vector<ProfileRow> rows = {
      {"a", {1.0, 6.0, kNever}}, {"b", {2.0, 2.0, kNever}}, {"c", {kNever, kNever, kNever}}};
  EXPECT_DOUBLE_EQ(calc_share(rows, 0, 1.0), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(calc_share(rows, 0, 2.9), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(calc_share(rows, 0, 3.0), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(calc_share(rows, 1, 2.0), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(calc_share(rows, 2, 1e9), 0.0);
  EXPECT_EQ(count_solved(rows[0]), 2);
  EXPECT_EQ(count_solved(rows[2]), 0);
}

// The condensed problem is the one that the global one stands for: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w.
TEST(SiconosFriction, CondensesToTheLocalProblem) {
  const LocalFriction condensed = condense(three_bodies(3)), expected = three_contacts(3);
  EXPECT_LT((MatrixXd(condensed.W) - MatrixXd(expected.W)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((condensed.q - expected.q).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(condensed.mu, expected.mu);
}

// A peer that is handed the matrix the wrong way round would be slandered: with an unsymmetric W its sweeps must end at
// an answer to the problem as it is, in either storage.
TEST(SiconosFriction, IsHandedTheProblemAsItIs) {
  if (!has_siconos_friction()) {
    EXPECT_TRUE(measure_siconos(three_contacts(3), {}).empty());
    return;
  }
  LocalFriction problem = three_contacts(3);
  MatrixXd W(problem.W);
  W(0, 4) = 0.5;
  W(4, 0) = -0.25;
  problem.W = W.sparseView();
  PeerLimits limits;
  limits.solvers = {"nsgs", "nsn_ac", "vi_eg"};
  limits.repeats = 0.0;
  std::set<std::string> storages;
  for (const PeerResult& result : measure_siconos(problem, limits)) {
    ASSERT_EQ(result.at.size(), 2U);
    EXPECT_TRUE(result.at[1].reached) << result.solver << ", " << result.storage << ": " << result.ending;
    EXPECT_LE(result.at[1].residual, 1e-8);
    EXPECT_EQ(result.ending, "met");
    storages.insert(result.storage);
  }
  EXPECT_EQ(storages, (std::set<std::string>{"blocks", "dense"}));
}

// Two walls that push a body from both sides have no answer: a solver must be back within its time (some would never
// be), and not with a residual that meets the target.
TEST(SiconosFriction, ASolverThatDoesNotEndIsEnded) {
  LocalFriction problem;
  MatrixXd W = MatrixXd::Identity(6, 6);
  W(0, 3) = W(3, 0) = -1.0;
  problem.W = W.sparseView();
  problem.q = VectorXd::Zero(6);
  problem.q(0) = problem.q(3) = -1.0;
  problem.mu = VectorXd::Constant(2, 0.5);
  PeerLimits limits;
  limits.seconds = 0.1;
  limits.solvers = {"nsgs", "nsn_ac", "vi_eg", "hp"};
  for (const PeerResult& result : measure_siconos(problem, limits)) {
    EXPECT_FALSE(result.at[0].reached) << result.solver;
    EXPECT_NE(result.ending, "met") << result.solver;
  }
}

}  // namespace
}  // namespace tribo
