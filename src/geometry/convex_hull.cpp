// The convex hull by qhull (reentrant library). Points are first moved into the unit cube, so that qhull's own tolerances, which
// know no units, mean the same for a screw and for a house. Its messages go to memory, never to the terminal.
#include "tribo/geometry/mesh.hpp"

#include <cstdio>
#include <cstdlib>

#include <Eigen/Geometry>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace tribo {
namespace {

std::string name_of(const Mesh& mesh) { return mesh.name.empty() ? mesh.file : mesh.name; }

// One run of qhull and everything it allocates.
class Hull {
 public:
  Hull() {
    messages_ = open_memstream(&text_, &length_);
    qh_zero(&qh_, messages_);
  }
  ~Hull() {
    if (messages_ == nullptr) return;
    if (ran_) {
      int left = 0, bytes = 0;
      qh_freeqhull(&qh_, !qh_ALL);
      qh_memfreeshort(&qh_, &left, &bytes);
    }
    std::fclose(messages_);
    std::free(text_);
  }
  Hull(const Hull&) = delete;
  Hull& operator=(const Hull&) = delete;

  // qhull's exit code; qh_ERRsingular: the points are flat.
  int run(std::vector<double>& points) {
    if (messages_ == nullptr) return qh_ERRmem;
    char command[] = "qhull Qt Pp";
    ran_ = true;
    return qh_new_qhull(&qh_, 3, static_cast<int>(points.size() / 3), points.data(), False, command, nullptr,
                        messages_);
  }

  // Triangles as indices of points, outward. False when qhull left something that is not a triangle.
  bool collect(std::vector<std::array<std::int32_t, 3>>& faces) {
    qhT* qh = &qh_;
    facetT* facet = nullptr;
    vertexT *vertex = nullptr, **vertexp = nullptr;
    FORALLfacets {
      std::array<std::int32_t, 3> face{};
      std::size_t corner = 0;
      FOREACHvertex_(facet->vertices) {
        const int point = qh_pointid(qh, vertex->point);
        if (corner >= 3 || point < 0) return false;
        face[corner++] = point;
      }
      if (corner != 3) return false;
      if (facet->toporient) std::swap(face[0], face[1]);
      faces.push_back(face);
    }
    return true;
  }

 private:
  qhT qh_{};
  std::FILE* messages_ = nullptr;
  char* text_ = nullptr;
  std::size_t length_ = 0;
  bool ran_ = false;
};

double calc_volume(const Mesh& mesh) {
  double volume = 0.0;
  const Vector3d o = mesh.vertices[mesh.faces[0][0]];
  for (const auto& f : mesh.faces) {
    volume += (mesh.vertices[f[0]] - o).dot((mesh.vertices[f[1]] - o).cross(mesh.vertices[f[2]] - o)) / 6.0;
  }
  return volume;
}

}  // namespace

Expected<Mesh> make_convex_hull(const Mesh& mesh) {
  if (const Checked checked = validate(mesh); !checked) return Unexpected<Error>{checked.error()};
  const char* remedy = "a convex hull needs four points that do not lie in a plane";
  if (mesh.vertices.size() < 4) return fail("the mesh has fewer than four vertices", name_of(mesh), remedy);

  Vector3d low = mesh.vertices[0], high = mesh.vertices[0];
  for (const Vector3d& vertex : mesh.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  const double extent = (0.5 * high - 0.5 * low).maxCoeff();
  if (!(extent > 0.0) || !(1.0 / extent < 1e300)) return fail("all vertices are one point", name_of(mesh), remedy);
  const Vector3d centre = 0.5 * low + 0.5 * high;
  std::vector<double> points;
  points.reserve(3 * mesh.vertices.size());
  for (const Vector3d& vertex : mesh.vertices) {
    const Vector3d scaled = (vertex - centre) / extent;
    points.insert(points.end(), scaled.data(), scaled.data() + 3);
  }

  Mesh hull;
  hull.name = mesh.name;
  hull.file = mesh.file;
  {
    Hull qhull;
    const int code = qhull.run(points);
    if (code == qh_ERRsingular) return fail("all vertices lie in a plane", name_of(mesh), remedy);
    if (code != 0 || !qhull.collect(hull.faces) || hull.faces.size() < 4) {
      return fail("the convex hull cannot be built (qhull code " + std::to_string(code) + ")", name_of(mesh),
                  "remove vertices that nearly coincide");
    }
  }

  // Keep the vertices in use, in the order of the mesh.
  std::vector<std::int32_t> place(mesh.vertices.size(), -1);
  for (const auto& face : hull.faces) {
    for (const std::int32_t corner : face) place[corner] = 0;
  }
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<std::int32_t>(hull.vertices.size());
    hull.vertices.push_back(mesh.vertices[i]);
  }
  for (auto& face : hull.faces) {
    for (std::int32_t& corner : face) corner = place[corner];
  }
  if (calc_volume(hull) < 0.0) {
    for (auto& face : hull.faces) std::swap(face[1], face[2]);
  }
  return hull;
}

}  // namespace tribo
