#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

ContactProblem sphere(const Vector3d& velocity, Level level = Level::kVelocity) {
  SphereSettings settings;
  settings.velocity = velocity;
  ContactProblem problem = sphere_on_plane(settings);
  problem.level = level;
  return problem;
}

// u0 decides: 0.05 m/s upwards is less than gravity takes away in one step of 10 ms.
TEST(FindSeparating, LooksAtTheVelocityWithoutContacts) {
  EXPECT_EQ(find_separating(sphere({1.0, 0.0, 0.5})), (IndexList{0}));
  EXPECT_TRUE(find_separating(sphere({1.0, 0.0, 0.05})).empty());
  EXPECT_TRUE(find_separating(sphere({1.0, 0.0, -1.0})).empty());
}

// A body that is still apart may approach as it likes.
TEST(FindSeparating, NamesContactsThatAreApart) {
  ContactProblem problem = sphere({1.0, 0.0, -1.0});
  problem.contacts[0].gap = 2e-4;
  EXPECT_EQ(find_separating(problem), (IndexList{0}));
  problem.contacts[0].gap = 0.5e-4;
  EXPECT_TRUE(find_separating(problem).empty());
  EXPECT_EQ(find_separating(problem, {.gap = 1e-5}), (IndexList{0}));
  problem.contacts[0].gap = -1.0;
  EXPECT_TRUE(find_separating(problem).empty());
}

// Tolerances are speeds in m/s, and cannot be negative.
TEST(FindSeparating, TakesItsToleranceFromTheTest) {
  const ContactProblem problem = sphere({0.0, 0.0, 0.5});
  EXPECT_TRUE(find_separating(problem, {.speed = 1.0}).empty());
  EXPECT_THROW(static_cast<void>(find_separating(problem, {.speed = -1.0})), ContractError);
}

// Accelerations cannot stop an impact, and a contact that opens is none.
TEST(AccelerationLevel, RefusesContactsThatMove) {
  const auto hits = check_acceleration_level(sphere({1.0, 0.0, -0.25}, Level::kAcceleration));
  ASSERT_FALSE(hits.has_value());
  EXPECT_EQ(hits.error().where, "contact 0");
  EXPECT_NE(hits.error().what.find("approaches at 0.25 m/s"), std::string::npos) << hits.error().what;
  EXPECT_NE(hits.error().remedy.find("resolve the impact at velocity level first"), std::string::npos);
  const auto opens = check_acceleration_level(sphere({1.0, 0.0, 0.25}, Level::kAcceleration));
  ASSERT_FALSE(opens.has_value());
  EXPECT_NE(opens.error().what.find("separates at 0.25 m/s"), std::string::npos) << opens.error().what;
  EXPECT_NE(opens.error().remedy.find("leave it out"), std::string::npos);
  EXPECT_TRUE(check_acceleration_level(sphere({1.0, 0.0, -0.25})));
}

// Rounding beside the speed of the body is no motion; a body at rest has none.
TEST(AccelerationLevel, TakesContactsThatLast) {
  EXPECT_TRUE(check_acceleration_level(sphere({1.0, 0.0, 0.0}, Level::kAcceleration)));
  EXPECT_TRUE(check_acceleration_level(sphere({1.0, 0.0, 1e-9}, Level::kAcceleration)));
  EXPECT_TRUE(check_acceleration_level(sphere({0.0, 0.0, 0.0}, Level::kAcceleration)));
  EXPECT_FALSE(check_acceleration_level(sphere({1.0, 0.0, 1e-5}, Level::kAcceleration)));
}

// The scale is that of the bodies at the contact: a fast one elsewhere is no excuse.
TEST(AccelerationLevel, JudgesEveryContactOnItsOwnScale) {
  ContactBuilder builder;
  builder.set_level(Level::kAcceleration);
  const Index slow = builder.add_body(1.0, sphere_inertia(1.0, 0.1), Vector3d::Zero());
  const Index fast = builder.add_body(1.0, sphere_inertia(1.0, 0.1), Vector3d::UnitY());
  builder.set_velocity(slow, (VectorXd(6) << 1e-3, 0.0, -1e-4, 0.0, 0.0, 0.0).finished());
  builder.set_velocity(fast, (VectorXd(6) << 1e3, 0.0, 0.0, 0.0, 0.0, 0.0).finished());
  builder.add_contact(slow, ContactBuilder::kWorld, Vector3d(0.0, 0.0, -0.1), Vector3d::UnitZ());
  EXPECT_FALSE(check_acceleration_level(builder.build()));
}

// Apart means no contact; an overlap may be what a_N is there to undo.
TEST(AccelerationLevel, RefusesGapsAndLetsOverlapsPass) {
  ContactProblem problem = sphere({1.0, 0.0, 0.0}, Level::kAcceleration);
  problem.contacts[0].gap = 1e-2;
  const auto apart = check_acceleration_level(problem);
  ASSERT_FALSE(apart.has_value());
  EXPECT_NE(apart.error().what.find("0.01 m apart"), std::string::npos) << apart.error().what;
  problem.contacts[0].gap = -1e-2;
  EXPECT_TRUE(check_acceleration_level(problem));
}

// A coefficient in kg like the others: finite and not negative, and the message names contact and unit.
TEST(ValidateContact, RefusesABadImpactDamping) {
  ContactProblem problem = sphere({1.0, 0.0, -1.0});
  problem.contacts[0].impact_damping = 3.0;
  EXPECT_TRUE(validate(problem));
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    problem.contacts[0].impact_damping = bad;
    const auto checked = validate(problem);
    ASSERT_FALSE(checked.has_value()) << bad;
    EXPECT_EQ(checked.error().where, "contact 0");
    EXPECT_NE(checked.error().what.find("impact_damping"), std::string::npos);
  }
  problem.contacts[0].impact_damping = -1.0;
  EXPECT_NE(validate(problem).error().remedy.find("kg"), std::string::npos);
}

}  // namespace
}  // namespace tribo
