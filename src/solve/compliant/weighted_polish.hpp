// The optimality system of the weighted program (weighted_program.hpp) for a guess of what is active, solved and checked:
//     w x + X̂ᵀ y − Bᵀ m − η (mu, −t) = 0    over the units that carry load; others x = 0                          (1)
//     X̂ x + c = y/D²,    B x + c = 0 (active rows),    mu x_n = t·x_t (units on the boundary), t = x_t/|x_t|      (2)
// X̂ and B: residuals and rows (coefficient()), y = D β, m and η multipliers. Only t is not linear: Newton, with the curvature
// η/|x_t| (I − t tᵀ) included. The guess holds when every sign holds:
//     x inside its cone, B x + c ≥ 0,  m ≥ 0,  η ≥ 0,  and at x = 0 the gradient less Bᵀ m in the dual cone.        (3)
// Otherwise what fails changes sides and the system is solved again: all at once, and one by one from where a guess comes back.
// Promise   a verified guess is the answer: the program is strictly convex. No promise that one is found.
// Cost      O(rows³) per system, in extended precision; 1 to 3 systems from a good guess.
#pragma once

#include <vector>

#include "solve/compliant/weighted_program.hpp"

namespace tribo::compliant {

enum class UnitState : unsigned char { kZero, kBoundary, kInside };  // x = 0; |x_t| = mu x_n; neither

struct ActiveGuess {
  std::vector<UnitState> units;
  std::vector<unsigned char> rows;  // 1: active
  bool operator==(const ActiveGuess&) const = default;
};

struct WeightedPoint {
  ExtendedVector x;    // forces
  ExtendedVector y;    // per residual: D β
  ExtendedVector m;    // per row
  ExtendedVector eta;  // per unit
};

struct PolishReport {
  bool verified = false;
  int systems = 0;
  int rounds = 0;
};

// point.x gives the first directions t; guess and point become those of the answer when it verifies.
PolishReport polish(const WeightedProgram& program, int max_rounds, ActiveGuess& guess, WeightedPoint& point);

}  // namespace tribo::compliant
