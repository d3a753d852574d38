// Compliant scenes at random, through the simulator: balls, boxes and chains on a floor, h = 1e-5 … 0.1 s, stiffness 1e3 … 1e13 N/m,
// damping 0 … 1e6 N·s/m, masses 1e-3 … 1e3 kg. TRIBO_FUZZ=N makes N scenes instead of the few of every run.
#include "tribo/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kBallRadius = 0.1;                           // m
constexpr double kMindlin = 2.0 * (1.0 - 0.3) / (2.0 - 0.3);  // tangential over normal stiffness of steel
constexpr int kStepsOfAScene = 20;

int count_random_scenes(int usual) {
  const char* asked = std::getenv("TRIBO_FUZZ");
  return asked != nullptr ? std::max(1, std::atoi(asked)) : usual;
}

double random_power(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

Vector3d random_place(Random& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}

// Springs of the last geom alone: the floor says nothing.
void soften_last(ModelDescription& d, Random& random) {
  SurfaceLaw& surface = d.geoms.back().surface;
  surface.stiffness = random_power(random, 1e3, 1e13);
  surface.damping = random.chance(0.5) ? 0.0 : random_power(random, 1.0, 1e6);
}

// A little into the floor, or a little above it.
double random_height(Random& random, double half) {
  return half + random.uniform(-1.0, 1.0) * random_power(random, 1e-9, 1e-3);
}

void give_speeds(Simulation& sim, Random& random) {
  State state = sim.state();
  for (Index i = 0; i < state.v.size(); ++i) state.v(i) = random.uniform(-1.0, 1.0) * random_power(random, 1e-3, 1.0);
  sim.set_state(state);
}

// Boxes, balls and a chain of two by a hinge or a ball joint; some bodies stand on one another.
ModelDescription make_random_scene(Random& random) {
  ModelDescription d;
  testing::add_floor(d, random.uniform(0.0, 1.0), random.chance(0.3) ? random.uniform(0.0, 0.5) : 0.0);
  const auto bodies = random.integer(1, 5);
  for (std::int64_t k = 0; k < bodies; ++k) {
    const double mass = random_power(random, 1e-3, 1e3), mu = random.uniform(0.0, 1.2);
    const bool on_top = k > 0 && random.chance(0.4);
    const double x = 0.4 * static_cast<double>(on_top ? k - 1 : k);
    const double z = random_height(random, 0.1) + (on_top ? 0.2 : 0.0);
    if (random.chance(0.5)) {
      testing::add_sphere(d, kBallRadius, mass, mu, Vector3d(x, 0.0, z));
    } else {
      testing::add_box(d, Vector3d::Constant(0.1), mass, mu, {.p = Vector3d(x, 0.0, z)});
    }
    soften_last(d, random);
  }
  if (random.chance(0.5)) {
    Body link;
    link.name = "link";
    link.parent = static_cast<Index>(d.bodies.size()) - 1;
    link.pose.p = Vector3d(0.3, 0.0, 0.0);
    const double mass = random_power(random, 1e-3, 1e3);
    link.inertia = {mass, Vector3d::Zero(), 0.01 * mass * Matrix3d::Identity()};
    d.bodies.push_back(link);
    Joint joint;
    joint.type = random.chance(0.5) ? JointType::kHinge : JointType::kBall;
    joint.body = static_cast<Index>(d.bodies.size()) - 1;
    joint.anchor = Vector3d(-0.15, 0.0, 0.0);
    joint.axis = random_place(random).normalized();
    d.joints.push_back(joint);
    testing::add_geom(d, joint.body, {ShapeType::kSphere, Vector3d(0.09, 0.0, 0.0), -1}, 0.5);
    soften_last(d, random);
  }
  return d;
}

// Whatever the numbers, a step ends with an answer that certifies or with a status and its cause, and never with a NaN.
TEST(CompliantRandomScenes, AreCertifiedOrReported) {
  Random random(41);
  const int scenes = count_random_scenes(300);
  int steps = 0, reported = 0;
  for (int k = 0; k < scenes; ++k) {
    SCOPED_TRACE(k);
    ModelDescription d = make_random_scene(random);
    Simulation sim =
        testing::make_simulation(std::move(d), {.step = random_power(random, 1e-5, 0.1), .compliant = true});
    give_speeds(sim, random);
    for (int i = 0; i < kStepsOfAScene; ++i) {
      const StepReport& report = sim.step();
      ++steps;
      ASSERT_TRUE(sim.state().q.allFinite() && sim.state().v.allFinite());
      if (is_solved(report.status)) {
        ASSERT_LE(report.worst, 1e-8);
        continue;
      }
      ++reported;
      ASSERT_FALSE(report.detail.empty());
      break;
    }
  }
  RecordProperty("steps", steps);
  RecordProperty("reported", reported);
  EXPECT_LE(reported, scenes / 20);  // Coulomb's law may have no answer
}

// Balls on a level floor are linear constraints: what they have in motion, height and springs never grows but by rounding.
TEST(CompliantRandomScenes, LinearConstraintsGainNoEnergy) {
  Random random(42);
  const int scenes = count_random_scenes(300);
  for (int k = 0; k < scenes; ++k) {
    SCOPED_TRACE(k);
    ModelDescription d;
    testing::add_floor(d, 0.0);
    const auto balls = random.integer(1, 4);
    for (std::int64_t i = 0; i < balls; ++i) {
      testing::add_sphere(d, kBallRadius, random_power(random, 1e-3, 1e3), random.uniform(0.0, 1.2),
                          Vector3d(static_cast<double>(i), 0.0, random_height(random, kBallRadius)));
      soften_last(d, random);
    }
    const std::vector<Geom> geoms = d.geoms;
    Simulation sim = testing::make_simulation(
        std::move(d), {.step = random_power(random, 1e-5, 0.1), .tolerance = 1e-10, .compliant = true});
    give_speeds(sim, random);
    // With what rounding of the heights, in ulps of 0.1 m, makes of the springs' energy.
    double rounding = 0.0;
    std::vector<Vector3d> held(geoms.size(), Vector3d::Zero());  // N·s, by the tangential springs
    const auto stretch = [&] {
      std::vector<Vector3d> next(geoms.size(), Vector3d::Zero());
      for (const ContactRecord& contact : sim.contacts()) {
        if (!(contact.impulse(2) > 0.0)) continue;
        const auto i = static_cast<std::size_t>(std::max(contact.shape_a, contact.shape_b));
        const double K = *geoms[i].surface.stiffness, B = contact.gap < 0.0 ? *geoms[i].surface.damping : 0.0;
        const Vector3d impulse = contact.frame * Vector3d(contact.impulse(0), contact.impulse(1), 0.0);
        next[i] = held[i] + sim.h() * K / (sim.h() * K + B) * (impulse - held[i]);
      }
      held = next;
    };
    const auto calc_all = [&] {
      double springs = 0.0;
      rounding = 0.0;
      for (std::size_t i = 1; i < geoms.size(); ++i) {
        springs += 0.5 * held[i].squaredNorm() / (sim.h() * sim.h() * kMindlin * *geoms[i].surface.stiffness);
        const double depth = kBallRadius - sim.state().q(7 * (static_cast<Index>(i) - 1) + 2);
        if (!(depth > 0.0)) continue;
        springs += 0.5 * *geoms[i].surface.stiffness * depth * depth;
        rounding += *geoms[i].surface.stiffness * depth * 4e-17;
      }
      return sim.calc_energy() + springs;
    };
    double before = calc_all(), scale = std::abs(before);
    for (int i = 0; i < kStepsOfAScene; ++i) {
      ASSERT_TRUE(is_solved(sim.step().status)) << sim.report().detail;
      stretch();
      const double rounding_before = rounding, after = calc_all();
      scale = std::max({scale, std::abs(before), std::abs(after)});
      ASSERT_LE(after, before + 1e-9 * scale + rounding_before + rounding) << "gains " << after - before;
      before = after;
    }
  }
}

}  // namespace
}  // namespace tribo
