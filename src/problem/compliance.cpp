#include "tribo/problem/compliance.hpp"

#include "tribo/core/assert.hpp"

#include <cmath>

namespace tribo {

void soften_contacts(ContactProblem& problem, double tangential_ratio) {
  TRIBO_REQUIRE(problem.level == Level::kVelocity, "springs are integrated over a step: velocity level only");
  TRIBO_REQUIRE(std::isfinite(problem.h) && problem.h > 0.0, "the step must be positive");
  TRIBO_REQUIRE(tangential_ratio > 0.0, "the ratio of tangential to normal stiffness must be positive");
  const Index n = problem.size();
  TRIBO_REQUIRE(static_cast<Index>(problem.contacts.size()) == n && problem.b_N.size() == n,
                "one Contact and one offset per row of N");
  for (Index i = 0; i < n; ++i) {
    Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    if (std::isinf(contact.stiffness)) continue;
    TRIBO_REQUIRE(contact.stiffness > 0.0 && contact.damping >= 0.0, "stiffness > 0 and damping >= 0");
    const double resistance = problem.h * contact.stiffness + contact.damping;  // N·s/m
    contact.compliance = 1.0 / (problem.h * resistance);
    contact.tangential_compliance = contact.compliance / tangential_ratio;
    problem.b_N(i) = contact.gap * (contact.stiffness / resistance);
  }
}

}  // namespace tribo
