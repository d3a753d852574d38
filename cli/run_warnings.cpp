#include "run_warnings.hpp"

#include "tribo/problem/contact_law.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "terminal.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

// What the scene has and this contact model has not.
void warn_of_model(const std::string& path, const Model& model, const ContactModel& contacts) {
  if (std::holds_alternative<CoulombCone>(contacts)) return;
  const ModelDescription& d = model.description();
  const auto turns = std::count_if(d.geoms.begin(), d.geoms.end(), [](const Geom& geom) { return geom.condim > 3; });
  if (turns > 0)
    write_error(
        fmt::format("{}: warning: friction against spinning and rolling of {} geoms (condim 4, 6) is left out: only "
                    "the model cone has it",
                    path, turns));
  const Viscous* viscous = std::get_if<Viscous>(&contacts);
  if (viscous == nullptr) return;
  const auto drags = [](const auto& element) { return element.surface.mu_v.has_value(); };
  if (viscous->impact)
    write_error(fmt::format("{}: warning: no contact has friction: scenes have no word for impact damping", path));
  else if (std::none_of(d.geoms.begin(), d.geoms.end(), drags) && std::none_of(d.pairs.begin(), d.pairs.end(), drags))
    write_error(fmt::format(
        "{}: warning: no contact has friction: no geom or pair has a viscous coefficient tribo.mu_v", path));
}

// --exact-meshes is for what stands still: hulls that remain are named.
void warn_of_hulls(const std::string& path, const Model& model, const SimulationOptions& options) {
  if (!options.exact_meshes) return;
  const ModelDescription& d = model.description();
  Index exact = 0, hulls = 0;
  std::string first;
  for (std::size_t g = 0; g < d.geoms.size(); ++g) {
    const Geom& geom = d.geoms[g];
    if (geom.shape.type != ShapeType::kMesh || (geom.contype == 0 && geom.conaffinity == 0)) continue;
    if (!can_move(d, geom.body)) {
      ++exact;
    } else if (hulls++ == 0) {
      first = geom.name.empty() ? fmt::format("geom {}", g) : fmt::format("geom '{}'", geom.name);
    }
  }
  if (hulls > 0)
    write_error(
        fmt::format("{}: warning: --exact-meshes is for bodies that cannot move: {} meshes of bodies that can "
                    "({} is the first) collide by their hulls; cut them into convex parts",
                    path, hulls, first));
  if (exact == 0)
    write_error(
        fmt::format("{}: warning: --exact-meshes changes nothing: no body that stands still collides as a mesh", path));
}

// Geoms whose material has no known stiffness get that of --material.
void warn_of_materials(const std::string& path, const Model& model, const SimulationOptions& options) {
  if (!options.compliant) return;
  std::set<std::string> unknown;
  for (const Geom& geom : model.description().geoms) {
    if (!geom.material.empty() && !find_material(geom.material)) unknown.insert(geom.material);
  }
  for (const std::string& name : unknown)
    write_error(fmt::format("{}: warning: the stiffness of the material '{}' is not known: taken for {}", path, name,
                            options.material));
}

// How far the geom reaches from the middle of its box, m.
double calc_extent(const ModelDescription& d, const Geom& geom) {
  if (geom.shape.type == ShapeType::kPlane || geom.shape.type == ShapeType::kHeightField) return 0.0;
  if (geom.shape.type != ShapeType::kMesh) return geom.shape.size.norm();
  Eigen::AlignedBox3d box;
  for (const Vector3d& vertex : d.meshes[static_cast<std::size_t>(geom.shape.index)].vertices) box.extend(vertex);
  return box.isEmpty() ? 0.0 : 0.5 * box.diagonal().norm();
}

// In a step in which the largest body falls farther than it is, nothing is resolved, and every step certifies all the same.
void warn_of_long_step(const std::string& path, const Model& model, double step) {
  const ModelDescription& d = model.description();
  const double h = step > 0.0 ? step : d.timestep, gravity = d.gravity.norm();
  double extent = 0.0;
  for (const Geom& geom : d.geoms) {
    if (can_move(d, geom.body)) extent = std::max(extent, calc_extent(d, geom));
  }
  if (!(extent > 0.0) || !(gravity * h * h > extent)) return;
  write_error(fmt::format(
      "{}: warning: in a step of {:.6g} s a body falls {:.3g} m, and the largest has a radius of {:.3g} m: no "
      "motion is resolved; take a --step below {:.2g} s",
      path, h, gravity * h * h, extent, std::sqrt(1e-2 * extent / gravity)));
}

void warn_of_notices(const std::string& path, const std::vector<Notice>& notices) {
  for (const Notice& notice : notices) {
    if (notice.physical)
      write_error(
          fmt::format("{}: warning: {} ({}) is not supported: {}", path, notice.element, notice.count, notice.meaning));
  }
}

}  // namespace

void warn_of_scene(const std::string& path, const World& world, const SimulationOptions& options) {
  warn_of_notices(path, world.notices);
  warn_of_model(path, world.model, options.model);
  warn_of_hulls(path, world.model, options);
  warn_of_materials(path, world.model, options);
  warn_of_long_step(path, world.model, options.step);
}

void warn_of_turn(const std::string& path, double turn) {
  if (turn > 1.0)
    write_error(fmt::format(
        "{}: warning: a body turned by {:.2g} rad in one step, which no method follows: take a smaller --step", path,
        turn));
}

void warn_of_steps(const std::string& path, const std::vector<std::string>& warnings, std::int64_t count) {
  for (const std::string& warning : warnings) write_error(fmt::format("{}: warning: {}", path, warning));
  if (const std::int64_t more = count - static_cast<std::int64_t>(warnings.size()); more > 0)
    write_error(fmt::format("{}: warning: {} more of this kind", path, more));
}

}  // namespace tribo
