// Which of several answers that the tolerance allows is taken when bodies rest or nearly do (Selection::rest). A body whose velocity
// is below what the tolerance leaves of an answer would otherwise drift or jitter for ever.
//     held        what was at rest and starts with impulses that balance the forces of this step: those, v⁺ = 0
//     to rest     an answer with velocities below the tolerance: its impulses, v⁺ = 0
// Both are answers only where the certificate passes and where each body by itself is that close to rest: the certificate judges an
// island as a whole, where a heavy body excuses much of a light one.
#pragma once

#include "tribo/certify/contact_certifier.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/contact_start.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

namespace tribo {

// Slower than a small part of what the forces of a step do to each body, and not yet below the tolerance.
bool is_nearly_at_rest(const ContactProblem& problem, const VectorXd& v_next, double tolerance);

class RestRule {
 public:
  // True: `out` is the answer held at rest by the start values, and the certifier's last certificate passes.
  bool holds(const ContactProblem& problem, const ContactModel& model, const StartValues& start, double tolerance,
             ContactCertifier& certifier, ContactSolution& out);
  // True: `out` was brought to rest, and the certifier's last certificate passes. False: it is as it was.
  bool brings_to_rest(const ContactProblem& problem, const ContactModel& model, double tolerance,
                      ContactCertifier& certifier, ContactSolution& out);

  const Certificate& certificate() const { return *certificate_; }  // of the last call that was true

 private:
  bool certifies(const ContactProblem& problem, const ContactModel& model, double tolerance,
                 ContactCertifier& certifier, ContactSolution& out);

  const Certificate* certificate_ = nullptr;
  VectorXd v_next_, unbalanced_;
};

}  // namespace tribo
