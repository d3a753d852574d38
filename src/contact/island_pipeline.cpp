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
  AttemptLoop<ContactAnswer, ContactSolution> loop(answer_, answer_.solution, candidate_, options.tolerance);
  judged_ = false;
  PhaseWatch watch(!options.brief);
  if (options.selection.rest && problem.v.isZero(0.0)) {
    const bool holds = hold_rest(task);
    watch.lap();
    if (holds) {
      if (!options.brief) fill_contacts(problem, answer_);
      mark_rest(problem);
      classify(task);
      answer_.seconds.classify += watch.lap();
      return;
    }
  }
  if (const Checked made = route_->update(task); !made) throw ContractError(made.error().text());
  answer_.seconds.formulate += watch.lap();
  if (!route_->consistent()) {
    refuse_equalities(task);
    return;
  }
  for (const AttemptRow& row : route_->attempts()) {
    why_.clear();
    if (!route_->applies(row, why_)) {
      if (!why_.empty()) loop.leave_out(row.name, why_);
      continue;
    }
    if (attempt(row, task, loop)) break;
  }
  watch.lap();
  if (is_solved(answer_.status)) select(task, loop);
  answer_.seconds.select += watch.lap();
  if (!options.brief) fill_contacts(problem, answer_);
  mark_rest(problem);
  if (judged_) {
    classify(task);
  } else {
    certifier_.classify(problem, model, answer_.solution, options.tolerance, answer_.states);
    certifier_.classify_dry(options.tolerance, answer_.dry_states);
  }
  answer_.seconds.classify += watch.lap();
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
  answer_.certificate = rest_.certificate();
  answer_.solver = "at rest";
  Attempt& row = answer_.history.emplace_back();
  row.name = "at rest";
  row.status = Status::kSolved;
  row.worst = answer_.certificate.worst;
  row.seconds = seconds;
  return true;
}

// True: the chain ends here, with an answer or with a proof.
bool IslandPipeline::attempt(const AttemptRow& row, const RouteTask& task,
                             AttemptLoop<ContactAnswer, ContactSolution>& loop) {
  if (row.proof) {
    std::string note;
    Stopwatch watch;
    const SolveReport report = route_->run(row, scratch_, note);
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
          std::swap(s, scratch_);
          return report;
        },
        [&](const ContactSolution& s, SolveReport&) -> const Certificate& { return task.certify(s); },
        [&](const ContactSolution& s) { return route_->refute(s); });
  }
  bool rests = false;
  const auto judge = [&](ContactSolution& s) -> const Certificate& {
    rests = task.options->selection.rest &&
            rest_.brings_to_rest(*task.problem, *task.model, task.options->tolerance, certifier_, s);
    return rests ? rest_.certificate() : task.certify(s);
  };
  const bool done = loop(
      row.name, row.solver, [&](ContactSolution& s, std::string& note) { return route_->run(row, s, note); },
      [&](ContactSolution& s, SolveReport& report) -> const Certificate& {
        const Certificate* certificate = &judge(s);
        while (!certificate->passes(task.options->tolerance) && route_->refine(s, report)) certificate = &judge(s);
        judged_ = certificate->passes(task.options->tolerance);
        return *certificate;
      },
      [&](const ContactSolution& s) { return route_->refute(s); });
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
  scratch_ = answer_.solution;
  SolveReport report;
  const Stopwatch watch;
  if (!route_->select(scratch_, report)) return;
  judged_ = false;  // the certifier looks at another answer
  if (!task.certify(scratch_).passes(task.options->tolerance)) return;
  const bool fallback = answer_.report.fallback;
  static_cast<void>(loop(
      "sticking", "sticking",
      [&](ContactSolution& s, std::string&) {
        std::swap(s, scratch_);
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
