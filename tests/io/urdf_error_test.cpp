#include "io/model_testing.hpp"
#include "io/urdf_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::inertial;
using testing::joint;
using testing::link;
using testing::parse_urdf;

// The file is refused; the message names file and line, holds `words`, and comes with a remedy.
void expect_refused(const std::string& inside, const std::string& words) {
  const Expected<ModelFile> file = parse_urdf(inside);
  ASSERT_FALSE(file.has_value()) << inside;
  EXPECT_NE(file.error().text().find("robot.urdf:"), std::string::npos) << file.error().text();
  EXPECT_NE(file.error().text().find(words), std::string::npos) << file.error().text();
  EXPECT_FALSE(file.error().remedy.empty());
}

// A tree has one root, one parent per link, and no circle.
TEST(UrdfErrors, RefusesWhatIsNoTree) {
  expect_refused("", "no links");
  expect_refused(link("a") + link("b"), "'a' and 'b'");
  expect_refused(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"), "circle");
  expect_refused(link("a") + link("b") + link("c") + joint("j", "fixed", "b", "c") + joint("k", "fixed", "c", "b"),
                 "circle");
  expect_refused(link("a") + joint("j", "fixed", "a", "a"), "itself");
  expect_refused(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "a", "b"),
                 "already hangs");
  expect_refused(link("a") + link("world") + joint("j", "fixed", "a", "world"), "world");
}

// Names that are missing, doubled or unknown; the nearest known one is offered.
TEST(UrdfErrors, RefusesWrongNames) {
  expect_refused("<link/>", "name");
  expect_refused(link("a") + link("a"), "second link");
  expect_refused(link("upper_arm") + link("b") + joint("j", "fixed", "uper_arm", "b"), "did you mean 'upper_arm'?");
  expect_refused(link("a") + link("b") + link("c") + joint("j", "fixed", "a", "b") + joint("j", "fixed", "a", "c"),
                 "second joint");
  expect_refused(link("a") + link("b") + joint("j", "hinge", "a", "b"), "hinge");
  expect_refused(link("a") + link("b") + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>",
                 "<child> is missing");
  expect_refused(link("a") + link("b") + "<joint name=\"j\"><parent link=\"a\"/><child link=\"b\"/></joint>", "type");
}

// Numbers that are missing, not finite, negative or too few.
TEST(UrdfErrors, RefusesWrongNumbers) {
  const std::string two = link("a") + link("b");
  expect_refused(two + joint("j", "revolute", "a", "b", "<axis xyz=\"0 0 0\"/>"), "zero");
  expect_refused(two + joint("j", "revolute", "a", "b", "<axis xyz=\"0 0\"/>"), "xyz");
  expect_refused(two + joint("j", "revolute", "a", "b", "<axis/>"), "xyz");
  expect_refused(two + joint("j", "revolute", "a", "b", "<limit lower=\"1\" upper=\"-1\"/>"), "above");
  expect_refused(two + joint("j", "revolute", "a", "b", "<limit lower=\"nan\" upper=\"1\"/>"), "lower");
  expect_refused(two + joint("j", "revolute", "a", "b", "<dynamics damping=\"-1\"/>"), "negative");
  expect_refused(two + joint("j", "revolute", "a", "b", "<origin xyz=\"0 0 1e999\"/>"), "xyz");
  expect_refused(two + joint("j", "revolute", "a", "b", "<origin rpy=\"0 0 east\"/>"), "east");
  expect_refused(link("a", "<inertial><mass value=\"-1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"),
                 "negative");
  expect_refused(link("a", "<inertial><mass value=\"nan\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"),
                 "value");
  expect_refused(link("a", "<inertial><mass value=\"1\"/></inertial>"), "<inertia> is missing");
  expect_refused(link("a", "<inertial><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"), "<mass> is missing");
  expect_refused(link("a", "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\"/></inertial>"), "izz");
}

// A joint that moves nothing makes M singular.
TEST(UrdfErrors, RefusesMovingNothing) {
  expect_refused(link("a") + link("b", "") + joint("j", "revolute", "a", "b"), "no mass");
  const std::string point =
      "<inertial><mass value=\"1\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial>";
  expect_refused(link("a") + link("b", point) + joint("j", "revolute", "a", "b"), "no inertia about their joint");
  EXPECT_TRUE(parse_urdf(link("a") + link("b", point) + joint("j", "prismatic", "a", "b")).has_value());
  expect_refused(link("a", "") + link("b", point) + joint("j", "floating", "a", "b"), "no inertia");
}

// Followers without a leader, in a circle, or with more than one coordinate.
TEST(UrdfErrors, RefusesWrongMimics) {
  const std::string links = link("a") + link("b") + link("c");
  const auto follow = [](const std::string& name) { return "<mimic joint=\"" + name + "\"/>"; };
  expect_refused(links + joint("jx", "revolute", "a", "b", follow("ky")) + joint("kx", "revolute", "a", "c"),
                 "did you mean 'kx'?");
  expect_refused(links + joint("j", "revolute", "a", "b", follow("j")) + joint("k", "revolute", "a", "c"), "circle");
  expect_refused(links + joint("j", "revolute", "a", "b", follow("k")) + joint("k", "revolute", "a", "c", follow("j")),
                 "circle");
  expect_refused(links + joint("j", "revolute", "a", "b", follow("k")) + joint("k", "planar", "a", "c"),
                 "one coordinate");
  expect_refused(links + joint("j", "revolute", "a", "b", "<mimic/>") + joint("k", "revolute", "a", "c"), "joint");
}

// Shapes without a size, without a shape, with a file that is not there.
TEST(UrdfErrors, RefusesWrongShapes) {
  const auto collision = [](const std::string& inside) { return link("a", "<collision>" + inside + "</collision>"); };
  expect_refused(collision(""), "<geometry> is missing");
  expect_refused(collision("<geometry/>"), "empty");
  expect_refused(collision("<geometry><cone/></geometry>"), "<cone>");
  expect_refused(collision("<geometry><sphere/></geometry>"), "radius");
  expect_refused(collision("<geometry><sphere radius=\"-1\"/></geometry>"), "negative");
  expect_refused(collision("<geometry><box size=\"1 1\"/></geometry>"), "size");
  expect_refused(collision("<geometry><mesh/></geometry>"), "filename");
  expect_refused(collision("<geometry><mesh filename=\"package://p/none.stl\"/></geometry>"), "not found");
  expect_refused(collision("<geometry><mesh filename=\"none.stl\" scale=\"0 1 1\"/></geometry>"), "zero");
}

// Macros that nobody expanded.
TEST(UrdfErrors, RefusesXacro) {
  expect_refused("<xacro:include filename=\"x\"/>" + link("a"), "xacro");
  expect_refused(link("${prefix}a"), "xacro");
  expect_refused(link("a", "<inertial><mass value=\"$(arg m)\"/></inertial>"), "xacro");
}

// A chain of very many links neither recurses nor crawls.
TEST(UrdfErrors, LoadsALongChain) {
  std::string text = link("l0");
  for (int k = 1; k < 20000; ++k) {
    const std::string name = "l" + std::to_string(k);
    text += link(name) + joint("j" + std::to_string(k), "revolute", "l" + std::to_string(k - 1), name);
  }
  const Expected<ModelFile> file = parse_urdf(text);
  ASSERT_TRUE(file.has_value()) << file.error().text();
  EXPECT_EQ(file->description.joints.size(), 19999u);
}

// Random damage ends in an error or in a description, never in a crash.
TEST(UrdfErrors, SurvivesDamagedFiles) {
  Random random(29);
  const std::string whole =
      "<robot name=\"r\">\n<mujoco><compiler meshdir=\"m\"/></mujoco>" +
      link("a", inertial() +
                    "<visual><geometry><mesh filename=\"package://p/x.stl\" scale=\"1 1 1\"/></geometry></visual>") +
      link("b",
           inertial() + "<collision><origin rpy=\"0 1 0\"/><geometry><box size=\"1 1 1\"/></geometry></collision>") +
      link("c") + joint("j", "revolute", "a", "b", "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/>") +
      joint("k", "prismatic", "b", "c", "<mimic joint=\"j\" multiplier=\"2\"/><dynamics damping=\"1\"/>") + "</robot>";
  for (int k = 0; k < 3000; ++k) {
    const Expected<XmlFile> file = parse_xml(testing::mutated(whole, random), "robot.urdf");
    if (!file.has_value()) continue;
    const Expected<ModelFile> model = read_urdf(*file, {});
    if (!model.has_value()) {
      EXPECT_FALSE(model.error().what.empty());
    }
  }
}

}  // namespace
}  // namespace tribo
