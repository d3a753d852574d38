#include "run_scene.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "suggest.hpp"

namespace tribo {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scene_folders() {
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("TRIBO_SCENES"); given != nullptr && *given != '\0') folders.emplace_back(given);
  folders.emplace_back("scenes");
  std::error_code code;
  const fs::path tool = fs::read_symlink("/proc/self/exe", code);
  if (code) return folders;
  folders.push_back(tool.parent_path().parent_path() / "share" / "tribo" / "scenes");
  // The checkout that this tool was built in, some folders up (build/release/bin).
  fs::path up = tool.parent_path();
  for (int k = 0; k < 4 && up.has_relative_path(); ++k) {
    up = up.parent_path();
    if (fs::is_directory(up / "include" / "tribo", code)) folders.push_back(up / "scenes");
  }
  return folders;
}

// "<!-- Box stack: 50 cubes." → "Box stack: 50 cubes."; "" without a comment near the top.
std::string first_comment_line(const fs::path& path) {
  constexpr std::size_t kNear = 4096;
  std::ifstream in(path, std::ios::binary);
  std::string text(kNear, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  std::size_t begin = text.find("<!--");
  if (begin == std::string::npos) return "";
  begin = text.find_first_not_of(" \t\r\n-", begin + 4);
  if (begin == std::string::npos) return "";
  std::string line = text.substr(begin, std::min(text.find('\n', begin), text.find("-->", begin)) - begin);
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return line;
}

// Name → file, of all folders.
std::map<std::string, fs::path> find_all() {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : scene_folders()) {
    std::error_code code;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
      const fs::path& path = at->path();
      std::error_code ignored;
      if ((path.extension() == ".xml" || path.extension() == ".urdf") && at->is_regular_file(ignored))
        found.try_emplace(path.stem().string(), path);
    }
  }
  return found;
}

}  // namespace

std::vector<SceneName> scene_names() {
  std::vector<SceneName> names;
  for (const auto& [name, path] : find_all()) names.push_back({name, first_comment_line(path), path.string()});
  return names;
}

Expected<std::string> find_scene(const std::string& scene) {
  std::error_code code;
  if (scene.empty()) return fail("the name of the scene is empty", "SCENE", "see tribo list scenes");
  if (fs::is_regular_file(scene, code)) return scene;
  if (fs::is_directory(scene, code)) return fail("is a folder", scene, "name a file in it");
  // What names a place is meant as a path: the reader says what is wrong with it.
  if (scene.find('/') != std::string::npos) return scene;
  const std::map<std::string, fs::path> all = find_all();
  const std::string name = fs::path(scene).extension() == ".xml" ? fs::path(scene).stem().string() : scene;
  if (const auto found = all.find(name); found != all.end()) return found->second.string();
  std::vector<std::string> names;
  for (const auto& row : all) names.push_back(row.first);
  if (names.empty())
    return fail("there is no such file, and no folder of scenes", scene,
                "give the path of an MJCF or URDF file, or set TRIBO_SCENES to the folder of the scenes");
  return fail("there is no such file and no scene of this name", scene, suggest(name, names));
}

}  // namespace tribo
