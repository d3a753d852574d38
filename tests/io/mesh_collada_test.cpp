#include "tribo/geometry/mass_properties.hpp"

#include "io/mesh_file.hpp"
#include "io/model_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A tetrahedron in a COLLADA file: unit, up axis and the nodes of the scene as given.
std::string collada(const std::string& asset, const std::string& nodes, const std::string& library = "",
                    const std::string& indices = "0 2 1 0 1 3 0 3 2 1 2 3") {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>)" +
         asset + R"(</asset>
  <library_geometries><geometry id="g" name="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
    </source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>)" +
         indices + R"(</p></triangles>
  </mesh></geometry></library_geometries>)" +
         library + R"(
  <library_visual_scenes><visual_scene id="s" name="s">)" +
         nodes + R"(</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>)";
}

const char kGeometry[] = R"(<instance_geometry url="#g"/>)";

std::string node(const std::string& inside) { return "<node id=\"n\" name=\"n\">" + inside + "</node>"; }

MassProperties weigh(const std::string& text) {
  const Expected<Mesh> mesh = parse_collada(text);
  EXPECT_TRUE(mesh.has_value()) << mesh.error().text();
  return mesh.has_value() ? calc_mass_properties(*mesh, MeshInertia::kExact).value() : MassProperties{};
}

// The unit of the file scales the mesh; equal corners are one.
TEST(MeshCollada, AppliesTheUnit) {
  const std::string text = collada("<unit name=\"centimeter\" meter=\"0.01\"/>", node(kGeometry));
  EXPECT_NEAR(weigh(text).mass, 1e-6 / 6.0, 1e-12);
  EXPECT_EQ(parse_collada(text)->vertices.size(), 4u);
}

// Nodes within nodes: translations and rotations add up in the order of the file.
TEST(MeshCollada, AppliesTheTransformsOfTheNodes) {
  const std::string inner = "<node id=\"m\"><rotate>0 0 1 90</rotate>" + std::string(kGeometry) + "</node>";
  const MassProperties mass = weigh(collada("", node("<translate>5 6 7</translate>" + inner)));
  EXPECT_NEAR(mass.mass, 1.0 / 6.0, 1e-14);
  EXPECT_LE((mass.com - Vector3d(5 - 0.25, 6 + 0.25, 7 + 0.25)).norm(), 1e-13);
}

// The up axis is a hint for pictures: the link's frame is the file's frame, as ROS has it.
TEST(MeshCollada, IgnoresTheUpAxis) {
  for (const char* axis : {"X_UP", "Y_UP", "Z_UP"}) {
    const std::string text = collada(std::string("<up_axis>") + axis + "</up_axis>",
                                     node("<translate>1 2 3</translate>" + std::string(kGeometry)));
    EXPECT_LE((weigh(text).com - Vector3d(1.25, 2.25, 3.25)).norm(), 1e-13) << axis;
  }
}

// A mirror turns the faces around; they must still look outward.
TEST(MeshCollada, KeepsFacesOutwardUnderAMirror) {
  EXPECT_NEAR(weigh(collada("", node("<scale>-1 1 2</scale>" + std::string(kGeometry)))).mass, 1.0 / 3.0, 1e-14);
}

// Nodes that stand for each other in a circle, or for ever more copies, would never end.
TEST(MeshCollada, RefusesCirclesAndExplosions) {
  const std::string circle =
      "<library_nodes><node id=\"a\"><instance_node url=\"#b\"/></node>"
      "<node id=\"b\"><instance_node url=\"#a\"/></node></library_nodes>";
  EXPECT_FALSE(parse_collada(collada("", node("<instance_node url=\"#a\"/>"), circle)).has_value());
  std::string bomb = "<library_nodes>";
  for (int k = 0; k < 30; ++k) {
    const std::string next =
        k == 29 ? std::string(kGeometry) : "<instance_node url=\"#b" + std::to_string(k + 1) + "\"/>";
    bomb += "<node id=\"b" + std::to_string(k) + "\">" + next + next + "</node>";
  }
  bomb += "</library_nodes>";
  EXPECT_FALSE(parse_collada(collada("", node("<instance_node url=\"#b0\"/>"), bomb)).has_value());
}

// Indices out of range, no triangles, not COLLADA, cut short: an error, nothing on the terminal.
TEST(MeshCollada, RefusesBrokenFilesInSilence) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  EXPECT_FALSE(parse_collada(collada("", node(kGeometry), "", "0 2 1 0 1 3 0 3 2 1 2 9")).has_value());
  EXPECT_FALSE(parse_collada(collada("", node(""))).has_value());
  EXPECT_FALSE(parse_collada(collada("", node("<instance_geometry url=\"#other\"/>"))).has_value());
  EXPECT_FALSE(parse_collada(collada("", node(kGeometry), "", "0 2 1 0 1 -3")).has_value());
  EXPECT_FALSE(parse_collada(collada("", node(kGeometry), "", "0 2 1.5")).has_value());
  EXPECT_FALSE(parse_collada(collada("<unit meter=\"0\"/>", node(kGeometry))).has_value());
  EXPECT_FALSE(parse_collada("<robot/>").has_value());
  EXPECT_FALSE(parse_collada("solid").has_value());
  const std::string whole = collada("", node(kGeometry));
  for (std::size_t n = 0; n + 12 < whole.size(); n += 7) EXPECT_FALSE(parse_collada(whole.substr(0, n)).has_value());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

// Polygons in every spelling make the same solid.
TEST(MeshCollada, ReadsEveryKindOfPrimitive) {
  const std::string whole = collada("", node(kGeometry));
  const std::size_t first = whole.find("<triangles"), last = whole.find("</triangles>") + 12;
  const std::string inputs =
      "<input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/><input semantic=\"NORMAL\" source=\"#p\" offset=\"0\"/>";
  const std::string loops[] = {"9 0 9 2 9 1", "9 0 9 1 9 3", "9 0 9 3 9 2", "9 1 9 2 9 3"};
  std::string polygons = "<polygons>" + inputs,
              list = "<polylist count=\"4\">" + inputs + "<vcount>3 3 3 3</vcount><p>";
  for (const std::string& loop : loops) {
    polygons += "<p>" + loop + "</p>";
    list += loop + " ";
  }
  const std::string fans = "<trifans>" + inputs + "<p>9 0 9 2 9 1 9 3 9 2</p><p>9 1 9 2 9 3</p></trifans>";
  const std::string strips = "<tristrips>" + inputs + "<p>9 0 9 2 9 1 9 3 9 0 9 2</p></tristrips>";
  for (const std::string& primitive : {polygons + "</polygons>", list + "</p></polylist>", fans, strips}) {
    EXPECT_NEAR(weigh(whole.substr(0, first) + primitive + whole.substr(last)).mass, 1.0 / 6.0, 1e-15) << primitive;
  }
}

// Random damage ends in an error or in a valid mesh, never in a crash.
TEST(MeshCollada, SurvivesDamagedFiles) {
  Random random(23);
  const std::string whole =
      collada("<unit meter=\"0.01\"/>", node("<translate>1 2 3</translate>" + std::string(kGeometry)));
  for (int k = 0; k < 5000; ++k) {
    const Expected<Mesh> mesh = parse_collada(testing::mutated(whole, random));
    if (mesh.has_value()) {
      EXPECT_TRUE(validate(*mesh).has_value());
    }
  }
}

}  // namespace
}  // namespace tribo
