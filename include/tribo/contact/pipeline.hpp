// ContactPipeline: the way from a ContactProblem to a certified answer, kept by its owner. All contact forces of the project come
// through it: solve(), the steps of the simulator, impacts and corrections of positions.
//     tribo::ContactPipeline pipeline{tribo::CoulombCone{}};
//     tribo::ContactStart start;
//     while (...) {
//       const tribo::ContactAnswer& answer = pipeline.solve(problem, start);   // answer.history says what was attempted
//       start = answer.start(problem);
//     }
// Per model one route: formulation, a short table of attempts, lift, certificate. One loop runs the table and records every attempt.
// What a pipeline has solved before changes no bit of an answer. One thread at a time; as many pipelines as threads.
// Cost      beyond the method itself: one validation, one certificate, one verdict per contact. Nothing is allocated for problems
//           of sizes (bodies, contacts, rows) that were among the last sixteen, while the first attempt certifies.
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_start.hpp"

#include <memory>

namespace tribo {

class ContactPipeline {
 public:
  explicit ContactPipeline(ContactModel model, SolveOptions options = {});
  ~ContactPipeline();
  ContactPipeline(ContactPipeline&&) noexcept;
  ContactPipeline& operator=(ContactPipeline&&) noexcept;

  const ContactModel& model() const;
  const SolveOptions& options() const;

  // Takes the memory for problems of this size: solves it once.
  void reserve(const ContactProblem& problem);
  // As tribo::solve(), from where `start` says. The answer is good until the next call. ContractError as there.
  const ContactAnswer& solve(const ContactProblem& problem, const ContactStart& start = {});
  // For step loops that have found the islands: a valid problem that is one island (neither is looked at), start values in its order.
  // What the answer holds may be swapped for other memory.
  ContactAnswer& solve_island(const ContactProblem& problem, const StartValues& start);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
