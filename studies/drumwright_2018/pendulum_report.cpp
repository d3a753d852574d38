// Figure 4 and what is said of it: the deviation is O(h²), nothing becomes unstable, the energy stays zero.
#include <algorithm>
#include <array>
#include <cmath>

#include "parts.hpp"
#include "pendulum.hpp"
#include "studies/statistics.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

const char* product_name(VelocityProduct product) {
  return product == VelocityProduct::kNone ? "none" : product == VelocityProduct::kSpring ? "spring" : "paper";
}

struct DeviationRow {
  double h = 0.0;
  PendulumRun run;
  double angle_error = 0.0;
};

std::vector<DeviationRow> measure_deviations(StudyOutput& output, VelocityProduct product, StepTally& tally) {
  std::vector<DeviationRow> rows;
  const double exact = calc_pendulum_angle(1.0, 1.0);
  for (const double h : {0.1, 0.01, 1e-3, 1e-4}) {
    PendulumSettings settings;
    settings.h = h;
    settings.product = product;
    Stepper stepper(Compliant{}, 10);
    DeviationRow& row = rows.emplace_back(DeviationRow{h, run_pendulum(settings, stepper), 0.0});
    row.angle_error = row.run.angle - exact;
    tally.add(stepper.tally);
    output.line(fmt::format(
        "  {:<7} h = {:<7g} max |φ| {:.4g} m, over h² {:.4g}; angle {:+.2e} rad; max |energy| {:.3g} J",
        product_name(product), h, row.run.deviation, row.run.deviation / (h * h), row.angle_error, row.run.energy));
    output.object("pendulum", {{"mode", product_name(product)},
                               {"h", h},
                               {"deviation", row.run.deviation},
                               {"angle_error", row.angle_error},
                               {"energy", row.run.energy}});
  }
  return rows;
}

// The time until the energy exceeds 100 m g L; negative: never, within `end`.
double time_to_blow_up(double h, double inertia, VelocityProduct product, double share, double end, StepTally& tally) {
  PendulumSettings settings;
  settings.h = h;
  settings.inertia = inertia;
  settings.product = product;
  settings.share = share;
  settings.end = end;
  settings.ceiling = 981.0;
  Stepper stepper(Compliant{}, 100);
  const PendulumRun run = run_pendulum(settings, stepper);
  tally.add(stepper.tally);
  return run.exceeded ? run.ended : -1.0;
}

void report_blow_up(StudyOutput& output, StepTally& tally) {
  struct Line {
    const char* name;
    VelocityProduct product;
    double inertia, share;
    std::array<double, 5> spec;  // s at the steps below; negative: never
  };
  using enum VelocityProduct;
  const std::array<double, 5> steps = {0.2, 0.1, 0.05, 0.025, 0.02};
  const std::array<Line, 9> lines = {{{"paper", kPaper, 1.0, 1.0, {4.4, 14.3, 105.0, -1.0, -1.0}},
                                      {"spring", kSpring, 1.0, 1.0, {4.4, 14.3, 105.0, -1.0, -1.0}},
                                      {"paper", kPaper, 0.01, 1.0, {1.6, 2.8, 12.0, 104.0, -1.0}},
                                      {"spring", kSpring, 0.01, 1.0, {1.6, 2.8, 12.0, 104.0, -1.0}},
                                      {"half the term", kSpring, 0.01, 0.5, {32.0, 11.0, 50.0, -1.0, -1.0}},
                                      {"none", kNone, 1.0, 1.0, {-1.0, -1.0, -1.0, -1.0, -1.0}},
                                      {"none", kNone, 0.1, 1.0, {-1.0, -1.0, -1.0, -1.0, -1.0}},
                                      {"none", kNone, 0.01, 1.0, {-1.0, -1.0, -1.0, -1.0, -1.0}},
                                      {"none", kNone, 0.001, 1.0, {-1.0, -1.0, -1.0, -1.0, -1.0}}}};
  output.line("  seconds until the energy exceeds 100 m g L, 200 s at most; the spec's in brackets");
  bool none_bounded = true;
  double paper_first = -1.0;
  for (const Line& line : lines) {
    std::string text = fmt::format("  {:<14} I = {:<6g}", line.name, line.inertia);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double time = time_to_blow_up(steps[i], line.inertia, line.product, line.share, 200.0, tally);
      if (line.product == kNone) none_bounded = none_bounded && time < 0.0;
      if (line.product == kPaper && line.inertia == 1.0 && steps[i] == 0.1) paper_first = time;
      const auto shown = [](double t) { return t < 0.0 ? std::string("never") : fmt::format("{:.1f}", t); };
      text += fmt::format("  h = {:g}: {} ({})", steps[i], shown(time), shown(line.spec[i]));
      output.object(
          "blow-up",
          {{"mode", line.name}, {"inertia", line.inertia}, {"h", steps[i]}, {"time", time}, {"spec", line.spec[i]}});
    }
    output.line(text);
  }
  output.claim(
      "the stiff pendulum does not become unstable, whatever the step", "1 s shown at h = 0.1",
      fmt::format(
          "with the velocity-product term, as printed, it does after {:.1f} s (h = 0.1); without it not within 200 s",
          paper_first),
      paper_first > 0.0 ? reproduced_if(false) : reproduced_if(true));
  output.promise("E.2: mode none is bounded for 200 s, h = 0.02 … 0.2, I = 0.001 … 1", none_bounded, "20 runs");
}

void report_long_run(StudyOutput& output, StepTally& tally) {
  PendulumSettings settings;
  settings.h = 0.2;
  settings.end = output.quick() ? 1000.0 : 10000.0;
  settings.ceiling = 981.0;
  settings.window = settings.end / 10.0;
  Stepper stepper(Compliant{}, 100);
  const PendulumRun run = run_pendulum(settings, stepper);
  tally.add(stepper.tally);
  bool falling = !run.windows.empty();
  std::string shown;
  for (std::size_t i = 0; i < run.windows.size(); ++i) {
    if (i > 0) falling = falling && run.windows[i] <= run.windows[i - 1] + 1e-9;
    shown += fmt::format("{}{:.4g}", i > 0 ? ", " : "", run.windows[i]);
  }
  output.object("long-run", {{"h", settings.h}, {"end", run.ended}, {"windows", run.windows}});
  output.promise("E.2: mode none at h = 0.2 stays bounded with falling energy", !run.exceeded && falling,
                 fmt::format("{:g} s; the largest energy of each tenth: {} J", run.ended, shown));
  if (output.quick()) return;
  std::string limits;
  for (const auto& [inertia, steps] : std::vector<std::pair<double, std::vector<double>>>{
           {0.001, {0.4, 0.45}}, {0.01, {0.4, 0.5}}, {0.1, {0.4, 0.7}}, {1.0, {0.4, 1.0}}}) {
    for (const double h : steps) {
      const double time = time_to_blow_up(h, inertia, VelocityProduct::kNone, 1.0, 2000.0, tally);
      output.object("largest-step", {{"inertia", inertia}, {"h", h}, {"time", time}});
      limits += fmt::format("; I = {:g}, h = {:g}: {}", inertia, h,
                            time < 0.0 ? "bounded" : fmt::format("fails at {:.1f} s", time));
    }
  }
  output.line("  mode none, 2000 s" + limits);
}

}  // namespace

void report_joint_pendulum(StudyOutput& output) {
  output.heading("Figure 4: the pendulum with a stiff joint");
  StepTally tally;
  const std::vector<DeviationRow> paper = measure_deviations(output, VelocityProduct::kPaper, tally);
  const std::vector<DeviationRow> spring = measure_deviations(output, VelocityProduct::kSpring, tally);
  const std::vector<DeviationRow> none = measure_deviations(output, VelocityProduct::kNone, tally);
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}}) {
    const std::string figure = fmt::format("Figure 4: deviation of the joint, h = {:g}", paper[i].h);
    draw_curve(output, figure, "paper", "t, s", "|φ|, m", paper[i].run.times, paper[i].run.deviations);
    draw_curve(output, figure, "none", "t, s", "|φ|, m", none[i].run.times, none[i].run.deviations);
  }
  std::vector<double> h, deviation, energy;
  for (const DeviationRow& row : paper) {
    h.push_back(row.h);
    deviation.push_back(row.run.deviation);
    energy.push_back(row.run.energy);
  }
  const double order = fit_exponent(h, deviation), energy_order = fit_exponent(h, energy);
  output.claim("the deviation scales with h²", "O(h²), figure 4",
               fmt::format("exponent {:.3f}; over h² {:.4g} at h = 1e-4", order, deviation.back() / 1e-8),
               reproduced_if(std::abs(order - 2.0) < 0.05));
  output.claim("the energy is maintained to precisely zero", "0 J",
               fmt::format("{:.2g} J at h = 0.1, {:.2g} J at 1e-4; exponent {:.2f}", energy.front(), energy.back(),
                           energy_order),
               reproduced_if(energy.back() < 1e-9));
  const std::array<double, 4> spec = {5.8e-2, 4.915e-4, 4.905e-6, 4.905e-8};
  double worst = 0.0;
  for (std::size_t i = 1; i < spec.size(); ++i)
    worst = std::max(worst, std::abs(spring[i].run.deviation / spec[i] - 1.0));
  output.promise("E.2: deviations as in the spec to three digits",
                 worst < 1e-3 && std::abs(spring[0].run.deviation / spec[0] - 1.0) < 1e-2,
                 fmt::format("h ≤ 0.01: {:.1e} relative; h = 0.1: {:.4g} m, none {:.4g} m", worst,
                             spring[0].run.deviation, none[0].run.deviation));
  report_blow_up(output, tally);
  report_long_run(output, tally);
  promise_steps(output, "E.2", tally);
}

}  // namespace tribo
