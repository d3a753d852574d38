// What a scene says in <custom> for Tribo alone, and which files it is read from.
#include <algorithm>
#include <filesystem>

#include "io/mjcf_testing.hpp"

namespace tribo {
namespace {

using testing::find_notice;
using testing::model_of;
using testing::parse_mjcf;
using testing::refusal;
using testing::TemporaryFolder;
using testing::world;

std::string tuple(const std::string& word, const std::string& elements) {
  return "<custom><tuple name='tribo." + word + "'>" + elements + "</tuple></custom>";
}
std::string element(const std::string& type, const std::string& name, const std::string& number = "") {
  return "<element objtype='" + type + "' objname='" + name + "'" + (number.empty() ? "" : " prm='" + number + "'") +
         "/>";
}

const std::string kTwoBalls = world(
    "<geom name='floor' type='plane'/><body><freejoint/><geom name='a.b' size='1'/></body>"
    "<body><freejoint/><geom name='c' size='1'/></body>");
const std::string kPair = "<contact><pair name='p' geom1='a.b' geom2='c'/></contact>";

// Each number reaches the geom or the pair that is named, and no other.
TEST(MjcfCustom, GivesNumbersToGeomsAndPairs) {
  const ModelDescription model =
      model_of(kTwoBalls + kPair + tuple("stiffness", element("geom", "a.b", "1e7") + element("pair", "p", "2e6")) +
               tuple("damping", element("geom", "a.b", "30")) + tuple("mu_v", element("geom", "floor", "4")) +
               tuple("restitution", element("pair", "p", "0.5")));
  EXPECT_EQ(model.geoms[0].surface, (SurfaceLaw{4.0, {}, {}, {}}));
  EXPECT_EQ(model.geoms[1].surface, (SurfaceLaw{{}, {}, 1e7, 30.0}));
  EXPECT_EQ(model.geoms[2].surface, SurfaceLaw{});
  EXPECT_EQ(model.pairs[0].surface, (SurfaceLaw{{}, 0.5, 2e6, {}}));
}

// A misspelt word, name or number must not be taken for silence: each is refused with its element and a remedy.
TEST(MjcfCustom, RefusesWhatItDoesNotUnderstand) {
  const auto message = [](const std::string& word, const std::string& elements) {
    return refusal(kTwoBalls + kPair + tuple(word, elements));
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(message("stifness", element("geom", "c", "1")), "did you mean 'tribo.stiffness'?");
  has(message("stiffness", element("geom", "a.c", "1")), "there is no geom 'a.c'");
  has(message("stiffness", element("pair", "c", "1")), "there is no pair 'c'");
  has(message("stiffness", element("body", "c", "1")), "give one of geom, pair");
  has(message("stiffness", "<element objname='c' prm='1'/>"), "objtype: is missing");
  has(message("stiffness", element("geom", "c")), "prm: is missing");
  has(message("stiffness", element("geom", "c", "1 2")), "has 2 numbers");
  has(message("stiffness", element("geom", "c", "0")), "the stiffness is out of range");
  has(message("stiffness", element("geom", "c", "nan")), "finite");
  has(message("stiffness", element("geom", "c", "1") + element("geom", "c", "2")), "given already");
  has(message("damping", element("geom", "c", "-1")), "the damping is out of range");
  has(message("mu_v", element("geom", "c", "-1")), "mu_v is out of range");
  has(message("restitution", element("geom", "c", "1.1")), "give a number from 0 to 1");
  has(message("exact_mesh", element("mesh", "c")), "there is no mesh 'c'");
  has(message("exact_mesh", element("geom", "floor")), "this geom is no mesh");
  has(refusal("<custom><numeric name='tribo.stiffness' data='1'/></custom>"), "give a <tuple>");
}

// What others keep in <custom> is theirs, and is listed as before.
TEST(MjcfCustom, LeavesTheDataOfOthersAlone) {
  const Expected<ModelFile> file =
      parse_mjcf(kTwoBalls + "<custom><numeric name='stiffness' data='-1'/><tuple name='t'>" + element("geom", "c") +
                 "</tuple></custom>" + tuple("mu_v", element("geom", "c", "1")));
  ASSERT_TRUE(file.has_value()) << file.error().text();
  ASSERT_NE(find_notice(*file, "custom/tuple"), nullptr);
  EXPECT_EQ(find_notice(*file, "custom/tuple")->count, 1);
  EXPECT_NE(find_notice(*file, "custom/numeric"), nullptr);
}

const std::string kMeshes =
    "<asset><mesh name='m' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/><mesh name='unused' vertex='0 0 0  1 0 0  0 1 0  0 0 "
    "1'/>"
    "</asset>";
const std::string kStatic = "<geom name='s' type='mesh' mesh='m'/><body><geom name='t' type='mesh' mesh='m'/></body>";

// By the name of a mesh all geoms that collide as it are exact, pictures on moving bodies aside; by that of a geom it alone.
TEST(MjcfCustom, MakesMeshesExact) {
  const std::string picture =
      "<body><freejoint/><geom size='1'/><geom type='mesh' mesh='m' contype='0' conaffinity='0' mass='0'/></body>";
  const ModelDescription by_mesh =
      model_of(kMeshes + world(kStatic + picture) + tuple("exact_mesh", element("mesh", "m")));
  EXPECT_TRUE(by_mesh.geoms[0].exact_mesh && by_mesh.geoms[1].exact_mesh);
  EXPECT_FALSE(by_mesh.geoms[3].exact_mesh);
  const ModelDescription by_geom = model_of(kMeshes + world(kStatic) + tuple("exact_mesh", element("geom", "t")));
  EXPECT_TRUE(!by_geom.geoms[0].exact_mesh && by_geom.geoms[1].exact_mesh);
}

// Where exact was asked for there is never a hull instead: what can move is refused, by joints or by hand, and so is a mesh
// that nothing collides as.
TEST(MjcfCustom, RefusesExactMeshesThatMove) {
  const std::string wish = tuple("exact_mesh", element("mesh", "m"));
  for (const std::string body : {"<body name='b'><freejoint/><geom name='g' type='mesh' mesh='m'/></body>",
                                 "<body name='b' mocap='true'><geom name='g' type='mesh' mesh='m'/></body>",
                                 "<body><joint/><geom size='1'/><body name='b'><geom name='g' type='mesh' mesh='m'/>"
                                 "</body></body>"}) {
    const std::string text = refusal(kMeshes + world(kStatic + body) + wish);
    EXPECT_NE(text.find("geom 'g' is on body 'b', which can move"), std::string::npos) << text;
    EXPECT_NE(text.find("tuple[tribo.exact_mesh]/element[0]"), std::string::npos) << text;
  }
  EXPECT_NE(refusal(kMeshes + world(kStatic) + tuple("exact_mesh", element("mesh", "unused"))).find("no geom collides"),
            std::string::npos);
}

// Replicas and attached models keep what was said of the one they are copies of.
TEST(MjcfCustom, FollowsReplicasAndAttachedModels) {
  const ModelDescription replicas = model_of(
      world("<geom name='f' size='1'/><replicate count='2' offset='1 0 0'><geom name='g' size='1'/></replicate>") +
      tuple("stiffness", element("geom", "f", "5") + element("geom", "g", "7")));
  EXPECT_EQ(replicas.geoms[0].surface.stiffness, 5.0);
  EXPECT_EQ(replicas.geoms[1].surface.stiffness, 7.0);
  EXPECT_EQ(replicas.geoms[2].surface.stiffness, 7.0);

  const TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& inside) {
    ASSERT_TRUE(write_bytes(folder.path(name), "<mujoco>" + inside + "</mujoco>"));
  };
  write("part.xml",
        world("<body name='b'><geom name='g' size='1'/></body><body name='c'><geom name='h' size='1'/></body>") +
            "<custom><numeric name='n' data='1'/></custom>" +
            tuple("stiffness", element("geom", "g", "7") + element("geom", "h", "8")));
  write("main.xml", "<asset><model name='part' file='part.xml'/></asset>" +
                        world("<attach model='part' body='b' prefix='l_'/><attach model='part' prefix='r_'/>"));
  const Expected<ModelFile> file = read_model(folder.path("main.xml"));
  ASSERT_TRUE(file.has_value()) << file.error().text();
  ASSERT_EQ(file->description.geoms.size(), 3u);
  EXPECT_EQ(file->description.geoms[0].surface.stiffness, 7.0);
  EXPECT_EQ(file->description.geoms[1].surface.stiffness, 7.0);
  EXPECT_EQ(file->description.geoms[2].surface.stiffness, 8.0);
}

// Every file that a model is read from or names is listed, so that nobody writes over it.
TEST(ModelFile, ListsWhatItIsReadFrom) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) {
    ASSERT_TRUE(write_bytes(folder.path(name), text));
  };
  write("part.xml", "<mujoco/>");
  write("inner.xml", "<mujoco><option timestep='0.01'/></mujoco>");
  write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  write("main.xml",
        "<mujoco><compiler texturedir='pictures'/><include file='inner.xml'/><asset><model file='part.xml'/>"
        "<mesh file='tetra.obj'/><texture file='sky.png' fileup='up.png'/></asset></mujoco>");
  write("robot.urdf",
        "<robot name='r'><material name='m'><texture filename='tetra.obj'/></material><link name='l'/></robot>");
  const auto files_of = [&](const char* name) {
    const Expected<World> model = load(folder.path(name));
    EXPECT_TRUE(model.has_value()) << model.error().text();
    std::vector<std::string> names;
    for (const std::string& file : model ? model->files : std::vector<std::string>{})
      names.push_back(std::filesystem::relative(file, folder.path("")).string());
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_EQ(files_of("main.xml"), (std::vector<std::string>{"inner.xml", "main.xml", "part.xml", "pictures/sky.png",
                                                            "pictures/up.png", "tetra.obj"}));
  EXPECT_EQ(files_of("robot.urdf"), (std::vector<std::string>{"robot.urdf", "tetra.obj"}));
}

}  // namespace
}  // namespace tribo
