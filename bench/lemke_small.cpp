// `bench lemke`, 5 contacts (a block on a face) and 16 (the peg) on one body: where the time of a solve goes, and what it is
// in units of one pass over the rows N, S, T + one Cholesky of size 6. Reported; nothing is promised but the certificate.
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "lemke_parts.hpp"
#include "no_slip_yardstick.hpp"
#include "timed_solve.hpp"

namespace tribo {
namespace {

struct Shares {
  double whole = 0.0, formulate = 0.0, solve = 0.0, lift = 0.0, pass = 0.0;  // s, means
  double pivots = 0.0, worst = 0.0;
};

Shares measure_shares(const std::vector<ContactProblem>& problems, double budget) {
  Shares sum;
  const double share = budget / static_cast<double>(problems.size());
  for (const ContactProblem& problem : problems) {
    ContactPipeline pipeline(CoulombPyramid{8}, {.solver = "lemke/reduced", .tolerance = kLemkeCertified});
    const ContactAnswer& answer = pipeline.solve(problem);
    sum.pivots += answer.report.pivots;
    sum.worst = std::max(sum.worst, answer.certificate.worst);
    const RowNumbers rows(problem, NoSlip{});
    const PhaseSeconds method = least_phases(pipeline, problem, 0.6 * share);
    sum.whole += method.method();
    sum.formulate += method.formulate;
    sum.solve += method.solve;
    sum.lift += method.lift;
    sum.pass += least_seconds_short([&] { rows.pass(); }, 0.4 * share);
  }
  for (double* mean : {&sum.whole, &sum.formulate, &sum.solve, &sum.lift, &sum.pass, &sum.pivots})
    *mean /= static_cast<double>(problems.size());
  return sum;
}

}  // namespace

void measure_lemke_small(Output& output, const BenchOptions& options) {
  struct Case {
    const char* name;
    std::function<ContactProblem(Random&)> make;
  };
  const std::vector<Case> cases = {
      {"block on a face, 5 contacts", [](Random& random) { return block_on_face(5, 0.3, random); }},
      {"peg, 16 contacts", [](Random& random) { return peg_in_hole(16, random); }},
  };
  const std::uint64_t count = options.quick ? 4 : 20;
  const double budget = options.quick ? 0.08 : 2.0;
  const double cholesky = cholesky_seconds(6, 0.1 * budget);
  output.line("few contacts on one body, reduced; us, means");
  double worst = 0.0;
  for (const Case& one : cases) {
    output.progress(std::string("lemke: ") + one.name);
    std::vector<ContactProblem> problems;
    for (std::uint64_t k = 0; k < count; ++k) {
      Random random(derive_seed(options.seed, 405, k));
      problems.push_back(one.make(random));
    }
    const Shares shares = measure_shares(problems, budget);
    output.progress("");
    worst = std::max(worst, shares.worst);
    const double ratio = shares.whole / (shares.pass + cholesky);
    output.line(
        format("  %-28s %6.2f: formulate %5.2f, solve %5.2f (%.1f pivots), lift %5.2f; pass %.3f, Cholesky %.3f, "
               "time/(pass + Cholesky) %5.1f; worst %.1e",
               one.name, 1e6 * shares.whole, 1e6 * shares.formulate, 1e6 * shares.solve, shares.pivots,
               1e6 * shares.lift, 1e6 * shares.pass, 1e6 * cholesky, ratio, shares.worst));
    output.object({{"kind", "few-contacts"},
                   {"problem", one.name},
                   {"problems_count", count},
                   {"time_us", 1e6 * shares.whole},
                   {"formulate_us", 1e6 * shares.formulate},
                   {"solve_us", 1e6 * shares.solve},
                   {"lift_us", 1e6 * shares.lift},
                   {"pass_us", 1e6 * shares.pass},
                   {"cholesky_us", 1e6 * cholesky},
                   {"time_over_bound_ratio", ratio},
                   {"pivots_mean", shares.pivots},
                   {"worst_relative", shares.worst}});
  }
  output.promise("few contacts are certified to 1e-9", worst <= kLemkeCertified, format("worst %.1e", worst));
}

}  // namespace tribo
