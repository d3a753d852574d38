// One call for users: islands → formulate → solve (a short table of attempts) → lift → certify. What comes back as solved
// has passed its certificate, and what comes back as infeasible has a verified proof: neither is possible otherwise.
// A call is a pipeline used once; loops keep a ContactPipeline (contact/pipeline.hpp), which starts warm and keeps its memory.
#pragma once

#include "tribo/certify/certify.hpp"
#include "tribo/certify/compliant.hpp"
#include "tribo/certify/infeasibility.hpp"
#include "tribo/contact/history.hpp"
#include "tribo/problem/compliant_problem.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/contact_start.hpp"
#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tribo {

// NoSlip only, ignored by other models: when a contact that parts may slip (spec B.1). kSolved: the problem is solved
// again without those that its answer shows open and without force, until none is new, three times at most; a pass that
// ends without a certified answer does not count.
enum class Release {
  kNever,      // every listed contact sticks, also one that opens
  kPredicted,  // those that find_separating() names before the solve are released
  kSolved,     // those that open in the answer are released
};

// Contact problems whose law has several answers: which one is taken. Every choice is certified, and has a row in the history.
struct Selection {
  // CoulombPyramid with solver "auto": where bodies at rest may both stick and slide, the answer that sticks (contact/stick.hpp).
  // Asked of solves whose start knows no load; others begin, and end where they can, at the states of their start.
  bool sticking = true;
  // For step loops: bodies at rest that the start values hold keep them, without a solve; what is as slow as the tolerance leaves
  // an answer is brought to rest, v⁺ = 0 (contact/rest.hpp).
  bool rest = false;
};

struct SolveOptions {
  std::string solver = "auto";  // a name of capabilities(), or "auto": the attempts that docs/solvers.md lists
  double tolerance = 1e-8;      // of Certificate::worst, relative; between 0 and 1, below 1e-15 nothing passes
  // Contact problems only: when the normal rows are proved to contradict one another (overlap, bounce), ease b_N on the
  // support of the proof by as much as it takes and solve that problem (spec A.5). The status is then kSolvedReduced,
  // ContactAnswer::eased says by how much, and the certificate is that of the eased problem.
  // Compliant problems, FrictionLaw::kCoulomb: where that law is not met, solve its convex relaxation, kConvexCone, which
  // always has an answer. The status is then kSolvedReduced and CompliantAnswer::model says so.
  bool relax = false;
  // ContactAnswer::released says which; the certificate is that of the problem with these contacts released. No proof
  // says that the choice is the best one: a contact released may carry load in the end, and is frictionless then.
  Release release = Release::kNever;
  // Acceleration level only: refuse contacts that approach or part (check_acceleration_level). Otherwise the equations
  // are solved as given, as in the stages of an integrator, where normal speeds vanish only to its order.
  bool strict = false;
  // Contact problems only: solve what has no contact with one another apart (problem/islands.hpp). v⁺ is the same.
  bool islands = true;
  Selection selection = {};
  // For step loops of microseconds: without ContactAnswer::v_next and contacts, which `solution` has as well; of the certificate `worst`
  // alone, of PhaseSeconds `certify` alone.
  bool brief = false;
};

// What every answer has beside its numbers.
struct AnswerBase {
  Status status = Status::kBreakdown;  // after certification
  SolveReport report;                  // of the solver that gave the answer; counts add up over the attempts
  std::string solver;                  // its name; those of all islands, "a, b", when they differ
  std::vector<Attempt> history;        // everything that was attempted
  Certificate certificate;
  PhaseSeconds seconds;
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

struct FrictionAnswer : AnswerBase {
  FrictionSolution solution;         // global problems: with v
  std::vector<ContactState> states;  // per contact, of these numbers: certify/classify.hpp
};

struct ContactAnswer : AnswerBase {
  struct AtContact {
    Vector3d impulse = Vector3d::Zero();   // along S, T, N; N·s (N at acceleration level)
    Vector3d velocity = Vector3d::Zero();  // S v⁺, T v⁺, N v⁺ + b_N; m/s (m/s²)
  };
  VectorXd v_next;                       // the acceleration at acceleration level
  std::vector<AtContact> contacts;       // in the problem's order
  ContactSolution solution;              // the same as vectors
  std::vector<ContactState> states;      // per contact, of these numbers in every model: certify/classify.hpp
  std::vector<ContactState> dry_states;  // per row of D: sticks or slides
  VectorXd eased;                        // what was added to b_N (a_N), per contact; empty: nothing
  IndexList released;                    // contacts that SolveOptions::release let slip, ascending
  bool found_at_rest = false;            // Selection::rest: nothing moved before the step, and nothing moves after it
  std::vector<std::uint8_t> at_rest;     // the same per contact, then per row of D, of the island of each
  Index islands = 1;                     // parts that were solved apart; Attempt::island says which

  // Where to start the next problem like this one; `problem` is the one that was solved.
  ContactStart start(const ContactProblem& problem) const;
  // The same into memory that is kept, for step loops.
  void start(const ContactProblem& problem, ContactStart& next) const;
};

struct CompliantAnswer : AnswerBase {
  CompliantSolution solution;
  std::vector<ContactState>
      states;  // per contact with friction (a foundation has none), of these numbers: certify/classify.hpp
  // What the answer obeys. Where kCoulomb was asked for and did not converge the status is not solved, and the solution
  // is that of discs: the normal law exactly, friction within mu times an earlier normal force. `history` says so.
  Compliant model;
};

// A problem that does not validate, an unknown solver, one that cannot take this problem and what `strict` refuses throw
// ContractError with the text of the error; use validate(), check_solver() and check_acceleration_level() to ask first.
LcpAnswer solve(const Lcp& lcp, const SolveOptions& options = {});
MixedLcpAnswer solve(const MixedLcp& lcp, const SolveOptions& options = {});
BoxLcpAnswer solve(const BoxLcp& lcp, const SolveOptions& options = {});
QpAnswer solve(const Qp& qp, const SolveOptions& options = {});
// Matrices obey the true Coulomb cone. M must not be singular.
FrictionAnswer solve(const LocalFriction& problem, const SolveOptions& options = {});
FrictionAnswer solve(const GlobalFriction& problem, const SolveOptions& options = {});
// Of several islands the worst decides the status: solved, solved_reduced, iteration_limit, ray, breakdown,
// infeasible, inconsistent_equalities, from best to worst. A proof of one island is lifted to the whole and verified
// again there.
ContactAnswer solve(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options = {});

// The problem is solved as one; a model that check_model (problem/compliant_name.hpp) refuses throws too.
CompliantAnswer solve(const CompliantProblem& problem, const Compliant& model, const SolveOptions& options = {});
// Starts from nothing; for many steps on one layer keep a FoundationSolver.
CompliantAnswer solve(const FoundationProblem& problem, const SolveOptions& options = {});

// Can this solver take this problem? The error names those that can.
Checked check_solver(const Lcp& lcp, const std::string& solver);
Checked check_solver(const MixedLcp& lcp, const std::string& solver);
Checked check_solver(const BoxLcp& lcp, const std::string& solver);
Checked check_solver(const Qp& qp, const std::string& solver);
Checked check_solver(const LocalFriction& problem, const std::string& solver);
Checked check_solver(const GlobalFriction& problem, const std::string& solver);
Checked check_solver(const ContactProblem& problem, const ContactModel& model, const std::string& solver);
Checked check_solver(const CompliantProblem& problem, const std::string& solver);  // "auto" alone
Checked check_solver(const FoundationProblem& problem, const std::string& solver);

}  // namespace tribo
