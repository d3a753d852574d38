// Pieces shared by the generators. Everything is written as plain sums in a fixed order: Eigen's own
// reductions follow the machine's vector width, and the same seed is to give the same bits everywhere.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/linalg/types.hpp"

#include <cmath>

namespace tribo::generate_detail {

// Mean 0, standard deviation 1, by twelve uniform numbers.
inline double bell(Random& random) {
  double sum = -6.0;
  for (int k = 0; k < 12; ++k) sum += random.uniform();
  return sum;
}

inline VectorXd uniform_vector(Index n, double low, double high, Random& random) {
  VectorXd x(n);
  for (Index i = 0; i < n; ++i) x(i) = random.uniform(low, high);
  return x;
}

inline MatrixXd uniform_matrix(Index rows, Index cols, Random& random) {
  MatrixXd A(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) A(i, j) = random.uniform(-1.0, 1.0);
  }
  return A;
}

// B Bᵀ, symmetric to the last bit.
inline MatrixXd gram(const MatrixXd& B) {
  MatrixXd M(B.rows(), B.rows());
  for (Index i = 0; i < B.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (Index k = 0; k < B.cols(); ++k) sum += B(i, k) * B(j, k);
      M(i, j) = M(j, i) = sum;
    }
  }
  return M;
}

inline VectorXd multiply(const MatrixXd& A, const VectorXd& x) {
  VectorXd y(A.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    double sum = 0.0;
    for (Index j = 0; j < A.cols(); ++j) sum += A(i, j) * x(j);
    y(i) = sum;
  }
  return y;
}

// A point of the cube |x|, |y|, |z| ≤ size. One number after the other: arguments have no order of
// evaluation.
inline Vector3d uniform_point(double size, Random& random) {
  Vector3d x;
  for (Index k = 0; k < 3; ++k) x(k) = random.uniform(-size, size);
  return x;
}

// A random direction: a point of the unit ball (not too near its centre) pushed to the sphere.
inline Vector3d direction(Random& random) {
  while (true) {
    const Vector3d x = uniform_point(1.0, random);
    const double square = x.x() * x.x() + x.y() * x.y() + x.z() * x.z();
    if (square > 0.01 && square < 1.0) return x / std::sqrt(square);
  }
}

}  // namespace tribo::generate_detail
