// Motions that are known beforehand, and promises of every step: certified, no sinking, same bits.
#include "tribo/sim/simulation.hpp"

#include "tribo/io/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

Simulation make(const std::string& scene, SimulationOptions options = {}) {
  Expected<World> world = load(testing::source_dir() + "/scenes/" + scene + ".xml");
  if (!world) throw std::runtime_error(world.error().text());
  Model model = std::move(world->model);
  State start = make_state(model);
  VectorXd control;
  for (const Keyframe& keyframe : model.description().keyframes) {
    if (keyframe.name != "start" && keyframe.name != "home") continue;
    start = make_state(model, keyframe).value();
    control = keyframe.control;
  }
  Simulation simulation = Simulation::make(std::move(model), std::move(options)).value();
  simulation.set_state(start);
  if (control.size() > 0) simulation.control() = control;
  return simulation;
}

ModelDescription make_ball(double height) {
  ModelDescription d;
  Body ball;
  ball.name = "ball";
  ball.pose.p = Vector3d(0.0, 0.0, height);
  ball.inertia = {1.0, Vector3d::Zero(), 0.004 * Matrix3d::Identity()};
  d.bodies.push_back(ball);
  Joint joint;
  joint.type = JointType::kFree;
  joint.body = 1;
  d.joints.push_back(joint);
  Geom floor, sphere;
  floor.shape.type = ShapeType::kPlane;
  floor.name = "floor";
  sphere.name = "sphere";
  sphere.body = 1;
  sphere.shape = {ShapeType::kSphere, Vector3d(0.1, 0.0, 0.0), -1};
  d.geoms = {floor, sphere};
  return d;
}

// After n steps the height is h₀ − ½ g t², with Euler h₀ − ½ g h² n (n + 1), to rounding.
TEST(Simulation, FreeFallIsThatOfTheIntegrator) {
  for (const Integrator integrator : {Integrator::kMidpoint, Integrator::kEuler}) {
    Simulation sim =
        Simulation::make(Model::make(make_ball(100.0)).value(), {.step = 1e-3, .integrator = integrator}).value();
    EXPECT_EQ(sim.integrator(), integrator);
    ASSERT_TRUE(sim.run(1.0));
    const double steps = integrator == Integrator::kEuler ? 1001.0 : 1000.0;
    EXPECT_NEAR(sim.state().q(2), 100.0 - 0.5 * 9.81 * 1e-6 * 1000.0 * steps, 1e-10);
  }
}

// What the file says, what the options say, and what compliant contacts need.
TEST(Simulation, TakesTheIntegratorThatIsAskedFor) {
  ModelDescription d = make_ball(1.0);
  EXPECT_EQ(Simulation::make(Model::make(d).value())->integrator(), Integrator::kMidpoint);
  EXPECT_EQ(Simulation::make(Model::make(d).value(), {.compliant = true})->integrator(), Integrator::kEuler);
  EXPECT_FALSE(Simulation::make(Model::make(d).value(), {.integrator = Integrator::kMidpoint, .compliant = true}));
  d.integrator = Integrator::kEuler;
  EXPECT_EQ(Simulation::make(Model::make(d).value())->integrator(), Integrator::kEuler);
  EXPECT_EQ(Simulation::make(Model::make(d).value(), {.integrator = Integrator::kMidpoint})->integrator(),
            Integrator::kMidpoint);
}

// A ball that bounces without loss comes up again; without restitution it stays down, and never sinks.
TEST(Simulation, BallsBounceAsToldAndDoNotSink) {
  Simulation dead = Simulation::make(Model::make(make_ball(0.3)).value(), {.step = 1e-3}).value();
  ASSERT_TRUE(dead.run(1.0));
  EXPECT_NEAR(dead.state().q(2), 0.1, 2e-8);
  Simulation lively = Simulation::make(Model::make(make_ball(0.6)).value(), {.step = 1e-4, .restitution = 0.5}).value();
  double highest = 0.0;
  bool bounced = false;
  for (int k = 0; k < 8000; ++k) {
    ASSERT_EQ(lively.step().status, Status::kSolved);
    bounced = bounced || lively.state().v(2) > 0.0;
    if (bounced && k < 5500) highest = std::max(highest, lively.state().q(2));
  }
  EXPECT_NEAR(highest - 0.1, 0.25 * 0.5, 1e-3);  // e² of the height
}

// 20° and mu = 0.5: the block stays where it is, certified in every step, and sinks by nothing.
TEST(Simulation, BlockOnASlopeDoesNotCreep) {
  Simulation sim = make("incline");
  sim.run(0.05);
  const VectorXd q = sim.state().q;
  double worst = 0.0, overlap = 0.0;
  for (int k = 0; k < 5000; ++k) {
    const StepReport& report = sim.step();
    ASSERT_EQ(report.status, Status::kSolved);
    worst = std::max(worst, report.worst);
    overlap = std::max(overlap, report.overlap);
  }
  EXPECT_LT((sim.state().q - q).head<3>().norm(), 1e-9);
  EXPECT_LT(worst, 1e-8);
  EXPECT_LT(overlap, 1e-9);
}

// Twenty cubes on one another, certified, sinking by less than a nanometre.
TEST(Simulation, StackStands) {
  Simulation sim = make("box_stack_20");
  const VectorXd q = sim.state().q;
  double overlap = 0.0;
  for (int k = 0; k < 200; ++k) {
    const StepReport& report = sim.step();
    ASSERT_EQ(report.status, Status::kSolved);
    overlap = std::max(overlap, report.overlap);
  }
  EXPECT_LT((sim.state().q - q).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(overlap, 1e-9);
}

// A linkage keeps its loop closed although velocities never correct it.
TEST(Simulation, LoopsStayClosed) {
  Simulation sim = make("four_bar");
  double worst = 0.0;
  for (int k = 0; k < 500; ++k) {
    const StepReport& report = sim.step();
    ASSERT_EQ(report.status, Status::kSolved);
    worst = std::max(worst, report.loop_error);
  }
  EXPECT_LT(worst, 1e-9);
}

// A joint beyond its limit is moved back without being shot back.
TEST(Simulation, JointBeyondItsLimitGainsNoSpeed) {
  ModelDescription d;
  d.gravity.setZero();
  d.bodies.resize(2);
  d.bodies[1].inertia = {1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()};
  Joint slide;
  slide.type = JointType::kSlide;
  slide.body = 1;
  slide.limited = true;
  slide.lower = -1.0;
  slide.upper = 0.5;
  d.joints.push_back(slide);
  Simulation sim = Simulation::make(Model::make(d).value(), {.step = 0.01}).value();
  State state = sim.state();
  state.q(0) = 0.6;
  sim.set_state(state);
  for (int k = 0; k < 50; ++k) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    EXPECT_LT(std::abs(sim.state().v(0)), 1e-12);
  }
  EXPECT_NEAR(sim.state().q(0), 0.5, 1.1e-5);
}

// The same bits for one and two threads, and after a checkpoint was written and read.
TEST(Simulation, ThreadsAndCheckpointsChangeNoBit) {
  Simulation one = make("dominoes", {.threads = 1}), two = make("dominoes", {.threads = 2});
  one.run(0.1);
  two.run(0.1);
  EXPECT_EQ(one.calc_hash(), two.calc_hash());
  Simulation resumed = make("dominoes");
  ASSERT_TRUE(resumed.load_checkpoint(one.save_checkpoint()).has_value());
  one.run(0.05);
  resumed.run(0.05);
  EXPECT_EQ(one.calc_hash(), resumed.calc_hash());
}

// Quaternions become unit with the same bits, wherever in memory they lie.
TEST(Simulation, AStateThatIsSetHasTheSameBitsAnywhere) {
  ModelDescription description;
  for (int k = 0; k < 4; ++k) {
    Body body;
    body.name = "hand_" + std::to_string(k);
    body.kinematic = true;
    description.bodies.push_back(body);
  }
  const Model model = Model::make(std::move(description)).value();
  for (int k = 1; k < 200; ++k) {
    State state = make_state(model);
    ASSERT_EQ(std::ssize(state.kinematic), 4);
    for (KinematicState& motion : state.kinematic)
      motion.pose.q.coeffs() << std::sin(k), std::cos(3.0 * k), 0.3, std::sin(7.0 * k);
    ASSERT_TRUE(validate(model, state).has_value());
    for (const KinematicState& motion : state.kinematic)
      ASSERT_EQ(motion.pose.q.coeffs(), state.kinematic[0].pose.q.coeffs());
  }
}

// A checkpoint that is cut, or of another model, is refused and changes nothing.
TEST(Simulation, RefusesDamagedCheckpoints) {
  Simulation sim = make("incline"), other = make("dominoes");
  sim.run(0.01);
  const std::vector<std::uint8_t> whole = sim.save_checkpoint();
  const std::uint64_t hash = sim.calc_hash();
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{60}, whole.size() - 1}) {
    EXPECT_FALSE(sim.load_checkpoint({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}).has_value());
  }
  EXPECT_FALSE(sim.load_checkpoint(other.save_checkpoint()).has_value());
  EXPECT_EQ(sim.calc_hash(), hash);
}

// A spin whose square is no number: every step says so and leaves the state as it was. It once ended in an exception.
TEST(Simulation, AMotionBeyondAllNumbersIsABreakdown) {
  for (const double spin : {1e100, 1e160, 1e300}) {
    Simulation sim = Simulation::make(Model::make(make_ball(0.1)).value(), {.step = 1e-2}).value();
    State state = sim.state();
    state.v << 0.0, spin, 0.0, spin, -spin, 0.0;
    sim.set_state(state);
    bool failed = false;
    for (int k = 0; k < 10; ++k) {
      const StepReport& report = sim.step();
      failed = failed || report.status == Status::kBreakdown;
      EXPECT_EQ(is_solved(report.status), report.detail.empty()) << report.detail;
      ASSERT_TRUE(sim.state().q.allFinite() && sim.state().v.allFinite()) << spin << ", step " << k;
    }
    EXPECT_TRUE(failed || spin < 1e150) << spin;
  }
}

// 1e300 m/s for 1e10 s: the velocity is a number, the position is not.
TEST(Simulation, APositionBeyondAllNumbersIsABreakdown) {
  ModelDescription d = make_ball(0.1);
  d.gravity.setZero();
  Simulation sim = Simulation::make(Model::make(d).value(), {.step = 1e10}).value();
  State state = sim.state();
  state.v(0) = 1e300;
  sim.set_state(state);
  EXPECT_EQ(sim.step().status, Status::kBreakdown);
  EXPECT_FALSE(sim.report().detail.empty());
  EXPECT_EQ(sim.state().q, state.q);
  EXPECT_EQ(sim.state().v, state.v);
}

// Bodies in one place touch each other all: the step names the setting instead of filling the memory.
TEST(Simulation, MoreContactsThanAllowedAreRefused) {
  ModelDescription d = make_ball(0.1);
  for (Index k = 2; k <= 10; ++k) {
    d.bodies.push_back(d.bodies[1]);
    d.joints.push_back(d.joints[0]);
    d.geoms.push_back(d.geoms[1]);
    d.bodies.back().name = d.geoms.back().name = "ball " + std::to_string(k);
    d.joints.back().body = d.geoms.back().body = k;
  }
  Simulation sim = Simulation::make(Model::make(d).value(), {.step = 1e-3, .most_contacts = 54}).value();
  EXPECT_EQ(sim.step().status, Status::kBreakdown);  // 45 pairs, and the floor under each
  EXPECT_EQ(sim.report().contacts, 55);
  EXPECT_NE(sim.report().detail.find("most_contacts"), std::string::npos);
  EXPECT_TRUE(sim.contacts().empty());
  sim = Simulation::make(Model::make(d).value(), {.step = 1e-3, .most_contacts = 55}).value();
  EXPECT_TRUE(is_solved(sim.step().status));
}

// Options out of range are refused with their name.
TEST(Simulation, RefusesBadOptions) {
  const auto refused = [](SimulationOptions options) {
    return !Simulation::make(Model::make(make_ball(1.0)).value(), std::move(options)).has_value();
  };
  EXPECT_TRUE(refused({.step = -1.0}));
  EXPECT_TRUE(refused({.step = std::nan("")}));
  EXPECT_TRUE(refused({.tolerance = 0.0}));
  EXPECT_TRUE(refused({.threads = 0}));
  EXPECT_TRUE(refused({.margin = -1.0}));
  EXPECT_TRUE(refused({.margin = std::nan("")}));
  EXPECT_TRUE(refused({.margin = 1e9}));
  EXPECT_TRUE(refused({.most_contacts = 0}));
  EXPECT_TRUE(refused({.restitution = 1.5}));
  EXPECT_FALSE(refused({}));
}

}  // namespace
}  // namespace tribo
