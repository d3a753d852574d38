#include "tribo/formulation/friction_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <variant>

#include "formulation/reduction.hpp"

namespace tribo {

namespace {

constexpr double kAnnihilated = 1e-10;  // of a row's norm: less than this is what projection left of nothing

}  // namespace

bool BoxFormulation::takes(const ContactModel& model) {
  return std::holds_alternative<FrictionBox>(model) || NormalFormulation::takes(model);
}

// Takes what lies along the equality rows out of row i, twice, as in Gram–Schmidt. Of a row that the equality rows hold nothing is
// left: its speed is the one that they prescribe, which may be zero up to rounding.
void BoxFormulation::project(Index i) {
  const LeastDistance& distance = normal_.problem();
  if (distance.rank == 0) return;
  double* x = row(i);
  const double before = padded::dot(x, x, width_);
  for (int pass = 0; pass < 2; ++pass) {
    for (Index k = 0; k < distance.rank; ++k) {
      const double* q = distance.fixed.data() + k * width_;
      const double share = padded::dot(x, q, width_);
      for (Index c = 0; c < width_; c += padded::kLanes) padded::lanes(x + c).v -= share * padded::lanes(q + c).v;
    }
  }
  if (padded::dot(x, x, width_) > kAnnihilated * kAnnihilated * before) return;
  padded::clear(x, width_);
  const double speed = Eigen::Map<const VectorXd>(distance.start.data(), distance.dof()).norm();
  if (std::abs(box_.q(i)) <= kAnnihilated * std::sqrt(before) * speed) box_.q(i) = 0.0;
}

Checked BoxFormulation::update(const ContactProblem& problem, const ContactModel& model) {
  const bool box = std::holds_alternative<FrictionBox>(model);
  n_ = problem.size();
  dry_ = problem.dry();
  tangents_ = box ? (problem.S.rows() > 0 ? 1 : 0) + (problem.T.rows() > 0 ? 1 : 0) : 0;
  if (box && n_ > 0 && tangents_ == 0) {
    return fail("the model 'friction-box' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (problem.level == Level::kAcceleration) {
    return fail("the model '" + to_string(model) + "' with two-sided bounds is not available at acceleration level",
                "level", "use velocity level, or the models frictionless or viscous");
  }
  const ContactModel normal_model = box ? ContactModel(Frictionless{}) : model;
  if (Checked updated = normal_.update(problem, normal_model, {.dry = DryRows::kLeaveOut}); !updated) return updated;
  if (!normal_.consistent()) return ok();

  const LeastDistance& distance = normal_.problem();
  const Index m = problem.dof(), tangential = n_ + tangents_ * n_, size = tangential + dry_;
  width_ = padded::length(m);
  rows_.assign(static_cast<std::size_t>(size * width_), 0.0);
  for (const PairRows::Run& run : distance.rows.runs()) {
    for (Index k = 0; k < run.count; ++k) distance.rows.add_scaled(run.position + k, 1.0, row(run.row + k));
  }
  for (Index i = 0; i < tangents_ * n_; ++i) normal_.whiten(i < n_ ? problem.S : problem.T, i % n_, row(n_ + i));
  for (Index i = 0; i < dry_; ++i) normal_.whiten(problem.D, i, row(tangential + i));

  box_.M.resize(size, size);
  box_.q.resize(size);
  for (Index i = 0; i < size; ++i) {
    double along = 0.0;
    for (Index c = 0; c < m; ++c) along += row(i)[c] * distance.start[c];
    box_.q(i) = along;
    project(i);
  }
  box_.q.head(n_) += problem.b_N;
  for (Index i = 0; i < size; ++i) {  // each product once, so that M is symmetric to the last bit
    for (Index j = 0; j <= i; ++j) box_.M(i, j) = box_.M(j, i) = padded::dot(row(i), row(j), width_);
  }
  box_.lo.setZero(size);
  box_.hi.setConstant(size, std::numeric_limits<double>::infinity());
  for (Index i = n_; i < size; ++i) {
    const double bound = i < tangential ? problem.contacts[static_cast<std::size_t>((i - n_) % n_)].friction_bound
                                        : problem.bound(i - tangential);
    box_.lo(i) = -bound;
    box_.hi(i) = bound;
  }
  return ok();
}

void BoxFormulation::start(const StartValues& values, WarmStart& warm) const {
  warm.states.clear();
  const ContactSolution& known = values.impulses;
  const Index tangential = n_ + tangents_ * n_, size = tangential + dry_;
  const bool loaded = (known.f_n.array() > 0.0).any() || !known.f_d.isZero(0.0);
  if (known.f_n.size() != n_ || !loaded) {  // cold: the bounds of contacts that were not there say nothing
    warm.z.resize(0);
    return;
  }
  warm.z.resize(size);
  warm.states.resize(static_cast<std::size_t>(size));
  const VectorXd* const families[] = {&known.f_n, &known.f_s, &known.f_t};
  constexpr double kAtBound = 1.0 - 1e-9;
  for (Index row = 0; row < size; ++row) {
    const bool dry = row >= tangential;
    const VectorXd& f = dry ? known.f_d : *families[row / n_];
    const Index at = dry ? row - tangential : row % n_;
    const double z = std::clamp(at < f.size() ? f(at) : 0.0, box_.lo(row), box_.hi(row));
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
  f_d_ = z.tail(dry_);
  GivenImpulses given{.f_d = &f_d_};
  if (tangents_ > 0) {
    f_s_ = z.segment(n_, n_);
    f_t_.setZero(n_);
    if (tangents_ > 1) f_t_ = z.segment(2 * n_, n_);
    given.f_s = &f_s_;
    given.f_t = &f_t_;
  }
  normal_.lift(f_n_, given, solution);
}

ContactSolution BoxFormulation::lift_farkas(const VectorXd& y) const {
  if (y.size() < n_) return {};
  const VectorXd clean = without_dust(y);
  if (!clean.tail(y.size() - n_).isZero(0.0)) return {};
  return normal_.lift_farkas(clean.head(n_));
}

}  // namespace tribo
