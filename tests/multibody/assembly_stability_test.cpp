// Steps that must not gain energy, whatever gains and starts: limits, couplings over several trees, kinematic bodies.
#include "tribo/contact/solve.hpp"
#include "tribo/multibody/assembly.hpp"
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/equality.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Bodies of 1 kg on slides along x, each a tree of its own; no gravity.
ModelDescription make_slides(int count) {
  ModelDescription d;
  d.gravity.setZero();
  for (int b = 1; b <= count; ++b) {
    Body body;
    body.inertia = {1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()};
    d.bodies.push_back(body);
    Joint joint;
    joint.type = JointType::kSlide;
    joint.body = b;
    joint.axis = Vector3d::UnitX();
    d.joints.push_back(joint);
  }
  return d;
}

void step(const Model& model, Assembler& assembler, double h, State& state) {
  Data data(model);
  ContactProblem problem;
  AssemblyOptions options;
  options.h = h;
  calc_dynamics(model, state, data);
  assembler.begin(state, data, VectorXd(), VectorXd(), options, problem);
  assembler.end(problem);
  const ContactAnswer answer = solve(problem, CoulombCone{});
  ASSERT_EQ(answer.status, Status::kSolved);
  state.v = answer.v_next.head(model.nv());
  integrate(model, state.v, h, state.q);
}

// A joint that starts beyond its limit must not be shot back: velocities that push out would be energy from nowhere.
TEST(Assembly, JointBeyondItsLimitStaysAtRest) {
  ModelDescription d = make_slides(1);
  d.joints[0].limited = true;
  d.joints[0].lower = -1.0;
  d.joints[0].upper = 0.5;
  const Model model = Model::make(d).value();
  Assembler assembler(model);
  State state = make_state(model);
  state.q(0) = 0.6;
  step(model, assembler, 0.01, state);
  EXPECT_EQ(state.v(0), 0.0);
}

// However fast a joint moves, it ends at its limit and not beyond.
TEST(Assembly, FastJointsDoNotPassTheirLimits) {
  ModelDescription d = make_slides(1);
  d.joints[0].limited = true;
  d.joints[0].lower = -1.0;
  d.joints[0].upper = 0.6;
  const Model model = Model::make(d).value();
  Assembler assembler(model);
  State state = make_state(model);
  state.v(0) = 100.0;
  for (int k = 0; k < 5; ++k) ASSERT_NO_FATAL_FAILURE(step(model, assembler, 0.01, state));
  EXPECT_NEAR(state.q(0), 0.6, 1e-12);
  EXPECT_NEAR(state.v(0), 0.0, 1e-12);
}

// A stiff tendon between two mechanisms: M̂ cannot hold the coupling, and the step must be stable all the same.
TEST(Assembly, StiffTendonsOverTwoTreesAreStable) {
  ModelDescription d = make_slides(2);
  Tendon tendon;
  tendon.terms = {{0, 1.0}, {1, -1.0}};
  tendon.stiffness = 1e5;
  d.tendons.push_back(tendon);
  const Model model = Model::make(d).value();
  Assembler assembler(model);
  Data data(model);
  State state = make_state(model);
  state.q << 0.001, -0.001;
  calc_dynamics(model, state, data);
  const Energy first = calc_energy(model, state, data);
  double most = 0.0;
  for (int k = 0; k < 300; ++k) {
    ASSERT_NO_FATAL_FAILURE(step(model, assembler, 0.01, state));
    calc_dynamics(model, state, data);
    const Energy energy = calc_energy(model, state, data);
    most = std::max(most, energy.kinetic + energy.potential);
  }
  EXPECT_LE(most, (1.0 + 1e-9) * (first.kinetic + first.potential));
  EXPECT_LT(std::abs(state.q(0) - state.q(1)), 1e-4);
}

// What is welded to a kinematic body moves with it.
TEST(Assembly, WeldsFollowKinematicBodies) {
  ModelDescription d = make_slides(1);
  Body moved;
  moved.kinematic = true;
  d.bodies.push_back(moved);
  Equality weld;
  weld.type = EqualityType::kConnect;
  weld.a = 1;
  weld.b = 2;
  d.equalities.push_back(weld);
  const Model model = Model::make(d).value();
  Assembler assembler(model);
  State state = make_state(model);
  state.kinematic[0].velocity = Vector3d(1.0, 0.0, 0.0);
  step(model, assembler, 0.01, state);
  EXPECT_NEAR(state.v(0), 1.0, 1e-12);
}

// An open loop between bodies that cannot move has no remedy, and is no crash.
TEST(CloseLoops, FailsWhereNothingMoves) {
  ModelDescription d;
  d.bodies.resize(3);
  d.bodies[2].pose.p = Vector3d(1.0, 0.0, 0.0);
  Equality connect;
  connect.a = 1;
  connect.b = 2;
  d.equalities.push_back(connect);
  const Model model = Model::make(d).value();
  State state = make_state(model);
  const Checked closed = close_loops(model, state);
  ASSERT_FALSE(closed.has_value());
  EXPECT_NE(closed.error().what.find("nothing can move"), std::string::npos);
}

}  // namespace
}  // namespace tribo
