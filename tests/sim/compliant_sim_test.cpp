// Contacts with the stiffness of real materials.
#include "tribo/problem/contact_law.hpp"

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A ball of steel on steel sinks in as Hertz computed: F = (4/3) E* √r d^{3/2}.
TEST(CompliantContacts, SinkInAsHertzSays) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  testing::add_sphere(d, 0.1, 1.0, 0.5, Vector3d(0.0, 0.0, 0.1));
  Simulation sim = testing::make_simulation(d, {.step = 1e-2, .compliant = true});
  for (int k = 0; k < 200; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  const Material steel = find_material("steel").value();
  const double depth = ForceLaw::hertz(calc_effective_modulus(steel, steel), 0.1).depth_of(9.81);
  EXPECT_NEAR(0.1 - sim.state().q(2), depth, 1e-11);  // rest is what moves less than 1e-8 of h g
  EXPECT_EQ(sim.report().pivots + sim.report().sweeps, 0);
}

// A cylinder that stands on its face is a flat punch, F = 2 E* a d, and not a ball.
TEST(CompliantContacts, StandOnFacesAsPunches) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  const Vector3d moments = 50.0 * Vector3d(0.25 * 0.01 + 0.04 / 3.0, 0.25 * 0.01 + 0.04 / 3.0, 0.5 * 0.01);
  const Index body =
      testing::add_free_body(d, {50.0, Vector3d::Zero(), moments.asDiagonal()}, {.p = Vector3d(0.0, 0.0, 0.2)});
  testing::add_geom(d, body, {ShapeType::kCylinder, Vector3d(0.1, 0.2, 0.0), -1}, 0.5);
  Simulation sim = testing::make_simulation(d, {.step = 1e-2, .compliant = true});
  for (int k = 0; k < 200; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  const Material steel = find_material("steel").value();
  const double depth = 50.0 * 9.81 / (2.0 * calc_effective_modulus(steel, steel) * 0.1);
  EXPECT_NEAR(0.2 - sim.state().q(2), depth, 0.01 * depth);
}

// What is soft gives way more, as the moduli say, and comes to rest all the same.
TEST(CompliantContacts, FollowTheMaterialThatIsNamed) {
  const auto sink = [](const std::string& material) {
    ModelDescription d;
    testing::add_floor(d, 0.5);
    testing::add_box(d, Vector3d::Constant(0.1), 8.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.1)});
    Simulation sim = testing::make_simulation(d, {.step = 2e-3, .compliant = true, .material = material});
    for (int k = 0; k < 500; ++k) EXPECT_EQ(sim.step().status, Status::kSolved);
    return 0.1 - sim.state().q(2);
  };
  const Material steel = find_material("steel").value(), rubber = find_material("rubber").value();
  const double ratio = calc_effective_modulus(steel, steel) / calc_effective_modulus(rubber, rubber);
  EXPECT_NEAR(sink("rubber") / sink("steel"), ratio, 1e-3 * ratio);
}

// A stack of steel boxes stands at steps of 10 ms, without creep and without a pivot once it rests.
TEST(CompliantContacts, HoldAStackAtLargeSteps) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  for (int k = 0; k < 5; ++k)
    testing::add_box(d, Vector3d::Constant(0.1), 8.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.1 + 0.2 * k)});
  Simulation sim = testing::make_simulation(d, {.step = 1e-2, .compliant = true});
  for (int k = 0; k < 300; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  const VectorXd settled = sim.state().q;
  for (int k = 0; k < 300; ++k) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    ASSERT_EQ(sim.report().pivots + sim.report().sweeps, 0);
  }
  EXPECT_EQ((sim.state().q - settled).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_NEAR(sim.state().q(4 * 7 + 2), 0.9, 1e-6);
}

// Along the tangents springs give way too, by Mindlin's 2 (1 − ν)/(2 − ν) of the normal stiffness, and keep what stretched them:
// a plate that is pushed moves by F/k and stays there, and comes back when the push ends.
TEST(CompliantContacts, GiveWayAlongTangentsWithoutCreep) {
  ModelDescription d;
  testing::add_floor(d, 0.8);
  testing::add_box(d, Vector3d(0.2, 0.2, 0.01), 10.0, 0.8, {.p = Vector3d(0.0, 0.0, 0.01)});
  Simulation sim = testing::make_simulation(d, {.step = 2e-3, .compliant = true, .material = "rubber"});
  for (int k = 0; k < 500; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  const double x0 = sim.state().q(0), sunk = 0.01 - sim.state().q(2);
  sim.applied()(0) = 20.0;  // of 78 N that would slip
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  const double x1 = sim.state().q(0), nu = find_material("rubber").value().poisson;
  const double expected = 20.0 / (10.0 * 9.81 / sunk) * (2.0 - nu) / (2.0 * (1.0 - nu));
  EXPECT_NEAR(x1 - x0, expected, 0.05 * expected);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  EXPECT_LT(std::abs(sim.state().q(0) - x1), 1e-6 * expected);
  sim.applied()(0) = 0.0;
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  EXPECT_LT(std::abs(sim.state().q(0) - x0), 0.02 * expected);
}

// A foot without mass of its own carries its robot: stiffness follows the load, not the part that touches.
TEST(CompliantContacts, FeetCarryTheirRobot) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  const Index robot = testing::add_box(d, Vector3d::Constant(0.1), 50.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.2)});
  d.geoms.back().contype = d.geoms.back().conaffinity = 0;
  Body foot;
  foot.name = "foot";
  foot.parent = robot;
  foot.pose.p = Vector3d(0.0, 0.0, -0.1);
  d.bodies.push_back(foot);
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1})
      testing::add_geom(d, 2, {ShapeType::kSphere, Vector3d(0.1, 0.0, 0.0), -1}, 0.5, {.p = Vector3d(x, y, 0.0)});
  }
  Simulation sim = testing::make_simulation(d, {.step = 1e-2, .compliant = true});
  for (int k = 0; k < 100; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  const Material steel = find_material("steel").value();
  const double depth = ForceLaw::hertz(calc_effective_modulus(steel, steel), 0.1).depth_of(0.25 * 50.0 * 9.81);
  EXPECT_NEAR(0.2 - sim.state().q(2), depth, 1e-3 * depth);
}

// Bodies that start inside one another are thrown out at the speed that the steps ask for, or at the one that is allowed.
TEST(CompliantContacts, PushOutNoFasterThanAllowed) {
  const auto launch = [](double most) {
    ModelDescription d;
    testing::add_floor(d, 0.5);
    testing::add_box(d, Vector3d::Constant(0.1), 8.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.09)});
    SimulationOptions options{.step = 1e-3, .compliant = true};
    options.push_out_speed = most;
    Simulation sim = testing::make_simulation(d, options);
    double fastest = 0.0;
    for (int k = 0; k < 50; ++k) {
      EXPECT_EQ(sim.step().status, Status::kSolved);
      fastest = std::max(fastest, sim.state().v(2));
    }
    return fastest;
  };
  EXPECT_NEAR(launch(std::numeric_limits<double>::infinity()), 10.0, 0.1);
  EXPECT_LT(launch(0.1), 0.11);
}

// A material that nobody knows, and a model that has no springs, are refused with what to give instead.
TEST(CompliantContacts, RefuseWhatIsNotThere) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  testing::add_sphere(d, 0.1, 1.0, 0.5, Vector3d(0.0, 0.0, 0.1));
  const Model model = Model::make(d).value();
  const auto unknown = Simulation::make(model, {.step = 1e-2, .compliant = true, .material = "cheese"});
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().text().find("rubber"), std::string::npos);
  EXPECT_FALSE(Simulation::make(model, {.model = NoSlip{}, .step = 1e-2, .compliant = true}).has_value());
}

// A body that turns more than a radian in a step is reported: no method follows it.
TEST(CompliantContacts, SayWhenABodyTurnsTooFar) {
  ModelDescription d;
  d.gravity.setZero();
  testing::add_sphere(d, 0.1, 1.0, 0.5, Vector3d(0.0, 0.0, 1.0));
  Simulation sim = testing::make_simulation(d, {.step = 1e-2, .compliant = true});
  State state = sim.state();
  state.v(5) = 150.0;
  sim.set_state(state);
  EXPECT_NEAR(sim.step().turn, 1.5, 1e-9);
}

}  // namespace
}  // namespace tribo
