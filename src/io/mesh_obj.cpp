// Wavefront OBJ: vertices (v) and faces (f); normals, texture, materials, lines and points are left aside.
//
// A face names vertices from 1, or from -1 backwards from the last one read; texture and normal follow after a slash. Coordinates
// are floats, as the readers of others keep them. Faces with four corners and more are cut as add_polygon (tribo/geometry/mesh.hpp) does.
// A new object (o) or group (g) after the first face begins the second object: see ObjScope.
#include <charconv>
#include <span>

#include "io/mesh_file.hpp"
#include "io/text_reader.hpp"

namespace tribo {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

class ObjParser {
 public:
  explicit ObjParser(ObjScope scope) : scope_(scope) {}

  Expected<Mesh> parse(std::string_view bytes) {
    std::string joined;
    std::size_t start = 0;
    while (start < bytes.size() && what_.empty()) {
      std::size_t end = std::min(bytes.find('\n', start), bytes.size());
      std::string_view line = bytes.substr(start, end - start);
      ++line_;
      start = end + 1;
      while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (!line.empty() && line.back() == '\\') {  // goes on in the next line
        joined.append(line.substr(0, line.size() - 1)).push_back(' ');
        continue;
      }
      if (joined.empty()) {
        read_line(line);
      } else {
        joined.append(line);
        read_line(joined);
        joined.clear();
      }
    }
    if (what_.empty() && mesh_.vertices.empty()) refuse("the file has no vertices");
    if (!what_.empty()) return fail(what_, "line " + std::to_string(line_), "export the mesh again");
    if (const Checked cut = cut_faces(); !cut) return Unexpected<Error>{cut.error()};
    return std::move(mesh_);
  }

 private:
  void refuse(std::string what) {
    if (what_.empty()) what_ = std::move(what);
  }

  static std::string_view next(std::string_view& line) {
    const std::size_t start = std::min(line.find_first_not_of(kBlanks), line.size());
    const std::size_t end = std::min(line.find_first_of(kBlanks, start), line.size());
    const std::string_view word = line.substr(start, end - start);
    line.remove_prefix(end);
    return word;
  }

  void read_line(std::string_view line) {
    const std::string_view word = next(line);
    if (word == "v") return read_vertex(line);
    if ((word == "o" || word == "g") && !faces_.empty()) first_done_ = true;
    if (word == "f" && !(first_done_ && scope_ == ObjScope::kFirstObject)) read_face(line);
  }

  void read_vertex(std::string_view line) {
    Vector3d v;
    for (int k = 0; k < 3; ++k) {
      const std::string_view token = next(line);
      const std::optional<double> number = parse_number(token);
      if (!number) return refuse("found " + in_quotes(token) + " in a vertex, not a finite number");
      v(k) = static_cast<float>(*number);
    }
    if (!v.allFinite()) return refuse("a vertex does not fit in single precision");
    mesh_.vertices.push_back(v);
  }

  void read_face(std::string_view line) {
    const std::size_t first = corners_.size();
    for (std::string_view token = next(line); !token.empty(); token = next(line)) {
      if (token.front() == '#') break;
      const std::string_view number = token.substr(0, token.find('/'));
      std::int64_t index = 0;
      const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), index);
      if (code != std::errc() || end != number.data() + number.size() || index == 0) {
        return refuse("found " + in_quotes(token) + " in a face, not the number of a vertex");
      }
      index = index > 0 ? index - 1 : static_cast<std::int64_t>(mesh_.vertices.size()) + index;
      if (index < 0 || index > 2'000'000'000) return refuse("a face names vertex " + std::string(number.substr(0, 20)));
      corners_.push_back(static_cast<std::int32_t>(index));
    }
    faces_.push_back({line_, corners_.size() - first});
  }

  // After all vertices are known: a face may stand before its corners.
  Checked cut_faces() {
    std::size_t at = 0;
    for (const Face& face : faces_) {
      const std::span<const std::int32_t> polygon = std::span(corners_).subspan(at, face.size);
      at += face.size;
      const std::string where = "line " + std::to_string(face.line);
      for (const std::int32_t corner : polygon) {
        if (corner >= static_cast<std::int32_t>(mesh_.vertices.size()))
          return fail(
              "a face names vertex " + std::to_string(corner + 1) + " of " + std::to_string(mesh_.vertices.size()),
              where, "export the mesh again");
      }
      if (const Checked cut = add_polygon(mesh_, polygon); !cut) return Unexpected<Error>{cut.error().within(where)};
    }
    return ok();
  }

  struct Face {
    std::size_t line = 0, size = 0;  // corners
  };
  ObjScope scope_;
  Mesh mesh_;
  std::vector<std::int32_t> corners_;  // of all faces
  std::vector<Face> faces_;
  bool first_done_ = false;
  std::size_t line_ = 0;
  std::string what_;
};

}  // namespace

Expected<Mesh> parse_obj(std::string_view bytes, ObjScope scope) { return ObjParser(scope).parse(bytes); }

}  // namespace tribo
