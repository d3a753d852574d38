// Islands apart, put together, certified as a whole.
//
// Status of the whole: the worst of the islands in the order of severity(). A proof that one island has no answer is a
// proof that the whole has none, so it counts more than a failure elsewhere; of several proofs the first one is given.
// Every island is judged on its own scale, by its attempts and again by the certificate of the whole.
#include "tribo/contact/pipeline.hpp"

#include "tribo/problem/islands.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "contact/contact_steps.hpp"

namespace tribo {
namespace {

// Sizes of problems for which memory is kept; tests/allocation has a scene with ten sizes of islands.
constexpr std::size_t kShapes = 16;

bool is_proved(Status status) { return status == Status::kInfeasible || status == Status::kInconsistentEqualities; }

// The problem that was answered: with eased offsets and released contacts.
ContactProblem changed(const ContactProblem& problem, const ContactAnswer& answer) {
  ContactProblem result = problem;
  VectorXd& offset = problem.level == Level::kAcceleration ? result.a_N : result.b_N;
  if (answer.eased.size() > 0) offset += answer.eased;
  for (const Index i : answer.released) result.contacts[static_cast<std::size_t>(i)].released = true;
  return result;
}

}  // namespace

class ContactPipeline::Workspace {
 public:
  Workspace(ContactModel the_model, SolveOptions the_options)
      : model(std::move(the_model)), options(std::move(the_options)) {
    require_tolerance(options.tolerance);
  }

  // The pipeline for problems of this size: the one that had such a problem last, else the one that was not used for longest. Vectors
  // are allocated anew when their size changes; what they held matters to no answer.
  IslandPipeline& draw(const ContactProblem& problem) {
    const Shape shape{problem.dof(), problem.size(), problem.bilateral(), problem.dry()};
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Kept& k) { return k.shape == shape; });
    if (same != kept.end()) {
      same->used = ++uses;
      return *same->pipeline;
    }
    if (kept.size() < kShapes) kept.push_back({{}, 0, std::make_unique<IslandPipeline>(model, options)});
    auto oldest =
        std::min_element(kept.begin(), kept.end(), [](const Kept& x, const Kept& y) { return x.used < y.used; });
    oldest->shape = shape;
    oldest->used = ++uses;
    return *oldest->pipeline;
  }

  const ContactAnswer& solve(const ContactProblem& problem, const ContactStart& start);
  ContactAnswer& solve_apart(const ContactProblem& problem);
  void merge_reports(std::size_t worst);
  void merge_changes();

  struct Shape {
    Index dof = -1, contacts = 0, bilateral = 0, dry = 0;
    bool operator==(const Shape&) const = default;
  };
  struct Kept {
    Shape shape;
    std::int64_t used = 0;
    std::unique_ptr<IslandPipeline> pipeline;
  };

  ContactModel model;
  SolveOptions options;
  std::vector<Kept> kept;
  std::int64_t uses = 0;
  StartValues values;
  std::vector<StartValues> part_values;
  IslandSplitter islands;
  ContactCertifier certifier;
  std::vector<ContactAnswer> parts;
  std::vector<ContactSolution> solutions;
  std::vector<std::string_view> solvers;  // those of the parts, each once
  ContactAnswer whole;
};

// What the islands were eased and released by, and their states, on the whole.
void ContactPipeline::Workspace::merge_changes() {
  whole.eased.resize(0);
  whole.released.clear();
  whole.states.assign(islands.map().of_contact.size(), ContactState::kOpen);
  whole.dry_states.assign(islands.map().of_dry.size(), ContactState::kStick);
  whole.at_rest.assign(whole.states.size() + whole.dry_states.size(), 0);
  bool judged = true;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const IndexList& contacts = islands[static_cast<Index>(k)].contacts;
    for (const Index i : parts[k].released) whole.released.push_back(contacts[static_cast<std::size_t>(i)]);
    judged = judged && parts[k].states.size() == contacts.size();
    for (std::size_t i = 0; i < contacts.size() && judged; ++i)
      whole.states[static_cast<std::size_t>(contacts[i])] = parts[k].states[i];
    const IndexList& dry = islands[static_cast<Index>(k)].dry;
    if (parts[k].found_at_rest) {
      for (const Index i : contacts) whole.at_rest[static_cast<std::size_t>(i)] = 1;
      for (const Index i : dry) whole.at_rest[islands.map().of_contact.size() + static_cast<std::size_t>(i)] = 1;
    }
    judged = judged && parts[k].dry_states.size() == dry.size();
    for (std::size_t i = 0; i < dry.size() && judged; ++i)
      whole.dry_states[static_cast<std::size_t>(dry[i])] = parts[k].dry_states[i];
    if (parts[k].eased.size() == 0) continue;
    if (whole.eased.size() == 0) whole.eased = VectorXd::Zero(static_cast<Index>(whole.states.size()));
    for (std::size_t i = 0; i < contacts.size(); ++i) whole.eased(contacts[i]) = parts[k].eased(static_cast<Index>(i));
  }
  if (!judged) {
    whole.states.clear();
    whole.dry_states.clear();
  }
  std::sort(whole.released.begin(), whole.released.end());
}

// Report of the island that decides, counts and history of all.
void ContactPipeline::Workspace::merge_reports(std::size_t worst) {
  begin_answer(whole);
  whole.status = parts[worst].status;
  whole.found_at_rest = true;
  solvers.clear();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const SolveReport& report = parts[k].report;
    whole.report.iterations += report.iterations;
    whole.report.pivots += report.pivots;
    whole.report.sweeps += report.sweeps;
    whole.report.methods.add(report.methods);
    whole.report.refactored += report.refactored;
    whole.report.fallback = whole.report.fallback || report.fallback;
    whole.found_at_rest = whole.found_at_rest && parts[k].found_at_rest;
    whole.seconds += parts[k].seconds;
    for (const Attempt& attempt : parts[k].history) {
      whole.history.push_back(attempt);
      whole.history.back().island = static_cast<Index>(k);
    }
    if (std::find(solvers.begin(), solvers.end(), parts[k].solver) == solvers.end()) solvers.push_back(parts[k].solver);
  }
  whole.report.status = whole.status;
  whole.report.detail = parts[worst].report.detail;
  const Index row = parts[worst].report.index;
  const IndexList& contacts = islands[static_cast<Index>(worst)].contacts;
  if (row >= 0 && row < static_cast<Index>(contacts.size()))
    whole.report.index = contacts[static_cast<std::size_t>(row)];
  whole.solver = parts[worst].solver;
  if (!is_solved(whole.status)) return;
  whole.solver.clear();
  for (const std::string_view name : solvers) {
    if (!whole.solver.empty()) whole.solver += ", ";
    whole.solver += name;
  }
}

ContactAnswer& ContactPipeline::Workspace::solve_apart(const ContactProblem& problem) {
  Stopwatch watch;
  islands.split(problem);
  double islands_seconds = watch.lap();
  const auto count = static_cast<std::size_t>(islands.islands());
  parts.resize(count);
  solutions.resize(count);
  part_values.resize(std::max(count, part_values.size()));
  std::size_t worst = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Island& island = islands[static_cast<Index>(k)];
    StartValues& start = part_values[k];  // one per island: their sizes differ
    if (values.empty()) {
      start.clear();
    } else {
      islands.cut(static_cast<Index>(k), problem, values, start);
    }
    const ContactTask task{model, options, start, draw(island.problem), true};
    parts[k] = solve_released(island.problem, task);
    if (severity(parts[k].status) > severity(parts[worst].status)) worst = k;
  }
  watch.lap();
  merge_reports(worst);
  merge_changes();
  whole.islands = islands.islands();
  for (std::size_t k = 0; k < count; ++k) {
    swap(solutions[k], parts[k].solution);
    if (k == worst) continue;
    solutions[k].y_n.resize(0);  // one proof is enough, and a rejected one must not spoil it
    solutions[k].y_e.resize(0);
  }
  islands.merge(problem, model, solutions, whole.solution);
  islands_seconds += watch.lap();

  const bool as_given = whole.eased.size() == 0 && whole.released.empty();
  std::optional<ContactProblem> other;
  if (!as_given) other = changed(problem, whole);
  const ContactProblem& answered = as_given ? problem : *other;
  if (!options.brief) fill_contacts(answered, whole);
  whole.seconds.classify += watch.lap();
  whole.certificate = certifier(answered, model, whole.solution);
  whole.seconds.certify += watch.lap();
  whole.seconds.islands += islands_seconds;
  whole.infeasibility = parts[worst].infeasibility;
  if (is_proved(whole.status)) {
    whole.infeasibility = certify_infeasible(answered, model, whole.solution);
    if (whole.infeasibility.verdict != Verdict::kInfeasible) {
      whole.status = whole.report.status = Status::kBreakdown;
      whole.report.detail = "the proof of an island does not hold for the whole";
    }
  } else if (is_solved(whole.status) && !whole.certificate.passes(options.tolerance)) {
    whole.status = whole.report.status = Status::kBreakdown;
    whole.report.detail = "the answers of the islands do not pass the certificate of the whole";
  }
  return whole;
}

const ContactAnswer& ContactPipeline::Workspace::solve(const ContactProblem& problem, const ContactStart& start) {
  Stopwatch watch;
  require(validate(problem));
  if (options.strict) require(check_acceleration_level(problem));
  require(check_solver(problem, model, options.solver));
  start.align(problem, values);
  const double validating = watch.lap();
  double searching = 0.0;
  if (options.islands) {
    islands.find(problem);
    searching = watch.lap();
  }
  ContactAnswer& answer = options.islands && islands.islands() > 1
                              ? solve_apart(problem)
                              : solve_released(problem, {model, options, values, draw(problem), options.islands});
  answer.seconds.validate += validating;
  answer.seconds.islands += searching;
  return answer;
}

ContactPipeline::ContactPipeline(ContactModel model, SolveOptions options)
    : workspace_(std::make_unique<Workspace>(std::move(model), std::move(options))) {}
ContactPipeline::~ContactPipeline() = default;
ContactPipeline::ContactPipeline(ContactPipeline&&) noexcept = default;
ContactPipeline& ContactPipeline::operator=(ContactPipeline&&) noexcept = default;

const ContactModel& ContactPipeline::model() const { return workspace_->model; }
const SolveOptions& ContactPipeline::options() const { return workspace_->options; }

void ContactPipeline::reserve(const ContactProblem& problem) { static_cast<void>(solve(problem)); }

const ContactAnswer& ContactPipeline::solve(const ContactProblem& problem, const ContactStart& start) {
  return workspace_->solve(problem, start);
}

ContactAnswer& ContactPipeline::solve_island(const ContactProblem& problem, const StartValues& start) {
  Workspace& work = *workspace_;
  return solve_released(problem, {work.model, work.options, start, work.draw(problem), true});
}

ContactAnswer solve(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options) {
  return ContactPipeline(model, options).solve(problem);
}

}  // namespace tribo
