#include "tribo/geometry/mass_properties.hpp"

#include "tribo/core/random.hpp"

#include <numbers>

#include "geometry/mesh_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kPi = std::numbers::pi;

Pose random_pose(Random& random) {
  const Quaterniond q(random.normal(), random.normal(), random.normal(), random.normal());
  return {Vector3d(random.normal(), random.normal(), random.normal()), q.normalized()};
}

MassProperties random_properties(Random& random) {
  const Shape box{ShapeType::kBox,
                  Vector3d(random.uniform(0.1, 1.0), random.uniform(0.1, 1.0), random.uniform(0.1, 1.0))};
  return calc_mass_properties(box).scaled(random.uniform(0.5, 3.0)).seen_from(random_pose(random));
}

void expect_equal(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * std::abs(b.mass));
  EXPECT_LE((a.com - b.com).norm(), tolerance * (1.0 + b.com.norm()));
  EXPECT_LE((a.inertia - b.inertia).norm(), tolerance * (1.0 + b.inertia.norm()));
}

// Text book values at density 1.
TEST(MassProperties, OfSolidPrimitivesAreTheClosedForms) {
  const MassProperties ball = calc_mass_properties(Shape{ShapeType::kSphere, Vector3d(0.3, 0, 0)});
  EXPECT_NEAR(ball.mass, 4.0 / 3.0 * kPi * 0.027, 1e-15);
  EXPECT_NEAR(ball.inertia(1, 1), 0.4 * ball.mass * 0.09, 1e-16);
  const MassProperties box = calc_mass_properties(Shape{ShapeType::kBox, Vector3d(0.5, 1.0, 1.5)});
  EXPECT_DOUBLE_EQ(box.mass, 6.0);
  EXPECT_NEAR(box.inertia(0, 0), 6.0 * (4.0 + 9.0) / 12.0, 1e-14);
  EXPECT_NEAR(box.inertia(2, 2), 6.0 * (1.0 + 4.0) / 12.0, 1e-14);
  const MassProperties can = calc_mass_properties(Shape{ShapeType::kCylinder, Vector3d(0.2, 0.7, 0)});
  EXPECT_NEAR(can.mass, kPi * 0.04 * 1.4, 1e-15);
  EXPECT_NEAR(can.inertia(0, 0), can.mass * (3.0 * 0.04 + 1.96) / 12.0, 1e-15);
  EXPECT_NEAR(can.inertia(2, 2), can.mass * 0.02, 1e-16);
  const MassProperties egg = calc_mass_properties(Shape{ShapeType::kEllipsoid, Vector3d(0.1, 0.2, 0.3)});
  EXPECT_NEAR(egg.mass, 4.0 / 3.0 * kPi * 0.006, 1e-16);
  EXPECT_NEAR(egg.inertia(0, 0), egg.mass * (0.04 + 0.09) / 5.0, 1e-17);
}

// A capsule is a cylinder and two half balls, each moved by the parallel axis theorem.
TEST(MassProperties, OfCapsuleIsTheSumOfItsParts) {
  const double r = 0.15, half = 0.4;
  const MassProperties capsule = calc_mass_properties(Shape{ShapeType::kCapsule, Vector3d(r, half, 0)});
  const double m = 2.0 / 3.0 * kPi * r * r * r;  // a half ball: com at 3r/8, 83/320 m r² about it
  MassProperties dome{m, Vector3d(0, 0, half + 0.375 * r), Matrix3d::Zero()};
  dome.inertia.diagonal() << 83.0 / 320.0 * m * r * r, 83.0 / 320.0 * m * r * r, 0.4 * m * r * r;
  MassProperties other = dome;
  other.com = -other.com;
  const MassProperties sum = calc_mass_properties(Shape{ShapeType::kCylinder, Vector3d(r, half, 0)}) + dome + other;
  expect_equal(capsule, sum, 1e-14);
}

// Thin walls: the difference of two solids, divided by the thickness, tends to the shell.
TEST(MassProperties, OfShellsAreLimitsOfThinWalls) {
  const double t = 1e-5;
  struct Case {
    ShapeType type;
    Vector3d size, wall;
  };
  for (const Case& c :
       {Case{ShapeType::kSphere, {0.3, 0, 0}, {1, 0, 0}}, Case{ShapeType::kCapsule, {0.2, 0.5, 0}, {1, 0, 0}},
        Case{ShapeType::kCylinder, {0.2, 0.5, 0}, {1, 1, 0}}, Case{ShapeType::kBox, {0.2, 0.3, 0.4}, {1, 1, 1}}}) {
    const MassProperties shell = calc_mass_properties(Shape{c.type, c.size}, true);
    const MassProperties outer = calc_mass_properties(Shape{c.type, c.size + 0.5 * t * c.wall});
    const MassProperties inner = calc_mass_properties(Shape{c.type, c.size - 0.5 * t * c.wall});
    EXPECT_NEAR(shell.mass, (outer.mass - inner.mass) / t, 1e-8 * shell.mass) << name_of(c.type);
    EXPECT_LE((shell.inertia - (outer.inertia - inner.inertia) / t).norm(), 1e-8 * shell.inertia.norm())
        << name_of(c.type);
  }
}

// Where the approximations for ellipsoids are exact: all half axes equal (but for the thickness of the layer).
TEST(MassProperties, OfEllipsoidShellIsThatOfASphereForEqualAxes) {
  const MassProperties ball = calc_mass_properties(Shape{ShapeType::kSphere, Vector3d(0.4, 0, 0)}, true);
  const MassProperties egg = calc_mass_properties(Shape{ShapeType::kEllipsoid, Vector3d::Constant(0.4)}, true);
  EXPECT_NEAR(egg.mass, ball.mass, 1e-13);
  EXPECT_LE((egg.inertia - ball.inertia).norm(), 1e-5 * ball.inertia.norm());
}

// Planes and height fields are scenery.
TEST(MassProperties, OfPlanesAreZero) {
  const MassProperties plane = calc_mass_properties(Shape{ShapeType::kPlane, Vector3d(1, 1, 1)});
  EXPECT_EQ(plane.mass, 0.0);
  EXPECT_TRUE(plane.inertia.isZero());
}

// Kinetic energy of a rigid motion does not depend on the frame it is computed in, nor on how the matter is cut in parts.
TEST(MassProperties, SumAndChangeOfFrameKeepKineticEnergy) {
  Random random(7);
  const auto energy = [](const MassProperties& p, const Vector3d& v, const Vector3d& w) {
    const Vector3d at_com = v + w.cross(p.com);
    return 0.5 * p.mass * at_com.squaredNorm() + 0.5 * w.dot(p.inertia * w);
  };
  for (int k = 0; k < 100; ++k) {
    const MassProperties a = random_properties(random), b = random_properties(random);
    const Vector3d v(random.normal(), random.normal(), random.normal()),
        w(random.normal(), random.normal(), random.normal());
    const double parts = energy(a, v, w) + energy(b, v, w);
    EXPECT_NEAR(energy(a + b, v, w), parts, 1e-12 * (1.0 + parts));
    const Pose pose = random_pose(random);
    const Vector3d w_A = pose.q * w, v_A = pose.q * v - w_A.cross(pose.p);  // velocity of the origin of A
    EXPECT_NEAR(energy(a.seen_from(pose), v_A, w_A), energy(a, v, w), 1e-12 * (1.0 + energy(a, v, w)));
  }
}

// Nothing plus something is that something; nothing plus nothing stays finite.
TEST(MassProperties, SumWithNothingIsHarmless) {
  Random random(3);
  const MassProperties a = random_properties(random);
  expect_equal(a + MassProperties{}, a, 1e-15);
  const MassProperties none = MassProperties{} + MassProperties{};
  EXPECT_EQ(none.mass, 0.0);
  EXPECT_TRUE(none.com.allFinite());
}

// Q diag(moments) Qᵀ gives the inertia back, the rotation is proper, the largest moment comes first.
TEST(MassProperties, PrincipalAxesRebuildTheInertia) {
  Random random(11);
  for (int k = 0; k < 100; ++k) {
    const MassProperties a = random_properties(random);
    const PrincipalInertia principal = calc_principal(a);
    const Matrix3d R = principal.frame.q.toRotationMatrix();
    EXPECT_NEAR(R.determinant(), 1.0, 1e-13);
    EXPECT_LE((R * principal.moments.asDiagonal() * R.transpose() - a.inertia).norm(), 1e-13 * a.inertia.norm());
    EXPECT_GE(principal.moments.x(), principal.moments.y());
    EXPECT_GE(principal.moments.y(), principal.moments.z());
    EXPECT_EQ(principal.frame.p, a.com);
  }
}

// Equal moments leave the axes free; the answer must still be a rotation.
TEST(MassProperties, PrincipalAxesOfASphereAreARotation) {
  const PrincipalInertia principal = calc_principal(calc_mass_properties(Shape{ShapeType::kSphere, Vector3d(1, 0, 0)}));
  EXPECT_NEAR(principal.frame.q.norm(), 1.0, 1e-15);
  EXPECT_NEAR(principal.moments.x(), principal.moments.z(), 1e-14);
}

// A number that is not one must not become an endless iteration or a rotation that looks right.
TEST(MassProperties, PrincipalMomentsOfNotANumberAreNotANumber) {
  MassProperties bad;
  bad.inertia(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(calc_principal(bad).moments.x()));
}

}  // namespace
}  // namespace tribo
