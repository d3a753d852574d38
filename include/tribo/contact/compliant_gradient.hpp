// Derivatives of a compliant step: how v1 follows velocity, force, offsets, stiffness, damping and friction. With
// e = G v1 + β + R π, π = h λ (problem/compliant_problem.hpp), while no row changes its state,
//     M dv1 − Σ Gᵀ dπ = M dv + h df                                                                              (1)
//     closed rows, sticking tangents   de = 0,   de = G dv1 + R dπ + (dβ + π dR)                                    (2)
//     open rows                        dπ = 0
//     sliding, t = π_t/|π_t|           t·dπ_t − mu dπ_n = π_n dmu                                                (3)
//                                      t⊥·(|π_t| de_t + |e_t| dπ_t) = 0
//       and the normal row             de_n = 0 (kCoulomb: not symmetric),  de_n + mu t·de_t = |e_t| dmu (kConvexCone)
// which is solved as it stands: nothing is divided by a compliance, so stiff rows lose no digits. (spec D.3 has the same
// with dπ eliminated.) kLeastNorm and kWeighted: the optimality conditions of their programs (compliant_program_gradient.cpp).
//
// set_valued(): rows are on a boundary between two states, and what is returned is the derivative of one of them. Contacts
// with mu = 0 have a derivative over mu to one side. Rows with K = B = 0 stay as they are: the gradient over them is zero.
// Cost      one dense LU of degrees of freedom and rows that carry force, then two solves per direction.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/compliant_problem.hpp"

#include <memory>
#include <vector>

namespace tribo {

// Changes of the data of rows, or the gradient over them; what is empty does not change. `offset` is added to β, in m/s
// (1/h times a change of the gap of a rigid row; s h times one of Ġ v0).
struct CompliantRowsChange {
  VectorXd offset, phi, K, B;
};
struct CompliantChange {
  VectorXd v, f;
  CompliantRowsChange bilateral, unilateral, normal, r, s;
  VectorXd mu;
};

// Σ of the products of all entries; gradient·change is what the scalar changes by.
double dot(const CompliantChange& gradient, const CompliantChange& change);

struct CompliantGradientSettings {
  // How near to another state counts as undecided: the larger of gap speed and load (of slip and distance from the edge of
  // the cone), as speeds, over the speed scale of the row. 0 … 1; well above the tolerance of the solve.
  double boundary = 1e-6;
};

class CompliantGradient {
 public:
  // The answer must pass its certificate to 1e-6; a tighter one gives more digits. The problem is copied. Refused, beside
  // that: problems that are not valid, VelocityProduct::kPaper, and states in which the equations above are singular.
  static Expected<CompliantGradient> make(const CompliantProblem& problem, const Compliant& model,
                                          const CompliantSolution& solution,
                                          const CompliantGradientSettings& settings = {});
  ~CompliantGradient();
  CompliantGradient(CompliantGradient&&) noexcept;
  CompliantGradient& operator=(CompliantGradient&&) noexcept;

  VectorXd forward(const CompliantChange& change) const;  // dv1
  CompliantChange adjoint(const VectorIn& g) const;       // g: the gradient of a scalar over v1

  MatrixXd over_v() const;
  MatrixXd over_f() const;

  const std::vector<ContactState>& states() const;  // per contact, as they were counted
  const IndexList& undecided_contacts() const;      // ascending
  const IndexList& undecided_unilateral() const;
  bool set_valued() const { return !undecided_contacts().empty() || !undecided_unilateral().empty(); }

 private:
  struct Data;
  explicit CompliantGradient(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace tribo
