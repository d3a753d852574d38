// Meshes, height fields and the colours of materials.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "io/file_bytes.hpp"
#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

namespace fs = std::filesystem;

constexpr double kMuchTwice = 0.01;  // of the volume: more than that of it counts twice
constexpr Index kMaxHeights = 100'000'000;

std::string asset_name(const XmlElement& element) {
  if (const std::string* name = element.find("name")) return *name;
  const std::string* file = element.find("file");
  return file == nullptr ? "" : fs::path(*file).stem().string();
}

void read_mesh_asset(MjcfContext& context, const XmlElement& element) {
  const XmlFields fields = context.fields(element, "mesh");
  MjcfMesh mesh{&element, -1, MeshInertia::kLegacy, {}};
  if (context.compiler(element).exact_mesh_inertia) mesh.how = MeshInertia::kExact;
  static constexpr const char* kWords[] = {"legacy", "exact", "convex", "shell"};
  int word = 0;
  if (fields.choice("inertia", kWords, word) != 0) mesh.how = static_cast<MeshInertia>(word);
  const std::string name = asset_name(element);
  if (name.empty()) fields.fail("", "the mesh has neither name nor file", "give one of them");
  context.declare("mesh", element, name, static_cast<Index>(context.meshes.size()));
  context.meshes.push_back(std::move(mesh));
  const std::string* file = element.find("file");
  if (file == nullptr) return;
  std::error_code code;
  const std::string path = locate_asset(context, element, *file);
  if (!fs::exists(path, code)) {
    fields.fail("file", "there is no mesh file '" + path + "'", "check meshdir and the name");
  }
}

// Vertices and faces written in the model itself.
Expected<Mesh> read_inline_mesh(MjcfContext& context, const XmlFields& fields) {
  std::vector<double> vertices, faces;
  fields.list("vertex", vertices);
  fields.list("face", faces);
  if (context.errors.failed()) return context.errors.take();
  const XmlElement& element = fields.element();
  if (element.find("builtin") != nullptr) {
    return fail_at(element, "built-in meshes are not supported", "save the mesh to a file");
  }
  if (vertices.size() < 12 || vertices.size() % 3 != 0) {
    return fail_at(element, "vertex has " + std::to_string(vertices.size()) + " numbers",
                   "give at least 4 points x y z");
  }
  if (faces.size() % 3 != 0)
    return fail_at(element, "the number of face indices is no multiple of 3", "give triangles");
  Mesh mesh;
  for (std::size_t i = 0; i < vertices.size(); i += 3) {
    // MuJoCo keeps vertices of the model in single precision.
    mesh.vertices.emplace_back(static_cast<float>(vertices[i]), static_cast<float>(vertices[i + 1]),
                               static_cast<float>(vertices[i + 2]));
  }
  const double count = static_cast<double>(mesh.vertices.size());
  for (std::size_t i = 0; i < faces.size(); i += 3) {
    std::array<std::int32_t, 3> face{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(faces[i + k] >= 0.0 && faces[i + k] < count) || faces[i + k] != std::floor(faces[i + k])) {
        return fail_at(element, "face " + std::to_string(i / 3) + " names a vertex that does not exist",
                       "count vertices from 0");
      }
      face[k] = static_cast<std::int32_t>(faces[i + k]);
    }
    mesh.faces.push_back(face);
  }
  if (mesh.faces.empty()) return make_convex_hull(mesh);
  return mesh;
}

// Moved to the reference frame, then scaled. A mirror turns the faces, so that they still look outward.
void transform(const XmlFields& fields, Mesh& mesh) {
  Vector3d reference = Vector3d::Zero(), scale = Vector3d::Ones();
  std::array<double, 4> quat{1.0, 0.0, 0.0, 0.0};
  fields.vector("refpos", reference);
  fields.vector("scale", scale);
  fields.numbers("refquat", quat);
  Quaterniond q(quat[0], quat[1], quat[2], quat[3]);
  if (q.norm() < 1e-14) {
    fields.fail("refquat", "is zero", "give a quaternion w x y z");
    return;
  }
  q.normalize();
  const Matrix3d inverse = q.toRotationMatrix().transpose();
  const bool turned = quat != std::array<double, 4>{1.0, 0.0, 0.0, 0.0};
  for (Vector3d& vertex : mesh.vertices) {
    vertex -= reference;
    if (turned) vertex = inverse * vertex;
    vertex = vertex.cwiseProduct(scale);
  }
  if (scale.prod() < 0.0) {
    for (auto& face : mesh.faces) std::swap(face[1], face[2]);
  }
}

// MuJoCo's binary: rows, columns, then heights in single precision.
Expected<HeightField> read_height_file(const std::string& path) {
  Expected<std::string> bytes = read_bytes(path);
  if (!bytes) return Unexpected<Error>{bytes.error()};
  std::array<std::int32_t, 2> sizes{};
  if (bytes->size() < sizeof(sizes))
    return fail("the height field is too short", path, "is it MuJoCo's binary format?");
  std::memcpy(sizes.data(), bytes->data(), sizeof(sizes));
  const Index cells = sizes[0] > 0 && sizes[1] > 0 ? Index{sizes[0]} * Index{sizes[1]} : 0;
  if (cells <= 0 || cells > kMaxHeights ||
      bytes->size() != sizeof(sizes) + static_cast<std::size_t>(cells) * sizeof(float)) {
    return fail("the height field's size is not that of its rows and columns", path, "is it MuJoCo's binary format?");
  }
  HeightField field;
  field.rows = sizes[0];
  field.cols = sizes[1];
  field.height.resize(static_cast<std::size_t>(cells));
  for (std::size_t i = 0; i < field.height.size(); ++i) {
    float value = 0.0F;
    std::memcpy(&value, bytes->data() + sizeof(sizes) + i * sizeof(float), sizeof(float));
    if (!std::isfinite(value)) return fail("the height field has a number that is not finite", path, "repair the file");
    field.height[i] = value;
  }
  return field;
}

void read_height_field(MjcfContext& context, const XmlElement& element) {
  const XmlFields fields(element, context.errors);
  HeightField field;
  std::array<double, 4> size{};  // half x, half y, top, base
  if (fields.numbers("size", size) == 0) fields.fail("size", "is missing", "give half x, half y, top, base");
  if (*std::min_element(size.begin(), size.end()) <= 0.0) fields.fail("size", "is not positive", "give lengths > 0");
  if (const std::string* file = element.find("file")) {
    if (fs::path(*file).extension() == ".png" || fs::path(*file).extension() == ".PNG") {
      context.notices.add("asset/hfield", true, "heights from PNG images are not read: the field is flat");
      field.rows = field.cols = 2;
      field.height.assign(4, 0.0);
    } else {
      Expected<HeightField> read = read_height_file(locate_asset(context, element, *file));
      if (!read) {
        context.errors.set(read.error().within(element.where()));
        return;
      }
      field = std::move(*read);
    }
    field.file = locate_asset(context, element, *file);
  } else {
    int rows = 0, cols = 0;
    fields.integer("nrow", rows);
    fields.integer("ncol", cols);
    if (rows < 1 || cols < 1 || Index{rows} * Index{cols} > kMaxHeights) {
      fields.fail("", "the height field has no rows and columns", "give nrow and ncol, or a file");
      return;
    }
    field.rows = rows;
    field.cols = cols;
    std::vector<double> heights;
    fields.list("elevation", heights);
    const std::size_t cells = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
    if (heights.empty()) heights.assign(cells, 0.0);
    if (heights.size() != cells) {
      fields.fail("elevation", "has " + std::to_string(heights.size()) + " numbers", "give nrow × ncol");
      return;
    }
    // The text shows the field from above: its last line is the first row.
    for (Index row = rows - 1; row >= 0; --row) {
      field.height.insert(field.height.end(), heights.begin() + row * cols, heights.begin() + (row + 1) * cols);
    }
  }
  // Data are scaled to 0…1, then to the height of the top.
  const auto [least, most] = std::minmax_element(field.height.begin(), field.height.end());
  const double low = *least, span = *most - low;
  for (double& height : field.height) height = span > 0.0 ? (height - low) / span * size[2] : 0.0;
  field.name = asset_name(element);
  field.half_x = size[0];
  field.half_y = size[1];
  field.base = size[3];
  context.declare("hfield", element, field.name, static_cast<Index>(context.model.height_fields.size()));
  context.model.height_fields.push_back(std::move(field));
}

}  // namespace

void read_assets(MjcfContext& context) {
  context.for_each("asset", [&](const XmlElement& item) {
    if (item.name == "mesh") {
      read_mesh_asset(context, item);
    } else if (item.name == "hfield") {
      read_height_field(context, item);
    } else if (item.name == "material") {
      std::array<double, 4> rgba{1.0, 1.0, 1.0, 1.0};
      read_colour(context, context.fields(item, "material"), "material", rgba);
      context.declare("material", item, asset_name(item), static_cast<Index>(context.materials.size()));
      context.materials[asset_name(item)] = rgba;
    } else if (item.name != "model") {
      context.notices.add("asset/" + item.name, false, "for pictures");
    }
  });
}

Index require_mesh(MjcfContext& context, Index asset, const XmlFields& user) {
  MjcfMesh& entry = context.meshes[static_cast<std::size_t>(asset)];
  if (entry.index >= 0) return entry.index;
  const XmlElement& element = *entry.element;
  const XmlFields fields = context.fields(element, "mesh");
  const std::string* file = element.find("file");
  const std::string path = file == nullptr ? "" : locate_asset(context, element, *file);
  Expected<Mesh> mesh = file == nullptr ? read_inline_mesh(context, fields) : read_mesh(path);
  if (!mesh) {
    context.errors.set(file == nullptr ? mesh.error() : mesh.error().within(user.element().where()));
    return -1;
  }
  if (mesh->bent_polygons > 0)
    context.notices.add("asset/mesh", false,
                        "polygons that are not flat: mass by density and exact collision depend on how they are cut",
                        mesh->bent_polygons);
  mesh->name = asset_name(element);
  mesh->file = path;
  transform(fields, *mesh);
  entry.index = static_cast<Index>(context.model.meshes.size());
  context.model.meshes.push_back(std::move(*mesh));
  return entry.index;
}

const Expected<MassProperties>& mesh_mass(MjcfContext& context, Index asset) {
  MjcfMesh& entry = context.meshes[static_cast<std::size_t>(asset)];
  if (entry.mass) return *entry.mass;
  const Mesh& mesh = context.model.meshes[static_cast<std::size_t>(entry.index)];
  entry.mass = calc_mass_properties(mesh, entry.how);
  if (entry.how != MeshInertia::kLegacy || !*entry.mass) return *entry.mass;
  const Expected<MassProperties> exact = calc_mass_properties(mesh, MeshInertia::kExact);
  if (exact && (*entry.mass)->mass > (1.0 + kMuchTwice) * exact->mass)
    context.notices.add("mesh@inertia", false,
                        "volume in folds counts twice by default, as in MuJoCo; inertia=\"exact\" counts it once");
  return *entry.mass;
}

}  // namespace tribo
