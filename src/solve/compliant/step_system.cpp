#include "solve/compliant/step_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/compliant/step_tolerance.hpp"

namespace tribo::compliant {

namespace {

// Rounding of extended precision over that of double; one where there is no other.
constexpr double kExtended =
    static_cast<double>(std::numeric_limits<long double>::epsilon()) / std::numeric_limits<double>::epsilon();

double largest_impulse(const StepRows& rows, const VectorXd& gamma) {
  double largest = 0.0;
  for (Index i = 0; i < rows.rows(); ++i) largest = std::max(largest, std::abs(gamma(i)) * rows.size(i));
  return largest;
}

}  // namespace

double calc_speed(const StepRows& rows, const StepPoint& point) { return std::max(rows.momentum(), point.u.norm()); }

double calc_scale(const StepRows& rows, const StepPoint& point) {
  const double impulse = largest_impulse(rows, point.gamma);
  return std::max(calc_speed(rows, point), point.refined ? kExtended * impulse : impulse);
}

double calc_noise(const StepRows& rows, Index i, double scale) {
  return kRowRounding * (rows.size(i) * scale + std::abs(rows.c(i)));
}

void StepSystem::reserve(const StepRows& rows) {
  const auto m = static_cast<std::size_t>(rows.rows());
  if (!rows.by_units()) factor_.resize(rows.rows(), rows.dof(), rows.has_friction());
  if (rate_.size() < m) rate_.resize(m);
  plain_.reserve(m);
  root_.reserve(m);
  if (rows.has_friction()) mixed_.reserve(m);
  if (scaled_.size() < m) scaled_.resize(m);
  if (precise_.size() < m) precise_.resize(m);
  if (sums_.size() < m) sums_.resize(m);
  precise_u_.resize(static_cast<std::size_t>(rows.dof()));
  pushed_.resize(precise_u_.size());
  fixed_.resize(rows.rows());
  rates_.resize(rows.rows());
  shift_.resize(rows.dof());
  fixed_push_.resize(rows.dof());
  exchange_ = false;
}

void StepSystem::collect(const StepRows& rows, Friction friction, const VectorXd& y, const VectorXd& loads) {
  const double* R = rows.R();
  plain_.clear();
  root_.clear();
  mixed_.clear();
  fixed_.setZero(rows.rows());
  has_fixed_ = false;
  Linearised law;
  for (const Unit& unit : rows.units()) {
    const Index first = unit.first;
    if (unit.tangents == 0) {
      if (unit.kind != UnitKind::kBilateral && !(y(first) > 0.0)) continue;
      plain_.push_back(first);
      root_.push_back(std::sqrt(1.0 / R[first]));
      continue;
    }
    linearise(unit, friction, y.data() + first, loads.data() + first, R + first, law);
    for (int k = 0; k < law.count; ++k) {
      const LawRow& row = law.row[k];
      const double root = std::sqrt(row.inverse_compliance);
      if (row.plain >= 0) {
        plain_.push_back(first + row.plain);
        root_.push_back(root);
      } else {
        mixed_.push_back({first, unit.size(), root, row});
      }
    }
    for (int k = 1; k < unit.size(); ++k) {
      fixed_(first + k) = law.fixed[k];
      has_fixed_ = has_fixed_ || law.fixed[k] != 0.0;
    }
  }
}

void StepSystem::gather(const double* values, bool force, double* out) const {
  for (std::size_t k = 0; k < plain_.size(); ++k) out[k] = root_[k] * values[plain_[k]];
  out += plain_.size();
  for (const Mixed& row : mixed_) {
    const double* coefficients = force ? row.law.force : row.law.measure;
    double sum = 0.0;
    for (int k = 0; k < row.size; ++k) sum += coefficients[k] * values[row.first + k];
    *out++ = row.root * sum;
  }
}

void StepSystem::fill(const StepRows& rows, bool two_sided) {
  if (by_bodies_) {
    constexpr double kOne = 1.0;
    bodies_.begin(rows);
    for (std::size_t k = 0; k < plain_.size(); ++k) bodies_.add_row(rows, plain_[k], 1, &kOne, &kOne, root_[k]);
    for (const Mixed& row : mixed_) {
      bodies_.add_row(rows, row.first, row.size, row.law.measure, row.law.force, row.root);
    }
    return;
  }
  factor_.resize(static_cast<Index>(plain_.size() + mixed_.size()), rows.dof(), two_sided);
  for (Index j = 0; j < rows.dof(); ++j) {
    gather(rows.column(j), false, factor_.column(j));
    if (two_sided) gather(rows.column(j), true, factor_.force_column(j));
  }
}

bool StepSystem::solve_rows(const StepRows& rows, bool two_sided, double* u) {
  by_bodies_ = rows.by_units();
  fill(rows, two_sided);
  gather(rates_.data(), false, by_bodies_ ? rate_.data() : factor_.rate());
  if (!by_bodies_) return factor_.solve(scaled_.data(), u);
  if (!(exchange_ ? bodies_.exchange() : bodies_.factor())) return false;
  return bodies_.solve(rate_.data(), scaled_.data(), u);
}

bool StepSystem::solve_again(double* u) {
  if (by_bodies_) return bodies_.solve(rate_.data(), scaled_.data(), u);
  std::copy_n(rate_.begin(), plain_.size() + mixed_.size(), factor_.rate());
  return factor_.solve_again(scaled_.data(), u);
}

void StepSystem::write(const StepRows& rows, StepPoint& point) const {
  const double* R = rows.R();
  const std::size_t plain = plain_.size();
  point.gamma = fixed_;
  rows.calc_rates(point.u, point.sigma);
  for (std::size_t k = 0; k < plain; ++k) point.gamma(plain_[k]) += scaled_[k];
  for (std::size_t k = 0; k < mixed_.size(); ++k) {
    const Mixed& row = mixed_[k];
    const double alpha = scaled_[plain + k];
    for (int i = 0; i < row.size; ++i) point.gamma(row.first + i) += row.law.force[i] * alpha;
  }
  for (Index i = 0; i < rows.rows(); ++i) point.sigma(i) += R[i] * point.gamma(i);
  for (const Index i : plain_) point.sigma(i) = 0.0;
  for (const Mixed& row : mixed_) {
    if (row.law.measured >= 0) point.sigma(row.first + row.law.measured) = 0.0;
  }
  // A row that is open within rounding is open: −z/R of a stiff one would be a load.
  const double scale = calc_scale(rows, point);
  for (const Unit& unit : rows.units()) {
    double& sigma = point.sigma(unit.first);
    if (!(sigma < 0.0) || point.gamma(unit.first) != 0.0) continue;
    if (sigma >= -calc_noise(rows, unit.first, scale)) sigma = 0.0;
  }
}

// Corrections until they are below rounding of the speeds or shrink no more. False: a number is not finite, or the factor of
// many bodies is too far from the system.
bool StepSystem::refine(const StepRows& rows, StepPoint& point) {
  constexpr int kCorrections = 10;
  constexpr double kEnough = 1e-14, kDiverged = 1e-12;
  const Index n = rows.dof(), m = rows.rows();
  const std::size_t plain = plain_.size(), count = plain + mixed_.size();
  const double* R = rows.R();
  const double scale = std::max(calc_speed(rows, point), kExtended * largest_impulse(rows, point.gamma));
  std::copy_n(scaled_.begin(), count, precise_.begin());
  std::copy_n(point.u.data(), n, precise_u_.begin());
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kCorrections; ++k) {
    // What u misses, in shift_; then, in rates_ and the rate of the system, the rows at the u that has it.
    std::copy_n(fixed_.data(), m, sums_.begin());
    for (std::size_t i = 0; i < plain; ++i) sums_[static_cast<std::size_t>(plain_[i])] += precise_[i];
    for (std::size_t i = 0; i < mixed_.size(); ++i) {
      const Mixed& row = mixed_[i];
      for (int j = 0; j < row.size; ++j) {
        sums_[static_cast<std::size_t>(row.first + j)] += row.law.force[j] * precise_[plain + i];
      }
    }
    std::fill_n(pushed_.begin(), n, 0.0L);
    rows.add_impulse(sums_.data(), pushed_.data());
    for (Index j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(j);
      shift_(j) = static_cast<double>(pushed_[at] - precise_u_[at]);
      precise_u_[at] += shift_(j);
    }
    for (Index i = 0; i < m; ++i) sums_[static_cast<std::size_t>(i)] = rows.c(i);
    rows.add_rates(precise_u_.data(), sums_.data());
    for (std::size_t i = 0; i < plain; ++i) {
      const Index at = plain_[i];
      rate_[i] = root_[i] * static_cast<double>(sums_[static_cast<std::size_t>(at)] + R[at] * precise_[i]);
    }
    for (std::size_t i = 0; i < mixed_.size(); ++i) {
      const Mixed& row = mixed_[i];
      long double sum = precise_[plain + i] / row.law.inverse_compliance;
      for (int j = 0; j < row.size; ++j) sum += row.law.measure[j] * sums_[static_cast<std::size_t>(row.first + j)];
      rate_[plain + i] = row.root * static_cast<double>(sum);
    }
    if (!solve_again(point.u.data())) return false;
    for (std::size_t i = 0; i < count; ++i) {
      precise_[i] += (i < plain ? root_[i] : mixed_[i - plain].root) * scaled_[i];
    }
    for (Index j = 0; j < n; ++j) precise_u_[static_cast<std::size_t>(j)] += point.u(j);
    const double moved = point.u.norm() + shift_.norm();
    point.refined = moved <= kEnough * scale;
    if (point.refined) break;
    if (!(moved < 0.5 * last)) break;
    last = moved;
  }
  if (by_bodies_ && !point.refined && !(last <= kDiverged * scale)) return false;
  for (std::size_t i = 0; i < count; ++i) scaled_[i] = static_cast<double>(precise_[i]);
  for (Index j = 0; j < n; ++j) point.u(j) = static_cast<double>(precise_u_[static_cast<std::size_t>(j)]);
  return true;
}

bool StepSystem::solve(const StepRows& rows, Friction friction, const VectorXd& y, const VectorXd& loads,
                       StepPoint& point) {
  collect(rows, friction, y, loads);
  if (has_fixed_) {
    rows.calc_impulse(fixed_, fixed_push_);
  } else {
    fixed_push_.setZero(rows.dof());
  }
  rows.calc_rates(fixed_push_, rates_);
  point.u.resize(rows.dof());
  const bool two_sided = friction == Friction::kCoulomb && rows.has_friction();
  if (solve_collected(rows, two_sided, point)) return true;
  if (!by_bodies_ || exchange_) return false;
  exchange_ = true;  // for the rest of the step
  return solve_collected(rows, two_sided, point);
}

bool StepSystem::solve_collected(const StepRows& rows, bool two_sided, StepPoint& point) {
  if (!solve_rows(rows, two_sided, point.u.data())) return false;
  point.u += fixed_push_;
  for (std::size_t k = 0; k < plain_.size() + mixed_.size(); ++k) {
    scaled_[k] *= k < plain_.size() ? root_[k] : mixed_[k - plain_.size()].root;
  }
  point.refined = false;
  write(rows, point);
  if (!by_bodies_ && !(largest_impulse(rows, point.gamma) > kLargeImpulse * calc_speed(rows, point))) return true;
  if (!refine(rows, point)) return false;
  write(rows, point);
  return true;
}

}  // namespace tribo::compliant
