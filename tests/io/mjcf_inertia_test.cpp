#include <cmath>
#include <numbers>

#include "io/mjcf_testing.hpp"

namespace tribo {
namespace {

using testing::model_of;
using testing::refusal;
using testing::world;

MassProperties inertia_of(const std::string& body, const std::string& compiler = "") {
  return model_of("<compiler " + compiler + "/>" + world("<body>" + body + "</body>")).bodies[1].inertia;
}

// An <inertial> counts alone, in its own frame; geoms count only where there is none.
TEST(MjcfInertia, TakesTheInertialBeforeTheGeoms) {
  const MassProperties given =
      inertia_of("<inertial pos='1 2 3' euler='0 0 90' mass='2' diaginertia='1 2 2.5'/><geom size='1'/>");
  EXPECT_EQ(given.mass, 2.0);
  EXPECT_EQ(given.com, Vector3d(1.0, 2.0, 3.0));
  EXPECT_LT((given.inertia - Matrix3d(Vector3d(2.0, 1.0, 2.5).asDiagonal())).norm(), 1e-14);
  const MassProperties full = inertia_of("<inertial pos='0 0 0' mass='2' fullinertia='3 2 2.5 .1 .2 .3'/>");
  EXPECT_EQ(full.inertia(0, 1), 0.1);
  EXPECT_EQ(full.inertia(0, 2), 0.2);
  EXPECT_EQ(full.inertia(1, 2), 0.3);
  const MassProperties forced = inertia_of(
      "<inertial pos='1 2 3' mass='2' diaginertia='1 2 2.5'/><geom size='1' mass='7'/>", "inertiafromgeom='true'");
  EXPECT_DOUBLE_EQ(forced.mass, 7.0);
}

// Two balls on an axis: the sum of masses, the centre between them, and the parallel-axis theorem.
TEST(MjcfInertia, AddsGeoms) {
  const MassProperties sum = inertia_of(
      "<geom size='.1' mass='1' pos='-1 0 0'/><geom size='.1' mass='3' pos='1 0 0'/>"
      "<geom size='.5' mass='0'/><geom size='.5' group='4'/>",
      "inertiagrouprange='0 3'");
  EXPECT_DOUBLE_EQ(sum.mass, 4.0);
  EXPECT_LT((sum.com - Vector3d(0.5, 0.0, 0.0)).norm(), 1e-15);
  const double ball = 0.4 * 4.0 * 0.01;
  EXPECT_NEAR(sum.inertia(0, 0), ball, 1e-15);
  EXPECT_NEAR(sum.inertia(1, 1), ball + 1.0 * 2.25 + 3.0 * 0.25, 1e-14);
}

// The default density is that of water.
TEST(MjcfInertia, WeighsByDensity) {
  EXPECT_NEAR(inertia_of("<geom type='box' size='.1 .2 .3'/>").mass, 48.0, 1e-12);
  EXPECT_NEAR(inertia_of("<geom type='box' size='.1 .2 .3' density='10'/>").mass, 0.48, 1e-14);
}

// A capsule between two points lies along them, with z toward the first.
TEST(MjcfInertia, PutsCapsulesBetweenTwoPoints) {
  const ModelDescription model = model_of(world("<geom type='capsule' size='.1' fromto='0 0 0 0 2 0'/>"));
  const Geom& geom = model.geoms[0];
  EXPECT_EQ(geom.shape.size, Vector3d(0.1, 1.0, 0.0));
  EXPECT_LT((geom.pose.p - Vector3d(0.0, 1.0, 0.0)).norm(), 1e-15);
  EXPECT_LT((geom.pose.q * Vector3d::UnitZ() + Vector3d::UnitY()).norm(), 1e-15);
}

// A mesh in the model: 1 × 2 × 3 box corners, mirrored and moved; its volume is that of the box.
TEST(MjcfInertia, WeighsMeshesWithScaleAndReference) {
  const std::string mesh =
      "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 1 2 0 0 0 3 1 0 3 0 2 3 1 2 3' refpos='0 0 1' scale='.1 .1 "
      "-.1'/>"
      "</asset>";
  const ModelDescription model = model_of(mesh + world("<body><geom type='mesh' mesh='m'/></body>"));
  const MassProperties& inertia = model.bodies[1].inertia;
  EXPECT_NEAR(inertia.mass, 6.0, 1e-12);
  EXPECT_LT((inertia.com - Vector3d(0.05, 0.1, -0.05)).norm(), 1e-14);
  // The same numbers as the box itself, fitted to the mesh.
  const ModelDescription fitted = model_of(mesh + world("<body><geom type='box' mesh='m'/></body>"));
  EXPECT_NEAR(fitted.geoms[0].shape.size.minCoeff(), 0.05, 1e-14);
  EXPECT_NEAR(fitted.geoms[0].shape.size.maxCoeff(), 0.15, 1e-14);
  EXPECT_LT((fitted.bodies[1].inertia.inertia - inertia.inertia).norm(), 1e-13);
}

// What moves needs mass and inertia, its own or that of what is welded to it.
TEST(MjcfInertia, RefusesMovingBodiesWithoutMass) {
  EXPECT_NE(refusal(world("<body name='arm'><joint/></body>")).find("body[arm]"), std::string::npos);
  EXPECT_NE(refusal(world("<body><joint/><geom size='1' mass='0'/></body>")).find("no mass"), std::string::npos);
  EXPECT_NE(refusal(world("<body><joint/><body><joint/><geom size='1'/></body></body>")).find("no mass"),
            std::string::npos);
  EXPECT_EQ(model_of(world("<body><joint/><body><geom size='1'/></body></body>")).bodies.size(), 3u);
  EXPECT_EQ(
      model_of("<compiler boundmass='1' boundinertia='.1'/>" + world("<body><joint/></body>")).bodies[1].inertia.mass,
      1.0);
}

// Numbers that no matter can have are refused; balanceinertia replaces them by their mean.
TEST(MjcfInertia, RefusesImpossibleInertia) {
  const std::string bad = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/>";
  EXPECT_NE(refusal(world("<body>" + bad + "</body>")).find("A + B >= C"), std::string::npos);
  EXPECT_NEAR(inertia_of(bad, "balanceinertia='true'").inertia(0, 0), 2.0, 1e-14);
  EXPECT_NE(refusal(world("<body><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body>")).find("negative"),
            std::string::npos);
  EXPECT_NE(refusal(world("<body><geom size='1' mass='-1'/></body>")).find("attribute mass"), std::string::npos);
  EXPECT_NE(refusal(world("<body><joint/><geom size='1e200'/></body>")).find("finite"), std::string::npos);
}

// settotalmass scales masses and inertias alike.
TEST(MjcfInertia, ScalesToTheTotalMass) {
  const ModelDescription model =
      model_of("<compiler settotalmass='8'/>" +
               world("<body><geom size='.1' mass='1'/></body><body><geom size='.1' mass='3'/></body>"));
  EXPECT_DOUBLE_EQ(model.bodies[1].inertia.mass, 2.0);
  EXPECT_NEAR(model.bodies[2].inertia.inertia(0, 0), 0.4 * 6.0 * 0.01, 1e-15);
}

}  // namespace
}  // namespace tribo
