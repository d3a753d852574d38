// Parts by name.
#include "tribo/core/assert.hpp"
#include "tribo/multibody/names.hpp"

#include "sim/mjcf_world.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::make_world;

const std::string kArm =
    "<worldbody><body name='upper'><joint name='shoulder' axis='0 1 0'/><geom name='bone' size='0.1' pos='0.2 0 0'/>"
    "<body name='lower' pos='0.5 0 0'><joint name='elbow' axis='0 1 0'/><geom size='0.1' pos='0.2 0 0'/>"
    "<site name='tip' pos='0.5 0 0'/></body></body><body name='ball' pos='0 0 5'><joint name='socket' type='ball'/>"
    "<geom size='0.1'/></body></worldbody><actuator><position name='elbow_servo' joint='elbow' kp='30' "
    "kv='3'/></actuator>"
    "<sensor><jointpos name='angle' joint='elbow'/><framepos name='where' objtype='site' objname='tip'/></sensor>";

// What a handle tells is what the arrays hold, before and after steps, and after the simulation has moved.
TEST(Named, HandlesFollowTheState) {
  Simulation first = make_world(kArm);
  JointHandle elbow = first.joint("elbow");
  FrameHandle tip = first.site("tip"), lower = first.body("lower"), bone = first.geom("bone");
  ActuatorHandle servo = first.actuator("elbow_servo");
  EXPECT_LT((tip.position() - Vector3d(1.0, 0.0, 0.0)).norm(), 1e-15);
  EXPECT_LT((bone.position() - Vector3d(0.2, 0.0, 0.0)).norm(), 1e-15);
  servo.control() = -1.0;
  Simulation sim = std::move(first);
  ASSERT_TRUE(sim.run(0.2));
  EXPECT_EQ(elbow.position(), sim.state().q(1));
  EXPECT_EQ(elbow.velocity(), sim.state().v(1));
  EXPECT_EQ(sim.control()(0), -1.0);
  EXPECT_EQ(sim.sensor("angle").value(), elbow.position());
  EXPECT_LT((sim.sensor("where").values() - tip.position()).norm(), 1e-15);
  EXPECT_EQ(lower.body(), lower.index());
  // The tip turns with the lower arm about its joint.
  const Vector3d arm = tip.position() - lower.position();
  EXPECT_LT((tip.velocity() - lower.velocity() - lower.angular_velocity().cross(arm)).norm(), 1e-12);
  EXPECT_EQ(elbow.description().name, "elbow");
}

// Generalized forces by name: they are those of applied().
TEST(Named, ForcesAreApplied) {
  Simulation sim = make_world(kArm);
  sim.joint("shoulder").applied()(0) = 2.5;
  EXPECT_EQ(sim.applied()(0), 2.5);
  sim.joint("socket").applied() = Vector3d(1.0, 2.0, 3.0);
  EXPECT_EQ(sim.applied()(4), 3.0);
  EXPECT_EQ(sim.joint("socket").q().size(), 4);
  EXPECT_THROW(sim.joint("socket").position(), ContractError);
  EXPECT_THROW(sim.sensor("where").value(), ContractError);
}

// A name that is not there: the message has the nearest ones first.
TEST(Named, UnknownNamesHearOfNearOnes) {
  Simulation sim = make_world(kArm);
  try {
    sim.joint("elbwo");
    FAIL();
  } catch (const ContractError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("there is no joint 'elbwo'"), std::string::npos) << text;
    EXPECT_NE(text.find("nearest: 'elbow'"), std::string::npos) << text;
  }
  EXPECT_THROW(sim.body("elbow"), ContractError);
  EXPECT_THROW(sim.site(""), ContractError);
  EXPECT_THROW(sim.geom("bon"), ContractError);
  EXPECT_THROW(sim.actuator("elbow"), ContractError);
  EXPECT_THROW(sim.sensor("angel"), ContractError);
  const Expected<Index> none = find_part(sim.model(), Part::kTendon, "rope");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().text().find("none has a name"), std::string::npos) << none.error().text();
  EXPECT_EQ(find_part(sim.model(), Part::kBody, "ball").value(), 3);
}

}  // namespace
}  // namespace tribo
