#include "solve_file.hpp"

#include "tribo/contact/solve.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/io/problem_file.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "evidence_record.hpp"
#include "file_order.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr const char* kUselessRelease = "--release is ignored: it is for the model no-slip";
constexpr const char* kUselessRelax =
    "--relax is ignored: it is for contact problems and for the model compliant/coulomb";
constexpr const char* kUselessStrict = "--strict is ignored: it is for contact problems at acceleration level";

// What makes a file unusable after it has been read; its text is the record's error.
struct Refused {
  Error error;
};

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) { throw Refused{{what, "", remedy}}; }

void require(const Checked& checked) {
  if (!checked) throw Refused{checked.error()};
}

// Solves `repeat` times; the answer is the same each time, the time is the best.
template <typename Solve>
auto solve_timed(const Solve& solve_once, int repeat, SolveRecord& record) {
  const Stopwatch first;
  auto answer = solve_once();
  record.seconds = first.seconds();
  for (int k = 1; k < repeat; ++k) {
    const Stopwatch watch;
    const auto again = solve_once();
    record.seconds = std::min(record.seconds, watch.seconds());
  }
  return answer;
}

// Why an answer does not count as solved; `by_contacts`: the report counts contacts.
std::string explain(const AnswerBase& answer, double tolerance, bool by_contacts) {
  if (!is_solved(answer.report.status)) {
    const bool known = by_contacts && answer.report.index >= 0;
    return answer.report.detail + (known ? fmt::format(" (contact {})", answer.report.index) : "");
  }
  // The solver said solved, and its answer was refused.
  std::string worst;
  for (const Residual& residual : answer.certificate.residuals) {
    if (residual.relative == answer.certificate.worst) worst = residual.name;
  }
  return fmt::format("the answer does not pass its certificate: {} is {:.3g}, more than {:.3g}", worst,
                     answer.certificate.worst, tolerance);
}

void fill(const AnswerBase& answer, double tolerance, SolveRecord& record, bool by_contacts = false) {
  record.status = answer.status;
  // "solved" is a claim of the library; it counts here only beside a certificate that passes.
  if (is_solved(record.status) && !answer.certificate.passes(tolerance)) record.status = Status::kBreakdown;
  record.solver = answer.solver;
  record.iterations = answer.report.iterations;
  record.pivots = answer.report.pivots;
  record.certificate = answer.certificate;
  record.history = answer.history;
  if (!is_solved(record.status)) record.detail = explain(answer, tolerance, by_contacts);
}

class Solver {
 public:
  Solver(const ProblemFile& file, const SolveRequest& request, SolveRecord& record)
      : file_(file), request_(request), record_(record) {
    options_.solver = request.solver;
    options_.tolerance = request.tolerance;
    options_.release = request.release;
    options_.relax = request.relax;
    options_.strict = request.strict;
  }

  void operator()(const Lcp& lcp) {
    record_.dof = lcp.size();
    const auto answer = run<LcpAnswer>(lcp);
    record_.solution = {{"z", answer.solution.z}, {"w", answer.solution.w}};
    record_.evidence = make_evidence_record(answer.solution.evidence, answer.infeasibility);
  }

  void operator()(const MixedLcpFile& mixed) {
    record_.dof = mixed.lcp.size();
    const auto answer = run<MixedLcpAnswer>(mixed.lcp);
    const FileOrder order(file_, mixed);
    record_.solution = {{"u", order.equality(answer.solution.u)},
                        {"z", order.complementary(answer.solution.z)},
                        {"w", order.complementary(answer.solution.w)}};
    record_.evidence = make_evidence_record(in_file_order(answer.solution.evidence, order), answer.infeasibility);
  }

  void operator()(const BoxLcp& lcp) {
    record_.dof = lcp.size();
    const auto answer = run<BoxLcpAnswer>(lcp);
    record_.solution = {{"z", answer.solution.z}, {"w", answer.solution.w}};
    record_.evidence = make_evidence_record(answer.solution.evidence, answer.infeasibility);
  }

  void operator()(const Qp& qp) {
    record_.dof = qp.size();
    const auto answer = run<QpAnswer>(qp);
    record_.solution = {{"x", answer.solution.x}, {"nu", answer.solution.nu}, {"lambda", answer.solution.lambda}};
    record_.evidence = make_evidence_record(answer.solution.evidence, answer.infeasibility);
  }

  void operator()(const ContactFile& contact) {
    const ContactModel model = request_.model.value_or(contact.model);
    record_.contacts = contact.problem.size();
    record_.dof = contact.problem.dof();
    record_.model = to_string(model);
    if (request_.model) warn_of_missing_friction(contact.problem, model);
    warn_of_ignored_properties(contact.problem, model);
    warn_of_useless_options(model, contact.problem.level);
    if (request_.strict) require(check_acceleration_level(contact.problem));
    require(check_solver(contact.problem, model, request_.solver));
    const ContactAnswer answer =
        solve_timed([&] { return solve(contact.problem, model, options_); }, request_.repeat, record_);
    fill(answer, request_.tolerance, record_, std::holds_alternative<CoulombCone>(model));
    const ContactSolution& s = answer.solution;
    const char* motion = contact.problem.level == Level::kAcceleration ? "a" : "v_next";
    record_.solution = {{motion, s.v_next}, {"f_n", s.f_n}, {"f_s", s.f_s}, {"f_t", s.f_t}, {"f_j", s.f_j}};
    if (s.f_spin.size() > 0) record_.solution.emplace_back("f_spin", s.f_spin);
    if (s.f_roll_s.size() > 0) record_.solution.emplace_back("f_roll_s", s.f_roll_s);
    if (s.f_roll_t.size() > 0) record_.solution.emplace_back("f_roll_t", s.f_roll_t);
    if (s.f_d.size() > 0) record_.solution.emplace_back("f_d", s.f_d);
    record_.states = answer.states;
    record_.dry_states = answer.dry_states;
    record_.evidence = make_evidence_record(s, answer.infeasibility);
    if (request_.release != Release::kNever) record_.released = answer.released;
    if (request_.relax) record_.eased = answer.eased;
  }

  void operator()(const CompliantFile& file) {
    CompliantProblem problem = file.problem;
    Compliant model = file.model;
    record_.contacts = problem.contacts();
    record_.dof = problem.dof();
    if (request_.model) {
      refuse("the model " + request_.model_name + " cannot be applied to a compliant problem",
             "leave --model out, or name a compliant model: tribo list models");
    }
    require(request_.compliant ? apply(*request_.compliant, problem, model) : check_model(problem, model));
    // Who asks for one velocity product reads its name, not that of the law beside it.
    const auto name_of = [&](const Compliant& used) {
      const bool product = request_.compliant && request_.compliant->product;
      return product ? "compliant/" + to_string(*request_.compliant->product) : compliant_name(problem, used);
    };
    record_.model = name_of(model);
    const bool can_relax = problem.contacts() > 0 && model.friction == FrictionLaw::kCoulomb;
    if (request_.relax && !can_relax) record_.warnings.push_back(kUselessRelax);
    if (request_.release != Release::kNever) record_.warnings.push_back(kUselessRelease);
    if (request_.strict) record_.warnings.push_back(kUselessStrict);
    require(check_solver(problem, request_.solver));
    const CompliantAnswer answer =
        solve_timed([&] { return solve(problem, model, options_); }, request_.repeat, record_);
    fill(answer, request_.tolerance, record_);
    record_.model = name_of(answer.model);
    const CompliantSolution& s = answer.solution;
    record_.solution = {{"v1", s.v1},
                        {"lambda_b", s.lambda_b},
                        {"lambda_u", s.lambda_u},
                        {"lambda_n", s.lambda_n},
                        {"lambda_r", s.lambda_r},
                        {"lambda_s", s.lambda_s}};
    if (s.row_multipliers.size() > 0) record_.solution.emplace_back("row_multipliers", s.row_multipliers);
    record_.states = answer.states;
  }

  void operator()(const LocalFriction& problem) {
    record_.dof = problem.q.size();
    const FrictionAnswer answer = run_friction(problem);
    record_.solution = {{"r", answer.solution.r}, {"u", answer.solution.u}};
  }

  void operator()(const GlobalFriction& problem) {
    record_.dof = problem.f.size();
    const FrictionAnswer answer = run_friction(problem);
    record_.solution = {{"r", answer.solution.r}, {"u", answer.solution.u}, {"v", answer.solution.v}};
  }

 private:
  // A model asked for on the command line may need what the file does not give.
  void warn_of_missing_friction(const ContactProblem& problem, const ContactModel& model) {
    const bool cone = std::holds_alternative<CoulombCone>(model);
    bool mu = problem.size() == 0, mu_v = mu, bound = mu, impact_damping = mu;
    for (const Contact& contact : problem.contacts) {
      mu = mu || contact.mu > 0.0 || (cone && (contact.mu_spin > 0.0 || contact.mu_roll > 0.0));
      mu_v = mu_v || contact.mu_v > 0.0;
      bound = bound || contact.friction_bound > 0.0;
      impact_damping = impact_damping || contact.impact_damping > 0.0;
    }
    const auto* viscous = std::get_if<Viscous>(&model);
    const bool impact = viscous != nullptr && viscous->impact;
    const char* missing = (cone || std::holds_alternative<CoulombPyramid>(model)) && !mu ? "mu"
                          : impact && !impact_damping                                    ? "impact_damping"
                          : viscous != nullptr && !impact && !mu_v                       ? "mu_v"
                          : std::holds_alternative<FrictionBox>(model) && !bound         ? "bound"
                                                                                         : nullptr;
    if (missing != nullptr) {
      record_.warnings.push_back(std::string("every ") + missing + " of the file is zero or missing: no friction acts");
    }
  }

  // Nothing physical is dropped in silence: what only the model cone knows of is named where another one is used.
  void warn_of_ignored_properties(const ContactProblem& problem, const ContactModel& model) {
    if (std::holds_alternative<CoulombCone>(model)) return;
    const std::pair<const char*, double Contact::*> properties[] = {
        {"mu_spin", &Contact::mu_spin},
        {"mu_roll", &Contact::mu_roll},
        {"compliance", &Contact::compliance},
        {"tangential_compliance", &Contact::tangential_compliance}};
    std::string ignored;
    for (const auto& [name, property] : properties) {
      const auto given = [member = property](const Contact& contact) { return contact.*member > 0.0; };
      if (!std::any_of(problem.contacts.begin(), problem.contacts.end(), given)) continue;
      ignored += (ignored.empty() ? "" : ", ") + std::string(name);
    }
    if (ignored.empty()) return;
    record_.warnings.push_back("ignored by the model " + to_string(model) + ": " + ignored + " (use --model cone)");
  }

  // An option that has nothing to act on is no error: one command line serves many files.
  void warn_of_useless_options(const std::optional<ContactModel>& model, Level level) {
    const auto warn = [&](const std::string& option, const std::string& use) {
      record_.warnings.push_back(option + " is ignored: it is for " + use);
    };
    const bool no_slip = model && std::holds_alternative<NoSlip>(*model);
    if (request_.release != Release::kNever && !no_slip) warn("--release", "the model no-slip");
    if (request_.relax && !model) warn("--relax", "contact problems");
    if (request_.strict && level != Level::kAcceleration) warn("--strict", "contact problems at acceleration level");
  }

  // Complementarity problems and QPs: equations without a model behind them.
  template <typename Answer, typename Problem>
  Answer run(const Problem& problem) {
    if (request_.model) {
      refuse("a contact model does not apply to a problem of kind " + record_.kind,
             "leave --model out: the file holds the equations themselves");
    }
    warn_of_useless_options(std::nullopt, Level::kVelocity);
    require(check_solver(problem, request_.solver));
    Answer answer = solve_timed([&] { return solve(problem, options_); }, request_.repeat, record_);
    fill(answer, request_.tolerance, record_);
    return answer;
  }

  // Friction given as matrices: without rows and bodies no other model can be applied.
  template <typename Problem>
  FrictionAnswer run_friction(const Problem& problem) {
    record_.contacts = problem.contacts();
    record_.model = to_string(request_.model.value_or(CoulombCone{}));
    if (request_.model && !std::holds_alternative<CoulombCone>(*request_.model)) {
      refuse("the model " + *record_.model + " cannot be applied to a friction problem given as matrices",
             "leave --model out, or use --model cone: the matrices do not say which rows and bodies they came from");
    }
    warn_of_useless_options(std::nullopt, Level::kVelocity);
    require(check_solver(problem, request_.solver));
    FrictionAnswer answer = solve_timed([&] { return solve(problem, options_); }, request_.repeat, record_);
    fill(answer, request_.tolerance, record_, true);
    record_.states = answer.states;
    return answer;
  }

  const ProblemFile& file_;
  const SolveRequest& request_;
  SolveOptions options_;
  SolveRecord& record_;
};

void solve_into(const std::string& path, const SolveRequest& request, SolveRecord& record) {
  const Expected<ProblemFile> file = read_problem(path, request.kind);
  if (!file) {
    Error error = file.error();
    // The reader knows of kinds, the command line how to name one.
    const bool ambiguous = error.what.find("can be read as") != std::string::npos;
    if (ambiguous) error.remedy += ", for example with --kind lcp";
    record.error = error.text();
    return;
  }
  record.kind = kind_of(file->problem);
  record.warnings = file->warnings;
  try {
    if (!request.kind.empty() && file->format != "siconos" && record.kind != request.kind) {
      refuse(fmt::format("is a problem of kind {}, not {}", record.kind, request.kind), "leave --kind out");
    }
    if (request.compliant && record.kind != "compliant") {
      refuse(fmt::format("the model {} needs rows with stiffness and damping, which a problem of kind {} does not have",
                         request.model_name, record.kind),
             "leave --model out; docs/file-formats.md describes compliant problems");
    }
    std::visit(Solver(*file, request, record), file->problem);
  } catch (const Refused& refused) {
    record.error = refused.error.within(path).text();
  }
}

}  // namespace

SolveRecord solve_file(const std::string& path, const SolveRequest& request) {
  SolveRecord record;
  record.file = path;
  try {
    solve_into(path, request, record);
  } catch (const std::bad_alloc&) {
    record.error = path + ": the problem does not fit in memory; split it into its islands";
  } catch (const std::exception& exception) {
    record.error = path + ": " + exception.what();
  } catch (...) {
    record.error = path + ": an error without a description; please report it with the file";
  }
  return record;
}

}  // namespace tribo
