// The models whose only inequalities are along the normals, as a LeastDistance problem (spec A, B; Drumwright 2015):
//
//   Frictionless    equality rows E = J
//   NoSlip          E = J and the tangents S, T of every contact that is not released
//   Viscous         E = J; tangential force −mu_v (slip): explicit, in f; implicit, in the mass: M + h Sᵀ mu_v S + h Tᵀ mu_v T;
//                   impact: implicit with the impulse −impact_damping (slip), in the place of h mu_v
//
//     u₀ = Lᵀ v + h L⁻¹ f                   (whitened; at acceleration level L⁻¹ f)                            (1)
//     Q R = Ê_accᵀ                          FIND-INDICES (B.2): independent equality rows                      (2)
//     u_p = u₀ − Q (Qᵀ u₀ + R⁻ᵀ b_acc)      the velocity without contact forces                                (3)
//     u⁺ = u_p + (I − Q Qᵀ) N̂ᵀ z,   v⁺ = L⁻ᵀ u⁺,   f_acc = R⁻¹ Qᵀ (u⁺ − u₀ − N̂ᵀ z),   other f_E = 0           (4)
//
// (2) has two levels. The tangents of one pair of bodies live in at most six dimensions, so the independent ones among them
// are chosen there, by a pass over their few numbers; only those, at most six per pair, are then tested against all others
// in Rᵐ. Rows that bring much are taken first (shares 1e-2, 1e-5, 1e-8): the order changes the distribution of forces, not
// v⁺, and a row of which only 1e-7 is new makes R ill-conditioned: forces 1e7 times the load may then hold that direction, and
// their rounding is 1e-9 of the load. NearTangents::kLeaveOut solves the problem without such tangents; v⁺ is unique, so an answer that
// does not slip at them either is the answer of the problem, with forces that keep their digits.
//
// The object keeps its memory: update() for a problem no larger than those before it allocates nothing (blocks ≤ 32; the
// coupled mass of implicit viscous friction is allocated when the number of degrees of freedom changes).
// Rows of dry friction have two-sided bounds and do not fit into (3): BoxFormulation takes problems that have them.
// Nothing is approximated.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/growing_qr.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/contact_start.hpp"
#include "tribo/problem/least_distance.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/problem/warm_start.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace tribo {

// What update() does with rows of dry friction.
enum class DryRows {
  kRefuse,
  kLeaveOut,  // the problem without them: for a caller that adds them itself, or asks for contradictions alone
};

// What update() does with tangents of no-slip of which between 1e-8 and 1e-5 is new beside the others.
enum class NearTangents { kImpose, kLeaveOut };

struct NormalOptions {
  std::span<const std::uint8_t> released =
      {};  // per contact, in the place of Contact::released; empty: those of the problem
  DryRows dry = DryRows::kRefuse;
  NearTangents near = NearTangents::kImpose;
};

// Impulses that others have found, added to those along the normals; null: none.
struct GivenImpulses {
  const VectorXd* f_s = nullptr;
  const VectorXd* f_t = nullptr;
  const VectorXd* f_d = nullptr;
};

class NormalFormulation {
 public:
  NormalFormulation();
  ~NormalFormulation();
  NormalFormulation(NormalFormulation&&) noexcept;
  NormalFormulation& operator=(NormalFormulation&&) noexcept;

  static bool takes(const ContactModel& model);

  // The problem must be valid and stay where it is until lift(). Refused: explicit viscous friction beyond its stability
  // bound (the error names it), friction without tangential rows, no-slip and viscous impacts at acceleration level, rows of
  // dry friction unless they are to be left out.
  Checked update(const ContactProblem& problem, const ContactModel& model, const NormalOptions& options = {});

  // False: the equality rows contradict one another; inconsistency() holds the combination in y_e.
  bool consistent() const;
  ContactSolution inconsistency() const;

  const LeastDistance& problem() const;
  const BlockCholesky& mass_factor() const;  // L
  Index equality_rank() const;               // rank E
  bool left_tangents_out() const;            // kLeaveOut found some: an answer may slip at them
  // Row i of some family of the problem in the coordinates of problem(), not projected, into a vector of zeros.
  void whiten(const BlockRows& rows, Index i, double* x) const;

  // The index set to start from: contacts that carried load.
  void start(const StartValues& values, WarmStart& warm) const;
  // The impulses z along the normals as all impulses and v⁺.
  void lift(const VectorXd& z, ContactSolution& solution);
  ContactSolution lift(const VectorXd& z);
  // The same with impulses along S, T and D, where a law of its own has found them (spec A.3 with N, S, T, D for X). f_s and
  // f_t come together, and not for models that have tangential impulses of their own.
  void lift(const VectorXd& z, const GivenImpulses& given, ContactSolution& solution);
  // A Farkas vector of problem() as y_n, y_e.
  ContactSolution lift_farkas(const VectorXd& y) const;

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
