// Problems made by others, where they are at hand.
#include "tribo/io/problem_file.hpp"

#include <iostream>

#include "arithmetic.hpp"
#include "support/paths.hpp"
#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

// Empty and said aloud when the corpus is not there.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files = corpus_files(folder);
  if (files.empty()) std::cout << "no corpus folder contact-problems/" << folder << ": its files were not solved\n";
  return files;
}

ToolRun solve_all(const std::vector<std::string>& files) {
  std::vector<std::string> words = {"solve"};
  words.insert(words.end(), files.begin(), files.end());
  words.insert(words.end(), {"--json", "--solution"});
  return run_tool(words);
}

double violation(const AnyProblem& problem, const json& line) {
  const VectorXd z = to_vector(line["z"]), w = to_vector(line["w"]);
  if (const auto* lcp = std::get_if<Lcp>(&problem)) return lcp_violation(lcp->M, lcp->q, z, w);
  // Rows back where the file has them.
  const auto& mixed = std::get<MixedLcpFile>(problem);
  MatrixXd M(mixed.lcp.M.rows(), mixed.lcp.M.cols());
  VectorXd q(mixed.lcp.q.size());
  M(mixed.order, mixed.order) = mixed.lcp.M;
  q(mixed.order) = mixed.lcp.q;
  std::vector<bool> equality(mixed.order.size(), false);
  for (Index i = 0; i < mixed.lcp.free; ++i) equality[static_cast<std::size_t>(mixed.order[i])] = true;
  return mixed_violation(M, q, equality, to_vector(line["u"]), z, w);
}

class Corpus : public ::testing::TestWithParam<const char*> {};

// All have an answer but one, for which "solved" would be a lie; answers are checked against the file once more here.
TEST_P(Corpus, IsSolvedWhereAnAnswerExists) {
  const std::vector<std::string> files = files_of(GetParam());
  if (files.empty()) return;
  const std::vector<json> lines = solve_all(files).json_lines();
  ASSERT_EQ(lines.size(), files.size());
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (files[k].ends_with("lcp_lit_pang.dat")) {
      EXPECT_EQ(lines[k]["status"], "infeasible");
      EXPECT_EQ(lines[k]["evidence"]["verdict"], "infeasible");
      continue;
    }
    EXPECT_EQ(lines[k]["status"], "solved") << files[k];
    EXPECT_LE(lines[k]["certificate"]["worst"].get<double>(), 1e-10) << files[k];
    EXPECT_LE(violation(read_problem(files[k]).value().problem, lines[k]), 1e-10) << files[k];
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, Corpus, ::testing::Values("lcp", "mlcp"),
                         [](const auto& folder) { return std::string(folder.param); });

class CorpusFriction : public ::testing::TestWithParam<const char*> {};

// r comes in the file's order: the natural map of the cone, evaluated here once more from the file, vanishes.
TEST_P(CorpusFriction, IsSolvedInTheFilesOrder) {
  const std::vector<std::string> files = files_of(GetParam());
  if (files.empty()) return;
  const ToolRun run = solve_all(files);
  EXPECT_EQ(run.code, 0) << run.err;
  const std::vector<json> lines = run.json_lines();
  ASSERT_EQ(lines.size(), files.size());
  for (std::size_t k = 0; k < files.size(); ++k) {
    EXPECT_EQ(lines[k]["status"], "solved") << files[k];
    EXPECT_EQ(lines[k]["model"], "cone");
    EXPECT_EQ(lines[k]["states"].size(), lines[k]["contacts"].get<std::size_t>());
    const AnyProblem problem = read_problem(files[k]).value().problem;
    const VectorXd r = to_vector(lines[k]["r"]), u = to_vector(lines[k]["u"]);
    if (const auto* local = std::get_if<LocalFriction>(&problem)) {
      EXPECT_LE(friction_violation(*local, r, u), 1e-8) << files[k];
    } else {
      const auto& global = std::get<GlobalFriction>(problem);
      const VectorXd v = to_vector(lines[k]["v"]);
      const VectorXd balance = global.M * v - global.H * r - global.f;
      EXPECT_LE(balance.norm(), 1e-9 * (global.f.norm() + (global.H * r).norm())) << files[k];
      const VectorXd slip = global.H.transpose() * v + global.w;
      EXPECT_LE((slip - u).norm(), 1e-9 * (1.0 + u.norm())) << files[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, CorpusFriction, ::testing::Values("fc3d", "fc2d", "gfc3d", "gfc2d"),
                         [](const auto& folder) { return std::string(folder.param); });

}  // namespace
}  // namespace tribo::testing
