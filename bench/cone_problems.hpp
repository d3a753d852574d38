// The problems of `bench cone`, each made from (seed, index) alone, and the changes that must not change an answer.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/friction_problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tribo {

// One to eight contacts. Kinds take turns.
struct ConeTrial {
  std::string kind;                       // "bodies", "mass ratio to 1e8", "matrix, unsymmetric", …
  std::optional<ContactProblem> contact;  // bodies and contacts; otherwise
  LocalFriction local;                    // matrices
  // An answer exists, by theory: W = H M⁻¹ Hᵀ, q = H v + b, and some motion v₀ has u_N ≥ mu |u_T| at every contact,
  // where u = H v₀ + b. (Standing still is one where b_N ≥ 0 and b_T = 0.)
  bool solvable = false;
  // Masses differ by up to 1e8: what moves the light body is lost in the rounding of what moves the heavy one.
  bool extreme = false;
};
inline constexpr std::uint64_t kConeKinds = 22;
ConeTrial make_cone_trial(std::uint64_t seed, std::uint64_t index);
// Contacts that push (b_N < 0) at random. Friction may lock what would have to give way: many have no answer, although
// only the contradictions among normals alone are proved.
ConeTrial make_pushed_trial(std::uint64_t seed, std::uint64_t index);

// W = A M⁻¹ Aᵀ and q = A (v + h M⁻¹ f) + b over the rows (N, S, T) of contact after contact; plain and dense. Needs
// velocity level, tangential rows, and no bilateral rows.
LocalFriction make_local(const ContactProblem& problem);

// The same contacts in another order, each with its tangents turned by an angle of its own (planar: reversed or not).
struct Reordering {
  std::vector<Index> from;  // contact i of the new problem was from[i]
  std::vector<double> cos, sin;
};
Reordering draw_reordering(Index contacts, int dimension, Random& random);
LocalFriction reordered(const LocalFriction& problem, const Reordering& order);
GlobalFriction reordered(const GlobalFriction& problem, const Reordering& order);
// A vector of the new problem (r, u) in the order and axes of the old one.
VectorXd put_back(const VectorXd& x, int dimension, const Reordering& order);

// Lengths and masses times these: velocities grow with length, W shrinks with mass.
LocalFriction in_other_units(const LocalFriction& problem, double length, double mass);
GlobalFriction in_other_units(const GlobalFriction& problem, double length, double mass);

}  // namespace tribo
