#include <cmath>
#include <numbers>

#include "io/mjcf_testing.hpp"

namespace tribo {
namespace {

using testing::model_of;
using testing::refusal;
using testing::world;

constexpr double kDegree = std::numbers::pi / 180.0;

bool near(const Quaterniond& a, const Quaterniond& b) { return std::abs(std::abs(a.dot(b)) - 1.0) < 1e-15; }

Quaterniond orientation(const std::string& attribute, const std::string& compiler = "") {
  return model_of("<compiler " + compiler + "/>" + world("<body " + attribute + "/>")).bodies[1].pose.q;
}

// The five ways to write a rotation mean the same rotation; angles are degrees unless the file says radian.
TEST(MjcfBody, ReadsEveryKindOfOrientation) {
  const Quaterniond quarter(Eigen::AngleAxisd(90.0 * kDegree, Vector3d::UnitX()));
  EXPECT_TRUE(near(orientation("quat='2 2 0 0'"), quarter));
  EXPECT_TRUE(near(orientation("axisangle='3 0 0 90'"), quarter));
  EXPECT_TRUE(near(orientation("axisangle='3 0 0 1.5707963267948966'", "angle='radian'"), quarter));
  EXPECT_TRUE(near(orientation("xyaxes='1 0 0 1 0 5'"), quarter));
  EXPECT_TRUE(near(orientation("zaxis='0 -2 0'"), quarter));
  EXPECT_TRUE(near(orientation("euler='90 0 0'"), quarter));
  EXPECT_TRUE(near(orientation("zaxis='0 0 -1'"), Quaterniond(0.0, 1.0, 0.0, 0.0)));
}

// Small letters turn about axes that move along, large ones about fixed axes.
TEST(MjcfBody, TurnsInTheSequenceOfEuler) {
  const Quaterniond x(Eigen::AngleAxisd(0.1, Vector3d::UnitX())), y(Eigen::AngleAxisd(0.2, Vector3d::UnitY())),
      z(Eigen::AngleAxisd(0.3, Vector3d::UnitZ()));
  EXPECT_TRUE(near(orientation("euler='.1 .2 .3'", "angle='radian'"), x * y * z));
  EXPECT_TRUE(near(orientation("euler='.1 .2 .3'", "angle='radian' eulerseq='XYZ'"), z * y * x));
  EXPECT_TRUE(near(orientation("euler='.3 .2 .1'", "angle='radian' eulerseq='zYx'"), y * z * x));
}

// Frames move what they hold, joints' axes and anchors included, and vanish.
TEST(MjcfBody, FramesMoveTheirContents) {
  const ModelDescription model = model_of(world(
      "<body><frame pos='1 0 0' euler='0 0 90'><joint name='j' axis='1 0 0' pos='0 1 0'/><geom size='1' pos='2 0 0'/>"
      "<body name='child' pos='0 0 1'/><frame pos='0 0 5'><site pos='1 0 0'/></frame></frame></body>"));
  EXPECT_LT((model.joints[0].axis - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_LT((model.joints[0].anchor - Vector3d::Zero()).norm(), 1e-15);
  EXPECT_LT((model.geoms[0].pose.p - Vector3d(1.0, 2.0, 0.0)).norm(), 1e-15);
  EXPECT_LT((model.bodies[2].pose.p - Vector3d(1.0, 0.0, 1.0)).norm(), 1e-15);
  EXPECT_LT((model.sites[0].pose.p - Vector3d(1.0, 1.0, 5.0)).norm(), 1e-15);
}

// Bodies are numbered depth first; a body's own geoms come before its children's wherever they stand in the file.
TEST(MjcfBody, NumbersByBodyDepthFirst) {
  const ModelDescription model =
      model_of(world("<body name='a'><body name='b'><geom name='gb' size='1'/></body><geom name='ga' size='1'/></body>"
                     "<body name='c'/><geom name='gw' size='1'/>"));
  ASSERT_EQ(model.bodies.size(), 4u);
  EXPECT_EQ(model.bodies[2].name, "b");
  EXPECT_EQ(model.bodies[2].parent, 1);
  EXPECT_EQ(model.bodies[3].parent, 0);
  EXPECT_EQ(model.geoms[0].name, "gw");
  EXPECT_EQ(model.geoms[1].name, "ga");
  EXPECT_EQ(model.geoms[2].name, "gb");
}

// Angles of hinges are degrees, lengths of slides are not; limits hold where there is a range.
TEST(MjcfJoint, ReadsAnglesAndLimits) {
  const ModelDescription model = model_of(world(
      "<body><joint axis='0 3 0' range='-90 180' ref='30' springref='60' stiffness='4' damping='.5' armature='.1' "
      "frictionloss='.2'/><joint type='slide' range='-1 2' limited='false' ref='.3'/><geom size='1'/></body>"));
  const Joint& hinge = model.joints[0];
  EXPECT_EQ(hinge.axis, Vector3d::UnitY());
  EXPECT_TRUE(hinge.limited);
  EXPECT_DOUBLE_EQ(hinge.lower, -90.0 * kDegree);
  EXPECT_DOUBLE_EQ(hinge.upper, 180.0 * kDegree);
  EXPECT_DOUBLE_EQ(hinge.reference, 30.0 * kDegree);
  EXPECT_DOUBLE_EQ(hinge.spring_reference, 60.0 * kDegree);
  EXPECT_EQ(hinge.stiffness, 4.0);
  EXPECT_EQ(hinge.damping, 0.5);
  EXPECT_EQ(hinge.armature, 0.1);
  EXPECT_EQ(hinge.friction_loss, 0.2);
  EXPECT_FALSE(model.joints[1].limited);
  EXPECT_EQ(model.joints[1].reference, 0.3);
}

// Without autolimits a range alone is ambiguous, and MuJoCo refuses it too.
TEST(MjcfJoint, WantsALimitedWordWithoutAutolimits) {
  EXPECT_NE(refusal("<compiler autolimits='false'/>" + world("<body><joint range='0 1'/><geom size='1'/></body>"))
                .find("limited"),
            std::string::npos);
}

// Combinations of joints that have no meaning are named with their body.
TEST(MjcfJoint, RefusesImpossibleJoints) {
  const std::string mass = "<geom size='1'/>";
  EXPECT_NE(refusal(world("<body name='arm'><freejoint/><joint/>" + mass + "</body>")).find("body[arm]"),
            std::string::npos);
  EXPECT_NE(refusal(world("<body><body name='arm'><freejoint/>" + mass + "</body></body>")).find("free joint"),
            std::string::npos);
  EXPECT_NE(refusal(world("<body><joint type='ball'/><joint/>" + mass + "</body>")).find("ball"), std::string::npos);
  EXPECT_NE(refusal(world("<body><joint axis='0 0 0'/>" + mass + "</body>")).find("attribute axis"), std::string::npos);
  EXPECT_NE(refusal(world("<body><joint range='2 1'/>" + mass + "</body>")).find("attribute range"), std::string::npos);
  EXPECT_NE(refusal(world("<joint/>")).find("world"), std::string::npos);
  EXPECT_NE(refusal(world("<body mocap='true'><joint/>" + mass + "</body>")).find("mocap"), std::string::npos);
}

// Classes are inherited from the outermost inward, through childclass and frames, and overruled by the element.
TEST(MjcfDefaults, LayersClassesAndChildclasses) {
  const ModelDescription model = model_of(
      "<default><geom size='1' friction='.1 .2 .3'/><default class='a'><geom friction='.4' group='2'/>"
      "<default class='b'><geom size='3'/></default></default></default>" +
      world("<geom/><body childclass='a'><geom/><geom class='b'/><geom friction='.7 .8'/><frame childclass='b'><geom/>"
            "</frame><body><geom class='main'/></body></body>"));
  EXPECT_EQ(model.geoms[0].shape.size.x(), 1.0);
  EXPECT_EQ(model.geoms[0].friction, Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(model.geoms[1].friction, Vector3d(0.4, 0.2, 0.3));
  EXPECT_EQ(model.geoms[1].group, 2);
  EXPECT_EQ(model.geoms[2].shape.size.x(), 3.0);
  EXPECT_EQ(model.geoms[2].friction, Vector3d(0.4, 0.2, 0.3));
  EXPECT_EQ(model.geoms[3].friction, Vector3d(0.7, 0.8, 0.3));
  EXPECT_EQ(model.geoms[4].shape.size.x(), 3.0);
  EXPECT_EQ(model.geoms[5].group, 0);
  EXPECT_NE(refusal("<default><default class='arm'/></default>" + world("<geom class='arn' size='1'/>")).find("'arm'"),
            std::string::npos);
}

// Words that MJCF does not have are errors, with the word that was meant.
TEST(MjcfSchema, RefusesUnknownWords) {
  EXPECT_NE(refusal(world("<body><geom size='1' frictoin='1'/></body>")).find("did you mean 'friction'?"),
            std::string::npos);
  EXPECT_NE(refusal(world("<bdy/>")).find("did you mean 'body'?"), std::string::npos);
  EXPECT_NE(refusal("<actuator><motor kp='1' joint='j'/></actuator>").find("'kp'"), std::string::npos);
}

}  // namespace
}  // namespace tribo
