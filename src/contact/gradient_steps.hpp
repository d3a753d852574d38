// What the gradients of contact problems and of matrices have in common.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/core/expected.hpp"
#include "tribo/problem/cone_problem.hpp"

#include <string>

namespace tribo {

inline constexpr double kAnswerTolerance = 1e-6;  // of a certificate

// Only an answer has a derivative.
inline Checked check_answer(const Certificate& certificate) {
  if (certificate.passes(kAnswerTolerance)) return ok();
  return fail("the certificate does not pass (worst residual " + std::to_string(certificate.worst) + ")", "solution",
              "solve the problem with the model 'cone' to 1e-6 or better first");
}

// u = W r + q.
inline VectorXd calc_velocity(const ConeProblem& problem, const VectorXd& r) {
  VectorXd u = problem.q;
  if (!problem.by_bodies()) {
    if (problem.contacts() > 0) problem.W.add_product(r, u);
    return u;
  }
  VectorXd body = VectorXd::Zero(problem.H.cols());
  problem.H.add_transposed_product(r, body);
  problem.H.add_product(body, u);
  u += problem.R.cwiseProduct(r);
  return u;
}

}  // namespace tribo
