// Derivatives of a solution of a ConeProblem: how u and r follow changes of W, q and mu (spec/cone §13). The data
// enter by
//     delta = dW r + dq,    dmu                                                                                (1)
// and while no contact changes its state its law is a linear equation: with du = W dr + delta and dr = T z + c,
//     (Eᵀ W T + diag(d)) z = −Eᵀ (delta + W c)                                                                (2)
//     open   no z, dr = 0
//     stick  T = E = I, c = 0, d = 0;   bilateral blocks always
//     slide  T = [e_N + mu n, Q],  E = [e_N, k Q],  c = n r_N dmu,  d = 1 − k on Q,   k = mu r_N/(mu r_N + |u_T|)
//     mu = 0 T = E = e_N,  c = n r_N dmu
// n is the direction of friction, Q the tangents orthogonal to it. (Rows of Q are multiplied by k, so that they stay
// finite when the load goes to zero.) The adjoint takes gradients g_u, g_r of a scalar over u and r and gives, with A
// the matrix of (2),
//     y = A⁻ᵀ Tᵀ(Wᵀ g_u + g_r),   over delta: p = g_u − E y,   over mu: r_N n·(g_r + Wᵀ p),   over W: p rᵀ      (3)
//
// Redundant contacts make (2) singular: their r is not determined, but u mostly is. alpha EᵀT is added to the matrix
// and refinement takes what that changes out again, so du and p are those of alpha → 0; of dr only what moves
// something is meaningful. Where u itself is not determined (a body that slides and turns on four points: friction
// depends on a distribution of load that rigid bodies do not have) unique() is false.
//
// On a boundary between two states there are several derivatives; what is returned is that of the state the contact
// was counted to, one element of the generalized Jacobian. undecided() names these contacts, as the r at hand shows
// them: where contacts are redundant another r of the same motion may be inside its cones.
// Cost      one factorization (of (2), or of the bodies where W is given by them and they have fewer unknowns; dense
//           LU up to some hundred, sparse LU above), then two to four solves per direction.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/cone_problem.hpp"

#include <memory>
#include <vector>

namespace tribo {

struct ConeGradientSettings {
  // How near to another state counts as undecided: u_N of open contacts, |u_T| and w|r| of sliding ones, w times the
  // distance of r from the edge of its cone for sticking ones, all over max(max_i |q_i|, 1e-10); w = trace W_ii/D.
  // 0 … 1; well above the tolerance of the solve, or noise decides.
  double boundary = 1e-6;
  // Added to the diagonal in units where the contacts' own blocks of W have mean diagonal one. > 0; below 1e-13
  // redundant contacts are lost in rounding, above 1e-6 soft directions beside stiff ones are.
  double alpha = 1e-10;
};

class ConeGradient {
 public:
  // The solution is taken as it is: r and u. Refused: numbers that are not finite, and a matrix (2) that is singular in
  // spite of alpha. Sizes are the caller's promise. Nothing of the arguments is kept.
  static Expected<ConeGradient> make(const ConeProblem& problem, const ConeSolution& solution,
                                     const ConeGradientSettings& settings = {});
  ~ConeGradient();
  ConeGradient(ConeGradient&&) noexcept;
  ConeGradient& operator=(ConeGradient&&) noexcept;

  struct Tangent {
    VectorXd du, dr;
    // How much of the change redundant contacts contradict: the largest rest of (2) over the largest entry of
    // delta + W c, 0 up to rounding. A change that raises one of two equal contacts and not the other has no
    // derivative; du is a mean then.
    double contradiction = 0.0;
  };
  Tangent forward(const VectorIn& delta, const VectorIn& dmu) const;  // D n, n

  struct Adjoint {
    VectorXd delta, mu;  // gradients over them; over W: delta rᵀ
  };
  Adjoint adjoint(const VectorIn& g_u, const VectorIn& g_r) const;
  Adjoint adjoint(const VectorIn& g_u) const;

  const std::vector<ContactState>& states() const;  // that the contacts were counted to
  const IndexList& undecided() const;               // ascending
  bool unique() const;                              // u is determined, as far as one random direction shows
  bool set_valued() const { return !undecided().empty() || !unique(); }
  Index unknowns() const;  // of (2)

 private:
  struct Data;
  explicit ConeGradient(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace tribo
