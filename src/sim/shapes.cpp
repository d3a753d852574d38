#include "sim/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tribo {

namespace {

// What an oscillator with this damping ratio (MJCF's solref) gives back of its speed after half a period.
double calc_restitution(double damping_ratio) {
  if (!(damping_ratio < 1.0)) return 0.0;
  const double ratio = std::max(0.0, damping_ratio);
  return std::exp(-std::numbers::pi * ratio / std::sqrt(1.0 - ratio * ratio));
}

// Of several for the same geoms the last counts.
const ContactPair* find_pair(const ModelDescription& d, Index geom_a, Index geom_b) {
  const auto same = [&](const ContactPair& pair) {
    return std::minmax(pair.geom_a, pair.geom_b) == std::minmax(geom_a, geom_b);
  };
  const auto found = std::find_if(d.pairs.rbegin(), d.pairs.rend(), same);
  return found == d.pairs.rend() ? nullptr : &*found;
}

// Of geoms that may touch by their masks, and of pairs; 0 at least.
template <typename Measure>
double find_most(const Model& model, Measure measure) {
  double most = 0.0;
  for (const Geom& geom : model.description().geoms) {
    if (geom.contype != 0 || geom.conaffinity != 0) most = std::max(most, measure(geom));
  }
  for (const ContactPair& pair : model.description().pairs) most = std::max(most, measure(pair));
  return most;
}

double in_series(double a, double b) { return a > 0.0 && b > 0.0 ? 1.0 / (1.0 / a + 1.0 / b) : 0.0; }

}  // namespace

Expected<CollisionModel> make_collision_model(const Model& model, bool exact_meshes) {
  const ModelDescription& d = model.description();
  CollisionInput input;
  // A group is a body that moves by joints or by hand, with all that is welded to it; what never moves is group 0.
  input.group.assign(d.bodies.size(), 0);
  input.parent_group.assign(d.bodies.size(), -1);
  for (Index b = 1; b < model.nb(); ++b) {
    const Index parent = input.group[d.bodies[b].parent];
    const bool own = model.joint_count(b) > 0 || d.bodies[b].kinematic;
    input.group[b] = own ? b : parent;
    input.parent_group[b] = own ? parent : input.parent_group[d.bodies[b].parent];
  }
  for (Index b = 0; b < model.nb(); ++b) input.fixed.push_back(model.tree(b) < 0 ? 1 : 0);
  for (const Geom& geom : d.geoms) {
    const bool exact = geom.exact_mesh || (exact_meshes && input.group[geom.body] == 0);
    input.shapes.push_back({.name = geom.name,
                            .shape = geom.shape,
                            .body = geom.body,
                            .pose = geom.pose,
                            .contype = geom.contype,
                            .conaffinity = geom.conaffinity,
                            .exact_mesh = exact && geom.shape.type == ShapeType::kMesh});
  }
  input.meshes = d.meshes;
  input.height_fields = d.height_fields;
  input.filter_parents = d.filter_parent;
  input.excludes = d.excludes;
  for (const ContactPair& pair : d.pairs) input.pairs.push_back({pair.geom_a, pair.geom_b});
  return CollisionModel::make(std::move(input));
}

SurfaceLaw combine_surfaces(const Model& model, Index geom_a, Index geom_b) {
  const ModelDescription& d = model.description();
  const Geom &a = d.geoms[geom_a], &b = d.geoms[geom_b];
  const ContactPair* pair = find_pair(d, geom_a, geom_b);
  SurfaceLaw all;
  const auto combine = [&](std::optional<double> SurfaceLaw::*number, const auto& both) {
    const std::optional<double>&x = a.surface.*number, &y = b.surface.*number;
    if (pair != nullptr && pair->surface.*number)
      all.*number = pair->surface.*number;
    else if (!x || !y)
      all.*number = x ? x : y;
    else
      all.*number = a.priority > b.priority ? *x : a.priority < b.priority ? *y : both(*x, *y);
  };
  combine(&SurfaceLaw::mu_v, [](double x, double y) { return std::max(x, y); });
  combine(&SurfaceLaw::restitution, [](double x, double y) { return 0.5 * (x + y); });
  combine(&SurfaceLaw::stiffness, in_series);
  combine(&SurfaceLaw::damping, in_series);
  return all;
}

Contact calc_material(const Model& model, Index geom_a, Index geom_b, double restitution) {
  const ModelDescription& d = model.description();
  const Geom &a = d.geoms[geom_a], &b = d.geoms[geom_b];
  Vector3d friction = a.priority > b.priority   ? a.friction
                      : a.priority < b.priority ? b.friction
                                                : Vector3d(a.friction.cwiseMax(b.friction));
  int condim = a.priority > b.priority ? a.condim : a.priority < b.priority ? b.condim : std::max(a.condim, b.condim);
  // Two numbers > 0: time and damping ratio. Otherwise stiffness and damping, from which no restitution follows.
  const auto ratio_of = [](const std::array<double, 2>& solref) { return solref[0] > 0.0 ? solref[1] : 1.0; };
  double ratio = a.priority > b.priority   ? ratio_of(a.solref)
                 : a.priority < b.priority ? ratio_of(b.solref)
                                           : 0.5 * (ratio_of(a.solref) + ratio_of(b.solref));
  if (const ContactPair* pair = find_pair(d, geom_a, geom_b)) {
    friction = Vector3d(pair->friction[0], pair->friction[2], pair->friction[3]);
    condim = pair->condim;
    ratio = ratio_of(pair->solref);
  }
  Contact law;
  const SurfaceLaw own = combine_surfaces(model, geom_a, geom_b);
  const double bounce = calc_restitution(ratio);
  law.restitution = own.restitution ? *own.restitution : bounce > 0.0 ? bounce : restitution;
  law.mu = condim >= 3 ? friction(0) : 0.0;
  law.mu_v = condim >= 3 ? own.mu_v.value_or(0.0) : 0.0;
  law.mu_spin = condim >= 4 ? friction(1) : 0.0;
  law.mu_roll = condim >= 6 ? friction(2) : 0.0;
  return law;
}

double calc_rest_distance(const Model& model, Index geom_a, Index geom_b) {
  const ModelDescription& d = model.description();
  const Geom &a = d.geoms[geom_a], &b = d.geoms[geom_b];
  double margin = std::max(a.margin, b.margin), gap = std::max(a.gap, b.gap);
  if (const ContactPair* pair = find_pair(d, geom_a, geom_b)) {
    margin = pair->margin;
    gap = pair->gap;
  }
  return std::max(0.0, margin - gap);
}

double calc_most_rest_distance(const Model& model) {
  return find_most(model, [](const auto& part) { return part.margin - part.gap; });
}

double calc_most_margin(const Model& model) {
  return find_most(model, [](const auto& part) { return part.margin; });
}

double calc_most_restitution(const Model& model, double restitution) {
  return std::max(restitution, find_most(model, [](const auto& part) {
                    return std::max(part.surface.restitution.value_or(0.0),
                                    part.solref[0] > 0.0 ? calc_restitution(part.solref[1]) : 0.0);
                  }));
}

bool needs_turning(const Model& model) {
  const ModelDescription& d = model.description();
  return std::any_of(d.geoms.begin(), d.geoms.end(),
                     [](const Geom& g) { return g.condim > 3 && (g.contype != 0 || g.conaffinity != 0); }) ||
         std::any_of(d.pairs.begin(), d.pairs.end(), [](const ContactPair& pair) { return pair.condim > 3; });
}

}  // namespace tribo
