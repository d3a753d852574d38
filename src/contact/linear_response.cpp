#include "contact/linear_response.hpp"

#include <cmath>

namespace tribo {
namespace {

constexpr int kScalings = 6;  // each halves, on a log scale, how far rows and columns are from size one

// 1/√ of the largest entry; rows and columns without any stay.
double half_scale(double largest_entry) { return largest_entry > 0.0 ? 1.0 / std::sqrt(largest_entry) : 1.0; }

}  // namespace

bool LinearResponse::factor() {
  const Index n = unknowns();
  row_scale_ = VectorXd::Ones(n);
  column_scale_ = VectorXd::Ones(n);
  if (!A_.allFinite()) return false;
  for (const Drive& drive : drives_) {
    if (!std::isfinite(drive.coefficient)) return false;
  }
  for (int k = 0; k < kScalings && n > 0; ++k) {
    const VectorXd rows = A_.cwiseAbs().rowwise().maxCoeff().unaryExpr(&half_scale);
    const VectorXd columns = A_.cwiseAbs().colwise().maxCoeff().transpose().unaryExpr(&half_scale);
    A_ = rows.asDiagonal() * A_ * columns.asDiagonal();
    row_scale_ = row_scale_.cwiseProduct(rows);
    column_scale_ = column_scale_.cwiseProduct(columns);
  }
  factor_.reserve(n);
  factor_.matrix(n) = A_;
  transposed_.reserve(n);
  transposed_.matrix(n) = A_.transpose();
  return factor_.factor() && transposed_.factor();
}

VectorXd LinearResponse::forward(const VectorIn& change) const {
  VectorXd right = VectorXd::Zero(unknowns());
  for (const Drive& drive : drives_) right(drive.equation) += drive.coefficient * change(drive.datum);
  right = right.cwiseProduct(row_scale_);
  VectorXd x = right;
  factor_.solve(x);
  right -= A_ * x;  // one step of refinement
  factor_.solve(right);
  return (x + right).cwiseProduct(column_scale_);
}

VectorXd LinearResponse::adjoint(const VectorIn& g) const {
  VectorXd right = g.cwiseProduct(column_scale_);
  VectorXd y = right;
  transposed_.solve(y);
  right -= A_.transpose() * y;
  transposed_.solve(right);
  y = (y + right).cwiseProduct(row_scale_);
  VectorXd result = VectorXd::Zero(data_);
  for (const Drive& drive : drives_) result(drive.datum) += drive.coefficient * y(drive.equation);
  return result;
}

}  // namespace tribo
