// Strings round spheres and cylinders, by geometry.
#include "multibody/wrap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kPi = std::numbers::pi;

double calc_length(const Vector3d& a, const Vector3d& b, const Wrap& way) {
  return way.touches ? (way.first - a).norm() + way.arc + (b - way.last).norm() : (b - a).norm();
}

// Two tangents and the arc that is left between them: the angle between the points less that of both tangents.
TEST(Wrap, GoesRoundASphereInTheWay) {
  const Vector3d a(-2.0, 0.5, 0.0), b(2.0, 0.5, 0.0);
  const Wrap way = wrap_sphere(a, b, 1.0, nullptr);
  ASSERT_TRUE(way.touches);
  const double far = std::sqrt(4.25), arc = 2.0 * std::atan2(2.0, 0.5) - 2.0 * std::acos(1.0 / far);
  EXPECT_NEAR(way.arc, arc, 1e-14);
  EXPECT_NEAR(calc_length(a, b, way), 2.0 * std::sqrt(3.25) + arc, 1e-14);
  EXPECT_NEAR(way.first.norm(), 1.0, 1e-15);
  EXPECT_NEAR((way.first - a).dot(way.first), 0.0, 1e-14);  // a tangent
  EXPECT_GT(way.first.y(), 0.0);                            // the shorter way
}

// A line that passes by, or ends inside, stays a line.
TEST(Wrap, LeavesTheLineWhereNothingIsInTheWay) {
  EXPECT_FALSE(wrap_sphere({-2.0, 1.5, 0.0}, {2.0, 1.5, 0.0}, 1.0, nullptr).touches);
  EXPECT_FALSE(wrap_sphere({-2.0, 0.0, 0.0}, {0.5, 0.0, 0.0}, 1.0, nullptr).touches);
  EXPECT_FALSE(wrap_cylinder({2.0, 0.0, 0.0}, {3.0, 0.0, 0.0}, 1.0, nullptr).touches);
}

// The side site decides: on its own side the line may pass, on the other the string is pulled round.
TEST(Wrap, PassesOnTheSideOfTheSideSite) {
  const Vector3d a(-2.0, 0.5, 0.0), b(2.0, 0.5, 0.0), above(0.0, 3.0, 0.0), below(0.0, -3.0, 0.0);
  const Wrap over = wrap_cylinder(a, b, 1.0, &above), under = wrap_cylinder(a, b, 1.0, &below);
  ASSERT_TRUE(over.touches && under.touches);
  EXPECT_NEAR(over.arc + under.arc, 2.0 * kPi - 4.0 * std::acos(1.0 / std::sqrt(4.25)), 1e-13);
  EXPECT_LT(under.first.y(), 0.0);
  const Vector3d high_a(-2.0, 1.5, 0.0), high_b(2.0, 1.5, 0.0);
  EXPECT_FALSE(wrap_cylinder(high_a, high_b, 1.0, &above).touches);
  EXPECT_TRUE(wrap_cylinder(high_a, high_b, 1.0, &below).touches);
}

// Unrolled, a string on a cylinder is straight: its length and its climb are the sides of a triangle.
TEST(Wrap, ClimbsACylinderAlongAGeodesic) {
  const Vector3d a(-2.0, 0.5, 1.0), b(2.0, 0.5, 4.0);
  const Wrap flat = wrap_cylinder({a.x(), a.y(), 0.0}, {b.x(), b.y(), 0.0}, 1.0, nullptr);
  const Wrap way = wrap_cylinder(a, b, 1.0, nullptr);
  ASSERT_TRUE(way.touches);
  const double across = calc_length({a.x(), a.y(), 0.0}, {b.x(), b.y(), 0.0}, flat);
  EXPECT_NEAR(calc_length(a, b, way), std::hypot(across, 3.0), 1e-13);
  EXPECT_NEAR((way.first.z() + way.last.z()) / 2.0, 2.5, 1e-14);
}

// Through a ring whose middle holds the side site: where the line misses the ring, the string hangs in its nearest point.
TEST(Wrap, TouchesARingFromInside) {
  const Vector3d centre(0.0, 0.0, 0.0);
  const Vector3d a(-3.0, 2.0, 0.0), b(3.0, 2.0, 0.0);
  const Wrap way = wrap_sphere(a, b, 1.0, &centre);
  ASSERT_TRUE(way.touches);
  EXPECT_EQ(way.arc, 0.0);
  EXPECT_LT((way.first - Vector3d(0.0, 1.0, 0.0)).norm(), 1e-14);
  EXPECT_NEAR(calc_length(a, b, way), 2.0 * std::sqrt(10.0), 1e-14);
  EXPECT_FALSE(wrap_sphere({-3.0, 0.5, 0.0}, {3.0, 0.5, 0.0}, 1.0, &centre).touches);  // it runs through already
}

// Any two points: no point of the ring makes the way shorter.
TEST(Wrap, TouchesTheBestPointOfTheRing) {
  const Vector3d centre(0.1, -0.1, 0.0);
  for (int k = 0; k < 20; ++k) {
    const double turn = 0.1 + 0.08 * k;
    const Vector3d a(1.2 + 0.1 * k, 0.3, 0.0), b = (4.0 - 0.1 * k) * Vector3d(std::cos(turn), std::sin(turn), 0.0);
    const Wrap way = wrap_cylinder(a, b, 1.0, &centre);
    if (!way.touches) continue;
    double best = 1e9;
    for (int i = 0; i < 100'000; ++i) {
      const double angle = 2.0 * kPi * i / 100'000;
      const Vector3d p(std::cos(angle), std::sin(angle), 0.0);
      best = std::min(best, (p - a).norm() + (b - p).norm());
    }
    EXPECT_NEAR(calc_length(a, b, way), best, 1e-8) << k;
    EXPECT_LE(calc_length(a, b, way), best + 1e-14) << k;
  }
}

// Points in line with the centre: any plane does, and the length is that of the limit.
TEST(Wrap, RoundASphereFromOppositeSides) {
  const Wrap way = wrap_sphere({0.0, 0.0, -2.0}, {0.0, 0.0, 2.0}, 1.0, nullptr);
  ASSERT_TRUE(way.touches);
  EXPECT_NEAR(way.arc, kPi - 2.0 * std::acos(0.5), 1e-14);
}

}  // namespace
}  // namespace tribo
