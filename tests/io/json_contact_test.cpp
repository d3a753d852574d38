#include "io/contact_layout.hpp"
#include "io/file_bytes.hpp"
#include "io/io_testing.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::json_error;
using testing::reference_files;
using testing::same;
using testing::source_dir;
using testing::TemporaryFolder;

ContactFile read_contact_file(const std::string& name) {
  return std::get<ContactFile>(read_problem(source_dir() + "/data/reference/" + name).value().problem);
}

// A planar block with one joint row, small enough to be changed by hand.
const std::string kSmall =
    R"({"schema": "contact-lcp-ref/1", "model": "no_slip", "m": 3, "n": 1, "j": 1, "h": 0.01,
 "M": [[2, 0, 0], [0, 2, 0], [0, 0, 0.5]],
 "N": [[0, 1, 0]], "S": [[1, 0, 0]], "T": [], "J": [[0, 0, 1]],
 "v": [1, -1, 0], "f": [0, -20, 0]})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// Every reference problem is read, valid, and survives a round trip without a changed bit.
TEST(JsonContact, ReadsAndWritesEveryReferenceProblem) {
  const TemporaryFolder folder;
  ASSERT_GE(reference_files().size(), 41u);
  for (const std::string& path : reference_files()) {
    const Expected<ProblemFile> file = read_problem(path);
    ASSERT_TRUE(file.has_value()) << file.error().text();
    EXPECT_EQ(file->format, "json");
    EXPECT_EQ(kind_of(file->problem), "contact");
    EXPECT_TRUE(file->warnings.empty()) << path << file->warnings.front();
    ASSERT_TRUE(std::get<ContactFile>(file->problem).expected.has_value());
    const std::string copy = folder.path("copy.json");
    ASSERT_TRUE(write_json(copy, file->problem));
    const Expected<ProblemFile> again = read_problem(copy);
    ASSERT_TRUE(again.has_value()) << again.error().text();
    EXPECT_TRUE(same(file->problem, again->problem)) << path;
  }
}

// Names of the schema map to one model and level each.
TEST(JsonContact, MapsModelNames) {
  EXPECT_EQ(read_contact_file("fr01_block_4_redundant.json").model, ContactModel(Frictionless{}));
  EXPECT_EQ(read_contact_file("ns01_block_8_incline.json").model, ContactModel(NoSlip{}));
  EXPECT_EQ(read_contact_file("st801_peg8.json").model, ContactModel(CoulombPyramid{8}));
  EXPECT_EQ(read_contact_file("st401_sphere_slide.json").model, ContactModel(CoulombPyramid{4}));
  EXPECT_EQ(read_contact_file("bx01_block.json").model, ContactModel(FrictionBox{}));
  EXPECT_EQ(read_contact_file("vi01_block_impact_implicit.json").model, ContactModel(Viscous{true}));
  EXPECT_EQ(read_contact_file("ve01_block_impact_explicit.json").model, ContactModel(Viscous{false}));
  EXPECT_EQ(read_contact_file("va01_block_sliding.json").model, ContactModel(Viscous{}));
  EXPECT_EQ(read_contact_file("va01_block_sliding.json").problem.level, Level::kAcceleration);
  EXPECT_EQ(read_contact_file("vi01_block_impact_implicit.json").problem.level, Level::kVelocity);
}

// The expected answer must satisfy the momentum balance of the file, which ties every field to its place:
//     M (v⁺ − v) = h f + Nᵀ f_n + Sᵀ f_s + Tᵀ f_t + Jᵀ f_j.
TEST(JsonContact, ExpectedAnswersBalanceMomentum) {
  int checked = 0;
  for (const std::string& path : reference_files()) {
    const auto file = std::get<ContactFile>(read_problem(path).value().problem);
    const ExpectedAnswer& expected = *file.expected;
    if (expected.status != "solved" || std::holds_alternative<Viscous>(file.model)) continue;
    const ContactProblem& p = file.problem;
    const ContactSolution& s = expected.solution;
    VectorXd balance = p.mass.multiply(s.v_next - p.v) - p.h * p.f - p.N.multiply_transposed(s.f_n);
    if (s.f_s.size() > 0) balance -= p.S.multiply_transposed(s.f_s);
    if (s.f_t.size() > 0) balance -= p.T.multiply_transposed(s.f_t);
    if (s.f_j.size() > 0) balance -= p.J.multiply_transposed(s.f_j);
    const double scale = std::max(1.0, p.mass.multiply(p.v).cwiseAbs().maxCoeff());
    EXPECT_LE(balance.cwiseAbs().maxCoeff(), 1e-10 * scale) << path;
    const VectorXd w = p.N.multiply(s.v_next) + p.b_N;
    if (w.size() > 0) {
      EXPECT_LE((w - expected.w).cwiseAbs().maxCoeff(), 1e-10 * scale) << path;
    }
    ++checked;
  }
  EXPECT_GE(checked, 33);
}

// Bodies are blocks of six when the matrix allows it, a tree is one block.
TEST(JsonContact, FindsTheBlocksOfTheMassMatrix) {
  EXPECT_EQ(read_contact_file("ns04_grasp_2boxes.json").problem.mass.layout().sizes(),
            (std::vector<Index>{6, 6, 6, 6}));
  EXPECT_EQ(read_contact_file("ns07_dense_tree.json").problem.mass.layout().size(), 7);
}

// Six, then three, then the finest blocks, then one: the first that no row spreads over more than two blocks.
TEST(JsonContact, ChoosesTheFirstLayoutThatSuits) {
  const MatrixXd six = MatrixXd::Identity(12, 12);
  EXPECT_EQ(choose_layout(six, {}).sizes(), (std::vector<Index>{6, 6}));
  const MatrixXd nine = MatrixXd::Identity(9, 9);
  EXPECT_EQ(choose_layout(nine, {}).sizes(), (std::vector<Index>{3, 3, 3}));
  EXPECT_EQ(choose_layout(nine, {MatrixXd::Ones(1, 9)}).sizes(), (std::vector<Index>{9}));
  MatrixXd pairs = MatrixXd::Identity(4, 4);
  pairs(1, 2) = pairs(2, 1) = 0.5;
  EXPECT_EQ(choose_layout(pairs, {}).sizes(), (std::vector<Index>{1, 2, 1}));
  EXPECT_EQ(choose_layout(pairs, {MatrixXd::Ones(1, 4)}).sizes(), (std::vector<Index>{4}));
  MatrixXd across = MatrixXd::Identity(12, 12);
  across(5, 6) = across(6, 5) = 0.1;
  EXPECT_EQ(choose_layout(across, {}).blocks(), 11);
  EXPECT_EQ(choose_layout(MatrixXd(0, 0), {}).blocks(), 0);
}

// What a file may leave out has a stated value.
TEST(JsonContact, FillsInWhatMayBeMissing) {
  const auto file = std::get<ContactFile>(parse_json_problem(kSmall).value());
  EXPECT_EQ(file.problem.T.rows(), 0);
  EXPECT_EQ(file.problem.S.rows(), 1);
  EXPECT_EQ(file.problem.b_N, VectorXd::Zero(1));
  EXPECT_EQ(file.problem.b_J, VectorXd::Zero(1));
  EXPECT_EQ(file.problem.contacts, std::vector<Contact>(1));
  EXPECT_FALSE(file.expected.has_value());
}

// Everything a Contact can say goes through a file: softness, geometry, level, blocks.
TEST(JsonContact, KeepsWhatTheSchemaDoesNotHave) {
  auto file = std::get<ContactFile>(parse_json_problem(kSmall).value());
  file.model = Frictionless{};
  file.description = "quotes \" and \\ and \n lines";
  file.problem.level = Level::kAcceleration;
  Contact& contact = file.problem.contacts[0];
  contact.gap = -1e-3;
  contact.restitution = 0.3;
  contact.stiffness = 1e7;
  contact.damping = 12.5;
  contact.friction_bound = 0.2;
  contact.has_frame = true;
  contact.point = Vector3d(0.1, 0.2, 0.3);
  contact.frame << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const Expected<AnyProblem> again = parse_json_problem(to_json(file));
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_TRUE(same(AnyProblem(file), *again));
}

// Rows of dry friction and limits, and answers with them. A file without the keys has none.
TEST(JsonContact, KeepsDryFrictionAndLimits) {
  EXPECT_EQ(std::get<ContactFile>(parse_json_problem(kSmall).value()).problem.dry(), 0);
  const std::string text = replaced(kSmall, "\"S\": [[1, 0, 0]]",
                                    R"("S": [[0, 0, 0]], "dry": 2, "D": [[1, 0, 0], [0, 0, 2]], "D_bound": [0.1, 0],
 "limit": [true], "expected": {"status": "solved", "f_d": [0.1, 0]})");
  std::vector<std::string> warnings;
  const Expected<AnyProblem> read = parse_json_problem(text, &warnings);
  ASSERT_TRUE(read.has_value()) << read.error().text();
  EXPECT_TRUE(warnings.empty());
  const auto& file = std::get<ContactFile>(*read);
  EXPECT_EQ(file.problem.D.to_dense(), (MatrixXd(2, 3) << 1, 0, 0, 0, 0, 2).finished());
  EXPECT_EQ(file.problem.bound, Eigen::Vector2d(0.1, 0.0));
  EXPECT_EQ(file.problem.contacts[0].kind, RowKind::kLimit);
  EXPECT_EQ(file.expected->solution.f_d, Eigen::Vector2d(0.1, 0.0));
  const Expected<AnyProblem> again = parse_json_problem(to_json(file));
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_TRUE(same(*read, *again));

  const auto expect = [&](const std::string& from, const std::string& to, const std::string& part) {
    const std::string error = json_error(replaced(text, from, to));
    EXPECT_NE(error.find(part), std::string::npos) << to << " | " << error;
  };
  expect("\"dry\": 2, ", "", "D: has 2 rows, expected dry = 0");
  expect("\"D\": [[1, 0, 0], [0, 0, 2]], ", "", "D: the key is missing");
  expect("\"D_bound\": [0.1, 0],", "", "D_bound: the key is missing");
  expect("[0.1, 0],", "[-0.1, 0],", "row 0 of D");
  expect("[true]", "[1]", "limit: entry 0 is not true or false");
  expect("\"S\": [[0, 0, 0]]", "\"S\": [[1, 0, 0]]", "contact 0 is a limit");
  expect("\"f_d\": [0.1, 0]", "\"f_d\": [0.1]", "expected.f_d: has 1 entries, expected dry = 2");
}

// A key that nobody reads may be a misspelt one; it is named.
TEST(JsonContact, WarnsOfUnknownKeys) {
  std::vector<std::string> warnings;
  ASSERT_TRUE(parse_json_problem(replaced(kSmall, "\"h\"", "\"mu_V\": [1], \"h\""), &warnings).has_value());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "key 'mu_V' is not known; ignored");
}

// Messages name the key, the row and the size that was expected.
TEST(JsonContact, SaysWhatIsWrong) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& part) {
    const std::string error = json_error(replaced(kSmall, from, to));
    EXPECT_NE(error.find(part), std::string::npos) << to << " | " << error;
  };
  expect("[[0, 1, 0]]", "[[0, 1]]", "N: row 0 has 2 numbers, expected m = 3");
  expect("[[0, 1, 0]]", "[]", "N: has 0 rows, expected n = 1");
  expect("[[0, 1, 0]]", "[[0, \"x\", 0]]", "N: entry (0, 1) is a string, not a number");
  expect("[[0, 1, 0]]", "[7]", "N: row 0 is a number, not a list");
  expect("[[0, 1, 0]]", "7", "N: is a number, not a list");
  expect("\"h\": 0.01,", "", "h: the key is missing");
  expect("\"h\": 0.01,", "\"h\": 0,", "h");
  expect("\"m\": 3", "\"m\": -3", "m: is -3, not a size");
  expect("\"m\": 3", "\"m\": 3.5", "m: is 3.5, not a size");
  expect("\"m\": 3", "\"m\": 2000000000", "M: has 3 rows, expected m = 2000000000");
  expect("\"S\": [[1, 0, 0]],", "", "S: the key is missing");
  expect(", \"J\": [[0, 0, 1]]", "", "J: the key is missing");
  expect("\"v\": [1, -1, 0]", "\"v\": [1]", "v: has 1 entries, expected m = 3");
  expect("no_slip", "st_d5", "even number of sides");
  expect("no_slip", "honey", "'honey' is not a known model");
  expect("no_slip", "friction_box", "bound: the key is missing");
  expect("\"h\": 0.01", "\"h\": 0.01, \"blocks\": [2]", "do not add up to m = 3");
  expect("\"h\": 0.01", "\"h\": 0.01, \"blocks\": [3, 0]", "block 1 is empty");
  expect("[2, 0, 0], [0, 2, 0]", "[2, 1, 0], [1, 2, 0]", "no error");
  expect("[2, 0, 0], [0, 2, 0]", "[2, 1, 0], [0, 2, 0]", "not symmetric");
  expect("\"h\": 0.01", "\"h\": 0.01, \"mu\": [-1]", "contact 0");
  expect("\"h\": 0.01", "\"h\": 0.01, \"frames\": [[1, 2]]", "frames: entry 0");
  expect("\"h\": 0.01", "\"h\": 0.01, \"stiffness\": [\"soft\"]", "stiffness: entry 0");
  expect("\"h\": 0.01", "\"h\": 0.01, \"level\": \"high\"", "level: 'high'");
  expect("\"h\": 0.01", "\"h\": 0.01, \"expected\": {\"status\": \"solved\", \"f_n\": [1, 2]}",
         "expected.f_n: has 2 entries, expected n = 1");
  expect("contact-lcp-ref/1", "contact-lcp-ref/2", "schema: 'contact-lcp-ref/2' is not a known schema");
}

// Blocks given by the file must be blocks of M, and rows may touch two of them.
TEST(JsonContact, ChecksGivenBlocks) {
  const std::string coupled = replaced(kSmall, "[2, 0, 0], [0, 2, 0]", "[2, 1, 0], [1, 2, 0]");
  EXPECT_NE(json_error(replaced(coupled, "\"h\"", "\"blocks\": [1, 2], \"h\"")).find("M couples block 0"),
            std::string::npos);
  const std::string wide = replaced(kSmall, "[[0, 0, 1]]", "[[1, 1, 1]]");
  EXPECT_NE(json_error(replaced(wide, "\"h\"", "\"blocks\": [1, 1, 1], \"h\"")).find("J: row 0"), std::string::npos);
  EXPECT_EQ(json_error(wide), "no error");  // without `blocks` one block is chosen
}

// Damaged text gives an error or a valid problem, never a crash.
TEST(JsonContact, SurvivesMutatedBytes) {
  Random random(7);
  int read = 0;
  for (const char* name : {"ns02_sphere_spin.json", "st401_sphere_slide.json", "bx02_sphere.json"}) {
    const std::string text = read_bytes(source_dir() + "/data/reference/" + name).value();
    for (int k = 0; k < 400; ++k) {
      const Expected<AnyProblem> problem = parse_json_problem(testing::mutated(text, random));
      if (!problem) continue;
      ++read;
      ASSERT_TRUE(validate(*problem).has_value());
    }
  }
  EXPECT_GT(read, 10);
}

// Gap and restitution act through b_N; where the file gives b_N itself, or properties that no rigid model uses, it is said.
TEST(JsonContact, UsesGapAndRestitutionOrSaysThatItDoesNot) {
  const auto read = [](const std::string& extra, std::vector<std::string>& warnings) {
    const std::string text =
        R"({"schema": "contact-lcp-ref/1", "model": "frictionless", "m": 1, "n": 1, "h": 0.01, "M": [[2]],
                              "N": [[1]], "v": [-1], "f": [0])" +
        extra + "}";
    auto problem = parse_json_problem(text, &warnings);
    EXPECT_TRUE(problem.has_value()) << (problem ? "" : problem.error().text());
    return std::get<ContactFile>(*problem).problem.b_N(0);
  };
  std::vector<std::string> warnings;
  EXPECT_EQ(read("", warnings), 0.0);
  EXPECT_EQ(read(R"(, "restitution": [0.5])", warnings), -0.5);
  EXPECT_EQ(read(R"(, "gap": [0.03])", warnings), 3.0);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(read(R"(, "restitution": [0.5], "b_N": [0.25])", warnings), 0.25);
  EXPECT_EQ(warnings.size(), 1u);
  warnings.clear();
  read(R"(, "stiffness": [1e5])", warnings);
  EXPECT_EQ(warnings.size(), 1u);
}

}  // namespace
}  // namespace tribo
