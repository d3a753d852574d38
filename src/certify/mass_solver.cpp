#include "certify/mass_solver.hpp"

#include "tribo/linalg/accurate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/LU>

namespace tribo {

namespace {

constexpr int kSmall = 12;  // two free bodies
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kSmall, kSmall>;

}  // namespace

MassSolver::MassSolver(const SparseMatrix& M) : M_(M) {
  M_.makeCompressed();
  find_parts();
  for (Part& part : parts_) {
    if (part.size <= kSmall) {
      invert(part);
      continue;
    }
    for (Index k = 0; k < part.size; ++k) {
      place_of_[rows_[part.first + k]] = static_cast<Index>(rest_.size());
      rest_.push_back(rows_[part.first + k]);
    }
  }
  if (!rest_.empty()) factor_rest();
}

// Union-find over the entries; the root of a part is its least row.
void MassSolver::find_parts() {
  const Index m = M_.rows();
  IndexList root(static_cast<std::size_t>(m));
  std::iota(root.begin(), root.end(), Index{0});
  const auto find = [&](Index i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (Index j = 0; j < m; ++j) {
    for (SparseMatrix::InnerIterator entry(M_, j); entry; ++entry) {
      const Index a = find(entry.row()), b = find(j);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  part_of_.resize(static_cast<std::size_t>(m));
  place_of_.resize(static_cast<std::size_t>(m));
  rows_.resize(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) {
    if (find(i) == i) {
      part_of_[i] = static_cast<Index>(parts_.size());
      parts_.emplace_back();
    } else {
      part_of_[i] = part_of_[root[i]];
    }
    place_of_[i] = parts_[part_of_[i]].size++;
  }
  Index first = 0;
  for (Part& part : parts_) {
    part.first = first;
    first += part.size;
  }
  for (Index i = 0; i < m; ++i) rows_[parts_[part_of_[i]].first + place_of_[i]] = i;
}

void MassSolver::invert(Part& part) {
  SmallMatrix matrix = SmallMatrix::Zero(part.size, part.size);
  for (Index k = 0; k < part.size; ++k) {
    for (SparseMatrix::InnerIterator entry(M_, rows_[part.first + k]); entry; ++entry) {
      matrix(place_of_[entry.row()], k) += entry.value();
    }
  }
  const Eigen::PartialPivLU<SmallMatrix> lu(matrix);
  const double pivot = lu.matrixLU().diagonal().cwiseAbs().minCoeff();
  ok_ = ok_ && pivot > 0.0 && std::isfinite(pivot);
  const SmallMatrix inverse = lu.inverse();
  part.matrix = static_cast<Index>(inverses_.size());
  inverses_.insert(inverses_.end(), inverse.data(), inverse.data() + inverse.size());
}

void MassSolver::factor_rest() {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Index j : rest_) {
    for (SparseMatrix::InnerIterator entry(M_, j); entry; ++entry) {
      entries.emplace_back(static_cast<int>(place_of_[entry.row()]), static_cast<int>(place_of_[j]), entry.value());
    }
  }
  const Index size = static_cast<Index>(rest_.size());
  SparseMatrix rest(size, size);
  rest.setFromTriplets(entries.begin(), entries.end());
  ok_ = lu_.factor(rest) && ok_;
}

void MassSolver::add_solution(const VectorXd& y, VectorXd& x) const {
  for (const Part& part : parts_) {
    if (part.matrix < 0) continue;
    const Index* rows = rows_.data() + part.first;
    const double* column = inverses_.data() + part.matrix;
    for (Index j = 0; j < part.size; ++j, column += part.size) {
      const double y_j = y(rows[j]);
      if (y_j == 0.0) continue;
      for (Index i = 0; i < part.size; ++i) x(rows[i]) += column[i] * y_j;
    }
  }
  if (rest_.empty()) return;
  VectorXd local(static_cast<Index>(rest_.size()));
  for (Index k = 0; k < local.size(); ++k) local(k) = y(rest_[k]);
  if (local.isZero(0.0)) return;
  const VectorXd solved = lu_.solve(local);
  for (Index k = 0; k < local.size(); ++k) x(rest_[k]) += solved(k);
}

VectorXd MassSolver::solve(const VectorXd& y) const {
  VectorXd x = VectorXd::Zero(y.size());
  add_solution(y, x);
  add_solution(-accurate_affine(M_, x, -y), x);
  return x;
}

double MassSolver::energy(const SparseMatrix& H, Index k) const {
  double sum = 0.0;
  for (SparseMatrix::InnerIterator right(H, k); right; ++right) {
    const Part& part = parts_[part_of_[right.row()]];
    if (part.matrix < 0) {  // a column that reaches into the rest: all of it at once
      const VectorXd column = H.col(k);
      return column.dot(solve(column));
    }
    const double* inverse = inverses_.data() + part.matrix + place_of_[right.row()] * part.size;
    for (SparseMatrix::InnerIterator left(H, k); left; ++left) {
      if (&parts_[part_of_[left.row()]] != &part) continue;
      sum += left.value() * inverse[place_of_[left.row()]] * right.value();
    }
  }
  return sum;
}

}  // namespace tribo
