// Springs and dampers integrated implicitly over one step: all rows of bilateral, unilateral and frictional constraints.
//
//     M v1 = M v0 + h (f + Σ Gᵀ λ),    v* = v0 + h M⁻¹ f                                        λ: forces, N     (1)
//     law_i(v1) = −K φ1 − B φ1' = −D_i ((G v1)_i + β_i),    D = h K + B,   β = K φ0/D + s h (Ġ v0)               (2)
// bilateral: λ = law; unilateral: λ = max(0, law); contacts: the same along the normal, and friction (model Compliant).
// s = 1 in the modes spring and paper, 0 in the mode none. With L = h D = h² K + h B, R = 1/L and impulses π = h λ a row is
//     G v1 + β + R π = 0    (unilateral: 0 ≤ π ⟂ G v1 + β + R π ≥ 0)                                            (3)
// which is a rigid row with compliance R. Rows with K = B = 0 carry nothing.
//
// Source    spec/first-order-solver §1, [Drumwright 2018] (51)–(53), (61)–(62), (84), (186), (190), (197)–(198), all of which
//           (2) replaces. Symbols: paper K, B, φ, G, λ as here.
// Signs     φ > 0 apart, λ > 0 pushes apart. The rate of a contact may be φ' = S G v with S ≠ 1 (`rate_scale`, spec C.6:
//           nonlinear laws); its force acts along G all the same.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/block_rows.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/cone_problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tribo {

// What becomes of Ġ v0 (spec A.2, A.3). kNone is stable far beyond the others; kPaper is [Drumwright 2018] as printed, with
// (G M⁻¹ Gᵀ)⁻¹ Ġ v0 taken by least squares where rows are redundant.
enum class VelocityProduct { kNone, kSpring, kPaper };

struct CompliantRows {
  BlockRows G;
  VectorXd K;      // N/m, >= 0 (couples: N·m/rad)
  VectorXd B;      // N·s/m, >= 0
  VectorXd phi;    // m: φ0
  VectorXd drift;  // m/s²: Ġ v0; empty: zero

  Index rows() const { return G.rows(); }
};

struct CompliantProblem {
  std::string name;
  double h = 0.01;     // s, > 0
  BlockDiagonal mass;  // M
  VectorXd v, f;       // v0 and what is applied
  VelocityProduct product = VelocityProduct::kNone;
  CompliantRows bilateral, unilateral;
  CompliantRows normal;  // one row per contact
  CompliantRows r,
      s;        // tangents of the contacts, in the order of `normal`; s without rows: planar. Both without: no friction
  VectorXd mu;  // per contact, >= 0
  VectorXd rate_scale;         // S per contact, > 0; empty: 1
  std::optional<double> zeta;  // weight of the normal forces in the weighted program, > 0; empty: 1/h, as in the paper

  Index dof() const { return mass.size(); }
  Index contacts() const { return normal.rows(); }
  double normal_weight() const { return zeta.value_or(1.0 / h); }
};

// Sizes, finite numbers, M symmetric positive definite, K, B, mu >= 0, h, S, zeta > 0. The error names field, entry and remedy.
Checked validate(const CompliantProblem& problem);

// How unilateral rows and friction are meant. Names of the command line: "compliant", "compliant/none", "compliant/spring",
// "compliant/paper" (set CompliantProblem::product), "compliant/lcp", "compliant/qp", "compliant/coulomb",
// "compliant/convex-cone", "compliant/paper-qcqp".
enum class UnilateralLaw {
  kComplementarity,  // λ = max(0, law) for all rows at once (spec B.2)
  kLeastNorm,        // the paper's program: least |λ| with λ ≥ law, λ ≥ 0 (spec B.1)
};
enum class FrictionLaw {
  kCoulomb,     // Coulomb's law and the normal law, both exactly (spec C.5)
  kConvexCone,  // the convex relaxation: always solvable, sliding contacts glide on a gap h mu |v_t| (spec C.4)
  kWeighted,    // the paper's program, corrected (spec C.2): inflates normal forces (spec C.3)
};
struct Compliant {
  UnilateralLaw unilateral = UnilateralLaw::kComplementarity;
  FrictionLaw friction = FrictionLaw::kCoulomb;
  bool operator==(const Compliant&) const = default;
};

// Forces, not impulses.
struct CompliantSolution {
  VectorXd v1;
  VectorXd lambda_b, lambda_u, lambda_n, lambda_r, lambda_s;
  std::vector<ContactState> states;  // per contact, as the solver counted them: for its next start, and for gradients
  // The two programs (kLeastNorm, kWeighted): of λ ≥ law, unilateral rows first, then normals; 0 where not active. Otherwise
  // empty.
  VectorXd row_multipliers;
};

// Row i of (2)–(3), S included: G v1 + offset + compliance π = 0. `acts` is false where K = B = 0.
struct CompliantRow {
  double D = 0.0;           // S (h K + B): the slope of the force over G v1
  double offset = 0.0;      // β
  double compliance = 0.0;  // R
  bool acts = false;
};
CompliantRow calc_row(const CompliantRows& rows, Index i, double h, VelocityProduct product, double rate_scale = 1.0);

}  // namespace tribo
