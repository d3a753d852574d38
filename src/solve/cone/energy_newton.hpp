// Islands on which the proximal point method of island_solver.hpp loses its way: the same centres, with the law kept
// exactly and the balance of momentum brought to zero, by Newton's method under an energy that falls.
//
// Centre c, weight α. Impulses follow from the velocities u = W r + q by
//     y = c − u/α,    s_N = max(y_N, 0),    s_T = the point of |s_T| ≤ g next to y_T,    g = mu s_N               (1)
// and what is asked is a motion that its own impulses cause,
//     F = W (r − s) = 0,    measured by x·W x,  x = r − s: twice the kinetic energy of the error                  (2)
// With g held fixed, (1) and (2) are what makes
//     E(r) = ½ r·W r + Σ (α/2) max(y_N, 0)² + Σ (Huber's function of |y_T|, α and g)                              (3)
// least: it is convex in the motion W r, has a continuous derivative x·W dr along dr, and Newton's method with a line
// search reaches its minimum from anywhere. So:
//     coupled  Newton's step with g = mu s_N at work, taken while it lowers (2) by a part
//     bounded  where it does not: g ← mu s_N, and Newton's steps on (3) until its derivative has fallen to a tenth
//     centre   c ← s once (2) has fallen to a hundredth; α falls slowly, since the path of the answers over α is
//              smooth
// Differs   island_solver.hpp lowers |F|² of the Alart–Curnier function in r. Redundant contacts and dry friction
//           give that function local minima even where the problem is convex: a robot in the air, with dry friction in
//           44 joints and closed loops, took 2,000 steps there and takes 25 here.
//           u is never computed from r again but followed by increments: 1/α would turn the rounding of u into
//           impulses.
// Needs     W symmetric and positive semidefinite: where it is not, a line search may mislead, and the residual tells.
// Promise   the bounded step finds the answer of (3). None for the whole, since friction is not associated.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/cone/island_solver.hpp"

namespace tribo::cone {

template <int D, typename Operator>
class EnergyNewton {
 public:
  static constexpr int L = kLanes<D>;

  // From island.r, with α at first; true: solved, and the answer is island.r. Otherwise island.r is the best point
  // met.
  bool solve(IslandSolver<D, Operator>& island, double first_alpha, double tolerance, int most_newton,
             IslandCounts& counts);

 private:
  static constexpr double kMostAlpha = 1.0, kLeastAlpha = 1e-9;
  static constexpr double kFall = 0.3, kRise = 10.0;
  static constexpr double kEnough = 1e-2;      // of |F|, for one centre
  static constexpr double kDescent = 0.3;      // of |F|, that a coupled step of length one must bring
  static constexpr double kBoundedPart = 0.1;  // of |F|, for one bounded pass
  static constexpr double kFlat = 0.2;         // of the derivative along a bounded step
  static constexpr int kMostInner = 25;        // steps of one centre
  static constexpr int kMostOuter = 100;
  static constexpr double kGoal = 1e-3;  // of the tolerance, which a few centres more may reach
  static constexpr int kBeyond = 3;
  static constexpr double kRounding = 1e-15;  // of the motion

  // (1), with g = mu s_N or held.
  void calc_impulses(const IslandSolver<D, Operator>& island, const LaneVector& u, bool held);
  double calc_error(const IslandSolver<D, Operator>& island);  // |F|: x of (2) from r_, s_
  bool find_step(IslandSolver<D, Operator>& island, bool held);
  bool take_coupled(IslandSolver<D, Operator>& island, double& error, IslandCounts& counts);
  void take_bounded(IslandSolver<D, Operator>& island, int& steps, IslandCounts& counts);
  void search(const IslandSolver<D, Operator>& island);
  void linearize_at(const IslandSolver<D, Operator>& island, Index i, bool held, Linear<D>& out) const;

  double alpha_ = 0.0, least_error_ = 0.0;
  LaneVector centre_, r_, u_, s_, x_, Wx_, dr_, du_, trial_r_, trial_u_, best_, g_;
  std::vector<Linear<D>> linear_;
};

template <int D, typename Operator>
void EnergyNewton<D, Operator>::calc_impulses(const IslandSolver<D, Operator>& island, const LaneVector& u, bool held) {
  const double over = 1.0 / alpha_;
  for (Index i = 0; i < island.contacts(); ++i) {
    const Lanes<D> y = load<D>(centre_.data() + i * L) - load<D>(u.data() + i * L) * over;
    double* s = s_.data() + i * L;
    store<D>(s, y);
    if (island.bilateral[i] != 0) continue;
    s[0] = std::max(s[0], 0.0);
    const double most = held ? g_[i] : island.mu[i] * s[0];
    const double length = tangent_norm<D>(s);
    if (length <= most) continue;
    const double fit = most / length;
    for (int k = 1; k < D; ++k) s[k] *= fit;
  }
}

template <int D, typename Operator>
double EnergyNewton<D, Operator>::calc_error(const IslandSolver<D, Operator>& island) {
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = r_[k] - s_[k];
  island.op.multiply(x_.data(), Wx_.data());
  double sum = 0.0;
  for (std::size_t k = 0; k < x_.size(); ++k) sum += x_[k] * Wx_[k];
  return std::sqrt(std::max(sum, 0.0));
}

// dr of s + (∂s/∂u) W dr = r + dr, in the form of cone_law.hpp (2) with ρ = 1/α.
template <int D, typename Operator>
void EnergyNewton<D, Operator>::linearize_at(const IslandSolver<D, Operator>& island, Index i, bool held,
                                             Linear<D>& out) const {
  const double over = 1.0 / alpha_, mu = island.mu[i];
  const double* r = r_.data() + i * L;
  const double* u = u_.data() + i * L;
  const double* c = centre_.data() + i * L;
  double y[L], eased[L];
  for (int k = 0; k < L; ++k) {
    y[k] = c[k] - u[k] * over;
    eased[k] = u[k] + alpha_ * (r[k] - c[k]);
  }
  out.extra = 0.0;
  out.first_extra = 1;
  for (int k = 0; k < L; ++k) out.c[k] = out.value[k] = 0.0;
  const double length = tangent_norm<D>(y);
  const bool pushes = y[0] > 0.0 || island.bilateral[i] != 0;
  const double radius = held ? g_[i] : mu * std::max(y[0], 0.0);
  const bool sticks = island.bilateral[i] != 0 || (radius > 0.0 && length <= radius);
  if (sticks && pushes) {
    for (int k = 0; k < kBlock<D>; ++k) out.T[k] = out.E[k] = 0.0;
    out.kind = Kind::kStick;
    out.unknowns = D;
    for (int k = 0; k < D; ++k) {
      out.T[k * L + k] = out.E[k * L + k] = 1.0;
      out.value[k] = eased[k];
    }
    return;
  }
  out.unknowns = 0;
  out.kind = Kind::kOpen;
  if (!pushes && !(radius > 0.0)) {
    for (int k = 0; k < D; ++k) out.c[k] = -r[k];
    return;
  }
  for (int k = 0; k < kBlock<D>; ++k) out.T[k] = out.E[k] = 0.0;
  out.kind = Kind::kSlide;
  if (pushes) {
    out.T[0] = out.E[0] = 1.0;
    out.value[0] = eased[0];
    out.unknowns = 1;
  } else {
    out.c[0] = -r[0];
  }
  if (sticks) {  // under a bound that is held a contact may let go and still rub
    for (int k = 1; k < D; ++k, ++out.unknowns) {
      out.T[out.unknowns * L + k] = 1.0;
      out.E[k * L + out.unknowns] = 1.0;
      out.value[out.unknowns] = eased[k];
    }
    return;
  }
  if (!(radius > 0.0)) {
    for (int k = 1; k < D; ++k) out.c[k] = -r[k];
    out.kind = Kind::kFrictionless;
    return;
  }
  // F_T = r_T − k y_T; along n the step is known, or follows the normal force; across n it is a row.
  const double k_slide = radius / length;
  double n[D], along = 0.0;
  for (int k = 1; k < D; ++k) {
    n[k] = y[k] / length;
    along += n[k] * r[k];
  }
  for (int k = 1; k < D; ++k) {
    // s_T·n after the step: mu (r_N + dr_N) where the bound follows the load, g where it is held.
    out.c[k] = n[k] * ((held ? radius : mu * r[0]) - along);
    if (!held && pushes) out.T[k] = mu * n[k];
  }
  if constexpr (D > 2) {
    const double sign = n[1] >= 0.0 ? 1.0 : -1.0;
    double w[D];
    for (int k = 1; k < D; ++k) w[k] = n[k];
    w[1] += sign;
    const double beta = 1.0 / (1.0 + std::abs(n[1]));  // 2/|w|²
    for (int j = 2; j < D; ++j, ++out.unknowns) {
      double across = 0.0;
      for (int k = 1; k < D; ++k) {
        const double q = (k == j ? 1.0 : 0.0) - beta * w[j] * w[k];
        out.T[out.unknowns * L + k] = q;
        out.E[k * L + out.unknowns] = over * k_slide * q;
        across += q * r[k];
      }
      out.value[out.unknowns] = across;
    }
    out.extra = 1.0 - k_slide;
    out.first_extra = pushes ? 1 : 0;
  }
}

// dr_ and du_ = W dr from where it is; false: no regular matrix.
template <int D, typename Operator>
bool EnergyNewton<D, Operator>::find_step(IslandSolver<D, Operator>& island, bool held) {
  for (Index i = 0; i < island.contacts(); ++i) linearize_at(island, i, held, linear_[i]);
  if (!island.op.newton(linear_.data(), alpha_, dr_.data())) return false;
  island.op.multiply(dr_.data(), du_.data());
  return true;
}

// A coupled step of full or half length. False: neither lowers the error by its part; nothing has moved.
template <int D, typename Operator>
bool EnergyNewton<D, Operator>::take_coupled(IslandSolver<D, Operator>& island, double& error, IslandCounts& counts) {
  ++counts.newton;
  if (!find_step(island, false)) return false;
  r_.swap(trial_r_);
  u_.swap(trial_u_);
  for (double step = 1.0; step > 0.4; step *= 0.5) {
    for (std::size_t k = 0; k < r_.size(); ++k) {
      r_[k] = trial_r_[k] + step * dr_[k];
      u_[k] = trial_u_[k] + step * du_[k];
    }
    calc_impulses(island, u_, false);
    const double next = calc_error(island);
    if (!(next < (1.0 - kDescent * step) * error)) continue;
    error = next;
    return true;
  }
  r_.swap(trial_r_);
  u_.swap(trial_u_);
  calc_impulses(island, u_, false);
  return false;
}

// Along dr_ to where the derivative of (3) is a part of what it was: by false position, it is monotone.
template <int D, typename Operator>
void EnergyNewton<D, Operator>::search(const IslandSolver<D, Operator>& island) {
  const auto slope_at = [&](double step) {
    for (std::size_t k = 0; k < u_.size(); ++k) trial_u_[k] = u_[k] + step * du_[k];
    calc_impulses(island, trial_u_, true);
    double sum = 0.0;
    for (std::size_t k = 0; k < u_.size(); ++k) sum += (r_[k] + step * dr_[k] - s_[k]) * du_[k];
    return sum;
  };
  const double first = slope_at(0.0);
  double low = 0.0, low_slope = first, high = 0.0, high_slope = 0.0, step = 1.0;
  bool bracketed = false;
  for (int k = 0; k < 30; ++k) {
    const double slope = slope_at(step);
    const double flat = kFlat * std::abs(first);
    if (slope <= flat && (slope >= -flat || !bracketed)) break;
    if (slope > 0.0) {
      bracketed = true;
      high = step;
      high_slope = slope;
    } else {
      low = step;
      low_slope = slope;
    }
    step = low + std::clamp(low_slope / (low_slope - high_slope), 0.1, 0.9) * (high - low);
  }
  for (std::size_t k = 0; k < r_.size(); ++k) r_[k] += step * dr_[k];
  u_.swap(trial_u_);
}

// Newton's steps on (3) with the bounds of the present point.
template <int D, typename Operator>
void EnergyNewton<D, Operator>::take_bounded(IslandSolver<D, Operator>& island, int& steps, IslandCounts& counts) {
  for (Index i = 0; i < island.contacts(); ++i) g_[i] = island.mu[i] * s_[i * L];
  calc_impulses(island, u_, true);
  const double first = calc_error(island);
  for (double error = first; steps < kMostInner && error >= kBoundedPart * first && error > least_error_;) {
    ++counts.newton;
    ++steps;
    if (!find_step(island, true)) return;
    search(island);
    error = calc_error(island);
  }
}

template <int D, typename Operator>
bool EnergyNewton<D, Operator>::solve(IslandSolver<D, Operator>& island, double first_alpha, double tolerance,
                                      int most_newton, IslandCounts& counts) {
  const auto n = static_cast<std::size_t>(island.contacts()) * L;
  for (auto* x : {&s_, &x_, &Wx_, &dr_, &du_, &trial_r_, &trial_u_}) x->assign(n, 0.0);
  g_.assign(static_cast<std::size_t>(island.contacts()), 0.0);
  linear_.resize(static_cast<std::size_t>(island.contacts()));
  double best = island.evaluate();
  if (best <= tolerance) return true;
  r_ = centre_ = best_ = island.r;
  u_ = island.u;
  alpha_ = first_alpha;
  double size = 0.0;
  for (std::size_t k = 0; k < n; ++k) size += island.q[k] * island.q[k];
  least_error_ = kRounding * std::sqrt(size);
  const int last = counts.newton + most_newton;
  int beyond = 0;  // centres since the tolerance was reached
  for (int outer = 0; outer < kMostOuter && counts.newton < last; ++outer) {
    ++counts.outer;
    calc_impulses(island, u_, false);
    double error = calc_error(island);
    const double enough = std::max(kEnough * error, least_error_);
    int steps = 0;
    while (error > enough && steps < kMostInner && std::isfinite(error)) {
      ++steps;
      if (take_coupled(island, error, counts)) continue;
      take_bounded(island, steps, counts);
      calc_impulses(island, u_, false);
      error = calc_error(island);
    }
    island.r = s_;
    const double reached = island.evaluate();
    const bool better = reached < best;
    if (better) {
      best = reached;
      best_ = s_;
    }
    // A few centres more: they are cheap now, and what comes back is compared with other answers.
    if (best <= kGoal * tolerance || (best <= tolerance && (!better || ++beyond > kBeyond))) break;
    if (!std::isfinite(error)) break;
    centre_ = s_;
    alpha_ = error <= enough ? std::max(alpha_ * kFall, kLeastAlpha) : std::min(alpha_ * kRise, kMostAlpha);
  }
  island.r = best_;
  return best <= tolerance;
}

}  // namespace tribo::cone
