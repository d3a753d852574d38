// What happens to bodies does not depend on bodies that nothing joins to them.
#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// Balls that fall on one another, with gaps that they cross within a step, and a box that lands on an edge.
void add_near(ModelDescription& d) {
  for (int k = 0; k < 4; ++k) testing::add_sphere(d, 0.05, 0.1, 0.3, Vector3d(1e-4 * k, 0.0, 0.2 + 0.1001 * k));
  const Quaterniond turn(Eigen::AngleAxisd(0.4, Vector3d(1.0, 2.0, 0.0).normalized()));
  testing::add_box(d, Vector3d(0.1, 0.05, 0.02), 0.3, 0.8, {.p = Vector3d(1.0, 0.0, 0.5), .q = turn});
}

// The same in another moment, a paddle that is moved by hand, and a box that starts inside the floor.
void add_far(ModelDescription& d) {
  for (int k = 0; k < 3; ++k) testing::add_sphere(d, 0.05, 0.1, 0.3, Vector3d(50.0, 1e-4 * k, 0.17 + 0.1001 * k));
  const Quaterniond turn(Eigen::AngleAxisd(1.1, Vector3d(2.0, 1.0, 0.5).normalized()));
  testing::add_box(d, Vector3d(0.1, 0.05, 0.02), 0.3, 0.8, {.p = Vector3d(52.0, 0.0, 0.4), .q = turn});
  testing::add_box(d, Vector3d::Constant(0.05), 0.3, 0.8, {.p = Vector3d(54.0, 0.0, 0.03)});
}

Index add_paddle(ModelDescription& d) {
  Body paddle;
  paddle.name = "paddle";
  paddle.kinematic = true;
  paddle.pose.p = Vector3d(60.0, 0.0, 1.0);
  d.bodies.push_back(paddle);
  const auto body = static_cast<Index>(d.bodies.size()) - 1;
  testing::add_geom(d, body, {ShapeType::kBox, Vector3d(0.01, 0.2, 0.2), -1}, 0.0);
  return body;
}

constexpr int kNearBodies = 5;
const SimulationOptions kBouncing{.step = 2e-3, .restitution = 0.8};

// Restitution, corrections and energy are decided island by island: not one bit changes.
TEST(FarAway, ChangesNoBitOfWhatBouncesHere) {
  ModelDescription alone, with;
  for (ModelDescription* d : {&alone, &with}) {
    testing::add_floor(*d, 0.5);
    add_near(*d);
  }
  add_far(with);
  add_paddle(with);
  Simulation a = testing::make_simulation(alone, kBouncing), b = testing::make_simulation(with, kBouncing);
  State moved = b.state();
  moved.kinematic[0].velocity = Vector3d(0.1, 0.0, 0.0);
  b.set_state(moved);
  for (int k = 0; k < 800; ++k) {
    ASSERT_EQ(a.step().status, Status::kSolved);
    ASSERT_TRUE(is_solved(b.step().status));
    ASSERT_TRUE(a.state().q == b.state().q.head(7 * kNearBodies)) << "step " << k;
    ASSERT_TRUE(a.state().v == b.state().v.head(6 * kNearBodies)) << "step " << k;
  }
}

// A bounce gives no energy to its own island, whatever others lose in the same step and whoever is moved by hand elsewhere. A
// long box that slides while its end lands is where Newton's law of impact alone gives more than it takes.
TEST(FarAway, DoesNotPayForEnergyHere) {
  ModelDescription d;
  d.gravity.setZero();
  testing::add_floor(d, 0.5);
  const Index rod = testing::add_box(d, Vector3d(0.2, 0.03, 0.02), 0.3, 0.8, {.p = Vector3d(0.0, 0.0, 0.3)});
  testing::add_box(d, Vector3d::Constant(0.1), 50.0, 0.8, {.p = Vector3d(10.0, 0.0, 0.3)});
  add_paddle(d);
  const Matrix3d inertia = d.bodies[static_cast<std::size_t>(rod)].inertia.inertia;
  for (const double tilt : {0.3, 0.7, 1.1}) {
    for (const double slide : {-6.0, -2.0, 2.0, 6.0}) {
      Simulation sim = testing::make_simulation(d, kBouncing);
      State state = sim.state();
      const Quaterniond turn(Eigen::AngleAxisd(tilt, Vector3d(0.2, 1.0, 0.0).normalized()));
      state.q.segment<4>(3) << turn.w(), turn.x(), turn.y(), turn.z();
      state.v(0) = slide;
      state.v(2) = -3.0;
      state.v(8) = -3.0;  // the heavy one
      state.kinematic[0].velocity = Vector3d(0.1, 0.0, 0.0);
      sim.set_state(state);
      const auto energy = [&] {
        const VectorXd& v = sim.state().v;
        return 0.5 * (0.3 * v.head<3>().squaredNorm() + v.segment<3>(3).dot(inertia * v.segment<3>(3)));
      };
      double before = energy();
      for (int k = 0; k < 200; ++k) {
        ASSERT_TRUE(is_solved(sim.step().status));
        EXPECT_LE(energy(), before * (1.0 + 1e-9)) << "tilt " << tilt << ", slide " << slide << ", step " << k;
        before = energy();
      }
    }
  }
}

}  // namespace
}  // namespace tribo
