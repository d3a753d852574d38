// One call for users: formulate → solve (with the fallback chain) → lift → certify. What comes back as solved has passed
// its certificate, and what comes back as infeasible has a verified proof: neither is possible otherwise.
#pragma once

#include "tribo/certify/certify.hpp"
#include "tribo/certify/infeasibility.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <string>
#include <vector>

namespace tribo {

struct SolveOptions {
  std::string solver = "auto";  // a name of capabilities(), or "auto": the chain that docs/solvers.md describes
  double tolerance = 1e-8;      // of Certificate::worst, relative; between 0 and 1, below 1e-15 nothing passes
  // Contact problems only: when the normal rows are proved to contradict one another (overlap, bounce), ease b_N on the
  // support of the proof by as much as it takes and solve that problem (spec A.5). The status is then kSolvedReduced,
  // ContactAnswer::eased says by how much, and the certificate is that of the eased problem.
  bool relax = false;
};

// What every answer has beside its numbers.
struct AnswerBase {
  Status status = Status::kBreakdown;  // after certification
  SolveReport report;                  // of the solver that gave the answer; counts add up over the chain
  std::string solver;                  // its name
  std::vector<std::string> stages;     // everything that was tried: "lemke/standard: ray", ...
  Certificate certificate;
  InfeasibilityCertificate infeasibility;  // when status is kRay, kInfeasible or kInconsistentEqualities
};

struct LcpAnswer : AnswerBase {
  LcpSolution solution;
};
struct MixedLcpAnswer : AnswerBase {
  MixedLcpSolution solution;
};
struct BoxLcpAnswer : AnswerBase {
  BoxLcpSolution solution;
};
struct QpAnswer : AnswerBase {
  QpSolution solution;
};

struct ContactAnswer : AnswerBase {
  struct AtContact {
    Vector3d impulse = Vector3d::Zero();   // along S, T, N; N·s (N at acceleration level)
    Vector3d velocity = Vector3d::Zero();  // S v⁺, T v⁺, N v⁺ + b_N; m/s (m/s²)
  };
  VectorXd v_next;                  // the acceleration at acceleration level
  std::vector<AtContact> contacts;  // in the problem's order
  ContactSolution solution;         // the same as vectors
  VectorXd eased;                   // what was added to b_N (a_N), per contact; empty: nothing
};

// A problem that does not validate, an unknown solver and one that cannot take this problem throw ContractError with the
// text of the error; use validate() and check_solver() to ask first.
LcpAnswer solve(const Lcp& lcp, const SolveOptions& options = {});
MixedLcpAnswer solve(const MixedLcp& lcp, const SolveOptions& options = {});
BoxLcpAnswer solve(const BoxLcp& lcp, const SolveOptions& options = {});
QpAnswer solve(const Qp& qp, const SolveOptions& options = {});
ContactAnswer solve(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options = {});

// Can this solver take this problem? The error names those that can.
Checked check_solver(const Lcp& lcp, const std::string& solver);
Checked check_solver(const MixedLcp& lcp, const std::string& solver);
Checked check_solver(const BoxLcp& lcp, const std::string& solver);
Checked check_solver(const Qp& qp, const std::string& solver);
Checked check_solver(const ContactProblem& problem, const ContactModel& model, const std::string& solver);

}  // namespace tribo
