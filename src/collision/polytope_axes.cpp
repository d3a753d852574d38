// D = A − B, the differences of points of both. The separation along n (from b to a) is s(n) = min over D of n·x, so that
//     s(n) <= n·x  for any x of D                                                                                           (1)
// A few points of D, found on the way, thus refute nearly all faces and edges: what (1) puts below the best axis so far is skipped.
// The face normals that are left are tried against the farthest vertex of the other polytope.
// A pair of edges can carry the largest separation only where their arcs on the Gauss sphere (between the normals l, r of their two
// faces; those of b negated) cross [Gregorius 2013]; every other pair is skipped after four products. Arcs are described by the
// edge's own direction instead of the product of the two normals, so that the half circle at an edge of a flat polytope is an arc
// like any other. For n = α l + β r on an arc, |n| = 1, and c the cosine of half its angle: 1 <= α + β <= 1/c, and so
//     n·x < t  where l·x and r·x are both below t (t <= 0), or below c t (t > 0)                                            (2)
// skips the whole edge, with all pairs that it is part of.
#include "collision/polytope_axes.hpp"

#include <cmath>

#include "collision/polytope_support.hpp"

namespace tribo {
namespace {

constexpr double kParallelEdges = 1e-14;  // sin² of the angle below which two edges have no common normal of their own
constexpr double kBeaten = 1e-12;         // of the size: (1) and (2) skip what is beaten by more than this

// Points of D that refute: x for normals of b (from b to a), y = −x for normals of a, each in the frame of its polytope.
struct Witness {
  Vector3d of_a, of_b;
};

// The last one that refuted comes first.
struct Witnesses {
  static constexpr std::size_t kMost = 24;
  std::array<Witness, kMost> all;
  std::size_t count = 0;

  void add(const Witness& witness) {
    if (count < kMost) ++count;
    all[count - 1] = all[0];  // where there is no room, the one that has refuted nothing for longest gives way
    all[0] = witness;
  }
  template <typename Refutes>
  bool any(const Refutes& refutes) {
    for (std::size_t k = 0; k < count; ++k) {
      if (!refutes(all[k])) continue;
      for (; k > 0; --k) std::swap(all[k], all[k - 1]);
      return true;
    }
    return false;
  }
};

// `own`: which of the two frames is that of p, the polytope whose faces are tried.
bool find_faces(const Polytope& p, const Polytope& other, const Relative& other_in_p, Vector3d Witness::*own,
                double margin, double slack, Witnesses& witnesses, FaceAxis& best) {
  Vector3d Witness::*const others = own == &Witness::of_a ? &Witness::of_b : &Witness::of_a;
  for (std::size_t f = 0; f < p.normals.size(); ++f) {
    const Vector3d& up = p.normals[f];
    const double least = best.separation - slack;
    if (witnesses.any([&](const Witness& witness) { return up.dot(witness.*own) < least; })) continue;
    const Vector3d n = other_in_p.R.transpose() * up;
    const Vector3d& deepest = other.vertices[static_cast<std::size_t>(find_farthest(other, -n))];
    const double separation = n.dot(deepest) + up.dot(other_in_p.t) - p.offsets[f];
    if (separation > margin) return false;
    if (separation > best.separation) best = {separation, static_cast<int>(f)};
    Witness witness;
    witness.*own = other_in_p.t + other_in_p.R * deepest - p.vertices[static_cast<std::size_t>(p.corners[p.start[f]])];
    witness.*others = -(other_in_p.R.transpose() * (witness.*own));
    witnesses.add(witness);
  }
  return true;
}

// Edges that (2) leaves with axes above `least`.
void find_edges_left(const Polytope& p, Vector3d Witness::*own, double least, Witnesses& witnesses,
                     std::vector<std::int32_t>& left) {
  left.clear();
  for (std::size_t e = 0; e < p.edges.size(); ++e) {
    const Vector3d& l = p.normals[static_cast<std::size_t>(p.edges[e].left)];
    const Vector3d& r = p.normals[static_cast<std::size_t>(p.edges[e].right)];
    const double bar = least > 0.0 ? least * 0.5 * (1.0 + l.dot(r)) : least;  // c² < c
    if (witnesses.any([&](const Witness& witness) { return l.dot(witness.*own) < bar && r.dot(witness.*own) < bar; }))
      continue;
    left.push_back(static_cast<std::int32_t>(e));
  }
}

struct EdgesLeft {
  std::vector<std::int32_t> of_a, of_b;
};

bool find_edges(const Polytope& a, const Polytope& b, const Relative& b_in_a, const EdgesLeft& left, double margin,
                EdgeAxis& best) {
  for (const std::int32_t j : left.of_b) {
    const Polytope::Edge& eb = b.edges[static_cast<std::size_t>(j)];
    const Vector3d from_b = b_in_a.t + b_in_a.R * b.vertices[static_cast<std::size_t>(eb.from)];
    const Vector3d along_b =
        b_in_a.R * (b.vertices[static_cast<std::size_t>(eb.to)] - b.vertices[static_cast<std::size_t>(eb.from)]);
    const Vector3d c = -(b_in_a.R * b.normals[static_cast<std::size_t>(eb.left)]);
    const Vector3d d = -(b_in_a.R * b.normals[static_cast<std::size_t>(eb.right)]);
    for (const std::int32_t i : left.of_a) {
      const Polytope::Edge& ea = a.edges[static_cast<std::size_t>(i)];
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
      if (separation > best.separation) best = {separation, i, j, -axis};
    }
  }
  return true;
}

}  // namespace

bool find_axes(const Polytope& a, const Polytope& b, const Relative& b_in_a, const Distance& distance, double margin,
               Axes& axes) {
  Witnesses witnesses;
  const auto add = [&](const Vector3d& x) { witnesses.add({-x, b_in_a.R.transpose() * x}); };
  for (int k = 0; k < distance.size; ++k) add(distance.simplex[static_cast<std::size_t>(k)].w);
  if (!distance.overlap) add(distance.on_a - distance.on_b);
  const double slack = kBeaten * (a.radius + b.radius + b_in_a.t.norm());
  if (!find_faces(a, b, b_in_a, &Witness::of_a, margin, slack, witnesses, axes.face_a) ||
      !find_faces(b, a, b_in_a.inverse(), &Witness::of_b, margin, slack, witnesses, axes.face_b))
    return false;
  const double least = std::max(axes.face_a.separation, axes.face_b.separation) - slack;
  thread_local EdgesLeft left;  // keeps its memory
  find_edges_left(a, &Witness::of_a, least, witnesses, left.of_a);
  find_edges_left(b, &Witness::of_b, least, witnesses, left.of_b);
  return find_edges(a, b, b_in_a, left, margin, axes.edge);
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
