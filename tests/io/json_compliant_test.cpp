// Compliant problems in JSON: the reference files as they are, what is written, and what is refused.
#include <algorithm>

#include "io/io_testing.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::json_error;

std::vector<std::string> compliant_paths() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() + "/data/reference-first-order")) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

CompliantFile compliant_file(const std::string& name) {
  const std::string path = testing::source_dir() + "/data/reference-first-order/" + name + ".json";
  return std::get<CompliantFile>(read_problem(path).value().problem);
}

// All 22 files are read without a warning, and come back number by number from what is written of them.
TEST(JsonCompliant, ReferencesRoundTrip) {
  const auto paths = compliant_paths();
  ASSERT_EQ(paths.size(), 22u);
  for (const std::string& path : paths) {
    const ProblemFile file = read_problem(path).value();
    EXPECT_EQ(file.format, "json");
    EXPECT_EQ(kind_of(file.problem), "compliant");
    EXPECT_TRUE(file.warnings.empty()) << path << ": " << file.warnings.front();
    const std::string text = to_json(file.problem);
    EXPECT_TRUE(testing::same(parse_json_problem(text).value(), file.problem)) << text;
    EXPECT_NE(text.find("compliant-step/1"), std::string::npos);
  }
}

// Keys land where they belong.
TEST(JsonCompliant, ReadsEveryKey) {
  const CompliantFile file = compliant_file("f8_3d_full_system");
  const CompliantProblem& problem = file.problem;
  EXPECT_EQ(problem.name, "f8_3d_full_system");
  EXPECT_EQ(problem.h, 0.01);
  EXPECT_EQ(problem.zeta, 100.0);
  EXPECT_EQ(problem.product, VelocityProduct::kSpring);
  EXPECT_EQ(file.model, Compliant{});
  EXPECT_EQ(problem.dof(), 6);
  EXPECT_EQ(problem.contacts(), 2);
  EXPECT_EQ(problem.v(3), 0.3);
  EXPECT_EQ(problem.f(2), -9.46607309763287);
  EXPECT_EQ(problem.mass.to_dense()(4, 4), 0.003541666666666667);
  EXPECT_EQ(problem.bilateral.G.to_dense()(0, 5), 0.3);
  EXPECT_EQ(problem.bilateral.K(1), 10000.0);
  EXPECT_EQ(problem.bilateral.drift(0), 0.2);
  EXPECT_EQ(problem.unilateral.phi(0), -0.001);
  EXPECT_EQ(problem.normal.G.to_dense()(1, 3), -0.05);
  EXPECT_EQ(problem.normal.phi(1), -4e-05);
  EXPECT_EQ(problem.r.B(0), 10000.0);
  EXPECT_EQ(problem.s.drift(1), 0.01875);
  EXPECT_EQ(problem.mu(0), 0.6);
  ASSERT_EQ(file.solutions.size(), 3u);
  const auto coulomb = std::find_if(file.solutions.begin(), file.solutions.end(),
                                    [](const auto& reference) { return reference.model == "coulomb"; });
  ASSERT_NE(coulomb, file.solutions.end());
  EXPECT_EQ(coulomb->solution.lambda_u(0), 2.360643519515335);
  EXPECT_EQ(coulomb->solution.states, std::vector<ContactState>(2, ContactState::kSlide));
  EXPECT_EQ(compliant_file("f9_3d_hertz_three_feet").problem.rate_scale(2), 0.0009);
  EXPECT_EQ(compliant_file("f1_2d_particle_stick").problem.s.rows(), 0);
}

const char* const kStep = R"({"h": 0.01, "M": [[2, 0], [0, 1]], "v0": [1, -1], "f": [0, -9.81],
 "contacts": {"Gn": [[0, 1]], "Gr": [[1, 0]], "Kn": [1e5], "Bn": [1], "phin0": [-1e-4], "Br": [1e4], "mu": [0.3]}})";

std::string edited_step(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// What may be left out: springs and deviations of tangents, velocity products, scales; the mode is then spring.
TEST(JsonCompliant, LeavesOutWhatIsZero) {
  const auto problem = std::get<CompliantFile>(parse_json_problem(kStep).value()).problem;
  EXPECT_EQ(problem.product, VelocityProduct::kSpring);
  EXPECT_EQ(problem.r.K(0), 0.0);
  EXPECT_EQ(problem.r.phi(0), 0.0);
  EXPECT_FALSE(problem.zeta.has_value());
  EXPECT_EQ(problem.bilateral.rows(), 0);
  EXPECT_EQ(json_error(edited_step(kStep, R"("h")", R"("bias_mode": "none", "model": "convex_cone", "h")")),
            "no error");
  EXPECT_EQ(json_error(R"({"schema": "compliant-step/1", "h": 1, "M": [[1]], "v0": [0], "f": [0]})"), "no error");
}

// Every wrong number is named by its key with what to give instead.
TEST(JsonCompliant, NamesWhatIsWrong) {
  struct Case {
    const char *from, *to, *place, *reason;
  };
  for (const Case& wrong : std::initializer_list<Case>{
           {"0.01", "0", "h", "positive"},
           {"0.01", "-0.01", "h", "positive"},
           {"[[2, 0], [0, 1]]", "[[2, 0], [0, 0]]", "M", "M"},
           {"[[2, 0], [0, 1]]", "[[2, 3], [3, 1]]", "M", "definite"},
           {"[[2, 0], [0, 1]]", "[[2, 1], [0, 1]]", "M", "symmetric"},
           {"[[2, 0], [0, 1]]", "[[2, 0]]", "M", "rows"},
           {"\"v0\": [1, -1]", "\"v0\": [1]", "f", "expected the length of v0 = 1"},
           {"\"f\": [0, -9.81]", "\"f\": [0, null]", "f", "not a number"},
           {"[[0, 1]]", "[[0, 1, 2]]", "contacts.Gn", "numbers"},
           {"[1e5]", "[-1e5]", "normal.K", "stiffness >= 0"},
           {"\"Bn\": [1]", "\"Bn\": [-1]", "normal.B", "damping >= 0"},
           {"[1e4]", "[-1]", "r.B", "damping >= 0"},
           {"[0.3]", "[-0.3]", "mu", "coefficient >= 0"},
           {"[0.3]", "[0.3, 0.3]", "contacts.mu", "expected"},
           {"[-1e-4]", "[1e400]", "", ""},
           {"\"Kn\"", "\"K\"", "contacts.Kn", "missing"},
           {"\"mu\"", "\"my\"", "contacts.mu", "missing"},
           {"\"Bn\"", "\"bn\"", "contacts.bn", "not known"},
           {"\"h\"", "\"bias_mode\": \"springy\", \"h\"", "bias_mode", "none, spring or paper"},
           {"\"h\"", "\"model\": \"cone\", \"h\"", "model", "coulomb"},
           {"\"h\"", "\"bilateral\": [1], \"h\"", "bilateral", "object"},
           {"\"h\"", "\"solutions\": {\"lcp\": {\"v1\": [1]}}, \"h\"", "solutions.lcp.v1", "expected"},
           {"\"h\"", "\"solutions\": {\"lcp\": {\"v1\": [1, 1], \"states\": [\"glued\"]}}, \"h\"", "states", "stick"},
       }) {
    const std::string error = json_error(edited_step(kStep, wrong.from, wrong.to));
    EXPECT_NE(error, "no error") << wrong.from << " -> " << wrong.to;
    EXPECT_NE(error.find(wrong.place), std::string::npos) << error;
    EXPECT_NE(error.find(wrong.reason), std::string::npos) << error;
  }
}

// An unknown key outside of the rows is named in a warning, as in other files.
TEST(JsonCompliant, WarnsOfUnknownKeys) {
  std::vector<std::string> warnings;
  ASSERT_TRUE(parse_json_problem(edited_step(kStep, "\"h\"", "\"colour\": 1, \"h\""), &warnings).has_value());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("colour"), std::string::npos);
}

// Damaged text gives an error or a valid problem, never a crash.
TEST(JsonCompliant, SurvivesMutatedBytes) {
  Random random(21);
  std::vector<std::string> texts = {kStep};
  for (const char* name : {"b4_redundant", "u7_with_bilateral", "f8_3d_full_system"}) {
    texts.push_back(to_json(compliant_file(name)));
  }
  int read = 0;
  for (const std::string& text : texts) {
    for (int k = 0; k < 500; ++k) {
      const auto result = parse_json_problem(testing::mutated(text, random));
      if (!result) continue;
      ++read;
      EXPECT_TRUE(validate(*result).has_value());
    }
    for (const std::string& part : testing::truncations(text)) EXPECT_FALSE(parse_json_problem(part).has_value());
  }
  EXPECT_GT(read, 50);
}

}  // namespace
}  // namespace tribo
