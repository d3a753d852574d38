// Figure 6: the pendulum that meets its limit; how elastic the impact is depends on the step alone.
#include <algorithm>
#include <array>
#include <cmath>

#include "parts.hpp"
#include "range_limit.hpp"
#include <fmt/format.h>

namespace tribo {

void report_limit(StudyOutput& output) {
  output.heading("Figure 6: the range limit");
  StepTally tally;
  std::vector<double> found;
  bool formula = true, dead = true, passive = true;
  double impact_time = 0.0, impact_speed = 0.0;
  const std::vector<double> steps = output.quick() ? std::vector{1e-5, 1e-6} : std::vector{1e-5, 1e-6, 1e-7, 1e-8};
  const auto measure = [&](double h, double K, const char* series) {
    LimitSettings settings;
    settings.h = h;
    settings.K = K;
    Stepper stepper(Compliant{});
    const LimitRun run = run_limit(settings, stepper);
    tally.add(stepper.tally);
    const double expected = calc_restitution(h, K), wh = std::sqrt(K) * h;
    if (wh < 0.1001) formula = formula && std::abs(run.restitution / expected - 1.0) <= 0.02;
    if (wh > 9.99) dead = dead && run.restitution <= 0.01;
    passive = passive && run.restitution <= 1.0;
    impact_time = run.impact_time;
    impact_speed = run.impact_speed;
    output.line(fmt::format(
        "  {:<11} h = {:<6g} wh = {:<6g} impact at {:.5f} s, {:.4f} rad/s; restitution {:.4f}, formula {:.4f}", series,
        h, wh, run.impact_time, run.impact_speed, run.restitution, expected));
    output.object("impact", {{"series", series},
                             {"h", h},
                             {"K", K},
                             {"wh", wh},
                             {"time", run.impact_time},
                             {"speed", run.impact_speed},
                             {"restitution", run.restitution},
                             {"formula", expected}});
    return run.restitution;
  };
  for (const double h : steps) found.push_back(measure(h, 1e12, "K = 1e12"));
  const double time = impact_time, speed = impact_speed;
  for (const double h : {1e-4, 1e-5}) measure(h, 1e6, "similar");  // the same wh as h = 1e-7 and 1e-8
  for (const double h : {0.1, 0.01, 1e-3}) measure(h, 1e12, "large steps");
  for (const double h : output.quick() ? std::vector{1e-5} : std::vector{1e-5, 1e-6, 1e-7}) {
    LimitSettings settings;
    settings.h = h;
    settings.whole = true;
    settings.end = 2.0;
    Stepper stepper(Compliant{}, 100);
    const LimitRun run = run_limit(settings, stepper);
    tally.add(stepper.tally);
    draw_curve(output, "Figure 6: the range limit", fmt::format("h = {:g}", h), "t, s", "θ, rad", run.times,
               run.angles);
  }
  output.claim("for h ≥ 1e-5 the impact appears dead", "figure 6, K = 1e12",
               fmt::format("restitution {:.4f} at h = 1e-5", found.front()), reproduced_if(found.front() <= 0.01));
  if (!output.quick()) {
    output.claim(
        "the elastic behaviour shows when the step becomes small", "figure 6, h = 1e-7 and 1e-8",
        fmt::format("restitution {:.4f}, {:.4f}, {:.4f} at h = 1e-6, 1e-7, 1e-8", found[1], found[2], found[3]),
        reproduced_if(found[1] < found[2] && found[2] < found[3] && found[3] > 0.95));
    output.claim("accuracy increases linearly as h decreases", "said of figure 6",
                 fmt::format("1 − e falls by {:.1f} from h = 1e-7 to 1e-8", (1.0 - found[2]) / (1.0 - found[3])),
                 reproduced_if(std::abs((1.0 - found[2]) / (1.0 - found[3]) - 10.0) < 2.0));
  }
  output.promise("E.3: impact at 0.59196 s with 4.4294 rad/s",
                 std::abs(time - 0.59196) < 2e-5 && std::abs(speed - 4.4294) < 2e-4,
                 fmt::format("{:.5f} s, {:.4f} rad/s", time, speed));
  output.promise("E.3: restitution by the formula to 2 % for wh ≤ 0.1, at most 0.01 for wh ≥ 10, never above 1",
                 formula && dead && passive, fmt::format("{} steps and stiffnesses", steps.size() + 5));
  promise_steps(output, "E.3", tally);
}

}  // namespace tribo
