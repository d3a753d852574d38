// The weighted program (weighted.hpp) in forces alone, bilateral rows eliminated (spec C.1), every number in extended precision:
//     v1 = v_b + h A Gᵀ x,    W = h G A Gᵀ,    c = G v_b + β                                                    (1)
//     min ½ Σ w x² + ½ Σ_t β_t²,    β_t/D_t = x_t/D_t + (W x)_t + c_t                                            (2)
//     subject to   x_i/D_i + (W x)_i + c_i ≥ 0 (rows),    x ≥ 0 or |x_t| ≤ mu x_n (units)                        (3)
// A unit is a unilateral row or a contact: its forces stand together, the pushing one first. Where mu = 0 the tangents are not
// there at all, neither forces nor residuals (erratum 24), and rows with K = B = 0 carry nothing: such a tangent is not there,
// and with such a normal the whole contact. c holds the bilateral forces by v_b (erratum 14).
#pragma once

#include "tribo/problem/compliant_problem.hpp"

#include <vector>

#include "solve/compliant/weighted_lu.hpp"

namespace tribo::compliant {

struct WeightedUnit {
  Index first = 0;     // of its forces
  int size = 1;        // 1: x ≥ 0; 2 and 3: a cone
  Extended mu = 0;     // cones
  Index contact = -1;  // -1: a unilateral row
  Index row = 0;       // among unilateral rows, then normals
};

// Which row of the problem a force belongs to.
struct WeightedForce {
  enum class Kind : unsigned char { kUnilateral, kNormal, kR, kS };
  Kind kind = Kind::kUnilateral;
  Index index = 0;
};

// Row k of (2) or (3) is e_x/D + W_x with the constant c_x.
struct WeightedRow {
  Index x = 0;
  Extended D = 0;
};

struct WeightedProgram {
  std::vector<WeightedUnit> units;  // unilateral rows, then contacts
  std::vector<WeightedForce> forces;
  std::vector<WeightedRow> rows;  // one per unit
  std::vector<WeightedRow> residuals;
  ExtendedMatrix W;
  ExtendedVector c;
  ExtendedVector weight;
  Extended force = 0;  // N: the largest force that one row or residual alone asks for; 0: x = 0 is the answer

  Index size() const { return c.size(); }
  // Row k of `rows` or `residuals` times x, with the constant, and its coefficient of x_j.
  Extended value(const WeightedRow& row, const ExtendedVector& x) const;
  Extended coefficient(const WeightedRow& row, Index j) const { return W(row.x, j) + (row.x == j ? 1 / row.D : 0); }

  Extended h = 0;
  ExtendedMatrix whitened;  // Ĝᵀ = L⁻¹ Gᵀ, a column per force
  ExtendedMatrix mobile;    // Lᵀ A Gᵀ: W = h Ĝ · this

  // What lift() needs beside.
  ExtendedMatrix whitened_bilateral;  // the same of the bilateral rows that act
  ExtendedMatrix factor_bilateral;    // Cholesky factor of I + S W_b S
  ExtendedVector root_bilateral;      // S = √L
  ExtendedVector rate_bilateral;      // β + G v*
  IndexList acting_bilateral;
};

// zeta: the weight of normal and unilateral forces. False: the mass matrix is not positive definite, or a number is not finite.
[[nodiscard]] bool make_program(const CompliantProblem& problem, double zeta, WeightedProgram& program);

// All forces and v1 from x; states are left alone.
void lift(const CompliantProblem& problem, const WeightedProgram& program, const ExtendedVector& x,
          CompliantSolution& solution);

}  // namespace tribo::compliant
