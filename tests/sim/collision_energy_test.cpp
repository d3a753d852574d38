// Impacts: heights of a bouncing ball, momentum of free collisions, energy that contacts never add, Newton's cradle and
// Painlevé's rod.
#include "tribo/core/random.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kFall = 9.81;  // m/s²

Simulation make_bouncing_ball(double height, double restitution, double h) {
  ModelDescription d;
  testing::add_floor(d, 0.0);
  testing::add_sphere(d, 0.1, 1.0, 0.0, Vector3d(0.0, 0.0, 0.1 + height));
  return testing::make_simulation(d, {.step = h, .restitution = restitution});
}

double calc_ball_energy(const Simulation& sim) {
  const double v = sim.state().v(2);
  return 0.5 * v * v + kFall * (sim.state().q(2) - 0.1);
}

// Without loss ½ v² + g z stays, in the air and in bounces, wherever these lie in their steps.
TEST(Impact, BallWithoutLossKeepsItsEnergy) {
  for (const double h : {1e-3, 5e-3}) {
    Simulation sim = make_bouncing_ball(0.5, 1.0, h);
    const double start = kFall * 0.5;
    int bounces = 0;
    while (sim.time() < 6.5) {
      const bool falling = sim.state().v(2) < 0.0;
      ASSERT_EQ(sim.step().status, Status::kSolved);
      if (falling && sim.state().v(2) > 0.0) ++bounces;
      ASSERT_NEAR(calc_ball_energy(sim), start, 1e-10) << "h " << h << " t " << sim.time();
    }
    EXPECT_GE(bounces, 9);
  }
}

// Each bounce leaves e² of the energy, and so of the height, to rounding; also low ones, and at large steps.
TEST(Impact, BouncesReachTheirHeights) {
  for (const double e : {0.3, 0.5, 0.8}) {
    for (const double h : {1e-4, 1e-3, 5e-3}) {
      Simulation sim = make_bouncing_ball(0.8, e, h);
      double expected = kFall * 0.8;
      // Lower than three steps high, a flight may begin and end within a step or two, and is not seen here.
      while (expected > 4.5 * kFall * kFall * h * h && expected > 1e-3) {
        const bool falling = sim.state().v(2) < 0.0;
        ASSERT_EQ(sim.step().status, Status::kSolved);
        ASSERT_LT(sim.time(), 8.0);
        if (!falling || !(sim.state().v(2) > 0.0)) continue;
        expected *= e * e;
        EXPECT_NEAR(calc_ball_energy(sim), expected, 1e-10 * expected) << "e " << e << " h " << h;
      }
    }
  }
}

// Up against a ceiling, where the forces pull it off the surface again.
TEST(Impact, CeilingThrowsBackWithTheRestitution) {
  for (const double e : {0.5, 1.0}) {
    ModelDescription d;
    testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(1.0, 1.0, 0.1), -1}, 0.0, {.p = Vector3d(0.0, 0.0, 1.1)});
    testing::add_sphere(d, 0.1, 1.0, 0.0, Vector3d(0.0, 0.0, 0.3));
    Simulation sim = testing::make_simulation(d, {.step = 2e-3, .restitution = e});
    State state = sim.state();
    state.v(2) = 4.0;
    sim.set_state(state);
    const auto hit_energy = [&] {  // of the motion at the ceiling
      const double v = sim.state().v(2);
      return 0.5 * v * v + kFall * (sim.state().q(2) - 0.9);
    };
    const double before = hit_energy();
    while (sim.state().v(2) > 0.0) ASSERT_EQ(sim.step().status, Status::kSolved);
    EXPECT_GT(sim.state().q(2), 0.89);
    EXPECT_NEAR(hit_energy(), e * e * before, 1e-10);
  }
}

// The place after several bounces converges to that of the formula with the square of the step: when a ball hits, is what a straight
// way to the floor says.
TEST(Impact, BouncingConverges) {
  // From 0.5 m, e = 0.8: falls for t₀, then flights of 2 e t₀, 2 e² t₀.
  const double t0 = std::sqrt(2.0 * 0.5 / kFall), v0 = kFall * t0, e = 0.8, at = 1.0;
  double t = at - t0, v = e * v0;
  while (t > 2.0 * v / kFall) {
    t -= 2.0 * v / kFall;
    v *= e;
  }
  const double exact = v * t - 0.5 * kFall * t * t;
  for (const double h : {1e-3, 2.5e-4, 6.25e-5}) {
    Simulation sim = make_bouncing_ball(0.5, e, h);
    ASSERT_TRUE(sim.run(at));
    EXPECT_NEAR(sim.state().q(2) - 0.1, exact, 2.0 * h * h);
  }
}

struct Totals {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
};

// About the world's origin; bodies with one free joint each.
Totals calc_totals(const Simulation& sim) {
  Totals totals;
  const Model& model = sim.model();
  for (Index b = 1; b < model.nb(); ++b) {
    const Index q = model.q_start(b - 1), v = model.v_start(b - 1);
    const Vector3d p = model.bodies()[b].inertia.mass * sim.state().v.segment<3>(v);
    const Quaterniond turn(sim.state().q(q + 3), sim.state().q(q + 4), sim.state().q(q + 5), sim.state().q(q + 6));
    totals.linear += p;
    totals.angular += sim.state().q.segment<3>(q).cross(p) +
                      turn * (model.bodies()[b].inertia.inertia * sim.state().v.segment<3>(v + 3));
  }
  return totals;
}

// Spheres of unequal mass fly into one another with friction: linear and angular momentum stay to rounding, energy never
// grows, and it does fall where restitution or friction takes some.
TEST(Impact, FreeCollisionsKeepMomentumAndAddNoEnergy) {
  for (const double e : {0.0, 0.6, 1.0}) {
    Random random(7);
    ModelDescription d;
    d.gravity.setZero();
    const auto any = [&](double most) {
      return Vector3d(random.uniform(-most, most), random.uniform(-most, most), random.uniform(-most, most));
    };
    for (int i = 0; i < 8; ++i) {
      const Vector3d corner((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5);
      testing::add_sphere(d, 0.15, 0.5 + i, 0.4, corner + any(0.05));
    }
    Simulation sim = testing::make_simulation(d, {.step = 2e-3, .restitution = e});
    State state = sim.state();
    for (Index i = 0; i < 8; ++i) {
      state.v.segment<3>(6 * i) = -3.0 * state.q.segment<3>(7 * i) + any(0.5);
      state.v.segment<3>(6 * i + 3) = any(5.0);
    }
    sim.set_state(state);
    const Totals start = calc_totals(sim);
    const double first = sim.calc_energy();
    double energy = first;
    Index touching = 0;
    double moved = 0.0;  // N·m·s at most: a correction takes momentum to another place
    for (int n = 0; n < 400; ++n) {
      ASSERT_EQ(sim.step().status, Status::kSolved);
      moved += sim.report().correction * 8.0 * 8.0 * 5.0;  // bodies, of 8 kg and 5 m/s at most
      for (const ContactRecord& contact : sim.contacts()) touching += contact.impulse(2) > 0.0 ? 1 : 0;
      const double now = sim.calc_energy();
      ASSERT_LE(now, energy * (1.0 + 1e-9)) << "e " << e << " step " << n;
      energy = now;
    }
    const Totals end = calc_totals(sim);
    EXPECT_GE(touching, 4);
    EXPECT_LT(energy, 0.99 * first);
    EXPECT_LT((end.linear - start.linear).norm(), 1e-10) << e;
    EXPECT_LT((end.angular - start.angular).norm(), 1e-10 + moved) << e;
    EXPECT_LT(moved, 1e-2);
  }
}

// All kinds of shapes fall on one another in a bin. Normal impulses take energy; what sticks to a body that turns may give some, to
// the order of h², since its tangents turn within the step. All that is gained, with what corrections of positions lift, stays below
// 1e-4 of what the shapes fall with.
TEST(Impact, MixedShapesGainNoEnergy) {
  for (const double e : {0.0, 0.5}) {
    Random random(3);
    ModelDescription d;
    testing::add_floor(d, 0.5);
    const Vector3d wall(0.02, 0.5, 0.3);
    for (const double side : {-1.0, 1.0}) {
      testing::add_geom(d, 0, {ShapeType::kBox, wall, -1}, 0.2, {.p = Vector3d(0.32 * side, 0.0, 0.3)});
      testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(0.3, 0.02, 0.3), -1}, 0.2,
                        {.p = Vector3d(0.0, 0.32 * side, 0.3)});
    }
    const std::vector<Shape> shapes = {{ShapeType::kBox, Vector3d(0.06, 0.05, 0.04), -1},
                                       {ShapeType::kSphere, Vector3d(0.05, 0.0, 0.0), -1},
                                       {ShapeType::kCapsule, Vector3d(0.03, 0.05, 0.0), -1},
                                       {ShapeType::kCylinder, Vector3d(0.05, 0.04, 0.0), -1},
                                       {ShapeType::kEllipsoid, Vector3d(0.06, 0.05, 0.03), -1}};
    for (int i = 0; i < 15; ++i) {
      const Eigen::Vector4d turn(random.normal(), random.normal(), random.normal(), random.normal());
      const Vector3d at(0.2 * (i % 3) - 0.2, 0.2 * (i / 3 % 3) - 0.2, 0.15 + 0.2 * (i / 9) + 0.02 * (i % 2));
      const Quaterniond q = Quaterniond(turn(0), turn(1), turn(2), turn(3)).normalized();
      const Index body = testing::add_free_body(
          d, {0.5 + 0.2 * i, Vector3d::Zero(), (0.5 + 0.2 * i) * 1e-3 * Matrix3d::Identity()}, {.p = at, .q = q});
      testing::add_geom(d, body, shapes[static_cast<std::size_t>(i) % shapes.size()], 0.3);
    }
    Simulation sim = testing::make_simulation(d, {.step = 2e-3, .restitution = e});
    double energy = sim.calc_energy(), overlap = 0.0, gained = 0.0;
    const double first = energy;
    int failed = 0;
    for (int n = 0; n < 500; ++n) {
      const StepReport& report = sim.step();
      failed += report.status == Status::kSolved ? 0 : 1;
      overlap = std::max(overlap, report.overlap);
      const double now = sim.calc_energy();
      gained += std::max(0.0, now - energy);
      energy = now;
    }
    EXPECT_EQ(failed, 0);
    EXPECT_LT(overlap, 1e-3);
    EXPECT_LT(energy, 0.8 * first);
    EXPECT_LT(gained, 1e-4 * first) << e;
  }
}

// Five balls, restitution 1: the last one swings as high as the first one did, and nothing is gained.
TEST(Impact, CradleHandsItsSwingOn) {
  Simulation sim = testing::make_scene("cradle", {.step = 5e-5, .restitution = 1.0});
  const double start = sim.calc_energy(), rest = start - 0.263 * 9.81 * 0.2 * (1.0 - std::cos(0.5));
  double highest = 0.0, inner = 0.0, worst = 0.0;
  for (int n = 0; n < 10000; ++n) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    worst = std::max(worst, (sim.calc_energy() - start) / (start - rest));
    if (sim.time() < 0.27) continue;
    highest = std::max(highest, -sim.state().q(4));
    inner = std::max(inner, sim.state().q.segment<3>(1).cwiseAbs().maxCoeff());
  }
  EXPECT_NEAR(highest, 0.5, 0.01);
  EXPECT_LT(inner, 0.02);
  EXPECT_LT(worst, 1e-3);
}

// Painlevé's rod: no finite force, so an impulse that does not vanish with the step stops the end. Its values are in the file.
TEST(Impact, PainleveRodIsStoppedByAnImpulse) {
  double last = 1.0;
  for (const double h : {1e-4, 1e-5}) {
    Simulation sim = testing::make_scene("painleve_rod", {.step = h});
    double energy = sim.calc_energy();
    const StepReport& first = sim.step();
    ASSERT_EQ(first.status, Status::kSolved) << first.detail;
    EXPECT_LT(first.worst, 1e-8);
    Vector3d total = Vector3d::Zero();
    for (const ContactRecord& contact : sim.contacts()) total += contact.frame * contact.impulse;
    const double error = std::max(std::abs(std::abs(total.x()) - 0.86748), std::abs(std::abs(total.z()) - 0.64640));
    EXPECT_LT(error, 30.0 * h + 1e-5);
    EXPECT_LT(error, last);
    EXPECT_NEAR(std::abs(sim.state().v(2)), 2.5856, 100.0 * h + 1e-4);
    last = error;
    for (int n = 0; n < 1000; ++n) {
      ASSERT_EQ(sim.step().status, Status::kSolved);
      const double now = sim.calc_energy();
      ASSERT_LE(now, energy + 4.0 * h * h);  // the end turns about a point that sticks: second order
      energy = now;
    }
  }
}

}  // namespace
}  // namespace tribo
