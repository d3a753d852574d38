// How a step goes from (q, v) to (q⁺, v⁺). The forces of a step act at one place on its way, after the share `lead`
// of it:
//     q_m = q ⊕ lead · h v,      M(q_m) (v⁺ − v) = h f(q_m, …) + impulses,      q⁺ = q_m ⊕ (1 − lead) h v⁺               (1)
//     kEuler      lead = 0, springs and dampers as they are at the end of the step: first order, damps what is stiff
//     kMidpoint   lead = 1/2, forces with the means of the step: second order, the same forwards and backwards in time.
//                 What is too stiff for the step is damped, all else is not
#pragma once

#include "tribo/core/expected.hpp"

#include <cstdint>
#include <string>

namespace tribo {

enum class Integrator : std::uint8_t { kEuler, kMidpoint };

std::string to_string(Integrator integrator);  // "euler", "midpoint"
// Those names. The error has them all.
Expected<Integrator> parse_integrator(const std::string& name);

// Of one step of one tree.
struct StepRule {
  Integrator integrator = Integrator::kEuler;
  double h = 0.0;     // s
  double lead = 0.0;  // 0 … 1

  double rest() const { return (1.0 - lead) * h; }  // s: from q_m to the end of the step
  // s: from q_m to that of the next step, where its lead is the usual one.
  double look() const { return rest() + (integrator == Integrator::kMidpoint ? 0.5 * h : 0.0); }
};

// A spring K with a damper D that pulls a mass with
//     −K (x_m + h (a ẋ⁺ − b ẋ)) − D (w ẋ⁺ + (1 − w) ẋ),   x_m where the forces of the step act
struct ImplicitShares {
  double a = 1.0, b = 0.0, w = 1.0;
};

// Euler: a = 1, b = 0, w = 1. Midpoint, with z = h² K / m and ζ = h D / m:
//     a = (1 + ρ)²/4,  b = (1 − ρ)²/4,  ρ = z²/(1 + z²)
//         the trapezoidal rule where the step resolves the spring; where it does not (z ≫ 1) both roots go to zero
//         and nothing rings
//     w = 1/(1 − exp(−ζ)) − 1/ζ                              a damper alone is exact: ẋ⁺ = exp(−ζ) ẋ
// For a lead other than 1/2 the mean place of the step is (1/2 − lead) h (ẋ + ẋ⁺)/2 further on. With a lead of
// 1/2 stable whatever m is taken, since a + b ≥ 1/2, a ≥ b and w ≥ 1/2; m decides how much is damped. `mass`: > 0.
ImplicitShares calc_implicit_shares(const StepRule& rule, double mass, double stiffness, double damping);

}  // namespace tribo
