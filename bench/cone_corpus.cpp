// `bench cone`, friction problems of others (study siconos-corpus measures their times). Promised, with defaults:
//     every file is solved, and certified to 1e-8                                                               (1)
//     so are ten reorderings of its contacts with tangents turned at random; u changes by at most 1e-7 max|q|    (2)
//     and so is the same problem in other units; u stays as well                                                (3)
//     started at its answer, no sweep and no factorization                                                      (4)
// r is not unique and is not compared. u need not be unique either: where it changes by more, both problems are solved
// again to 1e-12. If both are certified to that and still differ, the problem has (at least) two answers, which are
// counted and reported; anything else breaks the promise.
#include "tribo/certify/certify.hpp"
#include "tribo/contact/solve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cone_alone.hpp"
#include "cone_parts.hpp"
#include "cone_problems.hpp"
#include "studies/siconos_corpus/corpus.hpp"
#include "timing.hpp"

namespace tribo {
namespace {

constexpr double kSameAnswer = 1e-7;  // of max|q|
constexpr double kTightCorpus = 1e-12;

// How far u moved, over max|q|.
struct Change {
  double largest = 0.0;   // where the answer is the same
  int others = 0;         // other answers
  double farthest = 0.0;  // among those
};

struct FileCount {
  bool certified = false;
  double worst = 0.0;
  std::string methods;
  int reorderings = 0, reordered_solved = 0;
  Change reordered;
  bool units_solved = false;
  Change units;
  int warm_sweeps = 0, warm_factors = 0;
};

VectorXd free_velocity(const LocalFriction& problem) { return problem.q; }
VectorXd free_velocity(const GlobalFriction& problem) {
  ConeFormulation formulation;
  return formulation.update(problem) ? formulation.problem().q : problem.w;
}

// u of an answer that is certified to 1e-12.
template <typename Problem>
std::optional<VectorXd> accurate_velocity(const Problem& problem) {
  const FrictionAnswer answer = solve(problem, {.tolerance = kTightCorpus});
  if (!is_solved(answer.status) || !certify(problem, answer.solution).passes(kTightCorpus)) return std::nullopt;
  return answer.solution.u;
}

// `back` takes u of the other problem to the order, axes and units of the first.
template <typename Problem, typename Back>
void compare(const Problem& problem, const VectorXd& u, const Problem& other, const VectorXd& u_other, double scale,
             const Back& back, Change& change) {
  const auto distance = [&](const VectorXd& a, const VectorXd& b) { return (a - b).cwiseAbs().maxCoeff() / scale; };
  const double plain = distance(back(u_other), u);
  if (plain > kSameAnswer) {
    const auto here = accurate_velocity(problem), there = accurate_velocity(other);
    const double exact = here && there ? distance(back(*there), *here) : 0.0;
    if (exact > kSameAnswer) {
      ++change.others;
      change.farthest = std::max(change.farthest, exact);
      return;
    }
  }
  change.largest = std::max(change.largest, plain);
}

template <typename Problem>
FileCount judge(const Problem& problem, int reorderings, std::uint64_t seed) {
  FileCount count;
  const FrictionAnswer answer = solve(problem);
  count.certified = is_solved(answer.status) && certify(problem, answer.solution).passes(kConeDefault);
  count.worst = answer.certificate.worst;
  count.methods = to_string(answer.report.methods);
  if (problem.contacts() == 0) {
    count.units_solved = true;
    return count;
  }
  const double scale = std::max(free_velocity(problem).cwiseAbs().maxCoeff(), 1e-10);
  Random random(derive_seed(seed, 502, static_cast<std::uint64_t>(problem.contacts())));
  for (int k = 0; k < reorderings; ++k) {
    const Reordering order = draw_reordering(problem.contacts(), problem.dimension, random);
    const Problem other = reordered(problem, order);
    const FrictionAnswer again = solve(other);
    ++count.reorderings;
    count.reordered_solved += is_solved(again.status) && certify(other, again.solution).passes(kConeDefault) ? 1 : 0;
    compare(
        problem, answer.solution.u, other, again.solution.u, scale,
        [&](const VectorXd& u) { return put_back(u, problem.dimension, order); }, count.reordered);
  }
  const Problem other = in_other_units(problem, 1000.0, 1000.0);
  const FrictionAnswer again = solve(other);
  count.units_solved = is_solved(again.status) && certify(other, again.solution).passes(kConeDefault);
  compare(
      problem, answer.solution.u, other, again.solution.u, scale,
      [](const VectorXd& u) { return VectorXd(u / 1000.0); }, count.units);

  ConeAlone run;
  static_cast<void>(run.run(problem));
  const SolveReport warm = run.solve(run.warm_start());
  count.warm_sweeps = warm.sweeps;
  count.warm_factors = warm.pivots;
  return count;
}

}  // namespace

void measure_cone_corpus(Output& output, const BenchOptions& options) {
  const FrictionCorpus corpus = read_friction_corpus(options.data_dir);
  if (!corpus.found) {
    output.line("left out: the friction problems of others; no folder contact-problems in '" + options.data_dir +
                "': set TRIBO_DATA to the folder that holds it");
    output.object({{"kind", "left-out"}, {"what", "contact-problems/{fc3d,fc2d,gfc3d,gfc2d}"}});
    return;
  }
  const int reorderings = options.quick ? 2 : 10;
  output.line("friction problems of others, default options; changes of u over max|q|");
  output.line(
      "  file                                           contacts certified     worst reordered  change u  units  "
      "change u  others  warm: sweeps, factors  methods");
  int files = 0, certified = 0, solved = 0, asked = 0, units = 0, moved = 0, unread = 0;
  double change = 0.0, units_change = 0.0, worst = 0.0;
  std::string broken, changed, several;
  for (const FrictionFile& file : corpus.files) {
    output.progress("cone: " + file.name);
    const FileCount count =
        std::visit([&](const auto& problem) { return judge(problem, reorderings, options.seed); }, file.problem);
    output.progress("");
    const int others = count.reordered.others + count.units.others;
    output.line(format("  %-46s %8ld %9s %9.1e %5d of %-2d %9.1e %6s %9.1e %7d %12d, %-7d  %s", file.name.c_str(),
                       static_cast<long>(file.contacts()), count.certified ? "yes" : "NO", count.worst,
                       count.reordered_solved, count.reorderings, count.reordered.largest,
                       count.units_solved ? "yes" : "NO", count.units.largest, others, count.warm_sweeps,
                       count.warm_factors, count.methods.c_str()));
    output.object({{"kind", "file"},
                   {"file", file.name},
                   {"contacts_count", file.contacts()},
                   {"certified", count.certified},
                   {"worst_relative", count.worst},
                   {"methods", count.methods},
                   {"reorderings_count", count.reorderings},
                   {"reordered_solved_count", count.reordered_solved},
                   {"reordered_change_relative", count.reordered.largest},
                   {"units_solved", count.units_solved},
                   {"units_change_relative", count.units.largest},
                   {"other_answers_count", others},
                   {"other_answers_change_relative", std::max(count.reordered.farthest, count.units.farthest)},
                   {"warm_sweeps_count", count.warm_sweeps},
                   {"warm_factorizations_count", count.warm_factors}});
    ++files;
    certified += count.certified ? 1 : 0;
    worst = std::max(worst, count.worst);
    if (!count.certified) broken += " " + file.name;
    asked += count.reorderings;
    solved += count.reordered_solved;
    units += count.units_solved ? 1 : 0;
    moved += count.warm_sweeps + count.warm_factors > 0 ? 1 : 0;
    const double largest = std::max(count.reordered.largest, count.units.largest);
    if (!(largest <= kSameAnswer)) changed += format(" %s (%.1e)", file.name.c_str(), largest);
    change = std::max(change, count.reordered.largest);
    units_change = std::max(units_change, count.units.largest);
    if (others > 0) {
      several += format("; %s has other answers, certified to 1e-12 (%d of %d, u differs by %.1e)", file.name.c_str(),
                        others, count.reorderings + 1, std::max(count.reordered.farthest, count.units.farthest));
    }
  }
  unread = static_cast<int>(corpus.unread.size());
  output.promise("every file of others is solved and certified to 1e-8", certified == files && unread == 0,
                 format("%d of %d, %d unread, worst %.1e", certified, files, unread, worst) +
                     (broken.empty() ? "" : "; not:" + broken));
  output.promise("reordered contacts and turned tangents: still solved", solved == asked,
                 format("%d of %d", solved, asked));
  output.promise("the answer does not depend on units: still solved", units == files, format("%d of %d", units, files));
  output.promise("neither order nor units change u by more than 1e-7", changed.empty(),
                 format("largest %.1e by order, %.1e by units", change, units_change) +
                     (changed.empty() ? "" : "; more:" + changed) + several);
  output.promise("no sweep and no factorization from the answer itself", moved == 0,
                 format("%d of %d moved", moved, files));
}

}  // namespace tribo
