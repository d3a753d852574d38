// Verified "there is no answer": the evidence a solver hands back is checked from the problem alone.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

namespace tribo {

// What a piece of evidence proves once it has been checked.
enum class Verdict {
  kRejected,    // it proves nothing: some condition fails
  kRay,         // a genuine secondary ray of Lemke's method; infeasibility does not follow for this matrix
  kInfeasible,  // no answer exists
};

struct InfeasibilityCertificate {
  Verdict verdict = Verdict::kRejected;
  Certificate checks;  // one residual per condition; it holds exactly when `relative` is at most 1
};

InfeasibilityCertificate certify_infeasible(const Lcp& lcp, const Evidence& evidence);
InfeasibilityCertificate certify_infeasible(const MixedLcp& lcp, const Evidence& evidence);
InfeasibilityCertificate certify_infeasible(const BoxLcp& lcp, const Evidence& evidence);
InfeasibilityCertificate certify_infeasible(const FactoredLcp& lcp, const Evidence& evidence);
// y over the inequalities, then over the equalities.
InfeasibilityCertificate certify_infeasible(const Qp& qp, const Evidence& evidence);
// y_n and y_e of the solution against the rows of the problem; y_e: rows J, for NoSlip then all of S, then all of T.
InfeasibilityCertificate certify_infeasible(const ContactProblem& problem, const ContactModel& model,
                                            const ContactSolution& solution);

}  // namespace tribo
