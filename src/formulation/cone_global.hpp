// ConeFormulation of a GlobalFriction problem: M taken apart into its bodies, W by products over contacts that share
// one (spec 10), and the way back to v.
//
// By bodies, a component takes as many numbers as it has unknowns or, where these are fewer, rows: with its whitened
// rows as the columns of Y = Q R, Yᵀ Y = Rᵀ R. So finite elements touched in few places are a small body. A component
// that is not symmetric positive definite (to rounding) has no such rows, and W is formed.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/solution.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "formulation/cone_bodies.hpp"
#include "formulation/cone_mass.hpp"

namespace tribo {

class GlobalCone {
 public:
  Checked update(const GlobalFriction& problem, ConeForm form, ConeProblem& cone);
  void lift(const VectorXd& r, FrictionSolution& out) const;

 private:
  // Row c of block k of the cone problem is a column of H or of G; -1: filled up.
  const SparseMatrix& matrix_of(Index k) const { return k < problem_->contacts() ? problem_->H : problem_->G; }
  Index column_of(Index k, int c) const;
  Index blocks() const { return problem_->contacts() + static_cast<Index>(groups_.size()) - 1; }

  void group_bilateral();
  void list_contacts();
  Checked check_bilateral() const;
  std::span<const std::int32_t> contacts_of(Index c) const {
    return {contacts_.data() + begin_[c], static_cast<std::size_t>(begin_[c + 1] - begin_[c])};
  }
  // Gives components their places in columns of b_ numbers: by bodies all that whiten, else those that are not sparse.
  void plan_columns(bool by_bodies);
  MatrixXd rows_of(Index c) const;
  void reduce_rows();
  void fill_rows(BlockSparse& A, BlockSparse* C) const;
  void make_dense_parts();
  void fill_up(ConeProblem& cone, bool by_contacts);

  const GlobalFriction* problem_ = nullptr;
  int d_ = 3, b_ = 6;
  ConeMass mass_;
  VectorXd v_free_;
  std::vector<Index> groups_;                   // first column of G of each bilateral block; one more than there are
  std::vector<std::int32_t> begin_, contacts_;  // blocks that touch each component, ascending
  std::vector<std::int32_t> column_, offset_;   // of each component: its first column, and where it begins there
  std::vector<std::int32_t> width_;             // of each component: its numbers
  std::int32_t columns_ = 0;
  bool whitened_ = true;           // every component that takes part whitens
  std::vector<MatrixXd> reduced_;  // R of components with fewer rows than unknowns; else empty
  std::vector<DensePart> dense_;
  BlockSparse left_, right_;
  BodyProduct product_;
};

}  // namespace tribo
