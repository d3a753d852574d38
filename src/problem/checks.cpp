#include "problem/checks.hpp"

#include "tribo/linalg/block_diagonal.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace tribo {

namespace {

constexpr const char* kFiniteRemedy = "replace it by a finite number";

Unexpected<Error> not_finite(double value, std::string where) {
  return fail("not finite (" + number_text(value) + ")", std::move(where), kFiniteRemedy);
}

}  // namespace

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string entry_text(const std::string& field, Index i) { return field + "(" + std::to_string(i) + ")"; }

std::string entry_text(const std::string& field, Index i, Index j) {
  return field + "(" + std::to_string(i) + ", " + std::to_string(j) + ")";
}

Checked check_size(const VectorXd& x, const std::string& field, Index size, const std::string& meaning) {
  if (x.size() == size) return ok();
  return fail("has " + std::to_string(x.size()) + " entries instead of " + std::to_string(size), field,
              "give " + meaning);
}

Checked check_size(Index rows, Index cols, const std::string& field, Index expected_rows, Index expected_cols,
                   const std::string& meaning) {
  if (rows == expected_rows && cols == expected_cols) return ok();
  return fail("is " + std::to_string(rows) + " x " + std::to_string(cols) + " instead of " +
                  std::to_string(expected_rows) + " x " + std::to_string(expected_cols),
              field, "give " + meaning);
}

Checked check_finite(const VectorXd& x, const std::string& field) {
  for (Index i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x(i))) return not_finite(x(i), entry_text(field, i));
  }
  return ok();
}

Checked check_finite(const MatrixXd& A, const std::string& field) {
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) {
      if (!std::isfinite(A(i, j))) return not_finite(A(i, j), entry_text(field, i, j));
    }
  }
  return ok();
}

Checked check_finite(const Eigen::SparseMatrix<double>& A, const std::string& field) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(A, j); entry; ++entry) {
      if (!std::isfinite(entry.value())) {
        return not_finite(entry.value(), entry_text(field, entry.row(), entry.col()));
      }
    }
  }
  return ok();
}

Checked check_finite(double value, const std::string& name, const std::string& where) {
  if (std::isfinite(value)) return ok();
  return fail(name + " is not finite (" + number_text(value) + ")", where, kFiniteRemedy);
}

Checked check_non_negative(double value, const std::string& name, const std::string& where, const std::string& remedy) {
  TRIBO_CHECK(check_finite(value, name, where));
  if (value >= 0.0) return ok();
  return fail(name + " is negative (" + number_text(value) + ")", where, remedy);
}

Checked check_non_negative(const VectorXd& x, const std::string& field, const std::string& remedy) {
  TRIBO_CHECK(check_finite(x, field));
  for (Index i = 0; i < x.size(); ++i) {
    if (x(i) < 0.0) return fail("is negative (" + number_text(x(i)) + ")", entry_text(field, i), remedy);
  }
  return ok();
}

Checked check_spd(const MatrixXd& A, const std::string& field, Index start, const std::string& whole) {
  TRIBO_CHECK(check_size(A.rows(), A.cols(), whole, A.rows(), A.rows(), "a square matrix"));
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) {
      if (!std::isfinite(A(i, j))) return not_finite(A(i, j), entry_text(field, start + i, start + j));
    }
    if (!(A(i, i) > 0.0)) {
      return fail("the diagonal entry is not positive (" + number_text(A(i, i)) + ")",
                  entry_text(field, start + i, start + i), "give a symmetric positive definite matrix");
    }
  }
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double scale = std::sqrt(A(i, i)) * std::sqrt(A(j, j));
      if (std::abs(A(i, j) - A(j, i)) > 1e-9 * scale) {
        return fail("not symmetric (" + number_text(A(i, j)) + ", mirrored entry " + number_text(A(j, i)) + ")",
                    entry_text(field, start + i, start + j), "give a symmetric matrix");
      }
    }
  }
  if (!BlockCholesky::factor(BlockDiagonal({A}))) {
    return fail("not positive definite", whole, "give a matrix whose eigenvalues are all positive");
  }
  return ok();
}

}  // namespace tribo
