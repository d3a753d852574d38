#include "tribo/multibody/model.hpp"

#include <numbers>

#include "io/model_testing.hpp"
#include "io/urdf_testing.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::find_notice;
using testing::inertial;
using testing::joint;
using testing::link;
using testing::parse_urdf;
using testing::TemporaryFolder;

// Bodies come depth first, children in the order of their joints in the file, wherever the links stand.
TEST(Urdf, ListsBodiesDepthFirstInTheOrderOfTheJoints) {
  const ModelFile file =
      parse_urdf(link("c") + link("b2") + link("b1") + link("a") + joint("j1", "revolute", "a", "b1") +
                 joint("j2", "continuous", "a", "b2") + joint("j3", "prismatic", "b1", "c"))
          .value();
  const ModelDescription& d = file.description;
  ASSERT_EQ(d.bodies.size(), 5u);
  const char* names[] = {"world", "a", "b1", "c", "b2"};
  const Index parents[] = {0, 0, 1, 2, 1};
  for (int b = 0; b < 5; ++b) {
    EXPECT_EQ(d.bodies[b].name, names[b]);
    EXPECT_EQ(d.bodies[b].parent, parents[b]);
  }
  ASSERT_EQ(d.joints.size(), 3u);
  EXPECT_EQ(d.joints[0].name, "j1");
  EXPECT_EQ(d.joints[1].name, "j3");
  EXPECT_EQ(d.joints[1].type, JointType::kSlide);
  EXPECT_EQ(d.joints[2].name, "j2");
  EXPECT_EQ(d.joints[0].axis, Vector3d::UnitX());  // URDF's default
  EXPECT_EQ(d.name, "r");
  EXPECT_TRUE(file.notices.empty());
}

// Roll, pitch and yaw turn about the fixed axes x, y, z in this order.
TEST(Urdf, TurnsByRollPitchYaw) {
  const ModelDescription d =
      parse_urdf(link("a") + link("b") + joint("j", "fixed", "a", "b", "<origin xyz=\"1 2 3\" rpy=\"0.1 -0.7 2\"/>"))
          .value()
          .description;
  const double cr = std::cos(0.1), sr = std::sin(0.1), cp = std::cos(-0.7), sp = std::sin(-0.7), cy = std::cos(2.0),
               sy = std::sin(2.0);
  Matrix3d R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
      -sp, cp * sr, cp * cr;
  EXPECT_LE((d.bodies[2].pose.q.toRotationMatrix() - R).norm(), 1e-15);
  EXPECT_EQ(d.bodies[2].pose.p, Vector3d(1, 2, 3));
  EXPECT_TRUE(d.joints.empty());
}

// The inertia is given about its own origin, in its own axes.
TEST(Urdf, PlacesTheInertial) {
  const std::string text =
      "<inertial><origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"3\"/>"
      "<inertia ixx=\"1\" ixy=\"0.1\" ixz=\"0\" iyy=\"2\" iyz=\"0\" izz=\"2.5\"/></inertial>";
  const MassProperties inertia = parse_urdf(link("a", text)).value().description.bodies[1].inertia;
  EXPECT_EQ(inertia.mass, 3.0);
  EXPECT_EQ(inertia.com, Vector3d(1, 0, 0));
  Matrix3d expected;
  expected << 2, -0.1, 0, -0.1, 1, 0, 0, 0, 2.5;
  EXPECT_LE((inertia.inertia - expected).norm(), 1e-15);
}

// Every joint type with what belongs to it.
TEST(Urdf, ReadsEveryJointType) {
  const std::string more =
      "<axis xyz=\"0 3 4\"/><limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"6\"/>"
      "<dynamics damping=\"0.5\" friction=\"0.25\"/>";
  const std::string links = link("a", "") + link("b") + link("c");
  for (const auto& [type, expected] : {std::pair{"revolute", JointType::kHinge},
                                       {"continuous", JointType::kHinge},
                                       {"prismatic", JointType::kSlide},
                                       {"floating", JointType::kFree},
                                       {"planar", JointType::kPlanar}}) {
    const ModelDescription d =
        parse_urdf(links + joint("j", type, "a", "b", more) + joint("k", "fixed", "b", "c")).value().description;
    ASSERT_EQ(d.joints.size(), 1u);
    const Joint& j = d.joints[0];
    EXPECT_EQ(j.type, expected);
    EXPECT_EQ(j.damping, 0.5);
    EXPECT_EQ(j.friction_loss, 0.25);
    EXPECT_EQ(j.effort_limit, 5.0);
    EXPECT_EQ(j.velocity_limit, 6.0);
    const bool limited = std::string(type) == "revolute" || std::string(type) == "prismatic";
    EXPECT_EQ(j.limited, limited);
    if (limited) {
      EXPECT_EQ(j.lower, -1.0);
      EXPECT_EQ(j.upper, 2.0);
    }
    const Expected<Model> model = Model::make(d);
    EXPECT_TRUE(model.has_value()) << model.error().text();
    if (j.type == JointType::kFree) continue;
    EXPECT_LE((j.axis - Vector3d(0, 0.6, 0.8)).norm(), 1e-15);
  }
}

// A root named world is the world; a floating joint passes through links that do not move.
TEST(Urdf, PutsFloatingBasesOnTheWorld) {
  const ModelDescription d =
      parse_urdf(link("world", "") + link("base") + joint("f", "floating", "world", "base")).value().description;
  ASSERT_EQ(d.bodies.size(), 2u);
  EXPECT_EQ(d.bodies[1].parent, 0);
  const ModelDescription e = parse_urdf(link("map", "") + link("odom", "") + link("base") +
                                        joint("o", "fixed", "map", "odom", "<origin xyz=\"1 0 0\"/>") +
                                        joint("f", "floating", "odom", "base", "<origin xyz=\"0 2 0\"/>"))
                                 .value()
                                 .description;
  EXPECT_EQ(e.bodies[3].parent, 0);
  EXPECT_EQ(e.bodies[3].pose.p, Vector3d(1, 2, 0));
  EXPECT_TRUE(Model::make(e).has_value());
  EXPECT_FALSE(parse_urdf(link("a") + link("b") + link("c") + joint("j", "revolute", "a", "b") +
                          joint("f", "floating", "b", "c"))
                   .has_value());
}

// q_a = multiplier q_b + offset; a leader that is fixed stands at zero.
TEST(Urdf, TurnsMimicIntoAnEquality) {
  const std::string links = link("a") + link("b") + link("c") + link("d");
  const ModelDescription d =
      parse_urdf(links + joint("j", "revolute", "a", "b", "<mimic joint=\"k\" multiplier=\"-2\" offset=\"0.5\"/>") +
                 joint("k", "revolute", "a", "c") + joint("l", "prismatic", "a", "d", "<mimic joint=\"k\"/>"))
          .value()
          .description;
  ASSERT_EQ(d.equalities.size(), 2u);
  EXPECT_EQ(d.equalities[0].type, EqualityType::kJoint);
  EXPECT_EQ(d.equalities[0].a, 0);
  EXPECT_EQ(d.equalities[0].b, 1);
  EXPECT_EQ(d.equalities[0].polynomial, (std::array<double, 5>{0.5, -2, 0, 0, 0}));
  EXPECT_EQ(d.equalities[1].polynomial, (std::array<double, 5>{0, 1, 0, 0, 0}));
  const ModelDescription e =
      parse_urdf(links + joint("j", "revolute", "a", "b", "<mimic joint=\"k\" offset=\"0.5\"/>") +
                 joint("k", "fixed", "a", "c") + joint("l", "fixed", "a", "d"))
          .value()
          .description;
  EXPECT_EQ(e.equalities[0].b, -1);
}

// Limits may be infinite or absent; URDF's default of zero for both would lock joints that nobody meant to lock.
TEST(Urdf, ReadsLimits) {
  const std::string links = link("a") + link("b");
  const Joint open =
      parse_urdf(links + joint("j", "revolute", "a", "b", "<limit lower=\"-inf\" upper=\"inf\" velocity=\"inf\"/>"))
          .value()
          .description.joints[0];
  EXPECT_FALSE(open.limited);
  const ModelFile absent =
      parse_urdf(links + joint("j", "revolute", "a", "b", "<limit effort=\"3\" velocity=\"1\"/>")).value();
  EXPECT_FALSE(absent.description.joints[0].limited);
  EXPECT_NE(find_notice(absent, "joint/limit"), nullptr);
  const Joint half =
      parse_urdf(links + joint("j", "revolute", "a", "b", "<limit upper=\"1\"/>")).value().description.joints[0];
  EXPECT_TRUE(half.limited);
  EXPECT_EQ(half.lower, 0.0);
}

// Visuals neither weigh nor touch; collision shapes touch. Sizes become halves, colours go by name.
TEST(Urdf, ReadsShapes) {
  const std::string shapes =
      "<visual name=\"v\"><geometry><box size=\"2 4 6\"/></geometry><material name=\"red\"/></visual>"
      "<collision><origin xyz=\"0 0 1\"/><geometry><cylinder radius=\"1\" length=\"4\"/></geometry></collision>"
      "<collision name=\"v\"><geometry><capsule radius=\"1\" length=\"4\"/></geometry></collision>"
      "<visual><geometry><sphere radius=\"3\"/></geometry><material name=\"mine\"><color rgba=\"0 1 0 "
      "0.5\"/></material></visual>"
      "<visual><geometry><box size=\"0 0 0\"/></geometry></visual>";
  const ModelFile file =
      parse_urdf("<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>" + link("a", inertial() + shapes))
          .value();
  const std::vector<Geom>& geoms = file.description.geoms;
  ASSERT_EQ(geoms.size(), 4u);
  EXPECT_EQ(geoms[0].shape.size, Vector3d(1, 2, 3));
  EXPECT_EQ(geoms[0].contype, 0);
  EXPECT_EQ(geoms[0].conaffinity, 0);
  EXPECT_EQ(geoms[0].group, 2);
  EXPECT_EQ(geoms[0].rgba, (std::array<double, 4>{1, 0, 0, 1}));
  EXPECT_EQ(geoms[1].shape.type, ShapeType::kCylinder);
  EXPECT_EQ(geoms[1].shape.size.head<2>(), Eigen::Vector2d(1, 2));
  EXPECT_EQ(geoms[1].contype, 1);
  EXPECT_EQ(geoms[1].group, 3);
  EXPECT_EQ(geoms[1].pose.p, Vector3d(0, 0, 1));
  EXPECT_EQ(geoms[2].shape.type, ShapeType::kCapsule);
  EXPECT_EQ(geoms[2].name, "");  // the name is taken
  EXPECT_EQ(geoms[3].rgba[1], 1.0);
  EXPECT_NE(find_notice(file, "link/visual/geometry/box"), nullptr);
  EXPECT_EQ(file.description.bodies[1].inertia.mass, 2.0);
}

// A massless link is well where something heavy hangs on it; else its collision shapes are weighed, and the user is told.
TEST(Urdf, WeighsCollisionShapesOnlyWhereNothingElseHasMass) {
  const ModelFile carried = parse_urdf(link("a", "") + link("b", "") + link("c") + joint("j", "revolute", "a", "b") +
                                       joint("k", "prismatic", "b", "c"))
                                .value();
  EXPECT_EQ(carried.description.bodies[2].inertia.mass, 0.0);
  EXPECT_TRUE(carried.notices.empty());
  const std::string ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
  const ModelFile alone = parse_urdf(link("a", ball) + link("b", ball) + joint("j", "revolute", "a", "b")).value();
  EXPECT_EQ(alone.description.bodies[1].inertia.mass, 0.0);
  EXPECT_NEAR(alone.description.bodies[2].inertia.mass, 4.0 / 3.0 * std::numbers::pi, 1e-13);
  const Notice* notice = find_notice(alone, "link");
  ASSERT_NE(notice, nullptr);
  EXPECT_TRUE(notice->physical);
  EXPECT_EQ(notice->count, 1);
}

// What is not read is counted and named; what may be physics is marked so and comes first.
TEST(Urdf, NoticesWhatItDoesNotRead) {
  const ModelFile file =
      parse_urdf("<transmission name=\"t\"/><transmission name=\"u\"/><gazebo reference=\"a\"><mu1>0.3</mu1></gazebo>" +
                 link("a", inertial() + "<contact><lateral_friction value=\"1\"/></contact>") + link("b") +
                 joint("j", "revolute", "a", "b",
                       "<safety_controller k_velocity=\"1\"/><dynamics damping=\"1\" spring=\"2\"/>"))
          .value();
  EXPECT_EQ(find_notice(file, "transmission")->count, 2);
  EXPECT_FALSE(find_notice(file, "transmission")->physical);
  EXPECT_FALSE(find_notice(file, "joint/safety_controller")->physical);
  EXPECT_TRUE(find_notice(file, "gazebo/mu1")->physical);
  EXPECT_TRUE(find_notice(file, "link/contact")->physical);
  EXPECT_TRUE(find_notice(file, "joint/dynamics@spring")->physical);
  EXPECT_TRUE(file.notices.front().physical);
  EXPECT_FALSE(file.notices.back().physical);
}

// Placeholders are accepted with a word, as long as M stays positive definite.
TEST(Urdf, AcceptsUnphysicalInertiaWithANotice) {
  const std::string odd =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"5\"/></inertial>";
  const std::string rest = link("b", odd) + joint("j", "revolute", "a", "b");
  const ModelFile file = parse_urdf(link("a") + rest).value();
  EXPECT_NE(find_notice(file, "link/inertial/inertia")->meaning.find("'b'"), std::string::npos);
  EXPECT_TRUE(Model::make(file.description).has_value());
  const ModelFile balanced =
      parse_urdf("<mujoco><compiler balanceinertia=\"true\"/></mujoco>" + link("a") + rest).value();
  EXPECT_NEAR(balanced.description.bodies[2].inertia.inertia(2, 2), 7.0 / 3.0, 1e-14);
  const std::string wrong =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"2\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
  EXPECT_FALSE(parse_urdf(link("a") + link("b", wrong) + joint("j", "revolute", "a", "b")).has_value());
  EXPECT_TRUE(parse_urdf(link("a", wrong)).has_value());  // it does not move
}

// MuJoCo's extension: what it says about physics is honoured.
TEST(Urdf, HonoursMujocoSettings) {
  const ModelFile file =
      parse_urdf(
          "<mujoco><compiler discardvisual=\"true\" boundmass=\"3\" boundinertia=\"4\" fusestatic=\"true\"/>"
          "<option timestep=\"0.01\" gravity=\"0 0 -1\"/></mujoco>" +
          link("a", inertial() + "<visual><geometry><sphere radius=\"1\"/></geometry></visual>"))
          .value();
  EXPECT_TRUE(file.description.geoms.empty());
  EXPECT_EQ(file.description.bodies[1].inertia.mass, 3.0);
  EXPECT_NEAR(file.description.bodies[1].inertia.inertia(0, 0), 4.0, 1e-14);
  EXPECT_EQ(file.description.timestep, 0.01);
  EXPECT_EQ(file.description.gravity, Vector3d(0, 0, -1));
  EXPECT_FALSE(find_notice(file, "mujoco/compiler@fusestatic")->physical);
}

// The three-fingered hand of another maker: eight joints of which four follow.
TEST(Urdf, LoadsTheBarrettHand) {
  const std::string path = testing::corpus_dir() + "/robots/barrett_bh282/bh282.urdf";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "left out: no " << path;
  const ModelFile file = read_urdf(read_xml(path).value(), {}).value();
  EXPECT_EQ(file.description.joints.size(), 8u);
  EXPECT_EQ(file.description.equalities.size(), 4u);
  EXPECT_EQ(file.description.meshes.size(), 4u);
  const Expected<Model> model = Model::make(file.description);
  ASSERT_TRUE(model.has_value()) << model.error().text();
  EXPECT_NEAR(model->total_mass(), 3.9, 1e-14);
}

}  // namespace
}  // namespace tribo
