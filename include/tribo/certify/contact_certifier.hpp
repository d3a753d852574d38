// certify() of a contact answer for step loops: the same numbers with memory that is kept. Nothing is allocated when problem
// and answer have the sizes of the last call, no block of M is larger than 32 and no pyramid is aligned.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

#include <memory>
#include <vector>

namespace tribo {

class ContactCertifier {
 public:
  ContactCertifier();
  ~ContactCertifier();
  ContactCertifier(ContactCertifier&&) noexcept;
  ContactCertifier& operator=(ContactCertifier&&) noexcept;

  // Every island (problem/islands.hpp) on its own scale. The certificate is good until the next call.
  const Certificate& operator()(const ContactProblem& problem, const ContactModel& model,
                                const ContactSolution& solution);
  // For a problem that is known to be one island, or is to be judged as if it were: nothing is searched for.
  const Certificate& island(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution);

  // What each contact does (certify/classify.hpp) in the answer that was certified last. Problem and answer must still be what
  // and where they were then; nothing is computed twice. Empty where that certificate refused to judge.
  void classify(double tolerance, std::vector<ContactState>& states) const;
  // Likewise what each row of dry friction does: it sticks or slides.
  void classify_dry(double tolerance, std::vector<ContactState>& states) const;
  // As classify(), without a certificate; classify_dry() may follow.
  void classify(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution,
                double tolerance, std::vector<ContactState>& states);

  struct Workspace;

 private:
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
