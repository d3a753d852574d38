// The keys for contacts that may slip and for impacts.
#include "io/io_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

std::string released_text(const std::string& model, const std::string& keys) {
  return R"({"schema": "contact-lcp-ref/1", "model": ")" + model + R"(", "m": 2, "n": 2, "h": 0.01,
 "M": [[2, 0], [0, 2]], "N": [[0, 1], [0, 1]], "S": [[1, 0], [1, 0]], "T": [],
 "v": [1, -1], "f": [0, -20])" +
         keys + "}";
}

ContactFile parse_released(const std::string& model, const std::string& keys) {
  std::vector<std::string> warnings;
  const auto result = parse_json_problem(released_text(model, keys), &warnings);
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().text());
  EXPECT_TRUE(warnings.empty()) << warnings.front();
  return std::get<ContactFile>(*result);
}

std::string released_error(const std::string& model, const std::string& keys) {
  return testing::json_error(released_text(model, keys));
}

// Both keys come back as they were written, and files that do not need them do not have them.
TEST(JsonReleased, RoundTrips) {
  const ContactFile file = parse_released("no_slip", R"(, "released": [true, false], "impact_damping": [0, 2.5])");
  EXPECT_TRUE(file.problem.contacts[0].released);
  EXPECT_FALSE(file.problem.contacts[1].released);
  EXPECT_EQ(file.problem.contacts[1].impact_damping, 2.5);
  const std::string text = to_json(file);
  EXPECT_TRUE(testing::same(parse_json_problem(text).value(), AnyProblem(file)));
  EXPECT_NE(text.find("\"released\": [true, false]"), std::string::npos) << text;

  const std::string plain = to_json(parse_released("no_slip", ""));
  EXPECT_EQ(plain.find("released"), std::string::npos);
  EXPECT_EQ(plain.find("impact_damping"), std::string::npos);
}

// The model of impacts has a name of its own, at velocity level.
TEST(JsonReleased, ReadsAndWritesTheModelOfImpacts) {
  const ContactFile file = parse_released("viscous_impact", R"(, "impact_damping": [1, 2])");
  EXPECT_EQ(file.model, ContactModel(Viscous{.impact = true}));
  EXPECT_EQ(file.problem.level, Level::kVelocity);
  EXPECT_TRUE(testing::same(parse_json_problem(to_json(file)).value(), AnyProblem(file)));
  EXPECT_NE(
      released_error("viscous_impact", R"(, "level": "acceleration")").find("level: an impact has no accelerations"),
      std::string::npos);
}

// A law without its coefficient is no law: the reader says what it took instead.
TEST(JsonReleased, SaysWhichCoefficientIsMissing) {
  std::vector<std::string> warnings;
  ASSERT_TRUE(parse_json_problem(released_text("viscous_impact", R"(, "mu_v": [1, 1])"), &warnings));
  EXPECT_EQ(warnings, (std::vector<std::string>{"impact_damping is not given; taken as 0"}));
}

// What is not a flag per contact, or not a coefficient, is refused by name.
TEST(JsonReleased, RefusesWhatMakesNoSense) {
  EXPECT_NE(released_error("no_slip", R"(, "released": [true])").find("released: has 1 entries"), std::string::npos);
  EXPECT_NE(released_error("no_slip", R"(, "released": [1, 0])").find("entry 0 is not true or false"),
            std::string::npos);
  EXPECT_NE(released_error("no_slip", R"(, "released": true)").find("released"), std::string::npos);
  EXPECT_NE(
      released_error("viscous_impact", R"(, "impact_damping": [1, -2])").find("contact 1: impact_damping is negative"),
      std::string::npos);
  EXPECT_NE(released_error("viscous_impact", R"(, "impact_damping": [1])").find("impact_damping: has 1 entries"),
            std::string::npos);
}

}  // namespace
}  // namespace tribo
