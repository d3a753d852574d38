#include "tribo/geometry/mesh.hpp"

#include <limits>

namespace tribo {

Checked validate(const Mesh& mesh) {
  const std::string where = mesh.name.empty() ? mesh.file : mesh.name;
  if (mesh.vertices.empty()) return fail("the mesh has no vertices", where, "was the file written completely?");
  if (mesh.vertices.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return fail("the mesh has more than 2^31 vertices", where, "simplify the mesh");
  }
  const auto count = static_cast<std::int32_t>(mesh.vertices.size());
  for (std::int32_t i = 0; i < count; ++i) {
    if (!mesh.vertices[i].allFinite()) {
      return fail("vertex " + std::to_string(i) + " is not finite", where, "export the mesh again");
    }
  }
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (const std::int32_t index : mesh.faces[f]) {
      if (index < 0 || index >= count) {
        return fail("face " + std::to_string(f) + " names vertex " + std::to_string(index) + ", the mesh has 0 to " +
                        std::to_string(count - 1),
                    where, "export the mesh again");
      }
    }
  }
  return ok();
}

}  // namespace tribo
