// MJCF's margin and gap: contacts are listed from the margin on and carry load from margin − gap on.
#include <algorithm>
#include <cmath>

#include "sim/mjcf_world.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::make_world;

std::string cube(const std::string& of_floor, const std::string& of_cube, const std::string& pair, double height) {
  return "<worldbody><geom name='floor' type='plane' size='0 0 1' " + of_floor + "/><body pos='0 0 " +
         std::to_string(height) + "'><freejoint/><geom name='cube' type='box' size='0.1 0.1 0.1' " + of_cube +
         "/></body></worldbody>" + pair;
}

double rest(Simulation& sim) {
  EXPECT_TRUE(sim.run(1.0));
  EXPECT_LT(sim.state().v.norm(), 1e-9);
  return sim.state().q(2) - 0.1;
}

// The larger margin and the larger gap of both geoms count; a pair has its own.
TEST(RestDistance, IsMarginLessGap) {
  const auto rests_at = [](const std::string& of_floor, const std::string& of_cube, const std::string& pair = "") {
    Simulation sim = make_world(cube(of_floor, of_cube, pair, 0.15));
    return rest(sim);
  };
  EXPECT_NEAR(rests_at("", ""), 0.0, 1e-7);
  EXPECT_NEAR(rests_at("margin='0.02'", ""), 0.02, 1e-7);
  EXPECT_NEAR(rests_at("margin='0.01'", "margin='0.02' gap='0.015'"), 0.005, 1e-7);
  EXPECT_NEAR(rests_at("margin='0.01'", "margin='0.01' gap='0.01'"), 0.0, 1e-7);
  EXPECT_NEAR(
      rests_at("margin='0.02'", "", "<contact><pair geom1='floor' geom2='cube' margin='0.03' gap='0.02'/></contact>"),
      0.01, 1e-7);
}

// What lies closer than that is moved apart, without kinetic energy; the floor carries the weight all the time.
TEST(RestDistance, IsKeptFromInside) {
  Simulation sim = make_world(cube("margin='0.01'", "", "", 0.1));
  double fastest = 0.0;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(is_solved(sim.step().status));
    fastest = std::max(fastest, sim.state().v.norm());
  }
  EXPECT_NEAR(sim.state().q(2), 0.11, 2e-5);
  EXPECT_LT(fastest, 1e-6);
}

// A contact between margin − gap and margin is listed, open and without load.
TEST(RestDistance, ContactsAreListedFromTheMarginOn) {
  Simulation sim = make_world("<option gravity='0 0 0'/>" + cube("margin='0.03' gap='0.02'", "", "", 0.125));
  sim.step();
  ASSERT_EQ(sim.contacts().size(), 4u);
  for (const ContactRecord& contact : sim.contacts()) {
    EXPECT_NEAR(contact.gap, 0.015, 1e-12);  // beyond the distance at which they rest
    EXPECT_EQ(contact.impulse.norm(), 0.0);
  }
}

// Fast bodies are stopped there as well, not at the surface.
TEST(RestDistance, StopsFastBodies) {
  Simulation sim = make_world(cube("margin='0.02'", "", "", 1.0));
  State state = sim.state();
  state.v(2) = -200.0;
  sim.set_state(state);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(is_solved(sim.step().status));
    EXPECT_GT(sim.state().q(2), 0.12 - 1e-4) << k;
  }
}

}  // namespace
}  // namespace tribo
