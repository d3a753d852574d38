#include "tribo/formulation/box.hpp"
#include "tribo/formulation/contact.hpp"
#include "tribo/solve/pivot/lemke.hpp"

#include "contact/chain.hpp"

namespace tribo {
namespace {

constexpr int kOtherPaths = 8;  // covering vectors tried after Lemke's method failed

// The models of problem/model.hpp by the kind of complementarity problem they become.
bool is_normal_problem(const ContactModel& model) {
  return std::holds_alternative<Frictionless>(model) || std::holds_alternative<NoSlip>(model) ||
         std::holds_alternative<Viscous>(model);
}
bool is_box_problem(const ContactModel& model) { return std::holds_alternative<FrictionBox>(model); }

// A Farkas vector of the formulated problem, if the evidence holds one; empty otherwise.
VectorXd farkas_vector(const Evidence& evidence) {
  switch (evidence.kind) {
    case Evidence::Kind::kFarkas:
      return evidence.y;
    case Evidence::Kind::kRay:
      return evidence.dz;              // for semidefinite matrices; whether it is one is judged later
    case Evidence::Kind::kExhaustion:  // one separator for all cones at once says the same
      return evidence.pattern.size() == 1 ? VectorXd(-evidence.separators.col(0)) : VectorXd();
    case Evidence::Kind::kNone:
      break;
  }
  return {};
}

// Runs a solver on the formulation and lifts what comes back to contact level. What only the LCP of a friction model can
// show (the ray along which Lemke's path left) is judged there, and is never more than a ray.
SolveReport run(const ContactFormulation& formulation, const std::string& name, std::uint64_t seed,
                ContactSolution& solution, InfeasibilityCertificate& ray) {
  const Capability& row = require_solver(name);
  const auto solver = row.make();
  SolveReport report;
  Evidence evidence;
  VectorXd z;
  const auto keep = [&](auto& answer) {
    z = std::move(answer.z);
    evidence = std::move(answer.evidence);
  };
  if (const auto* factored = std::get_if<FactoredLcp>(&formulation.problem())) {
    LcpSolution answer;
    report = row.factored ? solver->solve(*factored, {}, answer) : solver->solve(as_lcp(*factored), {}, answer);
    keep(answer);
  } else if (const auto* lcp = std::get_if<Lcp>(&formulation.problem())) {
    LcpSolution answer;
    WarmStart guess;
    guess.z = formulation.guess();
    report = name == "lemke/standard" ? LemkeSolver({.cover_seed = seed}).solve(*lcp, guess, answer)
                                      : solver->solve(*lcp, {}, answer);
    if (answer.evidence.kind != Evidence::Kind::kNone) ray = certify_infeasible(*lcp, answer.evidence);
    if (ray.verdict == Verdict::kInfeasible) ray.verdict = Verdict::kRay;
    keep(answer);
  } else {
    const auto& box = std::get<BoxLcp>(formulation.problem());
    BoxLcpSolution answer;
    if (row.box) {
      report = solver->solve(box, {}, answer);
    } else {
      const BoxAsMixed mixed(box);
      MixedLcpSolution mixed_answer;
      report = solver->solve(mixed.problem(), {}, mixed_answer);
      answer = mixed.lift(mixed_answer);
    }
    keep(answer);
  }
  solution = formulation.lift(z);
  if (const VectorXd y = farkas_vector(evidence); y.size() > 0) {
    const ContactSolution proof = formulation.lift_farkas(y);
    solution.y_n = proof.y_n;
    solution.y_e = proof.y_e;
  }
  return report;
}

void fill(const ContactProblem& problem, ContactAnswer& answer) {
  const ContactSolution& s = answer.solution;
  answer.v_next = s.v_next;
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

// Contacts that stick under a moderate coefficient stick under any larger one, and the answer has smaller internal forces
// and more digits. So a problem with large mu is tried with this one first; the certificate decides, with the true mu.
ContactProblem with_moderate_friction(const ContactProblem& problem, bool& changed) {
  constexpr double kModerate = 10.0;
  ContactProblem moderate = problem;
  changed = false;
  for (Contact& contact : moderate.contacts) {
    if (contact.mu <= kModerate) continue;
    contact.mu = kModerate;
    changed = true;
  }
  return moderate;
}

}  // namespace

Checked check_solver(const ContactProblem&, const ContactModel& model, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  if (row == nullptr) {
    return fail("there is no solver '" + solver + "'", "solver",
                "use one of: auto, " + solver_names([](const Capability&) { return true; }));
  }
  bool (*const suits)(const Capability&) =
      is_normal_problem(model) ? [](const Capability& r) { return r.factored || r.lcp; }
      : is_box_problem(model)  ? [](const Capability& r) { return r.box || r.mixed; }
                               : [](const Capability& r) { return r.lcp && r.matrices == Matrices::kAny; };
  if (suits(*row)) return ok();
  return fail("the solver '" + solver + "' cannot solve the model '" + to_string(model) + "'", "solver",
              "use one of: auto, " + solver_names(suits));
}

namespace {

ContactAnswer solve_as_given(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  if (const auto checked = validate(problem); !checked) throw ContractError(checked.error().text());
  if (const auto checked = check_solver(problem, model, options.solver); !checked) {
    throw ContractError(checked.error().text());
  }
  const auto formulation = ContactFormulation::make(problem, model);
  if (!formulation) throw ContractError(formulation.error().text());

  ContactAnswer answer;
  if (!formulation->consistent()) {
    answer.solution = formulation->inconsistency();
    answer.infeasibility = certify_infeasible(problem, model, answer.solution);
    answer.status =
        answer.infeasibility.verdict == Verdict::kInfeasible ? Status::kInconsistentEqualities : Status::kBreakdown;
    answer.report.status = answer.status;
    answer.report.detail = "the bilateral rows contradict one another";
    answer.solver = "find-indices";
    answer.stages.push_back("find-indices: " + std::string(to_string(answer.status)));
    answer.certificate = certify(problem, model, answer.solution);
    return answer;
  }

  const auto certify_answer = [&](const ContactSolution& s) { return certify(problem, model, s); };
  InfeasibilityCertificate ray;
  const auto refute = [&](const ContactSolution& s) {
    if (s.y_n.size() == 0) return ray;
    const InfeasibilityCertificate proof = certify_infeasible(problem, model, s);
    return proof.verdict == Verdict::kInfeasible ? proof : ray;
  };
  const auto attempt_on = [&](const ContactFormulation& form, const std::string& name, std::uint64_t seed) {
    return attempt(
        name, options.tolerance, answer, answer.solution,
        [&](ContactSolution& s) {
          ray = {};
          return run(form, name, seed, s, ray);
        },
        certify_answer, refute);
  };
  const auto attempt_with = [&](const std::string& name, std::uint64_t seed) {
    return attempt_on(*formulation, name, seed);
  };
  bool done = false;
  if (std::holds_alternative<CoulombPyramid>(model)) {
    bool moderated = false;
    const ContactProblem moderate = with_moderate_friction(problem, moderated);
    if (moderated) {
      const auto first = ContactFormulation::make(moderate, model);
      attempt_on(*first, options.solver == "auto" ? "lemke/standard" : options.solver, 0);
      answer.stages.back() += " (mu <= 10)";
      done = is_solved(answer.status);
      if (!done)
        answer.status = answer.report.status = Status::kBreakdown;  // what it says of that problem is not said of this
    }
  }
  if (done) {
    // answered above
  } else if (options.solver != "auto") {
    attempt_with(options.solver, 0);
  } else if (is_normal_problem(model)) {
    if (!attempt_with("dual-active-set", 0)) attempt_with("lemke/standard", 0);
  } else if (is_box_problem(model)) {
    if (!attempt_with("dantzig", 0) && !attempt_with("pgs-sm", 0)) attempt_with("lemke/standard", 0);
  } else {
    for (std::uint64_t seed = 0; seed <= kOtherPaths && !done; ++seed) done = attempt_with("lemke/standard", seed);
  }
  fill(problem, answer);
  return answer;
}

}  // namespace

ContactAnswer solve(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options) {
  ContactAnswer answer = solve_as_given(problem, model, options);
  if (!options.relax) return answer;
  constexpr int kPasses = 10;  // each removes one contradiction
  constexpr double kMargin = 1e-6;
  ContactProblem eased = problem;
  const bool accelerations = problem.level == Level::kAcceleration;
  VectorXd& offset = accelerations ? eased.a_N : eased.b_N;
  const VectorXd& b_J = accelerations ? problem.a_J : problem.b_J;
  for (int pass = 0; pass < kPasses && answer.status == Status::kInfeasible; ++pass) {
    const VectorXd y = answer.solution.y_n, y_e = answer.solution.y_e;
    if (y.size() != problem.size() || !(y.sum() > 0.0)) break;
    const double violation = -(y.dot(offset) + y_e.head(problem.bilateral()).dot(b_J));
    const double step = (1.0 + kMargin) * violation / y.sum();
    for (Index i = 0; i < y.size(); ++i) offset(i) += y(i) > 0.0 ? step : 0.0;
    std::vector<std::string> stages = std::move(answer.stages);
    answer = solve_as_given(eased, model, options);
    stages.push_back("eased b_N");
    answer.stages.insert(answer.stages.begin(), stages.begin(), stages.end());
    answer.eased = offset - (accelerations ? problem.a_N : problem.b_N);
  }
  if (answer.eased.size() > 0 && is_solved(answer.status)) {
    answer.status = answer.report.status = Status::kSolvedReduced;
    answer.report.detail = "b_N was eased where the rows contradict one another";
  }
  return answer;
}

}  // namespace tribo
