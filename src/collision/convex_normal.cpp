#include "collision/convex_normal.hpp"

#include <cmath>

namespace tribo {
namespace {

constexpr int kMostLines = 12;  // directions that n may be normal to, of both cores together
constexpr double kNear = 0.35;  // sine of the angle within which a direction counts as nearly normal to n
constexpr double kTie = 1e-13;  // of the size: separations this near are equal

struct Lines {
  std::array<Vector3d, kMostLines> c;
  int count = 0;

  void offer(const Vector3d& direction, const Vector3d& n) {
    const double length = direction.norm();
    if (count == kMostLines || !(std::abs(direction.dot(n)) <= kNear * length) || !(length > 0.0)) return;
    c[static_cast<std::size_t>(count++)] = direction / length;
  }
};

// Edges at the support vertex; the lines of a cylinder: its side, and the two directions of its caps.
void collect(const Core& core, const Vector3d& outward, const Vector3d& n, int most, Lines& lines) {
  if (core.type == ShapeType::kCapsule) lines.offer(core.R.col(2), n);
  if (core.type == ShapeType::kCylinder) {
    lines.offer(core.R.col(2), n);
    lines.offer(core.R.col(0), n);
    lines.offer(core.R.col(1), n);
  }
  if (core.type != ShapeType::kMesh) return;
  int vertex = 0;
  core.support(outward, &vertex);
  const Vector3d local = core.R.transpose() * n;
  // The edges most nearly normal to n come first.
  std::array<std::pair<double, Vector3d>, kMostLines> best;
  int count = 0;
  for (const std::int32_t e : core.polytope->edges_of(vertex)) {
    const Polytope::Edge& edge = core.polytope->edges[static_cast<std::size_t>(e)];
    const Vector3d along = core.polytope->vertices[static_cast<std::size_t>(edge.to)] -
                           core.polytope->vertices[static_cast<std::size_t>(edge.from)];
    const double sine = std::abs(along.dot(local)) / along.norm();
    if (!(sine <= kNear) || (count == most && sine >= best[static_cast<std::size_t>(count - 1)].first)) continue;
    if (count < most) ++count;
    int at = count - 1;
    for (; at > 0 && best[static_cast<std::size_t>(at - 1)].first > sine; --at)
      best[static_cast<std::size_t>(at)] = best[static_cast<std::size_t>(at - 1)];
    best[static_cast<std::size_t>(at)] = {sine, core.R * along};
  }
  for (int k = 0; k < count; ++k) lines.offer(best[static_cast<std::size_t>(k)].second, n);
}

// Newton's method from n on the sphere, or with `c` on the circle n ⟂ c. Steps that do not increase s are halved.
double climb(const Core& a, const Core& b, const Vector3d* c, Vector3d& n) {
  Vector3d p_a = a.support(-n), p_b = b.support(n);
  double s = n.dot(p_a - p_b);
  for (int iteration = 0; iteration < 12; ++iteration) {
    const Vector3d g = p_a - p_b;
    const Matrix3d slope = a.support_slope(-n) + b.support_slope(n);
    Vector3d step;
    const Vector3d t1 = c != nullptr ? Vector3d(c->cross(n)) : n.unitOrthogonal();
    const double h11 = t1.dot(slope * t1) + s, g1 = t1.dot(g);
    if (c != nullptr) {
      if (!(h11 > 0.0)) return s;
      step = g1 / h11 * t1;
    } else {
      const Vector3d t2 = n.cross(t1);
      const double h22 = t2.dot(slope * t2) + s, h12 = t1.dot(slope * t2), g2 = t2.dot(g);
      const double determinant = h11 * h22 - h12 * h12;
      if (!(h11 > 0.0) || !(determinant > 0.0)) return s;
      step = (h22 * g1 - h12 * g2) / determinant * t1 + (h11 * g2 - h12 * g1) / determinant * t2;
    }
    const double length = step.norm();
    if (!(length < 1e6)) return s;
    if (length > 0.5) step *= 0.5 / length;
    bool better = false;
    for (int halving = 0; halving < 6 && !better; ++halving, step *= 0.5) {
      const Vector3d trial = (n + step).normalized();
      const Vector3d q_a = a.support(-trial), q_b = b.support(trial);
      const double value = trial.dot(q_a - q_b);
      // At the end s is flat to rounding while n still gains digits: small steps may be taken on trust.
      if (!(value > s || (length < 1e-5 && value >= s - 1e-15 * (p_a.norm() + p_b.norm())))) continue;
      better = true;
      n = trial;
      s = value;
      p_a = q_a;
      p_b = q_b;
    }
    if (!better || length < 1e-15) break;
  }
  return s;
}

}  // namespace

double separation(const Core& a, const Core& b, const Vector3d& n) { return n.dot(a.support(-n) - b.support(n)); }

double refine_normal(const Core& a, const Core& b, Vector3d& n) {
  const double tie = kTie * (a.extent() + b.extent());
  Lines lines;
  collect(a, -n, n, kMostLines / 2, lines);
  const int of_a = lines.count;
  collect(b, n, n, kMostLines - of_a, lines);

  Vector3d best = n;
  double s = climb(a, b, nullptr, best);
  for (int i = 0; i < lines.count; ++i) {
    const Vector3d& c = lines.c[static_cast<std::size_t>(i)];
    Vector3d on_circle = (n - c.dot(n) * c).normalized();
    const double value = climb(a, b, &c, on_circle);
    if (value < s - tie) continue;
    s = value;
    best = on_circle;
  }
  for (int i = 0; i < lines.count; ++i) {
    for (int j = i + 1; j < lines.count; ++j) {
      Vector3d corner = lines.c[static_cast<std::size_t>(i)].cross(lines.c[static_cast<std::size_t>(j)]);
      const double length = corner.norm();
      if (!(length > 1e-7)) continue;
      corner /= corner.dot(n) < 0.0 ? -length : length;
      if (corner.dot(n) < 0.7) continue;
      const double value = separation(a, b, corner);
      if (value < s - tie) continue;
      s = value;
      best = corner;
    }
  }
  n = best;
  return s;
}

double search_normal(const Core& a, const Core& b, Vector3d& n) {
  constexpr int kNet = 256, kKept = 8;
  std::array<std::pair<double, Vector3d>, kKept> best;
  best.fill({-1e300, n});
  const auto offer = [&](const Vector3d& direction) {
    const double s = separation(a, b, direction);
    if (!(s > best[kKept - 1].first)) return;
    std::size_t at = kKept - 1;
    for (; at > 0 && best[at - 1].first < s; --at) best[at] = best[at - 1];
    best[at] = {s, direction};
  };
  // A spiral from pole to pole with the golden angle.
  for (int k = 0; k < kNet; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / kNet, angle = 2.399963229728653 * k, r = std::sqrt(1.0 - z * z);
    offer(Vector3d(r * std::cos(angle), r * std::sin(angle), z));
  }
  for (const Core* core : {&a, &b}) {
    const double sign = core == &a ? -1.0 : 1.0;
    if (core->type == ShapeType::kCylinder) {
      offer(core->R.col(2));
      offer(-core->R.col(2));
    }
    if (core->polytope == nullptr) continue;
    for (const Vector3d& m : core->polytope->normals) offer(sign * (core->R * m));
  }
  double s = -1e300;
  for (const auto& [value, start] : best) {
    if (value == -1e300) continue;
    Vector3d trial = start;
    const double refined = refine_normal(a, b, trial);
    if (refined <= s) continue;
    s = refined;
    n = trial;
  }
  return s;
}

}  // namespace tribo
