#include "io/urdf/urdf.hpp"

#include <filesystem>

#include "io/urdf/parts.hpp"
#include "io/urdf/vocabulary.hpp"

namespace tribo {
namespace {

Checked read_mujoco(const XmlElement& robot, UrdfReader& reader) {
  const XmlElement* mujoco = robot.find_child("mujoco");
  if (mujoco == nullptr) return ok();
  XmlErrors errors;
  if (const XmlElement* compiler = mujoco->find_child("compiler")) {
    const XmlFields fields(*compiler, errors);
    UrdfCompiler& c = reader.compiler;
    c.search.strip_path = true;  // MuJoCo's default for URDF; only a first guess here
    fields.text("assetdir", c.search.mesh_folder);
    fields.text("meshdir", c.search.mesh_folder);
    fields.boolean("strippath", c.search.strip_path);
    fields.boolean("discardvisual", c.discard_visual);
    fields.boolean("balanceinertia", c.balance_inertia);
    fields.number("boundmass", c.bound_mass);
    fields.number("boundinertia", c.bound_inertia);
    if (c.bound_mass < 0.0) fields.fail("boundmass", "is negative", "give a number >= 0");
    if (c.bound_inertia < 0.0) fields.fail("boundinertia", "is negative", "give a number >= 0");
  }
  if (const XmlElement* option = mujoco->find_child("option")) {
    const XmlFields fields(*option, errors);
    fields.number("timestep", reader.description.timestep);
    fields.vector("gravity", reader.description.gravity);
    if (!(reader.description.timestep > 0.0)) fields.fail("timestep", "is not positive", "give seconds > 0");
  }
  if (errors.failed()) return errors.take();
  return ok();
}

// Pictures are not read, but named.
void collect_pictures(const XmlElement& element, const MeshSearch& search, std::vector<std::string>& files) {
  const std::string* name = element.name == "texture" ? element.find("filename") : nullptr;
  if (name != nullptr) files.push_back(find_mesh(*name, search));
  for (const XmlElement& child : element.children) collect_pictures(child, search, files);
}

std::vector<std::string> collect_urdf_files(const XmlFile& file, const UrdfReader& reader) {
  std::vector<std::string> files{file.path};
  for (const auto& entry : reader.mesh_files) files.push_back(entry.second);
  collect_pictures(file.root, reader.compiler.search, files);
  std::erase(files, "");  // not found
  return files;
}

}  // namespace

Expected<ModelFile> read_urdf(const XmlFile& file, const LoadOptions& options) {
  if (file.root.name != "robot") {
    return fail_at(file.root, "the root element is <" + file.root.name + ">, not <robot>", "is this a URDF file?");
  }
  UrdfReader reader;
  reader.file = &file;
  reader.compiler.search.folder = std::filesystem::path(file.path).parent_path().string();
  reader.compiler.search.package_paths = options.package_paths;
  reader.description.file = file.path;
  if (const std::string* name = file.root.find("name")) reader.description.name = *name;

  if (const Checked checked = check_vocabulary(file.root, reader.notices); !checked)
    return Unexpected<Error>{checked.error()};
  if (const Checked checked = read_mujoco(file.root, reader); !checked) return Unexpected<Error>{checked.error()};
  for (const auto step : {read_links_and_joints, build_tree, read_inertials, read_shapes, weigh_massless}) {
    if (const Checked checked = step(reader); !checked) return Unexpected<Error>{checked.error()};
  }
  std::vector<std::string> files = collect_urdf_files(file, reader);
  return ModelFile{std::move(reader.description), reader.notices.take(), std::move(files)};
}

}  // namespace tribo
