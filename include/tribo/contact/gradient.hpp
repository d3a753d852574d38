// Derivatives of a step under the true Coulomb cone: how v⁺ follows the data of a ContactProblem. With all rows of
// contacts and joints as ρ, their impulses as λ, their compliance as R, and states that do not change
// (solve/cone/cone_gradient.hpp),
//     M a = dM (v − v⁺) + M dv + h df + f dh + dρᵀ λ          what v⁺ would do at fixed impulses                (1)
//     delta = dρ v⁺ + db + λ dR + ρ a,   dv⁺ = a + M⁻¹ ρᵀ dλ,   dλ from delta and dmu by the law of the contacts  (2)
// The adjoint takes the gradient g of a scalar over v⁺; with P the gradient over delta and x = M⁻¹ (g + ρᵀ P) those
// over the data are
//     v: M x,   f: h x,   h: f·x,   M: x (v − v⁺)ᵀ made symmetric,   ρ: λ xᵀ + P v⁺ᵀ,   b: P,   R: λ P            (3)
// Of a row of dry friction, in (2) and (3) like the others, the bound is the pressure in a cone of its own with spring R
// (formulation/cone.hpp, (3)): delta = −R d bound there, and the gradient over it is −R P.
// In the elliptic cone of a contact with friction against turning a change of a coefficient is one of the scale of its
// rows: coefficients that are zero beside others that are not stay zero, and the gradient over them is given as zero.
//
// set_valued(): v⁺ has more than one derivative here, and what is returned is one of them. Either contacts are on a
// boundary between open, slide and stick (undecided() names them), or the answer is one of many (unique() is false).
// Cost      a certificate and one factorization, then one pass over the rows and two to four solves per direction.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/cone/cone_gradient.hpp"

#include <memory>
#include <vector>

namespace tribo {

// A change of the data of a ContactProblem, or the gradient of a scalar over them, entry by entry. What is empty does
// not change. Rows may touch other bodies than those of the problem.
struct ContactChange {
  VectorXd v, f;
  double h = 0.0;
  VectorXd b_N, b_J;
  VectorXd mu, mu_spin, mu_roll, compliance, tangential_compliance;  // per contact
  BlockDiagonal mass;                                                // symmetric
  BlockRows N, S, T, spin, roll_s, roll_t, J, D;
  VectorXd bound;  // per row of D
};

// Σ of the products of all entries; gradient·change is what the scalar changes by.
double dot(const ContactChange& gradient, const ContactChange& change);

class ContactGradient {
 public:
  // The answer must pass its certificate for CoulombCone to 1e-6; a tighter one gives more digits. (With
  // SolveOptions::relax, give the eased problem.) The problem is copied. Refused, beside that: problems that are not
  // valid, and what ConeFormulation and ConeGradient refuse.
  static Expected<ContactGradient> make(const ContactProblem& problem, const ContactSolution& solution,
                                        const ConeGradientSettings& settings = {});
  ~ContactGradient();
  ContactGradient(ContactGradient&&) noexcept;
  ContactGradient& operator=(ContactGradient&&) noexcept;

  // dv⁺. `contradiction`, where it is not null: ConeGradient::Tangent::contradiction of this change.
  VectorXd forward(const ContactChange& change, double* contradiction = nullptr) const;
  // Over all data at once; rows on the bodies that the problem's rows touch.
  ContactChange adjoint(const VectorIn& g) const;

  // The derivative of v⁺ as a matrix, one direction per column.
  MatrixXd over_v() const;    // m × m
  MatrixXd over_f() const;    // m × m
  MatrixXd over_mu() const;   // m × n
  MatrixXd over_b_N() const;  // m × n

  const std::vector<ContactState>& states() const;  // per contact
  const IndexList& undecided() const;               // contacts, ascending
  const IndexList& undecided_dry() const;           // rows of dry friction, ascending
  bool unique() const;
  bool set_valued() const { return !undecided().empty() || !undecided_dry().empty() || !unique(); }

 private:
  struct Data;
  explicit ContactGradient(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

// The same for matrices. Local: W, q and mu; global: f, w, b and mu (M, H and G stay as they are). What is empty does
// not change.
struct FrictionChange {
  SparseMatrix W;
  VectorXd q;
  VectorXd f, w, b;
  VectorXd mu;
};

class FrictionGradient {
 public:
  // Refused: as above, with the certificate of friction problems.
  static Expected<FrictionGradient> make(const LocalFriction& problem, const FrictionSolution& solution,
                                         const ConeGradientSettings& settings = {});
  static Expected<FrictionGradient> make(const GlobalFriction& problem, const FrictionSolution& solution,
                                         const ConeGradientSettings& settings = {});
  ~FrictionGradient();
  FrictionGradient(FrictionGradient&&) noexcept;
  FrictionGradient& operator=(FrictionGradient&&) noexcept;

  struct Tangent {
    VectorXd u, v;  // v: global only
    double contradiction = 0.0;
  };
  Tangent forward(const FrictionChange& change) const;
  // Gradients over the data from those over u and v (empty: zero). Over W it is q rᵀ: only the entries that W stores.
  FrictionChange adjoint(const VectorXd& g_u, const VectorXd& g_v = {}) const;

  const std::vector<ContactState>& states() const;
  const IndexList& undecided() const;
  bool unique() const;
  bool set_valued() const { return !undecided().empty() || !unique(); }

 private:
  struct Data;
  explicit FrictionGradient(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace tribo
