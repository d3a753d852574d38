// The larger islands: sweeps as long as they pay, then the proximal point method with Newton's method inside.
//
// Sweeps      r_i ← the answer of contact i alone, in order, newest values used at once
// Proximal    centre c, weight α:  the same law for W + α I and q − α c, solved by Newton's method to a part of its merit; then
//             c ← the result, or beyond it after a while: c + ω (result − c). α falls while that works and rises when it does
//             not.
// Source    spec/cone §4, §5.
// Promise   none: the operator is not monotone, and a few problems that have an answer stay unsolved. A cap, and the residual of
//           the true problem as the only test, keep it honest.
// Operator: W by contacts (contact_operator.hpp) or by bodies (body_operator.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "solve/cone/cone_law.hpp"
#include "solve/cone/free_block.hpp"
#include "solve/cone/one_contact.hpp"

namespace tribo::cone {

struct IslandCounts {
  int sweeps = 0, newton = 0, outer = 0;
  bool unbounded = false;  // the reactions grew beyond any that double precision could balance
};

// give_way: ρ α of Newton's method; ρ is 1 where contacts are few. With the others at work beside it, a contact gives way by far
// less than its own block of W says, down to α where they could replace it: beside ρ = 1 the u of such contacts would count for
// nothing, and their friction would turn only by small steps. In heaps this takes a third of the steps.
struct ProximalStart {
  double alpha, give_way;
  int patience;  // centres without half the residual, where contacts are many
  bool careful;  // these are solved well and α falls slowly
};

template <int D, typename Operator>
class IslandSolver {
 public:
  static constexpr int L = kLanes<D>;

  Operator op;
  LaneVector q, r, u;  // in lanes, scaled
  LaneVector mu, inverse_scale;
  std::vector<std::uint8_t> bilateral;

  void resize(Index contacts) {
    const auto n = static_cast<std::size_t>(contacts);
    for (auto* x : {&q, &r, &u, &centre_, &best_r_, &best_u_, &dr_, &du_, &trial_r_, &trial_u_, &kept_, &speed_})
      x->assign(n * L, 0.0);
    mu.resize(n);
    inverse_scale.resize(n);
    bilateral.assign(n, 0);
    linear_.resize(n);
  }
  Index contacts() const { return static_cast<Index>(mu.size()); }

  // u and the residual of r, in the caller's unit.
  double evaluate() {
    op.multiply(r.data(), u.data());
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += q[k];
    return residual(r, u);
  }

  // r from the states of the contacts alone: a linear system, and again where that turns the slip of sliding contacts. False:
  // it is singular; r is then as it was.
  bool start_from(const ContactState* states, int& factorizations) {
    u = q;
    bool slides = true;
    for (int pass = 0; pass < 2 && slides; ++pass) {
      slides = false;
      for (Index i = 0; i < contacts(); ++i) {
        linearize_as<D>(states[i], q.data() + i * L, u.data() + i * L, mu[i], bilateral[i] != 0, linear_[i]);
        slides = slides || (states[i] == ContactState::kSlide && mu[i] > 0.0);
      }
      ++factorizations;
      if (!op.newton(linear_.data(), 1e-8, dr_.data())) return pass > 0;
      r = dr_;
      evaluate();
    }
    project_all();
    return true;
  }

  // True: solved. `limit`: the most sweeps; `minimum`: before giving up because they do not pay (limit: never).
  bool sweeps(double tolerance, int limit, int minimum, IslandCounts& counts);
  // `most_newton`: steps of Newton's method after which no further centre is begun.
  bool proximal(double tolerance, int max_outer, int most_newton, const ProximalStart& start, IslandCounts& counts);
  // From a point that is good enough: a few Newton steps, kept while they bring the residual down.
  void polish(double tolerance, IslandCounts& counts);

 private:
  static constexpr double kUnbounded = 1e11;  // scaled reactions over scaled velocities
  static constexpr double kPatience = 10.0;   // sweeps that may still be needed at the present rate
  // How well the problem of one centre is solved, after how many steps that have not halved its merit, or in all, it is given up,
  // how fast α falls, and after one step that did much, and by how much a step may raise the merit. Large islands do better with
  // many rough centres and full steps: they wait for few of their contacts. Small ones would fail more often, and so would walls
  // that are hit: their impulses drift by far among many redundant contacts, and a path that long must be followed.
  struct Pace {
    double enough;
    int hopeless, most;
    double fall, easy_fall, detour;
  };
  static constexpr double kMostRho = 1e4, kEasy = 1e-2;
  static constexpr double kAligned = 0.95;                    // cosine
  static constexpr double kBeyond = 1.5, kFarBeyond = 3.0;    // ω
  static constexpr int kLong = 20;                            // centres, after which points that repel are looked for
  static constexpr double kNearby = 1e3, kLeastStart = 1e-5;  // α from the residual of a start that is nearly an answer
  static constexpr Index kFew = 24;                           // contacts
  static constexpr Pace kSmallPace = {1e-2, 8, 30, 0.1, 0.1, 0.0}, kLargePace = {0.3, 4, 8, 0.3, 0.03, 10.0},
                        kCarefulPace = {1e-2, 10, 30, 0.7, 0.7, 10.0};

  double residual(const LaneVector& r_at, const LaneVector& u_at) const {
    double worst = 0.0;
    for (Index i = 0; i < contacts(); ++i) {
      const double at =
          residual_at<D>(r_at.data() + i * L, u_at.data() + i * L, mu[i], bilateral[i] != 0) * inverse_scale[i];
      worst = std::isnan(at) ? std::numeric_limits<double>::infinity() : std::max(worst, at);
    }
    return worst;
  }
  void project_all() {
    for (Index i = 0; i < contacts(); ++i) {
      if (bilateral[i] == 0) project<D>(r.data() + i * L, mu[i]);
    }
  }
  static double largest(const LaneVector& x) {
    double most = 0.0;
    for (const double value : x) most = std::max(most, std::abs(value));
    return most;
  }
  // |F|² with u + α (r − c).
  double theta(const LaneVector& r_at, const LaneVector& u_at, double alpha, double rho) const {
    double sum = 0.0;
    for (Index i = 0; i < contacts(); ++i) {
      double eased[L];
      ease(r_at, u_at, alpha, i, eased);
      sum += merit<D>(r_at.data() + i * L, eased, mu[i], bilateral[i] != 0, rho);
    }
    return sum;
  }
  void ease(const LaneVector& r_at, const LaneVector& u_at, double alpha, Index i, double* out) const {
    store<D>(out,
             load<D>(u_at.data() + i * L) + (load<D>(r_at.data() + i * L) - load<D>(centre_.data() + i * L)) * alpha);
  }
  // The operator is not monotone: beside points that repel, centre follows centre in one direction and faster each time, and a
  // smaller α would only lead back. True: so it is with this one and the last, and away from there is the way.
  bool is_repelled(double alpha) {
    double now = 0.0, last = 0.0, both = 0.0;
    for (std::size_t k = 0; k < r.size(); ++k) {
      const double speed = alpha * (r[k] - centre_[k]);
      now += speed * speed;
      last += speed_[k] * speed_[k];
      both += speed * speed_[k];
      speed_[k] = speed;
    }
    return last > 0.0 && now > last && both > kAligned * std::sqrt(now * last);
  }
  void sweep();
  bool inner(const Pace& pace, double alpha, double rho, double theta_0, int& steps, double& best_theta,
             IslandCounts& counts);

  LaneVector centre_, best_r_, best_u_, dr_, du_, trial_r_, trial_u_, kept_, speed_;
  std::vector<Linear<D>> linear_;
};

template <int D, typename Operator>
void IslandSolver<D, Operator>::sweep() {
  op.begin_sweeps(r.data());
  for (Index i = 0; i < contacts(); ++i) {
    double b[L], next[L] = {}, change[L];
    store<D>(b, load<D>(q.data() + i * L) + op.others(i, r.data()));
    const double* A = op.diagonal(i);
    if (bilateral[i] != 0) {
      solve_free_block<D>(A, b, next);
    } else if (!solve_one_contact<D>(A, b, mu[i], next)) {
      double velocity[L];
      store<D>(velocity, load<D>(b) + times<D>(A, r.data() + i * L));
      for (int k = 0; k < D; ++k) next[k] = r[i * L + k] - velocity[k];
      next[0] -= mu[i] * tangent_norm<D>(velocity);
      project<D>(next, mu[i]);
    }
    store<D>(change, load<D>(next) - load<D>(r.data() + i * L));
    store<D>(r.data() + i * L, load<D>(next));
    op.moved(i, change);
  }
}

template <int D, typename Operator>
bool IslandSolver<D, Operator>::sweeps(double tolerance, int limit, int minimum, IslandCounts& counts) {
  double last = evaluate();
  if (last <= tolerance) return true;
  int last_test = 0, next_test = 1;
  for (int k = 1; k <= limit; ++k) {
    sweep();
    ++counts.sweeps;
    if (k < next_test && k < limit) continue;
    const double now = evaluate();
    if (now <= tolerance) return true;
    const double rate = std::pow(now / last, 1.0 / (k - last_test));
    const double need =
        rate < 1.0 ? std::log(tolerance / now) / std::log(rate) : std::numeric_limits<double>::infinity();
    // A factorization may cost as much as many sweeps (contact graphs that are nearly complete); twice its price first.
    if (k >= minimum && !(need <= kPatience) && minimum < limit && k >= std::min(60.0, 2.0 * op.factor_cost())) {
      return false;
    }
    last = now;
    last_test = k;
    next_test = k < 4 ? k + 1 : (k < 8 ? k + 2 : k + 5);
  }
  return false;
}

// Newton's method for the problem of one centre; r, u move, best_* is the best point met.
template <int D, typename Operator>
bool IslandSolver<D, Operator>::inner(const Pace& pace, double alpha, double rho, double theta_0, int& steps,
                                      double& best_theta, IslandCounts& counts) {
  double now = theta_0;
  best_theta = theta_0;
  best_r_ = r;
  best_u_ = u;
  int bad = 0;
  for (steps = 0; steps < pace.most;) {
    for (Index i = 0; i < contacts(); ++i) {
      double eased[L];
      ease(r, u, alpha, i, eased);
      linearize<D>(r.data() + i * L, eased, mu[i], bilateral[i] != 0, linear_[i], rho);
    }
    ++counts.newton;
    ++steps;
    if (!op.newton(linear_.data(), alpha, dr_.data())) return false;
    op.multiply(dr_.data(), du_.data());
    double step = 1.0, next = 0.0;
    bool found = false;
    for (int halving = 0; halving < 10; ++halving, step *= 0.5) {
      for (std::size_t k = 0; k < r.size(); ++k) {
        trial_r_[k] = r[k] + step * dr_[k];
        trial_u_[k] = u[k] + step * du_[k];
      }
      next = theta(trial_r_, trial_u_, alpha, rho);
      if (next <= std::max((1.0 - 1e-4 * step) * now, pace.detour * std::min(now, theta_0))) {
        found = true;
        break;
      }
    }
    if (!found) {
      if (bad == 3) return false;
      ++bad;
      for (std::size_t k = 0; k < r.size(); ++k) {
        trial_r_[k] = r[k] + dr_[k];
        trial_u_[k] = u[k] + du_[k];
      }
      next = theta(trial_r_, trial_u_, alpha, rho);
      if (!std::isfinite(next)) return false;
    }
    r.swap(trial_r_);
    u.swap(trial_u_);
    now = next;
    if (now < best_theta) {
      best_theta = now;
      best_r_ = r;
      best_u_ = u;
      bad = 0;
    }
    if (now < pace.enough * theta_0) return true;
    if (steps >= pace.hopeless && best_theta > 0.5 * theta_0) return false;
  }
  return false;
}

template <int D, typename Operator>
void IslandSolver<D, Operator>::polish(double tolerance, IslandCounts& counts) {
  constexpr double kAlpha = 1e-9;
  const double rho = contacts() <= kFew ? 1.0 : kMostRho;
  double reached = evaluate();
  for (int step = 0; step < 3 && reached > tolerance; ++step) {
    best_r_ = r;
    for (Index i = 0; i < contacts(); ++i) {
      linearize<D>(r.data() + i * L, u.data() + i * L, mu[i], bilateral[i] != 0, linear_[i], rho);
    }
    ++counts.newton;
    if (!op.newton(linear_.data(), kAlpha, dr_.data())) return;
    for (std::size_t k = 0; k < r.size(); ++k) r[k] += dr_[k];
    const double now = evaluate();
    if (!(now < reached)) {
      r = best_r_;
      return;
    }
    reached = now;
  }
}

template <int D, typename Operator>
bool IslandSolver<D, Operator>::proximal(double tolerance, int max_outer, int most_newton, const ProximalStart& start,
                                         IslandCounts& counts) {
  double alpha = start.alpha;
  const int last = most_newton < std::numeric_limits<int>::max() - counts.newton ? counts.newton + most_newton
                                                                                 : std::numeric_limits<int>::max();
  double res = evaluate();
  if (res <= tolerance) return true;
  const bool few = contacts() <= kFew;
  Pace pace = few ? kSmallPace : start.careful ? kCarefulPace : kLargePace;
  const bool near = !few && kNearby * res < alpha;
  if (near) alpha = std::max(kNearby * res, kLeastStart);
  // An approach at a contact with a large coefficient counts by its mu-th part: there, too, what raises the merit leads astray.
  if (near || *std::max_element(mu.begin(), mu.end()) > 1.0) pace.detour = 0.0;
  double least = 0.0, kept = res;
  kept_ = r;
  std::fill(speed_.begin(), speed_.end(), 0.0);
  int failures = 0, halved = 0;  // the centre at which the least residual was last half of what it had been
  double half = 0.5 * res;
  const auto keep = [&](int outer) {  // res is not monotone along the iteration
    if (!(res < kept)) return;
    kept = res;
    kept_ = r;
    if (res > half) return;
    half = 0.5 * res;
    halved = outer;
  };
  for (int outer = 1; outer <= max_outer && (few || outer <= halved + start.patience); ++outer) {
    if (counts.newton >= last) break;
    ++counts.outer;
    centre_ = r;
    const double before = res;
    const double rho = few ? 1.0 : std::clamp(start.give_way / alpha, 1.0, kMostRho);
    const double theta_0 = theta(r, u, alpha, rho);
    int steps = 0;
    double reached = theta_0;
    inner(pace, alpha, rho, theta_0, steps, reached, counts);
    r = best_r_;
    res = evaluate();
    if (res <= tolerance) return true;
    keep(outer);
    if (largest(r) > kUnbounded * largest(q)) {
      counts.unbounded = true;
      break;
    }
    if (!(reached < pace.enough * theta_0)) {
      if (!(res < 0.9 * before)) {
        r = centre_;
        res = evaluate();
      }
      alpha = std::min(5.0 * alpha, 1e3);
      least = alpha;
      std::fill(speed_.begin(), speed_.end(), 0.0);
      if (++failures >= 30) break;
      continue;
    }
    failures = 0;
    const bool repelled = !few && !start.careful && is_repelled(alpha) && outer > kLong;
    const bool easy = steps == 1 && reached < kEasy * theta_0;
    const double factor = repelled ? 1.0 : easy ? pace.easy_fall : steps <= 6 ? pace.fall : (steps < 15 ? 0.7 : 1.5);
    alpha = std::max({alpha * factor, least, Operator::kLeastAlpha});
    least *= few ? 0.5 : pace.fall;
    if (repelled || (few && outer >= 10)) {  // where contacts are few, step often follows step in one direction
      const double beyond = repelled ? kFarBeyond : kBeyond;
      for (std::size_t k = 0; k < r.size(); ++k) r[k] = centre_[k] + beyond * (r[k] - centre_[k]);
      if (repelled) project_all();
      res = evaluate();
    }
  }
  r = kept_;
  return false;
}

}  // namespace tribo::cone
