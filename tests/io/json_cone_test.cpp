// The model cone and the keys that go with it.
#include "io/io_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

const char* const kTurning = R"(, "spin": [[0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1]],
 "roll_s": [[0, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0]], "roll_t": [[0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 1, 0]])";

std::string cone_text(const std::string& model, const std::string& keys) {
  return R"({"schema": "contact-lcp-ref/1", "model": ")" + model + R"(", "m": 6, "n": 2, "h": 0.01,
 "M": [[2, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0],
 [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]],
 "N": [[0, 0, 1, 0.1, 0, 0], [0, 0, 1, -0.1, 0, 0]], "S": [[1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]],
 "T": [[0, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]], "v": [1, 0, -1, 0, 0, 3], "f": [0, 0, -20, 0, 0, 0])" +
         keys + "}";
}

ContactFile parse_cone(const std::string& model, const std::string& keys,
                       std::vector<std::string>* warnings = nullptr) {
  const auto result = parse_json_problem(cone_text(model, keys), warnings);
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().text());
  return std::get<ContactFile>(*result);
}

std::string cone_error(const std::string& model, const std::string& keys) {
  return testing::json_error(cone_text(model, keys));
}

// Everything comes back number by number, the expected answer with its couples included.
TEST(JsonCone, RoundTrips) {
  std::vector<std::string> warnings;
  const ContactFile file =
      parse_cone("cone",
                 std::string(kTurning) +
                     R"(, "mu": [0.5, 0.4], "mu_spin": [0.01, 0], "mu_roll": [0, 0.002], "compliance": [1e-4, 0],
 "tangential_compliance": [0, 2e-4], "held_s": [0, 0.5], "held_t": [0, -0.25], "expected": {"status": "solved", "f_n": [1, 2], "f_spin": [0.1, 0],
 "f_roll_s": [0, 0.2], "f_roll_t": [0, 0.3]})",
                 &warnings);
  EXPECT_TRUE(warnings.empty()) << warnings.front();
  EXPECT_EQ(file.model, ContactModel(CoulombCone{}));
  EXPECT_EQ(file.problem.contacts[0].mu_spin, 0.01);
  EXPECT_EQ(file.problem.contacts[1].mu_roll, 0.002);
  EXPECT_EQ(file.problem.contacts[0].compliance, 1e-4);
  EXPECT_EQ(file.problem.contacts[1].tangential_compliance, 2e-4);
  EXPECT_EQ(file.problem.contacts[1].held_s, 0.5);
  EXPECT_EQ(file.problem.contacts[1].held_t, -0.25);
  EXPECT_EQ(file.problem.spin.dot(1, file.problem.v), 3.0);
  EXPECT_EQ(file.problem.roll_t.to_dense()(0, 4), 1.0);
  EXPECT_EQ(file.expected->solution.f_spin, Eigen::Vector2d(0.1, 0));
  EXPECT_EQ(file.expected->solution.f_roll_t, Eigen::Vector2d(0, 0.3));
  const std::string text = to_json(file);
  EXPECT_TRUE(testing::same(parse_json_problem(text).value(), AnyProblem(file)));
  EXPECT_NE(text.find("\"model\": \"cone\""), std::string::npos) << text;
}

// Files that need none of it look as they always have.
TEST(JsonCone, LeavesOtherFilesAlone) {
  const std::string plain = to_json(parse_cone("cone", R"(, "mu": [0.5, 0.5])"));
  for (const char* key : {"spin", "roll", "compliance"}) EXPECT_EQ(plain.find(key), std::string::npos) << key;
}

// Friction without a coefficient is worth a word; so is a stiffness that nothing uses.
TEST(JsonCone, SaysWhatIsMissingOrUnused) {
  std::vector<std::string> warnings;
  parse_cone("cone", R"(, "stiffness": [1e5, null])", &warnings);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("give them as compliance"), std::string::npos) << warnings[0];
  EXPECT_EQ(warnings[1], "mu is not given; taken as 0");
}

// What makes no sense is refused by name.
TEST(JsonCone, RefusesWhatMakesNoSense) {
  const auto refuses = [](const std::string& keys, const std::string& part) {
    const std::string error = cone_error("cone", keys);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  const std::string turning = kTurning;
  refuses(R"(, "mu_spin": [0.1, 0.1])", "contact 0: mu_spin is positive but there are no rows spin");
  refuses(R"(, "mu_roll": [0, 0.1])", "contact 1: mu_roll is positive but there are no rows roll_s and roll_t");
  refuses(turning + R"(, "mu_spin": [0.1])", "mu_spin: has 1 entries");
  refuses(turning + R"(, "mu_spin": [0.1, -1])", "contact 1: mu_spin is negative");
  refuses(R"(, "compliance": [-1, 0])", "contact 0: compliance is negative");
  refuses(R"(, "spin": [[0, 0, 0, 0, 0, 1]])", "spin: has 1");
  refuses(R"(, "roll_s": [[0, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0]])", "roll_s, roll_t: one has rows");
  EXPECT_NE(cone_error("cones", "").find("cone"), std::string::npos);
}

}  // namespace
}  // namespace tribo
