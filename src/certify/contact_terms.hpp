// What every check of a contact answer needs: the level's offsets, norms of rows, the speed scale, and
// accurate products with rows.
//     |x|_M = √(xᵀ M x),    |row|_{M⁻¹} = √(row M⁻¹ rowᵀ)
//     us = max( |v|_M, |u0|_M, |v⁺|_M, max_i |b_i| / |row_i|_{M⁻¹} ),    u0 = v + h M⁻¹ f   (1)
// with the offsets of J and the negative ones of N.
// At acceleration level us is an acceleration: |M⁻¹ (f + viscous force)|_M, |M⁻¹ f|_M, |a|_M, |a_i| /
// |row_i|. Rows of norm zero are left out of (1): their offset is no speed of anything, and an infinite scale
// would excuse everything.
#pragma once

#include "tribo/linalg/accurate.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <optional>
#include <vector>

#include "certify/measure.hpp"

namespace tribo {

struct ContactTerms {
  const ContactProblem& problem;
  BlockCholesky factor;
  VectorXd norm_N, norm_S, norm_T, norm_J;  // |row|_{M⁻¹}
  VectorXd norm_spin, norm_roll_s, norm_roll_t;
  VectorXd offset_N, offset_J;  // b or a, by level
  double speed = 0.0;           // us without |v⁺|_M until include(v⁺)

  bool acceleration() const { return problem.level == Level::kAcceleration; }
  const char* velocity_unit() const { return acceleration() ? "m/s²" : "m/s"; }
  const char* impulse_unit() const { return acceleration() ? "N" : "N·s"; }
  const char* work_unit() const { return acceleration() ? "W/s" : "J"; }
  double mass_norm(VectorXd velocity) const;         // |x|_M
  double inverse_mass_norm(VectorXd impulse) const;  // |y|_{M⁻¹}
  void include(const VectorXd& velocity);            // |v⁺|_M joins us
};

// Every array of the problem has the size that the others call for.
bool shapes_fit(const ContactProblem& problem);

// Nothing when the mass matrix is not positive definite.
std::optional<ContactTerms> calc_terms(const ContactProblem& problem);

// (1) without v⁺ over these blocks alone: the norms of v and u0 there and the offsets of the rows that touch them.
double local_speed(const ContactTerms& terms, const std::vector<bool>& blocks);

// row_i · x + offset, rounded once.
double accurate_row(const BlockRows& rows, Index i, const VectorIn& x, double offset = 0.0);

// Per degree of freedom: sums that grow by Mx and by rowᵀ f.
using MomentumSums = std::vector<AccurateSum>;
void add_mass_product(MomentumSums& sums, const BlockDiagonal& mass, double sign, const VectorIn& x);
void add_rows_transposed(MomentumSums& sums, const BlockRows& rows, double sign, const VectorIn& f);
VectorXd values(const MomentumSums& sums);

}  // namespace tribo
