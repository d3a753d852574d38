#include "robustness_tally.hpp"

#include <algorithm>

namespace tribo {
namespace {

constexpr int kShownPerClass = 3;  // failures printed per solver and class

}  // namespace

std::string to_string(Ending ending) {
  switch (ending) {
    case Ending::kSolved:
      return "solved";
    case Ending::kWrong:
      return "wrong answer";
    case Ending::kInfeasible:
      return "infeasible";
    case Ending::kRay:
      return "ray";
    case Ending::kUnverified:
      return "unverified evidence";
    case Ending::kIterationLimit:
      return "iteration limit";
    case Ending::kBreakdown:
      return "breakdown";
  }
  return "";
}

bool ends_properly(const Outcome& outcome, const Promise& promise) {
  if (outcome.ending == Ending::kSolved) return true;
  if (!promise.solvable) return outcome.ending == Ending::kInfeasible || outcome.ending == Ending::kRay;
  return promise.copositive && outcome.ending == Ending::kRay && outcome.ray_is_allowed;
}

bool is_false(const Outcome& outcome, const Promise& promise) {
  const bool contradiction = promise.solvable && outcome.ending == Ending::kInfeasible;
  return outcome.ending == Ending::kWrong || outcome.ending == Ending::kUnverified || contradiction;
}

void Tally::add(const Outcome& outcome, const Promise& promise) {
  ++count;
  ++endings[outcome.ending];
  worst = std::max(worst, outcome.worst);
  if (promise.solvable && outcome.ending == Ending::kInfeasible) ++contradictions;
  const bool proper = ends_properly(outcome, promise);
  if (promise.solvable && proper && outcome.ending == Ending::kRay) ++allowed_rays;
  if (promise.always_ends && !proper) ++missing_ends;
}

long Tally::of(Ending ending) const {
  const auto found = endings.find(ending);
  return found != endings.end() ? found->second : 0;
}

void Tallies::add(Output& output, const Place& place, const Outcome& outcome, const Promise& promise) {
  const Key key{place.form, place.solver, place.group};
  tallies_[key].add(outcome, promise);
  promises_[place.solver] = promise.always_ends;
  ++trials_;
  if (!is_false(outcome, promise) && (!promise.always_ends || ends_properly(outcome, promise))) return;
  if (++shown_[key] > kShownPerClass) return;
  output.line(format("failure: seed %llu %s index %llu (%s, %s, n %ld): %s: %s, worst %.1e%s%s",
                     static_cast<unsigned long long>(place.seed), place.form.c_str(),
                     static_cast<unsigned long long>(place.index), place.group.c_str(), place.kind.c_str(), place.n,
                     place.solver.c_str(), to_string(outcome.ending).c_str(), outcome.worst,
                     outcome.detail.empty() ? "" : "; ", outcome.detail.c_str()));
  output.object({{"kind", "failure"},
                 {"seed", place.seed},
                 {"form", place.form},
                 {"index", place.index},
                 {"class", place.group},
                 {"problem", place.kind},
                 {"n", place.n},
                 {"solver", place.solver},
                 {"ending", to_string(outcome.ending)},
                 {"worst", outcome.worst},
                 {"detail", outcome.detail}});
}

void Tallies::print(Output& output) const {
  output.line(
      "form      solver           class            count   solved  infeas.     ray  allowed    limit  breakd.  wrong  "
      "unverif.    worst");
  for (const auto& [key, tally] : tallies_) {
    const auto& [form, solver, group] = key;
    output.line(format("%-8s  %-15s  %-14s  %6ld  %7ld  %7ld  %6ld  %7ld  %7ld  %7ld  %5ld  %8ld  %7.1e", form.c_str(),
                       solver.c_str(), group.c_str(), tally.count, tally.of(Ending::kSolved),
                       tally.of(Ending::kInfeasible), tally.of(Ending::kRay), tally.allowed_rays,
                       tally.of(Ending::kIterationLimit), tally.of(Ending::kBreakdown), tally.of(Ending::kWrong),
                       tally.of(Ending::kUnverified), tally.worst));
    output.object({{"kind", "tally"},
                   {"form", form},
                   {"solver", solver},
                   {"class", group},
                   {"count", tally.count},
                   {"solved", tally.of(Ending::kSolved)},
                   {"infeasible", tally.of(Ending::kInfeasible)},
                   {"ray", tally.of(Ending::kRay)},
                   {"allowed_rays", tally.allowed_rays},
                   {"iteration_limit", tally.of(Ending::kIterationLimit)},
                   {"breakdown", tally.of(Ending::kBreakdown)},
                   {"wrong", tally.of(Ending::kWrong)},
                   {"unverified", tally.of(Ending::kUnverified)},
                   {"missing_ends", tally.missing_ends},
                   {"worst", tally.worst}});
  }
}

void Tallies::check(Output& output) const {
  long claimed = 0, wrong = 0, unverified = 0, contradictions = 0;
  std::map<std::string, std::pair<long, long>> ends;  // solver: missing, of
  for (const auto& [key, tally] : tallies_) {
    claimed += tally.of(Ending::kSolved) + tally.of(Ending::kWrong);
    wrong += tally.of(Ending::kWrong);
    unverified += tally.of(Ending::kUnverified);
    contradictions += tally.contradictions;
    auto& [missing, count] = ends[std::get<1>(key)];
    missing += tally.missing_ends;
    count += tally.count;
  }
  output.promise("no answer claimed as solved has a certificate worse than 1e-8", wrong == 0,
                 format("%ld of %ld", wrong, claimed));
  output.promise("every proof that there is no answer is verified", unverified == 0, format("%ld not", unverified));
  output.promise("no problem that has an answer is proved infeasible", contradictions == 0,
                 format("%ld are", contradictions));
  for (const auto& [solver, missing] : ends) {
    if (!promises_.at(solver)) continue;
    output.promise(solver + " always ends", missing.first == 0,
                   format("%ld of %ld without an answer or a verified proof", missing.first, missing.second));
  }
}

}  // namespace tribo
