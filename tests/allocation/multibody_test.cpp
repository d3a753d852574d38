// Everything from a state to the contact problem of its step, allocation-free once model, data and problem exist.
#include "tribo/core/random.hpp"
#include "tribo/multibody/assembly.hpp"
#include "tribo/multibody/dynamics.hpp"

#include "../multibody/random_model.hpp"
#include "guard.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::count_allocations;

// Trees of all joints with springs, tendons, limits, equalities, dry friction, servos and a muscle, and a plate that is moved by hand.
ModelDescription everything(Random& random) {
  ModelDescription d = testing::random_description(random, {.bodies = 6, .springs = true});
  Body plate;
  plate.kinematic = true;
  d.bodies.push_back(plate);
  Tendon tendon;
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    Joint& joint = d.joints[j];
    joint.friction_loss = 0.1;
    joint.limited = joint.type != JointType::kFree && joint.type != JointType::kPlanar;
    joint.lower = -0.1;
    joint.upper = 0.1;
    if (calc_nv(joint.type) == 1 && tendon.terms.empty()) tendon.terms.push_back({static_cast<Index>(j), 2.0});
    Actuator servo;
    servo.target = static_cast<Index>(j);
    servo.bias = {0.0, -10.0, -1.0};
    d.actuators.push_back(servo);
  }
  tendon.stiffness = tendon.damping = tendon.friction_loss = 1.0;
  tendon.limited = true;
  d.tendons.push_back(tendon);
  // A muscle on a string from body to body, round a ball on the way.
  Geom ball;
  ball.body = 2;
  ball.shape.size.x() = 0.05;
  d.geoms.push_back(ball);
  d.sites = {{.name = "", .body = 1, .pose = testing::random_pose(random)},
             {.name = "", .body = 6, .pose = testing::random_pose(random)}};
  Tendon string;
  string.path = {
      {PathPointType::kSite, 0, -1, 1.0}, {PathPointType::kSphere, 0, -1, 1.0}, {PathPointType::kSite, 1, -1, 1.0}};
  string.stiffness = string.damping = 1.0;
  d.tendons.push_back(string);
  Actuator muscle;
  muscle.transmission = Transmission::kTendon;
  muscle.target = 1;
  muscle.dynamics = ActuatorDynamics::kMuscle;
  muscle.muscle = Muscle{};
  muscle.muscle->force = 10.0;
  muscle.muscle->length_upper = 1.0;
  d.actuators.push_back(muscle);
  for (const EqualityType type : {EqualityType::kConnect, EqualityType::kWeld}) {
    Equality equality;
    equality.type = type;
    equality.a = 1;
    equality.b = 6;
    d.equalities.push_back(equality);
  }
  Equality held;
  held.type = EqualityType::kTendon;
  held.a = 0;
  d.equalities.push_back(held);
  return d;
}

// No allocation after the model is built: the first step makes room, all others only use it.
TEST(Multibody, DoesNotAllocateAfterTheFirstStep) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    const Model model = Model::make(everything(random)).value();
    State state = make_state(model);
    Data data(model);
    EXPECT_EQ(count_allocations([&] { calc_dynamics(model, state, data); }), 0) << "the first time, too";
    Assembler assembler(model);
    ContactProblem problem;
    const VectorXd control = VectorXd::Ones(model.nu()), applied = VectorXd::Ones(model.nv());
    AssemblyOptions options;
    options.reach_speed = 1e9;  // all limits, always
    options.turning = true;
    const auto step = [&] {
      calc_dynamics(model, state, data);
      assembler.begin(state, data, control, applied, options, problem);
      for (Index a = 1; a < model.nb(); ++a) {
        ContactPoint contact;
        contact.body_a = a;
        contact.body_b = a - 1;
        assembler.add(data, contact, {}, 0.0, problem);
      }
      assembler.end(problem);
      integrate(model, state.v, options.h, state.q);
    };
    state = testing::random_state(model, random);
    step();
    for (int k = 0; k < 3; ++k) EXPECT_EQ(count_allocations(step), 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tribo
