#include "tribo/formulation/friction_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/reduction.hpp"

namespace tribo {

Checked BoxFormulation::update(const ContactProblem& problem) {
  n_ = problem.size();
  tangents_ = (problem.S.rows() > 0 ? 1 : 0) + (problem.T.rows() > 0 ? 1 : 0);
  if (n_ > 0 && tangents_ == 0) {
    return fail("the model 'friction-box' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (problem.level == Level::kAcceleration) {
    return fail("the model 'friction-box' is not available at acceleration level", "level",
                "use velocity level, or the models frictionless or viscous");
  }
  if (Checked updated = normal_.update(problem, Frictionless{}); !updated) return updated;
  if (!normal_.consistent()) return ok();

  const LeastDistance& distance = normal_.problem();
  const Index m = problem.dof(), size = (1 + tangents_) * n_;
  rows_.setZero(size, m);
  for (const PairRows::Run& run : distance.rows.runs()) {
    for (Index k = 0; k < run.count; ++k)
      distance.rows.add_scaled(run.position + k, 1.0, rows_.row(run.row + k).data());
  }
  for (Index t = 0; t < tangents_; ++t) {
    const BlockRows& family = t == 0 ? problem.S : problem.T;
    for (Index i = 0; i < n_; ++i) family.whiten(i, normal_.mass_factor(), rows_.row((1 + t) * n_ + i).data());
  }
  const Eigen::Map<const VectorXd> free(distance.start.data(), m);  // the velocity without contact forces
  box_.q.noalias() = rows_ * free;
  box_.q.head(n_) += problem.b_N;
  for (int pass = 0; pass < 2 && distance.rank > 0; ++pass) {  // twice, as in Gram–Schmidt
    for (Index i = 0; i < size; ++i) {
      for (Index k = 0; k < distance.rank; ++k) {
        const auto q = distance.Q().col(k);
        const double share = rows_.row(i).dot(q);
        rows_.row(i) -= share * q.transpose();
      }
    }
  }
  box_.M.noalias() = rows_ * rows_.transpose();
  box_.lo.setZero(size);
  box_.hi.setConstant(size, std::numeric_limits<double>::infinity());
  for (Index row = n_; row < size; ++row) {
    const double bound = problem.contacts[static_cast<std::size_t>((row - n_) % n_)].friction_bound;
    box_.lo(row) = -bound;
    box_.hi(row) = bound;
  }
  return ok();
}

void BoxFormulation::start(const StartValues& values, WarmStart& warm) const {
  warm.states.clear();
  if (values.impulses.f_n.size() != n_ || !(values.impulses.f_n.array() > 0.0).any()) {  // no load is known: cold
    warm.z.resize(0);
    return;
  }
  const Index size = (1 + tangents_) * n_;
  warm.z.resize(size);
  warm.states.resize(static_cast<std::size_t>(size));
  const VectorXd* const families[] = {&values.impulses.f_n, &values.impulses.f_s, &values.impulses.f_t};
  constexpr double kAtBound = 1.0 - 1e-9;
  for (Index row = 0; row < size; ++row) {
    const VectorXd& f = *families[row / n_];
    const double z = std::clamp(f.size() == n_ ? f(row % n_) : 0.0, box_.lo(row), box_.hi(row));
    const double bound = box_.hi(row);
    const bool lower = row < n_ ? !(z > 0.0) : z <= -kAtBound * bound, upper = row >= n_ && z >= kAtBound * bound;
    warm.z(row) = z;
    warm.states[static_cast<std::size_t>(row)] = lower   ? IndexState::kLower
                                                 : upper ? IndexState::kUpper
                                                         : IndexState::kActive;
  }
}

void BoxFormulation::lift(const VectorXd& z, ContactSolution& solution) {
  f_n_ = z.head(n_);
  f_s_.setZero(n_);
  f_t_.setZero(n_);
  if (tangents_ > 0) f_s_ = z.segment(n_, n_);
  if (tangents_ > 1) f_t_ = z.tail(n_);
  normal_.lift(f_n_, f_s_, f_t_, solution);
}

ContactSolution BoxFormulation::lift_farkas(const VectorXd& y) const {
  if (y.size() < n_) return {};
  const VectorXd clean = without_dust(y);
  if (!clean.tail(y.size() - n_).isZero(0.0)) return {};
  return normal_.lift_farkas(clean.head(n_));
}

}  // namespace tribo
