#include "tribo/collision/collision_model.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/triangle_surface.hpp"

namespace tribo {
namespace {

std::string call(const CollisionInput& input, std::size_t shape) {
  const std::string& name = input.shapes[shape].name;
  return name.empty() ? "shape " + std::to_string(shape) : "shape '" + name + "'";
}

bool in_range(Index i, std::size_t size) { return i >= 0 && i < static_cast<Index>(size); }

// How many sizes a shape has.
int sizes_of(ShapeType type) {
  switch (type) {
    case ShapeType::kSphere:
      return 1;
    case ShapeType::kCapsule:
    case ShapeType::kCylinder:
      return 2;
    case ShapeType::kEllipsoid:
    case ShapeType::kBox:
      return 3;
    case ShapeType::kPlane:
    case ShapeType::kHeightField:
    case ShapeType::kMesh:
      return 0;
  }
  return 0;
}

constexpr std::size_t kMostDecided = 2048;  // shapes: 4 million pairs, half a megabyte
// m. Far outside of these, squares of lengths and their differences lose all their digits.
constexpr double kLeastExtent = 1e-9, kMostExtent = 1e9;

Checked check_shape(CollisionInput& input, std::size_t s) {
  CollisionShape& shape = input.shapes[s];
  const std::string where = call(input, s);
  if (!in_range(shape.body, input.group.size()))
    return fail("it belongs to no body (" + std::to_string(shape.body) + ")", where,
                "give the index of a body that has a group");
  const double turn = shape.pose.q.norm();
  if (!shape.pose.p.allFinite() || !std::isfinite(turn) || !(turn > 1e-12))
    return fail("its pose is not finite, or its quaternion is zero", where, "give finite numbers");
  shape.pose.q.normalize();
  const char* const kind = name_of(shape.shape.type);
  for (int k = 0; k < sizes_of(shape.shape.type); ++k) {
    const double size = shape.shape.size(k);
    if (!(size > 0.0) || !std::isfinite(size))
      return fail("size " + std::to_string(k + 1) + " of the " + kind + " is not a positive number (" +
                      std::to_string(size) + ")",
                  where, "give sizes > 0 in m");
    if (size < kLeastExtent || size > kMostExtent)
      return fail("size " + std::to_string(k + 1) + " of the " + kind + " is out of range", where,
                  "give sizes from 1e-9 m to 1e9 m, or make it part of the drawing only");
  }
  if (shape.shape.type == ShapeType::kMesh && !in_range(shape.shape.index, input.meshes.size()))
    return fail("it refers to no mesh (" + std::to_string(shape.shape.index) + ")", where,
                "give the index of one that exists");
  if (shape.exact_mesh && input.group[static_cast<std::size_t>(shape.body)] != 0)
    return fail("an exact mesh is on a body that can move", where,
                "put it on the world or on a body that is welded to it, or let its hull collide");
  if (shape.shape.type == ShapeType::kHeightField && !in_range(shape.shape.index, input.height_fields.size()))
    return fail("it refers to no height field (" + std::to_string(shape.shape.index) + ")", where,
                "give the index of one that exists");
  return ok();
}

Checked check_groups(const CollisionInput& input) {
  if (input.parent_group.size() != input.group.size())
    return fail("there are " + std::to_string(input.group.size()) + " groups and " +
                    std::to_string(input.parent_group.size()) + " parents of groups",
                "bodies", "give one of each for every body");
  if (!input.fixed.empty() && input.fixed.size() != input.group.size())
    return fail("there are " + std::to_string(input.fixed.size()) + " marks of fixed bodies for " +
                    std::to_string(input.group.size()) + " bodies",
                "bodies", "give one for every body, or none");
  for (std::size_t b = 0; b < input.group.size(); ++b) {
    if (input.group[b] < 0 || input.parent_group[b] < -1)
      return fail("the group or the parent's group is negative", "body " + std::to_string(b),
                  "give groups >= 0, and -1 as the parent where there is none");
  }
  return ok();
}

bool is_solid(const CollisionShape& shape) {  // convex
  return shape.shape.type != ShapeType::kPlane && shape.shape.type != ShapeType::kHeightField && !shape.exact_mesh;
}

Checked check_pairs(const CollisionInput& input) {
  for (std::size_t k = 0; k < input.excludes.size(); ++k) {
    const auto& [a, b] = input.excludes[k];
    if (!in_range(a, input.group.size()) || !in_range(b, input.group.size()))
      return fail("a body does not exist", "exclude " + std::to_string(k), "give indices of bodies that exist");
  }
  for (std::size_t k = 0; k < input.pairs.size(); ++k) {
    const auto& [a, b] = input.pairs[k];
    const std::string where = "pair " + std::to_string(k);
    if (!in_range(a, input.shapes.size()) || !in_range(b, input.shapes.size()))
      return fail("a shape does not exist", where, "give indices of shapes that exist");
    if (a == b) return fail("a shape is paired with itself", where, "give two shapes");
    const CollisionShape &first = input.shapes[static_cast<std::size_t>(a)],
                         &second = input.shapes[static_cast<std::size_t>(b)];
    const auto stands = [&](const CollisionShape& shape) {
      return input.group[static_cast<std::size_t>(shape.body)] == 0;
    };
    if (stands(first) && stands(second)) continue;  // never meet
    if (!is_solid(first) && !is_solid(second))
      return fail("neither of the shapes is convex", where,
                  "pair planes, height fields and exact meshes with convex shapes");
  }
  return ok();
}

std::vector<std::array<Index, 2>> sorted(std::vector<std::array<Index, 2>> pairs) {
  for (auto& pair : pairs) std::sort(pair.begin(), pair.end());
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

bool contains(const std::vector<std::array<Index, 2>>& pairs, Index a, Index b) {
  if (pairs.empty()) return false;
  return std::binary_search(pairs.begin(), pairs.end(), std::array<Index, 2>{std::min(a, b), std::max(a, b)});
}

// Corners of a box that holds the points, and the radius of a ball about the origin.
void enclose(const std::vector<Vector3d>& points, std::array<Vector3d, 2>& bounds, double& radius) {
  bounds[0].setConstant(std::numeric_limits<double>::infinity());
  bounds[1] = -bounds[0];
  radius = 0.0;
  for (const Vector3d& x : points) {
    bounds[0] = bounds[0].cwiseMin(x);
    bounds[1] = bounds[1].cwiseMax(x);
    radius = std::max(radius, x.norm());
  }
}

Checked check_extent(const std::array<Vector3d, 2>& bounds, double radius, const std::string& where) {
  if ((bounds[1] - bounds[0]).norm() >= kLeastExtent && radius <= kMostExtent) return ok();
  return fail("its mesh or height field is out of range", where,
              "give sizes from 1e-9 m to 1e9 m, or make it part of the drawing only");
}

}  // namespace

Checked CollisionModel::add_shape(std::size_t s) {
  const CollisionShape& shape = input_.shapes[s];
  const Vector3d& size = shape.shape.size;
  const auto symmetric = [&](const Vector3d& half, double radius) {
    bounds_[s] = {-half, half};
    radius_[s] = radius;
  };
  switch (shape.shape.type) {
    case ShapeType::kPlane:
      symmetric(Vector3d::Zero(), std::numeric_limits<double>::infinity());
      return ok();
    case ShapeType::kSphere:
      symmetric(Vector3d::Constant(size(0)), size(0));
      return ok();
    case ShapeType::kCapsule:
      symmetric(Vector3d(size(0), size(0), size(0) + size(1)), size(0) + size(1));
      return ok();
    case ShapeType::kCylinder:
      symmetric(Vector3d(size(0), size(0), size(1)), std::hypot(size(0), size(1)));
      return ok();
    case ShapeType::kEllipsoid:
      symmetric(size, size.maxCoeff());
      return ok();
    case ShapeType::kBox:
      symmetric(size, size.norm());
      polytope_of_[s] = static_cast<Index>(polytopes_.size());
      polytopes_.push_back(make_box(size));
      return ok();
    case ShapeType::kHeightField:
    case ShapeType::kMesh:
      break;
  }
  const std::size_t i = static_cast<std::size_t>(shape.shape.index);
  if (shape.shape.type == ShapeType::kMesh && !shape.exact_mesh) {
    if (mesh_polytope_[i] < 0) {
      Expected<Polytope> hull = make_polytope(input_.meshes[i]);
      if (!hull) return Unexpected<Error>{hull.error().within(call(input_, s))};
      mesh_polytope_[i] = static_cast<Index>(polytopes_.size());
      polytopes_.push_back(std::move(hull).value());
    }
    polytope_of_[s] = mesh_polytope_[i];
    enclose(polytopes_[static_cast<std::size_t>(polytope_of_[s])].vertices, bounds_[s], radius_[s]);
    return check_extent(bounds_[s], radius_[s], call(input_, s));
  }
  const bool field = shape.shape.type == ShapeType::kHeightField;
  Index& known = field ? field_surface_[i] : mesh_surface_[i];
  if (known < 0) {
    Expected<TriangleSurface> made = field ? make_surface(input_.height_fields[i]) : make_surface(input_.meshes[i]);
    if (!made) return Unexpected<Error>{made.error().within(call(input_, s))};
    known = static_cast<Index>(surfaces_.size());
    surfaces_.push_back(std::make_shared<const TriangleSurface>(std::move(made).value()));
  }
  surface_of_[s] = known;
  const TriangleSurface& surface = *surfaces_[static_cast<std::size_t>(known)];
  enclose(surface.vertices, bounds_[s], radius_[s]);
  if (field) {
    bounds_[s][0](2) = surface.bottom;
    radius_[s] = std::max(radius_[s], std::hypot(surface.half_x, surface.half_y, surface.bottom));
  }
  return check_extent(bounds_[s], radius_[s], call(input_, s));
}

Expected<CollisionModel> CollisionModel::make(CollisionInput input) {
  if (Checked checked = check_groups(input); !checked) return Unexpected<Error>{checked.error()};
  for (CollisionShape& shape : input.shapes)
    shape.exact_mesh = shape.exact_mesh && shape.shape.type == ShapeType::kMesh;
  const std::size_t n = input.shapes.size();
  for (std::size_t s = 0; s < n; ++s)
    if (Checked checked = check_shape(input, s); !checked) return Unexpected<Error>{checked.error()};
  if (Checked checked = check_pairs(input); !checked) return Unexpected<Error>{checked.error()};

  CollisionModel model;
  model.input_ = std::move(input);
  model.excludes_ = sorted(model.input_.excludes);
  model.pairs_ = sorted(model.input_.pairs);
  model.polytope_of_.assign(n, -1);
  model.surface_of_.assign(n, -1);
  model.mesh_polytope_.assign(model.input_.meshes.size(), -1);
  model.mesh_surface_.assign(model.input_.meshes.size(), -1);
  model.field_surface_.assign(model.input_.height_fields.size(), -1);
  model.radius_.assign(n, 0.0);
  model.bounds_.assign(n, {Vector3d::Zero(), Vector3d::Zero()});
  for (std::size_t s = 0; s < n; ++s)
    if (Checked checked = model.add_shape(s); !checked) return Unexpected<Error>{checked.error()};
  if (n <= kMostDecided) {
    model.may_touch_.assign(n * n, false);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b)
        model.may_touch_[a * n + b] = model.may_touch_[b * n + a] =
            model.decide(static_cast<Index>(a), static_cast<Index>(b));
  }
  return model;
}

const Polytope* CollisionModel::polytope(Index shape) const {
  const Index i = polytope_of_[static_cast<std::size_t>(shape)];
  return i < 0 ? nullptr : &polytopes_[static_cast<std::size_t>(i)];
}

const TriangleSurface* CollisionModel::surface(Index shape) const {
  const Index i = surface_of_[static_cast<std::size_t>(shape)];
  return i < 0 ? nullptr : surfaces_[static_cast<std::size_t>(i)].get();
}

bool CollisionModel::is_static(Index shape) const {
  const Index body = input_.shapes[static_cast<std::size_t>(shape)].body;
  return input_.group[static_cast<std::size_t>(body)] == 0;
}

bool CollisionModel::is_convex(Index shape) const { return is_solid(input_.shapes[static_cast<std::size_t>(shape)]); }

bool CollisionModel::may_touch(Index shape_a, Index shape_b) const {
  TRIBO_REQUIRE(in_range(shape_a, input_.shapes.size()) && in_range(shape_b, input_.shapes.size()),
                "shapes of this model");
  if (may_touch_.empty()) return decide(shape_a, shape_b);
  return may_touch_[static_cast<std::size_t>(shape_a) * input_.shapes.size() + static_cast<std::size_t>(shape_b)];
}

bool CollisionModel::decide(Index shape_a, Index shape_b) const {
  if (shape_a == shape_b || !(is_convex(shape_a) || is_convex(shape_b))) return false;
  const CollisionShape& a = input_.shapes[static_cast<std::size_t>(shape_a)];
  const CollisionShape& b = input_.shapes[static_cast<std::size_t>(shape_b)];
  const std::size_t body_a = static_cast<std::size_t>(a.body), body_b = static_cast<std::size_t>(b.body);
  const Index group_a = input_.group[body_a], group_b = input_.group[body_b];
  if (group_a == 0 && group_b == 0) return false;
  if (!input_.fixed.empty() && input_.fixed[body_a] != 0 && input_.fixed[body_b] != 0) return false;
  if (contains(pairs_, shape_a, shape_b)) return true;
  if ((a.contype & b.conaffinity) == 0 && (b.contype & a.conaffinity) == 0) return false;
  if (group_a == group_b) return false;
  if (input_.filter_parents) {
    if (group_b != 0 && input_.parent_group[body_a] == group_b) return false;
    if (group_a != 0 && input_.parent_group[body_b] == group_a) return false;
  }
  return !contains(excludes_, a.body, b.body);
}

}  // namespace tribo
