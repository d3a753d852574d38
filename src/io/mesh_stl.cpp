// STL, binary and text, told apart by content: the name says nothing, and binary files may start with "solid".
//     binary   80 bytes, number of triangles n, n times (normal, three corners: 12 floats, 2 bytes)
//     text     solid … { facet normal … outer loop vertex x y z (three) endloop endfacet } endsolid …
// Normals are not read: the corners turn counter-clockwise seen from outside.
#include <algorithm>
#include <cctype>

#include "io/mesh_file.hpp"
#include "io/text_reader.hpp"

namespace tribo {
namespace {

constexpr std::size_t kHeader = 84, kRecord = 50;

bool starts_like_text(std::string_view bytes) {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || bytes.size() - start < 5) return false;
  std::string word(bytes.substr(start, 5));
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word == "solid" && bytes.substr(0, 4096).find('\0') == std::string_view::npos;
}

Expected<Mesh> parse_binary(std::string_view bytes, std::size_t count) {
  if (count == 0) return fail("the file has no triangles", "", "was the file written completely?");
  Mesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.faces.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* corner = bytes.data() + kHeader + i * kRecord + 12;
    for (int k = 0; k < 3; ++k, corner += 12) {
      mesh.vertices.emplace_back(read_float(corner), read_float(corner + 4), read_float(corner + 8));
      if (!mesh.vertices.back().allFinite()) {
        return fail("triangle " + std::to_string(i) + " has a corner that is not finite", "", "export the mesh again");
      }
    }
    const auto first = static_cast<std::int32_t>(3 * i);
    mesh.faces.push_back({first, first + 1, first + 2});
  }
  weld_vertices(mesh);
  return mesh;
}

Expected<Mesh> parse_text(std::string_view bytes) {
  TextReader reader(bytes);
  Mesh mesh;
  std::size_t corners = 0;  // of the facet at hand
  bool inside = false;
  while (bytes.find_first_not_of(" \t\r\n\v\f", reader.offset()) != std::string_view::npos) {
    std::string word(reader.word("a keyword"));
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word == "solid" || word == "endsolid") {
      reader.rest_of_line();  // a name that may be anything
    } else if (word == "facet") {
      if (inside) reader.refuse("a facet begins inside a facet", "close it with endfacet");
      inside = true;
      corners = 0;
      reader.rest_of_line();
    } else if (word == "vertex") {
      const double x = reader.number("a corner"), y = reader.number("a corner"), z = reader.number("a corner");
      if (!inside || ++corners > 3) reader.refuse("a vertex that belongs to no triangle", "facets have three vertices");
      mesh.vertices.emplace_back(x, y, z);
    } else if (word == "endfacet") {
      if (!inside || corners != 3) reader.refuse("a facet without three vertices", "facets have three vertices");
      inside = false;
      const auto first = static_cast<std::int32_t>(mesh.vertices.size()) - 3;
      mesh.faces.push_back({first, first + 1, first + 2});
    } else if (word != "outer" && word != "loop" && word != "endloop") {
      reader.refuse("found " + in_quotes(word) + " where a keyword of STL should be", "is this an STL file?");
    }
    if (reader.failed()) return Unexpected<Error>{reader.error()};
    if (mesh.vertices.size() > 2'000'000'000) return fail("too many vertices", "", "simplify the mesh");
  }
  if (inside) return fail("the text ends inside a facet", "", "was the file written completely?");
  if (mesh.faces.empty()) return fail("the file has no triangles", "", "was the file written completely?");
  weld_vertices(mesh);
  return mesh;
}

}  // namespace

Expected<Mesh> parse_stl(std::string_view bytes) {
  const std::size_t count = bytes.size() >= kHeader ? read_unsigned(bytes.data() + 80) : 0;
  const bool fits = bytes.size() >= kHeader && count <= (bytes.size() - kHeader) / kRecord;
  if (fits && kHeader + count * kRecord == bytes.size()) return parse_binary(bytes, count);
  if (starts_like_text(bytes)) return parse_text(bytes);
  if (fits && count > 0) return parse_binary(bytes, count);  // some programs leave bytes behind the last triangle
  if (bytes.size() < kHeader)
    return fail("the file is too short for an STL file", "", "was the file written completely?");
  return fail("the file says " + std::to_string(count) + " triangles and holds " +
                  std::to_string((bytes.size() - kHeader) / kRecord),
              "", "was the file written completely?");
}

}  // namespace tribo
