#include "io/file_bytes.hpp"
#include "io/io_testing.hpp"
#include "io/mjcf_testing.hpp"

namespace tribo {
namespace {

using testing::model_of;
using testing::refusal;
using testing::TemporaryFolder;
using testing::world;

void write(const TemporaryFolder& folder, const std::string& name, const std::string& inside) {
  ASSERT_TRUE(write_bytes(folder.path(name), "<mujoco>" + inside + "</mujoco>"));
}
std::string read_error(const std::string& path) {
  const Expected<ModelFile> file = read_model(path);
  EXPECT_FALSE(file.has_value());
  return file ? "" : file.error().text();
}

// Included children stand where the include stood, and their errors name their own file.
TEST(MjcfInclude, PutsFilesInPlace) {
  const TemporaryFolder folder;
  write(folder, "main.xml",
        "<include file='d.xml'/><worldbody><body name='a'><include file='b.xml'/></body></worldbody>");
  write(folder, "d.xml", "<default><geom size='3'/></default>");
  ASSERT_TRUE(write_bytes(folder.path("b.xml"), "<mujocoinclude><geom/><body name='b'/></mujocoinclude>"));
  const Expected<ModelFile> file = read_model(folder.path("main.xml"));
  ASSERT_TRUE(file.has_value()) << file.error().text();
  EXPECT_EQ(file->description.geoms[0].shape.size.x(), 3.0);
  EXPECT_EQ(file->description.bodies[2].parent, 1);
  ASSERT_TRUE(write_bytes(folder.path("b.xml"), "<mujocoinclude>\n<geom tpe='box'/></mujocoinclude>"));
  EXPECT_NE(read_error(folder.path("main.xml")).find("b.xml:2"), std::string::npos);
}

// A file that includes itself, or a long chain of files, ends with a reason.
TEST(MjcfInclude, RefusesCyclesAndLongChains) {
  const TemporaryFolder folder;
  write(folder, "a.xml", "<include file='b.xml'/>");
  write(folder, "b.xml", "<include file='a.xml'/>");
  EXPECT_NE(read_error(folder.path("a.xml")).find("included already"), std::string::npos);
  write(folder, "c.xml", "<include file='none.xml'/>");
  EXPECT_NE(read_error(folder.path("c.xml")).find("none.xml"), std::string::npos);
  for (int i = 0; i < 200; ++i)
    write(folder, std::to_string(i) + ".xml", "<include file='" + std::to_string(i + 1) + ".xml'/>");
  EXPECT_NE(read_error(folder.path("0.xml")).find("more than 100 includes"), std::string::npos);
}

// Replicas step by offset and angle, carry numbers in their names, and so does what refers to them.
TEST(MjcfReplicate, WritesOutReplicas) {
  const ModelDescription model = model_of(world("<replicate count='3' offset='1 0 0' euler='0 0 90' sep='-'><body "
                                                "name='a'><joint name='j'/><geom size='1'/></body>"
                                                "</replicate>") +
                                          "<actuator><motor name='m' joint='j'/></actuator>");
  ASSERT_EQ(model.bodies.size(), 4u);
  EXPECT_EQ(model.bodies[3].name, "a-2");
  EXPECT_LT((model.bodies[2].pose.p - Vector3d(1.0, 0.0, 0.0)).norm(), 1e-15);
  EXPECT_LT((model.bodies[3].pose.p - Vector3d(1.0, 1.0, 0.0)).norm(), 1e-15);
  ASSERT_EQ(model.actuators.size(), 3u);
  EXPECT_EQ(model.actuators[1].name, "m-1");
  EXPECT_EQ(model.actuators[2].target, 2);
}

// A count that no memory holds is refused before it is tried.
TEST(MjcfReplicate, RefusesHugeCounts) {
  EXPECT_NE(refusal(world("<replicate count='1000000000'><geom size='1'/></replicate>")).find("two million"),
            std::string::npos);
  EXPECT_NE(
      refusal(world("<replicate count='200'><replicate count='200'><replicate count='200'><geom size='1'/></replicate>"
                    "</replicate></replicate>"))
          .find("two million"),
      std::string::npos);
}

// An attached model brings its own compiler, classes and actuators, under a prefix.
TEST(MjcfAttach, BringsTheOtherModelAlong) {
  const TemporaryFolder folder;
  write(folder, "arm.xml",
        "<compiler angle='radian'/><default><geom size='2'/><default class='c'><geom size='5'/></default></default>"
        "<worldbody><body name='base'><joint name='j' range='0 1'/><geom/><geom class='c'/></body>"
        "<body name='other'><joint name='k'/><geom/></body></worldbody>"
        "<actuator><motor name='m' joint='j'/><motor name='n' joint='k'/></actuator>");
  write(folder, "main.xml",
        "<default><geom size='1'/></default><asset><model name='arm' file='arm.xml'/></asset><worldbody><geom/>"
        "<body name='table' pos='0 0 1'><attach model='arm' body='base' prefix='l_'/><attach model='arm' prefix='r_'/>"
        "</body></worldbody><actuator><motor joint='r_j'/></actuator>");
  const Expected<ModelFile> file = read_model(folder.path("main.xml"));
  ASSERT_TRUE(file.has_value()) << file.error().text();
  const ModelDescription& model = file->description;
  ASSERT_EQ(model.bodies.size(), 5u);
  EXPECT_EQ(model.bodies[2].name, "l_base");
  EXPECT_EQ(model.bodies[2].parent, 1);
  EXPECT_EQ(model.bodies[4].name, "r_other");
  EXPECT_EQ(model.joints[0].upper, 1.0);  // radian
  EXPECT_EQ(model.geoms[0].shape.size.x(), 1.0);
  EXPECT_EQ(model.geoms[1].shape.size.x(), 2.0);
  EXPECT_EQ(model.geoms[2].shape.size.x(), 5.0);
  ASSERT_EQ(model.actuators.size(), 4u);  // the left one has no joint k
  EXPECT_EQ(model.actuators[1].name, "l_m");
  EXPECT_EQ(model.actuators[3].name, "r_n");
}

// A model that attaches itself ends with a reason.
TEST(MjcfAttach, RefusesItself) {
  const TemporaryFolder folder;
  write(folder, "a.xml",
        "<asset><model name='a' file='a.xml'/></asset><worldbody><attach model='a' prefix='p'/></worldbody>");
  EXPECT_NE(read_error(folder.path("a.xml")).find("attach"), std::string::npos);
}

// A mesh that is not there is named with its path, before anything is computed from it.
TEST(MjcfMesh, NamesMissingFiles) {
  const TemporaryFolder folder;
  write(folder, "a.xml", "<compiler meshdir='parts'/><asset><mesh file='arm.stl'/></asset>");
  EXPECT_NE(read_error(folder.path("a.xml")).find("parts/arm.stl"), std::string::npos);
  EXPECT_NE(refusal(world("<geom type='mesh' mesh='arm'/>")).find("no mesh 'arm'"), std::string::npos);
}

// Neither MJCF nor URDF: said at once.
TEST(ModelFile, ToldApartByRoot) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_bytes(folder.path("a.xml"), "<scene/>"));
  EXPECT_NE(read_error(folder.path("a.xml")).find("neither <mujoco> nor <robot>"), std::string::npos);
  EXPECT_NE(read_error(folder.path("")).find("folder"), std::string::npos);
}

}  // namespace
}  // namespace tribo
