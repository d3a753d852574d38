#include "io/model_testing.hpp"
#include "io/urdf/mesh_path.hpp"
#include "io/urdf/urdf.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

// robots/my_robot_description/{urdf/robot.urdf, meshes/visual/part.stl}, packages/other/part2.stl
struct Tree {
  Tree() {
    for (const char* name :
         {"robots/my_robot_description/urdf", "robots/my_robot_description/meshes/visual", "packages/other"}) {
      fs::create_directories(folder.path(name));
    }
    for (const std::string& path : {part, other}) EXPECT_TRUE(write_bytes(path, testing::binary_stl()).has_value());
    search.folder = folder.path("robots/my_robot_description/urdf");
  }
  TemporaryFolder folder;
  std::string part = folder.path("robots/my_robot_description/meshes/visual/part.stl");
  std::string other = folder.path("packages/other/part2.stl");
  MeshSearch search;
};

// Every way in which files of others name their meshes.
TEST(UrdfMeshPath, FindsPackagesAndRelativePaths) {
  const Tree tree;
  for (const char* uri :
       {"package://my_robot_description/meshes/visual/part.stl", "model://my_robot_description/meshes/visual/part.stl",
        "../meshes/visual/part.stl", "../meshes/./visual/part.stl", "..\\meshes\\visual\\part.stl",
        "package://renamed_description/meshes/visual/part.stl", "meshes/visual/part.stl",
        "/home/somebody/ws/src/my_robot_description/meshes/visual/part.stl"}) {
    const std::string found = find_mesh(uri, tree.search);
    ASSERT_FALSE(found.empty()) << uri;
    EXPECT_TRUE(fs::equivalent(found, tree.part)) << uri;
  }
  EXPECT_TRUE(fs::equivalent(find_mesh("file://" + tree.part, tree.search), tree.part));
  EXPECT_EQ(find_mesh("package://my_robot_description/meshes/visual/none.stl", tree.search), "");
  EXPECT_EQ(find_mesh("package://my_robot_description/meshes", tree.search), "");  // a folder
  EXPECT_EQ(find_mesh("", tree.search), "");
  EXPECT_EQ(find_mesh("package://", tree.search), "");
  EXPECT_EQ(find_mesh(std::string(100000, 'a'), tree.search), "");
  EXPECT_EQ(find_mesh(std::string("a\0b", 3), tree.search), "");
}

// The user's package folders come first, named by the package or holding it.
TEST(UrdfMeshPath, AsksThePackagePathsFirst) {
  Tree tree;
  EXPECT_EQ(find_mesh("package://other/part2.stl", tree.search), "");
  tree.search.package_paths = {tree.folder.path("packages")};
  EXPECT_TRUE(fs::equivalent(find_mesh("package://other/part2.stl", tree.search), tree.other));
  tree.search.package_paths = {tree.folder.path("packages/other/")};
  EXPECT_TRUE(fs::equivalent(find_mesh("package://other/part2.stl", tree.search), tree.other));
}

// MuJoCo's meshdir and strippath.
TEST(UrdfMeshPath, HonoursTheMeshFolder) {
  Tree tree;
  tree.search.mesh_folder = "../meshes/visual";
  tree.search.strip_path = true;
  EXPECT_TRUE(fs::equivalent(find_mesh("package://nobody/somewhere/else/part.stl", tree.search), tree.part));
}

// A mesh is read once per scale; a mirror keeps its faces outward; a missing visual is a notice, a missing collision an error.
TEST(UrdfMeshPath, LoadsMeshesOncePerScale) {
  const Tree tree;
  const auto mesh = [](const std::string& role, const std::string& attributes) {
    return "<" + role + "><geometry><mesh filename=\"package://my_robot_description/meshes/visual/" + attributes +
           "/></geometry></" + role + ">";
  };
  const auto load_robot = [&](const std::string& shapes) {
    const std::string text = "<robot name=\"r\"><link name=\"a\">" + shapes + "</link></robot>";
    return read_urdf(parse_xml(text, tree.search.folder + "/robot.urdf").value(), {});
  };
  const ModelFile file = load_robot(mesh("visual", "part.stl\"") + mesh("collision", "part.stl\"") +
                                    mesh("collision", "part.stl\" scale=\"-2 2 2\"") + mesh("visual", "none.stl\""))
                             .value();
  ASSERT_EQ(file.description.meshes.size(), 2u);
  EXPECT_EQ(file.description.geoms.size(), 3u);
  EXPECT_EQ(file.description.geoms[0].shape.index, file.description.geoms[1].shape.index);
  EXPECT_NEAR(calc_mass_properties(file.description.meshes[1], MeshInertia::kExact).value().mass, 8.0 / 6.0, 1e-14);
  EXPECT_NE(file.description.meshes[0].name, file.description.meshes[1].name);
  ASSERT_EQ(file.notices.size(), 1u);
  EXPECT_EQ(file.notices[0].element, "link/visual/geometry/mesh");
  EXPECT_FALSE(file.notices[0].physical);
  EXPECT_FALSE(load_robot(mesh("collision", "none.stl\"")).has_value());
}

}  // namespace
}  // namespace tribo
