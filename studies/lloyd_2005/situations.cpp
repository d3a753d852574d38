#include "situations.hpp"

#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace tribo {
namespace {

constexpr double kGravity = 9.81;  // m/s²
constexpr double kEdge = 0.1;      // m, of the cube; its inertia is the same about every axis, however it is turned

struct Touch {
  Vector3d point, normal;  // into the body
};
using Touches = std::vector<Touch>;

// One body of 1 kg at rest on the world. The wrench has the scale of the weight, at the lever `reach` (m) for its
// torque.
ContactProblem one_body(const Matrix3d& inertia, const Vector3d& centre, double reach, const Touches& touches,
                        Random& random) {
  ContactBuilder builder;
  builder.set_step(0.01);
  const Index body = builder.add_body(1.0, inertia, centre);
  for (const Touch& touch : touches) {
    Contact contact;
    contact.mu = random.uniform(0.2, 0.3);
    builder.add_contact(body, ContactBuilder::kWorld, touch.point, touch.normal, contact);
  }
  VectorXd wrench(6);
  for (Index k = 0; k < 6; ++k) wrench(k) = kGravity * (k < 3 ? 1.0 : reach) * random.normal();
  builder.add_gravity({0.0, 0.0, -kGravity});
  builder.add_force(body, wrench);
  return builder.build();
}

ContactProblem cube(double height, const Touches& touches, Random& random) {
  return one_body(box_inertia(1.0, Vector3d::Constant(kEdge)), {0.0, 0.0, height}, 0.5 * kEdge, touches, random);
}

// The corners of a parallelogram, all with one normal.
void add_face(Touches& touches, const Vector3d& middle, const Vector3d& half_a, const Vector3d& half_b,
              const Vector3d& normal) {
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-1.0, 1.0}) touches.push_back({middle + a * half_a + b * half_b, normal});
  }
}

// n points of a circle about the z axis, the first at the angle `first`.
std::vector<Vector3d> circle(Index n, double radius, double first) {
  std::vector<Vector3d> points;
  for (Index i = 0; i < n; ++i) {
    const double angle = first + 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
  }
  return points;
}

// A regular prism of 1 kg, axis z, about its centre.
Matrix3d prism_inertia(Index sides, double circumradius, double height) {
  const double about_axis =
      circumradius * circumradius * (2.0 + std::cos(2.0 * std::numbers::pi / static_cast<double>(sides))) / 6.0;
  const double across = 0.5 * about_axis + height * height / 12.0;
  return Vector3d(across, across, about_axis).asDiagonal();
}

// A cube that stands on a corner.
ContactProblem point_on_plane(Random& random) {
  return cube(0.5 * std::numbers::sqrt3 * kEdge, {{Vector3d::Zero(), Vector3d::UnitZ()}}, random);
}

// A cube that stands on an edge.
ContactProblem edge_on_plane(Random& random) {
  const Vector3d end(0.0, 0.5 * kEdge, 0.0);
  return cube(kEdge / std::numbers::sqrt2, {{end, Vector3d::UnitZ()}, {-end, Vector3d::UnitZ()}}, random);
}

ContactProblem three_legged_stool(Random& random) {
  constexpr double kRadius = 0.15, kHeight = 0.45;  // m
  Touches touches;
  for (const Vector3d& foot : circle(3, kRadius, 0.0)) touches.push_back({foot, Vector3d::UnitZ()});
  return one_body(cylinder_inertia(1.0, kRadius, kHeight), {0.0, 0.0, 0.3}, kRadius, touches, random);
}

ContactProblem face_on_plane(Random& random) {
  Touches touches;
  add_face(touches, Vector3d::Zero(), 0.5 * kEdge * Vector3d::UnitX(), 0.5 * kEdge * Vector3d::UnitY(),
           Vector3d::UnitZ());
  return cube(0.5 * kEdge, touches, random);
}

// A ball touches the whole rim of the hole; six points of it stand for the circle.
ContactProblem ball_in_rim(Random& random) {
  constexpr double kBall = 0.1, kHole = 0.06;  // m, radii
  const Vector3d centre(0.0, 0.0, std::sqrt(kBall * kBall - kHole * kHole));
  Touches touches;
  for (const Vector3d& point : circle(6, kHole, 0.0)) touches.push_back({point, (centre - point).normalized()});
  return one_body(sphere_inertia(1.0, kBall), centre, kBall, touches, random);
}

// A groove with walls at 45 degrees, its bottom along y; a cube with two faces on the walls.
ContactProblem block_in_groove(Random& random) {
  Touches touches;
  for (const double side : {-1.0, 1.0}) {
    const Vector3d up_the_wall = Vector3d(side, 0.0, 1.0) * (0.5 * kEdge / std::numbers::sqrt2);
    add_face(touches, up_the_wall, up_the_wall, 0.5 * kEdge * Vector3d::UnitY(), Vector3d(-side, 0.0, 1.0));
  }
  return cube(kEdge / std::numbers::sqrt2, touches, random);
}

ContactProblem octagonal_face(Random& random) {
  constexpr double kRadius = 0.1, kHeight = 0.1;  // m
  Touches touches;
  for (const Vector3d& corner : circle(8, kRadius, 0.0)) touches.push_back({corner, Vector3d::UnitZ()});
  return one_body(prism_inertia(8, kRadius, kHeight), {0.0, 0.0, 0.5 * kHeight}, kRadius, touches, random);
}

// A hexagonal block on the tread of a step, one of its sides against the riser, which is half as high as the block.
ContactProblem block_on_step(Random& random) {
  constexpr double kRadius = 0.1, kHeight = 0.1;  // m
  const double apothem = 0.5 * std::numbers::sqrt3 * kRadius;
  Touches touches;
  for (const Vector3d& corner : circle(6, kRadius, std::numbers::pi / 6.0))
    touches.push_back({corner, Vector3d::UnitZ()});
  add_face(touches, {apothem, 0.0, 0.25 * kHeight}, 0.5 * kRadius * Vector3d::UnitY(),
           0.25 * kHeight * Vector3d::UnitZ(), -Vector3d::UnitX());
  return one_body(prism_inertia(6, kRadius, kHeight), {0.0, 0.0, 0.5 * kHeight}, kRadius, touches, random);
}

// A cube in the corner of a floor and two walls.
ContactProblem block_in_corner(Random& random) {
  const double half = 0.5 * kEdge;
  const std::array<Vector3d, 3> axes = {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()};
  Touches touches;
  for (std::size_t k = 0; k < 3; ++k) {
    add_face(touches, Vector3d(0.0, 0.0, half) - half * axes[k], half * axes[(k + 1) % 3], half * axes[(k + 2) % 3],
             axes[k]);
  }
  return cube(half, touches, random);
}

ContactProblem peg_of_sixteen(Random& random) { return peg_in_hole(16, random); }

}  // namespace

std::span<const Situation> situations() {
  static const std::array<Situation, 10> table = {
      Situation{"point on plane", 1, point_on_plane},
      Situation{"edge on plane", 2, edge_on_plane},
      Situation{"three-legged stool", 3, three_legged_stool},
      Situation{"face on plane", 4, face_on_plane},
      Situation{"ball in rim", 6, ball_in_rim},
      Situation{"block in groove", 8, block_in_groove},
      Situation{"octagonal face", 8, octagonal_face},
      Situation{"block on step", 10, block_on_step},
      Situation{"block in corner", 12, block_in_corner},
      Situation{"peg in hole", 16, peg_of_sixteen},
  };
  return table;
}

}  // namespace tribo
