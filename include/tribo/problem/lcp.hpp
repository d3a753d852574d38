// Complementarity problems in their three plain forms. All matrices are dense; nothing is assumed of them here,
// each solver says what it needs.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/types.hpp"

namespace tribo {

// 0 ≤ z ⟂ w = M z + q ≥ 0.
struct Lcp {
  MatrixXd M;
  VectorXd q;

  Index size() const { return q.size(); }
  bool operator==(const Lcp&) const = default;
};

// [0; w] = M [u; z] + q with u free in the first `free` rows and 0 ≤ z ⟂ w ≥ 0 in the others:
//     A u + C z + a = 0,   w = D u + B z + b,   M = [A C; D B],   q = [a; b].
struct MixedLcp {
  MatrixXd M;
  VectorXd q;
  Index free = 0;

  Index size() const { return q.size(); }
  Index complementary() const { return q.size() - free; }
  bool operator==(const MixedLcp&) const = default;
};

// w = M z + q, lo ≤ z ≤ hi; w ≥ 0 where z = lo, w ≤ 0 where z = hi, w = 0 in between. Bounds may be infinite:
// lo = 0, hi = ∞ is an Lcp, lo = −∞, hi = ∞ an equality row.
struct BoxLcp {
  MatrixXd M;
  VectorXd q;
  VectorXd lo;
  VectorXd hi;

  Index size() const { return q.size(); }
  bool operator==(const BoxLcp&) const = default;
};

// An Lcp whose matrix is a Gram matrix that is never formed: w = G Gᵀ z + q, z ≥ 0, w ≥ 0, z ⟂ w. It is the dual of
//     min ½|t|²  subject to  G t + q ≥ 0,      t = Gᵀ z.
// Contact rows are of this kind in whitened coordinates: rows of G are the projected normals, q the contact
// velocities without contact forces (spec A.3).
struct FactoredLcp {
  MatrixXd G;          // n × m
  VectorXd q;          // n
  VectorXd row_norm;   // n; norm of each row before projection, the scale of its rank test (nN of spec B.3)
  double speed = 0.0;  // the scale of G t: w is compared with row_norm · speed (us of spec B.3)

  Index size() const { return q.size(); }
  bool operator==(const FactoredLcp&) const = default;
};

// min ½ xᵀ H x + gᵀ x  subject to  E x = b,  G x ≥ d;   H symmetric positive definite.
struct Qp {
  MatrixXd H;
  VectorXd g;
  MatrixXd E;  // 0 rows: no equalities
  VectorXd b;
  MatrixXd G;  // 0 rows: no inequalities
  VectorXd d;

  Index size() const { return g.size(); }
  bool operator==(const Qp&) const = default;
};

// Sizes that match, finite numbers, lo ≤ hi, H symmetric positive definite. The error names field and entry.
Checked validate(const Lcp& lcp);
Checked validate(const MixedLcp& lcp);
Checked validate(const BoxLcp& lcp);
Checked validate(const FactoredLcp& lcp);
Checked validate(const Qp& qp);

// The same problem in a more general form. No approximation; solutions carry over number by number.
MixedLcp as_mixed(const Lcp& lcp);
BoxLcp as_box(const Lcp& lcp);
BoxLcp as_box(const MixedLcp& lcp);
Lcp as_lcp(const FactoredLcp& lcp);  // forms M = G Gᵀ; what is rounding on the scale of row_norm and speed becomes zero
FactoredLcp make_factored(MatrixXd G, VectorXd q);  // row norms and speed from G and q themselves

// max|M − Mᵀ| ≤ tolerance · max|M|.
bool is_symmetric(const MatrixXd& M, double tolerance = 1e-12);

}  // namespace tribo
