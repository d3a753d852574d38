#include "solve/compliant/tall_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/compliant/line_search.hpp"
#include "solve/compliant/lower_factor.hpp"
#include "solve/compliant/step_tolerance.hpp"

namespace tribo::compliant {
namespace {

constexpr double kLastCorrection = 1e-14;  // over |u|; what is left is a hundredth of it
// A larger correction, over |u|, is one of the base: its own rounding, times L |g|², would be seen in the impulses.
constexpr double kLargeCorrection = 1e-10;
// L |g|² of rows beyond which the last correction could move an impulse by more than a hundredth of |u|.
constexpr double kStiffestRow = 1e12;

bool fits_start(const CompliantProblem& problem, const CompliantSolution& solution) {
  return solution.v1.size() == problem.dof() && solution.v1.allFinite() &&
         static_cast<Index>(solution.states.size()) == problem.contacts() &&
         solution.lambda_b.size() == problem.bilateral.rows() &&
         solution.lambda_u.size() == problem.unilateral.rows() && solution.lambda_n.size() == problem.normal.rows();
}

}  // namespace

void TallStep::stand_at(const VectorXd& u) {
  base_ = u;
  correction_.setZero(u.size());
  corrected_ = false;
}

PanelColumn TallStep::calc_rates(const Panel& panel) const {
  PanelColumn z = rows_.offset(panel);
  rows_.add_rates(panel, base_, z);
  if (corrected_) rows_.add_rates(panel, correction_, z);
  return z;
}

void TallStep::add_push(const Panel& panel, const PanelColumn& gamma) {
  for (int k = 0; k < panel.columns; ++k) pushed_(rows_.dof_of(panel, k)) += (rows_.g(panel, k) * gamma).sum();
}

void TallStep::add_panel(const Panel& panel, const PanelColumn& z) {
  const PanelColumn w = rows_.sided(panel).max(0.0);
  add_push(panel, -(w * z));
  for (int k = 0; k < panel.columns; ++k) {
    const PanelColumn weighted = w * rows_.g(panel, k);
    const Index i = rows_.dof_of(panel, k);
    for (int l = 0; l <= k; ++l) {
      const Index j = rows_.dof_of(panel, l);
      H_(std::max(i, j), std::min(i, j)) += (weighted * rows_.g(panel, l)).sum();
    }
  }
}

// One pass: rows, which of them are loaded, and the first system. A row is where the last step left it, or closes at the last speed.
bool TallStep::start(const CompliantProblem& problem, const CompliantSolution& solution) {
  const Index n = problem.dof();
  systems_ = 0;
  only_bilateral_ = true;
  stiffest_ = 0.0;
  if (!rows_.begin(problem)) return false;
  const bool started = fits_start(problem, solution);
  if (started) {
    rows_.to_whitened(solution.v1, u_);
  } else {
    u_.setZero(n);
  }
  stand_at(u_);
  H_.setIdentity(n, n);
  pushed_.setZero(n);
  bool acts = false;
  double largest = 0.0;
  const bool finite = rows_.assign(problem, [&](const Panel& panel) {
    PanelColumn& L = rows_.sided(panel);
    PanelColumn z = rows_.offset(panel);
    rows_.add_rates(panel, base_, z);
    stiffest_ = std::max(stiffest_, L.maxCoeff() * panel.size * panel.size);
    PanelColumn loads = PanelColumn::Zero();
    if (started) loads.head(panel.rows) = forces_of(solution, panel.family).segment(panel.first, panel.rows).array();
    if (panel.pushes) L = (loads > 0.0 || z < 0.0).select(L, -L);
    loads *= problem.h;
    largest = std::max(largest, (loads.square() * rows_.squares(panel)).maxCoeff());
    acts = acts || panel.acts;
    only_bilateral_ = only_bilateral_ && !(panel.pushes && panel.acts);
    add_panel(panel, z);
  });
  for (VectorXd* x : {&before_, &direction_, &step_, &F_}) x->resize(n);  // whatever is needed first in a later step
  doubtful_.reserve(rows_.panels().size());
  changes_.reserve(rows_.panels().size() * kPanelRows);
  largest_ = std::sqrt(largest);
  return acts && finite && stiffest_ <= kStiffestRow && !has_large_impulses();
}

double TallStep::calc_scale() const { return std::max({rows_.momentum(), u_.norm(), largest_}); }

bool TallStep::has_large_impulses() const {
  return !(largest_ <= kLargeImpulse * std::max(rows_.momentum(), u_.norm()));
}

void TallStep::build() {
  stand_at(u_);
  H_.setIdentity();
  pushed_.setZero();
  for (const Panel& panel : rows_.panels()) add_panel(panel, calc_rates(panel));
}

bool TallStep::solve_system() {
  constexpr int kCorrections = 5;
  const Index n = rows_.dof();
  factor_ = H_;
  if (!factor_lower(factor_.data(), n)) return false;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kCorrections; ++k) {
    step_ = pushed_ - u_;
    solve_lower(factor_.data(), n, step_.data());
    const double size = step_.norm();
    if (k == 0 || size > kLargeCorrection * u_.norm()) {
      u_ += step_;
      stand_at(u_);
    } else {
      correction_ += step_;
      corrected_ = true;
      u_ = base_ + correction_;
    }
    const double enough = kLastCorrection * u_.norm();
    if (!std::isfinite(size) || !(size <= std::max(0.01 * last, enough))) return false;
    if (k > 0 && size <= enough) {
      ++systems_;
      return true;
    }
    last = size;
    calc_push(2.0 * enough);
  }
  return false;
}

// Doubtful is where a loaded row pulls or an open one closes, or would after u has moved by `margin`.
void TallStep::calc_push(double margin) {
  pushed_.setZero();
  doubtful_.clear();
  double largest = 0.0;
  for (std::size_t p = 0; p < rows_.panels().size(); ++p) {
    const Panel& panel = rows_.panels()[p];
    const PanelColumn& L = rows_.sided(panel);
    const PanelColumn z = calc_rates(panel), gamma = -(L.max(0.0) * z);
    add_push(panel, gamma);
    largest = std::max(largest, (gamma.square() * rows_.squares(panel)).maxCoeff());
    if (panel.pushes && (L * z + margin * panel.size * L.abs()).maxCoeff() > 0.0) doubtful_.push_back(p);
  }
  largest_ = std::sqrt(largest);
}

// As StepNewton::fulfils() does for rows without tangents. F at the end of the step: gᵀ γ − gᵀ law, which such rows alone have.
TallStep::Verdict TallStep::judge(const CompliantProblem& problem, double tolerance) {
  Verdict verdict;
  changes_.clear();
  F_.setZero(rows_.dof());
  const double scale = calc_scale();
  rows_.calc_block_speeds(u_, speeds_);
  for (const std::size_t p : doubtful_) {
    const Panel& panel = rows_.panels()[p];
    const BlockRows& G = rows_of(problem, panel.family).G;
    const PanelColumn z = calc_rates(panel), missing = rows_.sided(panel) * z;  // impulse that pulls, or is missing
    for (int i = 0; i < panel.rows; ++i) {
      if (!(missing(i) > 0.0)) continue;
      double square = 0.0;
      for (int k = 0; k < panel.columns; ++k) square += rows_.g(panel, k)(i) * rows_.g(panel, k)(i);
      const double size = std::sqrt(square), off = missing(i) * size;
      const bool loaded = rows_.sided(panel)(i) > 0.0;
      // A row that is open within rounding is open.
      if (!loaded && -z(i) <= kRowRounding * (size * scale + std::abs(rows_.offset(panel)(i)))) continue;
      double speed = 0.0;
      for (int k = 0; k < 2; ++k) {
        const Index block = G.block(panel.first + i, k);
        if (block >= 0) speed = std::max(speed, speeds_(block));
      }
      const double rounding = kImpulseDigits * std::max(scale, loaded ? off : 0.0);
      verdict.fulfils = verdict.fulfils && off <= std::max(tolerance * speed, rounding);
      verdict.nearly = verdict.nearly && off <= std::max(kAccepted * speed, rounding);
      changes_.push_back({p, i});
      for (int k = 0; k < panel.columns; ++k) F_(rows_.dof_of(panel, k)) -= missing(i) * rows_.g(panel, k)(i);
    }
  }
  return verdict;
}

void TallStep::change_sides() {
  for (const Place& place : changes_) {
    const Panel& panel = rows_.panels()[place.panel];
    double& L = rows_.sided(panel)(place.row);
    L = -L;
    for (int k = 0; k < panel.columns; ++k) {
      const Index i = rows_.dof_of(panel, k);
      const double scaled = L * rows_.g(panel, k)(place.row);  // L > 0: loaded from now on
      for (int l = 0; l <= k; ++l) {
        const Index j = rows_.dof_of(panel, l);
        H_(std::max(i, j), std::min(i, j)) += scaled * rows_.g(panel, l)(place.row);
      }
    }
  }
  pushed_ = u_ - F_;
}

double TallStep::calc_step() {
  const double scale = std::max({rows_.momentum(), before_.norm(), u_.norm()});
  direction_ = u_ - before_;
  if (direction_.norm() <= kAccepted * scale) return 1.0;  // rounding decides below
  step_.noalias() = H_.selfadjointView<Eigen::Lower>() * direction_;
  const double slope = -step_.dot(direction_), right = F_.dot(direction_);
  if (!(slope < 0.0) || !(right > -kFlat * slope)) return 1.0;
  return find_step(slope, right, [this](double t) { return calc_slope(t); });
}

double TallStep::calc_slope(double t) const {
  double sum = (before_ + t * direction_).dot(direction_);
  for (const Panel& panel : rows_.panels()) {
    PanelColumn along = PanelColumn::Zero();
    rows_.add_rates(panel, direction_, along);
    PanelColumn law = rows_.sided(panel).abs() * ((1.0 - t) * along - calc_rates(panel));
    if (panel.pushes) law = law.max(0.0);
    sum -= (law * along).sum();
  }
  return sum;
}

// To before + t d, with the rows that are loaded there.
void TallStep::move_back(double t) {
  u_ = before_ + t * direction_;
  stand_at(u_);
  for (const Panel& panel : rows_.panels()) {
    PanelColumn& L = rows_.sided(panel);
    if (panel.pushes) L = (calc_rates(panel) < 0.0).select(L.abs(), -L.abs());
  }
  build();
}

void TallStep::write(const CompliantProblem& problem, CompliantSolution& solution) const {
  rows_.to_velocity(u_, solution.v1);
  for (const Family family : {Family::kBilateral, Family::kUnilateral, Family::kNormal, Family::kR, Family::kS}) {
    forces_of(solution, family).resize(rows_of(problem, family).rows());
  }
  for (const Panel& panel : rows_.panels()) {
    PanelColumn force = -(rows_.sided(panel).max(0.0) * calc_rates(panel)) / problem.h;
    if (panel.pushes) force = force.max(0.0);
    forces_of(solution, panel.family).segment(panel.first, panel.rows) = force.head(panel.rows);
  }
  solution.states.resize(static_cast<std::size_t>(problem.contacts()));
  for (Index i = 0; i < problem.contacts(); ++i) {
    solution.states[static_cast<std::size_t>(i)] =
        solution.lambda_n(i) > 0.0 ? ContactState::kSlide : ContactState::kOpen;
  }
}

bool TallStep::solve(const CompliantProblem& problem, const CompliantSettings& settings, CompliantSolution& solution) {
  if (!start(problem, solution)) return false;
  bool fresh = true, near = false;  // fresh: the start was a guess, not a point worth defending
  for (int k = 0; k < settings.max_iterations; ++k) {
    before_ = u_;
    if (!solve_system()) {
      if (fresh) return false;
      u_ = before_;  // H may have lost its digits by subtraction
      build();
      if (!solve_system()) return false;
    }
    if (has_large_impulses()) return false;
    const Verdict verdict = judge(problem, settings.tolerance);
    const bool stays = near && verdict.nearly && (u_ - before_).norm() <= kAccepted * calc_scale();
    if (verdict.fulfils || stays) {
      write(problem, solution);
      return true;
    }
    const double t = fresh ? 1.0 : calc_step();
    if (t == 1.0) {
      change_sides();
    } else {
      move_back(t);
    }
    near = verdict.nearly && t == 1.0;
    fresh = false;
  }
  return false;
}

}  // namespace tribo::compliant
