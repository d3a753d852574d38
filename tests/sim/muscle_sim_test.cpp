// Muscles and activations in time.
#include <cmath>
#include <numbers>

#include "sim/mjcf_world.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kEarth;
using testing::make_world;

// A weight of 3 kg on a muscle that pulls it up; longer muscles are lower weights.
const std::string kWeight =
    "<option timestep='0.002'/><worldbody><body><joint name='lift' type='slide' axis='0 0 1' range='-0.1 0.1'/>"
    "<geom size='0.05' mass='3'/></body></worldbody>"
    "<actuator><muscle name='pull' joint='lift' gear='-1' force='100'/></actuator>"
    "<sensor><actuatorfrc name='force' actuator='pull'/></sensor>";

// At half activation the muscle carries the weight where its curve says: FL(L) = m g / (F₀ a) on the rising limb.
TEST(MuscleSimulation, HoldsAWeightWhereItsCurveSays) {
  Simulation sim = make_world(kWeight);
  const Muscle& muscle = *sim.model().description().actuators[0].muscle;
  EXPECT_NEAR(muscle.length_lower, -0.1, 1e-12);  // of the joint's range
  EXPECT_NEAR(muscle.length_upper, 0.1, 1e-12);
  sim.actuator("pull").control() = 0.5;
  ASSERT_TRUE(sim.run(5.0));
  EXPECT_NEAR(sim.actuator("pull").activation(), 0.5, 1e-9);
  EXPECT_NEAR(sim.joint("lift").velocity(), 0.0, 1e-6);
  EXPECT_NEAR(sim.sensor("force").value(), -3.0 * kEarth, 1e-4);
  const double L = 1.0 - 0.25 * std::sqrt(2.0 * (1.0 - 3.0 * kEarth / 50.0));
  const double L0 = 0.2 / (muscle.range[1] - muscle.range[0]);
  EXPECT_NEAR(sim.joint("lift").position(), 0.1 - (L - muscle.range[0]) * L0, 1e-6);
}

// Without a control the weight falls to its limit.
TEST(MuscleSimulation, RestsWithoutControl) {
  Simulation sim = make_world(kWeight);
  ASSERT_TRUE(sim.run(1.0));
  EXPECT_NEAR(sim.joint("lift").position(), -0.1, 1e-5);
  EXPECT_EQ(sim.actuator("pull").activation(), 0.0);
}

// Checkpoints hold activations: the motion goes on bit for bit. A state without them starts from zero.
TEST(MuscleSimulation, CheckpointsHoldActivations) {
  Simulation sim = make_world(kWeight);
  sim.actuator("pull").control() = 0.8;
  for (int k = 0; k < 5; ++k) sim.step();
  EXPECT_GT(sim.actuator("pull").activation(), 0.1);
  const std::vector<std::uint8_t> saved = sim.save_checkpoint();
  ASSERT_TRUE(sim.run(0.1));
  const std::uint64_t hash = sim.calc_hash();
  ASSERT_TRUE(sim.load_checkpoint(saved));
  ASSERT_TRUE(sim.run(0.1));
  EXPECT_EQ(sim.calc_hash(), hash);
  State state = sim.state();
  state.activation.resize(0);
  sim.set_state(state);
  EXPECT_EQ(sim.actuator("pull").activation(), 0.0);
}

// Two weights on one string over a drum: the heavier one falls, as Atwood's machine says, and the string keeps its length.
TEST(TendonSimulation, AtwoodsMachine) {
  const std::string text =
      "<option timestep='0.001'/><worldbody><geom name='drum' type='cylinder' size='0.2 0.1' euler='90 0 0' "
      "contype='0' "
      "conaffinity='0'/><site name='up' pos='0 0 0.5'/>"
      "<body pos='-0.2 0 -1'><joint name='left' type='slide' axis='0 0 1'/><geom size='0.05' mass='2'/><site "
      "name='a'/></body>"
      "<body pos='0.2 0 -1'><joint name='right' type='slide' axis='0 0 1'/><geom size='0.05' mass='3'/><site "
      "name='b'/></body>"
      "</worldbody><tendon><spatial name='rope'><site site='a'/><geom geom='drum' sidesite='up'/><site "
      "site='b'/></spatial>"
      "</tendon><equality><tendon tendon1='rope'/></equality><sensor><tendonpos name='length' tendon='rope'/></sensor>";
  Simulation sim = make_world(text);
  const double length = sim.sensor("length").value();
  EXPECT_NEAR(length, 2.0 + 0.2 * std::numbers::pi, 1e-12);
  ASSERT_TRUE(sim.run(0.3));
  const double a = kEarth * (3.0 - 2.0) / (3.0 + 2.0);
  EXPECT_NEAR(sim.joint("left").velocity(), 0.3 * a, 1e-6);
  EXPECT_NEAR(sim.joint("right").velocity(), -0.3 * a, 1e-6);
  EXPECT_NEAR(sim.sensor("length").value(), length, 1e-9);
}

}  // namespace
}  // namespace tribo
