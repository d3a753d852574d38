// `bench no-slip`, one to ten contacts on one body, where fixed costs decide. For every n
//     time ≤ 6 (one pass over the rows N, S, T as they are stored in the problem + one Cholesky of size 6 by Eigen)
// beside it the same with our own Cholesky, which is faster,
// and no memory allocated after the first solve. That nothing is allocated and freed again inside a solve is what the
// tests under tests/allocation count; here the bytes that are still there after a thousand solves are compared.
#include "tribo/certify/certify.hpp"
#include "tribo/contact/one_body.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <limits>

#include "no_slip_parts.hpp"
#include "no_slip_yardstick.hpp"

namespace tribo {
namespace {

constexpr double kTimesBound = 6.0;
constexpr int kSolves = 1000;

}  // namespace

void measure_few_contacts(Output& output, const BenchOptions& options) {
  const double budget = options.quick ? 0.004 : 0.4;
  output.progress("no-slip: few contacts");
  double cholesky = cholesky_seconds(6, budget), own = own_cholesky_seconds(6, budget);
  const auto measure = [](const auto& work, double share) { return least_seconds_short(work, share); };
  output.line("one to ten contacts on one body, no slip; ns");
  double worst_ratio = 0.0, worst_own = 0.0, worst = 0.0, kept = 0.0;
  Index worst_n = 0;
  bool counted = true;
  for (Index n = 1; n <= 10; ++n) {
    Random random(derive_seed(options.seed, 304, static_cast<std::uint64_t>(n)));
    const ContactProblem problem = block_on_face(n, 0.3, random);
    const RowNumbers rows(problem, NoSlip{});
    OneBody one_body;  // what the pipeline asks first; validation and certificate would be most of the time here
    ContactSolution solution;
    SolveReport report;
    static_cast<void>(one_body.solve(problem, NoSlip{}, solution, report));
    const double certificate = certify(problem, NoSlip{}, solution).worst;
    worst = std::max(worst, is_solved(report.status) ? certificate : std::numeric_limits<double>::infinity());
    const auto [seconds, pass] = least_in_turns(
        measure, [&] { static_cast<void>(one_body.solve(problem, NoSlip{}, solution, report)); }, [&] { rows.pass(); },
        budget);
    cholesky = std::min(cholesky, cholesky_seconds(6, 0.2 * budget));
    own = std::min(own, own_cholesky_seconds(6, 0.2 * budget));

    const auto before = allocated_bytes();
    for (int k = 0; k < kSolves; ++k) static_cast<void>(one_body.solve(problem, NoSlip{}, solution, report));
    const auto after = allocated_bytes();
    counted = counted && before && after;
    if (before && after) kept = std::max(kept, static_cast<double>(*after) - static_cast<double>(*before));

    const double ratio = seconds / (pass + cholesky), own_ratio = seconds / (pass + own);
    worst_own = std::max(worst_own, own_ratio);
    if (ratio > worst_ratio) {
      worst_ratio = ratio;
      worst_n = n;
    }
    output.line(format("  n %2ld  time %7.1f  pass %6.1f  Cholesky %6.1f  time/(pass + Cholesky) %6.2f  iterations %d",
                       static_cast<long>(n), 1e9 * seconds, 1e9 * pass, 1e9 * cholesky, ratio, report.iterations));
    output.object({{"kind", "few-contacts"},
                   {"contacts_count", n},
                   {"time_ns", 1e9 * seconds},
                   {"pass_ns", 1e9 * pass},
                   {"cholesky_ns", 1e9 * cholesky},
                   {"own_cholesky_ns", 1e9 * own},
                   {"time_over_bound_ratio", ratio},
                   {"time_over_own_ratio", own_ratio},
                   {"iterations_count", report.iterations},
                   {"worst_relative", certificate}});
  }
  output.progress("");
  output.promise("few contacts are certified to 1e-9", worst <= kNoSlipCertified, format("worst %.1e", worst));
  output.promise("time of ten contacts or fewer within 6 times pass + Cholesky", worst_ratio <= kTimesBound,
                 format("at most %.2f times, at n = %ld, with Eigen's Cholesky; %.2f times with our own", worst_ratio,
                        static_cast<long>(worst_n), worst_own));
  if (!counted) {
    output.line("left out: memory over a thousand solves (this C library does not count)");
    output.object({{"kind", "left-out"}, {"what", "memory over a thousand solves"}});
    return;
  }
  output.object({{"kind", "few-contacts-memory"}, {"solves_count", kSolves}, {"kept_bytes", kept}});
  output.promise("a thousand solves keep no memory", kept == 0.0, format("%.0f bytes at most", kept));
}

}  // namespace tribo
