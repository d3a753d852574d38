// Where the files are that a model names.
#include <filesystem>

#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

void collect_named(const MjcfContext& context, const XmlElement& element, std::vector<std::string>& files) {
  for (const XmlAttribute& attribute : element.attributes) {  // file, and fileright, fileup, … of textures
    if (attribute.name.starts_with("file") && element.name != "model" && !attribute.value.empty())
      files.push_back(locate_asset(context, element, attribute.value));
  }
  for (const XmlElement& child : element.children) collect_named(context, child, files);
}

}  // namespace

std::string locate_asset(const MjcfContext& context, const XmlElement& element, std::string name) {
  namespace fs = std::filesystem;
  const MjcfScope& scope = context.scope(element);
  if (scope.compiler.strip_path) name = fs::path(name).filename().string();
  const std::string& folder = element.name == "texture" ? scope.compiler.texture_dir : scope.compiler.mesh_dir;
  const fs::path inner = fs::path(folder) / name;  // an absolute name stays as it is
  const fs::path path = fs::path(scope.folder) / inner;
  std::error_code code;
  if (!fs::exists(path, code)) {
    const fs::path beside = fs::path(*element.file).parent_path() / inner;
    if (fs::exists(beside, code)) return beside.string();
  }
  return path.string();
}

std::vector<std::string> collect_mjcf_files(const MjcfContext& context) {
  std::vector<std::string> files = context.source.files;
  collect_named(context, context.source.root, files);
  return files;
}

}  // namespace tribo
