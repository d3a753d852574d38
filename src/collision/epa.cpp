#include "collision/epa.hpp"

#include <cmath>

namespace tribo {
namespace {

constexpr int kMostVertices = 64;
constexpr int kMostFaces = 256;
constexpr double kGapOfEpa = 1e-12;  // (2), of the size

struct Face {
  std::array<int, 3> v;
  Vector3d normal;  // outward
  double offset;    // normal · x on the face: the distance of the origin, negative when it is outside
};

class Hull {
 public:
  std::array<SimplexPoint, kMostVertices> vertex;
  std::array<Face, kMostFaces> face;
  int vertices = 0, faces = 0;

  const Vector3d& w(int i) const { return vertex[static_cast<std::size_t>(i)].w; }

  // False where the three points have no normal of their own.
  bool add_face(int i, int j, int k) {
    if (faces == kMostFaces) return false;
    const Vector3d u = w(j) - w(i), v = w(k) - w(i);
    const Vector3d n = u.cross(v);
    const double length = n.norm();
    if (!(length > 1e-10 * u.norm() * v.norm()) || !(length > 0.0)) return false;
    Face& f = face[static_cast<std::size_t>(faces)];
    f = {{i, j, k}, n / length, 0.0};
    f.offset = f.normal.dot(w(i));
    ++faces;
    return true;
  }

  int nearest() const {
    int best = 0;
    for (int f = 1; f < faces; ++f)
      if (face[static_cast<std::size_t>(f)].offset < face[static_cast<std::size_t>(best)].offset) best = f;
    return best;
  }

  // hull(P, w): faces that see the point go, the edges around them get new faces. False: no room, or a flat face.
  bool extend(const SimplexPoint& s, int nearest_face, double coplanar) {
    if (vertices == kMostVertices) return false;
    const int at = vertices;
    vertex[static_cast<std::size_t>(vertices++)] = s;
    std::array<std::array<int, 2>, 3 * kMostFaces> edges;
    int count = 0, kept = 0;
    const auto toggle = [&](int from, int to) {
      for (int e = 0; e < count; ++e) {
        auto& edge = edges[static_cast<std::size_t>(e)];
        if (edge[0] != to || edge[1] != from) continue;
        edge = edges[static_cast<std::size_t>(--count)];
        return;
      }
      edges[static_cast<std::size_t>(count++)] = {from, to};
    };
    for (int f = 0; f < faces; ++f) {
      const Face now = face[static_cast<std::size_t>(f)];
      // Faces in one plane with the point go as well: they would leave triangles without area behind.
      if (f == nearest_face || now.normal.dot(s.w) > now.offset - coplanar) {
        for (std::size_t k = 0; k < 3; ++k) toggle(now.v[k], now.v[(k + 1) % 3]);
      } else {
        face[static_cast<std::size_t>(kept++)] = now;
      }
    }
    faces = kept;
    for (int e = 0; e < count; ++e)
      if (!add_face(edges[static_cast<std::size_t>(e)][0], edges[static_cast<std::size_t>(e)][1], at)) return false;
    return count >= 3;
  }
};

// A tetrahedron of support points with volume; fails for flat differences (two flat shapes in one plane).
bool start(const Core& a, const Core& b, const Distance& found, double size, Hull& hull) {
  for (int k = 0; k < found.size; ++k)
    hull.vertex[static_cast<std::size_t>(k)] = found.simplex[static_cast<std::size_t>(k)];
  hull.vertices = found.size;
  const double least = 1e-10 * size;
  for (int k = 0; hull.vertices == 1 && k < 6; ++k) {
    const SimplexPoint s = support_of_difference(a, b, (k < 3 ? 1.0 : -1.0) * Vector3d::Unit(k % 3));
    if ((s.w - hull.w(0)).norm() > least) hull.vertex[static_cast<std::size_t>(hull.vertices++)] = s;
  }
  if (hull.vertices == 2) {
    const Vector3d along = (hull.w(1) - hull.w(0)).normalized();
    const Vector3d across = along.unitOrthogonal();
    const Vector3d third = along.cross(across);
    for (int k = 0; hull.vertices == 2 && k < 4; ++k) {
      const SimplexPoint s = support_of_difference(a, b,
                                                   k == 0   ? across
                                                   : k == 1 ? Vector3d(-across)
                                                   : k == 2 ? third
                                                            : Vector3d(-third));
      if ((s.w - hull.w(0)).cross(along).norm() > least) hull.vertex[static_cast<std::size_t>(hull.vertices++)] = s;
    }
  }
  if (hull.vertices == 3) {
    const Vector3d n = (hull.w(1) - hull.w(0)).cross(hull.w(2) - hull.w(0)).normalized();
    const SimplexPoint up = support_of_difference(a, b, n), down = support_of_difference(a, b, -n);
    const double above = n.dot(up.w - hull.w(0)), below = n.dot(hull.w(0) - down.w);
    if (std::max(above, below) > least)
      hull.vertex[static_cast<std::size_t>(hull.vertices++)] = above >= below ? up : down;
  }
  if (hull.vertices < 4) return false;
  const double volume = (hull.w(1) - hull.w(0)).dot((hull.w(2) - hull.w(0)).cross(hull.w(3) - hull.w(0)));
  const bool right = volume > 0.0;
  const auto add = [&](int i, int j, int k) { return right ? hull.add_face(i, k, j) : hull.add_face(i, j, k); };
  return add(0, 1, 2) && add(0, 2, 3) && add(0, 3, 1) && add(1, 3, 2);
}

// The origin's foot on the face, as points of both cores.
void witness(const Hull& hull, const Face& f, Distance& found) {
  const auto &p = hull.vertex[static_cast<std::size_t>(f.v[0])], &q = hull.vertex[static_cast<std::size_t>(f.v[1])],
             &r = hull.vertex[static_cast<std::size_t>(f.v[2])];
  const Vector3d foot = f.offset * f.normal;
  const Vector3d n = (q.w - p.w).cross(r.w - p.w);
  const double area = n.squaredNorm();
  const double u = n.dot((r.w - q.w).cross(foot - q.w)) / area, v = n.dot((p.w - r.w).cross(foot - r.w)) / area;
  const double w = 1.0 - u - v;
  found.on_a = u * p.on_a + v * q.on_a + w * r.on_a;
  found.on_b = u * p.on_b + v * q.on_b + w * r.on_b;
}

}  // namespace

void epa(const Core& a, const Core& b, Distance& found) {
  const double size = a.extent() + b.extent();
  Hull hull;
  if (!start(a, b, found, size, hull)) {
    // Nothing with volume: any normal of the flat difference is right.
    Vector3d n = Vector3d::UnitZ();
    if (hull.vertices == 3) n = (hull.w(1) - hull.w(0)).cross(hull.w(2) - hull.w(0)).normalized();
    if (hull.vertices == 2) n = (hull.w(1) - hull.w(0)).normalized().unitOrthogonal();
    found.normal = n;
    found.distance = 0.0;
    found.on_a = hull.vertex[0].on_a;
    found.on_b = hull.vertex[0].on_b;
    return;
  }
  Face best = hull.face[static_cast<std::size_t>(hull.nearest())];
  witness(hull, best, found);
  while (true) {
    const int f = hull.nearest();
    best = hull.face[static_cast<std::size_t>(f)];
    witness(hull, best, found);
    const SimplexPoint s = support_of_difference(a, b, best.normal);
    if (best.normal.dot(s.w) - best.offset <= kGapOfEpa * size || !hull.extend(s, f, kGapOfEpa * size)) break;
  }
  // The face looks along a − b: a goes that way's opposite to come free.
  found.normal = -best.normal;
  found.distance = -best.offset;
}

}  // namespace tribo
