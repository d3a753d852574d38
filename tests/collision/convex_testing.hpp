// Shapes, poses and slow, obvious distances for the tests of the narrow phase.
#pragma once

#include "tribo/collision/collider.hpp"
#include "tribo/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tribo::testing {

struct Body {
  Shape shape;
  std::shared_ptr<Polytope> polytope;

  PlacedShape at(const Pose& pose) const { return {&shape, polytope.get(), pose, pose.q.toRotationMatrix()}; }
  double size() const {
    if (polytope) return polytope->radius;
    return shape.type == ShapeType::kCapsule || shape.type == ShapeType::kCylinder ? shape.size(0) + shape.size(1)
                                                                                   : shape.size.maxCoeff();
  }
};

inline Body box(double x, double y, double z) {
  const Vector3d half(x, y, z);
  return {{ShapeType::kBox, half, -1}, std::make_shared<Polytope>(make_box(half))};
}
inline Body round(ShapeType type, double x, double y = 0.0, double z = 0.0) {
  return {{type, Vector3d(x, y, z), -1}, nullptr};
}
inline Body hull(const std::vector<Vector3d>& points) {
  Mesh mesh;
  mesh.vertices = points;
  return {{ShapeType::kMesh, Vector3d::Zero(), 0}, std::make_shared<Polytope>(make_polytope(mesh).value())};
}
inline Body random_hull(Random& random, int count, double size) {
  std::vector<Vector3d> points;
  for (int k = 0; k < count; ++k)
    points.push_back(size * Vector3d(random.normal(), random.normal(), random.normal()).normalized());
  return hull(points);
}

inline Quaterniond random_rotation(Random& random) {
  return Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}
inline Vector3d random_vector(Random& random, double size) {
  return size * Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}
inline Quaterniond turned(double angle, const Vector3d& axis) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

inline Manifold touch(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, double margin) {
  Manifold m;
  collide(a.at(pose_a), b.at(pose_b), margin, m);
  return m;
}
inline double least_gap(const Manifold& m) {
  double least = 1e300;
  for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[static_cast<std::size_t>(k)].gap);
  return least;
}
inline Vector3d centroid(const Manifold& m) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < m.count; ++k) sum += m.points[static_cast<std::size_t>(k)].point / m.count;
  return sum;
}
// Distance from the point to the nearest point of the manifold.
inline double distance_to(const Manifold& m, const Vector3d& x) {
  double least = 1e300;
  for (int k = 0; k < m.count; ++k) least = std::min(least, (m.points[static_cast<std::size_t>(k)].point - x).norm());
  return least;
}
inline bool finite(const Manifold& m) {
  bool good = m.normal.allFinite() && std::abs(m.normal.norm() - 1.0) < 1e-9;
  for (int k = 0; k < m.count; ++k)
    good = good && m.points[static_cast<std::size_t>(k)].point.allFinite() &&
           std::isfinite(m.points[static_cast<std::size_t>(k)].gap);
  return good;
}

// How far the shape reaches along n in the world.
inline double reach(const Body& body, const Pose& pose, const Vector3d& n) {
  const Vector3d m = pose.q.conjugate() * n;
  const Vector3d& s = body.shape.size;
  double local = -1e300;
  if (body.polytope) {
    for (const Vector3d& v : body.polytope->vertices) local = std::max(local, m.dot(v));
  } else if (body.shape.type == ShapeType::kSphere) {
    local = s(0);
  } else if (body.shape.type == ShapeType::kCapsule) {
    local = s(0) + s(1) * std::abs(m.z());
  } else if (body.shape.type == ShapeType::kEllipsoid) {
    local = s.cwiseProduct(m).norm();
  } else {
    local = s(0) * std::hypot(m.x(), m.y()) + s(1) * std::abs(m.z());
  }
  return local + n.dot(pose.p);
}
// The separation along a unit n from b to a; its maximum over n is the distance, or minus the least overlap.
inline double separation_along(const Body& a, const Pose& pa, const Body& b, const Pose& pb, const Vector3d& n) {
  return -reach(a, pa, -n) - reach(b, pb, n);
}

// The maximum over n by a dense net of directions and a search with shrinking steps from the best ones.
inline double dense_separation(const Body& a, const Pose& pa, const Body& b, const Pose& pb, int net = 800) {
  std::vector<std::pair<double, Vector3d>> starts;
  for (int k = 0; k < net; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / net, angle = 2.399963229728653 * k, r = std::sqrt(1.0 - z * z);
    const Vector3d n(r * std::cos(angle), r * std::sin(angle), z);
    starts.emplace_back(separation_along(a, pa, b, pb, n), n);
  }
  std::sort(starts.begin(), starts.end(), [](const auto& s, const auto& t) { return s.first > t.first; });
  double best = -1e300;
  for (std::size_t start = 0; start < 6; ++start) {
    auto [value, n] = starts[start];
    for (double step = 0.1; step > 1e-9;) {
      const Vector3d u = n.unitOrthogonal(), v = n.cross(u);
      bool better = false;
      for (int k = 0; k < 16; ++k) {
        const double angle = 2.0 * M_PI * k / 16.0 + step;
        const Vector3d trial = (n + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
        const double s = separation_along(a, pa, b, pb, trial);
        if (s <= value) continue;
        value = s;
        n = trial;
        better = true;
      }
      if (!better) step *= 0.6;
    }
    best = std::max(best, value);
  }
  return best;
}

// All axes that can separate two polytopes: normals of faces and products of edges, each with full projections.
inline double axes_separation(const Body& a, const Pose& pa, const Body& b, const Pose& pb) {
  double best = -1e300;
  const auto offer = [&](const Vector3d& n) { best = std::max(best, separation_along(a, pa, b, pb, n)); };
  for (const Vector3d& n : a.polytope->normals) offer(-(pa.q * n));
  for (const Vector3d& n : b.polytope->normals) offer(pb.q * n);
  const auto along = [](const Polytope& p, const Polytope::Edge& e) -> Vector3d {
    return (p.vertices[static_cast<std::size_t>(e.to)] - p.vertices[static_cast<std::size_t>(e.from)]).normalized();
  };
  for (const auto& ea : a.polytope->edges) {
    for (const auto& eb : b.polytope->edges) {
      const Vector3d n = (pa.q * along(*a.polytope, ea)).cross(pb.q * along(*b.polytope, eb));
      if (n.norm() < 1e-9) continue;
      offer(n.normalized());
      offer(-n.normalized());
    }
  }
  return best;
}

inline double segment_distance(const Vector3d& p, const Vector3d& u, const Vector3d& q, const Vector3d& v) {
  const auto at_q = [&](double s) { return std::clamp(v.dot(p + s * u - q) / v.squaredNorm(), 0.0, 1.0); };
  const double a = u.squaredNorm(), b = u.dot(v), c = v.squaredNorm();
  const Vector3d r = p - q;
  std::array<double, 4> candidates{0.0, 1.0, std::clamp(-u.dot(r) / a, 0.0, 1.0),
                                   std::clamp(u.dot(v - r) / a, 0.0, 1.0)};
  double best = 1e300;
  for (const double s : candidates) best = std::min(best, (p + s * u - q - at_q(s) * v).norm());
  const double det = a * c - b * b;
  if (det > 1e-14 * a * c) {
    const double s = std::clamp((b * v.dot(r) - c * u.dot(r)) / det, 0.0, 1.0);
    best = std::min(best, (p + s * u - q - at_q(s) * v).norm());
  }
  return best;
}

// Two polytopes that are apart: vertices over faces, edges against edges, everything tried.
inline double brute_distance(const Body& a, const Pose& pa, const Body& b, const Pose& pb) {
  double best = 1e300;
  const auto vertices_over_faces = [&](const Polytope& p, const Pose& pose_p, const Polytope& f, const Pose& pose_f) {
    const Pose relative = pose_f.inverse() * pose_p;
    for (const Vector3d& vertex : p.vertices) {
      const Vector3d x = relative * vertex;
      for (std::size_t face = 0; face < f.normals.size(); ++face) {
        const double height = f.normals[face].dot(x) - f.offsets[face];
        const auto corners = f.face(face);
        bool inside = height > 0.0;
        for (std::size_t k = 0; k < corners.size(); ++k) {
          const Vector3d& from = f.vertices[static_cast<std::size_t>(corners[k])];
          const Vector3d& to = f.vertices[static_cast<std::size_t>(corners[(k + 1) % corners.size()])];
          inside = inside && (to - from).cross(f.normals[face]).dot(x - from) <= 0.0;
        }
        if (inside) best = std::min(best, height);
      }
    }
  };
  vertices_over_faces(*a.polytope, pa, *b.polytope, pb);
  vertices_over_faces(*b.polytope, pb, *a.polytope, pa);
  for (const auto& ea : a.polytope->edges) {
    const Vector3d p = pa * a.polytope->vertices[static_cast<std::size_t>(ea.from)];
    const Vector3d u = pa * a.polytope->vertices[static_cast<std::size_t>(ea.to)] - p;
    for (const auto& eb : b.polytope->edges) {
      const Vector3d q = pb * b.polytope->vertices[static_cast<std::size_t>(eb.from)];
      best = std::min(best, segment_distance(p, u, q, pb * b.polytope->vertices[static_cast<std::size_t>(eb.to)] - q));
    }
  }
  return best;
}

}  // namespace tribo::testing
