#include "tribo/problem/contact_law.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// The tangent is the derivative of the force, for every law: a wrong one would make the step a different spring.
TEST(ForceLaw, SlopesAreDerivatives) {
  const ForceLaw table = ForceLaw::table({0.0, 1e-3, 3e-3}, {0.0, 10.0, 50.0}).value();
  for (const ForceLaw& law : {ForceLaw::linear(1e5), ForceLaw::power(3e6, 1.3), ForceLaw::hertz(1e9, 0.02),
                              ForceLaw::punch(1e9, 0.01), ForceLaw::foundation(1e7, 0.01, 0.5), table}) {
    for (const double depth : {2e-4, 2.2e-3, 7e-3}) {
      const double step = 1e-7 * depth;
      const double difference = (law.at(depth + step).force - law.at(depth - step).force) / (2.0 * step);
      EXPECT_NEAR(law.at(depth).slope, difference, 1e-5 * difference);
      EXPECT_NEAR(law.depth_of(law.at(depth).force), depth, 1e-12);
    }
    EXPECT_EQ(law.at(0.0).force, 0.0);
    EXPECT_EQ(law.at(-1.0).slope, 0.0);
  }
}

// Spec erratum 13: 2.37 N on the printed law sink 3.8e-7 m, and 3.2e-7 m with the 4/3 that belongs there.
TEST(ForceLaw, HertzHasItsFourThirds) {
  const double printed = 1e10;  // K of F = K d^{3/2}
  EXPECT_NEAR(ForceLaw::power(printed, 1.5).depth_of(2.3665), 3.83e-7, 0.01e-7);
  EXPECT_NEAR(ForceLaw::power(4.0 / 3.0 * printed, 1.5).depth_of(2.3665), 3.16e-7, 0.01e-7);
  EXPECT_NEAR(ForceLaw::hertz(1e11, 0.01).at(1e-6).force, 4.0 / 3.0 * 1e11 * 0.1 * 1e-9, 1e-12);
}

// A row has the law's force at the depth where it was taken, so that what rests stays where it is.
TEST(ForceLaw, RowsCarryTheForceOfTheLaw) {
  const ForceLaw law = ForceLaw::hertz(1e9, 0.05);
  const LawRow deep = linearize(law, -1e-4, 1e-6, 1e-3, 2.0);
  EXPECT_NEAR(-deep.K * deep.phi, law.at(1e-4).force, 1e-12 * law.at(1e-4).force);
  EXPECT_DOUBLE_EQ(deep.B, 1e-3 * deep.K + 2.0 * law.at(1e-4).force);
  const LawRow open = linearize(law, 1e-3, 1e-6, 1e-3, 2.0);
  EXPECT_EQ(open.phi, 1e-3);
  EXPECT_EQ(open.B, 0.0);  // no damper acts across a gap
  EXPECT_DOUBLE_EQ(open.K, law.at(1e-6).slope);
}

// A law that weakens with depth has no unique tangent problem: refused, as are tables that make no sense.
TEST(ForceLaw, RefusesTablesThatAreNotConvex) {
  EXPECT_FALSE(ForceLaw::table({0.0, 1.0, 2.0}, {0.0, 2.0, 3.0}).has_value());
  EXPECT_FALSE(ForceLaw::table({0.0, 1.0}, {0.0}).has_value());
  EXPECT_FALSE(ForceLaw::table({0.1, 1.0}, {0.0, 1.0}).has_value());
  EXPECT_FALSE(ForceLaw::table({0.0, 0.0}, {0.0, 1.0}).has_value());
  EXPECT_FALSE(ForceLaw::table({0.0, std::nan("")}, {0.0, 1.0}).has_value());
}

// Handbook values, in SI: within the ranges that handbooks give, and named as people name them.
TEST(Materials, AreKnownByName) {
  const Material steel = find_material("steel").value();
  EXPECT_NEAR(steel.young, 2.05e11, 0.1e11);
  EXPECT_NEAR(calc_effective_modulus(steel, steel), 0.5 * steel.young / (1.0 - 0.09), 1.0);
  for (const Material& material : materials()) {
    EXPECT_GT(material.young, 1e5) << material.name;
    EXPECT_LT(material.young, 1e12) << material.name;
    EXPECT_GE(material.poisson, 0.0) << material.name;
    EXPECT_LT(material.poisson, 0.5) << material.name;
    EXPECT_GT(material.relaxation, 0.0) << material.name;
  }
  const auto unknown = find_material("cheese");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().text().find("rubber"), std::string::npos);
}

}  // namespace
}  // namespace tribo
