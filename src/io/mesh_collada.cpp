// COLLADA, as far as a mesh of a robot needs it: geometries (triangles, polylist, polygons, tristrips, trifans), the nodes of the
// scene with their transforms, nodes that stand for others, skins at rest. The file's unit is applied; its up axis is not, as the
// URDF readers of ROS have it: a mesh stands in the link's frame with the numbers of the file.
//
// Read with our own XML tree: the common libraries crash on damaged files and expand references without a limit.
#include "tribo/linalg/types.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include "io/mesh_file.hpp"
#include "io/xml_fields.hpp"
#include "io/xml_file.hpp"
#include <Eigen/Geometry>

namespace tribo {
namespace {

using Eigen::Matrix4d;

constexpr int kMaxNodeDepth = 500;  // of nodes in nodes
constexpr std::size_t kMaxNodes = 100'000;
constexpr std::size_t kMaxCorners = 30'000'000;
const char kRemedy[] = "export the mesh again, as STL if that fails";

std::string line_of(const XmlElement& element) { return "line " + std::to_string(element.line); }

Unexpected<Error> refuse(const XmlElement& element, std::string what) {
  return fail(std::move(what), line_of(element), kRemedy);
}

Expected<std::vector<double>> read_numbers(const XmlElement& element) {
  Expected<std::vector<double>, std::string> numbers = parse_numbers(element.text);
  if (!numbers) return refuse(element, "<" + element.name + ">: " + numbers.error());
  return std::move(*numbers);
}

std::string reference(const XmlElement& element, const char* attribute) {
  const std::string* url = element.find(attribute);
  return url == nullptr ? "" : url->substr(url->starts_with("#") ? 1 : 0);
}

double read_count(const XmlElement& element, const char* attribute, double otherwise) {
  const std::string* text = element.find(attribute);
  const Expected<std::vector<double>, std::string> numbers =
      text == nullptr ? Expected<std::vector<double>, std::string>(std::vector<double>{}) : parse_numbers(*text);
  return numbers.has_value() && numbers->size() == 1 ? (*numbers)[0] : otherwise;
}

struct Range {
  std::size_t start = 0, count = 0;
};

class Collada {
 public:
  explicit Collada(const XmlElement& root) : root_(&root) { collect(root); }

  Expected<Mesh> read() {
    Matrix4d T = Matrix4d::Identity();
    const XmlElement* asset = root_->find_child("asset");
    const XmlElement* unit = asset == nullptr ? nullptr : asset->find_child("unit");
    if (unit != nullptr) {
      const double meter = read_count(*unit, "meter", unit->find("meter") == nullptr ? 1.0 : 0.0);
      if (!(meter > 0.0)) return refuse(*unit, "the unit is not a positive number of metres");
      T.topLeftCorner<3, 3>() *= meter;
    }
    const XmlElement* scene = find_scene();
    if (scene != nullptr) {
      for (const XmlElement& child : scene->children) {
        if (child.name != "node") continue;
        if (const Checked checked = add_node(child, T, 0); !checked) return Unexpected<Error>{checked.error()};
      }
    } else {  // no scene: every geometry as it is
      for (const auto& [id, element] : by_id_) {
        if (element->name != "geometry") continue;
        if (const Checked checked = add_geometry(*element, T); !checked) return Unexpected<Error>{checked.error()};
      }
    }
    if (mesh_.faces.empty()) return fail("the file has no triangles in its scene", "", kRemedy);
    weld_vertices(mesh_);
    return std::move(mesh_);
  }

 private:
  void collect(const XmlElement& element) {
    if (const std::string* id = element.find("id")) by_id_.try_emplace(*id, &element);
    for (const XmlElement& child : element.children) collect(child);
  }

  const XmlElement* find(const std::string& id, const char* name) const {
    const auto entry = by_id_.find(id);
    return entry == by_id_.end() || entry->second->name != name ? nullptr : entry->second;
  }

  const XmlElement* find_scene() const {
    const XmlElement* scene = root_->find_child("scene");
    const XmlElement* instance = scene == nullptr ? nullptr : scene->find_child("instance_visual_scene");
    if (instance != nullptr) {
      if (const XmlElement* named = find(reference(*instance, "url"), "visual_scene")) return named;
    }
    const XmlElement* library = root_->find_child("library_visual_scenes");
    return library == nullptr ? nullptr : library->find_child("visual_scene");
  }

  // T ← T · (the transform element), if it is one.
  static Checked apply(const XmlElement& element, Matrix4d& T) {
    const bool matrix = element.name == "matrix", translate = element.name == "translate",
               scale = element.name == "scale", rotate = element.name == "rotate";
    if (element.name == "skew" || element.name == "lookat")
      return refuse(element, "<" + element.name + "> is not supported");
    if (!matrix && !translate && !scale && !rotate) return ok();
    const Expected<std::vector<double>> x = read_numbers(element);
    if (!x) return Unexpected<Error>{x.error()};
    if (x->size() != (matrix ? 16u : rotate ? 4u : 3u))
      return refuse(element, "<" + element.name + "> has a wrong count of numbers");
    Matrix4d step = Matrix4d::Identity();
    if (matrix) step = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(x->data());
    const Vector3d v((*x)[0], (*x)[1], (*x)[2]);
    if (translate) step.topRightCorner<3, 1>() = v;
    if (scale) step.diagonal().head<3>() = v;
    if (rotate && v.norm() > 0.0) {
      const double angle = (*x)[3] * std::numbers::pi / 180.0;
      step.topLeftCorner<3, 3>() = Eigen::AngleAxisd(angle, v.normalized()).toRotationMatrix();
    }
    T = T * step;
    return ok();
  }

  Checked add_node(const XmlElement& node, Matrix4d T, int depth) {
    if (depth > kMaxNodeDepth || ++nodes_ > kMaxNodes)
      return refuse(node, "its nodes refer to each other in a circle or too often");
    for (const XmlElement& child : node.children) {
      if (const Checked checked = apply(child, T); !checked) return checked;
    }
    for (const XmlElement& child : node.children) {
      Checked checked = ok();
      if (child.name == "node") {
        checked = add_node(child, T, depth + 1);
      } else if (child.name == "instance_node") {
        const XmlElement* other = find(reference(child, "url"), "node");
        if (other == nullptr) return refuse(child, "refers to a node that is not in this file");
        checked = add_node(*other, T, depth + 1);
      } else if (child.name == "instance_geometry") {
        checked = add_reference(child, reference(child, "url"), T);
      } else if (child.name == "instance_controller") {
        const XmlElement* controller = find(reference(child, "url"), "controller");
        const XmlElement* skin = controller == nullptr ? nullptr : controller->find_child("skin");
        if (skin == nullptr) return refuse(child, "refers to a controller without a skin");
        checked = add_reference(child, reference(*skin, "source"), T);
      }
      if (!checked) return checked;
    }
    return ok();
  }

  Checked add_reference(const XmlElement& from, const std::string& id, const Matrix4d& T) {
    const XmlElement* geometry = find(id, "geometry");
    if (geometry == nullptr) return refuse(from, "refers to a geometry that is not in this file");
    return add_geometry(*geometry, T);
  }

  Checked add_geometry(const XmlElement& geometry, const Matrix4d& T) {
    if (!parts_.count(&geometry)) {
      Expected<Mesh> part = read_geometry(geometry);
      if (!part) return Unexpected<Error>{part.error()};
      parts_.emplace(&geometry, std::move(*part));
    }
    const Mesh& part = parts_.at(&geometry);
    const std::size_t base = mesh_.vertices.size();
    if (base + part.vertices.size() > kMaxCorners || mesh_.faces.size() + part.faces.size() > kMaxCorners) {
      return refuse(geometry, "the scene has too many corners");
    }
    for (const Vector3d& vertex : part.vertices) {
      mesh_.vertices.push_back(T.topLeftCorner<3, 3>() * vertex + T.topRightCorner<3, 1>());
      if (!mesh_.vertices.back().allFinite()) return refuse(geometry, "a vertex is not finite");
    }
    const bool mirrored = T.topLeftCorner<3, 3>().determinant() < 0.0;
    for (auto face : part.faces) {
      for (std::int32_t& corner : face) corner += static_cast<std::int32_t>(base);
      if (mirrored) std::swap(face[1], face[2]);
      mesh_.faces.push_back(face);
    }
    return ok();
  }

  Expected<Mesh> read_geometry(const XmlElement& geometry) const {
    Mesh part;
    const XmlElement* mesh = geometry.find_child("mesh");
    if (mesh == nullptr) return part;     // splines and the like: nothing to touch
    std::map<std::string, Range> ranges;  // of the vertices of each <vertices>
    for (const XmlElement& child : mesh->children) {
      const bool known = child.name == "triangles" || child.name == "polylist" || child.name == "polygons" ||
                         child.name == "tristrips" || child.name == "trifans";
      if (!known) continue;
      if (const Checked checked = add_faces(child, part, ranges); !checked) return Unexpected<Error>{checked.error()};
    }
    return part;
  }

  // Reads the positions that a <vertices> stands for, once.
  Checked add_positions(const XmlElement& user, const std::string& id, Mesh& part,
                        std::map<std::string, Range>& ranges) const {
    if (ranges.count(id)) return ok();
    const XmlElement* vertices = find(id, "vertices");
    const XmlElement* source = nullptr;
    if (vertices != nullptr) {
      for (const XmlElement& input : vertices->children) {
        const std::string* semantic = input.find("semantic");
        if (semantic != nullptr && *semantic == "POSITION") source = find(reference(input, "source"), "source");
      }
    }
    const XmlElement* array = source == nullptr ? nullptr : source->find_child("float_array");
    if (array == nullptr) return refuse(user, "its vertices have no positions");
    const Expected<std::vector<double>> numbers = read_numbers(*array);
    if (!numbers) return Unexpected<Error>{numbers.error()};
    const XmlElement* technique = source->find_child("technique_common");
    const XmlElement* accessor = technique == nullptr ? nullptr : technique->find_child("accessor");
    const double stride = accessor == nullptr ? 3.0 : read_count(*accessor, "stride", 3.0);
    const double offset = accessor == nullptr ? 0.0 : read_count(*accessor, "offset", 0.0);
    if (!(stride >= 3.0 && stride <= 1000.0) || !(offset >= 0.0 && offset <= 1e9))
      return refuse(*source, "stride or offset is wrong");
    const std::size_t first = part.vertices.size();
    const auto step = static_cast<std::size_t>(stride);
    for (auto at = static_cast<std::size_t>(offset); at + 3 <= numbers->size(); at += step) {
      part.vertices.emplace_back((*numbers)[at], (*numbers)[at + 1], (*numbers)[at + 2]);
    }
    if (part.vertices.size() > kMaxCorners) return refuse(*source, "too many vertices");
    ranges[id] = {first, part.vertices.size() - first};
    return ok();
  }

  Checked add_faces(const XmlElement& primitive, Mesh& part, std::map<std::string, Range>& ranges) const {
    double width = 0.0, place = -1.0;
    std::string vertices;
    for (const XmlElement& input : primitive.children) {
      if (input.name != "input") continue;
      const double offset = read_count(input, "offset", 0.0);
      if (!(offset >= 0.0 && offset < 1000.0)) return refuse(input, "the offset is wrong");
      width = std::max(width, offset + 1.0);
      const std::string* semantic = input.find("semantic");
      if (semantic == nullptr || *semantic != "VERTEX") continue;
      place = offset;
      vertices = reference(input, "source");
    }
    if (place < 0.0) return refuse(primitive, "has no VERTEX input");
    if (const Checked checked = add_positions(primitive, vertices, part, ranges); !checked) return checked;
    const Range range = ranges.at(vertices);

    std::vector<std::int32_t> corners;  // of one <p>
    const auto read_corners = [&](const XmlElement& p) -> Checked {
      const Expected<std::vector<double>> numbers = read_numbers(p);
      if (!numbers) return Unexpected<Error>{numbers.error()};
      corners.clear();
      for (auto at = static_cast<std::size_t>(place); at < numbers->size(); at += static_cast<std::size_t>(width)) {
        const double index = (*numbers)[at];
        if (!(index >= 0.0 && index < static_cast<double>(range.count)) || index != std::floor(index)) {
          return refuse(p, "names a vertex that does not exist");
        }
        corners.push_back(static_cast<std::int32_t>(range.start + static_cast<std::size_t>(index)));
      }
      return ok();
    };
    const auto add_fan = [&](std::size_t first, std::size_t size) {
      for (std::size_t k = 2; k < size; ++k)
        part.faces.push_back({corners[first], corners[first + k - 1], corners[first + k]});
    };

    std::vector<double> sizes;
    if (primitive.name == "polylist") {
      const XmlElement* vcount = primitive.find_child("vcount");
      if (vcount == nullptr) return refuse(primitive, "<vcount> is missing");
      Expected<std::vector<double>> numbers = read_numbers(*vcount);
      if (!numbers) return Unexpected<Error>{numbers.error()};
      sizes = std::move(*numbers);
    }
    for (const XmlElement& child : primitive.children) {
      const XmlElement* p = child.name == "p" ? &child : child.name == "ph" ? child.find_child("p") : nullptr;
      if (p == nullptr) continue;
      if (const Checked checked = read_corners(*p); !checked) return checked;
      if (primitive.name == "triangles") {
        for (std::size_t k = 0; k + 3 <= corners.size(); k += 3) add_fan(k, 3);
      } else if (primitive.name == "polylist") {
        std::size_t at = 0;
        for (const double size : sizes) {
          if (!(size >= 0.0) || size > static_cast<double>(corners.size() - at))
            return refuse(primitive, "<vcount> and <p> do not agree");
          const std::span<const std::int32_t> polygon = std::span(corners).subspan(at, static_cast<std::size_t>(size));
          if (const Checked cut = add_polygon(part, polygon); !cut)
            return Unexpected<Error>{cut.error().within(p->where())};
          at += static_cast<std::size_t>(size);
        }
      } else if (primitive.name == "tristrips") {
        for (std::size_t k = 0; k + 3 <= corners.size(); ++k) {
          part.faces.push_back({corners[k], corners[k + 1 + k % 2], corners[k + 2 - k % 2]});
        }
      } else if (primitive.name == "trifans") {
        add_fan(0, corners.size());
      } else if (const Checked cut = add_polygon(part, corners); !cut) {
        return Unexpected<Error>{cut.error().within(p->where())};
      }
    }
    return ok();
  }

  const XmlElement* root_;
  std::map<std::string, const XmlElement*> by_id_;
  std::map<const XmlElement*, Mesh> parts_;
  Mesh mesh_;
  std::size_t nodes_ = 0;
};

}  // namespace

Expected<Mesh> parse_collada(const std::string& bytes) {
  const Expected<XmlFile> file = parse_xml(bytes, "");
  if (!file) return Unexpected<Error>{file.error()};
  if (file->root.name != "COLLADA") {
    return fail("the root element is <" + file->root.name + ">, not <COLLADA>", "", "is this a .dae file?");
  }
  return Collada(file->root).read();
}

}  // namespace tribo
