#include "io/recording_header.hpp"

#include <cmath>

#include "io/json_text.hpp"
#include "io/recording_layout.hpp"
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr ShapeType kShapes[] = {ShapeType::kPlane,   ShapeType::kHeightField, ShapeType::kSphere,
                                 ShapeType::kCapsule, ShapeType::kEllipsoid,   ShapeType::kCylinder,
                                 ShapeType::kBox,     ShapeType::kMesh};

ordered_json numbers(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

ordered_json geom_json(const RecordedGeom& geom) {
  ordered_json object = {{"name", geom.name},
                         {"body", geom.body},
                         {"shape", name_of(geom.shape.type)},
                         {"size", numbers(geom.shape.size)},
                         {"pos", numbers(geom.pose.p)},
                         {"quat", {geom.pose.q.w(), geom.pose.q.x(), geom.pose.q.y(), geom.pose.q.z()}},
                         {"rgba", geom.rgba},
                         {"group", geom.group}};
  if (geom.shape.type == ShapeType::kMesh) object["mesh"] = geom.shape.index;
  if (geom.shape.type == ShapeType::kHeightField) object["height_field"] = geom.shape.index;
  return object;
}

ordered_json mesh_json(const Mesh& mesh) {
  ordered_json vertices = ordered_json::array(), faces = ordered_json::array();
  for (const Vector3d& v : mesh.vertices) {
    for (const double x : {v.x(), v.y(), v.z()}) vertices.push_back(x);
  }
  for (const auto& face : mesh.faces) {
    for (const std::int32_t corner : face) faces.push_back(corner);
  }
  return {{"name", mesh.name}, {"vertices", std::move(vertices)}, {"faces", std::move(faces)}};
}

// What is wrong inside; carried to the one place that returns.
struct BadHeader {
  std::string what, where;
};

const json& field(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) throw BadHeader{"is missing", key};
  return object[key];
}

Index whole(const json& value, const char* key, Index least, Index beyond) {
  if (!value.is_number_integer()) throw BadHeader{"is not a whole number", key};
  const auto number = value.get<std::int64_t>();
  const bool wrapped = value.is_number_unsigned() && number < 0;
  if (wrapped || number < least || number >= beyond) throw BadHeader{"is out of range", key};
  return static_cast<Index>(number);
}

double real(const json& value, const char* key) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) throw BadHeader{"is not a finite number", key};
  return value.get<double>();
}

std::string text(const json& object, const char* key) {
  const json& value = field(object, key);
  if (!value.is_string()) throw BadHeader{"is not a text", key};
  return value.get<std::string>();
}

template <std::size_t N>
std::array<double, N> reals(const json& object, const char* key) {
  const json& list = field(object, key);
  if (!list.is_array() || list.size() != N) throw BadHeader{"is not a list of " + std::to_string(N), key};
  std::array<double, N> values;
  for (std::size_t k = 0; k < N; ++k) values[k] = real(list[k], key);
  return values;
}

Vector3d vector(const json& object, const char* key) {
  const auto v = reals<3>(object, key);
  return {v[0], v[1], v[2]};
}

bool truth(const json& object, const char* key) {
  const json& value = field(object, key);
  if (!value.is_boolean()) throw BadHeader{"is not true or false", key};
  return value.get<bool>();
}

const json& list(const json& object, const char* key) {
  const json& value = field(object, key);
  if (!value.is_array()) throw BadHeader{"is not a list", key};
  return value;
}

std::vector<std::string> texts(const json& object, const char* key) {
  std::vector<std::string> names;
  for (const json& name : list(object, key)) {
    if (!name.is_string()) throw BadHeader{"is not a list of texts", key};
    names.push_back(name.get<std::string>());
  }
  return names;
}

Index size_of(const json& object, const char* key) { return static_cast<Index>(list(object, key).size()); }

RecordedGeom read_geom(const json& object, Index bodies, Index meshes, Index fields) {
  RecordedGeom geom;
  geom.name = text(object, "name");
  geom.body = whole(field(object, "body"), "body", 0, bodies);
  const std::string shape = text(object, "shape");
  bool found = false;
  for (const ShapeType type : kShapes) {
    if (shape != name_of(type)) continue;
    geom.shape.type = type;
    found = true;
  }
  if (!found) throw BadHeader{"there is no shape \"" + shape + "\"", "shape"};
  geom.shape.size = vector(object, "size");
  geom.pose.p = vector(object, "pos");
  const auto q = reals<4>(object, "quat");
  geom.pose.q = Quaterniond(q[0], q[1], q[2], q[3]);
  geom.rgba = reals<4>(object, "rgba");
  geom.group = static_cast<int>(whole(field(object, "group"), "group", -1000000, 1000000));
  if (geom.shape.type == ShapeType::kMesh) geom.shape.index = whole(field(object, "mesh"), "mesh", 0, meshes);
  if (geom.shape.type == ShapeType::kHeightField)
    geom.shape.index = whole(field(object, "height_field"), "height_field", 0, fields);
  return geom;
}

Mesh read_mesh_json(const json& object) {
  Mesh mesh;
  mesh.name = text(object, "name");
  const json &vertices = list(object, "vertices"), &faces = list(object, "faces");
  if (vertices.size() % 3 != 0) throw BadHeader{"is not a list of points", "vertices"};
  if (faces.size() % 3 != 0) throw BadHeader{"is not a list of triangles", "faces"};
  for (std::size_t i = 0; i < vertices.size(); i += 3) {
    mesh.vertices.emplace_back(real(vertices[i], "vertices"), real(vertices[i + 1], "vertices"),
                               real(vertices[i + 2], "vertices"));
  }
  const auto count = static_cast<Index>(mesh.vertices.size());
  const auto corner = [&](std::size_t i) { return static_cast<std::int32_t>(whole(faces[i], "faces", 0, count)); };
  for (std::size_t i = 0; i < faces.size(); i += 3) mesh.faces.push_back({corner(i), corner(i + 1), corner(i + 2)});
  return mesh;
}

HeightField read_field_json(const json& object) {
  constexpr Index kMany = Index{1} << 30;
  HeightField field_;
  field_.name = text(object, "name");
  field_.rows = whole(field(object, "rows"), "rows", 0, kMany);
  field_.cols = whole(field(object, "cols"), "cols", 0, kMany);
  field_.half_x = real(field(object, "half_x"), "half_x");
  field_.half_y = real(field(object, "half_y"), "half_y");
  field_.base = real(field(object, "base"), "base");
  for (const json& height : list(object, "height")) field_.height.push_back(real(height, "height"));
  if (static_cast<Index>(field_.height.size()) != field_.rows * field_.cols)
    throw BadHeader{"does not have rows · cols numbers", "height"};
  return field_;
}

RecordedSensor read_sensor_json(const json& object) {
  RecordedSensor sensor;
  sensor.name = text(object, "name");
  sensor.unit = text(object, "unit");
  sensor.size = whole(field(object, "size"), "size", 1, 16);
  return sensor;
}

RecordingHeader read_tree(const json& tree, std::uint32_t version) {
  constexpr Index kMany = Index{1} << 40;
  RecordingHeader header;
  header.version = text(tree, "tribo");
  header.scene = text(tree, "scene");
  header.name = text(tree, "name");
  header.model = text(tree, "model");
  header.solver = text(tree, "solver");
  header.step = real(field(tree, "step"), "step");
  header.tolerance = real(field(tree, "tolerance"), "tolerance");
  header.every = whole(field(tree, "every"), "every", 1, kMany);
  header.solvers = texts(tree, "solvers");
  if (header.solvers.size() > 255) throw BadHeader{"has more than 255 names", "solvers"};
  header.gravity = vector(tree, "gravity");
  header.nq = whole(field(tree, "nq"), "nq", 0, kMany);
  header.nv = whole(field(tree, "nv"), "nv", 0, kMany);
  header.nk = whole(field(tree, "kinematic"), "kinematic", 0, kMany);
  const Index bodies = size_of(tree, "bodies");
  for (const json& body : list(tree, "bodies")) {
    header.bodies.push_back({text(body, "name"), whole(field(body, "parent"), "parent", 0, bodies),
                             truth(body, "moves"), real(field(body, "mass"), "mass"), vector(body, "com")});
  }
  header.joints = texts(tree, "joints");
  header.joint_kinds = texts(tree, "joint_kinds");
  if (header.joint_kinds.size() != header.joints.size()) throw BadHeader{"is not as long as joints", "joint_kinds"};
  const Index meshes = size_of(tree, "meshes"), fields = size_of(tree, "height_fields");
  for (const json& geom : list(tree, "geoms")) header.geoms.push_back(read_geom(geom, bodies, meshes, fields));
  for (const json& mesh : list(tree, "meshes")) header.meshes.push_back(read_mesh_json(mesh));
  for (const json& field_ : list(tree, "height_fields")) header.height_fields.push_back(read_field_json(field_));
  if (version >= kReadingsVersion) {
    for (const json& sensor : list(tree, "sensors")) header.sensors.push_back(read_sensor_json(sensor));
  }
  if (version >= kTurningVersion) header.turning = truth(tree, "turning");
  return header;
}

}  // namespace

std::string write_recording_header(const RecordingHeader& header) {
  ordered_json bodies = ordered_json::array(), geoms = ordered_json::array(), meshes = ordered_json::array();
  ordered_json fields = ordered_json::array();
  for (const RecordedBody& body : header.bodies)
    bodies.push_back({{"name", body.name},
                      {"parent", body.parent},
                      {"moves", body.moves},
                      {"mass", body.mass},
                      {"com", numbers(body.com)}});
  for (const RecordedGeom& geom : header.geoms) geoms.push_back(geom_json(geom));
  for (const Mesh& mesh : header.meshes) meshes.push_back(mesh_json(mesh));
  for (const HeightField& field : header.height_fields) {
    fields.push_back({{"name", field.name},
                      {"rows", field.rows},
                      {"cols", field.cols},
                      {"half_x", field.half_x},
                      {"half_y", field.half_y},
                      {"base", field.base},
                      {"height", field.height}});
  }
  ordered_json sensors = ordered_json::array();
  for (const RecordedSensor& sensor : header.sensors)
    sensors.push_back({{"name", sensor.name}, {"unit", sensor.unit}, {"size", sensor.size}});
  const ordered_json tree = {{"tribo", header.version},
                             {"scene", header.scene},
                             {"name", header.name},
                             {"model", header.model},
                             {"solver", header.solver},
                             {"step", header.step},
                             {"tolerance", header.tolerance},
                             {"every", header.every},
                             {"solvers", header.solvers},
                             {"turning", header.turning},
                             {"gravity", numbers(header.gravity)},
                             {"nq", header.nq},
                             {"nv", header.nv},
                             {"kinematic", header.nk},
                             {"bodies", std::move(bodies)},
                             {"joints", header.joints},
                             {"joint_kinds", header.joint_kinds},
                             {"sensors", std::move(sensors)},
                             {"geoms", std::move(geoms)},
                             {"meshes", std::move(meshes)},
                             {"height_fields", std::move(fields)}};
  return tree.dump(-1, ' ', false, ordered_json::error_handler_t::replace);  // names need not be UTF-8
}

Expected<RecordingHeader> read_recording_header(const std::string& text, std::uint32_t version) {
  const Expected<json> tree = parse_json_text(text);
  if (!tree) return Unexpected<Error>{tree.error()};
  try {
    return read_tree(*tree, version);
  } catch (const BadHeader& bad) {
    return fail(bad.what, bad.where, "record again");
  }
}

}  // namespace tribo
