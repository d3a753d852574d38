// Helpers of the collision tests: placed shapes, random poses, and manifolds compared as sets of points.
#pragma once

#include "tribo/collision/collider.hpp"
#include "tribo/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace tribo::collision_testing {

inline Shape sphere(double radius) { return {ShapeType::kSphere, Vector3d(radius, 0, 0), -1}; }
inline Shape capsule(double radius, double half) { return {ShapeType::kCapsule, Vector3d(radius, half, 0), -1}; }
inline Shape cylinder(double radius, double half) { return {ShapeType::kCylinder, Vector3d(radius, half, 0), -1}; }
inline Shape ellipsoid(double a, double b, double c) { return {ShapeType::kEllipsoid, Vector3d(a, b, c), -1}; }
inline Shape box(double a, double b, double c) { return {ShapeType::kBox, Vector3d(a, b, c), -1}; }
inline Shape plane() { return {ShapeType::kPlane, Vector3d::Zero(), -1}; }

inline Quaterniond turn(const Vector3d& axis, double angle) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}
inline Quaterniond random_turn(Random& random) {
  return Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}
inline Vector3d random_vector(Random& random, double size) {
  return Vector3d(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
}
inline Pose random_pose(Random& random, double size) { return {random_vector(random, size), random_turn(random)}; }

// A shape with all that a PlacedShape points to.
class Thing {
 public:
  explicit Thing(const Shape& shape, const Pose& pose = {}) : shape_(std::make_shared<Shape>(shape)) {
    if (shape.type == ShapeType::kBox) polytope_ = std::make_shared<Polytope>(make_box(shape.size));
    move(pose);
  }
  Thing(const Mesh& mesh, const Pose& pose)
      : shape_(std::make_shared<Shape>(Shape{ShapeType::kMesh, Vector3d::Zero(), 0})) {
    polytope_ = std::make_shared<Polytope>(make_polytope(mesh).value());
    move(pose);
  }
  void move(const Pose& pose) {
    placed_.shape = shape_.get();
    placed_.polytope = polytope_.get();
    placed_.pose = pose;
    placed_.R = pose.q.toRotationMatrix();
  }
  const PlacedShape& placed() const { return placed_; }
  const Pose& pose() const { return placed_.pose; }

 private:
  std::shared_ptr<Shape> shape_;
  std::shared_ptr<Polytope> polytope_;
  PlacedShape placed_;
};

inline Manifold touch(const Thing& a, const Thing& b, double margin) {
  Manifold out;
  collide(a.placed(), b.placed(), margin, out);
  return out;
}

inline std::vector<ManifoldPoint> by_feature(const Manifold& manifold) {
  std::vector<ManifoldPoint> points(manifold.points.begin(), manifold.points.begin() + manifold.count);
  std::sort(points.begin(), points.end(), [](const auto& x, const auto& y) { return x.feature < y.feature; });
  return points;
}

// The greatest distance from a point of one manifold to the nearest of the other; gaps count as well.
inline double difference(const Manifold& a, const Manifold& b) {
  if (a.count != b.count) return INFINITY;
  double worst = 0.0;
  for (int i = 0; i < a.count; ++i) {
    double least = INFINITY;
    for (int k = 0; k < b.count; ++k) {
      const ManifoldPoint &x = a.points[static_cast<std::size_t>(i)], &y = b.points[static_cast<std::size_t>(k)];
      least = std::min(least, (x.point - y.point).norm() + std::abs(x.gap - y.gap));
    }
    worst = std::max(worst, least);
  }
  return worst;
}

// A scene of bodies with one shape each, every body a group of its own but the first, the world.
struct Scene {
  CollisionInput input;
  std::vector<Pose> bodies;

  Scene() {
    input.group = {0};
    input.parent_group = {-1};
    bodies.emplace_back();
  }
  Index add_static(const Shape& shape, const Pose& pose = {}) {
    CollisionShape added;
    added.shape = shape;
    added.pose = pose;
    input.shapes.push_back(added);
    return static_cast<Index>(input.shapes.size()) - 1;
  }
  Index add_body(const Shape& shape, const Pose& pose) {
    CollisionShape added;
    added.shape = shape;
    added.body = static_cast<Index>(bodies.size());
    input.shapes.push_back(added);
    input.group.push_back(added.body);
    input.parent_group.push_back(-1);
    bodies.push_back(pose);
    return static_cast<Index>(input.shapes.size()) - 1;
  }
  CollisionModel model() const { return CollisionModel::make(input).value(); }
};

inline std::vector<FoundContact> find(const Scene& scene, double margin) {
  const CollisionModel model = scene.model();
  Collider collider(model);
  std::vector<FoundContact> contacts;
  collider.find(scene.bodies, margin, contacts);
  return contacts;
}

}  // namespace tribo::collision_testing
