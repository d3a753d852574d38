// The way of one contact model from a problem to an answer: its formulation, the attempts that may be made, and how each of them is
// run. A route keeps formulation, solvers and start values with their memory; nothing in it depends on problems of before.
#pragma once

#include "tribo/certify/contact_certifier.hpp"
#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_start.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/attempt_loop.hpp"

namespace tribo {

// What is given for a solve.
struct RouteTask {
  const ContactProblem* problem = nullptr;
  const ContactModel* model = nullptr;
  const SolveOptions* options = nullptr;
  const StartValues* start = nullptr;
  ContactCertifier* certifier = nullptr;
  PhaseSeconds* seconds = nullptr;  // of the answer; routes count `lift`
  bool one_island = false;          // judge it as such

  const Certificate& certify(const ContactSolution& solution) const {
    return one_island ? certifier->island(*problem, *model, solution) : (*certifier)(*problem, *model, solution);
  }
};

class ContactRoute {
 public:
  virtual ~ContactRoute() = default;

  // Formulates. The task stays until the last call for this problem.
  virtual Checked update(const RouteTask& task) = 0;
  // False: the equality rows contradict one another, by this combination.
  virtual bool consistent() const = 0;
  virtual ContactSolution inconsistency() const = 0;

  // In their order. With a named solver: that one alone.
  virtual std::span<const AttemptRow> attempts() const = 0;
  // Does path `path` (< row.paths) of this row apply to the problem at hand, after the attempts so far? Where it would but must not (too
  // large), `why` says so.
  virtual bool applies(const AttemptRow& row, int path, std::string& why) = 0;
  virtual SolveReport run(const AttemptRow& row, int path, ContactSolution& out, std::string& note) = 0;
  // The candidate of the last run was claimed and is refused by its certificate: a better one from there; false: there is none.
  virtual bool refine(ContactSolution& out, SolveReport& report) {
    static_cast<void>(out);
    static_cast<void>(report);
    return false;
  }
  // What the candidate of the last run proves.
  virtual InfeasibilityCertificate refute(const ContactSolution& candidate) = 0;
  // True: the selection prefers `other`, an answer of the same law.
  virtual bool select(const ContactSolution& answer, ContactSolution& other, SolveReport& report) {
    static_cast<void>(answer);
    static_cast<void>(other);
    static_cast<void>(report);
    return false;
  }
};

std::unique_ptr<ContactRoute> make_route(const ContactModel& model, const std::string& solver);

// Whether impulses have two bounds: a BoxLcp. Pyramid and cone have dry friction among their contacts.
bool is_box_problem(const ContactProblem& problem, const ContactModel& model);

std::unique_ptr<ContactRoute> make_normal_route(const std::string& solver);
std::unique_ptr<ContactRoute> make_box_route(const std::string& solver);
std::unique_ptr<ContactRoute> make_pyramid_route(const std::string& solver);
std::unique_ptr<ContactRoute> make_cone_route(const std::string& solver);

// The rows for a solver: of "auto" the whole table, of a name the rows of that solver, or one row where the table has none.
class RouteTable {
 public:
  RouteTable(const std::string& solver, std::span<const AttemptRow> automatic);
  std::span<const AttemptRow> rows() const { return automatic_ ? table_ : std::span<const AttemptRow>(named_); }
  bool automatic() const { return automatic_; }

 private:
  bool automatic_;
  std::span<const AttemptRow> table_;
  std::vector<AttemptRow> named_;
};

// A Farkas vector of the formulated problem, if the evidence holds one; empty otherwise.
VectorXd farkas_vector(const Evidence& evidence);

// Adds what the evidence proves to a lifted candidate.
template <typename Formulation>
void lift_proof(const Formulation& formulation, const Evidence& evidence, ContactSolution& solution) {
  solution.y_n.resize(0);
  solution.y_e.resize(0);
  if (const VectorXd y = farkas_vector(evidence); y.size() > 0) {
    const ContactSolution proof = formulation.lift_farkas(y);
    solution.y_n = proof.y_n;
    solution.y_e = proof.y_e;
  }
}

// Normals that no motion satisfies are proved so without friction. True: they are; `out` has the proof.
SolveReport refute_normals(const ContactProblem& problem, ContactSolution& out);

// Rows of the LCP of a pyramid: θ, φ and λ of PyramidLcp; beyond kMostRows its matrix is not formed.
inline constexpr Index kMostRows = 5000;
Index pyramid_rows(const ContactProblem& problem, const CoulombPyramid& model);

}  // namespace tribo
