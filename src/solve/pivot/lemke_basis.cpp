#include "solve/pivot/lemke_basis.hpp"

#include <algorithm>
#include <cmath>

#include "solve/add_columns.hpp"

namespace tribo {

void LemkeBasis::reserve(Index n) {
  if (inverse_.rows() < n + 1) {
    inverse_.setZero(n + 1, n + 1);
    lu_.reserve(n + 1);
    rows_.resize(n + 1);
    columns_.resize(n + 1);
    row_position_.resize(n + 1);
    column_position_.resize(n + 1);
    row_.resize(n + 1);
    rhs_.resize(n + 1);
  }
}

void LemkeBasis::start(const MatrixIn& M, const VectorIn& cover) {
  M_ = M.data();
  stride_ = M.outerStride();
  cover_ = cover.data();
  n_ = M.rows();
  k_ = 0;
  std::fill(row_position_.begin(), row_position_.end(), Index{-1});
  std::fill(column_position_.begin(), column_position_.end(), Index{-1});
}

void LemkeBasis::add(Index row, Index column) {
  rows_[k_] = row;
  columns_[k_] = column;
  row_position_[row] = k_;
  column_position_[column] = k_;
  ++k_;
}

bool LemkeBasis::refactor() {
  auto K = lu_.matrix(k_);
  for (Index c = 0; c < k_; ++c) {
    const double* column = column_data(columns_[c]);
    for (Index r = 0; r < k_; ++r) K(r, c) = column[rows_[r]];
  }
  if (!lu_.factor()) return false;
  lu_.inverse(inverse_.topLeftCorner(k_, k_));
  return true;
}

void LemkeBasis::substitute(const VectorXd& dx, VectorXd& dw) const {
  add_columns(k_, dx.data(), n_, dw.data(), [this](Index p) { return column_data(columns_[p]); });
}

void LemkeBasis::column_direction(Index column, VectorXd& dx, VectorXd& dw) const {
  // K dx = −[M c]_{R,column},   dw = [M c]_{:,column} + [M c]_{:,C} dx
  const double* g = column_data(column);
  dx.head(k_).setZero();
  for (Index p = 0; p < k_; ++p) {
    const double scale = g[rows_[p]];
    if (scale != 0.0) dx.head(k_) -= scale * inverse_.col(p).head(k_);
  }
  std::copy(g, g + n_, dw.data());
  substitute(dx, dw);
}

void LemkeBasis::row_direction(Index row, VectorXd& dx, VectorXd& dw) const {
  // K dx = e_row,   dw = [M c]_{:,C} dx
  dx.head(k_) = inverse_.col(row_position_[row]).head(k_);
  dw.head(n_).setZero();
  substitute(dx, dw);
}

double LemkeBasis::row_direction_entry(Index row, Index i) const {
  const double* dx = inverse_.col(row_position_[row]).data();
  double sum = 0.0;
  for (Index p = 0; p < k_; ++p) sum += column_data(columns_[p])[i] * dx[p];
  return sum;
}

double LemkeBasis::defect(const VectorXd& dx, const VectorXd& dw, Index unit_row) const {
  double worst = 0.0;
  for (Index p = 0; p < k_; ++p) {
    const double target = rows_[p] == unit_row ? 1.0 : 0.0;
    worst = std::max(worst, std::abs(dw(rows_[p]) - target));
  }
  double size = 1.0;
  if (k_ > 0) size = std::max(size, dx.head(k_).lpNorm<Eigen::Infinity>());
  return worst / size;
}

void LemkeBasis::refine(VectorXd& dx, VectorXd& dw, Index unit_row) const {
  auto step = rhs_.head(k_);
  step.setZero();
  for (Index p = 0; p < k_; ++p) {
    const double target = rows_[p] == unit_row ? 1.0 : 0.0;
    step -= (dw(rows_[p]) - target) * inverse_.col(p).head(k_);
  }
  dx.head(k_) += step;
  substitute(rhs_, dw);
}

void LemkeBasis::values(const VectorXd& q, VectorXd& x, VectorXd& w) const {
  x.head(k_).setZero();
  for (Index p = 0; p < k_; ++p) x.head(k_) -= q(rows_[p]) * inverse_.col(p).head(k_);
  // One step of refinement: w over R is the defect of x.
  for (int pass = 0; pass < 2; ++pass) {
    w.head(n_) = q.head(n_);
    substitute(x, w);
    if (pass == 1) break;
    for (Index p = 0; p < k_; ++p) x.head(k_) -= w(rows_[p]) * inverse_.col(p).head(k_);
  }
  for (Index p = 0; p < k_; ++p) w(rows_[p]) = 0.0;
}

void LemkeBasis::gather_row(Index row) const {
  for (Index p = 0; p < k_; ++p) row_(p) = column_data(columns_[p])[row];
}

void LemkeBasis::grow(Index row, Index column, const VectorXd& dx, double pivot) {
  // K⁻¹ ← [K⁻¹ − dx gᵀ/σ, dx/σ; −gᵀ/σ, 1/σ],   gᵀ = [M c]_{row,C} K⁻¹,  σ = the pivot dw_row
  gather_row(row);
  for (Index p = 0; p < k_; ++p) {
    auto target = inverse_.col(p).head(k_);
    const double scale = row_.head(k_).dot(target) / pivot;
    target -= scale * dx.head(k_);
    inverse_(k_, p) = -scale;
  }
  inverse_.col(k_).head(k_) = dx.head(k_) / pivot;
  inverse_(k_, k_) = 1.0 / pivot;
  add(row, column);
}

void LemkeBasis::replace_column(Index position, Index column, const VectorXd& dx) {
  const double pivot = -dx(position);
  for (Index p = 0; p < k_; ++p) {
    const double scale = inverse_(position, p) / pivot;
    inverse_.col(p).head(k_) += scale * dx.head(k_);
    inverse_(position, p) = scale;
  }
  column_position_[columns_[position]] = -1;
  columns_[position] = column;
  column_position_[column] = position;
}

void LemkeBasis::replace_row(Index position, Index row) {
  gather_row(row);
  auto changed = inverse_.col(position).head(k_);
  changed /= row_.head(k_).dot(changed);
  for (Index p = 0; p < k_; ++p) {
    if (p == position) continue;
    auto target = inverse_.col(p).head(k_);
    const double scale = row_.head(k_).dot(target);
    target -= scale * changed;
  }
  row_position_[rows_[position]] = -1;
  rows_[position] = row;
  row_position_[row] = position;
}

void LemkeBasis::shrink(Index row_position, Index column_position) {
  const double pivot = inverse_(column_position, row_position);
  const auto gone = inverse_.col(row_position).head(k_);
  for (Index p = 0; p < k_; ++p) {
    if (p == row_position) continue;
    const double scale = inverse_(column_position, p) / pivot;
    inverse_.col(p).head(k_) -= scale * gone;
  }
  const Index last = k_ - 1;
  row_position_[rows_[row_position]] = -1;
  column_position_[columns_[column_position]] = -1;
  if (row_position != last) {
    inverse_.col(row_position).head(k_) = inverse_.col(last).head(k_);
    rows_[row_position] = rows_[last];
    row_position_[rows_[row_position]] = row_position;
  }
  if (column_position != last) {
    inverse_.row(column_position).head(last) = inverse_.row(last).head(last);
    columns_[column_position] = columns_[last];
    column_position_[columns_[column_position]] = column_position;
  }
  --k_;
}

}  // namespace tribo
