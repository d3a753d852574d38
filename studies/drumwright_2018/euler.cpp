// Figures 1 to 3: m x'' + b x' + k x = 0 by three first-order methods, m = 1; the largest modulus of the eigenvalues of
// one step.
//     explicit       x + h v,   v − h (k x + b v)
//     semi-implicit  v₁ = (v − h k x)/(1 + h b),   x + h v₁
//     implicit       v₁ = (v − h k x)/(1 + h b + h² k),   x + h v₁                                              (1)
// and the solver with one bilateral row, which must be (1).
#include <algorithm>
#include <array>
#include <cmath>

#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

struct EulerCase {
  const char* method;
  double h, k, b;
};
using EulerState = std::array<double, 2>;  // x, v

EulerState euler_step(const EulerCase& one, const EulerState& s) {
  if (one.method[0] == 'e') return {s[0] + one.h * s[1], s[1] - one.h * (one.k * s[0] + one.b * s[1])};
  const double stiff = one.method[0] == 's' ? 0.0 : one.h * one.h * one.k;
  const double v = (s[1] - one.h * one.k * s[0]) / (1.0 + one.h * one.b + stiff);
  return {s[0] + one.h * v, v};
}

double calc_modulus(const EulerCase& one) {
  const EulerState first = euler_step(one, {1.0, 0.0}), second = euler_step(one, {0.0, 1.0});
  const double trace = first[0] + second[1], determinant = first[0] * second[1] - second[0] * first[1];
  const double inside = trace * trace - 4.0 * determinant;
  return inside < 0.0 ? std::sqrt(determinant) : 0.5 * (std::abs(trace) + std::sqrt(inside));
}

void draw_euler(StudyOutput& output, const std::string& figure, const EulerCase& one, double end) {
  std::vector<double> x, t;
  EulerState state = {1.0, 0.0};
  const long steps = std::lround(end / one.h), every = std::max(1L, steps / 400);
  for (long i = 0; i <= steps; ++i, state = euler_step(one, state)) {
    if (i % every != 0) continue;
    t.push_back(one.h * static_cast<double>(i));
    x.push_back(state[0]);
  }
  draw_curve(output, figure, fmt::format("h = {:g}, k = {:g}, b = {:g}", one.h, one.k, one.b), "t, s", "x, m", t, x);
}

// The largest |v₁ − (1)| over the larger of the speeds before and after, along the solver's own trajectory.
double compare_particle(double h, double k, double b, StepTally& tally) {
  CompliantProblem problem;
  problem.h = h;
  problem.mass.append(MatrixXd::Identity(1, 1));
  problem.v = problem.f = VectorXd::Zero(1);
  clear_rows(problem);
  problem.bilateral.G.add_row({0, std::array{1.0}});
  size_rows(problem.bilateral, 1);
  problem.bilateral.K(0) = k;
  problem.bilateral.B(0) = b;
  Stepper stepper(Compliant{});
  const EulerCase one{"implicit", h, k, b};
  EulerState state = {1.0, 0.0};
  double worst = 0.0;
  for (int i = 0; i < 100 && std::abs(state[0]) > 1e-100; ++i) {
    problem.v(0) = state[1];
    problem.bilateral.phi(0) = state[0];
    const double v = stepper.step(problem).v1(0);
    const double expected = euler_step(one, state)[1];
    worst = std::max(worst, std::abs(v - expected) / std::max(std::abs(state[1]), std::abs(expected)));
    state = {state[0] + h * v, v};
  }
  tally.add(stepper.tally);
  return worst;
}

}  // namespace

void report_euler(StudyOutput& output) {
  output.heading("Figures 1 to 3: the spring-mass-damper");
  struct Known {
    EulerCase one;
    double spec, digit;  // the spec's number, and half a unit of its last digit
  };
  const std::array<Known, 8> table = {{{{"explicit", 1e-5, 1e6, 1.0}, 1.0000450, 5e-8},
                                       {{"explicit", 1e-5, 1e6, 10.0}, 1.0, 1e-12},
                                       {{"explicit", 1e-5, 1e6, 2e5}, 0.99995, 5e-6},
                                       {{"explicit", 1e-5, 1e6, 2.1e5}, 1.09995, 5e-6},
                                       {{"semi-implicit", 1e-3, 1e6, 1.0}, 0.99950, 5e-6},
                                       {{"semi-implicit", 1e-3, 1e7, 1.0}, 7.864, 5e-4},
                                       {{"implicit", 1e-5, 1e6, 0.0}, 0.99995000, 5e-9},
                                       {{"implicit", 1e-2, 1e6, 0.0}, 0.0995037, 5e-8}}};
  double worst = 0.0;
  for (const Known& row : table) {
    const double modulus = calc_modulus(row.one);
    worst = std::max(worst, std::abs(modulus - row.spec) / row.digit);
    output.line(fmt::format("  {:<14} h = {:<7g} k = {:<7g} b = {:<9g} modulus {:.9g}", row.one.method, row.one.h,
                            row.one.k, row.one.b, modulus));
    output.object(
        "modulus",
        {{"method", row.one.method}, {"h", row.one.h}, {"k", row.one.k}, {"b", row.one.b}, {"modulus", modulus}});
  }
  draw_euler(output, "Figure 1: explicit Euler, b = 1", table[0].one, 0.05);
  draw_euler(output, "Figure 1: explicit Euler, b = 2e5", table[2].one, 0.01);
  draw_euler(output, "Figure 1: explicit Euler, b = 2.1e5", table[3].one, 4e-4);
  draw_euler(output, "Figure 2: semi-implicit Euler, k = 1e6", table[4].one, 0.2);
  draw_euler(output, "Figure 2: semi-implicit Euler, k = 1e7", table[5].one, 0.005);
  draw_euler(output, "Figure 3: implicit Euler", table[6].one, 0.05);
  draw_euler(output, "Figure 3: implicit Euler", table[7].one, 0.05);

  const auto modulus = [&](std::size_t i) { return calc_modulus(table[i].one); };
  output.claim("explicit Euler, h = 1e-5, k = 1e6: unstable for b = 1, stable for 2e5, unstable for 2.1e5", "figure 1",
               fmt::format("{:.7f}, {:.5f}, {:.5f}", modulus(0), modulus(2), modulus(3)),
               reproduced_if(modulus(0) > 1.0 && modulus(2) < 1.0 && modulus(3) > 1.0));
  output.claim("explicit Euler is not stable for any step size", "said of all b",
               fmt::format("b = 2e5: {:.5f}; b = 10 is the limit: {:.16f}", modulus(2), modulus(1)),
               "differs because it is true of b = 0 alone: stable where h k < b and h b − h² k/2 < 2 m");
  double low = 1e6, high = 1e7;
  while (high - low > 1.0) {
    const double k = 0.5 * (low + high);
    (calc_modulus({"semi-implicit", 1e-3, k, 1.0}) <= 1.0 ? low : high) = k;
  }
  output.claim("semi-implicit Euler, h = 1e-3, b = 1: stable for k = 1e6, not for 1e7", "figure 2",
               fmt::format("{:.5f}, {:.3f}; the limit is k = {:.4g} (4 m + 2 h b)/h²", modulus(4), modulus(5), low),
               reproduced_if(modulus(4) < 1.0 && modulus(5) > 1.0));
  output.claim("implicit Euler is stable for any step, and damps what has no damping", "figure 3, k = 1e6, b = 0",
               fmt::format("h = 1e-5: {:.8f}, h = 1e-2: {:.7f}", modulus(6), modulus(7)),
               reproduced_if(modulus(6) < 1.0 && modulus(7) < 1.0));
  output.promise("E.1: moduli as in the spec, to its digits", worst <= 1.0,
                 fmt::format("largest difference {:.2f} of half a unit of the last digit", worst));
  StepTally tally;
  double difference = 0.0;
  for (const double h : {1e-5, 1e-3, 1e-2, 0.1}) {
    for (const double k : {1e2, 1e6, 1e12}) {
      for (const double b : {0.0, 1.0, 1e4}) difference = std::max(difference, compare_particle(h, k, b, tally));
    }
  }
  output.promise("E.1: a particle with one row is implicit Euler to 1e-14", difference <= 1e-14,
                 fmt::format("h = 1e-5 … 0.1, k = 1e2 … 1e12, b = 0 … 1e4: {:.1e}", difference));
  promise_steps(output, "E.1", tally);
}

}  // namespace tribo
