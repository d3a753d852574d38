// What one file came to: everything that is printed about it, as text or as JSON.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/contact/history.hpp"
#include "tribo/core/status.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/cone_problem.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tribo {

using NamedVector = std::pair<std::string, VectorXd>;

// Why there is no answer, in the order of the file's rows.
struct EvidenceRecord {
  std::string kind = "none";     // none, farkas, ray, exhaustion
  std::string verdict = "none";  // none, rejected, ray, infeasible
  Certificate checks;            // a condition holds when its `relative` is at most 1
  std::vector<NamedVector> vectors;
  std::vector<std::pair<std::string, double>> numbers;  // z0, dz0 of a ray
  std::vector<std::string> pattern;                     // exhaustion
  MatrixXd separators;                                  // exhaustion: one column per family
};

struct SolveRecord {
  std::string file;
  std::optional<std::string> error;  // set: the file could not be used, and what follows is known only in part
  std::string kind;                  // "" as long as nothing is known of the problem
  Index contacts = 0;
  Index dof = 0;                     // unknowns of a complementarity problem or QP, velocities of a contact problem
  std::optional<std::string> model;  // contact and friction problems
  std::string solver;
  Status status = Status::kBreakdown;
  int iterations = 0;
  int pivots = 0;
  double seconds = 0.0;  // best of the repeats; solving and certifying
  Certificate certificate;
  std::string detail;       // why it is not solved
  EvidenceRecord evidence;  // of what is not solved
  std::vector<Attempt> history;
  std::vector<std::string> warnings;
  std::optional<IndexList> released;  // contacts that --release let slip; none: not asked for
  std::optional<VectorXd> eased;      // what --relax added to the normal offsets, [] for nothing; none: not asked for
  std::vector<NamedVector> solution;  // the arrays of --solution
  std::vector<ContactState> states;   // with them: per contact
  std::vector<ContactState> dry_states;  // and per row of dry friction
};

}  // namespace tribo
