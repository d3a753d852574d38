// Geoms: shape, pose, contact numbers, and the mass they bring to their body.
#include <algorithm>
#include <cmath>

#include "io/mjcf/context.hpp"
#include "io/mjcf/fit.hpp"

namespace tribo {
namespace {

constexpr const char* kGeomTypes[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                      "cylinder", "box",    "mesh",   "sdf"};

int count_sizes(ShapeType type) {
  switch (type) {
    case ShapeType::kSphere:
      return 1;
    case ShapeType::kCapsule:
    case ShapeType::kCylinder:
      return 2;
    case ShapeType::kEllipsoid:
    case ShapeType::kBox:
      return 3;
    default:
      return 0;
  }
}

// fromto: the long axis from one point to the other; size gives the rest.
void read_ends(const XmlFields& fields, Geom& geom) {
  std::array<double, 6> ends{};
  if (fields.numbers("fromto", ends) == 0) return;
  const ShapeType type = geom.shape.type;
  if (type != ShapeType::kCapsule && type != ShapeType::kCylinder && type != ShapeType::kBox &&
      type != ShapeType::kEllipsoid) {
    fields.fail("fromto", "is for capsules, cylinders, boxes and ellipsoids", "remove it or change the type");
    return;
  }
  const Vector3d from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  const double length = (from - to).norm();
  if (length < kTooShort) {
    fields.fail("fromto", "the two points are one", "move them apart");
    return;
  }
  Vector3d& size = geom.shape.size;
  const bool round = type == ShapeType::kCapsule || type == ShapeType::kCylinder;
  size = round ? Vector3d(size.x(), length / 2.0, 0.0) : Vector3d(size.x(), size.x(), length / 2.0);
  geom.pose = {(from + to) / 2.0, from_z_axis(from - to)};
}

void read_contact_numbers(MjcfContext& context, const XmlFields& fields, Geom& geom) {
  fields.integer("contype", geom.contype);
  fields.integer("conaffinity", geom.conaffinity);
  fields.integer("condim", geom.condim);
  fields.integer("group", geom.group);
  fields.integer("priority", geom.priority);
  if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6) {
    fields.fail("condim", std::to_string(geom.condim) + " is not known", "give 1, 3, 4 or 6");
  }
  fields.numbers("friction", {geom.friction.data(), 3}, 1);
  if (geom.friction.minCoeff() < 0.0) fields.fail("friction", "is negative", "give numbers >= 0");
  fields.number("margin", geom.margin);
  fields.number("gap", geom.gap);
  fields.number("solmix", geom.solmix);
  read_softness(fields, "solref", geom.solref, "solimp", geom.solimp);
  if (geom.contype != 0 || geom.conaffinity != 0)
    note_contact_numbers(context, "geom", geom.margin, geom.gap, geom.solref);
  std::string material;
  if (fields.text("material", material) != 0 && material.empty()) {
    context.notices.add("geom@material", false, "is empty: no material");
  } else if (!material.empty()) {
    const auto found = context.materials.find(material);
    if (found != context.materials.end()) {
      geom.rgba = found->second;
      geom.material = material;
    } else {
      std::vector<std::string> all;
      for (const auto& entry : context.materials) all.push_back(entry.first);
      fields.fail("material", "there is no material '" + material + "'", suggest(material, all, "check the name"));
    }
  }
  read_colour(context, fields, "geom", geom.rgba);
}

void note_unused(MjcfContext& context, const XmlFields& fields) {
  if (context.medium) context.note(fields, "geom", {"fluidshape"}, true, "no force of the medium on moving bodies");
  context.note(fields, "geom", {"surfacevel", "adhesion"}, true, "the surface neither moves nor sticks");
  if (fields.element().find_child("plugin") != nullptr) {
    context.notices.add("geom/plugin", true, "plugins are not loaded");
  }
}

// Matter of the shape at density 1, in the geom's frame.
Expected<MassProperties> unit_mass(MjcfContext& context, const Geom& geom, Index asset, bool shell) {
  if (geom.shape.type != ShapeType::kMesh) return calc_mass_properties(geom.shape, shell);
  if (shell) {
    return calc_mass_properties(context.model.meshes[static_cast<std::size_t>(geom.shape.index)], MeshInertia::kShell);
  }
  return mesh_mass(context, asset);
}

MassProperties read_mass(MjcfContext& context, const XmlFields& fields, const Geom& geom, Index asset, bool weighs) {
  double density = 1000.0, mass = -1.0;
  bool shell = false;
  const bool by_mass = fields.number("mass", mass) != 0;
  fields.number("density", density);
  fields.boolean("shellinertia", shell);
  if (by_mass && mass < 0.0) fields.fail("mass", "is negative", "give kg >= 0");
  if (density < 0.0) fields.fail("density", "is negative", "give kg/m³ >= 0");
  const MjcfCompiler& compiler = context.compiler(fields.element());
  const bool in_range = geom.group >= compiler.inertia_groups[0] && geom.group <= compiler.inertia_groups[1];
  if (!weighs || !in_range || (by_mass ? mass : density) <= 0.0 || context.errors.failed()) return {};
  const Expected<MassProperties> unit = unit_mass(context, geom, asset, shell);
  if (!unit) {
    context.errors.set(
        Error{unit.error().what, fields.element().where(),
              "give the body an <inertial>, the mesh inertia=\"shell\" or \"convex\", or the geom mass=\"0\""});
    return {};
  }
  // Planes and height fields have no volume and no mass.
  if (!(unit->mass > 0.0)) return {};
  return unit->scaled(by_mass ? mass / unit->mass : density).seen_from(geom.pose);
}

}  // namespace

void read_geom(MjcfContext& context, const MjcfItem& item, Index body, bool weighs) {
  const XmlElement& element = *item.element;
  const XmlFields fields = context.fields(element, "geom", item.childclass);
  Geom geom;
  geom.body = body;
  fields.text("name", geom.name);
  context.declare("geom", element, geom.name, static_cast<Index>(context.model.geoms.size()));
  int word = 2;
  fields.choice("type", kGeomTypes, word);
  if (word == 8) context.notices.add("geom@type=sdf", true, "the mesh in place of the distance function");
  geom.shape.type = static_cast<ShapeType>(std::min(word, 7));
  geom.pose = read_pose(fields, context.compiler(element));
  const int given = fields.numbers("size", {geom.shape.size.data(), 3}, 1);
  read_contact_numbers(context, fields, geom);
  note_unused(context, fields);

  std::string mesh;
  Index asset = -1;
  fields.text("mesh", mesh);
  if (!mesh.empty()) {
    const auto& known = context.names["mesh"];
    const auto found = known.find(mesh);
    if (found == known.end()) {
      std::vector<std::string> all;
      for (const auto& entry : known) all.push_back(entry.first);
      fields.fail("mesh", "there is no mesh '" + mesh + "'", suggest(mesh, all, "check the name"));
      return;
    }
    asset = found->second;
    const Index index = require_mesh(context, asset, fields);
    if (index < 0 || context.errors.failed()) return;
    if (geom.shape.type == ShapeType::kMesh) {
      geom.shape.index = index;
    } else {
      fit_to_mesh(context, fields, asset, geom);
    }
  } else if (geom.shape.type == ShapeType::kMesh) {
    fields.fail("mesh", "is missing for a geom of type mesh", "name a mesh of the assets");
  }
  if (geom.shape.type == ShapeType::kHeightField) {
    geom.shape.index = fields.has("hfield") ? context.look_up("hfield", fields, "hfield") : -1;
    if (!fields.has("hfield")) fields.fail("hfield", "is missing", "name a height field of the assets");
  }
  if (mesh.empty()) read_ends(fields, geom);
  for (int i = 0; i < count_sizes(geom.shape.type); ++i) {
    if (!(geom.shape.size[i] > 0.0)) {
      fields.fail("size",
                  "number " + std::to_string(i + 1) + " of " + kGeomTypes[word] +
                      (given <= i && mesh.empty() ? " is missing" : " is not positive"),
                  "give lengths > 0");
    }
  }
  geom.pose = item.frame * geom.pose;
  if (context.errors.failed()) return;
  context.geom_mass.push_back(read_mass(context, fields, geom, asset, weighs));
  context.model.geoms.push_back(std::move(geom));
}

}  // namespace tribo
