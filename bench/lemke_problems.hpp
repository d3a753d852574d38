// The problems of `bench lemke`, each made from (seed, index) alone, and the changes that its edge cases ask for.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <cstdint>
#include <string>

namespace tribo {

struct LemkeTrial {
  ContactProblem problem;
  std::string kind;  // "peg", "stack", "jam", …
  int sides = 8;
  bool solvable = false;  // b_N ≥ 0 and b_J = 0: an answer exists (spec A.5, C.1)
};
inline constexpr std::uint64_t kLemkeKinds = 16;

// Kinds take turns; sides are 8, now and then 4 or 16.
LemkeTrial make_lemke_trial(std::uint64_t seed, std::uint64_t index);

// The stack of the comparison: 5 blocks, 32 contacts (7, 7, 6, 6 and 6 per interface: corners, then middles of edges).
ContactProblem stack_of_five(Random& random);

// Only the contacts in `kept`, in that order.
ContactProblem keep_contacts(const ContactProblem& problem, const IndexList& kept);

// Mass and applied force of one block times `factor`.
ContactProblem with_heavier_block(const ContactProblem& problem, Index block, double factor);

// The same bodies in other units: numbers for lengths are `length` times, numbers for masses `mass` times what they were.
// Free bodies only (blocks of 6), no bilateral rows.
ContactProblem in_other_units(const ContactProblem& problem, double length, double mass);

// N, S and T anew from point and frame of every contact: one free body with its centre of mass at `centre` on the world.
void make_one_body_rows(ContactProblem& problem, const Vector3d& centre);

// Coefficients at random, 10^low … 10^high.
void draw_friction(ContactProblem& problem, double low, double high, Random& random);

}  // namespace tribo
