// What the two active-set methods share: start from an index set, the dual steps themselves, and the way out.
#pragma once

#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/pivot/active_set.hpp"

namespace tribo {

// Scratch of one method, sized once.
struct ActiveSetScratch {
  VectorXd z;            // over A by position
  VectorXd w;            // over all rows; zero where a row is in A, or is violated by rounding alone
  double skipped = 0.0;  // the largest violation taken for rounding since w was computed, in units of row_norm

  template <typename Set>
  void update_slack(Set& set) {
    set.slack(z, w);
    skipped = 0.0;
  }
  template <typename Set>
  void skip(Set& set, Index p) {
    skipped = std::max(skipped, -w(p) / set.row_norm(p));
    w(p) = 0.0;
    set.forget(p, w);
  }

  void reserve(Index n) {
    if (z.size() >= n + 1) return;
    z.setZero(n + 1);
    w.setZero(n + 1);
  }
};

// A ← the independent rows among the caller's.
template <typename Set>
void start_from(Set& set, const WarmStart& warm) {
  if (warm.states.empty()) return;
  set.for_each_row([&](Index i, Index row) {
    if (warm.states[row] == IndexState::kActive && set.test(i)) set.append(i);
  });
}

// Drops rows until z_A ≥ 0; leaves z of the rest in scratch. Returns how many were dropped.
template <typename Set>
int drop_negative(Set& set, ActiveSetScratch& scratch) {
  int dropped = 0;
  while (true) {
    set.solve(scratch.z);
    Index worst = -1;
    double largest = 0.0;
    for (Index p = 0; p < set.size(); ++p) {
      largest = std::max(largest, std::abs(scratch.z(p)) * set.active_norm(p));
    }
    double least = -1e-13 * largest;  // what rounding may leave of a zero
    for (Index p = 0; p < set.size(); ++p) {
      const double scaled = scratch.z(p) * set.active_norm(p);
      if (scaled < least) {
        least = scaled;
        worst = p;
      }
    }
    if (worst < 0) return dropped;
    set.remove(worst);
    ++dropped;
  }
}

// The most violated row outside A, in units of row_norm; −1: none beyond rounding.
template <typename Set>
Index most_violated(Set& set, ActiveSetScratch& scratch) {
  while (true) {
    const Index p = set.find_violated(scratch.w, set.floor());
    if (p < 0 || set.is_negative(p, scratch.w(p), scratch.z)) return p;
    scratch.skip(set, p);
  }
}

// The dual active set method proper, from whatever A the set holds.
template <typename Set>
SolveReport run_dual_steps(Set& set, int limit, ActiveSetScratch& scratch, Evidence& evidence) {
  SolveReport report;
  VectorXd& z = scratch.z;
  VectorXd& w = scratch.w;
  report.pivots += drop_negative(set, scratch);
  scratch.update_slack(set);

  while (true) {
    const Index p = most_violated(set, scratch);
    if (p < 0) break;
    double z_p = 0.0;
    double w_p = w(p);
    while (true) {
      if (report.pivots >= limit) {
        report.status = Status::kIterationLimit;
        report.detail = "the limit of steps was reached";
        return report;
      }
      const bool dependent = !set.test(p);
      const double d2 = set.schur();
      const VectorXd& r = set.direction();  // (1)
      Index blocking = -1;
      double partial = std::numeric_limits<double>::infinity();
      double largest = 0.0;
      for (Index j = 0; j < set.size(); ++j) largest = std::max(largest, std::abs(r(j)) * set.active_norm(j));
      for (Index j = 0; j < set.size(); ++j) {
        if (r(j) * set.active_norm(j) <= 1e-13 * largest) continue;
        const double ratio = std::max(0.0, z(j)) / r(j);
        if (ratio < partial) {
          partial = ratio;
          blocking = j;
        }
      }
      const double full = dependent ? std::numeric_limits<double>::infinity() : -w_p / d2;
      if (blocking < 0 && dependent && set.is_noise(p, w_p, z)) {  // p is satisfied as far as rounding can tell
        if (z_p > 0.0) {                                           // A has changed on the way
          report.pivots += drop_negative(set, scratch);
          scratch.update_slack(set);
        }
        scratch.skip(set, p);
        break;
      }
      if (blocking < 0 && dependent) {  // (4)
        report.index = set.caller_row(p);
        if (!set.farkas(p, evidence.y)) {
          evidence.clear();
          report.detail = "rows are too nearly dependent to tell whether an answer exists";
          return report;
        }
        evidence.kind = Evidence::Kind::kFarkas;
        evidence.y = evidence.y.cwiseMax(0.0);
        report.status = Status::kInfeasible;
        report.detail = "a combination of rows cannot be satisfied";
        return report;
      }
      const double s = std::min(partial, full);
      z.head(set.size()) -= s * r.head(set.size());  // (2)
      z_p += s;
      ++report.pivots;
      if (full <= partial) {  // (3)
        set.append(p);
        report.pivots += drop_negative(set, scratch);
        scratch.update_slack(set);
        break;
      }
      if (!dependent) w_p += s * d2;
      const Index last = set.size() - 1;
      set.remove(blocking);
      for (Index j = blocking; j < last; ++j) z(j) = z(j + 1);
    }
  }
  report.status = Status::kSolved;
  return report;
}

}  // namespace tribo
