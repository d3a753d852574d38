// One problem through one route: formulate → attempts → select → lift → certify → classify. The part of a ContactPipeline that is
// kept per size of problem.
#pragma once

#include "tribo/certify/contact_certifier.hpp"
#include "tribo/contact/solve.hpp"

#include <memory>
#include <string>

#include "contact/rest.hpp"
#include "contact/route.hpp"

namespace tribo {

class IslandPipeline {
 public:
  IslandPipeline(const ContactModel& model, const SolveOptions& options);

  // The problem must be valid. one_island: it is known to be one.
  ContactAnswer& solve(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options,
                       const StartValues& start, bool one_island);
  ContactAnswer& answer() { return answer_; }

 private:
  void find_answer(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options,
                   const StartValues& start, bool one_island);
  bool hold_rest(const RouteTask& task);
  void classify(const RouteTask& task);
  void mark_rest(const ContactProblem& problem);
  bool attempt(const AttemptRow& row, int path, const RouteTask& task,
               AttemptLoop<ContactAnswer, ContactSolution>& loop);
  bool attempt_free(const RouteTask& task, AttemptLoop<ContactAnswer, ContactSolution>& loop);
  template <typename Run, typename Refine, typename Refute>
  bool judge(const char* name, const char* solver, const RouteTask& task,
             AttemptLoop<ContactAnswer, ContactSolution>& loop, const Run& run, const Refine& refine,
             const Refute& refute);
  void select(const RouteTask& task, AttemptLoop<ContactAnswer, ContactSolution>& loop);
  void refuse_equalities(const RouteTask& task);

  std::unique_ptr<ContactRoute> route_;
  ContactCertifier certifier_;
  RestRule rest_;
  bool judged_ = false;  // the certifier looked at the answer last
  ContactAnswer answer_;
  ContactSolution candidate_, scratch_;
  std::string why_;
};

// Per-contact view and v_next of answer.solution; `problem` is the one that was answered, with eased offsets.
void fill_contacts(const ContactProblem& problem, ContactAnswer& answer);

}  // namespace tribo
