// Lengths of tendons and their arms a = ∂length/∂q, so that  l̇ = aᵀ v.
//     fixed    l = Σ c q over hinges and slides
//     spatial  l = Σ (straight parts and arcs) / divisor of the branch; of a shortest way only the straight parts have arms:
//              δl = u · (δp_end − δp_start), with the points on the bodies that carry them
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

// Room for the arms, and those of fixed tendons, which never change.
void prepare_tendons(const Model& model, Data& data);
// After the positions of bodies: one, or all.
void place_tendon(const Model& model, const State& state, Index tendon, Data& data);
void place_tendons(const Model& model, const State& state, Data& data);

// The bodies that carry points of a spatial tendon, or are moved by the joints of a fixed one.
std::vector<Index> find_tendon_bodies(const ModelDescription& description, const Tendon& tendon);

}  // namespace tribo
