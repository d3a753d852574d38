#include "solve/compliant/step_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo::compliant {

double calc_scale(const StepRows& rows, const VectorXd& impulses) {
  double scale = rows.momentum();
  for (Index i = 0; i < rows.rows(); ++i) scale = std::max(scale, std::abs(impulses(i)) * rows.size(i));
  return scale;
}

double calc_noise(const StepRows& rows, Index i, double scale) {
  constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
  return kRounding * (rows.size(i) * scale + std::abs(rows.c(i)));
}

void StepSystem::reserve(const StepRows& rows) {
  const auto m = static_cast<std::size_t>(rows.rows());
  factor_.resize(rows.rows(), rows.dof(), rows.has_friction());
  plain_.reserve(m);
  root_.reserve(m);
  if (rows.has_friction()) mixed_.reserve(m);
  if (scaled_.size() < m) scaled_.resize(m);
  fixed_.resize(rows.rows());
  rates_.resize(rows.rows());
  shift_.resize(rows.dof());
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

void StepSystem::fill(const StepRows& rows, bool two_sided) {
  const auto plain = static_cast<Index>(plain_.size()), count = plain + static_cast<Index>(mixed_.size());
  factor_.resize(count, rows.dof(), two_sided);
  const auto gather = [&](const double* values, double* out, bool force) {
    for (Index k = 0; k < plain; ++k) {
      const auto at = static_cast<std::size_t>(k);
      out[k] = root_[at] * values[plain_[at]];
    }
    out += plain;
    for (const Mixed& row : mixed_) {
      const double* coefficients = force ? row.law.force : row.law.measure;
      double sum = 0.0;
      for (int k = 0; k < row.size; ++k) sum += coefficients[k] * values[row.first + k];
      *out++ = row.root * sum;
    }
  };
  for (Index j = 0; j < rows.dof(); ++j) {
    gather(rows.column(j), factor_.column(j), false);
    if (two_sided) gather(rows.column(j), factor_.force_column(j), true);
  }
  gather(rates_.data(), factor_.rate(), false);
}

void StepSystem::write(const StepRows& rows, StepPoint& point) const {
  const double* R = rows.R();
  const std::size_t plain = plain_.size();
  point.gamma = fixed_;
  rows.calc_rates(point.u, point.sigma);
  for (std::size_t k = 0; k < plain; ++k) point.gamma(plain_[k]) += root_[k] * scaled_[k];
  for (std::size_t k = 0; k < mixed_.size(); ++k) {
    const Mixed& row = mixed_[k];
    const double alpha = row.root * scaled_[plain + k];
    for (int i = 0; i < row.size; ++i) point.gamma(row.first + i) += row.law.force[i] * alpha;
  }
  for (Index i = 0; i < rows.rows(); ++i) point.sigma(i) += R[i] * point.gamma(i);
  for (const Index i : plain_) point.sigma(i) = 0.0;
  for (const Mixed& row : mixed_) {
    if (row.law.measured >= 0) point.sigma(row.first + row.law.measured) = 0.0;
  }
  // A row that is open within rounding is open: −z/R of a stiff one would be a load.
  const double scale = calc_scale(rows, point.gamma);
  for (const Unit& unit : rows.units()) {
    double& sigma = point.sigma(unit.first);
    if (!(sigma < 0.0) || point.gamma(unit.first) != 0.0) continue;
    if (sigma >= -calc_noise(rows, unit.first, scale)) sigma = 0.0;
  }
}

bool StepSystem::solve(const StepRows& rows, Friction friction, const VectorXd& y, const VectorXd& loads,
                       StepPoint& point) {
  collect(rows, friction, y, loads);
  if (has_fixed_) {
    rows.calc_impulse(fixed_, shift_);
  } else {
    shift_.setZero(rows.dof());
  }
  rows.calc_rates(shift_, rates_);
  fill(rows, friction == Friction::kCoulomb && rows.has_friction());
  point.u.resize(rows.dof());
  if (!factor_.solve(scaled_.data(), point.u.data())) return false;
  point.u += shift_;
  write(rows, point);
  return true;
}

}  // namespace tribo::compliant
