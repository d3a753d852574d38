// certify(problem, answer): is this an answer? See docs/certificates.md for every residual with unit and scale.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

namespace tribo {

Certificate certify(const Lcp& lcp, const LcpSolution& solution);
Certificate certify(const MixedLcp& lcp, const MixedLcpSolution& solution);
Certificate certify(const BoxLcp& lcp, const BoxLcpSolution& solution);
Certificate certify(const FactoredLcp& lcp, const LcpSolution& solution);
Certificate certify(const Qp& qp, const QpSolution& solution);
Certificate certify(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution);
// Against the true Coulomb cone; u is recomputed from r.
Certificate certify(const LocalFriction& problem, const FrictionSolution& solution);
Certificate certify(const GlobalFriction& problem, const FrictionSolution& solution);

}  // namespace tribo
