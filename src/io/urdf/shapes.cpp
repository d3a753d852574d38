// <visual> and <collision>: shapes, meshes, colours.
#include <filesystem>

#include "io/mesh_file.hpp"
#include "io/urdf/parts.hpp"

namespace tribo {
namespace {

std::string unique(const std::string& name, std::set<std::string>& taken) {
  std::string candidate = name;
  for (int k = 2; !taken.insert(candidate).second; ++k) candidate = name + "_" + std::to_string(k);
  return candidate;
}

void notice_missing(UrdfReader& reader, const Error& error) {
  reader.notices.add("link/visual/geometry/mesh", false, "not drawn: " + error.text());
}

// The mesh at this scale: -1 where a visual's file is missing or unreadable (noticed).
Expected<Index> find_or_read_mesh(UrdfReader& reader, const XmlElement& element, bool collision) {
  XmlErrors errors;
  const XmlFields fields(element, errors);
  std::array<double, 3> scale{1.0, 1.0, 1.0};
  const int given = fields.numbers("scale", scale, 1);
  if (given == 1) scale[1] = scale[2] = scale[0];
  if (given == 2) fields.fail("scale", "has two numbers", "give three");
  for (const double s : scale) {
    if (s == 0.0) fields.fail("scale", "is zero", "give factors that are not zero");
  }
  if (errors.failed()) return errors.take();
  if (const Checked checked = require(element, "filename"); !checked) return Unexpected<Error>{checked.error()};
  const std::string& uri = *element.find("filename");
  const auto [known, is_new] = reader.mesh_files.try_emplace(uri);
  if (is_new) known->second = find_mesh(uri, reader.compiler.search);
  const std::string& path = known->second;
  if (path.empty()) {
    const Error missing{"mesh file '" + uri.substr(0, 200) + "' is not found", element.where(),
                        "put it beside the URDF, or name the folder of its package in LoadOptions::package_paths"};
    if (collision) return Unexpected<Error>{missing};
    notice_missing(reader, missing);
    return Index{-1};
  }
  const std::pair key{path, scale};
  if (const auto found = reader.meshes.find(key); found != reader.meshes.end()) {
    if (found->second >= 0 || !collision) {
      if (found->second < 0)
        notice_missing(reader, Error{"mesh file '" + uri + "' cannot be read", element.where(), ""});
      return found->second;
    }
  }
  Expected<Mesh> mesh = read_mesh(path, ObjScope::kAllObjects);
  if (!mesh) {
    if (collision) return Unexpected<Error>{mesh.error().within(element.where())};
    notice_missing(reader, mesh.error());
    reader.meshes[key] = -1;
    return Index{-1};
  }
  const bool mirrored = scale[0] * scale[1] * scale[2] < 0.0;
  for (Vector3d& vertex : mesh->vertices) vertex = vertex.cwiseProduct(Vector3d(scale[0], scale[1], scale[2]));
  if (mirrored) {
    for (auto& face : mesh->faces) std::swap(face[1], face[2]);
  }
  if (const Checked checked = validate(*mesh); !checked)
    return fail_at(element, checked.error().what, "check the scale");
  mesh->name = unique(mesh->name, reader.mesh_names);
  const auto index = static_cast<Index>(reader.description.meshes.size());
  reader.meshes[key] = index;
  reader.description.meshes.push_back(std::move(*mesh));
  return index;
}

// True: the shape has a size and is kept.
Expected<bool> read_geometry(UrdfReader& reader, const XmlElement& geometry, bool collision, Shape& shape) {
  const XmlElement* element = nullptr;
  for (const char* name : {"box", "cylinder", "sphere", "capsule", "mesh"}) {
    if (element == nullptr) element = geometry.find_child(name);
  }
  if (element == nullptr) {
    const std::string found = geometry.children.empty() ? "is empty" : "holds <" + geometry.children[0].name + ">";
    return fail_at(geometry, found + ", no shape of URDF", "give box, cylinder, sphere, capsule or mesh");
  }
  XmlErrors errors;
  const XmlFields fields(*element, errors);
  int sizes = 0;
  if (element->name == "mesh") {
    const Expected<Index> mesh = find_or_read_mesh(reader, *element, collision);
    if (!mesh) return Unexpected<Error>{mesh.error()};
    shape.type = ShapeType::kMesh;
    shape.index = *mesh;
    return *mesh >= 0;
  }
  if (element->name == "box") {
    if (const Checked checked = require(*element, "size"); !checked) return Unexpected<Error>{checked.error()};
    shape.type = ShapeType::kBox;
    fields.vector("size", shape.size);
    shape.size *= 0.5;
    sizes = 3;
  } else {
    if (const Checked checked = require(*element, "radius"); !checked) return Unexpected<Error>{checked.error()};
    fields.number("radius", shape.size.x());
    shape.type = ShapeType::kSphere;
    sizes = 1;
    if (element->name != "sphere") {
      if (const Checked checked = require(*element, "length"); !checked) return Unexpected<Error>{checked.error()};
      shape.type = element->name == "cylinder" ? ShapeType::kCylinder : ShapeType::kCapsule;
      fields.number("length", shape.size.y());
      shape.size.y() *= 0.5;
      sizes = 2;
    }
  }
  if (errors.failed()) return errors.take();
  if (shape.size.head(sizes).minCoeff() < 0.0) return fail_at(*element, "a size is negative", "give sizes > 0 in m");
  if (shape.type == ShapeType::kCapsule && shape.size.x() > 0.0) return true;  // of length zero: a sphere
  if (shape.size.head(sizes).minCoeff() > 0.0) return true;
  reader.notices.add(std::string("link/") + (collision ? "collision" : "visual") + "/geometry/" + element->name,
                     collision, "a size is zero: left out");
  return false;
}

Checked read_colour(const XmlElement& material, std::array<double, 4>& rgba) {
  const XmlElement* colour = material.find_child("color");
  if (colour == nullptr) return ok();
  XmlErrors errors;
  XmlFields(*colour, errors).numbers("rgba", rgba, 3);
  if (errors.failed()) return errors.take();
  return ok();
}

Checked add_shape(UrdfReader& reader, const XmlElement& element, Index body, std::array<double, 4>& rgba) {
  const bool collision = element.name == "collision";
  const XmlElement* geometry = element.find_child("geometry");
  if (geometry == nullptr) return fail_at(element, "<geometry> is missing", "add a <geometry> with a shape");
  Geom geom;
  geom.body = body;
  const Expected<bool> kept = read_geometry(reader, *geometry, collision, geom.shape);
  if (!kept) return Unexpected<Error>{kept.error()};
  if (!*kept) return ok();
  if (Checked checked = read_origin(element, geom.pose); !checked) return checked;
  if (const XmlElement* material = element.find_child("material"); material != nullptr && !collision) {
    if (const std::string* name = material->find("name")) {
      if (const auto known = reader.colours.find(*name); known != reader.colours.end()) rgba = known->second;
    }
    if (Checked checked = read_colour(*material, rgba); !checked) return checked;
  }
  geom.rgba = rgba;
  geom.group = collision ? 3 : 2;
  if (!collision) geom.contype = geom.conaffinity = 0;
  if (const std::string* name = element.find("name"); name != nullptr && !name->empty()) {
    if (reader.geom_names.insert(*name).second) geom.name = *name;  // a second one goes without
  }
  reader.description.geoms.push_back(std::move(geom));
  return ok();
}

// Materials are known in the whole file, wherever they are given a colour first.
Checked collect_colours(UrdfReader& reader) {
  const auto add = [&](const XmlElement& material) -> Checked {
    const std::string* name = material.find("name");
    if (name == nullptr || name->empty() || material.find_child("color") == nullptr || reader.colours.count(*name))
      return ok();
    std::array<double, 4> rgba{0.5, 0.5, 0.5, 1.0};
    if (Checked checked = read_colour(material, rgba); !checked) return checked;
    reader.colours[*name] = rgba;
    return ok();
  };
  for (const XmlElement& element : reader.file->root.children) {
    if (element.name == "material") {
      if (Checked checked = add(element); !checked) return checked;
    }
    if (element.name != "link") continue;
    for (const XmlElement& visual : element.children) {
      const XmlElement* material = visual.name == "visual" ? visual.find_child("material") : nullptr;
      if (material == nullptr) continue;
      if (Checked checked = add(*material); !checked) return checked;
    }
  }
  return ok();
}

}  // namespace

Checked read_shapes(UrdfReader& reader) {
  if (Checked checked = collect_colours(reader); !checked) return checked;
  for (std::size_t b = 0; b < reader.body_elements.size(); ++b) {
    if (reader.body_elements[b] == nullptr) continue;
    std::array<double, 4> rgba = Geom{}.rgba;  // of the last visual, also for the collision shapes
    for (const XmlElement& element : reader.body_elements[b]->children) {
      const bool visual = element.name == "visual";
      if ((!visual && element.name != "collision") || (visual && reader.compiler.discard_visual)) continue;
      if (Checked checked = add_shape(reader, element, static_cast<Index>(b), rgba); !checked) return checked;
    }
  }
  return ok();
}

}  // namespace tribo
