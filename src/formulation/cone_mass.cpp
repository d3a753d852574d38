#include "formulation/cone_mass.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/random.hpp"
#include "tribo/linalg/accurate.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <Eigen/SparseCholesky>

namespace tribo {
namespace {

constexpr double kSymmetric = 1e-14;  // of the largest entry of a component: what rounding leaves
constexpr double kSingular = 1e-14;   // of a pivot beside the entries it came from

std::int32_t find_root(std::vector<std::int32_t>& parent, std::int32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

}  // namespace

// A component that is kept sparse.
class ConeMass::Large {
 public:
  bool factor(const SparseMatrix& M) {
    const SparseMatrix transposed = M.transpose();
    const double largest = M.nonZeros() > 0 ? M.coeffs().abs().maxCoeff() : 0.0;
    const SparseMatrix difference = M - transposed;
    symmetric_ = difference.nonZeros() == 0 || difference.coeffs().abs().maxCoeff() <= kSymmetric * largest;
    if (symmetric_) {
      ldlt_.compute(M);
      if (ldlt_.info() == Eigen::Success) {
        // A pivot that is only what rounding has left of its diagonal entry belongs to a singular matrix.
        const VectorXd D = ldlt_.vectorD(), diagonal = ldlt_.permutationP() * VectorXd(M.diagonal());
        if ((D.array().abs() > kSingular * diagonal.array().abs()).all()) {
          if ((D.array() > 0.0).all()) scale_ = D.cwiseSqrt().cwiseInverse();
          return true;
        }
      }
      symmetric_ = false;  // indefinite ones may need pivots
    }
    return lu_.factor(M) && !blows_up(M);
  }
  MatrixXd solve(const MatrixXd& Y) const {
    if (symmetric_) return ldlt_.solve(Y);
    return lu_.solve(Y);
  }
  bool whitens() const { return scale_.size() > 0; }
  // P M Pᵀ = L D Lᵀ: y ← D^(-1/2) L⁻¹ P y.
  void whiten(Eigen::Map<VectorXd> y) const {
    VectorXd x = ldlt_.permutationP() * y;
    ldlt_.matrixL().solveInPlace(x);
    y = scale_.cwiseProduct(x);
  }

 private:
  // Loads of the size of the matrix, at random so that they have a part along any null vector, move a singular one without
  // bound.
  bool blows_up(const SparseMatrix& M) const {
    VectorXd size = M.diagonal().cwiseAbs().cwiseSqrt(), load(size.size());
    Random random(1);
    for (Index i = 0; i < size.size(); ++i) {
      if (size(i) == 0.0) size(i) = 1.0;
      load(i) = size(i) * random.uniform(-1.0, 1.0);
    }
    const VectorXd motion = lu_.solve(load);
    return !(motion.cwiseProduct(size).cwiseAbs().maxCoeff() < 1.0 / kSingular);
  }

  bool symmetric_ = true;
  VectorXd scale_;  // D^(-1/2); empty: not positive definite
  Eigen::SimplicialLDLT<SparseMatrix> ldlt_;
  SparseLu lu_;
};

ConeMass::ConeMass() = default;
ConeMass::~ConeMass() = default;
ConeMass::ConeMass(ConeMass&&) noexcept = default;
ConeMass& ConeMass::operator=(ConeMass&&) noexcept = default;

void ConeMass::find_components() {
  const auto m = static_cast<std::size_t>(M_->rows());
  component_.resize(m);
  std::vector<std::int32_t>& parent = component_;
  std::iota(parent.begin(), parent.end(), 0);
  for (Index j = 0; j < M_->outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(*M_, j); entry; ++entry) {
      if (entry.value() == 0.0 || entry.row() == j) continue;
      const std::int32_t a = find_root(parent, static_cast<std::int32_t>(entry.row()));
      const std::int32_t b = find_root(parent, static_cast<std::int32_t>(j));
      if (a != b) parent[std::max(a, b)] = std::min(a, b);  // the root is the first unknown
    }
  }
  // Roots come first in their component, so one pass downwards numbers the components by their first unknown.
  std::vector<std::int32_t> count;
  place_.resize(m);
  for (std::size_t i = 0; i < m; ++i) {
    const auto at = static_cast<std::int32_t>(i);
    if (parent[i] == at) {
      place_[i] = static_cast<std::int32_t>(count.size());  // its number, for now
      count.push_back(0);
    } else {
      place_[i] = place_[find_root(parent, at)];
    }
    ++count[place_[i]];
  }
  begin_.assign(count.size() + 1, 0);
  std::partial_sum(count.begin(), count.end(), begin_.begin() + 1);
  component_ = place_;
  order_.resize(m);
  std::fill(count.begin(), count.end(), 0);
  for (std::size_t i = 0; i < m; ++i) {
    place_[i] = count[component_[i]]++;
    order_[begin_[component_[i]] + place_[i]] = static_cast<std::int32_t>(i);
  }
}

Checked ConeMass::factor(Index c) {
  const auto size = static_cast<Index>(unknowns(c).size());
  const bool done = (size <= kMostDense && factor_dense(c)) || (size > kMostUnknowns && factor_sparse(c));
  if (done) return ok();
  return fail("the mass matrix is singular", "M, the component of unknown " + std::to_string(unknowns(c).front()),
              "give every unknown a mass, or leave unknowns without mass out");
}

// False: singular; or neither small nor symmetric positive definite.
bool ConeMass::factor_dense(Index c) {
  const auto dofs = unknowns(c);
  const auto size = static_cast<Index>(dofs.size());
  block_.setZero(size, size);
  for (const std::int32_t j : dofs) {
    for (SparseMatrix::InnerIterator entry(*M_, j); entry; ++entry) {
      if (entry.value() != 0.0) block_(place_[entry.row()], place_[j]) += entry.value();
    }
  }
  double asymmetry = 0.0, largest = 0.0;
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < size; ++i) {
      asymmetry = std::max(asymmetry, std::abs(block_(i, j) - block_(j, i)));
      largest = std::max(largest, std::abs(block_(i, j)));
    }
  }
  values_[c] = static_cast<std::int64_t>(factors_.size());
  if (asymmetry <= kSymmetric * largest && factor_cholesky(block_, work_)) {
    kind_[c] = Kind::kCholesky;
  } else {
    if (size > kMostUnknowns) return false;
    lu_.reserve(kMostUnknowns);
    lu_.matrix(size) = block_;
    if (!lu_.factor(kSingular)) return false;
    work_.resize(size, size);
    lu_.inverse(work_);
    kind_[c] = Kind::kInverse;
  }
  factors_.insert(factors_.end(), work_.data(), work_.data() + size * size);
  return true;
}

bool ConeMass::factor_sparse(Index c) {
  const auto dofs = unknowns(c);
  std::vector<Eigen::Triplet<double>> entries;
  for (const std::int32_t j : dofs) {
    for (SparseMatrix::InnerIterator entry(*M_, j); entry; ++entry) {
      if (entry.value() != 0.0) entries.emplace_back(place_[entry.row()], place_[j], entry.value());
    }
  }
  SparseMatrix part(static_cast<Index>(dofs.size()), static_cast<Index>(dofs.size()));
  part.setFromTriplets(entries.begin(), entries.end());
  large_[c] = std::make_unique<Large>();
  if (!large_[c]->factor(part)) return false;
  kind_[c] = large_[c]->whitens() ? Kind::kSparseCholesky : Kind::kLarge;
  return true;
}

// A diagonal mass has thousands of components of one unknown. False: more than one, or not positive.
bool ConeMass::factor_single(Index c) {
  const auto dofs = unknowns(c);
  if (dofs.size() != 1) return false;
  double mass = 0.0;
  for (SparseMatrix::InnerIterator entry(*M_, dofs[0]); entry; ++entry) {
    mass += entry.row() == dofs[0] ? entry.value() : 0.0;
  }
  if (!(mass > 0.0)) return false;
  kind_[c] = Kind::kCholesky;
  values_[c] = static_cast<std::int64_t>(factors_.size());
  factors_.push_back(std::sqrt(mass));
  return true;
}

Checked ConeMass::assign(const SparseMatrix& M) {
  M_ = &M;
  find_components();
  const auto count = static_cast<std::size_t>(components());
  kind_.assign(count, Kind::kCholesky);
  values_.assign(count, 0);
  factors_.clear();
  large_.clear();
  large_.resize(count);
  for (Index c = 0; c < components(); ++c) {
    if (factor_single(c)) continue;
    if (Checked done = factor(c); !done) return done;
  }
  return ok();
}

void ConeMass::whiten(Index c, double* y) const {
  const auto size = static_cast<Index>(unknowns(c).size());
  if (kind_[c] == Kind::kSparseCholesky) return large_[c]->whiten(Eigen::Map<VectorXd>(y, size));
  const double* factor = factors_.data() + values_[c];
  if (kind_[c] == Kind::kCholesky) {
    for (Index j = 0; j < size; ++j, factor += size) {
      if (y[j] == 0.0) continue;
      y[j] /= factor[j];
      for (Index i = j + 1; i < size; ++i) y[i] -= y[j] * factor[i];
    }
    return;
  }
  TRIBO_ASSERT(kind_[c] == Kind::kInverse);
  double product[kMostUnknowns];
  for (Index j = 0; j < size; ++j) {
    product[j] = 0.0;
    for (Index i = 0; i < size; ++i) product[j] += factor[j * size + i] * y[i];
  }
  std::copy_n(product, size, y);
}

MatrixXd ConeMass::solve_sparse(Index c, const MatrixXd& Y) const { return large_[c]->solve(Y); }

VectorXd ConeMass::solve_once(const VectorXd& y) const {
  VectorXd x(y.size());
  VectorXd part;
  for (Index c = 0; c < components(); ++c) {
    const auto dofs = unknowns(c);
    const auto size = static_cast<Index>(dofs.size());
    if (size == 1 && kind_[c] == Kind::kCholesky) {
      const double root = factors_[values_[c]];
      x(dofs[0]) = y(dofs[0]) / (root * root);
      continue;
    }
    part.resize(size);
    for (Index i = 0; i < size; ++i) part(i) = y(dofs[i]);
    if (is_sparse(c)) {
      part = large_[c]->solve(part);
    } else if (const Eigen::Map<const MatrixXd> factor(factors_.data() + values_[c], size, size);
               kind_[c] == Kind::kCholesky) {
      whiten(c, part.data());
      for (Index j = size - 1; j >= 0; --j) {
        for (Index i = j + 1; i < size; ++i) part(j) -= factor(i, j) * part(i);
        part(j) /= factor(j, j);
      }
    } else {
      part = factor * part;
    }
    for (Index i = 0; i < size; ++i) x(dofs[i]) = part(i);
  }
  return x;
}

VectorXd ConeMass::solve(const VectorXd& y) const {
  VectorXd x = solve_once(y);
  x -= solve_once(accurate_affine(*M_, x, -y));
  return x;
}

}  // namespace tribo
