#include "stack.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace tribo {
namespace {

using Vector2d = Eigen::Vector2d;
using Polygon = std::vector<Vector2d>;  // convex, counter-clockwise

constexpr double kStackGravity = 9.81;         // m/s²
constexpr double kWidth = 0.2, kHeight = 0.1;  // m
// m, each way. Two blocks are then off by 0.034 at most; from 0.041 on, turned blocks would lose corners of their
// octagon.
constexpr double kShift = 0.012;

Polygon square(const Vector2d& centre, double angle) {
  Polygon corners;
  for (int k = 0; k < 4; ++k) {
    const double direction = angle + (0.25 + 0.5 * k) * std::numbers::pi;
    corners.push_back(centre + kWidth / std::numbers::sqrt2 * Vector2d(std::cos(direction), std::sin(direction)));
  }
  return corners;
}

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// What of `polygon` is left of the line from a to b.
Polygon cut(const Polygon& polygon, const Vector2d& a, const Vector2d& b) {
  Polygon left;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = cross(b - a, p - a), at_q = cross(b - a, q - a);
    if (at_p >= 0.0) left.push_back(p);
    if (at_p * at_q < 0.0) left.push_back(p + (q - p) * (at_p / (at_p - at_q)));
  }
  return left;
}

Polygon common_face(Polygon upper, const Polygon& lower) {
  for (std::size_t k = 0; k < lower.size(); ++k) upper = cut(upper, lower[k], lower[(k + 1) % lower.size()]);
  return upper;
}

}  // namespace

std::span<const Stack> stacks() {
  static const std::array<Stack, 10> table = {Stack{1, 0}, Stack{2, 0}, Stack{2, 1}, Stack{3, 0}, Stack{3, 2},
                                              Stack{4, 0}, Stack{4, 2}, Stack{4, 3}, Stack{5, 0}, Stack{5, 3}};
  return table;
}

ContactProblem make_stack(const Stack& stack, Random& random) {
  TRIBO_REQUIRE(stack.blocks >= 1 && stack.turned >= 0 && stack.turned < stack.blocks,
                "the lowest block is not turned");
  ContactBuilder builder;
  builder.set_step(0.01);
  Polygon below;
  double angle = 0.0;
  for (Index i = 0; i < stack.blocks; ++i) {
    const double x = i == 0 ? 0.0 : random.uniform(-kShift, kShift);
    const double y = i == 0 ? 0.0 : random.uniform(-kShift, kShift);
    if (i >= 1 && i <= stack.turned) angle += 0.25 * std::numbers::pi;
    const double z = kHeight * static_cast<double>(i);
    const Polygon bottom = square({x, y}, angle);
    const Index block = builder.add_body(1.0, box_inertia(1.0, {kWidth, kWidth, kHeight}), {x, y, z + 0.5 * kHeight});
    for (const Vector2d& corner : i == 0 ? bottom : common_face(bottom, below)) {
      Contact contact;
      contact.mu = random.uniform(0.2, 0.3);
      builder.add_contact(block, i == 0 ? ContactBuilder::kWorld : block - 1, {corner.x(), corner.y(), z},
                          Vector3d::UnitZ(), contact);
    }
    below = bottom;
  }
  builder.add_gravity({0.0, 0.0, -kStackGravity});
  VectorXd wrench(6);
  for (Index k = 0; k < 6; ++k) wrench(k) = kStackGravity * (k < 3 ? 0.2 : 0.02) * random.normal();
  builder.add_force(stack.blocks - 1, wrench);
  return builder.build();
}

}  // namespace tribo
