#include "collision/gjk.hpp"

#include <cmath>

namespace tribo {
namespace {

constexpr double kGapOfGjk = 1e-12;  // (2), relative to |v|²
constexpr int kMostIterations = 64;

// A simplex reduced to the part that holds its nearest point, and the weights there.
struct Nearest {
  std::array<int, 4> index{};
  std::array<double, 4> weight{};
  int size = 0;
  double squared = 1e300;
};

using Points = std::array<SimplexPoint, 4>;

void offer(const Points& p, std::initializer_list<int> index, std::initializer_list<double> weight, Nearest& best) {
  Vector3d v = Vector3d::Zero();
  Nearest next;
  auto w = weight.begin();
  for (const int i : index) {
    next.index[static_cast<std::size_t>(next.size)] = i;
    next.weight[static_cast<std::size_t>(next.size++)] = *w;
    v += *w++ * p[static_cast<std::size_t>(i)].w;
  }
  next.squared = v.squaredNorm();
  if (next.squared < best.squared) best = next;
}

void nearest_on_segment(const Points& p, int i, int j, Nearest& best) {
  const Vector3d &a = p[static_cast<std::size_t>(i)].w, &b = p[static_cast<std::size_t>(j)].w;
  const Vector3d ab = b - a;
  const double along = -a.dot(ab), length = ab.squaredNorm();
  if (along > 0.0 && along < length) offer(p, {i, j}, {1.0 - along / length, along / length}, best);
}

void nearest_on_triangle(const Points& p, int i, int j, int k, Nearest& best) {
  const Vector3d &a = p[static_cast<std::size_t>(i)].w, &b = p[static_cast<std::size_t>(j)].w,
                 &c = p[static_cast<std::size_t>(k)].w;
  const Vector3d n = (b - a).cross(c - a);
  const double area = n.squaredNorm();
  if (!(area > 0.0)) return;
  // b × c = b × (c − b): the short form loses less.
  const double u = n.dot(b.cross(c - b)) / area, v = n.dot(c.cross(a - c)) / area, w = n.dot(a.cross(b - a)) / area;
  if (u > 0.0 && v > 0.0 && w > 0.0) {
    const double sum = u + v + w;
    offer(p, {i, j, k}, {u / sum, v / sum, w / sum}, best);
  }
}

// All faces of the simplex are tried and the nearest wins: no order of tests for rounding to upset.
bool nearest_point(const Points& p, int size, Nearest& best) {
  best = {};
  if (size == 4) {
    const Vector3d &a = p[0].w, &b = p[1].w, &c = p[2].w, &d = p[3].w;
    const double volume = (b - a).dot((c - a).cross(d - a));
    const double s0 = b.dot(c.cross(d)), s1 = -a.dot(c.cross(d)), s2 = a.dot(b.cross(d)), s3 = -a.dot(b.cross(c));
    const bool inside = volume > 0.0 ? s0 >= 0.0 && s1 >= 0.0 && s2 >= 0.0 && s3 >= 0.0
                                     : s0 <= 0.0 && s1 <= 0.0 && s2 <= 0.0 && s3 <= 0.0;
    if (inside && volume != 0.0) return true;
  }
  for (int i = 0; i < size; ++i) {
    offer(p, {i}, {1.0}, best);
    for (int j = i + 1; j < size; ++j) {
      nearest_on_segment(p, i, j, best);
      for (int k = j + 1; k < size; ++k) nearest_on_triangle(p, i, j, k, best);
    }
  }
  return false;
}

}  // namespace

Distance gjk(const Core& a, const Core& b, double limit) {
  Distance out;
  const double tiny = 1e-15 * (a.extent() + b.extent() + (a.t - b.t).norm());
  Vector3d v = a.t - b.t;
  if (a.polytope != nullptr) v += a.R * a.polytope->centre;
  if (b.polytope != nullptr) v -= b.R * b.polytope->centre;
  if (!(v.squaredNorm() > 0.0)) v = Vector3d::UnitX();
  out.simplex[0] = support_of_difference(a, b, -v);
  out.size = 1;
  v = out.simplex[0].w;
  double squared = v.squaredNorm();
  Nearest nearest;
  nearest_point(out.simplex, 1, nearest);
  Nearest kept = nearest;
  for (out.iterations = 1; out.iterations < kMostIterations; ++out.iterations) {
    if (!(squared > tiny * tiny)) {
      out.overlap = true;
      return out;
    }
    const SimplexPoint s = support_of_difference(a, b, -v);
    const double bound = v.dot(s.w);
    if (bound > 0.0 && bound * bound > limit * limit * squared && limit >= 0.0) {
      out.distance = bound / std::sqrt(squared);
      out.normal = v / std::sqrt(squared);
      return out;
    }
    if (squared - bound <= kGapOfGjk * squared) break;
    Points trial = out.simplex;
    trial[static_cast<std::size_t>(out.size)] = s;
    if (nearest_point(trial, out.size + 1, nearest)) {
      out.simplex = trial;
      out.size = 4;
      out.overlap = true;
      return out;
    }
    if (!(nearest.squared < squared)) break;  // rounding has the last word
    Points reduced;
    for (int k = 0; k < nearest.size; ++k) {
      const auto at = static_cast<std::size_t>(k);
      reduced[at] = trial[static_cast<std::size_t>(nearest.index[at])];
      nearest.index[at] = k;
    }
    out.simplex = reduced;
    out.size = nearest.size;
    kept = nearest;
    v.setZero();
    for (int k = 0; k < out.size; ++k)
      v += kept.weight[static_cast<std::size_t>(k)] * out.simplex[static_cast<std::size_t>(k)].w;
    squared = v.squaredNorm();
  }
  out.distance = std::sqrt(squared);
  out.normal = v / out.distance;
  for (int k = 0; k < out.size; ++k) {
    const auto at = static_cast<std::size_t>(k);
    out.on_a += kept.weight[at] * out.simplex[at].on_a;
    out.on_b += kept.weight[at] * out.simplex[at].on_b;
  }
  return out;
}

}  // namespace tribo
