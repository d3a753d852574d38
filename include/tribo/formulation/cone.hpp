// Coulomb friction with the true cone as a ConeProblem, and back, from contact problems and from matrices:
//
//   ContactProblem   blocks (n, s), (n, s, t), (n, s, t, spin) or (n, s, t, spin, roll_s, roll_t) of the contacts; the rows D as
//                    in (3), after the limits that come first among the contacts; last the rows J, as many at a time as a
//                    block has numbers, from the same two bodies, as bilateral blocks
//   LocalFriction    W and q as they are
//   GlobalFriction   W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w; the columns of G as bilateral blocks
//
// Rows Ĥ are in coordinates where the mass is I (M = L Lᵀ, body by body; a matrix M: component by component of its pattern):
//     û₀ = Lᵀ v + h L⁻¹ f,   q = Ĥ û₀ + b,   W = Ĥ Ĥᵀ + diag(R),   v⁺ = v + M⁻¹ (h f + Σ rowᵀ impulse)          (1)
// The elliptic cone of a contact with friction against turning becomes the round one |r_T| ≤ mu r_N by
//     impulse_k = σ_k r_k,   u_k = σ_k (row_k v⁺ + compliance_k impulse_k),   σ_k = mu_k / mu                   (2)
// where mu is the largest of the contact's mu_k |row_k|/|row_n| over the couples and of its own mu. A component whose
// coefficient is zero beside others that are not, and what fills up a block, is a row of zeros; the mean diagonal of the rest
// of the block stands on its diagonal, so that it stays at zero and does not spoil the block's scale.
//
// A row D_i of dry friction is a block with mu = 1 whose normal component is no row, only a spring that holds it at `bound`:
//     u_N = R r_N − R bound = 0,   u_s = D_i v⁺,   R = Σ_k D_ik²/M_kk, of the size of the row's own W               (3)
//
// W is formed, or left as Ĥ where contacts are many beside their bodies. The object keeps its memory: update() for a contact problem of the same
// sizes allocates nothing without bilateral rows. Nothing is approximated.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/solution.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tribo {

enum class ConeForm {
  kAuto,      // kBodies when the contacts have 1.5 times as many numbers as the bodies they touch
  kContacts,  // W
  kBodies,    // Ĥ
};

// What a number of the cone problem stands for.
enum class ConeRow : std::uint8_t { kN, kS, kT, kSpin, kRollS, kRollT, kJ, kD, kPressure, kNone };
struct ConeComponent {
  ConeRow kind = ConeRow::kNone;  // kPressure: r_N of (3); kNone: what fills up a block
  Index row = -1;                 // of its family; kPressure: of D
  double sigma = 0.0;             // of (2): impulse = sigma r
};

class ConeFormulation {
 public:
  ConeFormulation();
  ~ConeFormulation();
  ConeFormulation(ConeFormulation&&) noexcept;
  ConeFormulation& operator=(ConeFormulation&&) noexcept;

  // The problem must be valid and stay where it is until lift(). Refused: contacts without tangential rows, acceleration
  // level.
  Checked update(const ContactProblem& problem, ConeForm form = ConeForm::kAuto);
  Checked update(const LocalFriction& problem);
  // Refused: singular M; columns of G that contradict one another; the form kBodies where M is not symmetric positive definite.
  Checked update(const GlobalFriction& problem, ConeForm form = ConeForm::kAuto);

  // False: the bilateral rows of the contact problem contradict one another; inconsistency() holds the combination in y_e.
  bool consistent() const;
  ContactSolution inconsistency() const;

  const ConeProblem& problem() const;

  // Impulses and v⁺; of the matrix problems r, u and, of global ones, v. All from r alone, by (1).
  void lift(const ConeSolution& solution, ContactSolution& out);
  void lift(const ConeSolution& solution, FrictionSolution& out);
  // Where to start from impulses that are known, of an earlier step or of another model. Vectors that are empty count as zero.
  void warm_start(const ContactSolution& known, ConeWarmStart& warm) const;

  // Of the last contact problem: what place k of r is, which contact a block is (-1: none), and states by block as states by
  // contact.
  ConeComponent component(Index place) const;
  Index contact_of(Index block) const;
  double calc_spring(Index row) const;  // R of (3)
  void lift_states(const std::vector<ContactState>& blocks, std::vector<ContactState>& contacts) const;

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
