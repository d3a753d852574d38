#include "contact/island_pipeline.hpp"

#include "tribo/core/clock.hpp"

#include "contact/mass_span.hpp"

namespace tribo {

IslandPipeline::IslandPipeline(const ContactModel& model, const SolveOptions& options)
    : route_(make_route(model, options.solver)) {}

ContactAnswer& IslandPipeline::solve(const ContactProblem& problem, const ContactModel& model,
                                     const SolveOptions& options, const StartValues& start, bool one_island) {
  find_answer(problem, model, options, start, one_island);
  if (one_island && is_solved(answer_.status) && spans_too_much(problem)) {
    answer_.status = answer_.report.status = Status::kBreakdown;
    answer_.report.detail = kSpansTooMuch;
  }
  return answer_;
}

void IslandPipeline::find_answer(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options,
                                 const StartValues& start, bool one_island) {
  const RouteTask task{&problem, &model, &options, &start, &certifier_, &answer_.seconds, one_island};
  answer_.eased.resize(0);
  answer_.released.clear();
  answer_.islands = 1;
  answer_.found_at_rest = false;
  AttemptLoop<ContactAnswer, ContactSolution> loop(answer_, answer_.solution, candidate_, options.tolerance,
                                                   options.brief);
  judged_ = false;
  PhaseWatch watch(!options.brief);
  const auto finish = [&] {
    if (!options.brief) fill_contacts(problem, answer_);
    mark_rest(problem);
    if (judged_) {
      classify(task);
    } else {
      certifier_.classify(problem, model, answer_.solution, options.tolerance, answer_.states);
      certifier_.classify_dry(options.tolerance, answer_.dry_states);
    }
    answer_.seconds.classify += watch.lap();
  };
  if (options.selection.rest && problem.v.isZero(0.0)) {
    judged_ = hold_rest(task);
    watch.lap();
    if (judged_) return finish();
  }
  const bool has_rows = problem.size() + problem.bilateral() + problem.dry() > 0;
  if (!has_rows && problem.mass.factor() != nullptr && problem.level == Level::kVelocity && attempt_free(task, loop)) {
    watch.lap();
    return finish();
  }
  if (const Checked made = route_->update(task); !made) throw ContractError(made.error().text());
  answer_.seconds.formulate += watch.lap();
  if (!route_->consistent()) {
    refuse_equalities(task);
    return;
  }
  bool done = false;
  for (const AttemptRow& row : route_->attempts()) {
    for (int path = 0; path < row.paths && !done; ++path) {
      why_.clear();
      if (!route_->applies(row, path, why_)) {
        if (why_.empty()) continue;
        loop.leave_out(row.name, why_);
        break;
      }
      done = attempt(row, path, task, loop);
    }
  }
  watch.lap();
  if (is_solved(answer_.status)) select(task, loop);
  answer_.seconds.select += watch.lap();
  finish();
}

// What the certifier looked at last.
void IslandPipeline::classify(const RouteTask& task) {
  certifier_.classify(task.options->tolerance, answer_.states);
  certifier_.classify_dry(task.options->tolerance, answer_.dry_states);
}

void IslandPipeline::mark_rest(const ContactProblem& problem) {
  answer_.at_rest.assign(static_cast<std::size_t>(problem.size() + problem.dry()), answer_.found_at_rest ? 1 : 0);
}

bool IslandPipeline::hold_rest(const RouteTask& task) {
  Stopwatch watch;
  const bool holds =
      rest_.holds(*task.problem, *task.model, *task.start, task.options->tolerance, certifier_, answer_.solution);
  const double seconds = watch.lap();
  answer_.seconds.certify += seconds;
  if (!holds) return false;
  answer_.found_at_rest = true;
  answer_.status = answer_.report.status = Status::kSolved;
  if (task.options->brief) {
    answer_.certificate.worst = rest_.certificate().worst;
  } else {
    answer_.certificate = rest_.certificate();
  }
  answer_.solver = "at rest";
  Attempt& row = answer_.history.emplace_back();
  row.name = "at rest";
  row.status = Status::kSolved;
  row.worst = answer_.certificate.worst;
  row.seconds = seconds;
  return true;
}

// True: the chain ends here, with an answer or with a proof.
bool IslandPipeline::attempt(const AttemptRow& row, int path, const RouteTask& task,
                             AttemptLoop<ContactAnswer, ContactSolution>& loop) {
  if (row.proof) {
    std::string note;
    Stopwatch watch;
    const SolveReport report = route_->run(row, path, scratch_, note);
    if (report.status != Status::kInfeasible) {
      Attempt& failed = answer_.history.emplace_back();
      failed.name = row.name;
      failed.note = "no contradiction";
      failed.status = Status::kBreakdown;
      failed.seconds = watch.lap();
      failed.pivots = report.pivots;
      failed.sweeps = report.sweeps;
      failed.iterations = report.iterations;
      answer_.seconds.solve += failed.seconds;
      return false;
    }
    return loop(
        row.name, row.solver,
        [&](ContactSolution& s, std::string&) {
          swap(s, scratch_);
          return report;
        },
        [&](const ContactSolution& s, SolveReport&) -> const Certificate& { return task.certify(s); },
        [&](const ContactSolution& s) { return route_->refute(s); });
  }
  return judge(
      row.name, row.solver, task, loop,
      [&](ContactSolution& s, std::string& note) { return route_->run(row, path, s, note); },
      [&](ContactSolution& s, SolveReport& report) { return route_->refine(s, report); },
      [&](const ContactSolution& s) { return route_->refute(s); });
}

// Bodies without rows: v⁺ = v + h M⁻¹ f, in every model. For step loops, which have factored M.
bool IslandPipeline::attempt_free(const RouteTask& task, AttemptLoop<ContactAnswer, ContactSolution>& loop) {
  constexpr const char* kName = "nothing to do";
  const ContactProblem& problem = *task.problem;
  return judge(
      kName, kName, task, loop,
      [&](ContactSolution& s, std::string&) {
        for (VectorXd ContactSolution::*member :
             {&ContactSolution::f_n, &ContactSolution::f_s, &ContactSolution::f_t, &ContactSolution::f_spin,
              &ContactSolution::f_roll_s, &ContactSolution::f_roll_t, &ContactSolution::f_j, &ContactSolution::f_d,
              &ContactSolution::y_n, &ContactSolution::y_e}) {
          (s.*member).resize(0);
        }
        s.v_next = problem.h * problem.f;
        problem.mass.factor()->solve(s.v_next);
        s.v_next += problem.v;
        return SolveReport{.status = Status::kSolved};
      },
      [](ContactSolution&, SolveReport&) { return false; }, NoRefutation{});
}

// One attempt: run, bring to rest or refine, certify.
template <typename Run, typename Refine, typename Refute>
bool IslandPipeline::judge(const char* name, const char* solver, const RouteTask& task,
                           AttemptLoop<ContactAnswer, ContactSolution>& loop, const Run& run, const Refine& refine,
                           const Refute& refute) {
  bool rests = false;
  const auto certify = [&](ContactSolution& s) -> const Certificate& {
    rests = task.options->selection.rest &&
            rest_.brings_to_rest(*task.problem, *task.model, task.options->tolerance, certifier_, s);
    return rests ? rest_.certificate() : task.certify(s);
  };
  const bool done = loop(
      name, solver, run,
      [&](ContactSolution& s, SolveReport& report) -> const Certificate& {
        const Certificate* certificate = &certify(s);
        while (!certificate->passes(task.options->tolerance) && refine(s, report)) certificate = &certify(s);
        judged_ = certificate->passes(task.options->tolerance);
        return *certificate;
      },
      refute);
  if (done && rests) {
    answer_.found_at_rest = task.problem->v.isZero(0.0);
    Attempt& chosen = answer_.history.emplace_back();
    chosen.name = "brought to rest";
    chosen.status = Status::kSolved;
    chosen.worst = answer_.certificate.worst;
  }
  return done;
}

// Where the law has several answers, the one that the selection prefers; it is judged as any other.
// A start that knows loads has chosen already: what stuck then is where the path begins now.
void IslandPipeline::select(const RouteTask& task, AttemptLoop<ContactAnswer, ContactSolution>& loop) {
  if ((task.start->impulses.f_n.array() > 0.0).any()) return;
  SolveReport report;
  const Stopwatch watch;
  if (!route_->select(answer_.solution, scratch_, report)) return;
  judged_ = false;  // the certifier looks at another answer
  if (!task.certify(scratch_).passes(task.options->tolerance)) return;
  const bool fallback = answer_.report.fallback;
  static_cast<void>(loop(
      "sticking", "sticking",
      [&](ContactSolution& s, std::string&) {
        swap(s, scratch_);
        return report;
      },
      [&](const ContactSolution& s, SolveReport&) -> const Certificate& { return task.certify(s); }, NoRefutation{}));
  answer_.report.fallback = fallback;  // the answer before it was certified too
  answer_.history.back().seconds = watch.seconds();
}

// The bilateral rows contradict one another.
void IslandPipeline::refuse_equalities(const RouteTask& task) {
  answer_.solution = route_->inconsistency();
  answer_.infeasibility = certify_infeasible(*task.problem, *task.model, answer_.solution);
  answer_.status =
      answer_.infeasibility.verdict == Verdict::kInfeasible ? Status::kInconsistentEqualities : Status::kBreakdown;
  answer_.report.status = answer_.status;
  answer_.report.detail = "the bilateral rows contradict one another";
  answer_.solver = "find-indices";
  Attempt& row = answer_.history.emplace_back();
  row.name = "find-indices";
  row.status = answer_.status;
  answer_.certificate = task.certify(answer_.solution);
  answer_.v_next.resize(0);
  answer_.contacts.clear();
  answer_.states.clear();
  answer_.dry_states.clear();
  answer_.at_rest.clear();
}

ContactStart ContactAnswer::start(const ContactProblem& problem) const {
  ContactStart result;
  start(problem, result);
  return result;
}

void ContactAnswer::start(const ContactProblem& problem, ContactStart& next) const {
  next.assign(problem, solution, states, at_rest);
}

void fill_contacts(const ContactProblem& problem, ContactAnswer& answer) {
  const ContactSolution& s = answer.solution;
  answer.v_next = s.v_next;
  answer.contacts.clear();
  if (s.v_next.size() != problem.dof()) return;
  answer.contacts.resize(static_cast<std::size_t>(problem.size()));
  const VectorXd& b_N = problem.level == Level::kAcceleration ? problem.a_N : problem.b_N;
  for (Index i = 0; i < problem.size(); ++i) {
    ContactAnswer::AtContact& contact = answer.contacts[static_cast<std::size_t>(i)];
    contact.impulse = Vector3d(s.f_s(i), s.f_t(i), s.f_n(i));
    contact.velocity(2) = problem.N.dot(i, s.v_next) + b_N(i);
    if (problem.S.rows() > 0) contact.velocity(0) = problem.S.dot(i, s.v_next);
    if (problem.T.rows() > 0) contact.velocity(1) = problem.T.dot(i, s.v_next);
  }
}

}  // namespace tribo
