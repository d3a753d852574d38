// What a simulation hands to a recording: names of solvers, masses, friction and slip.
#include "tribo/io/recording.hpp"
#include "tribo/solve/registry.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// A ball on a plane, thrown along it; a wheel with dry friction on a hinge.
Simulation make_thrown_ball(double speed) {
  ModelDescription description;
  Geom floor;
  floor.shape.type = ShapeType::kPlane;
  description.geoms.push_back(floor);
  for (int k = 0; k < 2; ++k) {
    Body body;
    body.name = k == 0 ? "ball" : "wheel";
    body.inertia.mass = 2.0;
    body.inertia.com = {0.0, 0.0, 0.01 * k};
    body.inertia.inertia = 0.01 * Matrix3d::Identity();
    body.pose.p = {0.0, 0.0, k == 0 ? 0.1 : 5.0};
    Joint joint;
    joint.name = k == 0 ? "" : "axle";
    joint.type = k == 0 ? JointType::kFree : JointType::kHinge;
    joint.friction_loss = k == 0 ? 0.0 : 0.5;
    joint.body = static_cast<Index>(description.bodies.size());
    description.bodies.push_back(body);
    description.joints.push_back(joint);
  }
  Geom ball;
  ball.body = 1;
  ball.shape = {ShapeType::kSphere, {0.1, 0.0, 0.0}, -1};
  ball.friction = {0.3, 0.0, 0.0};
  description.geoms[0].friction = {0.3, 0.0, 0.0};
  description.geoms.push_back(ball);
  Simulation simulation = Simulation::make(Model::make(description).value(), {.step = 1e-3}).value();
  State state = make_state(simulation.model());
  state.v(0) = speed;
  simulation.set_state(state);
  return simulation;
}

// The names of the registry change in one place; a recording must still know all of them.
TEST(RecordingNames, EverySolverOfTheTableIsKnown) {
  const RecordingHeader header = make_recording_header(make_thrown_ball(0.0), "ball", "1");
  EXPECT_LE(header.solvers.size(), 255u);
  for (const Capability& row : capabilities())
    EXPECT_EQ(std::count(header.solvers.begin(), header.solvers.end(), row.name), 1) << row.name;
}

// What a step reports is found in the header, so that a frame can name it.
TEST(RecordingNames, EveryStepNamesItsSolver) {
  Simulation simulation = make_thrown_ball(1.0);
  FrameMaker make_frame(simulation.model());
  const RecordingHeader header = make_recording_header(simulation, "ball", "1");
  EXPECT_EQ(make_frame(simulation).solver, "");
  for (int k = 0; k < 50; ++k) {
    simulation.step();
    const std::string solver = make_frame(simulation).solver;
    EXPECT_EQ(std::count(header.solvers.begin(), header.solvers.end(), solver), 1) << solver;
  }
}

// A reader weighs forces against masses, and residuals against the tolerance.
TEST(RecordingNames, TheHeaderHasMassesAndTolerance) {
  const RecordingHeader header = make_recording_header(make_thrown_ball(0.0), "ball", "1");
  ASSERT_EQ(header.bodies.size(), 3u);
  EXPECT_EQ(header.bodies[2].mass, 2.0);
  EXPECT_EQ(header.bodies[2].com, Vector3d(0.0, 0.0, 0.01));
  EXPECT_EQ(header.tolerance, 1e-8);
  EXPECT_EQ(header.joint_kinds, (std::vector<std::string>{"free", "hinge"}));
}

// A sliding ball: friction is mu times the normal force against the slip, and the slip is that of the point.
TEST(RecordingNames, ContactsHaveFrictionAndSlip) {
  Simulation simulation = make_thrown_ball(1.0);
  FrameMaker make_frame(simulation.model());
  simulation.step();
  const RecordedFrame frame = make_frame(simulation);
  ASSERT_EQ(frame.contacts.size(), 1u);
  const auto contact = frame.contacts.begin();
  const double sign = contact->normal.z() > 0.0 ? 1.0 : -1.0;  // on the ball, or on the floor
  EXPECT_EQ(contact->state, ContactState::kSlide);
  EXPECT_EQ(contact->mu, 0.3);
  const double normal = 2.0 * 9.81 * 1e-3;
  EXPECT_NEAR(sign * contact->impulse.z(), normal, 1e-9);
  EXPECT_NEAR(sign * contact->impulse.x(), -0.3 * normal, 1e-9);
  // 1 m/s less mu g h of the centre and m r² / I times as much of the turning.
  EXPECT_NEAR(sign * contact->velocity.x(), 1.0 - 0.3 * 9.81e-3 * (1.0 + 2.0 * 0.01 / 0.01), 1e-9);
  EXPECT_NEAR(contact->velocity.z(), 0.0, 1e-9);
}

// Dry friction of a joint tells what it gives apart from the most that it could give.
TEST(RecordingNames, DryFrictionIsTold) {
  Simulation simulation = make_thrown_ball(0.0);
  FrameMaker make_frame(simulation.model());
  for (const double torque : {0.2, 0.8}) {
    simulation.applied()(6) = torque;
    simulation.step();
    const RecordedFrame frame = make_frame(simulation);
    ASSERT_EQ(frame.joint_rows.size(), 1u);
    const auto row = frame.joint_rows.begin();
    EXPECT_EQ(row->kind, JointRowKind::kDryFriction);
    EXPECT_EQ(row->joint, 1);
    EXPECT_EQ(row->place, 0);
    EXPECT_NEAR(row->bound, 0.5e-3, 1e-12);
    EXPECT_NEAR(row->impulse, -std::min(torque, 0.5) * 1e-3, 1e-10);
    EXPECT_EQ(row->state, torque < 0.5 ? ContactState::kStick : ContactState::kSlide);
  }
}

// A step that fails between two frames shows in the second, with where it was; the third is clean again.
TEST(RecordingNames, AFrameTellsOfTheStepsBeforeIt) {
  Simulation simulation = make_thrown_ball(1.0);
  FrameMaker make_frame(simulation.model());
  for (int k = 0; k < 4; ++k) make_frame.see(simulation.step());
  EXPECT_EQ(make_frame(simulation).status, Status::kSolved);
  StepReport failed = simulation.step();
  failed.status = Status::kBreakdown;
  failed.worst = 0.5;
  failed.pivots = 77;
  failed.seconds = 9.0;
  make_frame.see(failed);
  for (int k = 0; k < 2; ++k) make_frame.see(simulation.step());
  const RecordedFrame frame = make_frame(simulation);
  EXPECT_EQ(frame.status, Status::kBreakdown);
  EXPECT_EQ(frame.failed_before, 2);
  EXPECT_EQ(frame.worst, 0.5);
  EXPECT_EQ(frame.pivots, 77u);
  EXPECT_EQ(frame.seconds, 9.0);
  make_frame.see(simulation.step());
  const RecordedFrame next = make_frame(simulation);
  EXPECT_EQ(next.status, Status::kSolved);
  EXPECT_EQ(next.failed_before, 0);
  EXPECT_LT(next.worst, 1e-8);
  EXPECT_LT(next.seconds, 9.0);
}

}  // namespace
}  // namespace tribo
