#include "tribo/core/random.hpp"
#include "tribo/geometry/mass_properties.hpp"

#include "geometry/mesh_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::make_box_mesh;
using testing::make_lathe;
using testing::moved;

void expect_equal_mass(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * std::abs(b.mass));
  EXPECT_LE((a.com - b.com).norm(), tolerance * (1.0 + b.com.norm()));
  EXPECT_LE((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

// A box is a convex closed mesh: all ways of counting its volume agree with the closed form.
TEST(MeshMass, OfABoxIsTheClosedFormInEveryMode) {
  const Vector3d s(0.2, 0.3, 0.5);
  const Mesh mesh = make_box_mesh(s);
  const MassProperties solid = calc_mass_properties(Shape{ShapeType::kBox, s});
  for (const MeshInertia how : {MeshInertia::kLegacy, MeshInertia::kExact, MeshInertia::kConvex}) {
    expect_equal_mass(calc_mass_properties(mesh, how).value(), solid, 1e-14);
  }
  const MassProperties shell = calc_mass_properties(Shape{ShapeType::kBox, s}, true);
  expect_equal_mass(calc_mass_properties(mesh, MeshInertia::kShell).value(), shell, 1e-14);
}

// Moving the mesh is moving the matter.
TEST(MeshMass, FollowsRotationAndTranslation) {
  Random random(5);
  const Mesh mesh = make_lathe({{0, -0.4}, {0.3, -0.3}, {0.1, 0.0}, {0.2, 0.5}, {0, 0.6}}, 9);
  for (int k = 0; k < 20; ++k) {
    const Quaterniond q = Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
    const Pose pose{Vector3d(random.normal(), random.normal(), random.normal()), q};
    const Mesh turned = moved(mesh, q.toRotationMatrix(), pose.p);
    for (const MeshInertia how :
         {MeshInertia::kLegacy, MeshInertia::kExact, MeshInertia::kConvex, MeshInertia::kShell}) {
      expect_equal_mass(calc_mass_properties(turned, how).value(),
                        calc_mass_properties(mesh, how).value().seen_from(pose), 1e-11);
    }
  }
}

// A fine sphere of triangles tends to the sphere, its shell to the shell.
TEST(MeshMass, OfAFineSphereTendsToTheSphere) {
  std::vector<std::array<double, 2>> profile;
  for (int i = 0; i <= 100; ++i) {
    const double angle = std::numbers::pi * i / 100;
    profile.push_back({std::sin(angle), -std::cos(angle)});
  }
  const Mesh mesh = make_lathe(profile, 200);
  const Shape ball{ShapeType::kSphere, Vector3d(1, 0, 0)};
  expect_equal_mass(calc_mass_properties(mesh, MeshInertia::kExact).value(), calc_mass_properties(ball), 3e-3);
  expect_equal_mass(calc_mass_properties(mesh, MeshInertia::kShell).value(), calc_mass_properties(ball, true), 3e-3);
}

// Two boxes in one mesh: signed volumes add up, and so do absolute ones only while every face is seen from the inside.
// Worked by hand: unit cubes at x = ±2, f = 0. Faces across x at 1.5 and 2.5 count 2 (2.5 + 1.5)/3, the others 2·4·0.5/3 each.
TEST(MeshMass, OfTwoBoxesIsExactSignedAndTooLargeInLegacy) {
  const Mesh one = make_box_mesh(Vector3d::Constant(0.5));
  Mesh both = moved(one, Matrix3d::Identity(), Vector3d(2, 0, 0));
  const Mesh left = moved(one, Matrix3d::Identity(), Vector3d(-2, 0, 0));
  for (const Vector3d& vertex : left.vertices) both.vertices.push_back(vertex);
  for (const auto& face : left.faces) both.faces.push_back({face[0] + 8, face[1] + 8, face[2] + 8});
  const MassProperties exact = calc_mass_properties(both, MeshInertia::kExact).value();
  EXPECT_NEAR(exact.mass, 2.0, 1e-14);
  EXPECT_NEAR(exact.inertia(0, 0), 2.0 / 6.0, 1e-14);
  EXPECT_NEAR(exact.inertia(1, 1), 2.0 / 6.0 + 8.0, 1e-13);
  const MassProperties legacy = calc_mass_properties(both, MeshInertia::kLegacy).value();
  EXPECT_NEAR(legacy.mass, 2.0 * (2.5 + 1.5) / 3.0 + 2.0 * 4.0 * 0.5 / 3.0, 1e-13);
  EXPECT_NEAR(calc_mass_properties(both, MeshInertia::kConvex).value().mass, 5.0, 1e-13);
}

// Faces turned inward: a negative volume is an error in the exact mode and no matter in the legacy one.
TEST(MeshMass, OfAnInsideOutBoxIsRefusedWhenExact) {
  Mesh mesh = make_box_mesh(Vector3d::Constant(0.5));
  for (auto& face : mesh.faces) std::swap(face[1], face[2]);
  const auto exact = calc_mass_properties(mesh, MeshInertia::kExact);
  ASSERT_FALSE(exact.has_value());
  EXPECT_NE(exact.error().text().find("negative"), std::string::npos);
  EXPECT_NEAR(calc_mass_properties(mesh, MeshInertia::kLegacy).value().mass, 1.0, 1e-14);
}

// A cloud of points stands for its hull.
TEST(MeshMass, OfACloudIsThatOfItsHull) {
  Mesh cloud = make_box_mesh(Vector3d(0.2, 0.3, 0.5));
  cloud.faces.clear();
  EXPECT_NEAR(calc_mass_properties(cloud, MeshInertia::kLegacy).value().mass, 8 * 0.03, 1e-15);
}

// What has no volume or no area is named, not divided by.
TEST(MeshMass, OfFlatOrBrokenMeshesIsRefused) {
  Mesh flat = make_box_mesh(Vector3d(0.2, 0.3, 0.0));
  EXPECT_FALSE(calc_mass_properties(flat, MeshInertia::kLegacy).has_value());
  EXPECT_FALSE(calc_mass_properties(flat, MeshInertia::kExact).has_value());
  EXPECT_FALSE(calc_mass_properties(flat, MeshInertia::kConvex).has_value());
  EXPECT_NEAR(calc_mass_properties(flat, MeshInertia::kShell).value().mass, 8 * 0.06, 1e-15);
  Mesh point = make_box_mesh(Vector3d::Zero());
  EXPECT_FALSE(calc_mass_properties(point, MeshInertia::kShell).has_value());
  Mesh wrong = make_box_mesh(Vector3d::Constant(1.0));
  wrong.faces[3][1] = 8;
  EXPECT_FALSE(calc_mass_properties(wrong, MeshInertia::kLegacy).has_value());
  wrong.faces[3][1] = -1;
  EXPECT_FALSE(calc_mass_properties(wrong, MeshInertia::kLegacy).has_value());
  Mesh nan = make_box_mesh(Vector3d::Constant(1.0));
  nan.vertices[2].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(calc_mass_properties(nan, MeshInertia::kConvex).has_value());
  EXPECT_FALSE(calc_mass_properties(Mesh{}, MeshInertia::kExact).has_value());
}

}  // namespace
}  // namespace tribo
