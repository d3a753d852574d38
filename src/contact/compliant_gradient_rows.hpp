// The rows of a compliant problem at an answer, in one list, with what the derivatives of their laws need; and the data of
// the problem as one vector: v, f, four numbers per row (offset, φ, K, B), mu.
#pragma once

#include "tribo/contact/compliant_gradient.hpp"
#include "tribo/linalg/block_diagonal.hpp"

#include <array>
#include <optional>
#include <vector>

#include "contact/linear_response.hpp"

namespace tribo {

struct GradientRow {
  const BlockRows* G = nullptr;
  Index i = 0;     // of its family
  Index data = 0;  // the first of its four numbers
  bool acts = false;
  double S = 1.0, K = 0.0, B = 0.0, phi = 0.0;
  double D = 0.0;       // S (h K + B)
  double R = 0.0;       // 1/(h D)
  double pi = 0.0;      // N·s
  double rate = 0.0;    // G v1 + s h Ġ v0
  double e = 0.0;       // m/s
  double weight = 0.0;  // |row|²_{M⁻¹} + R
  double scale = 0.0;   // m/s: what the certificate compares e with (certify/compliant_terms.hpp)
  Index unknown = -1;   // where its force is in the linear system; -1: it does not change
  double lambda(double h) const { return pi / h; }
};

class GradientRows {
 public:
  // Not kept: problem, solution. The mass must be positive definite.
  GradientRows(const CompliantProblem& problem, const CompliantSolution& solution);

  Index data_size() const { return mu_ + contacts_; }
  Index mu(Index contact) const { return mu_ + contact; }
  std::vector<GradientRow> bilateral, unilateral, normal, r, s;
  double h = 0.0;
  Index dof = 0;

  // A change as one vector, and back; its sizes are checked (ContractError).
  VectorXd flatten(const CompliantChange& change) const;
  CompliantChange unflatten(const VectorXd& flat) const;

 private:
  Index contacts_ = 0, mu_ = 0;
};

// M dv − scale Σ Gᵀ (unknowns) = M dv + h df: the first equations and unknowns. Rows without an unknown are left out.
void add_momentum(const CompliantProblem& problem, LinearResponse& response);
void add_transposed(const GradientRow& row, double factor, Index first_equation, Index unknown,
                    LinearResponse& response);
// factor G (unknowns from `first_unknown` on) into one equation.
void add_row(const GradientRow& row, double factor, Index equation, Index first_unknown, LinearResponse& response);
// −factor (dβ + π dR) on the right.
void drive_row(const GradientRow& row, double h, double factor, Index equation, LinearResponse& response);

// The states that were found, and the system; null: it is singular.
struct GradientStates {
  std::vector<ContactState> contacts;
  IndexList undecided_contacts, undecided_unilateral;
};
std::optional<LinearResponse> linearise_laws(const CompliantProblem& problem, bool convex, double boundary,
                                             GradientRows& rows, GradientStates& states);
std::optional<LinearResponse> linearise_program(const CompliantProblem& problem, const CompliantSolution& solution,
                                                double zeta, double boundary, GradientRows& rows,
                                                GradientStates& states);

}  // namespace tribo
