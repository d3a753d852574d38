#include "collision/collision_scene.hpp"

namespace tribo {
namespace {
using namespace collision_testing;

// A floor of n × n squares, each of two triangles, with heights by `height(x, y)`.
template <typename Height>
Mesh floor_mesh(int n, double half, const Height& height) {
  Mesh mesh;
  for (int r = 0; r <= n; ++r) {
    for (int c = 0; c <= n; ++c) {
      const double x = half * (2.0 * c / n - 1.0), y = half * (2.0 * r / n - 1.0);
      mesh.vertices.emplace_back(x, y, height(x, y));
    }
  }
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const int v = r * (n + 1) + c;
      mesh.faces.push_back({v, v + 1, v + n + 2});
      mesh.faces.push_back({v, v + n + 2, v + n + 1});
    }
  }
  return mesh;
}

// Every triangle with corners of its own, as STL files have them.
Mesh without_neighbours(const Mesh& mesh) {
  Mesh loose;
  for (const auto& face : mesh.faces) {
    const auto n = static_cast<std::int32_t>(loose.vertices.size());
    for (const std::int32_t v : face) loose.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    loose.faces.push_back({n, n + 1, n + 2});
  }
  return loose;
}

double flat(double, double) { return 0.0; }

Scene on_mesh(const Mesh& mesh, const Shape& shape) {
  Scene scene;
  scene.input.meshes = {mesh};
  scene.input.shapes.emplace_back();
  scene.input.shapes[0].shape = {ShapeType::kMesh, Vector3d::Zero(), 0};
  scene.input.shapes[0].exact_mesh = true;
  scene.add_body(shape, {});
  return scene;
}

template <typename Height>
Scene on_height_field(int n, double half, const Height& height, const Shape& shape) {
  Scene scene;
  HeightField field;
  field.rows = field.cols = n + 1;
  field.half_x = field.half_y = half;
  field.base = 0.1;
  for (int r = 0; r <= n; ++r)
    for (int c = 0; c <= n; ++c) field.height.push_back(height(half * (2.0 * c / n - 1.0), half * (2.0 * r / n - 1.0)));
  scene.input.height_fields = {field};
  scene.add_static({ShapeType::kHeightField, Vector3d::Zero(), 0});
  scene.add_body(shape, {});
  return scene;
}

std::vector<Scene> flat_floors(const Shape& shape) {
  return {on_mesh(floor_mesh(10, 1.0, flat), shape), on_mesh(without_neighbours(floor_mesh(10, 1.0, flat)), shape),
          on_height_field(10, 1.0, flat, shape)};
}

double reach_down(const Shape& shape) {  // for upright shapes
  switch (shape.type) {
    case ShapeType::kSphere:
      return shape.size(0);
    case ShapeType::kCapsule:
      return shape.size(0) + shape.size(1);
    case ShapeType::kCylinder:
      return shape.size(1);
    default:
      return shape.size(2);
  }
}

// Inner edges of a flat floor do not exist for who slides over them: vertical normals only, and the height that is there.
TEST(MeshSurface, SlidingOverAFlatFloorFeelsNoInnerEdge) {
  const std::vector<Shape> shapes{box(0.11, 0.13, 0.05), sphere(0.1), capsule(0.05, 0.1), cylinder(0.12, 0.05),
                                  ellipsoid(0.1, 0.15, 0.08)};
  for (const Shape& shape : shapes) {
    for (Scene& scene : flat_floors(shape)) {
      const CollisionModel model = scene.model();
      Collider collider(model);
      std::vector<FoundContact> contacts;
      for (const double gap : {1e-4, 0.0, -1e-6, -1e-3}) {
        for (int step = 0; step < 400; ++step) {
          const double angle = 0.3 + 0.001 * step;
          scene.bodies[1] = {Vector3d(-0.7 + 0.0035 * step, 0.2 + 0.0007 * step, reach_down(shape) + gap),
                             turn(Vector3d::UnitZ(), step < 100 ? 0.0 : angle)};
          collider.find(scene.bodies, 1e-3, contacts);
          ASSERT_FALSE(contacts.empty()) << name_of(shape.type) << " " << gap << " " << step;
          for (const FoundContact& c : contacts) {
            EXPECT_EQ(c.normal, Vector3d(-Vector3d::UnitZ())) << name_of(shape.type) << " " << gap << " " << step;
            EXPECT_NEAR(c.gap, gap, 1e-12) << name_of(shape.type) << " " << step;
          }
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

// A box on many coplanar triangles touches at its four corners, as it does on a plane.
TEST(MeshSurface, BoxOnManyTrianglesTouchesAtItsCorners) {
  for (Scene& scene : flat_floors(box(0.31, 0.23, 0.05))) {
    for (const double gap : {1e-5, 0.0, -1e-5}) {
      scene.bodies[1] = {Vector3d(0.013, 0.027, 0.05 + gap), turn(Vector3d::UnitZ(), 0.4)};
      const std::vector<FoundContact> contacts = find(scene, 1e-3);
      ASSERT_EQ(contacts.size(), 4u);
      for (const FoundContact& c : contacts) {
        const Vector3d local = scene.bodies[1].inverse() * c.point;
        EXPECT_NEAR(std::abs(local.x()), 0.31, 1e-9);
        EXPECT_NEAR(std::abs(local.y()), 0.23, 1e-9);
      }
    }
  }
}

// A ball over the common edge of two triangles, or over a common vertex, touches once.
TEST(MeshSurface, SharedEdgesAndVerticesCountOnce) {
  for (Scene& scene : flat_floors(sphere(0.1))) {
    for (const Vector3d& at :
         {Vector3d(0.0, 0.0, 0.1), Vector3d(0.1, 0.1, 0.1), Vector3d(0.2, 0.05, 0.1), Vector3d(0.2, 0.2, 0.0999)}) {
      scene.bodies[1].p = at;
      const std::vector<FoundContact> contacts = find(scene, 1e-3);
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_NEAR(contacts[0].gap, at.z() - 0.1, 1e-15);
    }
  }
}

double roof(double x, double) { return -std::abs(x); }
double valley(double x, double) { return std::abs(x); }

// On a ridge a ball is pushed by the edge, in any direction between the two slopes' normals.
TEST(MeshSurface, RidgePushesBetweenItsSlopes) {
  for (Scene scene : {on_mesh(floor_mesh(10, 1.0, roof), sphere(0.1)), on_height_field(10, 1.0, roof, sphere(0.1))}) {
    for (const double angle : {-0.7, -0.3, 0.0, 0.2, 0.6}) {
      const Vector3d direction(std::sin(angle), 0, std::cos(angle));
      scene.bodies[1].p = Vector3d(0, 0.05, 0) + 0.1001 * direction;
      const std::vector<FoundContact> contacts = find(scene, 1e-3);
      ASSERT_EQ(contacts.size(), 1u) << angle;
      EXPECT_LT((contacts[0].normal + direction).norm(), 1e-9);
      EXPECT_NEAR(contacts[0].gap, 1e-4, 1e-12);
    }
  }
}

// A flat box on a ridge rests on a line: its two ends, with the box's own normal.
TEST(MeshSurface, BoxOnARidgeRestsOnALine) {
  for (Scene scene :
       {on_mesh(floor_mesh(10, 1.0, roof), box(0.2, 0.25, 0.1)), on_height_field(10, 1.0, roof, box(0.2, 0.25, 0.1))}) {
    for (const double gap : {1e-5, -1e-5}) {
      scene.bodies[1].p = Vector3d(0.03, 0.07, 0.1 + gap);
      const std::vector<FoundContact> contacts = find(scene, 1e-3);
      ASSERT_EQ(contacts.size(), 2u) << gap;
      for (const FoundContact& c : contacts) {
        EXPECT_LT((c.normal + Vector3d::UnitZ()).norm(), 1e-9);
        EXPECT_NEAR(c.gap, gap, 1e-12);
        EXPECT_NEAR(c.point.x(), 0.0, 1e-9);
        EXPECT_NEAR(std::abs(c.point.y() - 0.07), 0.25, 1e-9);
      }
    }
  }
}

// In a valley a ball touches both slopes, and each pushes along its own normal.
TEST(MeshSurface, ValleyPushesFromBothSides) {
  for (Scene scene :
       {on_mesh(floor_mesh(10, 1.0, valley), sphere(0.1)), on_height_field(10, 1.0, valley, sphere(0.1))}) {
    scene.bodies[1].p = Vector3d(0, 0.03, 0.1 * std::sqrt(2.0) - 1e-6);
    const std::vector<FoundContact> contacts = find(scene, 1e-4);
    ASSERT_EQ(contacts.size(), 2u);
    for (const FoundContact& c : contacts) {
      EXPECT_NEAR(std::abs(c.normal.x()), std::sqrt(0.5), 1e-12);
      EXPECT_NEAR(c.normal.z(), -std::sqrt(0.5), 1e-12);
      EXPECT_NEAR(c.gap, -1e-6 * std::sqrt(0.5), 1e-12);
    }
  }
}

// A step with a vertical wall: a box that leans into the wall by a micrometre is pushed back by it, not lifted over the step.
TEST(MeshSurface, WallPushesSidewaysOnly) {
  Mesh step;
  for (const double y : {-1.0, 1.0})
    for (const auto& [x, z] : {std::pair{-1.0, 1.0}, std::pair{0.0, 1.0}, std::pair{0.0, 0.0}, std::pair{1.0, 0.0}})
      step.vertices.emplace_back(x, y, z);
  for (int k = 0; k < 3; ++k) {
    step.faces.push_back({k, k + 1, k + 5});
    step.faces.push_back({k, k + 5, k + 4});
  }
  Scene scene = on_mesh(step, box(0.2, 0.2, 0.2));
  for (const double height : {0.5, 0.9, 1.05}) {
    scene.bodies[1].p = Vector3d(0.2 - 1e-6, 0.1, height);
    const std::vector<FoundContact> contacts = find(scene, 1e-4);
    ASSERT_GE(contacts.size(), 2u) << height;
    for (const FoundContact& c : contacts) {
      EXPECT_LT((c.normal + Vector3d::UnitX()).norm(), 1e-9) << height;
      EXPECT_NEAR(c.gap, -1e-6, 1e-12);
    }
  }
}

// Moving mesh and body together moves the contacts.
TEST(MeshSurface, MovingBothMovesThePoints) {
  Random random(31);
  const auto hills = [](double x, double y) { return 0.1 * std::sin(4.0 * x) * std::cos(3.0 * y); };
  for (const Shape& shape : {box(0.11, 0.13, 0.05), sphere(0.1), capsule(0.05, 0.1)}) {
    Scene scene = on_mesh(floor_mesh(12, 1.0, hills), shape);
    for (int trial = 0; trial < 100; ++trial) {
      const Pose body{Vector3d(random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(0.0, 0.2)),
                      random_turn(random)};
      const Pose world = random_pose(random, 1.0);
      scene.bodies = {Pose{}, body};
      const std::vector<FoundContact> here = find(scene, 0.01);
      scene.bodies = {world, world * body};
      const std::vector<FoundContact> there = find(scene, 0.01);
      ASSERT_EQ(here.size(), there.size());
      for (std::size_t k = 0; k < here.size(); ++k) {
        EXPECT_LT((world * here[k].point - there[k].point).norm(), 1e-9);
        EXPECT_LT((world.q * here[k].normal - there[k].normal).norm(), 1e-9);
      }
    }
  }
}

// On rough ground every normal leans no more than the steepest slope: none points into a neighbour.
TEST(MeshSurface, NormalsOnHillsStayWithinTheSlopes) {
  Random random(32);
  const auto hills = [](double x, double y) {
    return 0.02 * std::sin(9.0 * x) * std::cos(8.0 * y);
  };  // steepest 0.18 and 0.16
  for (const Shape& shape :
       {sphere(0.1), ellipsoid(0.1, 0.15, 0.08), capsule(0.05, 0.1), box(0.11, 0.13, 0.05), cylinder(0.1, 0.1)}) {
    for (Scene scene : {on_mesh(floor_mesh(30, 1.0, hills), shape), on_height_field(30, 1.0, hills, shape)}) {
      int seen = 0;
      for (int trial = 0; trial < 200; ++trial) {
        scene.bodies[1] = {Vector3d(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), random.uniform(0.08, 0.16)),
                           random_turn(random)};
        for (const FoundContact& c : find(scene, 1e-3)) {
          if (c.gap < -0.02) continue;
          EXPECT_GT(-c.normal.z(), 0.96) << name_of(shape.type);
          ++seen;
        }
      }
      EXPECT_GT(seen, 20) << name_of(shape.type);
    }
  }
}

// A step of a nanometre over rough ground changes the least gap by nanometres: no contact jumps in or out below the margin, in
// shallow overlap as well as apart.
TEST(MeshSurface, SmallStepsOverHillsMakeSmallChanges) {
  Random random(34);
  const auto hills = [](double x, double y) { return 0.05 * std::sin(9.0 * x) * std::cos(8.0 * y); };
  for (const Shape& shape :
       {sphere(0.1), capsule(0.05, 0.1), box(0.11, 0.13, 0.05), cylinder(0.1, 0.1), ellipsoid(0.1, 0.15, 0.08)}) {
    Scene scene = on_height_field(20, 1.0, hills, shape);
    const CollisionModel model = scene.model();
    Collider collider(model);
    std::vector<FoundContact> before, after;
    const auto least = [](const std::vector<FoundContact>& contacts) {
      double gap = INFINITY;
      for (const FoundContact& c : contacts) gap = std::min(gap, c.gap);
      return gap;
    };
    int compared = 0, jumps = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      scene.bodies[1] = {Vector3d(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), random.uniform(0.05, 0.2)),
                         random_turn(random)};
      collider.find(scene.bodies, 0.01, before);
      const double gap = least(before);
      if (before.empty() || gap < -1e-3 || gap > 0.009) continue;
      scene.bodies[1].p += random_vector(random, 1e-9);
      collider.find(scene.bodies, 0.01, after);
      ++compared;
      if (!(std::abs(least(after) - gap) < 1e-8)) ++jumps;
    }
    EXPECT_GT(compared, 50) << name_of(shape.type);
    EXPECT_EQ(jumps, 0) << name_of(shape.type) << " of " << compared;
  }
}

// Hostile meshes and poses: degenerate triangles, triangles three to an edge, needles, bodies far below.
TEST(MeshSurface, HostileMeshesGiveNumbers) {
  Random random(33);
  for (int trial = 0; trial < 200; ++trial) {
    Mesh mesh;
    const double size = std::pow(10.0, random.uniform(-3.0, 2.0));
    for (int k = 0; k < 12; ++k) {
      Vector3d x = random_vector(random, size);
      if (random.chance(0.3)) x(2) = 0.0;
      if (random.chance(0.2)) x *= 1e-6;
      mesh.vertices.push_back(x);
    }
    for (int k = 0; k < 30; ++k) {
      std::array<std::int32_t, 3> face;
      for (std::int32_t& v : face) v = static_cast<std::int32_t>(random.integer(0, 11));
      mesh.faces.push_back(face);
    }
    for (const Shape& shape :
         {box(0.3, 0.2, 0.1), sphere(0.2), capsule(0.1, 0.3), cylinder(0.2, 0.2), ellipsoid(0.1, 0.2, 0.3)}) {
      Scene scene = on_mesh(mesh, shape);
      scene.input.shapes[1].shape.size *= size;
      scene.bodies[1] = random_pose(random, size);
      for (const FoundContact& c : find(scene, 0.01 * size)) {
        EXPECT_TRUE(c.point.allFinite() && std::isfinite(c.gap));
        EXPECT_NEAR(c.normal.norm(), 1.0, 1e-9);
      }
    }
  }
}

// A body whose centre has sunk below a height field is still pushed up: the ground is solid.
TEST(MeshSurface, GroundBelowAHeightFieldIsSolid) {
  Scene scene = on_height_field(10, 1.0, flat, sphere(0.05));
  scene.bodies[1].p = Vector3d(0.03, 0.04, -0.06);
  const std::vector<FoundContact> contacts = find(scene, 0.0);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, -0.11, 1e-12);
  EXPECT_EQ(contacts[0].normal, Vector3d(-Vector3d::UnitZ()));
}

// A plank that leans on the border of a sheet is held by the border wherever its centre is: above the sheet or below it.
TEST(MeshSurface, TheBorderOfASheetHoldsAPlankByWhereItTouches) {
  const double angle = 0.5;  // from the vertical
  const Vector3d out(std::cos(angle), 0.0, std::sin(angle)), up(-std::sin(angle), 0.0, std::cos(angle));
  for (const double centre : {0.2, -0.05, -0.2, -0.3}) {  // along the plank, from where it touches
    for (const double gap : {1e-4, -1e-6, -1e-3}) {
      for (const Mesh& mesh : {floor_mesh(1, 1.0, flat), floor_mesh(7, 1.0, flat)}) {
        Scene scene = on_mesh(mesh, box(0.01, 0.1, 0.35));
        scene.bodies[1] = {Vector3d(1.0, 0.0, 0.0) + centre * up + (0.01 + gap) * out, turn(Vector3d::UnitY(), -angle)};
        const std::vector<FoundContact> contacts = find(scene, 1e-3);
        ASSERT_FALSE(contacts.empty()) << centre << " " << gap;
        double least = 1.0, most = -1.0;
        for (const FoundContact& c : contacts) {
          EXPECT_LT((c.normal + out).norm(), 1e-9) << centre << " " << gap;
          EXPECT_NEAR(c.gap, gap, 1e-9);
          least = std::min(least, c.point.y());
          most = std::max(most, c.point.y());
        }
        EXPECT_NEAR(least, -0.1, 1e-9);  // over the whole breadth
        EXPECT_NEAR(most, 0.1, 1e-9);
      }
    }
  }
}

// What a sheet cuts near the middle goes on to its front, however the sheet is divided; what it cuts less is not drawn through.
TEST(MeshSurface, ShapesCutByASheetGoToItsFront) {
  for (const int squares : {1, 20}) {
    for (const Shape& shape : {sphere(0.05), box(0.05, 0.05, 0.05), box(0.05, 0.05, 0.2), cylinder(0.05, 0.05)}) {
      const double half = reach_down(shape);
      Scene scene = on_mesh(floor_mesh(squares, 1.0, flat), shape);
      for (const double height : {-0.02, -0.2}) {
        scene.bodies[1].p = Vector3d(0.03, 0.01, height * half);
        const std::vector<FoundContact> contacts = find(scene, 0.0);
        ASSERT_FALSE(contacts.empty()) << name_of(shape.type) << " " << squares << " " << height;
        for (const FoundContact& c : contacts) {
          EXPECT_LT((c.normal + Vector3d::UnitZ()).norm(), 1e-9) << name_of(shape.type);
          EXPECT_NEAR(c.gap, (height - 1.0) * half, 1e-9) << name_of(shape.type);
        }
      }
      for (const double height : {-0.6, -1.2}) {
        scene.bodies[1].p.z() = height * half;
        EXPECT_TRUE(find(scene, 0.0).empty()) << name_of(shape.type) << " " << squares << " " << height;
      }
    }
  }
}

// A box that stands out over the edge of a solid by nearly half is cut by the plane of the solid's side, and is pushed up alone.
TEST(MeshSurface, TheSideOfASolidDoesNotPushWhatStandsOnIt) {
  Mesh cube;
  for (int k = 0; k < 8; ++k)
    cube.vertices.emplace_back((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 0.0 : -2.0);
  cube.faces = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  for (const Mesh& mesh : {cube, without_neighbours(cube)}) {
    Scene scene = on_mesh(mesh, box(0.1, 0.1, 0.1));
    for (const double tilt : {0.0, 1e-5, -1e-5, 1e-3}) {
      scene.bodies[1] = {Vector3d(0.99, 0.2, 0.1 - 1e-4), turn(Vector3d::UnitY(), tilt)};
      const std::vector<FoundContact> contacts = find(scene, 1e-3);
      EXPECT_FALSE(contacts.empty());
      for (const FoundContact& c : contacts) {
        EXPECT_LT((c.normal + Vector3d::UnitZ()).norm(), 2e-3) << tilt;
        EXPECT_GT(c.gap, -1e-3) << tilt;
      }
    }
  }
}

}  // namespace
}  // namespace tribo
