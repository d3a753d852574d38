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

}  // namespace

Expected<CollisionModel> make_collision_model(const Model& model) {
  const ModelDescription& d = model.description();
  CollisionInput input;
  for (const Geom& geom : d.geoms) {
    input.shapes.push_back({.name = geom.name,
                            .shape = geom.shape,
                            .body = geom.body,
                            .pose = geom.pose,
                            .contype = geom.contype,
                            .conaffinity = geom.conaffinity});
  }
  input.meshes = d.meshes;
  input.height_fields = d.height_fields;
  // A group is a body that moves by joints or by hand, with all that is welded to it; what never moves is group 0.
  input.group.assign(d.bodies.size(), 0);
  input.parent_group.assign(d.bodies.size(), -1);
  for (Index b = 1; b < model.nb(); ++b) {
    const Index parent = input.group[d.bodies[b].parent];
    const bool own = model.joint_count(b) > 0 || d.bodies[b].kinematic;
    input.group[b] = own ? b : parent;
    input.parent_group[b] = own ? parent : input.parent_group[d.bodies[b].parent];
  }
  input.filter_parents = d.filter_parent;
  input.excludes = d.excludes;
  for (const ContactPair& pair : d.pairs) input.pairs.push_back({pair.geom_a, pair.geom_b});
  return CollisionModel::make(std::move(input));
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
  for (const ContactPair& pair : d.pairs) {
    if (std::minmax(pair.geom_a, pair.geom_b) != std::minmax(geom_a, geom_b)) continue;
    friction = Vector3d(pair.friction[0], pair.friction[2], pair.friction[3]);
    condim = pair.condim;
    ratio = ratio_of(pair.solref);
  }
  Contact law;
  const double own = calc_restitution(ratio);
  law.restitution = own > 0.0 ? own : restitution;
  law.mu = condim >= 3 ? friction(0) : 0.0;
  law.mu_spin = condim >= 4 ? friction(1) : 0.0;
  law.mu_roll = condim >= 6 ? friction(2) : 0.0;
  return law;
}

bool needs_turning(const Model& model) {
  const ModelDescription& d = model.description();
  return std::any_of(d.geoms.begin(), d.geoms.end(),
                     [](const Geom& g) { return g.condim > 3 && (g.contype != 0 || g.conaffinity != 0); }) ||
         std::any_of(d.pairs.begin(), d.pairs.end(), [](const ContactPair& pair) { return pair.condim > 3; });
}

}  // namespace tribo
