// Scenes by name: files in the folders where scenes are kept.
#pragma once

#include "tribo/core/expected.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tribo {

// Name without its ending and the first line of the file's first comment, sorted by name; of two with one name the first counts.
// Folders: $TRIBO_SCENES, ./scenes, share/tribo/scenes beside the installed tool's folder, scenes of the checkout it was built in.
struct SceneName {
  std::string name, summary, file;
};
std::vector<SceneName> scene_names();

// A path as it is, or the path of a scene with this name.
Expected<std::string> find_scene(const std::string& scene);

}  // namespace tribo
