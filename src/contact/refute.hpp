// Proofs that a contact problem has no answer, for the chains of all models.
#pragma once

#include "tribo/contact/solve.hpp"

namespace tribo {

// A Farkas vector of the formulated problem, if the evidence holds one; empty otherwise.
VectorXd farkas_vector(const Evidence& evidence);

// Impulses along the rows of a formulation at contact level, with what the evidence proves.
template <typename Formulation>
void lift_with_proof(Formulation& formulation, const VectorXd& z, const Evidence& evidence, ContactSolution& solution) {
  solution = formulation.lift(z);
  if (const VectorXd y = farkas_vector(evidence); y.size() > 0) {
    const ContactSolution proof = formulation.lift_farkas(y);
    solution.y_n = proof.y_n;
    solution.y_e = proof.y_e;
  }
}

// Normals that no motion satisfies are proved so without friction. True: they are, and the answer says so.
bool refute_normals(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options,
                    ContactAnswer& answer);

// The bilateral rows contradict one another, by this combination of them.
void refuse_equalities(const ContactProblem& problem, const ContactModel& model, const ContactSolution& inconsistency,
                       ContactAnswer& answer);

}  // namespace tribo
