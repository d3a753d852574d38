#include "measure.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>

#include "studies/statistics.hpp"
#include <fmt/format.h>

namespace tribo {

std::vector<Measured> measure(const Case& one, const std::vector<LemkeMethod>& methods, double budget) {
  std::vector<LemkeStep> steps;
  std::vector<Measured> rows;
  for (const LemkeMethod method : methods) {
    steps.emplace_back(method);
    Measured& row = rows.emplace_back();
    row.name = one.name;
    row.contacts = one.contacts;
    row.bodies = one.bodies;
    row.method = method;
  }
  const auto count = static_cast<double>(one.problems.size());
  ContactSolution solution;
  for (const ContactProblem& problem : one.problems) {
    for (std::size_t k = 0; k < methods.size(); ++k) {
      Measured& row = rows[k];
      const SolveReport report = steps[k].solve(problem, solution);
      const bool solved = is_solved(report.status);
      const double certificate = solved ? steps[k].certificate(problem, solution) : 0.0;
      row.dof = problem.dof();
      row.worst = std::max(row.worst, certificate);
      row.failed += solved && certificate <= kCertified ? 0 : 1;
      row.fallbacks += report.fallback ? 1 : 0;
      row.pivots_mean += report.pivots / count;
      row.pivots_max = std::max(row.pivots_max, report.pivots);
      row.rows = steps[k].rows();
      row.core_max = std::max(row.core_max, steps[k].core());
      row.seconds += least_time([&] { static_cast<void>(steps[k].solve(problem, solution)); }, budget) / count;
      ++row.solves;
    }
  }
  return rows;
}

Table measure_all(StudyOutput& output, const std::vector<Case>& cases, const std::vector<LemkeMethod>& methods) {
  Table table;
  for (const Case& one : cases) {
    output.progress(one.name);
    for (Measured& row : measure(one, methods, output.quick() ? 2e-4 : 1e-2)) table.push_back(std::move(row));
  }
  output.progress("");
  return table;
}

void print_table(StudyOutput& output, const std::string& kind, const Table& table) {
  output.line(fmt::format("  {:<22} {:>3} {:>4}  {:<10} {:>10}  {:>14}  {:>6} {:>8}  {:>5}  {:>8}", "problem", "m", "n",
                          "method", "us/solve", "pivots (max)", "failed", "fallback", "core", "worst"));
  for (const Measured& row : table) {
    output.line(fmt::format("  {:<22} {:>3} {:>4}  {:<10} {:>10.2f}  {:>7.1f} ({:>4})  {:>6} {:>8}  {:>5}  {:>8.1e}",
                            row.name, row.bodies, row.contacts, to_string(row.method), 1e6 * row.seconds,
                            row.pivots_mean, row.pivots_max, row.failed, row.fallbacks,
                            row.core_max > 0 ? std::to_string(row.core_max) : "", row.worst));
    output.object(kind, {{"problem", row.name},
                         {"bodies", row.bodies},
                         {"n", row.contacts},
                         {"dof", row.dof},
                         {"method", to_string(row.method)},
                         {"seconds", row.seconds},
                         {"pivots_mean", row.pivots_mean},
                         {"pivots_max", row.pivots_max},
                         {"solves", row.solves},
                         {"failed_solves", row.failed},
                         {"fallbacks", row.fallbacks},
                         {"lcp_rows", row.rows},
                         {"core_max", row.core_max},
                         {"worst", row.worst}});
  }
}

const Measured& row_of(const Table& table, LemkeMethod method, Index contacts) {
  const auto found = std::find_if(table.rbegin(), table.rend(), [&](const Measured& row) {
    return row.method == method && row.contacts == contacts;
  });
  TRIBO_REQUIRE(found != table.rend(), "the table has a row of this method and size");
  return *found;
}

double time_ratio(const Table& table, LemkeMethod slow, LemkeMethod fast, Index contacts) {
  return row_of(table, slow, contacts).seconds / row_of(table, fast, contacts).seconds;
}

double time_exponent(const Table& table, LemkeMethod method, Index first, Index last) {
  std::vector<double> n, seconds;
  for (const Measured& row : table) {
    if (row.method != method || row.contacts < first || row.contacts > last) continue;
    n.push_back(static_cast<double>(row.contacts));
    seconds.push_back(row.seconds);
  }
  return fit_exponent(n, seconds);
}

void promise_certified(StudyOutput& output, const std::string& name, const Table& table) {
  int solves = 0, failed = 0;
  double worst = 0.0;
  for (const Measured& row : table) {
    solves += row.solves;
    failed += row.failed;
    worst = std::max(worst, row.worst);
  }
  output.promise(name, failed == 0,
                 fmt::format("{} of {} certified to {:.0e}, worst {:.1e}", solves - failed, solves, kCertified, worst));
}

}  // namespace tribo
