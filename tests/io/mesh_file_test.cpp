#include "io/mesh_file.hpp"

#include "tribo/geometry/mass_properties.hpp"
#include "tribo/io/model_file.hpp"

#include "io/model_testing.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::binary_stl;
using testing::TemporaryFolder;
using testing::text_stl;

Expected<Mesh> read(const TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
  const std::string path = folder.path(name);
  EXPECT_TRUE(write_bytes(path, bytes).has_value());
  return read_mesh(path);
}

void expect_tetrahedron(const Expected<Mesh>& mesh) {
  ASSERT_TRUE(mesh.has_value()) << mesh.error().text();
  EXPECT_EQ(mesh->vertices.size(), 4u);
  EXPECT_EQ(mesh->faces.size(), 4u);
  EXPECT_NEAR(calc_mass_properties(*mesh, MeshInertia::kExact).value().mass, 1.0 / 6.0, 1e-15);
}

// What an STL file is, its content says: binary files that begin with "solid" are common.
TEST(MeshFile, ReadsStlByContent) {
  const TemporaryFolder folder;
  expect_tetrahedron(read(folder, "a.stl", binary_stl()));
  expect_tetrahedron(read(folder, "b.STL", binary_stl("solid made by a program")));
  expect_tetrahedron(read(folder, "c.stl", text_stl()));
  expect_tetrahedron(read(folder, "d.stl", binary_stl() + "tail"));
}

// A file that was cut short is refused wherever the cut is.
TEST(MeshFile, RefusesTruncatedStl) {
  const std::string binary = binary_stl("solid");
  for (std::size_t n = 0; n < binary.size(); ++n) EXPECT_FALSE(parse_stl(binary.substr(0, n)).has_value()) << n;
  const std::string text = text_stl();
  for (const std::string& part : testing::truncations(text)) {  // facets that are complete may stay, no other may
    const bool inside = part.rfind("facet ") != std::string::npos && part.rfind("facet ") > part.rfind("endfacet") + 8;
    const bool none = part.find("endfacet") == std::string::npos;
    EXPECT_EQ(parse_stl(part).has_value(), !none && !inside) << part;
  }
  EXPECT_FALSE(parse_stl(text.substr(0, text.rfind("vertex"))).has_value());
}

// A number that is not one, a count without triangles.
TEST(MeshFile, RefusesBrokenStl) {
  std::string nan = binary_stl();
  nan.replace(84 + 12, 4, std::string("\0\0\xc0\x7f", 4));
  EXPECT_FALSE(parse_stl(nan).has_value());
  EXPECT_FALSE(parse_stl(std::string(84, '\0')).has_value());
  EXPECT_FALSE(parse_stl("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n").has_value());
  EXPECT_FALSE(parse_stl("solid x\nvertex 0 0 0\nendsolid\n").has_value());
  EXPECT_FALSE(parse_stl("solid x\nendsolid x\n").has_value());
}

// The same cube written with normals, with textures, with negative indices and as quadrangles.
TEST(MeshFile, ReadsEveryFormOfObjFace) {
  const std::string v = "# a comment\nmtllib x.mtl\nv 0 0 0 1.0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\no part\n";
  for (const std::string faces :
       {"f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", "f 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\nf 1/1 4/1 3/1\nf 2 3 4",
        "f -4 -2 -3\r\nf -4 -3 -1\r\nf -4 -1 -2\r\nf -3 -2 \\\r\n -1\r\n"}) {
    const Expected<Mesh> mesh = parse_obj(v + faces, ObjScope::kFirstObject);
    expect_tetrahedron(mesh);
  }
}

// Quadrangles are cut along the shorter diagonal, as MuJoCo's reader does; it matters where they are not flat.
TEST(MeshFile, CutsQuadranglesAlongTheShorterDiagonal) {
  const Mesh mesh = parse_obj("v 0 0 0\nv 2 0 0\nv 3 3 0\nv 0 2 0\nf 1 2 3 4\n", ObjScope::kFirstObject).value();
  ASSERT_EQ(mesh.faces.size(), 2u);
  EXPECT_EQ(mesh.faces[0], (std::array<std::int32_t, 3>{0, 1, 3}));
  EXPECT_EQ(mesh.faces[1], (std::array<std::int32_t, 3>{1, 2, 3}));
  EXPECT_EQ(
      parse_obj("v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n", ObjScope::kFirstObject)->faces.size(),
      3u);
}

// MJCF means the faces of the first object and the vertices of all; URDF means everything.
TEST(MeshFile, ReadsTheFirstObjectOrAll) {
  const std::string text = "o a\ng b\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no c\nv 0 0 1\nf 1 2 4\ng d\nf 2 3 4\n";
  const Mesh first = parse_obj(text, ObjScope::kFirstObject).value();
  EXPECT_EQ(first.faces.size(), 1u);
  EXPECT_EQ(first.vertices.size(), 4u);
  EXPECT_EQ(parse_obj(text, ObjScope::kAllObjects)->faces.size(), 3u);
}

// Indices of vertices that do not exist, zero, words, infinities.
TEST(MeshFile, RefusesBrokenObj) {
  for (const std::string text :
       {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "v 0 0 0\nf 0 1 1\n", "v 0 0 0\nf -2 1 1\n", "v 0 0\n", "v 0 0 nan\n",
        "v 0 0 1e39\n", "v a b c\n", "f 1 2 3\n", "v 0 0 0\nf 1 x 1\n", "", "v 0 0 0\nf 99999999999999999999 1 1\n"}) {
    const Expected<Mesh> mesh = parse_obj(text, ObjScope::kFirstObject);
    ASSERT_FALSE(mesh.has_value()) << text;
    EXPECT_NE(mesh.error().where.find("line"), std::string::npos);
  }
}

// MuJoCo's own format, with and without normals; wrong sizes and indices.
TEST(MeshFile, ReadsMsh) {
  const auto make = [](std::uint32_t normals, std::uint32_t last) {
    std::string bytes;
    for (const std::uint32_t n : {4u, normals, 0u, 4u}) testing::append_unsigned(bytes, n);
    for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}) testing::append_float(bytes, x);
    for (std::uint32_t k = 0; k < 3 * normals; ++k) testing::append_float(bytes, 1.0f);
    for (const std::uint32_t i : {0u, 2u, 1u, 0u, 1u, 3u, 0u, 3u, 2u, 1u, 2u, last}) testing::append_unsigned(bytes, i);
    return bytes;
  };
  const TemporaryFolder folder;
  expect_tetrahedron(read(folder, "a.msh", make(0, 3)));
  expect_tetrahedron(read(folder, "b.msh", make(4, 3)));
  EXPECT_FALSE(read(folder, "c.msh", make(0, 4)).has_value());
  EXPECT_FALSE(read(folder, "d.msh", make(0, 0xffffffffu)).has_value());
  EXPECT_FALSE(parse_msh(make(0, 3).substr(0, 50)).has_value());
  EXPECT_FALSE(parse_msh(std::string(16, '\xff')).has_value());
}

// Endings, folders, missing files: the message names the file.
TEST(MeshFile, RefusesWhatIsNoMeshFile) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read(folder, "a.ply", "ply").has_value());
  EXPECT_FALSE(read_mesh(folder.path("missing.stl")).has_value());
  std::filesystem::create_directory(folder.path("folder.stl"));
  const Expected<Mesh> mesh = read_mesh(folder.path("folder.stl"));
  ASSERT_FALSE(mesh.has_value());
  EXPECT_NE(mesh.error().text().find("folder.stl"), std::string::npos);
}

// Random damage ends in an error or in a valid mesh, never in a crash.
TEST(MeshFile, SurvivesDamagedFiles) {
  Random random(17);
  const std::string obj = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1/1 3//2 2\nf 1 2 4 3\nf -1 -2 -3\n";
  for (int k = 0; k < 2000; ++k) {
    for (const Expected<Mesh>& mesh :
         {parse_stl(testing::mutated(binary_stl(), random)), parse_stl(testing::mutated(text_stl(), random)),
          parse_obj(testing::mutated(obj, random), ObjScope::kAllObjects)}) {
      if (mesh.has_value()) {
        EXPECT_TRUE(validate(*mesh).has_value());
      }
    }
  }
}

// MuJoCo 3.14 says 0.15000285516377976 kg for this mesh at 0.001 scale and 1000 kg/m³, counted twice.
TEST(MeshFile, WeighsTheMountOfTheGripperAsRecorded) {
  const std::string path = testing::corpus_dir() + "/robots/robotiq_2f85/assets/base_mount.stl";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "left out: no " << path;
  Mesh mesh = read_mesh(path).value();
  for (Vector3d& vertex : mesh.vertices) vertex *= 0.001;
  const MassProperties mass = calc_mass_properties(mesh, MeshInertia::kLegacy).value().scaled(2000.0);
  EXPECT_NEAR(mass.mass, 0.15000285516377976, 1e-14);
  EXPECT_LE(
      (calc_principal(mass).moments - Vector3d(0.00010234548905162206, 5.359968718530964e-05, 5.217176310506683e-05))
          .norm(),
      1e-16);
}

// A prism whose ends are not convex: area 10 m², height 1 m. Cut in a fan from the first corner it would weigh 14.5 t.
TEST(MeshFile, CutsFacesThatAreNotConvex) {
  const std::string corners =
      "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nv 0 0 1\nv 4 0 1\nv 4 4 1\nv 2 1 1\nv 0 4 1\n";
  const std::string faces = "f 5 4 3 2 1\nf 6 7 8 9 10\nf 1 2 7 6\nf 2 3 8 7\nf 3 4 9 8\nf 4 5 10 9\nf 5 1 6 10\n";
  const TemporaryFolder folder;
  for (const std::string& bytes : {corners + faces, faces + corners}) {
    const Expected<Mesh> mesh = read(folder, "notch.obj", bytes);
    ASSERT_TRUE(mesh.has_value()) << mesh.error().text();
    EXPECT_NEAR(calc_mass_properties(*mesh, MeshInertia::kExact).value().mass, 10.0, 1e-12);
  }
  const auto weigh = [&](const std::string& how) {
    const std::string text =
        "<mujoco><asset><mesh name='n' file='notch.obj'" + how +
        "/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='n'/></body></worldbody></mujoco>";
    EXPECT_TRUE(write_bytes(folder.path("notch.xml"), text));
    return load(folder.path("notch.xml"));
  };
  const Expected<World> exact = weigh(" inertia='exact'"), legacy = weigh("");
  ASSERT_TRUE(exact.has_value()) << exact.error().text();
  ASSERT_TRUE(legacy.has_value()) << legacy.error().text();
  EXPECT_NEAR(exact->model.total_mass(), 10'000.0, 1e-8);
  EXPECT_TRUE(exact->notices.empty());
  // MuJoCo's default counts volumes that are seen from behind twice, here a part of the notch; that is told.
  EXPECT_GT(legacy->model.total_mass(), 11'000.0);
  ASSERT_EQ(legacy->notices.size(), 1u);
  EXPECT_NE(legacy->notices[0].meaning.find("inertia=\"exact\""), std::string::npos) << legacy->notices[0].meaning;
}

// The line of the face that cannot be cut is named.
TEST(MeshFile, RefusesFacesThatCrossThemselves) {
  const Expected<Mesh> mesh =
      parse_obj("v 0 0 0\nv 1 0 0\nv 0 2 0\nv 1 1 0\nv 0 0 1\nf 1 2 5\nf 1 2 3 4\n", ObjScope::kFirstObject);
  ASSERT_FALSE(mesh.has_value());
  EXPECT_EQ(mesh.error().where, "line 7");
  EXPECT_NE(mesh.error().what.find("crosses itself"), std::string::npos);
}

}  // namespace
}  // namespace tribo
