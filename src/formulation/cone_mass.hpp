// A sparse mass matrix M as the bodies it is made of: the connected components of its pattern, factored one by one.
//   symmetric positive definite   M_c = L Lᵀ, L dense up to 200 unknowns and sparse above: rows can be whitened
//   any other, small              M_c⁻¹
//   any other, large              sparse LDLᵀ when symmetric, else sparse LU
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/dense_lu.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/friction_problem.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tribo {

class ConeMass {
 public:
  static constexpr Index kMostUnknowns = 12;  // of a small component
  // Trees have dense masses. Finite elements do not, and beyond this a dense factor costs more than their sparse one.
  static constexpr Index kMostDense = 200;
  enum class Kind : std::uint8_t { kCholesky, kSparseCholesky, kInverse, kLarge };

  ConeMass();
  ~ConeMass();
  ConeMass(ConeMass&&) noexcept;
  ConeMass& operator=(ConeMass&&) noexcept;

  // Fails when M is singular, naming an unknown of the component that is. M must stay where it is.
  Checked assign(const SparseMatrix& M);

  Index components() const { return static_cast<Index>(begin_.size()) - 1; }
  std::span<const std::int32_t> unknowns(Index c) const {
    return {order_.data() + begin_[c], static_cast<std::size_t>(begin_[c + 1] - begin_[c])};
  }
  std::int32_t component_of(Index unknown) const { return component_[unknown]; }
  std::int32_t place_of(Index unknown) const { return place_[unknown]; }  // inside its component
  Kind kind(Index c) const { return kind_[c]; }
  bool whitens(Index c) const { return kind_[c] == Kind::kCholesky || kind_[c] == Kind::kSparseCholesky; }
  bool is_sparse(Index c) const { return large_[c] != nullptr; }  // kSparseCholesky, kLarge

  // Where it whitens: y ← L⁻¹ y. kInverse: y ← M_c⁻ᵀ y. y has the size of the component.
  void whiten(Index c, double* y) const;
  // Of a sparse component: M_c⁻¹ Y, column by column.
  MatrixXd solve_sparse(Index c, const MatrixXd& Y) const;
  // M⁻¹ y with one step of refinement.
  VectorXd solve(const VectorXd& y) const;

 private:
  class Large;
  void find_components();
  Checked factor(Index c);
  bool factor_dense(Index c);
  bool factor_sparse(Index c);
  bool factor_single(Index c);
  VectorXd solve_once(const VectorXd& y) const;

  const SparseMatrix* M_ = nullptr;
  std::vector<std::int32_t> begin_, order_;      // unknowns by component; components by their first unknown
  std::vector<std::int32_t> component_, place_;  // of every unknown
  std::vector<Kind> kind_;
  std::vector<std::int64_t> values_;           // where the factor of a dense component begins
  std::vector<double> factors_;                // column by column
  std::vector<std::unique_ptr<Large>> large_;  // by component; null: dense
  MatrixXd block_, work_;
  DenseLu lu_;
};

}  // namespace tribo
