// Polygons cut into triangles.
//     N = Σ pᵢ × pᵢ₊₁   (Newell), twice the area; corners are projected along N and then turn counter-clockwise       (1)
// An ear is a convex corner whose triangle holds no reflex corner of what is left. The ear with the shortest diagonal is cut, ties by
// least index, until a triangle is left. Where no ear is left, a corner without area goes. Polygons that touch themselves (a hole tied to the rim by a double edge) have ears too.
// Cost      O(n²)
#include "tribo/geometry/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

namespace tribo {
namespace {

constexpr std::size_t kMostCorners = 10'000;  // n² tests take seconds beyond
constexpr double kNoArea = 1e-12;             // of the squared extent: rounding of single precision is below
// Of the extent: farther from the mean plane a polygon is called bent. Files keep single precision, 1e-7 of the coordinates.
constexpr double kBent = 1e-3;
// Of the squared extent: how far edges must reach beyond one another to cross. Edges that touch may do so by rounding.
constexpr double kCrossing = 1e-7;

using Point = Eigen::Vector2d;

double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }
// Twice the area of the triangle, positive where it turns counter-clockwise.
double calc_turn(const Point& a, const Point& b, const Point& c) { return cross(b - a, c - a); }

struct Projection {
  std::vector<Point> points;
  double extent = 0.0;  // m, the larger side of the box around the corners
  double area = 0.0;    // m², twice the polygon's
  double depth = 0.0;   // m, farthest corner from the mean plane
};

Projection project(const std::vector<Vector3d>& vertices, std::span<const std::int32_t> polygon) {
  Projection flat;
  const std::size_t n = polygon.size();
  const auto corner = [&](std::size_t i) -> const Vector3d& { return vertices[polygon[i % n]]; };
  Vector3d low = corner(0), high = corner(0), mean = Vector3d::Zero(), normal = Vector3d::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    low = low.cwiseMin(corner(i));
    high = high.cwiseMax(corner(i));
    mean += corner(i) / static_cast<double>(n);
  }
  for (std::size_t i = 0; i < n; ++i) normal += (corner(i) - mean).cross(corner(i + 1) - mean);  // (1)
  flat.extent = (high - low).maxCoeff();
  flat.area = normal.norm();
  if (!(flat.area > kNoArea * flat.extent * flat.extent)) return flat;
  normal /= flat.area;
  const Vector3d x = normal.unitOrthogonal(), y = normal.cross(x);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3d arm = corner(i) - mean;
    flat.points.emplace_back(x.dot(arm), y.dot(arm));
    flat.depth = std::max(flat.depth, std::abs(normal.dot(arm)));
  }
  return flat;
}

// Corners of a line or a point have no area; those of a bow tie have parts that cancel.
bool are_on_a_line(const std::vector<Vector3d>& vertices, std::span<const std::int32_t> polygon, double extent) {
  const Vector3d& first = vertices[polygon[0]];
  Vector3d far = first;
  for (const std::int32_t i : polygon) {
    if ((vertices[i] - first).squaredNorm() > (far - first).squaredNorm()) far = vertices[i];
  }
  return std::all_of(polygon.begin(), polygon.end(), [&](std::int32_t i) {
    return (vertices[i] - first).cross(far - first).norm() <= kCrossing * extent * extent;
  });
}

bool is_convex(const std::vector<Point>& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!(calc_turn(p[i], p[(i + 1) % n], p[(i + 2) % n]) > 0.0)) return false;
    // Convex corners alone may also go round twice, as those of a pentagram do.
    if (i >= 2 && !(calc_turn(p[0], p[i - 1], p[i]) > 0.0)) return false;
  }
  return true;
}

bool crosses_itself(const Projection& flat) {
  const std::vector<Point>& p = flat.points;
  const std::size_t n = p.size();
  const double least = kCrossing * flat.extent * flat.extent;
  const auto apart = [&](double a, double b) { return (a > least && b < -least) || (a < -least && b > least); };
  for (std::size_t i = 0; i < n; ++i) {
    const Point &a = p[i], &b = p[(i + 1) % n];
    for (std::size_t j = i + 2; j < n; ++j) {
      const Point &c = p[j], &d = p[(j + 1) % n];
      if (apart(calc_turn(a, b, c), calc_turn(a, b, d)) && apart(calc_turn(c, d, a), calc_turn(c, d, b))) return true;
    }
  }
  return false;
}

class EarCutter {
 public:
  EarCutter(Mesh& mesh, std::span<const std::int32_t> polygon, const Projection& flat)
      : mesh_(mesh), polygon_(polygon), p_(flat.points), extent_(flat.extent), area_(flat.area), total_(flat.area) {
    const int n = static_cast<int>(p_.size());
    for (int i = 0; i < n; ++i) {
      before_.push_back((i + n - 1) % n);
      after_.push_back((i + 1) % n);
    }
    reflex_.resize(p_.size());
    ear_.resize(p_.size());
    for (int i = 0; i < n; ++i) reflex_[i] = is_reflex(i) ? 1 : 0;
    find_ears(0);
  }

  // False: no ear is left.
  bool run() {
    int first = 0;
    for (std::size_t left = p_.size(); left > 3; --left) {
      int best = find_best(first);
      if (best < 0) best = find_flat(first);
      if (best < 0) {  // edges that touch overlap by rounding
        slack_ = kCrossing * extent_ * extent_;
        find_ears(first);
        best = find_best(first);
      }
      if (best < 0) return false;
      add(best);
      area_ -= calc_ear_area(best);
      const int a = before_[best], b = after_[best];
      after_[a] = b;
      before_[b] = a;
      first = std::min(a, b);
      for (const int i : {a, b}) reflex_[i] = is_reflex(i) ? 1 : 0;
      for (const int i : {a, b}) ear_[i] = is_ear(i) ? 1 : 0;
    }
    add(first);
    return true;
  }

 private:
  double calc_ear_area(int i) const { return calc_turn(p_[before_[i]], p_[i], p_[after_[i]]); }

  bool is_reflex(int i) const { return !(calc_ear_area(i) > kNoArea * extent_ * extent_); }

  void find_ears(int first) {
    int i = first;
    do {
      ear_[i] = is_ear(i) ? 1 : 0;
      i = after_[i];
    } while (i != first);
  }

  bool is_ear(int i) const {
    if (reflex_[i] != 0) return false;
    const int a = before_[i], b = after_[i];
    for (int k = after_[b]; k != a; k = after_[k]) {
      const Point& q = p_[k];
      if (reflex_[k] == 0 || q == p_[a] || q == p_[i] || q == p_[b]) continue;
      if (std::min({calc_turn(p_[a], p_[i], q), calc_turn(p_[i], p_[b], q), calc_turn(p_[b], p_[a], q)}) >= slack_)
        return false;
    }
    return true;
  }

  // The ear with the shortest diagonal. One that leaves only corners on a line behind is not cut.
  int find_best(int first) const {
    int best = -1, i = first;
    double shortest = std::numeric_limits<double>::infinity();
    do {
      const double length = (p_[after_[i]] - p_[before_[i]]).squaredNorm();
      const bool better = length < shortest || (length == shortest && i < best);
      if (ear_[i] != 0 && better && area_ - calc_ear_area(i) > kNoArea * total_) {
        shortest = length;
        best = i;
      }
      i = after_[i];
    } while (i != first);
    return best;
  }

  // A corner whose triangle has no area: one of two in one point, or the end of a hair.
  int find_flat(int first) const {
    int i = first;
    do {
      if (std::abs(calc_ear_area(i)) <= kNoArea * extent_ * extent_) return i;
      i = after_[i];
    } while (i != first);
    return -1;
  }

  void add(int i) { mesh_.faces.push_back({polygon_[before_[i]], polygon_[i], polygon_[after_[i]]}); }

  Mesh& mesh_;
  std::span<const std::int32_t> polygon_;
  const std::vector<Point>& p_;
  double extent_;        // m
  double area_, total_;  // m², twice what is left and the whole
  double slack_ = 0.0;   // m², how far a reflex corner must be inside a triangle to count
  std::vector<int> before_, after_;
  std::vector<char> reflex_, ear_;
};

void add_fan(Mesh& mesh, std::span<const std::int32_t> polygon) {
  for (std::size_t k = 2; k < polygon.size(); ++k) mesh.faces.push_back({polygon[0], polygon[k - 1], polygon[k]});
}

Unexpected<Error> refuse_crossing() {
  return fail("the polygon crosses itself", "", "cut it into triangles where the mesh was made");
}

}  // namespace

Checked add_polygon(Mesh& mesh, std::span<const std::int32_t> polygon) {
  if (polygon.size() <= 3) {
    add_fan(mesh, polygon);
    return ok();
  }
  if (polygon.size() > kMostCorners)
    return fail("the polygon has " + std::to_string(polygon.size()) + " corners, more than the limit of 10000", "",
                "cut it into triangles where the mesh was made");
  const Projection flat = project(mesh.vertices, polygon);
  if (flat.points.empty()) {
    if (!are_on_a_line(mesh.vertices, polygon, flat.extent)) return refuse_crossing();
    add_fan(mesh, polygon);
    return ok();
  }
  if (flat.depth > kBent * flat.extent) ++mesh.bent_polygons;
  if (is_convex(flat.points)) {
    const auto length = [&](int a, int b) {
      return (mesh.vertices[polygon[a]] - mesh.vertices[polygon[b]]).squaredNorm();
    };
    if (polygon.size() == 4 && length(1, 3) <= length(0, 2)) {
      mesh.faces.push_back({polygon[0], polygon[1], polygon[3]});
      mesh.faces.push_back({polygon[1], polygon[2], polygon[3]});
    } else {
      add_fan(mesh, polygon);
    }
    return ok();
  }
  if (crosses_itself(flat) || !EarCutter(mesh, polygon, flat).run()) return refuse_crossing();
  return ok();
}

}  // namespace tribo
