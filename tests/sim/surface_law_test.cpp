// Numbers that geoms and pairs have of their own: viscous friction, restitution, stiffness, damping.
#include <limits>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kBallWeight = 9.81;  // N, of the ball

// A ball of 1 kg and radius 0.1 m at this height over a floor; geoms 0 (floor) and 1 (ball).
ModelDescription make_ball_on_floor(double height = 0.1) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  testing::add_sphere(d, 0.1, 1.0, 0.5, Vector3d(0.0, 0.0, height));
  return d;
}

ContactPair make_pair(const SurfaceLaw& law) {
  ContactPair pair;
  pair.geom_a = 1;
  pair.geom_b = 0;
  pair.surface = law;
  return pair;
}

double find_sinking(const ModelDescription& d) {
  Simulation sim = testing::make_simulation(d, {.step = 1e-2, .compliant = true});
  for (int k = 0; k < 300; ++k) EXPECT_EQ(sim.step().status, Status::kSolved);
  return 0.1 - sim.state().q(2);
}

// At rest a spring is pressed by weight over stiffness: that of one geom, of both in series, of the one with priority, of the pair.
TEST(SurfaceLaw, StiffnessIsThatOfTheSpringsInSeries) {
  ModelDescription d = make_ball_on_floor();
  d.geoms[1].surface.stiffness = 3e4;
  EXPECT_NEAR(find_sinking(d), kBallWeight / 3e4, 1e-9);
  d.geoms[0].surface.stiffness = 6e4;
  EXPECT_NEAR(find_sinking(d), kBallWeight / 2e4, 1e-9);
  d.geoms[0].priority = 1;
  EXPECT_NEAR(find_sinking(d), kBallWeight / 6e4, 1e-9);
  d.pairs.push_back(make_pair({.stiffness = 1e4}));
  EXPECT_NEAR(find_sinking(d), kBallWeight / 1e4, 1e-9);
  d.pairs.back() = make_pair({.restitution = 0.5});  // says nothing of stiffness
  EXPECT_NEAR(find_sinking(d), kBallWeight / 6e4, 1e-9);
}

// One step from an overlap d at rest, implicit: (m + h B + h² K) v⁺ = h (K d − m g), dampers in series as springs are.
TEST(SurfaceLaw, DampingIsThatOfTheDampersInSeries) {
  const double h = 1e-3, depth = 1e-3, K = 4e4;
  const auto expect = [&](const ModelDescription& d, double B) {
    Simulation sim = testing::make_simulation(d, {.step = h, .compliant = true});
    ASSERT_EQ(sim.step().status, Status::kSolved);
    EXPECT_NEAR(sim.state().v(2), h * (K * depth - kBallWeight) / (1.0 + h * B + h * h * K), 1e-9) << B;
  };
  ModelDescription d = make_ball_on_floor(0.1 - depth);
  d.geoms[1].surface = {.stiffness = K, .damping = 300.0};
  expect(d, 300.0);
  d.geoms[0].surface.damping = 600.0;
  expect(d, 200.0);
  d.geoms[0].surface.damping = 0.0;
  expect(d, 0.0);
  d.geoms[0].surface.damping.reset();
  d.geoms[1].surface.damping.reset();
  expect(d, 1e-6 * K);  // steel's relaxation time
}

// A box that slides on its four corners is slowed by m (v⁺ − v) = −4 h mu_v v⁺, with the larger mu_v of the two.
TEST(SurfaceLaw, ViscousFrictionSlowsASlidingBox) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  testing::add_box(d, Vector3d(0.2, 0.2, 0.05), 2.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.05)});
  const auto slide = [](const ModelDescription& world) {
    Simulation sim = testing::make_simulation(world, {.model = Viscous{}, .step = 1e-2});
    State start = sim.state();
    start.v(0) = 1.0;
    sim.set_state(start);
    for (int k = 0; k < 10; ++k) EXPECT_EQ(sim.step().status, Status::kSolved) << sim.report().detail;
    return sim.state().v(0);
  };
  EXPECT_NEAR(slide(d), 1.0, 1e-9);  // nobody says anything
  d.geoms[0].surface.mu_v = 0.5;
  d.geoms[1].surface.mu_v = 1.5;
  EXPECT_NEAR(slide(d), std::pow(1.0 / (1.0 + 4.0 * 1e-2 * 1.5 / 2.0), 10.0), 1e-9);
  d.pairs.push_back(make_pair({.mu_v = 3.0}));
  EXPECT_NEAR(slide(d), std::pow(1.0 / (1.0 + 4.0 * 1e-2 * 3.0 / 2.0), 10.0), 1e-9);
  d.geoms[0].condim = d.geoms[1].condim = d.pairs[0].condim = 1;
  EXPECT_NEAR(slide(d), 1.0, 1e-9);  // without friction of any kind
}

// A restitution that is given counts before that of solref, which would be the mean of two damping ratios, and before the option.
TEST(SurfaceLaw, RestitutionThatIsGivenCountsFirst) {
  ModelDescription d = make_ball_on_floor(0.2);
  d.gravity.setZero();
  const auto bounce = [](const ModelDescription& world) {
    Simulation sim = testing::make_simulation(world, {.step = 1e-2, .restitution = 0.1});
    State start = sim.state();
    start.v(2) = -2.0;
    sim.set_state(start);
    for (int k = 0; k < 10; ++k) EXPECT_EQ(sim.step().status, Status::kSolved);
    return sim.state().v(2) / 2.0;
  };
  EXPECT_NEAR(bounce(d), 0.1, 1e-9);
  d.geoms[0].solref = d.geoms[1].solref = {0.02, 0.1};
  d.geoms[1].surface.restitution = 0.8;
  EXPECT_NEAR(bounce(d), 0.8, 1e-9);
  d.geoms[0].surface.restitution = 0.4;
  EXPECT_NEAR(bounce(d), 0.6, 1e-9);
  d.pairs.push_back(make_pair({.restitution = 0.0}));
  EXPECT_NEAR(bounce(d), 0.0, 1e-9);
}

// Numbers that no contact can have are refused when the model is made, of geoms and of pairs.
TEST(SurfaceLaw, RefusesNumbersOutOfRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SurfaceLaw& law :
       {SurfaceLaw{.mu_v = -1.0}, SurfaceLaw{.mu_v = nan}, SurfaceLaw{.restitution = 1.01},
        SurfaceLaw{.restitution = nan}, SurfaceLaw{.stiffness = 0.0}, SurfaceLaw{.stiffness = 1e21},
        SurfaceLaw{.damping = -1.0}, SurfaceLaw{.damping = kUnlimited}}) {
    ModelDescription d = make_ball_on_floor();
    d.geoms[1].surface = law;
    EXPECT_FALSE(Model::make(d));
    d.geoms[1].surface = {};
    d.pairs.push_back(make_pair(law));
    EXPECT_FALSE(Model::make(d));
  }
}

}  // namespace
}  // namespace tribo
