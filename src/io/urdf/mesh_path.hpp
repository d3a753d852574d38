// Where a mesh file of a URDF is: package://, model://, file://, absolute and relative paths.
#pragma once

#include <string>
#include <vector>

namespace tribo {

struct MeshSearch {
  std::string folder;                      // of the URDF file
  std::vector<std::string> package_paths;  // LoadOptions
  std::string mesh_folder;                 // MuJoCo's meshdir, below `folder` or absolute; may be empty
  bool strip_path = false;                 // MuJoCo's strippath: only the last part of a path counts
};

// The first regular file among the candidates; empty: there is none.
std::string find_mesh(const std::string& uri, const MeshSearch& search);

}  // namespace tribo
