// The problems of `bench no-slip`, each made from (seed, index) alone. All have b_J = 0 and b_N ≥ 0: standing still is
// allowed, so every one of them has an answer (spec A.5), and one v⁺.
#pragma once

#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"

#include <cstdint>
#include <string>

namespace tribo {

struct ContactTrial {
  ContactProblem problem;
  ContactModel model;
  std::string kind;  // "bodies", "face", "peg", "stack", "grasp", "jam", "repeated"
};

// Kinds, models (frictionless, no-slip, viscous, viscous/explicit where it is stable and viscous elsewhere) and offsets
// (b_N = 0, then about half of them positive) take turns.
ContactTrial make_contact_trial(std::uint64_t seed, std::uint64_t index);

// Every contact `times` times: the whole list, then the whole list again. The copies share the damping and the friction
// bound of the contact they repeat, since those are forces per contact; without that, twenty dampers would brake twenty
// times as hard.
ContactProblem repeat_contacts(const ContactProblem& problem, int times);

// |a − b|_M over the largest of |a|_M, |v|_M and |v + h M⁻¹f|_M. Velocity level.
double relative_change(const ContactProblem& problem, const VectorXd& a, const VectorXd& b);

}  // namespace tribo
