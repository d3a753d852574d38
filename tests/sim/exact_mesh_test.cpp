// Static meshes that collide by their triangles, in the simulator.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A trough along y, open above: floor of 1 m at z = 0, slopes of 45° up to z = 0.5. Its hull is closed at the top.
Mesh make_trough() {
  const std::array<Vector3d, 6> profile{Vector3d(-1.0, 0.0, 0.5),  Vector3d(-0.5, 0.0, 0.0),
                                        Vector3d(0.5, 0.0, 0.0),   Vector3d(1.0, 0.0, 0.5),
                                        Vector3d(1.0, 0.0, -0.25), Vector3d(-1.0, 0.0, -0.25)};
  Mesh mesh;
  mesh.name = "trough";
  for (const double y : {-2.0, 2.0}) {
    for (const Vector3d& at : profile) mesh.vertices.emplace_back(at.x(), y, at.z());
  }
  for (std::int32_t k = 0; k < 6; ++k) {
    const std::int32_t next = (k + 1) % 6;
    mesh.faces.push_back({k, next, next + 6});
    mesh.faces.push_back({k, next + 6, k + 6});
  }
  return mesh;
}

ModelDescription make_trough_world(bool exact) {
  ModelDescription d;
  d.meshes.push_back(make_trough());
  testing::add_geom(d, 0, {ShapeType::kMesh, Vector3d::Zero(), 0}, 0.5);
  d.geoms.back().exact_mesh = exact;
  return d;
}

double run_to_rest(Simulation& sim, int steps) {
  double energy = sim.calc_energy();
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(sim.step().status, Status::kSolved) << sim.report().detail;
    EXPECT_LE(sim.calc_energy(), energy + 1e-9);
    energy = sim.calc_energy();
  }
  return sim.state().v.cwiseAbs().maxCoeff();
}

// In scenes/bowl.xml the ball rolls to the bottom and lies still there; the hull of the same mesh holds it at the rim.
TEST(ExactMesh, ABallRollsToTheBottomOfTheBowl) {
  Simulation bowl = testing::make_scene("bowl");
  EXPECT_EQ(run_to_rest(bowl, 5000), 0.0);
  EXPECT_NEAR(bowl.state().q(2), 0.078125 + 0.05, 1e-6);
  EXPECT_EQ(bowl.report().pivots + bowl.report().sweeps, 0);
  Simulation lid = testing::make_scene("bowl", {}, [](ModelDescription& d) { d.geoms[0].exact_mesh = false; });
  run_to_rest(lid, 1000);
  EXPECT_NEAR(lid.state().q(2), 0.3515625 + 0.05, 1e-6);
}

// Whatever its shape, a body comes to rest on the floor of the trough, far below the lid of the hull.
TEST(ExactMesh, EveryShapeRestsInTheTrough) {
  struct Case {
    Shape shape;
    double height;
  };
  const std::vector<Case> cases{{{ShapeType::kSphere, Vector3d(0.1, 0.0, 0.0), -1}, 0.1},
                                {{ShapeType::kBox, Vector3d(0.1, 0.12, 0.08), -1}, 0.08},
                                {{ShapeType::kCapsule, Vector3d(0.05, 0.1, 0.0), -1}, 0.05},
                                {{ShapeType::kCylinder, Vector3d(0.1, 0.05, 0.0), -1}, 0.05},
                                {{ShapeType::kEllipsoid, Vector3d(0.2, 0.15, 0.1), -1}, 0.1},
                                {{ShapeType::kMesh, Vector3d::Zero(), 1}, 0.1}};
  for (const Case& one : cases) {
    ModelDescription d = make_trough_world(true);
    Mesh cube;
    for (int k = 0; k < 8; ++k)
      cube.vertices.emplace_back((k & 1) != 0 ? 0.1 : -0.1, (k & 2) != 0 ? 0.1 : -0.1, (k & 4) != 0 ? 0.1 : -0.1);
    d.meshes.push_back(cube);
    // A capsule lies, all else stands.
    const Quaterniond lying(Eigen::AngleAxisd(0.5 * M_PI, Vector3d::UnitX()));
    const Quaterniond turn = one.shape.type == ShapeType::kCapsule ? lying : Quaterniond(1.0, 0.0, 0.0, 0.0);
    const Index body = testing::add_free_body(d, {1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()},
                                              {.p = Vector3d(0.1, 0.2, one.height + 0.01), .q = turn});
    testing::add_geom(d, body, one.shape, 0.5);
    Simulation sim = testing::make_simulation(d, {.step = 2e-3});
    EXPECT_LT(run_to_rest(sim, 300), 1e-9) << name_of(one.shape.type);
    EXPECT_NEAR(sim.state().q(2), one.height, 1e-6) << name_of(one.shape.type);
  }
}

// A box across the trough stands on both slopes: it touches where the mesh is not convex, and its weight is carried.
TEST(ExactMesh, ABoxStandsBetweenTwoSlopes) {
  ModelDescription d = make_trough_world(true);
  testing::add_box(d, Vector3d(0.7, 0.3, 0.1), 8.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.31)});
  Simulation sim = testing::make_simulation(d, {.step = 2e-3});
  EXPECT_LT(run_to_rest(sim, 300), 1e-9);
  EXPECT_NEAR(sim.state().q(2), 0.3, 1e-6);  // its lower edges, 0.7 m from the middle, are 0.2 m up the slopes
  double carried = 0.0;
  for (const ContactRecord& contact : sim.contacts())
    carried += std::abs((contact.frame * contact.impulse).z()) / sim.h();
  EXPECT_NEAR(carried, 8.0 * 9.81, 1e-6);
}

// The option is the same wish for all geoms that stand still, bit for bit, and leaves the others their hulls.
TEST(ExactMesh, TheOptionIsForAllThatStandsStill) {
  const auto run = [](bool by_geom) {
    ModelDescription d = make_trough_world(by_geom);
    d.meshes.push_back(make_trough());
    for (Vector3d& vertex : d.meshes[1].vertices) vertex *= 0.2;
    const Index body = testing::add_free_body(d, {1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()},
                                              {.p = Vector3d(0.05, 0.0, 0.1)});
    testing::add_geom(d, body, {ShapeType::kMesh, Vector3d::Zero(), 1}, 0.5);
    Simulation sim = testing::make_simulation(d, {.step = 2e-3, .exact_meshes = !by_geom});
    run_to_rest(sim, 200);
    EXPECT_NEAR(sim.state().q(2), 0.05, 1e-6);
    return sim.calc_hash();
  };
  EXPECT_EQ(run(true), run(false));
}

// A body that can move has no exact mesh: said when the model is made, with the geom's name.
TEST(ExactMesh, IsRefusedOnABodyThatCanMove) {
  ModelDescription d = make_trough_world(false);
  const Index body = testing::add_free_body(d, {1.0, Vector3d::Zero(), Matrix3d::Identity()});
  testing::add_geom(d, body, {ShapeType::kMesh, Vector3d::Zero(), 0}, 0.5);
  EXPECT_TRUE(Model::make(d));
  d.geoms.back().exact_mesh = true;
  const Expected<Model> refused = Model::make(d);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("geom 'geom_1'"), std::string::npos) << refused.error().text();
  d.geoms.back() = d.geoms.front();
  d.geoms.back().shape = {ShapeType::kSphere, Vector3d(1.0, 0.0, 0.0), -1};
  d.geoms.back().exact_mesh = true;
  EXPECT_FALSE(Model::make(d));
}

ModelDescription make_sheet_world() {
  ModelDescription d;
  Mesh sheet;
  sheet.vertices = {{-1.0, -1.0, 0.5}, {0.0, -1.0, 0.5}, {0.0, 1.0, 0.5}, {-1.0, 1.0, 0.5}};
  sheet.faces = {{0, 1, 2}, {0, 2, 3}};
  d.meshes.push_back(sheet);
  testing::add_geom(d, 0, {ShapeType::kMesh, Vector3d::Zero(), 0}, 1.0);
  d.geoms.back().exact_mesh = true;
  return d;
}

// A plank that leans on the edge of a table without thickness stays there, though its centre is below the table.
TEST(ExactMesh, APlankLeansOnTheEdgeOfASheet) {
  ModelDescription d = make_sheet_world();
  testing::add_floor(d, 1.0);
  const double angle = 0.54, foot = 0.5 * std::tan(angle);
  const Vector3d out(std::cos(angle), 0.0, std::sin(angle)), up(-std::sin(angle), 0.0, std::cos(angle));
  testing::add_box(d, Vector3d(0.01, 0.1, 0.35), 1.0, 1.0,
                   {.p = Vector3d(foot, 0.0, 0.0) + 0.35 * up + 0.01 * out,
                    .q = Quaterniond(Eigen::AngleAxisd(-angle, Vector3d::UnitY()))});
  Simulation sim = testing::make_simulation(d, {.step = 2e-3});
  run_to_rest(sim, 500);
  EXPECT_EQ(sim.state().v.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_GT(sim.state().q(2), 0.29);
  EXPECT_LT(sim.state().q(2), 0.5);
}

// A ball that starts with its centre just behind a sheet comes out at the front, and the overlap is told.
TEST(ExactMesh, ABallCutByASheetIsToldOfAndComesOut) {
  ModelDescription d = make_sheet_world();
  testing::add_sphere(d, 0.05, 1.0, 1.0, Vector3d(-0.4, 0.1, 0.499));
  Simulation sim = testing::make_simulation(d, {.step = 2e-3, .allowed_overlap = 1e-7});
  sim.step();
  EXPECT_EQ(sim.report().warnings.size(), 1u);
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(sim.step().status, Status::kSolved);
  EXPECT_NEAR(sim.state().q(2), 0.55, 1e-6);
}

}  // namespace
}  // namespace tribo
