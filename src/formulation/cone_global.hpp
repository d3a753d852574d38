// ConeFormulation of a GlobalFriction problem: M taken apart into its bodies, W by products over contacts that share one
// (spec 10), and the way back to v.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/solution.hpp"

#include <cstdint>
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
  // Gives every small component its places in columns of b_ numbers; true: W pays.
  bool plan_columns();
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
  std::int32_t columns_ = 0;
  bool whitened_ = true;  // every small component that takes part is of Kind::kCholesky
  std::vector<DensePart> dense_;
  BlockSparse left_, right_;
  BodyProduct product_;
};

}  // namespace tribo
