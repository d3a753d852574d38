// Muscles and activations: curves at their named points, slopes by differences, lengths over the ranges of joints.
#include "multibody/muscle.hpp"

#include "tribo/multibody/actuation.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Fibre length 1 at l = 0.2 m, optimal length 0.1 m.
Muscle make_muscle() {
  Muscle muscle;
  muscle.range = {0.5, 1.5};
  muscle.force = 100.0;
  muscle.length_lower = 0.15;
  muscle.length_upper = 0.25;
  return muscle;
}

// Peak force at the optimal length; nothing at lmin and beyond the fastest shortening; the passive force where the fibre is stretched.
TEST(Muscle, ForceAtNamedPoints) {
  const Muscle m = make_muscle();
  const double fastest = 0.1 * m.vmax;
  EXPECT_NEAR(calc_muscle(m, 0.2, 0.0, 1.0).force, -100.0, 1e-11);
  EXPECT_NEAR(calc_muscle(m, 0.2, 0.0, 0.25).force, -25.0, 1e-11);
  EXPECT_NEAR(calc_muscle(m, 0.2, -fastest, 1.0).force, 0.0, 1e-11);
  EXPECT_NEAR(calc_muscle(m, 0.2, -0.5 * fastest, 1.0).force, -25.0, 1e-11);
  EXPECT_NEAR(calc_muscle(m, 0.2, fastest, 1.0).force, -120.0, 1e-11);                // fvmax
  EXPECT_NEAR(calc_muscle(m, 0.15, 0.0, 1.0).force, 0.0, 1e-11);                      // lmin
  EXPECT_NEAR(calc_muscle(m, 0.175, 0.0, 1.0).force, -50.0, 1e-11);                   // half way: the inflection
  EXPECT_NEAR(calc_muscle(m, 0.2 + 0.1 * 0.3, 0.0, 0.0).force, -0.5 * 130.0, 1e-10);  // (1 + lmax)/2: fpmax/2
}

// A step that knows the slopes stays stable: they are those of the force, everywhere.
TEST(Muscle, SlopesAreThoseOfTheForce) {
  const Muscle m = make_muscle();
  constexpr double kSmall = 1e-7;
  for (int i = 0; i < 60; ++i) {
    const double l = 0.141 + 0.002 * i, s = -0.17 + 0.0057 * i;
    const Drive at = calc_muscle(m, l, s, 0.7);
    const auto force = [&](double dl, double ds) { return calc_muscle(m, l + dl, s + ds, 0.7).force; };
    EXPECT_NEAR(at.stiffness, -(force(kSmall, 0.0) - force(-kSmall, 0.0)) / (2.0 * kSmall), 2e-3) << i;
    EXPECT_NEAR(at.damping, -(force(0.0, kSmall) - force(0.0, -kSmall)) / (2.0 * kSmall), 2e-3) << i;
    EXPECT_GE(at.damping, 0.0) << i;
  }
}

// The activation follows its control with the time constants, slower to rise where it is high, and stays within 0 … 1.
TEST(Muscle, ActivationFollowsTheControl) {
  Actuator actuator;
  actuator.muscle = make_muscle();
  actuator.dynamics = ActuatorDynamics::kMuscle;
  EXPECT_NEAR(calc_muscle_time(*actuator.muscle, 0.0, 1.0), 0.005, 1e-15);
  EXPECT_NEAR(calc_muscle_time(*actuator.muscle, 1.0, 0.0), 0.02, 1e-15);
  double a = 0.0;
  for (int k = 0; k < 1000; ++k) a = calc_next_activation(actuator, a, 7.0, 1e-3);
  EXPECT_NEAR(a, 1.0, 1e-12);
  EXPECT_NEAR(calc_next_activation(actuator, 0.0, 1.0, 1e-3), 1.0 - std::exp(-0.2), 1e-15);
  actuator.muscle->smoothing = 0.4;
  EXPECT_NEAR(calc_muscle_time(*actuator.muscle, 0.5, 0.5), 0.5 * (0.01 * 1.25 + 0.04 / 1.25), 1e-15);  // half way
}

// An integrator adds up, a filter's answer does not depend on how time is cut into steps, limits hold.
TEST(Activation, FiltersAndIntegrates) {
  Actuator actuator;
  actuator.dynamics = ActuatorDynamics::kFilter;
  actuator.time_constant = 0.1;
  double fine = 0.3;
  for (int k = 0; k < 10; ++k) fine = calc_next_activation(actuator, fine, 2.0, 0.01);
  EXPECT_NEAR(fine, calc_next_activation(actuator, 0.3, 2.0, 0.1), 1e-14);
  EXPECT_NEAR(fine, 2.0 - 1.7 * std::exp(-1.0), 1e-14);
  actuator.dynamics = ActuatorDynamics::kIntegrator;
  EXPECT_DOUBLE_EQ(calc_next_activation(actuator, 0.3, 2.0, 0.1), 0.5);
  actuator.activation_limited = true;
  actuator.activation_upper = 0.4;
  EXPECT_EQ(calc_next_activation(actuator, 0.3, 2.0, 0.1), 0.4);
  actuator.dynamics = ActuatorDynamics::kNone;
  EXPECT_EQ(calc_next_activation(actuator, 0.3, 2.0, 0.1), 0.0);
}

// One lever with a string from its tip to the world: the string is longest and shortest within the joint's range, not at its ends.
ModelDescription make_lever() {
  ModelDescription d;
  Body lever;
  lever.inertia.mass = 2.0;
  lever.inertia.inertia = Matrix3d::Identity();
  d.bodies.push_back(lever);
  Joint hinge;
  hinge.name = "elbow";
  hinge.body = 1;
  hinge.axis = Vector3d::UnitZ();
  hinge.limited = true;
  hinge.lower = -2.0;
  hinge.upper = 4.0;
  d.joints.push_back(hinge);
  d.sites = {{.name = "tip", .body = 1, .pose = {Vector3d(1.0, 0.0, 0.0), Quaterniond::Identity()}},
             {.name = "wall", .body = 0, .pose = {Vector3d(3.0, 0.0, 0.0), Quaterniond::Identity()}}};
  Tendon string;
  string.path = {{PathPointType::kSite, 0, -1, 1.0}, {PathPointType::kSite, 1, -1, 1.0}};
  d.tendons.push_back(string);
  Actuator actuator;
  actuator.name = "biceps";
  actuator.transmission = Transmission::kTendon;
  actuator.dynamics = ActuatorDynamics::kMuscle;
  actuator.muscle = Muscle{};
  d.actuators.push_back(actuator);
  return d;
}

TEST(Muscle, FindsItsLengthsAndItsForce) {
  ModelDescription d = make_lever();
  d.joints[0].reference = 1.5;
  const Model model = Model::make(d).value();
  const Muscle& muscle = *model.description().actuators[0].muscle;
  EXPECT_NEAR(muscle.length_lower, 2.0, 1e-9);
  EXPECT_NEAR(muscle.length_upper, 4.0, 1e-9);
  // One radian stretches the string by its arm at the reference, the tip at angle zero: none there. So ask where there is one.
  d.bodies[1].pose.q = Quaterniond(Eigen::AngleAxisd(1.0, Vector3d::UnitZ()));
  const Model turned = Model::make(d).value();
  const double length = std::hypot(3.0 - std::cos(1.0), std::sin(1.0));
  const double arm = 3.0 * std::sin(1.0) / length, inertia = 1.0;  // of the lever about z
  EXPECT_NEAR(turned.description().actuators[0].muscle->force, 200.0 * inertia / arm, 1e-9);
}

// A muscle whose length has no bounds says so, and how to give them.
TEST(Muscle, AsksForALengthRange) {
  ModelDescription d = make_lever();
  d.joints[0].type = JointType::kSlide;
  d.joints[0].limited = false;
  const Expected<Model> model = Model::make(d);
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().text().find("actuator 'biceps'"), std::string::npos) << model.error().text();
  EXPECT_NE(model.error().text().find("lengthrange"), std::string::npos) << model.error().text();
}

}  // namespace
}  // namespace tribo
