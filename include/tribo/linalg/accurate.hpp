// Sums and products as if computed in about twice double precision and rounded once.
//
//     a + b = s + e   exactly,   s = fl(a + b)          TwoSum: six additions, no branch                  (1)
//     a · b = p + e   exactly,   p = fl(a · b)          TwoProduct: e = fma(a, b, −p)                     (2)
// AccurateSum adds the rounded parts with (1) and collects the errors e in a second double. Its error is
//     |computed − exact| ≤ u |exact| + (n u)² Σ|terms|,   u = 2⁻⁵³,  n terms                              (3)
// so a residual that cancels to 10⁻¹⁶ of its terms still has about sixteen correct digits. (2) needs products above
// about 10⁻²⁹² in magnitude; below, the lost error is itself of the order of the smallest numbers there are.
// Source    Ogita, Rump, Oishi 2005 (Sum2, Dot2); Knuth's TwoSum. Must not be compiled with -ffast-math.
#pragma once

#include "tribo/linalg/types.hpp"

#include <cmath>
#include <vector>

#include <Eigen/SparseCore>

namespace tribo {

class AccurateSum {
 public:
  AccurateSum() = default;
  explicit AccurateSum(double start) : high_(start) {}

  void add(double x) {  // (1)
    const double sum = high_ + x;
    const double part = sum - high_;
    low_ += (high_ - (sum - part)) + (x - part);
    high_ = sum;
  }
  void add_product(double a, double b) {  // (2)
    const double product = a * b;
    low_ += std::fma(a, b, -product);
    add(product);
  }
  double value() const { return high_ + low_; }

 private:
  double high_ = 0.0;
  double low_ = 0.0;
};

// start + x·y.
inline double accurate_dot(const VectorIn& x, const VectorIn& y, double start = 0.0) {
  AccurateSum sum(start);
  for (Index i = 0; i < x.size(); ++i) sum.add_product(x(i), y(i));
  return sum.value();
}

// M z + q, each row rounded once. Columns with z_j = 0 are skipped.
inline VectorXd accurate_affine(const MatrixXd& M, const VectorIn& z, const VectorIn& q) {
  std::vector<AccurateSum> rows(static_cast<std::size_t>(M.rows()));
  for (Index i = 0; i < M.rows(); ++i) rows[static_cast<std::size_t>(i)].add(q(i));
  for (Index j = 0; j < M.cols(); ++j) {
    if (z(j) == 0.0) continue;
    for (Index i = 0; i < M.rows(); ++i) rows[static_cast<std::size_t>(i)].add_product(M(i, j), z(j));
  }
  VectorXd result(M.rows());
  for (Index i = 0; i < M.rows(); ++i) result(i) = rows[static_cast<std::size_t>(i)].value();
  return result;
}

inline VectorXd accurate_affine(const Eigen::SparseMatrix<double>& M, const VectorIn& z, const VectorIn& q) {
  std::vector<AccurateSum> rows(static_cast<std::size_t>(M.rows()));
  for (Index i = 0; i < M.rows(); ++i) rows[static_cast<std::size_t>(i)].add(q(i));
  for (Index j = 0; j < M.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(M, j); entry; ++entry) {
      rows[static_cast<std::size_t>(entry.row())].add_product(entry.value(), z(j));
    }
  }
  VectorXd result(M.rows());
  for (Index i = 0; i < M.rows(); ++i) result(i) = rows[static_cast<std::size_t>(i)].value();
  return result;
}

// Mᵀ y + q, each entry rounded once.
inline VectorXd accurate_affine_transposed(const MatrixXd& M, const VectorIn& y, const VectorIn& q) {
  VectorXd result(M.cols());
  for (Index j = 0; j < M.cols(); ++j) result(j) = accurate_dot(M.col(j), y, q(j));
  return result;
}

inline VectorXd accurate_affine_transposed(const Eigen::SparseMatrix<double>& M, const VectorIn& y, const VectorIn& q) {
  VectorXd result(M.cols());
  for (Index j = 0; j < M.outerSize(); ++j) {
    AccurateSum sum(q(j));
    for (Eigen::SparseMatrix<double>::InnerIterator entry(M, j); entry; ++entry) {
      sum.add_product(entry.value(), y(entry.row()));
    }
    result(j) = sum.value();
  }
  return result;
}

}  // namespace tribo
