// Friction: sliding, holding, rolling and being carried, at the values of the time-stepping method or of statics.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kWeight = 9.81;  // N of 1 kg
constexpr double kSlope = 20.0 * std::numbers::pi / 180.0;

// The way along the slope since `start`.
double calc_way(const Simulation& sim, const VectorXd& start) {
  return (sim.state().q - start).head<3>().dot(Vector3d(std::cos(kSlope), 0.0, -std::sin(kSlope)));
}

double calc_lift(const Simulation& sim, const VectorXd& start) {
  return (sim.state().q - start).head<3>().dot(Vector3d(std::sin(kSlope), 0.0, std::cos(kSlope)));
}

// With mu < tan 20° the box slides: x = ½ t² g (sin − mu cos) to 1e-9, and it neither
// lifts nor turns. All models with Coulomb's law along a straight way must agree.
TEST(Sliding, BoxSlidesDownASlope) {
  const double a = kWeight * (std::sin(kSlope) - 0.2 * std::cos(kSlope));
  for (const ContactModel& law : {ContactModel(CoulombCone{}), ContactModel(CoulombPyramid{4})}) {
    Simulation sim =
        testing::make_scene("incline", {.model = law}, [](ModelDescription& d) { testing::set_friction(d, 0.2); });
    const VectorXd start = sim.state().q;
    for (int n = 1; n <= 1000; ++n) {
      ASSERT_EQ(sim.step().status, Status::kSolved);
      ASSERT_NEAR(calc_way(sim, start), 0.5e-6 * n * n * a, 1e-9) << to_string(law) << " step " << n;
    }
    EXPECT_NEAR(calc_lift(sim, start), 0.0, 1e-9);
    EXPECT_LT((sim.state().q - start).tail<4>().norm(), 1e-9);
  }
}

// The box is held just above tan 20° = 0.36397 and slides just below it.
TEST(Sliding, SlopeHoldsAtTheFrictionOfStatics) {
  for (const double margin : {-1e-4, 1e-4}) {
    const double mu = std::tan(kSlope) + margin;
    Simulation sim = testing::make_scene("incline", {}, [&](ModelDescription& d) { testing::set_friction(d, mu); });
    const VectorXd start = sim.state().q;
    ASSERT_TRUE(sim.run(1.0));
    const double way = 0.5e-6 * 1000.0 * 1000.0 * kWeight * std::max(0.0, -margin * std::cos(kSlope));
    EXPECT_NEAR(calc_way(sim, start), way, 1e-9);
  }
}

// The four corners share the load as the symmetry of the box asks: both lower ones alike, both upper ones alike, and the sums
// are those of statics (force and moment balance). The split is one choice of many; the solver's regularization of redundant
// contacts, 1e-9, leaves it symmetric to 1e-7.
TEST(Sliding, ForcesOnASlopeAreSymmetric) {
  Simulation sim = testing::make_scene("incline");
  for (int n = 0; n < 200; ++n) ASSERT_EQ(sim.step().status, Status::kSolved);
  ASSERT_EQ(sim.contacts().size(), 4U);
  std::vector<double> lower, upper;
  Vector3d total = Vector3d::Zero();
  for (const ContactRecord& contact : sim.contacts()) {
    const double sign = contact.shape_b == 0 ? 1.0 : -1.0;  // normal from b to a
    const Vector3d force = sign * (contact.frame * contact.impulse) / sim.h();
    total += force;
    const double along =
        (contact.point - sim.state().q.head<3>()).dot(Vector3d(std::cos(kSlope), 0.0, -std::sin(kSlope)));
    (along > 0.0 ? lower : upper).push_back(contact.impulse(2) / sim.h());
  }
  ASSERT_EQ(lower.size(), 2U);
  ASSERT_EQ(upper.size(), 2U);
  EXPECT_NEAR(lower[0], lower[1], 1e-6);
  EXPECT_NEAR(upper[0], upper[1], 1e-6);
  const double normal = kWeight * std::cos(kSlope), friction = kWeight * std::sin(kSlope);
  EXPECT_NEAR(lower[0] + lower[1], 0.5 * (normal + friction * 0.05 / 0.1), 1e-8);
  EXPECT_NEAR(upper[0] + upper[1], 0.5 * (normal - friction * 0.05 / 0.1), 1e-8);
  EXPECT_LT((total - Vector3d(0.0, 0.0, kWeight)).norm(), 1e-8);
}

Simulation make_sphere_on_slope(double mu, double slope, const SimulationOptions& options) {
  ModelDescription d;
  testing::add_floor(d, mu, slope);
  testing::add_sphere(d, 0.1, 1.0, mu, 0.1 * Vector3d(std::sin(slope), 0.0, std::cos(slope)));
  return testing::make_simulation(d, options);
}

// A solid sphere rolls down with 5/7 g sin α where mu > 2/7 tan α, and r ω is its speed at every step.
TEST(Sliding, SphereRollsDownASlope) {
  Simulation sim = make_sphere_on_slope(0.2, kSlope, {.step = 1e-3});
  const VectorXd start = sim.state().q;
  const double a = 5.0 / 7.0 * kWeight * std::sin(kSlope);
  for (int n = 1; n <= 1000; ++n) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    ASSERT_NEAR(calc_way(sim, start), 0.5e-6 * n * n * a, 1e-9);
    ASSERT_NEAR(sim.state().v.head<3>().norm(), 0.1 * sim.state().v.tail<3>().norm(), 1e-9);
  }
}

// With less friction it slips and turns: a = g (sin α − mu cos α), α̈ = 5/2 mu g cos α / r.
TEST(Sliding, SphereSlipsWhereFrictionIsTooSmall) {
  Simulation sim = make_sphere_on_slope(0.05, kSlope, {.step = 1e-3});
  const VectorXd start = sim.state().q;
  ASSERT_TRUE(sim.run(1.0));
  const double a = kWeight * (std::sin(kSlope) - 0.05 * std::cos(kSlope));
  EXPECT_NEAR(calc_way(sim, start), 0.5e-6 * 1000.0 * 1000.0 * a, 1e-8);
  EXPECT_NEAR(sim.state().v.tail<3>().norm(), 2.5 * 0.05 * kWeight * std::cos(kSlope) / 0.1, 1e-8);
}

// A sliding sphere ends by rolling with 5/7 of its speed: angular momentum about the touching point stays, whatever mu is.
// Until then it is braked by mu g, for 2 v₀ / (7 mu g).
TEST(Sliding, SlidingSphereEndsByRollingWithFiveSevenths) {
  for (const double mu : {0.1, 0.6}) {
    Simulation sim = make_sphere_on_slope(mu, 0.0, {.step = 1e-3});
    State state = sim.state();
    state.v(0) = 2.0;
    sim.set_state(state);
    const double until = 2.0 * 2.0 / (7.0 * mu * kWeight);
    while (sim.time() < 0.9 * until) ASSERT_EQ(sim.step().status, Status::kSolved);
    EXPECT_NEAR(sim.state().v(0), 2.0 - mu * kWeight * sim.time(), 1e-9);
    while (sim.time() < until + 0.2) ASSERT_EQ(sim.step().status, Status::kSolved);
    EXPECT_NEAR(sim.state().v(0), 2.0 * 5.0 / 7.0, 1e-9);
    EXPECT_NEAR(sim.state().v(4), 2.0 * 5.0 / 7.0 / 0.1, 1e-8);
    EXPECT_NEAR(sim.state().q(2), 0.1, 2e-8);
  }
}

// A box thrown along the floor comes to rest after v₀²/(2 mu g). Only the last step, in which it stops, is not exact: by mu g h²/8 at
// most.
TEST(Sliding, BrakingDistanceIsThatOfCoulomb) {
  ModelDescription d;
  testing::add_floor(d, 0.3);
  testing::add_box(d, Vector3d(0.1, 0.1, 0.02), 2.0, 0.3, {.p = Vector3d(0.0, 0.0, 0.02)});
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    Simulation sim = testing::make_simulation(d, {.step = h});
    State state = sim.state();
    state.v(0) = 1.7;
    sim.set_state(state);
    ASSERT_TRUE(sim.run(0.8));
    EXPECT_NEAR(sim.state().q(0), 1.7 * 1.7 / (2.0 * 0.3 * kWeight), 0.3 * kWeight * h * h / 8.0 + 1e-12);
    EXPECT_LT(sim.state().v.norm(), 1e-9);
  }
}

// A plate moved by hand, 1 m × 1 m × 0.1 m with its top at z = 0, and a box of 1 kg on it.
Simulation make_box_on_plate(double mu, const Vector3d& at, const Vector3d& velocity, const Vector3d& turning,
                             double h) {
  ModelDescription d;
  Body plate;
  plate.name = "plate";
  plate.kinematic = true;
  plate.pose.p = Vector3d(0.0, 0.0, -0.05);
  d.bodies.push_back(plate);
  testing::add_geom(d, 1, {ShapeType::kBox, Vector3d(0.5, 0.5, 0.05), -1}, mu);
  testing::add_box(d, Vector3d(0.05, 0.05, 0.02), 1.0, mu, {.p = at});
  Simulation sim = testing::make_simulation(d, {.step = h});
  State state = sim.state();
  state.kinematic[0].velocity = velocity;
  state.kinematic[0].angular_velocity = turning;
  sim.set_state(state);
  return sim;
}

// What lies on a plate is dragged along by mu g until it moves as the plate does: it stays behind by v²/(2 mu g), no more.
TEST(Sliding, PlateTakesAlongWhatLiesOnIt) {
  Simulation sim = make_box_on_plate(0.4, Vector3d(0.0, 0.0, 0.02), Vector3d(0.5, 0.0, 0.0), Vector3d::Zero(), 1e-3);
  for (int n = 1; n <= 120; ++n) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    ASSERT_NEAR(sim.state().v(0), 1e-3 * n * 0.4 * kWeight, 1e-9);
  }
  ASSERT_TRUE(sim.run(0.5));
  EXPECT_NEAR(sim.state().v(0), 0.5, 1e-9);
  const double behind = sim.state().kinematic[0].pose.p.x() - sim.state().q(0);
  EXPECT_NEAR(behind, 0.25 / (2.0 * 0.4 * kWeight), 0.5 * 1e-3);
  ASSERT_TRUE(sim.run(0.5));
  EXPECT_NEAR(sim.state().kinematic[0].pose.p.x() - sim.state().q(0), behind, 1e-9);
}

// A lift takes its load up and down at its own speed, without play.
TEST(Sliding, LiftCarriesItsLoad) {
  for (const double speed : {0.3, -0.3}) {
    Simulation sim =
        make_box_on_plate(0.4, Vector3d(0.1, 0.0, 0.02), Vector3d(0.0, 0.0, speed), Vector3d::Zero(), 1e-3);
    ASSERT_TRUE(sim.run(0.5));
    EXPECT_NEAR(sim.state().v(2), speed, 1e-9) << speed;
    EXPECT_NEAR(sim.state().q(2) - sim.state().kinematic[0].pose.p.z(), 0.07, 1e-5) << speed;
    EXPECT_NEAR(sim.state().q(0), 0.1, 1e-9) << speed;
  }
}

// On a turntable mu g > ω² r holds the box: it goes around with the table. Its way of a step is straight, so its distance
// grows by ½ h ω² r a second, and no faster.
TEST(Sliding, TurntableTakesItsLoadAround) {
  Simulation sim = make_box_on_plate(0.4, Vector3d(0.3, 0.0, 0.02), Vector3d::Zero(), Vector3d(0.0, 0.0, 1.5), 1e-3);
  State state = sim.state();
  state.v(1) = 0.45;
  state.v(5) = 1.5;
  sim.set_state(state);
  ASSERT_TRUE(sim.run(1.0));
  const Vector3d p = sim.state().q.head<3>();
  EXPECT_NEAR(std::hypot(p.x(), p.y()), 0.3, 1.1 * 0.5e-3 * 2.25 * 0.3);
  EXPECT_NEAR(std::atan2(p.y(), p.x()), 1.5, 1e-3);
  EXPECT_NEAR(sim.state().v(5), 1.5, 1e-9);
}

}  // namespace
}  // namespace tribo
