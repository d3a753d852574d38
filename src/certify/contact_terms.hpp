// What every check of a contact answer needs: the level's offsets, norms of rows, the speed scale, and
// accurate products with rows.
//     |x|_M = √(xᵀ M x),    |row|_{M⁻¹} = √(row M⁻¹ rowᵀ)
//     us = max( |v|_M, |u0|_M, |v⁺|_M, max_i |b_i| / |row_i|_{M⁻¹} ),    u0 = v + h M⁻¹ f   (1)
// with the offsets of J and the negative ones of N.
// At acceleration level us is an acceleration: |M⁻¹ (f + viscous force)|_M, |M⁻¹ f|_M, |a|_M, |a_i| /
// |row_i|. Rows of norm zero are left out of (1): their offset is no speed of anything, and an infinite scale
// would excuse everything.
// Islands, where they are given, have a scale each, made of their own bodies and rows.
#pragma once

#include "tribo/linalg/accurate.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/islands.hpp"

#include <optional>
#include <vector>

#include "certify/measure.hpp"

namespace tribo {

struct ContactTerms {
  const ContactProblem* problem = nullptr;
  const IslandMap* islands = nullptr;  // none: the problem is judged as one
  BlockCholesky factor;
  VectorXd norm_N, norm_S, norm_T, norm_J, norm_D;  // |row|_{M⁻¹}
  VectorXd norm_spin, norm_roll_s, norm_roll_t;
  double speed = 0.0;            // us without |v⁺|_M until include(v⁺); with islands: see island_speed
  VectorXd island_speed;         // us per island
  VectorXd u0, whitened, local;  // scratch: a velocity, the same in whitened coordinates, one number per island
  VectorXd segment;              // scratch: one block of a row

  bool acceleration() const { return problem->level == Level::kAcceleration; }
  const VectorXd& offset_N() const { return acceleration() ? problem->a_N : problem->b_N; }
  const VectorXd& offset_J() const { return acceleration() ? problem->a_J : problem->b_J; }
  const char* velocity_unit() const { return acceleration() ? "m/s²" : "m/s"; }
  const char* impulse_unit() const { return acceleration() ? "N" : "N·s"; }
  const char* work_unit() const { return acceleration() ? "W/s" : "J"; }
  Index island_of_block(Index b) const {
    return islands == nullptr ? 0 : islands->of_block[static_cast<std::size_t>(b)];
  }
  Index island_of_contact(Index i) const {
    return islands == nullptr ? 0 : islands->of_contact[static_cast<std::size_t>(i)];
  }
  // us of the island of a contact, of a bilateral row, of a row of dry friction.
  double speed_at(Index contact) const {
    return islands == nullptr ? speed : island_speed(islands->of_contact[static_cast<std::size_t>(contact)]);
  }
  double speed_at_bilateral(Index row) const {
    return islands == nullptr ? speed : island_speed(islands->of_bilateral[static_cast<std::size_t>(row)]);
  }
  double speed_at_dry(Index row) const {
    return islands == nullptr ? speed : island_speed(islands->of_dry[static_cast<std::size_t>(row)]);
  }
  double mass_norm(VectorXd velocity) const;         // |x|_M
  double inverse_mass_norm(VectorXd impulse) const;  // |y|_{M⁻¹}
  void include(const VectorXd& velocity);            // |v⁺|_M joins us
};

// Every array of the problem has the size that the others call for.
bool shapes_fit(const ContactProblem& problem);

// False when the mass matrix is not positive definite. Nothing is allocated when the sizes are those of the last call and
// no block of M is larger than 32. The problem and the map must stay where they are.
bool calc_terms(const ContactProblem& problem, const IslandMap* islands, ContactTerms& terms);
std::optional<ContactTerms> calc_terms(const ContactProblem& problem);

// |row|_{M⁻¹} of all rows, with terms.factor.
void row_norms(const ContactProblem& problem, ContactTerms& terms);

// (1) without v⁺ over these blocks alone: the norms of v and u0 there and the offsets of the rows that touch them.
double local_speed(ContactTerms& terms, const std::vector<bool>& blocks);

// row_i · x + offset, rounded once.
double accurate_row(const BlockRows& rows, Index i, const VectorXd& x, double offset = 0.0);
// For all rows; no offset: zeros. Rows N, S, T of a contact (spin, roll_s, roll_t) have the same blocks as a rule, so
// they are taken together; any of them may be absent, and its result is empty then.
void accurate_rows(const BlockRows& rows, const VectorXd& x, VectorXd& result);
void accurate_rows(const BlockRows* const (&rows)[3], const VectorXd& x, const VectorXd* offset,
                   VectorXd* const (&result)[3]);

// Per degree of freedom: sums that grow by Mx and by rowᵀ f.
struct MomentumSums {
  VectorXd high, low;  // the parts of an AccurateSum
  VectorXd value() const { return high + low; }
  void reset(Index size) {
    high.setZero(size);
    low.setZero(size);
  }
};
void add_mass_product(MomentumSums& sums, const BlockDiagonal& mass, double sign, const VectorXd& x);
void add_scaled_vector(MomentumSums& sums, double scale, const VectorXd& x);
void add_rows_transposed(MomentumSums& sums, const BlockRows& rows, double sign, const VectorIn& f);

}  // namespace tribo
