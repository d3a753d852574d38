#include "tribo/problem/model.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// A name that is printed can be typed in again, for every model.
TEST(Model, NamesRoundTrip) {
  for (const ContactModel& model :
       {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(Viscous{true}), ContactModel(Viscous{false}),
        ContactModel(Viscous{.impact = true}), ContactModel(CoulombPyramid{4}), ContactModel(CoulombPyramid{8}),
        ContactModel(CoulombPyramid{20}), ContactModel(FrictionBox{}), ContactModel(CoulombCone{})}) {
    const auto parsed = parse_model(to_string(model));
    ASSERT_TRUE(parsed.has_value()) << to_string(model);
    EXPECT_EQ(parsed.value(), model) << to_string(model);
  }
}

// The names of the command line.
TEST(Model, HasTheDocumentedNames) {
  EXPECT_EQ(to_string(Frictionless{}), "frictionless");
  EXPECT_EQ(to_string(NoSlip{}), "no-slip");
  EXPECT_EQ(to_string(Viscous{true}), "viscous");
  EXPECT_EQ(to_string(Viscous{false}), "viscous/explicit");
  EXPECT_EQ(to_string(Viscous{.impact = true}), "viscous/impact");
  EXPECT_EQ(to_string(CoulombPyramid{6}), "coulomb-pyramid:6");
  EXPECT_EQ(to_string(FrictionBox{}), "friction-box");
  EXPECT_EQ(to_string(CoulombCone{}), "cone");
}

// Without a number the pyramid has eight sides.
TEST(Model, PyramidHasEightSidesByDefault) {
  EXPECT_EQ(parse_model("coulomb-pyramid").value(), ContactModel(CoulombPyramid{8}));
  EXPECT_EQ(parse_model("coulomb-pyramid:6").value(), ContactModel(CoulombPyramid{6}));
}

// Numbers of sides that make no pyramid are refused with a remedy.
TEST(Model, RefusesPyramidsThatAreNone) {
  for (const char* name : {"coulomb-pyramid:5", "coulomb-pyramid:2", "coulomb-pyramid:0", "coulomb-pyramid:-8",
                           "coulomb-pyramid:", "coulomb-pyramid:eight", "coulomb-pyramid:8x", "coulomb-pyramid: 8",
                           "coulomb-pyramid:99999999999"}) {
    const auto parsed = parse_model(name);
    ASSERT_FALSE(parsed.has_value()) << name;
    EXPECT_NE(parsed.error().remedy.find("even number of sides >= 4"), std::string::npos) << name;
    EXPECT_EQ(parsed.error().where, std::string("model ") + name);
  }
}

// A user who mistypes a name needs the list of names.
TEST(Model, UnknownNameListsAllNames) {
  const auto parsed = parse_model("coulomb");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_NE(parsed.error().what.find("\"coulomb\""), std::string::npos);
  for (const char* name : {"frictionless", "no-slip", "viscous", "viscous/explicit", "viscous/impact",
                           "coulomb-pyramid", "friction-box", "cone"}) {
    EXPECT_NE(parsed.error().remedy.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace tribo
