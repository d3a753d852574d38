// certify(problem, model, answer) for compliant problems. See docs/certificates.md for every residual with unit and scale.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/problem/compliant_problem.hpp"

namespace tribo {

// The problem should be valid (validate); one whose sizes do not fit together is refused as "size", and so is an answer
// of other sizes. Tangential forces may be left out where there are no tangents, states always.
Certificate certify(const CompliantProblem& problem, const Compliant& model, const CompliantSolution& solution);

}  // namespace tribo
