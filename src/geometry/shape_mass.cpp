// Mass properties of the primitives at density 1, all with com at the origin and the axes of the shape principal.
//
// Shells: the mass lies on the surface, end discs of the cylinder and the hemispheres of the capsule included. The shell of an
// ellipsoid has no closed form; as MuJoCo does, its area is Thomsen's approximation (1.1 % at worst, exact for a sphere) and its
// inertia that of the layer between the half axes and the half axes plus a micrometre, which is thinner away from the axes.
#include "tribo/geometry/mass_properties.hpp"

#include <cmath>
#include <numbers>

namespace tribo {
namespace {

constexpr double kPi = std::numbers::pi;

MassProperties make_diagonal(double mass, double ixx, double iyy, double izz) {
  MassProperties properties;
  properties.mass = mass;
  properties.inertia = Vector3d(ixx, iyy, izz).asDiagonal();
  return properties;
}

MassProperties sphere(double r, bool shell) {
  const double mass = shell ? 4.0 * kPi * r * r : 4.0 / 3.0 * kPi * r * r * r;
  const double i = mass * r * r * (shell ? 2.0 / 3.0 : 2.0 / 5.0);
  return make_diagonal(mass, i, i, i);
}

// The mantle (shell) or the solid between the end planes.
MassProperties tube(double r, double half, bool shell) {
  const double mass = shell ? 4.0 * kPi * r * half : 2.0 * kPi * r * r * half;
  const double along = mass * r * r * (shell ? 1.0 : 0.5);
  const double across = 0.5 * along + mass * half * half / 3.0;
  return make_diagonal(mass, across, across, along);
}

MassProperties cylinder(double r, double half, bool shell) {
  MassProperties sum = tube(r, half, shell);
  if (!shell) return sum;
  const double disc = kPi * r * r;
  const double across = 2.0 * disc * (0.25 * r * r + half * half);
  const MassProperties ends = make_diagonal(2.0 * disc, across, across, disc * r * r);
  return sum + ends;
}

// Two hemispheres of mass m/2 with their flat sides at ±half: about their own centres 2m r²/5 (shell: 2m r²/3), com at 3r/8 (r/2).
MassProperties capsule(double r, double half, bool shell) {
  const MassProperties ball = sphere(r, shell);
  const double offset = r * (shell ? 0.5 : 0.375);
  const double across = ball.inertia(0, 0) + ball.mass * (half * half + 2.0 * half * offset);
  return tube(r, half, shell) + make_diagonal(ball.mass, across, across, ball.inertia(2, 2));
}

MassProperties solid_ellipsoid(const Vector3d& s) {
  const double mass = 4.0 / 3.0 * kPi * s.prod();
  const Vector3d q = s.cwiseAbs2() * (mass / 5.0);
  return make_diagonal(mass, q.y() + q.z(), q.x() + q.z(), q.x() + q.y());
}

MassProperties ellipsoid(const Vector3d& s, bool shell) {
  const MassProperties inner = solid_ellipsoid(s);
  if (!shell) return inner;
  constexpr double kThickness = 1e-6;  // m
  constexpr double kExponent = 1.6075;
  const MassProperties outer = solid_ellipsoid(s.array() + kThickness);
  const double layer = outer.mass - inner.mass;
  if (!(layer > 0.0)) return {};
  const double mean =
      (std::pow(s.x() * s.y(), kExponent) + std::pow(s.y() * s.z(), kExponent) + std::pow(s.z() * s.x(), kExponent)) /
      3.0;
  MassProperties properties;
  properties.mass = 4.0 * kPi * std::pow(mean, 1.0 / kExponent);
  properties.inertia = (outer.inertia - inner.inertia) * (properties.mass / layer);
  return properties;
}

MassProperties box(const Vector3d& s, bool shell) {
  const Vector3d square = s.cwiseAbs2();
  if (!shell) {
    const double mass = 8.0 * s.prod();
    const Vector3d q = square * (mass / 3.0);
    return make_diagonal(mass, q.y() + q.z(), q.x() + q.z(), q.x() + q.y());
  }
  // Second moments ∫ xᵢ² dA: the two faces across i lie at sᵢ, the other four spread over it with mean sᵢ²/3.
  const Vector3d area(8.0 * s.y() * s.z(), 8.0 * s.z() * s.x(), 8.0 * s.x() * s.y());
  const double mass = area.sum();
  const Vector3d q = square.array() * (area.array() + (mass - area.array()) / 3.0);
  return make_diagonal(mass, q.y() + q.z(), q.x() + q.z(), q.x() + q.y());
}

}  // namespace

MassProperties calc_mass_properties(const Shape& shape, bool shell) {
  switch (shape.type) {
    case ShapeType::kSphere:
      return sphere(shape.size.x(), shell);
    case ShapeType::kCapsule:
      return capsule(shape.size.x(), shape.size.y(), shell);
    case ShapeType::kEllipsoid:
      return ellipsoid(shape.size, shell);
    case ShapeType::kCylinder:
      return cylinder(shape.size.x(), shape.size.y(), shell);
    case ShapeType::kBox:
      return box(shape.size, shell);
    case ShapeType::kPlane:
    case ShapeType::kHeightField:
    case ShapeType::kMesh:
      break;
  }
  return {};
}

}  // namespace tribo
