#include "tribo/certify/classify.hpp"
#include "tribo/contact/one_body.hpp"
#include "tribo/contact/stick.hpp"
#include "tribo/formulation/box.hpp"
#include "tribo/formulation/friction_box.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/solve/pivot/lemke.hpp"

#include "contact/chain.hpp"
#include "contact/contact_steps.hpp"
#include "contact/refute.hpp"
#include "contact/solve_cone.hpp"

namespace tribo {
namespace {

constexpr int kOtherPaths = 8;  // covering vectors tried after Lemke's method failed

// The models of problem/model.hpp by the kind of complementarity problem they become.
bool is_box_problem(const ContactModel& model) { return std::holds_alternative<FrictionBox>(model); }

// Runs a solver on a formulation and lifts what comes back to contact level.
SolveReport run(NormalFormulation& formulation, const std::string& name, std::uint64_t, ContactSolution& solution,
                InfeasibilityCertificate&) {
  const Capability& row = require_solver(name);
  const auto solver = row.make();
  LcpSolution answer;
  const SolveReport report = row.factored ? solver->solve(formulation.problem(), {}, answer)
                                          : solver->solve(as_lcp(as_factored(formulation.problem())), {}, answer);
  lift_with_proof(formulation, answer.z, answer.evidence, solution);
  return report;
}

// What only the LCP of the friction model can show (the ray along which Lemke's path left) is judged there, and is never
// more than a ray.
SolveReport run(PyramidFormulation& formulation, const std::string& name, std::uint64_t seed, ContactSolution& solution,
                InfeasibilityCertificate& ray) {
  const Capability& row = require_solver(name);
  PyramidSolution impulses;
  SolveReport report;
  if (row.pyramid) {
    report = row.make()->solve(formulation.problem(), {}, impulses);
    formulation.lift(impulses, solution);
    if (report.status == Status::kRay) {
      report.status = Status::kBreakdown;
      report.detail = "the path ended in a ray, of which this solver keeps no proof";
    }
    return report;
  }
  const PyramidLcp pyramid(formulation.problem());
  LcpSolution answer;
  WarmStart guess;
  guess.z = pyramid.guess();
  report = name == "lemke/standard" ? LemkeSolver({.cover_seed = seed}).solve(pyramid.lcp(), guess, answer)
                                    : row.make()->solve(pyramid.lcp(), {}, answer);
  if (answer.evidence.kind != Evidence::Kind::kNone) ray = certify_infeasible(pyramid.lcp(), answer.evidence);
  if (ray.verdict == Verdict::kInfeasible) ray.verdict = Verdict::kRay;
  pyramid.lift(answer.z, impulses);
  formulation.lift(impulses, solution);
  const VectorXd y = farkas_vector(answer.evidence);
  if (const VectorXd normals = y.size() > 0 ? pyramid.normals_of(y) : VectorXd(); normals.size() > 0) {
    const ContactSolution proof = formulation.lift_farkas(normals);
    solution.y_n = proof.y_n;
    solution.y_e = proof.y_e;
  }
  return report;
}

SolveReport run(const BoxFormulation& formulation, const std::string& name, std::uint64_t, ContactSolution& solution,
                InfeasibilityCertificate&) {
  const Capability& row = require_solver(name);
  const auto solver = row.make();
  const BoxLcp& box = formulation.problem();
  BoxLcpSolution answer;
  SolveReport report;
  if (row.box) {
    report = solver->solve(box, {}, answer);
  } else {
    const BoxAsMixed mixed(box);
    MixedLcpSolution mixed_answer;
    report = solver->solve(mixed.problem(), {}, mixed_answer);
    answer = mixed.lift(mixed_answer);
  }
  lift_with_proof(formulation, answer.z, answer.evidence, solution);
  return report;
}

}  // namespace

Index pyramid_rows(const ContactProblem& problem, const CoulombPyramid& model) {
  const Index d = problem.T.rows() > 0 ? model.sides : 2;
  Index rows = problem.size();
  for (const Contact& contact : problem.contacts) rows += contact.mu > 0.0 ? d + 1 : 0;
  return rows;
}

void fill_contacts(const ContactProblem& problem, const ContactModel& model, double tolerance, ContactAnswer& answer) {
  const ContactSolution& s = answer.solution;
  answer.v_next = s.v_next;
  answer.states = classify(problem, model, s, tolerance);
  if (s.v_next.size() != problem.dof()) return;
  answer.contacts.resize(problem.size());
  const VectorXd& b_N = problem.level == Level::kAcceleration ? problem.a_N : problem.b_N;
  for (Index i = 0; i < problem.size(); ++i) {
    auto& contact = answer.contacts[i];
    contact.impulse = Vector3d(s.f_s(i), s.f_t(i), s.f_n(i));
    contact.velocity(2) = problem.N.dot(i, s.v_next) + b_N(i);
    if (problem.S.rows() > 0) contact.velocity(0) = problem.S.dot(i, s.v_next);
    if (problem.T.rows() > 0) contact.velocity(1) = problem.T.dot(i, s.v_next);
  }
}

namespace {

// Contacts that stick under a moderate coefficient stick under any larger one, and the answer has smaller internal forces
// and more digits. So a problem with large mu is tried with this one first; the certificate decides, with the true mu.
ContactProblem with_moderate_friction(const ContactProblem& problem, bool& changed) {
  constexpr double kModerateMu = 10.0;
  ContactProblem moderate = problem;
  changed = false;
  for (Contact& contact : moderate.contacts) {
    if (contact.mu <= kModerateMu) continue;
    contact.mu = kModerateMu;
    changed = true;
  }
  return moderate;
}

}  // namespace

Checked check_solver(const ContactProblem& problem, const ContactModel& model, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  if (row == nullptr) {
    return fail("there is no solver '" + solver + "'", "solver",
                "use one of: auto, " + solver_names([](const Capability&) { return true; }));
  }
  const auto* pyramid = std::get_if<CoulombPyramid>(&model);
  if (const Index size = pyramid != nullptr ? pyramid_rows(problem, *pyramid) : 0; size > kMostRows && !row->pyramid) {
    return fail("the LCP of this problem has " + std::to_string(size) + " rows", "solver",
                "use auto, lemke/reduced or lemke/structural, which do not form its matrix");
  }
  bool (*const suits)(const Capability&) =
      NormalFormulation::takes(model) ? [](const Capability& r) { return r.factored || r.lcp; }
      : is_box_problem(model)         ? [](const Capability& r) { return r.box || r.mixed; }
      : std::holds_alternative<CoulombCone>(model)
          ? [](const Capability& r) { return r.cone; }
          : [](const Capability& r) { return r.pyramid || (r.lcp && r.matrices == Matrices::kAny); };
  if (suits(*row)) return ok();
  return fail("the solver '" + solver + "' cannot solve the model '" + to_string(model) + "'", "solver",
              "use one of: auto, " + solver_names(suits));
}

namespace {

// One problem in one model, and what its attempts have in common.
class Attempts {
 public:
  Attempts(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options)
      : problem_(problem), model_(model), options_(options) {}

  // True: the chain ends here, with an answer or with a proof.
  template <typename Formulation>
  bool operator()(Formulation& formulation, const std::string& name, std::uint64_t seed = 0) {
    InfeasibilityCertificate ray;
    return attempt(
        name, options_.tolerance, answer, answer.solution,
        [&](ContactSolution& s) { return run(formulation, name, seed, s, ray); },
        [&](const ContactSolution& s) { return certify(problem_, model_, s); },
        [&](const ContactSolution& s) {
          if (s.y_n.size() == 0) return ray;
          const InfeasibilityCertificate proof = certify_infeasible(problem_, model_, s);
          return proof.verdict == Verdict::kInfeasible ? proof : ray;
        });
  }

  // The short way to what "dual-active-set" answers, for one body in few contacts. False: as if nothing had been tried.
  bool one_body() {
    ContactSolution found;
    SolveReport report;
    if (!OneBody().solve(problem_, model_, found, report)) return false;
    const bool done = attempt(
        "dual-active-set", options_.tolerance, answer, answer.solution,
        [&](ContactSolution& s) {
          s = std::move(found);
          return report;
        },
        [&](const ContactSolution& s) { return certify(problem_, model_, s); },
        [](const ContactSolution&) { return InfeasibilityCertificate(); });
    if (!done) answer = ContactAnswer();
    return done;
  }

  bool refute_normals() { return tribo::refute_normals(problem_, model_, options_, answer); }

  // Where the answer moves, but sticking is an answer as well, that one (contact/stick.hpp).
  void stick(PyramidFormulation& formulation) {
    ContactSolution sticking = answer.solution;
    SolveReport report;
    if (!prefer_sticking(problem_, formulation, sticking, report)) return;
    if (!certify(problem_, model_, sticking).passes(options_.tolerance)) return;
    attempt(
        "sticking", options_.tolerance, answer, answer.solution,
        [&](ContactSolution& s) {
          s = sticking;
          return report;
        },
        [&](const ContactSolution& s) { return certify(problem_, model_, s); },
        [](const ContactSolution&) { return InfeasibilityCertificate(); });
  }

  void refuse_equalities(const ContactSolution& inconsistency) {
    tribo::refuse_equalities(problem_, model_, inconsistency, answer);
  }

  ContactAnswer answer;

 private:
  const ContactProblem& problem_;
  const ContactModel& model_;
  const SolveOptions& options_;
};

void solve_normal(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options,
                  Attempts& attempts) {
  if ((options.solver == "auto" || options.solver == "dual-active-set") && attempts.one_body()) return;
  NormalFormulation formulation;
  if (const Checked made = formulation.update(problem, model); !made) throw ContractError(made.error().text());
  if (!formulation.consistent()) return attempts.refuse_equalities(formulation.inconsistency());
  if (options.solver != "auto") {
    attempts(formulation, options.solver);
  } else if (!attempts(formulation, "dual-active-set")) {
    attempts(formulation, "lemke/standard");
  }
}

void solve_box(const ContactProblem& problem, const SolveOptions& options, Attempts& attempts) {
  const auto formulation = BoxFormulation::make(problem);
  if (!formulation) throw ContractError(formulation.error().text());
  if (!formulation->consistent()) return attempts.refuse_equalities(formulation->inconsistency());
  if (options.solver != "auto") {
    attempts(*formulation, options.solver);
  } else if (!attempts(*formulation, "dantzig") && !attempts(*formulation, "pgs-sm")) {
    attempts(*formulation, "lemke/standard");
  }
}

void solve_pyramid(const ContactProblem& problem, const CoulombPyramid& model, const SolveOptions& options,
                   Attempts& attempts) {
  PyramidFormulation formulation;
  if (const Checked made = formulation.update(problem, model); !made) throw ContractError(made.error().text());
  if (!formulation.consistent()) return attempts.refuse_equalities(formulation.inconsistency());
  bool moderated = false;
  const ContactProblem moderate = with_moderate_friction(problem, moderated);
  PyramidFormulation first;
  if (moderated) TRIBO_REQUIRE(first.update(moderate, model).has_value(), "a smaller mu is a mu");
  const bool automatic = options.solver == "auto";
  for (const std::string& name : automatic ? std::vector<std::string>{"lemke/reduced", "lemke/standard"}
                                           : std::vector<std::string>{options.solver}) {
    if (automatic && name == "lemke/standard") {
      if (attempts.refute_normals()) return;
      if (const Index size = pyramid_rows(problem, model); size > kMostRows) {
        attempts.answer.stages.push_back("lemke/standard: left out (" + std::to_string(size) + " rows)");
        return;
      }
    }
    if (moderated) {
      attempts(first, name);
      attempts.answer.stages.back() += " (mu <= 10)";
      if (is_solved(attempts.answer.status)) break;
      attempts.answer.status = attempts.answer.report.status = Status::kBreakdown;  // said of that problem, not of this
    }
    if (attempts(formulation, name)) break;
  }
  if (!automatic) return;
  const auto settled = [&] {
    return is_solved(attempts.answer.status) || attempts.answer.status == Status::kInfeasible;
  };
  for (std::uint64_t seed = 1; seed <= kOtherPaths && !settled(); ++seed) {
    attempts(formulation, "lemke/standard", seed);
  }
  if (is_solved(attempts.answer.status)) attempts.stick(formulation);
}

}  // namespace

ContactAnswer solve_as_given(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options) {
  Attempts attempts(problem, model, options);
  if (NormalFormulation::takes(model)) {
    solve_normal(problem, model, options, attempts);
  } else if (const auto* pyramid = std::get_if<CoulombPyramid>(&model)) {
    solve_pyramid(problem, *pyramid, options, attempts);
  } else if (std::holds_alternative<CoulombCone>(model)) {
    solve_cone(problem, options, attempts.answer);
  } else {
    solve_box(problem, options, attempts);
  }
  if (attempts.answer.status != Status::kInconsistentEqualities)
    fill_contacts(problem, model, options.tolerance, attempts.answer);
  return attempts.answer;
}

}  // namespace tribo
