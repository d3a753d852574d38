// The numbers of (1) and (2) of compliant_program.hpp in extended precision, from the problem alone.
#pragma once

#include "tribo/problem/compliant_problem.hpp"

#include <vector>

namespace tribo {

using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

inline constexpr long double kOnIt = 1e-9L;  // of the largest force: what is nearer to a boundary of its cone is on it

struct ProgramUnit {
  Index first = 0;       // of its entries of x, the pushing one first
  int size = 1;          // 1: x ≥ 0
  double mu = 0.0;       // cones
  Index multiplier = 0;  // entry of CompliantSolution::row_multipliers
};

struct ProgramTerms {
  std::vector<ProgramUnit> units;
  LongVector x;                // forces of the answer
  std::vector<long double> D;  // per entry of x
  std::vector<bool> tangent;   // per entry of x
  LongVector weight, c;
  LongMatrix W;
  double idle = 0.0;  // the largest force where none belongs

  Index size() const { return x.size(); }
  bool is_tangent(Index i) const { return tangent[static_cast<std::size_t>(i)]; }
  // ∂β_i/∂x_j or ∂s_i/∂x_j
  long double coefficient(Index i, Index j) const {
    return (i == j ? 1 : 0) + D[static_cast<std::size_t>(i)] * W(i, j);
  }
  Index pushing(std::size_t unit) const { return units[unit].first; }
};

// False when the mass matrix and the bilateral rows make a singular system or a number is not finite.
bool calc_program_terms(const CompliantProblem& problem, double zeta, const CompliantSolution& solution,
                        const VectorXd& fed_forward, ProgramTerms& terms);

// Solves A X = B by Gauss's method with partial pivoting, in place; false: singular.
bool solve_long(LongMatrix& A, LongMatrix& B);

}  // namespace tribo
