// The model's geoms as collision sees them, and what two of them are to each other. Shapes have the indices of the geoms.
#pragma once

#include "tribo/collision/collision_model.hpp"
#include "tribo/multibody/model.hpp"
#include "tribo/problem/contact_problem.hpp"

namespace tribo {

// exact_meshes: those of bodies that cannot move collide by their triangles, whether their geoms say so or not.
Expected<CollisionModel> make_collision_model(const Model& model, bool exact_meshes);

// What two geoms say of their contacts, or the pair that they are; the rules stand with SurfaceLaw.
SurfaceLaw combine_surfaces(const Model& model, Index geom_a, Index geom_b);

// Coefficients of a pair: of its <pair> element, else of the geom with the higher priority, else the larger of both.
// `restitution`: of those that say nothing.
Contact calc_material(const Model& model, Index geom_a, Index geom_b, double restitution);

// The largest restitution of all pairs, or more; `restitution`: of those that say nothing.
double calc_most_restitution(const Model& model, double restitution);

// True when a contact of the model may resist spinning or rolling.
bool needs_turning(const Model& model);

// m, >= 0: how far apart the surfaces of two geoms rest, MJCF's margin − gap (the larger of both geoms', or the pair's).
double calc_rest_distance(const Model& model, Index geom_a, Index geom_b);
// The largest of all geoms that may touch and of all pairs: of these distances, and of their margins.
double calc_most_rest_distance(const Model& model);
double calc_most_margin(const Model& model);

}  // namespace tribo
