// Loops, welds and couplings as bilateral rows:  g(q) = 0,  ġ = J v,  g̈ = J v̇ + J̇ v.
//     connect  g = p_a − p_b, three rows, world axes
//     weld     the same, and g = 2 vec(q_a⁻¹ q_b): the rotation between the frames, in axes of a
//     joint    g = (q_a − q_a0) − Σ_k c_k (q_b − q_b0)^k;   tendon: the same with lengths; J̇ v of spatial ones is left out (steps at
//              velocity level do not need it)
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/block_rows.hpp"
#include "tribo/multibody/data.hpp"

#include <vector>

namespace tribo {

// Rows over Model::trees(), in the order of the description; equalities that are not active have none.
struct EqualityRows {
  BlockRows J;
  std::vector<double> error;     // g; m or rad
  std::vector<double> rounding;  // what doubles leave of g; m or rad: no correction makes |g| smaller than that
  std::vector<double> carried;   // ġ − J v: what kinematic bodies move
  std::vector<double> drift;     // J̇ v
  std::vector<double> memory;    // scratch
};
// After positions and velocities. Nothing is allocated once `rows` has been filled for this model.
void calc_equalities(const Model& model, const State& state, const Data& data, EqualityRows& rows);

// Moves q, by least kinetic energy, until all |g| <= tolerance. Fails where they contradict each other or q is too far away.
struct CloseOptions {
  double tolerance = 1e-12;  // m, rad
  int max_steps = 50;
};
Checked close_loops(const Model& model, State& state, const CloseOptions& options = {});

}  // namespace tribo
