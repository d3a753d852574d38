// From a state to one step of contact: implicit springs and servos, limits, loops, kinematic bodies and contacts.
#include "tribo/multibody/assembly.hpp"

#include "tribo/contact/solve.hpp"
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include "random_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::random_vector;
using testing::relative_error;

// A simulator of a few lines: the step of the tests.
class Stepper {
 public:
  Stepper(const Model& model, double h) : model_(model), assembler_(model), data_(model) {
    options_.h = h;
    options_.dry_friction = true;
  }

  // `contacts(data, state)` lists those of the step, all with the coefficient mu.
  template <typename Contacts>
  void step(State& state, const VectorXd& control, double mu, const Contacts& contacts) {
    calc_dynamics(model_, state, data_);
    assembler_.begin(state, data_, control, VectorXd(), options_, problem_);
    Contact law;
    law.mu = mu;
    for (const ContactPoint& contact : contacts(data_))
      assembler_.add(data_, contact, law, contact.gap / options_.h, problem_);
    assembler_.end(problem_);
    const Checked valid = validate(problem_);
    ASSERT_TRUE(valid) << valid.error().text();
    answer_ = solve(problem_, CoulombCone{});
    ASSERT_EQ(answer_.status, Status::kSolved);
    // What is at rest keeps 1e-13 of its speed in a step, and numbers below 1e-150 have no squares.
    state.v = (answer_.v_next.array().abs() < 1e-100).select(0.0, answer_.v_next).head(model_.nv());
    integrate(model_, state.v, options_.h, state.q);
    for (KinematicState& body : state.kinematic) body.pose.p += options_.h * body.velocity;
  }
  void step(State& state, const VectorXd& control = VectorXd()) {
    step(state, control, 0.0, [](const Data&) { return std::vector<ContactPoint>(); });
  }

  const ContactProblem& problem() const { return problem_; }
  const ContactAnswer& answer() const { return answer_; }
  const Assembler& assembler() const { return assembler_; }
  AssemblyOptions& options() { return options_; }

 private:
  const Model& model_;
  Assembler assembler_;
  Data data_;
  AssemblyOptions options_;
  ContactProblem problem_;
  ContactAnswer answer_;
};

Joint make_joint(Index body, JointType type, const Vector3d& axis = Vector3d::UnitZ()) {
  Joint joint;
  joint.body = body;
  joint.type = type;
  joint.axis = axis;
  return joint;
}
Body make_box(const Vector3d& p) {
  Body body;
  body.pose.p = p;
  body.inertia = {2.0, Vector3d::Zero(), 2.0 / 12.0 * 0.08 * Matrix3d::Identity()};  // a cube of 0.2 m
  return body;
}
// The four lower corners of a cube against the plane z = 0 of another body.
std::vector<ContactPoint> corners(const Data& data, Index box, Index floor) {
  std::vector<ContactPoint> contacts;
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) {
      ContactPoint contact;
      contact.body_a = box;
      contact.body_b = floor;
      contact.point = data.p[box] + data.R[box] * Vector3d(x, y, -0.1);
      contact.gap = contact.point(2);
      contacts.push_back(contact);
    }
  }
  return contacts;
}

// Falls by a hand's breadth, lands and lies: no sinking, no creeping, the floor carries its weight.
TEST(Assembly, BoxComesToRestOnAPlane) {
  ModelDescription d;
  d.bodies.push_back(make_box(Vector3d(0.0, 0.0, 0.15)));
  d.joints.push_back(make_joint(1, JointType::kFree));
  const Model model = Model::make(d).value();
  State state = make_state(model);
  state.v(0) = 0.3;
  Stepper stepper(model, 1e-3);
  for (int k = 0; k < 500; ++k)
    ASSERT_NO_FATAL_FAILURE(stepper.step(state, VectorXd(), 0.6, [](const Data& data) { return corners(data, 1, 0); }));
  EXPECT_NEAR(state.q(2), 0.1, 1e-9);
  EXPECT_LT(state.v.cwiseAbs().maxCoeff(), 1e-9);
  double carried = 0.0;
  for (const ContactAnswer::AtContact& contact : stepper.answer().contacts) carried += contact.impulse(2) / 1e-3;
  EXPECT_NEAR(carried, 2.0 * 9.81, 1e-6);
}

// On a belt a box gains μ g per second until it moves with the belt, and then stays on its place.
TEST(Assembly, BeltDragsABoxToItsVelocity) {
  ModelDescription d;
  Body belt;
  belt.kinematic = true;
  d.bodies.push_back(belt);
  d.bodies.push_back(make_box(Vector3d(0.0, 0.0, 0.1)));
  d.joints.push_back(make_joint(2, JointType::kFree));
  const Model model = Model::make(d).value();
  State state = make_state(model);
  state.kinematic[0].velocity = Vector3d(0.5, 0.2, 0.0);
  const Vector3d along = state.kinematic[0].velocity.normalized();
  Stepper stepper(model, 1e-3);
  const auto contacts = [](const Data& data) { return corners(data, 2, 1); };
  for (int k = 0; k < 50; ++k) ASSERT_NO_FATAL_FAILURE(stepper.step(state, VectorXd(), 0.4, contacts));
  EXPECT_LT((state.v.head<3>() - 0.4 * 9.81 * 0.05 * along).norm(), 1e-6);
  for (int k = 0; k < 150; ++k) ASSERT_NO_FATAL_FAILURE(stepper.step(state, VectorXd(), 0.4, contacts));
  EXPECT_LT((state.v.head<3>() - state.kinematic[0].velocity).norm(), 1e-8);
  EXPECT_LT(state.v.tail<3>().norm(), 1e-8);
}

// Rows of a contact say how fast a passes b at that point, whatever a and b are: trees, the world, what is moved by hand and
// what is fixed to it, or two bodies of one tree.
TEST(Assembly, RowsAreRelativeVelocities) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(static_cast<std::uint64_t>(7000 + seed));
    ModelDescription d = testing::random_description(random, {.bodies = 6});
    Body plate;
    plate.kinematic = true;
    plate.pose = testing::random_pose(random);
    d.bodies.push_back(plate);
    Body lug;
    lug.parent = 7;
    lug.pose = testing::random_pose(random);
    d.bodies.push_back(lug);
    const Model model = Model::make(d).value();
    State state = testing::random_state(model, random);
    state.kinematic[0].velocity = random_vector(random);
    state.kinematic[0].angular_velocity = random_vector(random);
    Data data(model);
    calc_dynamics(model, state, data);
    Assembler assembler(model);
    ContactProblem problem;
    assembler.begin(state, data, VectorXd(), VectorXd(), {}, problem);
    std::vector<ContactPoint> contacts;
    for (Index a = 0; a < model.nb(); ++a) {
      for (Index b = 0; b < model.nb(); ++b) {
        ContactPoint contact;
        contact.body_a = a;
        contact.body_b = b;
        contact.point = random_vector(random);
        contact.frame = testing::random_quaternion(random).toRotationMatrix();
        contact.gap = random.uniform();
        contacts.push_back(contact);
        assembler.add(data, contact, {}, contact.gap / problem.h, problem);
      }
    }
    assembler.end(problem);
    ASSERT_TRUE(validate(problem));
    ASSERT_TRUE(assembler.joint_rows().empty());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const ContactPoint& contact = contacts[i];
      const Vector3d slip = calc_velocity(data, contact.body_a, contact.point).linear -
                            calc_velocity(data, contact.body_b, contact.point).linear;
      const Vector3d expected = contact.frame.transpose() * slip;
      const auto row = static_cast<Index>(i);
      EXPECT_NEAR(problem.S.dot(row, problem.v), expected(0), 1e-11);
      EXPECT_NEAR(problem.T.dot(row, problem.v), expected(1), 1e-11);
      EXPECT_NEAR(problem.N.dot(row, problem.v), expected(2), 1e-11);
      EXPECT_EQ(problem.b_N(row), contact.gap / problem.h);
    }
  }
}

// Implicit Euler, written out: M (v⁺ − v)/h + bias = −D v⁺ − K (q + h v⁺ − rest) + servo at the end of the step.
TEST(Assembly, StepIsImplicitEuler) {
  for (int seed = 0; seed < 12; ++seed) {
    Random random(static_cast<std::uint64_t>(7100 + seed));
    ModelDescription d = testing::random_description(random, {.bodies = 4, .springs = true, .one_dof_joints = true});
    const Index joints = static_cast<Index>(d.joints.size());
    for (std::size_t b = 2; b < d.bodies.size(); ++b) {  // one tree: a tendon may couple all of it
      if (d.bodies[b].parent == 0) d.bodies[b].parent = 1;
    }
    Tendon tendon;
    for (Index j = 0; j < joints; ++j) tendon.terms.push_back({j, random.normal()});
    tendon.stiffness = 30.0;
    tendon.damping = 2.0;
    tendon.spring_lower = tendon.spring_upper = 50.0;  // always too short
    d.tendons.push_back(tendon);
    Actuator servo;
    servo.target = joints - 1;
    servo.gear[0] = 2.0;
    servo.gain[0] = 400.0;
    servo.bias = {1.0, -400.0, -7.0};
    d.actuators.push_back(servo);
    const Model model = Model::make(d).value();
    const State state = testing::random_state(model, random);
    Data data(model);
    calc_dynamics(model, state, data);
    constexpr double kStep = 0.01, kControl = 0.3;
    Assembler assembler(model);
    ContactProblem problem;
    const VectorXd applied = testing::random_numbers(model.nv(), random);
    assembler.begin(state, data, VectorXd::Constant(1, kControl), applied, {.h = kStep}, problem);
    assembler.end(problem);
    const VectorXd next = solve(problem, Frictionless{}).v_next;

    const VectorXd q = state.q + kStep * next;
    VectorXd force = applied - data.bias, arms = VectorXd::Zero(model.nv());
    for (Index j = 0; j < joints; ++j) {
      const Joint& joint = model.joints()[j];
      force(j) -= joint.stiffness * (q(j) - joint.spring_reference) + joint.damping * next(j);
      arms(j) = tendon.terms[static_cast<std::size_t>(j)].coefficient;
    }
    force += arms * (30.0 * (50.0 - arms.dot(q)) - 2.0 * arms.dot(next));
    force(joints - 1) += 2.0 * (400.0 * kControl + 1.0 - 400.0 * 2.0 * q(joints - 1) - 7.0 * 2.0 * next(joints - 1));
    EXPECT_LT(relative_error(make_dense_mass(model, data) * (next - state.v) / kStep, force), 1e-9) << seed;

    assembler.begin(state, data, VectorXd::Constant(1, kControl), applied, {.h = kStep, .implicit = false}, problem);
    EXPECT_LT(relative_error(problem.mass.to_dense(), make_dense_mass(model, data)), 1e-15);
  }
}

ModelDescription one_slide() {
  ModelDescription d;
  d.bodies.push_back(make_box(Vector3d::Zero()));
  d.joints.push_back(make_joint(1, JointType::kSlide));
  Actuator servo;
  servo.gain[0] = 1e9;
  servo.bias = {0.0, -1e9, 0.0};
  d.actuators.push_back(servo);
  return d;
}

// A gain of 1e9 without damping at steps of 10 ms: an explicit step would explode, this one is there and stays there.
TEST(Assembly, StiffServoIsBoundedAndConverges) {
  const Model model = Model::make(one_slide()).value();
  State state = make_state(model);
  Stepper stepper(model, 0.01);
  double farthest = 0.0;
  for (int k = 0; k < 200; ++k) {
    ASSERT_NO_FATAL_FAILURE(stepper.step(state, VectorXd::Constant(1, 0.3)));
    farthest = std::max(farthest, state.q(0));
  }
  EXPECT_LT(farthest, 0.3 + 1e-4);
  EXPECT_NEAR(state.q(0), 0.3 - 2.0 * 9.81 / 1e9, 1e-9);
  EXPECT_NEAR(state.v(0), 0.0, 1e-9);
}

// At its force limit a servo is a constant force: the mass alone resists, v⁺ = h F / m.
TEST(Assembly, ForceLimitRemovesTheGains) {
  ModelDescription d = one_slide();
  d.gravity.setZero();
  d.actuators[0].force_limited = true;
  d.actuators[0].force_lower = -4.0;
  d.actuators[0].force_upper = 4.0;
  const Model model = Model::make(d).value();
  State state = make_state(model);
  Stepper stepper(model, 0.01);
  ASSERT_NO_FATAL_FAILURE(stepper.step(state, VectorXd::Constant(1, 0.3)));
  EXPECT_NEAR(state.v(0), 0.01 * 4.0 / 2.0, 1e-14);
  EXPECT_EQ(stepper.problem().mass.block(0)(0, 0), 2.0);
}

// A joint may clamp what all its actuators give together: there their sum is a constant force, and within the range all gains count.
TEST(Assembly, JointsClampTheSumOfTheirActuators) {
  ModelDescription d = one_slide();
  d.gravity.setZero();
  Actuator motor;
  d.actuators.push_back(motor);
  d.joints[0].actuation_limited = true;
  d.joints[0].actuation_lower = -3.0;
  d.joints[0].actuation_upper = 5.0;
  const Model model = Model::make(d).value();
  for (const auto& [target, push, force] : {std::array{0.3, 1.0, 5.0}, {-0.3, 1.0, -3.0}}) {
    State state = make_state(model);
    Stepper stepper(model, 0.01);
    ASSERT_NO_FATAL_FAILURE(stepper.step(state, Eigen::Vector2d(target, push)));
    EXPECT_NEAR(state.v(0), 0.01 * force / 2.0, 1e-14);
    EXPECT_EQ(stepper.problem().mass.block(0)(0, 0), 2.0);
  }
  // Within the range: the stiff servo balances the motor, at once and for good.
  State state = make_state(model);
  Stepper stepper(model, 0.01);
  for (int k = 0; k < 20; ++k) ASSERT_NO_FATAL_FAILURE(stepper.step(state, Eigen::Vector2d(1e-9, 2.0)));
  EXPECT_NEAR(state.q(0), 1e-9 + 2.0 / 1e9, 1e-15);
  ModelDescription wrong = d;
  wrong.joints[0].actuation_lower = 6.0;
  EXPECT_FALSE(Model::make(wrong));
}

// A pendulum that falls against its limit stops there and never passes it, at steps that would leap over it.
TEST(Assembly, LimitStopsAPendulum) {
  for (const double h : {1e-3, 1e-2, 0.1}) {
    for (const double side : {1.0, -1.0}) {
      ModelDescription d;
      Body rod = make_box(Vector3d::Zero());
      rod.inertia.com = Vector3d(side * 0.5, 0.0, 0.0);
      d.bodies.push_back(rod);
      d.joints.push_back(make_joint(1, JointType::kHinge, Vector3d::UnitY()));
      d.joints[0].limited = true;
      d.joints[0].lower = -0.8;
      d.joints[0].upper = 0.8;
      const Model model = Model::make(d).value();
      State state = make_state(model);
      Stepper stepper(model, h);
      for (int k = 0; k < std::lround(2.0 / h); ++k) {
        ASSERT_NO_FATAL_FAILURE(stepper.step(state));
        ASSERT_LT(std::abs(state.q(0)), 0.8 + 1e-9) << h;
      }
      EXPECT_NEAR(state.q(0), side * 0.8, 1e-9) << h;
      ASSERT_EQ(stepper.assembler().joint_rows().size(), h < 0.02 ? 1u : 2u);  // the other one is out of reach
      EXPECT_EQ(stepper.assembler().joint_rows().back().place, h < 0.02 && side < 0.0 ? -1 : 1);
    }
  }
}

// Limits of ball joints (the whole angle) and of tendons over two trees hold as well.
TEST(Assembly, LimitsOfBallsAndTendonsHold) {
  ModelDescription d;
  Body rod = make_box(Vector3d::Zero());
  rod.inertia.com = Vector3d(0.3, 0.2, 0.0);
  d.bodies.push_back(rod);
  d.joints.push_back(make_joint(1, JointType::kBall));
  d.joints[0].limited = true;
  d.joints[0].upper = 0.5;
  for (Index b = 2; b <= 3; ++b) {
    d.bodies.push_back(make_box(Vector3d::Zero()));
    d.joints.push_back(make_joint(b, JointType::kSlide));
  }
  Tendon rope;
  rope.terms = {{1, 1.0}, {2, 0.5}};
  rope.limited = true;
  rope.lower = -0.3;
  rope.upper = 1.0;
  d.tendons.push_back(rope);
  const Model model = Model::make(d).value();
  State state = make_state(model);
  Stepper stepper(model, 5e-3);
  for (int k = 0; k < 400; ++k) {
    ASSERT_NO_FATAL_FAILURE(stepper.step(state));
    ASSERT_LT(2.0 * std::acos(std::min(1.0, std::abs(state.q(0)))), 0.5 + 1e-4);
    ASSERT_GT(state.q(4) + 0.5 * state.q(5), -0.3 - 1e-9);
  }
  EXPECT_NEAR(2.0 * std::acos(std::abs(state.q(0))), 0.5, 1e-4);
  EXPECT_NEAR(state.q(4) + 0.5 * state.q(5), -0.3, 1e-9);
}

// A hanging loop of three links stays closed: every step removes a share of the error.
TEST(Assembly, LoopsStayClosed) {
  ModelDescription d;
  for (Index b = 1; b <= 3; ++b) {
    Body link;
    link.parent = b - 1;
    link.pose.p = Vector3d(b == 1 ? 0.0 : 0.3, 0.0, 0.0);
    link.inertia = {1.0, Vector3d(0.15, 0.0, 0.0), 0.01 * Matrix3d::Identity()};
    d.bodies.push_back(link);
    d.joints.push_back(make_joint(b, JointType::kHinge, Vector3d::UnitY()));
    d.joints.back().damping = 0.5;
  }
  Equality loop;
  loop.a = 3;
  loop.b = 0;
  loop.frame_a.p = Vector3d(0.3, 0.0, 0.0);
  loop.frame_b.p = Vector3d(0.5, 0.0, 0.0);
  d.equalities.push_back(loop);
  const Model model = Model::make(d).value();
  State state = make_state(model);
  state.q << -0.8, 0.8, 0.9;
  ASSERT_TRUE(close_loops(model, state));
  Stepper stepper(model, 1e-3);
  stepper.options().loop_share = 0.2;
  double worst = 0.0;
  for (int k = 0; k < 8000; ++k) {
    ASSERT_NO_FATAL_FAILURE(stepper.step(state));
    worst = std::max(worst, stepper.problem().b_J.cwiseAbs().maxCoeff() * 1e-3 / 0.2);
  }
  // A step leaves ½ h² times the acceleration of the joint, 5e-7 s² · 80 m/s², and a fifth of what is there is removed per step.
  EXPECT_LT(worst, 3e-4);
  EXPECT_LT(stepper.problem().b_J.cwiseAbs().maxCoeff() * 1e-3 / 0.2, 1e-9);  // once it hangs
  EXPECT_LT(state.v.cwiseAbs().maxCoeff(), 1e-3);
}

// Dry friction holds a joint until the load is larger, brakes a turning one evenly, and never turns it back.
TEST(Assembly, DryFrictionHoldsAndBrakes) {
  ModelDescription d;
  d.gravity.setZero();
  d.bodies.push_back(make_box(Vector3d::Zero()));
  d.joints.push_back(make_joint(1, JointType::kHinge));
  d.joints[0].friction_loss = 0.3;
  d.joints[0].armature = 0.1;
  d.actuators.push_back({});
  const Model model = Model::make(d).value();
  const double inertia = 2.0 / 12.0 * 0.08 + 0.1;
  State state = make_state(model);
  Stepper stepper(model, 1e-3);
  for (int k = 0; k < 20; ++k) ASSERT_NO_FATAL_FAILURE(stepper.step(state, VectorXd::Constant(1, 0.29)));
  EXPECT_LT(std::abs(state.v(0)), 1e-12);
  for (int k = 0; k < 20; ++k) ASSERT_NO_FATAL_FAILURE(stepper.step(state, VectorXd::Constant(1, 0.5)));
  EXPECT_NEAR(state.v(0), 0.02 * 0.2 / inertia, 1e-9);
  const double v = state.v(0) = 0.1;
  for (int k = 0; k < 10; ++k) ASSERT_NO_FATAL_FAILURE(stepper.step(state));
  EXPECT_NEAR(state.v(0), v - 0.01 * 0.3 / inertia, 1e-9);
  for (int k = 0; k < 60; ++k) ASSERT_NO_FATAL_FAILURE(stepper.step(state));
  EXPECT_LT(std::abs(state.v(0)), 1e-12);
}

// Rows against turning are there when they are asked for, and gone again when they are not.
TEST(Assembly, TurningRowsAreAngularVelocities) {
  Random random(7300);
  const Model model = Model::make(testing::random_description(random, {.bodies = 4})).value();
  const State state = testing::random_state(model, random);
  Data data(model);
  calc_dynamics(model, state, data);
  Assembler assembler(model);
  ContactProblem problem;
  ContactPoint contact;
  contact.body_a = 4;
  contact.body_b = 2;
  contact.frame = testing::random_quaternion(random).toRotationMatrix();
  assembler.begin(state, data, VectorXd(), VectorXd(), {.turning = true}, problem);
  assembler.add(data, contact, {}, 0.0, problem);
  assembler.end(problem);
  ASSERT_TRUE(validate(problem));
  const Vector3d turning = contact.frame.transpose() * (data.V[4].head<3>() - data.V[2].head<3>());
  EXPECT_NEAR(problem.roll_s.dot(0, problem.v), turning(0), 1e-12);
  EXPECT_NEAR(problem.roll_t.dot(0, problem.v), turning(1), 1e-12);
  EXPECT_NEAR(problem.spin.dot(0, problem.v), turning(2), 1e-12);
  assembler.begin(state, data, VectorXd(), VectorXd(), {}, problem);
  for (int k = 0; k < 2; ++k) assembler.add(data, contact, {}, 0.0, problem);
  assembler.end(problem);
  const Checked valid = validate(problem);
  EXPECT_TRUE(valid) << valid.error().text();
  EXPECT_EQ(problem.spin.rows(), 0);
}

// A robot bolted to the world directly, or through a plate that nothing moves: the same numbers.
TEST(Assembly, StaticBodiesInBetweenChangeNothing) {
  for (int seed = 0; seed < 10; ++seed) {
    Random random(static_cast<std::uint64_t>(7200 + seed));
    ModelDescription direct = testing::random_description(random, {.bodies = 4, .springs = true});
    for (std::size_t b = 2; b < direct.bodies.size(); ++b) {
      if (direct.bodies[b].parent == 0) direct.bodies[b].parent = 1;
    }
    Joint root = testing::random_joint(random, {}, 1);
    std::erase_if(direct.joints, [](const Joint& joint) { return joint.body == 1 || joint.type == JointType::kFree; });
    direct.joints.insert(direct.joints.begin(), root);
    ModelDescription through = direct;
    Body plate;
    plate.pose = testing::random_pose(random);
    plate.inertia = testing::random_inertia(random);
    through.bodies.insert(through.bodies.begin() + 1, plate);
    for (std::size_t b = 2; b < through.bodies.size(); ++b) ++through.bodies[b].parent;
    for (Joint& joint : through.joints) ++joint.body;
    through.bodies[2].pose = plate.pose.inverse() * direct.bodies[1].pose;
    const Model a = Model::make(direct).value(), b = Model::make(through).value();
    const State state = testing::random_state(a, random);
    Data data_a(a), data_b(b);
    calc_dynamics(a, state, data_a);
    calc_dynamics(b, state, data_b);
    Assembler assembler_a(a), assembler_b(b);
    ContactProblem problem_a, problem_b;
    assembler_a.begin(state, data_a, VectorXd(), VectorXd(), {}, problem_a);
    assembler_b.begin(state, data_b, VectorXd(), VectorXd(), {}, problem_b);
    ContactPoint contact;
    contact.body_a = 4;
    contact.point = random_vector(random);
    assembler_a.add(data_a, contact, {}, 0.0, problem_a);
    contact.body_a = 5;
    contact.body_b = 1;
    assembler_b.add(data_b, contact, {}, 0.0, problem_b);
    assembler_a.end(problem_a);
    assembler_b.end(problem_b);
    EXPECT_LT(relative_error(problem_a.mass.to_dense(), problem_b.mass.to_dense()), 1e-12);
    EXPECT_LT(relative_error(problem_a.f, problem_b.f), 1e-11);
    EXPECT_LT(relative_error(problem_a.N.to_dense(), problem_b.N.to_dense()), 1e-12);
    EXPECT_LT(relative_error(problem_a.S.to_dense(), problem_b.S.to_dense()), 1e-12);
  }
}

}  // namespace
}  // namespace tribo
