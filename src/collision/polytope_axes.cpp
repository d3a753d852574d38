// Face normals are tried against the nearest vertex of the other polytope. A pair of edges can carry the largest separation only
// where their arcs on the Gauss sphere (between the normals of their two faces; those of b negated) cross [Gregorius 2013]; every
// other pair is skipped after four products. Arcs are described by the edge's own direction instead of the product of the two
// normals, so that the half circle at an edge of a flat polytope is an arc like any other.
#include "collision/polytope_axes.hpp"

#include <cmath>

namespace tribo {
namespace {

constexpr double kParallelEdges = 1e-14;  // sin² of the angle below which two edges have no common normal of their own

bool find_faces(const Polytope& a, const Polytope& b, const Relative& b_in_a, double margin, FaceAxis& best) {
  for (std::size_t f = 0; f < a.normals.size(); ++f) {
    const Vector3d n = b_in_a.R.transpose() * a.normals[f];
    double low = 1e300;
    for (const Vector3d& v : b.vertices) low = std::min(low, n.dot(v));
    const double separation = low + a.normals[f].dot(b_in_a.t) - a.offsets[f];
    if (separation > margin) return false;
    if (separation > best.separation) best = {separation, static_cast<int>(f)};
  }
  return true;
}

bool find_edges(const Polytope& a, const Polytope& b, const Relative& b_in_a, double margin, EdgeAxis& best) {
  for (std::size_t j = 0; j < b.edges.size(); ++j) {
    const Polytope::Edge& eb = b.edges[j];
    const Vector3d from_b = b_in_a.t + b_in_a.R * b.vertices[static_cast<std::size_t>(eb.from)];
    const Vector3d along_b =
        b_in_a.R * (b.vertices[static_cast<std::size_t>(eb.to)] - b.vertices[static_cast<std::size_t>(eb.from)]);
    const Vector3d c = -(b_in_a.R * b.normals[static_cast<std::size_t>(eb.left)]);
    const Vector3d d = -(b_in_a.R * b.normals[static_cast<std::size_t>(eb.right)]);
    for (std::size_t i = 0; i < a.edges.size(); ++i) {
      const Polytope::Edge& ea = a.edges[i];
      const Vector3d& from_a = a.vertices[static_cast<std::size_t>(ea.from)];
      const Vector3d along_a = a.vertices[static_cast<std::size_t>(ea.to)] - from_a;
      const double c_side = c.dot(along_a), d_side = d.dot(along_a);
      if (!(c_side * d_side < 0.0)) continue;
      const double l_side = a.normals[static_cast<std::size_t>(ea.left)].dot(along_b);
      const double r_side = a.normals[static_cast<std::size_t>(ea.right)].dot(along_b);
      if (!(l_side * r_side < 0.0) || !(c_side * r_side > 0.0)) continue;
      Vector3d axis = along_a.cross(along_b);
      const double squared = axis.squaredNorm();
      if (!(squared > kParallelEdges * along_a.squaredNorm() * along_b.squaredNorm())) continue;
      axis /= std::sqrt(squared);
      const Vector3d outward =
          a.normals[static_cast<std::size_t>(ea.left)] + a.normals[static_cast<std::size_t>(ea.right)];
      double side = axis.dot(outward);
      if (std::abs(side) < 1e-9) side = axis.dot(0.5 * along_a + from_a - a.centre);
      if (side < 0.0) axis = -axis;
      const double separation = axis.dot(from_b - from_a);
      if (separation > margin) return false;
      if (separation > best.separation) best = {separation, static_cast<int>(i), static_cast<int>(j), -axis};
    }
  }
  return true;
}

}  // namespace

bool find_axes(const Polytope& a, const Polytope& b, const Relative& b_in_a, double margin, Axes& axes) {
  return find_faces(a, b, b_in_a, margin, axes.face_a) && find_faces(b, a, b_in_a.inverse(), margin, axes.face_b) &&
         find_edges(a, b, b_in_a, margin, axes.edge);
}

bool find_box_axes(const Vector3d& half_a, const Vector3d& half_b, const Relative& b_in_a, double margin, Axes& axes) {
  const Matrix3d& R = b_in_a.R;
  const Matrix3d size = R.cwiseAbs();
  const Vector3d& t = b_in_a.t;
  const Vector3d t_b = R.transpose() * t;
  const Vector3d reach_a = t.cwiseAbs() - half_a - size * half_b;
  const Vector3d reach_b = t_b.cwiseAbs() - half_b - size.transpose() * half_a;
  for (int k = 0; k < 3; ++k) {
    if (reach_a(k) > margin || reach_b(k) > margin) return false;
    if (reach_a(k) > axes.face_a.separation) axes.face_a = {reach_a(k), 2 * k + (t(k) < 0.0 ? 1 : 0)};
    if (reach_b(k) > axes.face_b.separation) axes.face_b = {reach_b(k), 2 * k + (t_b(k) > 0.0 ? 1 : 0)};
  }
  int best_i = -1, best_j = -1;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // e_i × R_j = (0, −R(i2, j), R(i1, j)) along the axes i, i1, i2.
      const double squared = R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j);
      if (!(squared > kParallelEdges)) continue;
      const double distance = std::abs(t(i2) * R(i1, j) - t(i1) * R(i2, j));
      const double extent =
          half_a(i1) * size(i2, j) + half_a(i2) * size(i1, j) + half_b(j1) * size(i, j2) + half_b(j2) * size(i, j1);
      const double over = distance - extent;
      // The square root only where the axis can win.
      const double now = axes.edge.separation;
      const double limit = over < 0.0 && now < 0.0 ? now * now * squared : -1.0;
      if (limit >= 0.0 ? over * over >= limit : over < 0.0) continue;
      const double separation = over / std::sqrt(squared);
      if (separation > margin) return false;
      if (separation <= now) continue;
      axes.edge.separation = separation;
      best_i = i;
      best_j = j;
    }
  }
  if (best_i < 0) return true;
  // n from b to a; a's edge is its support along −n, b's along n.
  Vector3d n = Vector3d::Unit(best_i).cross(R.col(best_j)).normalized();
  if (n.dot(t) > 0.0) n = -n;
  const Vector3d n_b = R.transpose() * n;
  const auto edge = [](const Vector3d& towards, int k) {
    return 4 * k + (towards((k + 1) % 3) > 0.0 ? 1 : 0) + (towards((k + 2) % 3) > 0.0 ? 2 : 0);
  };
  axes.edge = {axes.edge.separation, edge(-n, best_i), edge(n_b, best_j), n};
  return true;
}

}  // namespace tribo
