#include "io/mesh_file.hpp"

#include "tribo/io/model_file.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <filesystem>
#include <unordered_map>

#include "io/file_bytes.hpp"

namespace tribo {
namespace {

constexpr std::uintmax_t kMaxMeshBytes = std::uintmax_t{512} << 20;

struct VertexHash {
  std::size_t operator()(const std::array<double, 3>& v) const {
    std::size_t hash = 0;
    for (const double x : v) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15u + (hash >> 29);
    return hash;
  }
};

std::string lower_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

Expected<Mesh> parse(const std::string& ending, const std::string& bytes, ObjScope scope) {
  if (ending == ".stl") return parse_stl(bytes);
  if (ending == ".obj") return parse_obj(bytes, scope);
  if (ending == ".msh") return parse_msh(bytes);
  return parse_collada(bytes);
}

}  // namespace

bool is_mesh_ending(const std::string& ending) {
  return ending == ".stl" || ending == ".obj" || ending == ".msh" || ending == ".dae";
}

void weld_vertices(Mesh& mesh) {
  std::unordered_map<std::array<double, 3>, std::int32_t, VertexHash> seen;
  seen.reserve(mesh.vertices.size() / 4);
  std::vector<Vector3d> kept;
  for (auto& face : mesh.faces) {
    for (std::int32_t& corner : face) {
      const Vector3d& v = mesh.vertices[corner];
      const std::array<double, 3> key{v.x() + 0.0, v.y() + 0.0, v.z() + 0.0};  // −0 and 0 are one
      const auto [entry, is_new] = seen.try_emplace(key, static_cast<std::int32_t>(kept.size()));
      if (is_new) kept.push_back(v);
      corner = entry->second;
    }
  }
  mesh.vertices = std::move(kept);
}

float read_float(const char* bytes) { return std::bit_cast<float>(read_unsigned(bytes)); }

std::uint32_t read_unsigned(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

Expected<Mesh> read_mesh(const std::string& path, ObjScope scope) {
  const std::string ending = lower_ending(path);
  if (!is_mesh_ending(ending)) {
    return fail("the ending '" + ending + "' is not one of a mesh Tribo reads", path,
                "convert the mesh to .stl, .obj, .dae or .msh");
  }
  std::error_code code;
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (!code && size > kMaxMeshBytes) {
    return fail("the mesh file has " + std::to_string(size) + " bytes, more than the limit of 512 MiB", path,
                "simplify the mesh");
  }
  const Expected<std::string> bytes = read_bytes(path);
  if (!bytes) return Unexpected<Error>{bytes.error()};
  Expected<Mesh> mesh = parse(ending, *bytes, scope);
  if (!mesh) return Unexpected<Error>{mesh.error().within(path)};
  mesh->file = path;
  mesh->name = std::filesystem::path(path).stem().string();
  if (const Checked checked = validate(*mesh); !checked) {
    return fail(checked.error().what, path, checked.error().remedy);
  }
  return mesh;
}

Expected<Mesh> read_mesh(const std::string& path) { return read_mesh(path, ObjScope::kFirstObject); }

}  // namespace tribo
