// Sensors beside what the laws of mechanics say of simple worlds.
#include <cmath>
#include <numbers>

#include "sim/mjcf_world.hpp"
#include "sim/zone.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kEarth;
using testing::make_world;

std::string box_on_floor(const std::string& sensors) {
  return "<option timestep='0.002'/><worldbody><geom name='floor' type='plane' size='0 0 1'/>"
         "<body name='box' pos='0 0 0.1'><freejoint name='base'/><geom type='box' size='0.2 0.15 0.1' mass='3'/>"
         "<site name='sole' pos='0 0 -0.1' type='box' size='0.2 0.15 0.01'/>"
         "<site name='edge' pos='0.2 0 -0.1' type='box' size='0.01 0.2 0.01'/>"
         "<site name='lid' pos='0 0 0.1' type='box' size='0.2 0.15 0.01'/>"
         "<site name='tilted' pos='0.1 0 0' euler='90 0 0'/></body></worldbody><sensor>" +
         sensors + "</sensor>";
}

// A box at rest: the floor carries m g, half of it at one edge, and nothing touches the lid, since normals lead away from it.
TEST(Sensors, TouchIsTheWeight) {
  Simulation sim = make_world(
      box_on_floor("<touch name='sole' site='sole'/><touch name='edge' site='edge'/><touch name='lid' site='lid'/>"
                   "<touch name='cut' site='sole' cutoff='5'/>"));
  EXPECT_EQ(sim.sensor("sole").value(), 0.0);
  ASSERT_TRUE(sim.run(0.1));
  EXPECT_NEAR(sim.sensor("sole").value(), 3.0 * kEarth, 1e-6);
  EXPECT_NEAR(sim.sensor("edge").value(), 1.5 * kEarth, 1e-6);
  EXPECT_EQ(sim.sensor("lid").value(), 0.0);
  EXPECT_EQ(sim.sensor("cut").value(), 5.0);
}

// At rest an accelerometer reads + g upward, in its own axes; in free fall nothing.
TEST(Sensors, AccelerometerFeelsWhatHoldsIt) {
  Simulation sim =
      make_world(box_on_floor("<accelerometer name='a' site='sole'/><accelerometer name='b' site='tilted'/>"));
  ASSERT_TRUE(sim.run(0.1));
  EXPECT_LT((sim.sensor("a").values() - Vector3d(0.0, 0.0, kEarth)).norm(), 1e-7);
  EXPECT_LT((sim.sensor("b").values() - Vector3d(0.0, kEarth, 0.0)).norm(), 1e-7);
  State state = sim.state();
  state.q(2) = 50.0;
  sim.set_state(state);
  EXPECT_EQ(sim.sensor("a").values().norm(), 0.0);  // no step has led here
  sim.step();
  EXPECT_LT(sim.sensor("a").values().norm(), 1e-9);
}

// A wheel that turns at a constant rate: gyro ω, centripetal acceleration ω² r inward, speed ω r, frames by hand.
TEST(Sensors, OnATurningWheel) {
  const std::string text =
      "<option timestep='1e-5' gravity='0 0 0'/><worldbody><body name='wheel'><joint name='axle' axis='0 0 1'/>"
      "<geom type='sphere' size='0.1' mass='2'/><site name='rim' pos='0.5 0 0'/></body>"
      "<site name='post' pos='1 0 0' euler='0 0 90'/></worldbody><sensor>"
      "<gyro name='gyro' site='rim'/><accelerometer name='acc' site='rim'/><velocimeter name='speed' site='rim'/>"
      "<framepos name='p' objtype='site' objname='rim'/><framepos name='p_post' objtype='site' objname='rim' "
      "reftype='site' refname='post'/><framequat name='q' objtype='xbody' objname='wheel'/>"
      "<framelinvel name='v' objtype='site' objname='rim'/><frameangvel name='w' objtype='body' objname='wheel'/>"
      "<framelinvel name='v_own' objtype='site' objname='post' reftype='site' refname='rim'/>"
      "<framexaxis name='x' objtype='site' objname='rim'/><jointpos name='angle' joint='axle'/>"
      "<jointvel name='rate' joint='axle'/><subtreecom name='com' body='wheel'/><clock name='t'/></sensor>";
  Simulation sim = make_world(text);
  State state = sim.state();
  state.v(0) = 4.0;
  sim.set_state(state);
  EXPECT_EQ(sim.sensor("rate").value(), 4.0);
  ASSERT_TRUE(sim.run(0.1));
  const double angle = 0.4;
  const Vector3d out(std::cos(angle), std::sin(angle), 0.0), along(-std::sin(angle), std::cos(angle), 0.0);
  const auto near = [&](const char* name, const Vector3d& want, double error) {
    EXPECT_LT((sim.sensor(name).values() - want).norm(), error)
        << name << ": " << sim.sensor(name).values().transpose();
  };
  EXPECT_EQ(sim.sensor("angle").value(), sim.joint("axle").position());
  EXPECT_NEAR(sim.sensor("angle").value(), angle, 1e-9);
  EXPECT_EQ(sim.sensor("t").value(), sim.time());
  near("gyro", Vector3d(0.0, 0.0, 4.0), 1e-9);
  near("speed", Vector3d(0.0, 2.0, 0.0), 1e-9);
  near("acc", Vector3d(-8.0, 0.0, 0.0), 1e-3);  // a mean over the step: first order
  near("p", 0.5 * out, 1e-9);
  near("p_post", Vector3d((0.5 * out).y(), 1.0 - (0.5 * out).x(), 0.0), 1e-9);  // the post's x axis is the world's y
  near("v", 2.0 * along, 1e-9);
  near("w", Vector3d(0.0, 0.0, 4.0), 1e-9);
  // Seen from the rim, the post turns the other way round the axle.
  const Vector3d seen = -4.0 * Vector3d::UnitZ().cross(Vector3d::UnitX());
  near("v_own", Vector3d(seen.dot(out), seen.dot(along), 0.0), 1e-8);
  near("x", out, 1e-9);
  near("com", Vector3d::Zero(), 1e-12);
  EXPECT_NEAR(sim.sensor("q").values()(3), std::sin(angle / 2.0), 1e-9);
}

// A beam welded to a carriage, with a weight at its end: the carriage carries m g and its moment, and m a when it is driven.
TEST(Sensors, ForceAndTorqueComeFromTheParent) {
  const std::string text =
      "<option timestep='0.001'/><worldbody><body name='cart'><joint name='rail' type='slide' axis='1 0 0'/>"
      "<geom type='sphere' size='0.1' mass='1'/><body name='beam' pos='0 0 0.2'><site name='root'/>"
      "<geom type='sphere' size='0.05' pos='0 0.4 0' mass='2'/><body name='tip' pos='0 1 0'>"
      "<geom type='sphere' size='0.05' mass='0.5'/></body></body></body></worldbody>"
      "<actuator><motor name='drive' joint='rail' gear='2'/></actuator>"
      "<sensor><force name='f' site='root'/><torque name='t' site='root'/><actuatorfrc name='motor' "
      "actuator='drive'/></sensor>";
  Simulation sim = make_world(text);
  sim.actuator("drive").control() = 7.0;
  ASSERT_TRUE(sim.run(0.05));
  const double a = 14.0 / 3.5;
  EXPECT_NEAR(sim.joint("rail").velocity(), 0.05 * a, 1e-12);
  EXPECT_LT((sim.sensor("f").values() - Vector3d(2.5 * a, 0.0, 2.5 * kEarth)).norm(), 1e-8);
  const double arm = 2.0 * 0.4 + 0.5 * 1.0;  // kg m
  EXPECT_LT((sim.sensor("t").values() - Vector3d(arm * kEarth, 0.0, -arm * a)).norm(), 1e-8)
      << sim.sensor("t").values().transpose();
  EXPECT_NEAR(sim.sensor("motor").value(), 7.0, 1e-12);
}

// A plank on a hinge that lies on the floor: contacts are no part of what the hinge gives, together they carry the weight.
TEST(Sensors, ForceLeavesContactsOut) {
  const std::string text =
      "<option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1' condim='1'/><body name='plank' pos='0 0 "
      "0.05'>"
      "<joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 1 0 0' size='0.05' mass='4' condim='1'/>"
      "<site name='hinge'/></body></worldbody><sensor><force name='f' site='hinge'/></sensor>";
  Simulation held = make_world(text);
  ASSERT_TRUE(held.run(0.2));
  double floor = 0.0;
  for (const ContactRecord& contact : held.contacts()) floor += contact.impulse(2) / held.h();
  ASSERT_GT(floor, 1.0);
  EXPECT_NEAR(held.sensor("f").values()(2) + floor, 4.0 * kEarth, 1e-6);
}

// Two bodies that are welded by an equality instead of a joint: the weld's impulse is outside of both, so the free one feels no parent.
TEST(Sensors, WeldsAreOutside) {
  const std::string text =
      "<option timestep='0.002'/><worldbody><body name='a'><joint type='slide' axis='0 0 1'/><geom size='0.1' "
      "mass='1'/></body>"
      "<body name='b' pos='0.5 0.3 0'><freejoint/><geom size='0.1' mass='2'/><site name='s' pos='0.1 0 "
      "0'/></body></worldbody>"
      "<equality><weld body1='a' body2='b'/></equality>"
      "<sensor><force name='f' site='s'/><torque name='t' site='s'/></sensor>";
  Simulation sim = make_world(text);
  ASSERT_TRUE(sim.run(0.05));
  EXPECT_LT(sim.sensor("f").values().norm(), 1e-7) << sim.sensor("f").values().transpose();
  EXPECT_LT(sim.sensor("t").values().norm(), 1e-7) << sim.sensor("t").values().transpose();
}

// The force of a stiff servo is that which the implicit step applied: it carries the weight at rest, at any step.
TEST(Sensors, ActuatorForceIsTheOneApplied) {
  const std::string text =
      "<option timestep='0.01'/><worldbody><body><joint name='lift' type='slide' axis='0 0 1'/><geom size='0.1' "
      "mass='2'/>"
      "</body></worldbody><actuator><position name='servo' joint='lift' kp='1e6' kv='100'/></actuator>"
      "<sensor><actuatorfrc name='f' actuator='servo'/><actuatorpos name='l' actuator='servo'/></sensor>";
  Simulation sim = make_world(text);
  double before = 0.0;
  for (int k = 0; k < 5; ++k) {
    before = sim.state().v(0);
    sim.step();
    EXPECT_NEAR(sim.sensor("f").value(), 2.0 * ((sim.state().v(0) - before) / 0.01 + kEarth), 1e-8) << k;
  }
  ASSERT_TRUE(sim.run(1.0));
  EXPECT_NEAR(sim.sensor("f").value(), 2.0 * kEarth, 1e-6);
  EXPECT_EQ(sim.sensor("l").value(), sim.state().q(0));
}

// Readings follow the state that is set or loaded, and change no bit of the motion.
TEST(Sensors, ChangeNothing) {
  Simulation plain = make_world(box_on_floor(""));
  Simulation sensed =
      make_world(box_on_floor("<touch site='sole'/><accelerometer site='tilted'/><force site='sole'/>"));
  for (int k = 0; k < 50; ++k) {
    plain.step();
    sensed.step();
  }
  EXPECT_EQ(plain.calc_hash(), sensed.calc_hash());
  EXPECT_EQ(plain.sensors().size(), 0);
  EXPECT_EQ(sensed.sensors().size(), 7);
}

// Rays into every shape that a zone may have: ahead, behind, past it, from inside.
TEST(Zone, RaysMeetShapes) {
  for (const ShapeType type :
       {ShapeType::kSphere, ShapeType::kCapsule, ShapeType::kEllipsoid, ShapeType::kCylinder, ShapeType::kBox}) {
    const Shape zone{type, Vector3d(0.5, type == ShapeType::kSphere ? 0.0 : 0.5, 0.5), -1};
    const Vector3d x = Vector3d::UnitX(), z = Vector3d::UnitZ();
    EXPECT_TRUE(meets_zone(zone, {-2.0, 0.0, 0.0}, x)) << name_of(type);
    EXPECT_FALSE(meets_zone(zone, {2.0, 0.0, 0.0}, x)) << name_of(type);
    EXPECT_TRUE(meets_zone(zone, {0.1, 0.0, 0.2}, x)) << name_of(type);
    EXPECT_FALSE(meets_zone(zone, {-2.0, 0.6, 0.0}, x)) << name_of(type);
    EXPECT_TRUE(meets_zone(zone, {0.0, 0.0, -3.0}, z)) << name_of(type);
    EXPECT_FALSE(meets_zone(zone, {0.0, 0.6, -3.0}, z)) << name_of(type);
    const bool long_one = type == ShapeType::kCapsule;  // its caps reach beyond the half length
    EXPECT_EQ(meets_zone(zone, {-2.0, 0.0, 0.9}, x), long_one) << name_of(type);
  }
}

}  // namespace
}  // namespace tribo
