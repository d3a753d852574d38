// M⁻¹ y for the mass matrix of a friction problem, with one step of refinement and an accurate residual. M need not be
// symmetric. Rows and columns that are connected through entries of M make a part: a rigid body has one of at most six
// unknowns, an elastic body one of thousands. Small parts are inverted, so that a product with M⁻¹ costs nothing where
// a vector is zero; what is left is factored together by sparse LU.
#pragma once

#include "tribo/linalg/sparse_lu.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/friction_problem.hpp"

#include <vector>

namespace tribo {

class MassSolver {
 public:
  explicit MassSolver(const SparseMatrix& M);
  bool ok() const { return ok_; }  // false: singular

  VectorXd solve(const VectorXd& y) const;
  // h·M⁻¹h for column `k` of H.
  double energy(const SparseMatrix& H, Index k) const;

 private:
  struct Part {
    Index first = 0, size = 0;  // where its rows are in `rows_`
    Index matrix = -1;          // where its inverse is in `inverses_`, column by column; -1: among the rest
  };

  void find_parts();
  void invert(Part& part);
  void factor_rest();
  void add_solution(const VectorXd& y, VectorXd& x) const;  // x += M⁻¹ y, not refined

  SparseMatrix M_;
  bool ok_ = true;
  std::vector<Part> parts_;
  IndexList rows_;                // part after part
  IndexList part_of_, place_of_;  // of each row: its part, and its place there (the rest: its place in rest_)
  std::vector<double> inverses_;
  IndexList rest_;
  SparseLu lu_;  // of the rest
};

}  // namespace tribo
