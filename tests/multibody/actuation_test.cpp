// Motors and servos: arms are derivatives of lengths, forces obey their limits, damping ratios mean what they say.
#include "tribo/multibody/actuation.hpp"

#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include "random_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::moved;
using testing::random_vector;
using testing::relative_error;

struct Driven {
  VectorXd arms;
  Drive drive;
};
Driven calc_driven(const Model& model, const State& state, Index actuator, double control = 0.0) {
  Data data(model);
  calc_dynamics(model, state, data);
  Driven out{VectorXd(model.nv()), {}};
  calc_arms(model, state, data, actuator, out.arms);
  out.drive = calc_drive(model, state, data, actuator, control, out.arms);
  return out;
}
VectorXd differentiate_length(const Model& model, const State& state, Index actuator) {
  constexpr double kTime = 1e-5;
  VectorXd arms(model.nv());
  for (Index k = 0; k < model.nv(); ++k) {
    const VectorXd unit = VectorXd::Unit(model.nv(), k);
    arms(k) = (calc_driven(model, moved(model, state, unit, kTime), actuator).drive.length -
               calc_driven(model, moved(model, state, unit, -kTime), actuator).drive.length) /
              (2.0 * kTime);
  }
  return arms;
}

// Virtual work: what a unit force does per dof is how the length changes with it.
TEST(Arms, AreDerivativesOfLength) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(static_cast<std::uint64_t>(6000 + seed));
    ModelDescription d = testing::random_description(random, {.bodies = 5});
    Tendon tendon;
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      if (calc_nv(d.joints[j].type) == 1) tendon.terms.push_back({static_cast<Index>(j), random.normal()});
      if (d.joints[j].type == JointType::kFree || d.joints[j].type == JointType::kBall) continue;
      Actuator actuator;
      actuator.target = static_cast<Index>(j);
      actuator.gear = {random.normal(), random.normal(), random.normal(), 0.0, 0.0, 0.0};
      d.actuators.push_back(actuator);
    }
    d.tendons.push_back(tendon);
    Actuator pull;
    pull.transmission = Transmission::kTendon;
    pull.target = 0;
    pull.gear[0] = -1.5;
    d.actuators.push_back(pull);
    // A site pulled along axes that stand still.
    d.sites.push_back({"hand", 5, testing::random_pose(random)});
    d.sites.push_back({"wall", 0, testing::random_pose(random)});
    Actuator winch;
    winch.transmission = Transmission::kSite;
    winch.target = 0;
    winch.reference_site = 1;
    winch.gear = {random.normal(), random.normal(), random.normal(), 0.0, 0.0, 0.0};
    d.actuators.push_back(winch);
    const Model model = Model::make(d).value();
    const State state = testing::random_state(model, random);
    for (Index u = 0; u < model.nu(); ++u) {
      const Driven driven = calc_driven(model, state, u);
      EXPECT_LT(relative_error(driven.arms, differentiate_length(model, state, u)), 1e-8) << seed << " " << u;
      EXPECT_NEAR(driven.drive.speed, driven.arms.dot(state.v), 1e-12);
    }
  }
}

// Two sites that are carried together do not come nearer, and a force between them does not push what carries both.
TEST(Arms, BetweenSitesDoNotPushWhatCarriesBoth) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(static_cast<std::uint64_t>(6100 + seed));
    ModelDescription d;
    for (Index b = 1; b <= 3; ++b) {  // a free base with two arms, the second without joints
      Body body;
      body.parent = b == 1 ? 0 : 1;
      body.pose = testing::random_pose(random);
      body.inertia = testing::random_inertia(random);
      d.bodies.push_back(body);
      if (b == 3) continue;
      Joint joint = testing::random_joint(random, {}, b);
      joint.type = b == 1 ? JointType::kFree : JointType::kHinge;
      d.joints.push_back(joint);
    }
    d.sites.push_back({"hand", 2, testing::random_pose(random)});
    d.sites.push_back({"hip", 3, testing::random_pose(random)});
    Actuator actuator;
    actuator.transmission = Transmission::kSite;
    actuator.target = 0;
    actuator.reference_site = 1;
    actuator.gear = {random.normal(), random.normal(), random.normal(), 0.0, 0.0, 0.0};
    d.actuators.push_back(actuator);
    const Model model = Model::make(d).value();
    const State state = testing::random_state(model, random);
    const Driven driven = calc_driven(model, state, 0);
    EXPECT_LT(driven.arms.head<6>().cwiseAbs().maxCoeff(), 1e-14) << seed;
    EXPECT_LT(relative_error(driven.arms, differentiate_length(model, state, 0)), 1e-8) << seed;
  }
}

// Without a reference a site actuator is a wrench in the axes of the site (a thruster): work = force · velocity + couple · ω.
TEST(Arms, OfASiteAreAWrench) {
  for (int seed = 0; seed < 10; ++seed) {
    Random random(static_cast<std::uint64_t>(6200 + seed));
    ModelDescription d = testing::random_description(random, {.bodies = 5});
    d.sites.push_back({"rotor", 4, testing::random_pose(random)});
    Actuator actuator;
    actuator.transmission = Transmission::kSite;
    for (double& g : actuator.gear) g = random.normal();
    d.actuators.push_back(actuator);
    const Model model = Model::make(d).value();
    const State state = testing::random_state(model, random);
    Data data(model);
    calc_dynamics(model, state, data);
    const Matrix3d R = data.R[4] * d.sites[0].pose.q.toRotationMatrix();
    const Vector3d point = data.p[4] + data.R[4] * d.sites[0].pose.p;
    const Vector3d force = R * Vector3d(actuator.gear[0], actuator.gear[1], actuator.gear[2]);
    const Vector3d couple = R * Vector3d(actuator.gear[3], actuator.gear[4], actuator.gear[5]);
    const PointMotion motion = calc_velocity(data, 4, point);
    const Driven driven = calc_driven(model, state, 0);
    const double work = force.dot(motion.linear) + couple.dot(motion.angular);
    EXPECT_NEAR(driven.drive.speed, work, 1e-11 * (1.0 + std::abs(work)));
  }
}

// On ball and free joints the gear is a couple in the child's axes, or in the parent's where asked.
TEST(Arms, OfBallAndFreeJointsTurnInTheAxesAskedFor) {
  Random random(6300);
  for (const JointType type : {JointType::kBall, JointType::kFree}) {
    for (const bool in_parent : {false, true}) {
      ModelDescription d;
      Body body;
      body.pose = testing::random_pose(random);
      body.inertia = testing::random_inertia(random);
      d.bodies.push_back(body);
      Joint joint;
      joint.type = type;
      joint.body = 1;
      d.joints.push_back(joint);
      Actuator actuator;
      actuator.gear = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
      const Vector3d couple = random_vector(random);
      const std::size_t shift = type == JointType::kFree ? 3 : 0;
      for (std::size_t k = 0; k < 3; ++k) actuator.gear[shift + k] = couple(static_cast<Index>(k));
      actuator.in_parent = in_parent;
      d.actuators.push_back(actuator);
      const Model model = Model::make(d).value();
      const State state = testing::random_state(model, random);
      Data data(model);
      calc_dynamics(model, state, data);
      // The axes of the parent of a ball joint are those of the body with the joint at its reference.
      const Matrix3d parent =
          type == JointType::kFree ? Matrix3d(Matrix3d::Identity()) : body.pose.q.toRotationMatrix();
      const Vector3d world = (in_parent ? parent : data.R[1]) * couple;
      const double work = world.dot(calc_velocity(data, 1, data.p[1]).angular);
      EXPECT_NEAR(calc_driven(model, state, 0).drive.speed, work, 1e-11);
    }
  }
}

ModelDescription one_hinge() {
  ModelDescription d;
  Body body;
  body.inertia = {2.0, Vector3d(0.3, 0.0, 0.0), Vector3d(0.01, 0.02, 0.03).asDiagonal()};
  d.bodies.push_back(body);
  Joint joint;
  joint.body = 1;
  joint.axis = Vector3d::UnitY();
  joint.armature = 0.1;
  d.joints.push_back(joint);
  Actuator servo;
  servo.gain = {50.0, 0.0, 0.0};
  servo.bias = {0.0, -50.0, 0.0};
  d.actuators.push_back(servo);
  return d;
}

// force = gain · ctrl + bias, both affine in length and speed; its slopes are the gains.
TEST(Drive, IsAffineInLengthAndSpeed) {
  ModelDescription d = one_hinge();
  d.actuators[0].gear[0] = 3.0;
  d.actuators[0].gain = {2.0, 0.3, -0.4};
  d.actuators[0].bias = {0.7, -5.0, -0.6};
  const Model model = Model::make(d).value();
  State state = make_state(model);
  state.q(0) = 0.4;
  state.v(0) = -1.5;
  const double length = 1.2, speed = -4.5, control = 1.7;
  const Drive drive = calc_driven(model, state, 0, control).drive;
  EXPECT_NEAR(drive.length, length, 1e-15);
  EXPECT_NEAR(drive.speed, speed, 1e-14);
  EXPECT_NEAR(drive.force, (2.0 + 0.3 * length - 0.4 * speed) * control + 0.7 - 5.0 * length - 0.6 * speed, 1e-12);
  EXPECT_NEAR(drive.stiffness, 5.0 - 0.3 * control, 1e-14);
  EXPECT_NEAR(drive.damping, 0.6 + 0.4 * control, 1e-14);
}

// Limits: control is clamped first, the force afterwards; a drive at its force limit has no gains left.
TEST(Drive, ObeysItsLimits) {
  ModelDescription d = one_hinge();
  d.actuators[0].control_limited = true;
  d.actuators[0].control_lower = -0.1;
  d.actuators[0].control_upper = 0.2;
  const Model clamped = Model::make(d).value();
  EXPECT_NEAR(calc_driven(clamped, make_state(clamped), 0, 7.0).drive.force, 10.0, 1e-12);
  EXPECT_NEAR(calc_driven(clamped, make_state(clamped), 0, -7.0).drive.force, -5.0, 1e-12);
  EXPECT_NEAR(calc_driven(clamped, make_state(clamped), 0, 7.0).drive.stiffness, 50.0, 1e-12);
  d.actuators[0].force_limited = true;
  d.actuators[0].force_lower = -2.0;
  d.actuators[0].force_upper = 3.0;
  const Model weak = Model::make(d).value();
  const Drive strong = calc_driven(weak, make_state(weak), 0, 7.0).drive;
  EXPECT_EQ(strong.force, 3.0);
  EXPECT_EQ(strong.stiffness, 0.0);
  EXPECT_EQ(strong.damping, 0.0);
  EXPECT_EQ(calc_driven(weak, make_state(weak), 0, -7.0).drive.force, -2.0);
  EXPECT_NEAR(calc_driven(weak, make_state(weak), 0, 0.01).drive.stiffness, 50.0, 1e-12);
}

// 2 ζ √(k I), I the inertia about the hinge with its armature; through a gear g the motor feels I / g².
TEST(Drive, DampingRatioIsThatOfTheJoint) {
  for (const double gear : {1.0, 4.0}) {
    ModelDescription d = one_hinge();
    d.actuators[0].damping_ratio = 0.8;
    d.actuators[0].gear[0] = gear;
    const Model model = Model::make(d).value();
    const double inertia = (0.02 + 2.0 * 0.3 * 0.3 + 0.1) / (gear * gear);
    EXPECT_NEAR(model.description().actuators[0].bias[2], -2.0 * 0.8 * std::sqrt(50.0 * inertia), 1e-12) << gear;
  }
}

}  // namespace
}  // namespace tribo
