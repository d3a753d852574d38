#include "io/urdf/mesh_path.hpp"

#include <algorithm>
#include <filesystem>

namespace tribo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxParts = 64;  // of a path; more is nobody's mesh

bool is_file(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

struct Uri {
  bool in_package = false;  // the first part is the package's name
  bool absolute = false;
  std::vector<std::string> parts;
};

Uri parse_uri(std::string text) {
  std::replace(text.begin(), text.end(), '\\', '/');
  Uri uri;
  for (const char* scheme : {"package://", "model://", "package:/", "model:/"}) {
    if (text.starts_with(scheme)) {
      text.erase(0, std::string(scheme).size());
      uri.in_package = true;
      break;
    }
  }
  if (!uri.in_package && text.starts_with("file://")) text.erase(0, 7);
  if (!uri.in_package && text.starts_with("file:")) text.erase(0, 5);
  uri.absolute = !uri.in_package && text.starts_with("/");
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find('/', start), text.size());
    const std::string part = text.substr(start, end - start);
    if (!part.empty() && part != ".") uri.parts.push_back(part);
    start = end + 1;
  }
  return uri;
}

fs::path join(const fs::path& folder, const std::vector<std::string>& parts, std::size_t first) {
  fs::path path = folder;
  for (std::size_t i = first; i < parts.size(); ++i) path /= parts[i];
  return path;
}

// The folder itself and everything above it, nearest first.
std::vector<fs::path> with_parents(const std::string& folder) {
  std::error_code code;
  fs::path path = fs::absolute(folder.empty() ? "." : folder, code).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  std::vector<fs::path> list;
  while (list.size() < kMaxParts) {
    list.push_back(path);
    if (path == path.parent_path()) break;
    path = path.parent_path();
  }
  return list;
}

}  // namespace

std::string find_mesh(const std::string& uri_text, const MeshSearch& search) {
  const Uri uri = parse_uri(uri_text);
  if (uri.parts.empty() || uri.parts.size() > kMaxParts || uri_text.size() > 4096) return "";
  const fs::path folder = search.folder.empty() ? "." : search.folder;
  std::vector<fs::path> candidates;

  const fs::path mesh_folder = folder / search.mesh_folder;  // an absolute one stands alone
  if (search.strip_path) candidates.push_back(mesh_folder / uri.parts.back());
  if (!search.mesh_folder.empty()) candidates.push_back(join(mesh_folder, uri.parts, 0));

  const std::vector<fs::path> parents = with_parents(search.folder);
  if (uri.in_package) {
    std::vector<fs::path> homes(search.package_paths.begin(), search.package_paths.end());
    homes.insert(homes.end(), parents.begin(), parents.end());
    for (const fs::path& home : homes) {
      const fs::path name = home.has_filename() ? home.filename() : home.parent_path().filename();
      if (name == uri.parts[0]) candidates.push_back(join(home, uri.parts, 1));
      candidates.push_back(join(home, uri.parts, 0));
    }
  } else if (uri.absolute) {
    candidates.push_back(join("/", uri.parts, 0));
  } else {
    candidates.push_back(join(folder, uri.parts, 0));
    for (const std::string& home : search.package_paths) candidates.push_back(join(home, uri.parts, 0));
  }
  for (const fs::path& candidate : candidates) {
    if (is_file(candidate)) return candidate.lexically_normal().string();
  }
  for (std::size_t first = 0; first < uri.parts.size(); ++first) {
    if (uri.parts[first] == "..") continue;
    for (const fs::path& parent : parents) {
      const fs::path candidate = join(parent, uri.parts, first);
      if (is_file(candidate)) return candidate.lexically_normal().string();
    }
  }
  return "";
}

}  // namespace tribo
