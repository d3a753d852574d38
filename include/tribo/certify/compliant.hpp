// certify(problem, model, answer) for compliant problems. See docs/certificates.md for every residual with unit and scale.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/problem/compliant_problem.hpp"
#include "tribo/problem/foundation.hpp"

#include <vector>

namespace tribo {

// The problem should be valid (validate); one whose sizes do not fit together is refused as "size", and so is an answer
// of other sizes. Tangential forces may be left out where there are no tangents, states always.
Certificate certify(const CompliantProblem& problem, const Compliant& model, const CompliantSolution& solution);

// A face on an elastic layer: that of its rows, one for each element, which know nothing of a plane.
Certificate certify(const FoundationProblem& problem, const CompliantSolution& solution);

// A row as the certificate measures it: e of the law, its scale (what is zero within rounding is small beside it), and what an
// impulse changes e by. Rows that do not act have zeros.
struct CompliantRowMeasure {
  double e = 0.0;       // m/s
  double scale = 0.0;   // m/s
  double weight = 0.0;  // 1/kg
};
// Bilateral, unilateral, normal, r and s rows one after the other, of an answer with the right sizes; empty when M is not
// positive definite.
std::vector<CompliantRowMeasure> measure_rows(const CompliantProblem& problem, const CompliantSolution& solution);

}  // namespace tribo
