// Robots and scenes from files: MJCF (<mujoco>) and URDF (<robot>), told apart by their root element.
//     World world = load("scene.xml").value();
// What a file asks for and Tribo does not support is listed in `notices`, once per element with its count; nothing physical
// is left out in silence. Errors name file, line, element and remedy.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/multibody/description.hpp"
#include "tribo/multibody/model.hpp"

#include <string>
#include <vector>

namespace tribo {

struct Notice {
  std::string element;  // "actuator/muscle", "geom@fluidshape"
  Index count = 0;
  bool physical = false;  // the motion would differ; false: pictures, sensors, settings of another solver
  std::string meaning;    // "no force from it"
};

struct World {
  Model model;
  std::vector<Notice> notices;     // physical ones first, then by element
  std::vector<std::string> files;  // all that it was read from or names: XML, meshes, height fields, pictures
};

struct LoadOptions {
  std::vector<std::string>
      package_paths;  // folders that hold the packages of package:// paths, before the file's own parents
};

// What the file says, before Model::make checks and numbers it.
struct ModelFile {
  ModelDescription description;
  std::vector<Notice> notices;
  std::vector<std::string> files;
};
Expected<ModelFile> read_model(const std::string& path, const LoadOptions& options = {});
Expected<World> load(const std::string& path, const LoadOptions& options = {});

// A mesh by its file's ending: .stl (binary or text), .obj (first object, polygons cut into triangles), .dae, .msh (MuJoCo's).
// Vertices as in the file, in its order; equal corners of an STL are one vertex.
Expected<Mesh> read_mesh(const std::string& path);

}  // namespace tribo
