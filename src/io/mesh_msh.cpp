// MSH, MuJoCo's own binary mesh: numbers of vertices, normals, texture coordinates and faces; then floats and indices.
#include "io/mesh_file.hpp"

namespace tribo {

Expected<Mesh> parse_msh(std::string_view bytes) {
  if (bytes.size() < 16) return fail("the file is too short for an MSH file", "", "was the file written completely?");
  const std::uint64_t vertices = read_unsigned(bytes.data()), normals = read_unsigned(bytes.data() + 4);
  const std::uint64_t coordinates = read_unsigned(bytes.data() + 8), faces = read_unsigned(bytes.data() + 12);
  const std::uint64_t expected = 16 + 12 * vertices + 12 * normals + 8 * coordinates + 12 * faces;
  if (expected != bytes.size()) {
    return fail(
        "the header asks for " + std::to_string(expected) + " bytes, the file has " + std::to_string(bytes.size()), "",
        "was the file written completely?");
  }
  Mesh mesh;
  mesh.vertices.reserve(vertices);
  const char* data = bytes.data() + 16;
  for (std::uint64_t i = 0; i < vertices; ++i, data += 12) {
    mesh.vertices.emplace_back(read_float(data), read_float(data + 4), read_float(data + 8));
  }
  data += 12 * normals + 8 * coordinates;
  mesh.faces.reserve(faces);
  for (std::uint64_t i = 0; i < faces; ++i, data += 12) {
    std::array<std::int32_t, 3> face{};
    for (int k = 0; k < 3; ++k) face[k] = static_cast<std::int32_t>(read_unsigned(data + 4 * k));
    mesh.faces.push_back(face);
  }
  return mesh;
}

}  // namespace tribo
