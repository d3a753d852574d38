// The grasp at rest, held for a very long time: does it creep? No slip means that the tangential velocity is zero to
// rounding in every step; what is left is the sum of the roundings.
#include <algorithm>

#include "methods.hpp"
#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr double kNanometre = 1e-9;  // m

}  // namespace

void report_hold(StudyOutput& output) {
  const int steps = output.quick() ? 2000 : 100000;
  const auto method = make_normal_method(NoSlip{}, PivotRule::kDualActiveSet, true);
  Grasp grasp{GraspSettings{}};
  ContactSolution solution;
  int failed = 0, still = 0;
  long pivots = 0;
  double worst = 0.0, fastest = 0.0;
  for (int step = 0; step < steps; ++step) {
    if (step % 1000 == 0) output.progress(fmt::format("hold: step {} of {}", step, steps));
    const ContactProblem problem = grasp.problem();
    const SolveReport report = method->solve(problem, solution);
    const double certificate = method->certificate(problem, solution);
    worst = std::max(worst, certificate);
    failed += is_solved(report.status) && certificate <= kAnswerTolerance ? 0 : 1;
    pivots += report.pivots;
    still += report.pivots == 0 ? 1 : 0;
    grasp.advance(solution.v_next);
    fastest = std::max(fastest, grasp.max_speed());
  }
  output.progress("");
  const double slip = grasp.max_slip();
  output.heading("The grasp at rest, held");
  output.line(
      fmt::format("  {} steps: slip {:.1e} m ({:.1e} m per step), gaps within {:.1e} m, fastest {:.1e} m/s or rad/s",
                  steps, slip, slip / steps, grasp.max_gap(), fastest));
  output.line(
      fmt::format("  warm started: {} pivots in all, none in {} steps; failed solves {}, worst certificate {:.1e}",
                  pivots, still, failed, worst));
  output.object("hold", {{"steps", steps},
                         {"slip", slip},
                         {"slip_per_step", slip / steps},
                         {"gap", grasp.max_gap()},
                         {"fastest", fastest},
                         {"pivots", pivots},
                         {"steps_without_pivots", still},
                         {"failed_solves", failed},
                         {"worst", worst}});
  output.promise("a grasp at rest is held without a failed solve", failed == 0,
                 fmt::format("{} of {} steps failed, worst certificate {:.1e}", failed, steps, worst));
  output.promise("a grasp at rest slips by less than a nanometre", slip < kNanometre,
                 fmt::format("{:.1e} m in {} steps", slip, steps));
}

}  // namespace tribo
