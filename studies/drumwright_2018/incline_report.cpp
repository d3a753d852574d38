// Figure 9 and §6.4: how far the box slides, under three laws of friction; Hertz contact at rest.
#include <algorithm>
#include <array>
#include <cmath>

#include "hertz_row.hpp"
#include "incline.hpp"
#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr std::array<double, 4> kRampFrictions = {0.0, 0.125, 0.25, 0.375};

struct RampLaw {
  const char* name;
  FrictionLaw friction;
  bool hertz, gated;
  double zeta;
  std::array<double, 4> spec;  // m; negative: not given
};

struct RampRow {
  double mu = 0.0, exact = 0.0;
  InclineRun run;
};

std::vector<RampRow> measure_ramp(StudyOutput& output, const RampLaw& law, StepTally& tally) {
  std::vector<RampRow> rows;
  for (std::size_t i = 0; i < kRampFrictions.size(); ++i) {
    InclineSettings settings;
    settings.mu = kRampFrictions[i];
    settings.hertz = law.hertz;
    settings.gated = law.gated;
    settings.zeta = law.zeta;
    Stepper stepper(Compliant{UnilateralLaw::kComplementarity, law.friction});
    RampRow& row = rows.emplace_back(RampRow{settings.mu, calc_slide(settings), run_incline(settings, stepper)});
    tally.add(stepper.tally);
    const InclineRun& run = row.run;
    output.line(fmt::format(
        "  {:<34} mu = {:<5g} slid {:.5f} m ({:.5f}; spec {}), normal up to {:.4g} weights, rose {:.2e} m, airborne "
        "{:.0f} %",
        law.name, settings.mu, run.distance, row.exact, law.spec[i] < 0.0 ? "–" : fmt::format("{:.5g}", law.spec[i]),
        run.most_normal, run.height, 100.0 * run.airborne));
    output.object("incline", {{"series", law.name},
                              {"mu", settings.mu},
                              {"distance", run.distance},
                              {"exact", row.exact},
                              {"spec", law.spec[i]},
                              {"most_normal", run.most_normal},
                              {"normal_error", run.normal_error},
                              {"height", run.height},
                              {"airborne", run.airborne},
                              {"speed", run.speed},
                              {"depth", run.depth},
                              {"force", run.force},
                              {"unsolved", stepper.tally.unsolved},
                              {"refused", stepper.tally.refused},
                              {"worst", stepper.tally.worst}});
  }
  std::vector<double> mu, distance;
  for (const RampRow& row : rows) {
    mu.push_back(row.mu);
    distance.push_back(row.run.distance);
  }
  draw_curve(output, "Figure 9: distance on the ramp after one second", law.name, "mu", "m", mu, distance);
  return rows;
}

void report_coulomb(StudyOutput& output, const std::vector<RampRow>& rows) {
  double worst = 0.0, normal = 0.0;
  for (const RampRow& row : rows) {
    worst = std::max(worst, std::abs(row.run.distance - row.exact));
    normal = std::max(normal, row.run.normal_error);
  }
  const InclineRun& stuck = rows[3].run;
  output.claim("no friction for mu = 0, stiction at mu = 0.375, farther with less friction", "figure 9",
               fmt::format("{:.4f}, {:.4f}, {:.4f}, {:.1e} m", rows[0].run.distance, rows[1].run.distance,
                           rows[2].run.distance, stuck.distance),
               reproduced_if(rows[0].run.distance > rows[1].run.distance &&
                             rows[1].run.distance > rows[2].run.distance && std::abs(stuck.distance) < 1e-7));
  output.claim("distances are inversely proportional to mu", "said of figure 9",
               fmt::format("{:.4f} m and {:.4f} m for mu = 0.125 and 0.25", rows[1].run.distance, rows[2].run.distance),
               differs_if(std::abs(rows[1].run.distance / rows[2].run.distance - 2.0) > 0.5,
                          "the acceleration, and with it the distance, falls linearly in mu"));
  output.claim("no creep in stiction", "h B = 1e6", fmt::format("{:.2e} m/s; friction over B is 6.34e-9", stuck.speed),
               reproduced_if(std::abs(stuck.speed) < 1e-8));
  output.claim("the normal force of a foot is about 2.5 N", "2.5 N", fmt::format("{:.4f} N", stuck.force),
               reproduced_if(std::abs(stuck.force - 2.5) < 0.2));
  output.claim("the deformation is about 1e-8 m", "1e-8 m",
               fmt::format("{:.3e} m in the simulation, {:.3e} m by the printed law", stuck.depth,
                           calc_hertz_depth(stuck.force, 1e10)),
               reproduced_if(stuck.depth < 3e-8));
  output.promise("E.5: static depth 3.83e-7 m at 2.3665 N",
                 std::abs(stuck.depth / 3.83e-7 - 1.0) < 2e-3 && std::abs(stuck.force - 2.3665) < 1e-4,
                 fmt::format("{:.4e} m, {:.5f} N", stuck.depth, stuck.force));
  output.promise("E.6: distances to 1e-4 m", worst <= 1e-4, fmt::format("{:.1e} m", worst));
  output.promise("E.6: normal force within 1e-6 of the weight's component at every step", normal <= 1e-6,
                 fmt::format("{:.1e}", normal));
  output.promise("E.6: sticking drift below 1e-8 m/s", std::abs(stuck.speed) < 1e-8,
                 fmt::format("{:.2e} m/s", stuck.speed));
}

}  // namespace

void report_incline(StudyOutput& output) {
  output.heading("Figure 9: the box on a ramp");
  using enum FrictionLaw;
  StepTally tally;
  const std::vector<RampRow> coulomb = measure_ramp(
      output, {"Coulomb, Hertz (C.5)", kCoulomb, true, false, 0.0, {1.2809, 0.68335, 0.08580, 0.0}}, tally);
  measure_ramp(output, {"convex cone, linear (C2)", kConvexCone, false, false, 0.0, {1.2809, 0.6831, 0.0857, 0.0}},
               tally);
  measure_ramp(output, {"convex cone, Hertz, gated (C2)", kConvexCone, true, true, 0.0, {1.2809, 0.6832, 0.0962, 0.0}},
               tally);
  report_coulomb(output, coulomb);
  promise_steps(output, "E.6: Coulomb and cone", tally);

  StepTally weighted;
  const std::vector<RampRow> printed = measure_ramp(
      output, {"weighted, zeta = 1/h (C1)", kWeighted, true, true, 1e2, {1.2809, 0.675, 0.111, 0.0}}, weighted);
  std::string others;
  if (!output.quick()) {
    const std::array<RampLaw, 5> laws = {
        {{"weighted, zeta = 1e8 (C1)", kWeighted, true, true, 1e8, {-1.0, 0.155, 0.113, 0.0}},
         {"weighted, zeta = 1e10 (C1)", kWeighted, true, true, 1e10, {-1.0, 0.519, 0.102, 0.0}},
         {"weighted, zeta = 1e12 (C1)", kWeighted, true, true, 1e12, {-1.0, 0.684, 0.089, 1e-4}},
         {"weighted, zeta = 1e13 (C1)", kWeighted, true, true, 1e13, {-1.0, 0.679, 0.086, 1e-3}},
         {"weighted, zeta = 1e14 (C1)", kWeighted, true, true, 1e14, {-1.0, 0.6833, 0.0915, 9.9e-3}}}};
    for (const RampLaw& law : laws) {
      const std::vector<RampRow> rows = measure_ramp(output, law, weighted);
      others += fmt::format("; zeta = {:g}: {:.0f} weights, {:.2g} m up, creeps {:.1e} m at mu = 0.375", law.zeta,
                            rows[1].run.most_normal, rows[1].run.height, rows[3].run.distance);
    }
  }
  const InclineRun& thrown = printed[1].run;
  output.claim("the weight zeta = 1/h keeps normal forces from being inflated", "chosen so in §6.3",
               fmt::format("mu = 0.125: up to {:.0f} weights, thrown {:.2g} m up, {:.0f} % airborne{}",
                           thrown.most_normal, thrown.height, 100.0 * thrown.airborne, others),
               reproduced_if(thrown.most_normal < 1.1));
  output.promise("E.6: the weighted program at zeta = 1/h inflates as the spec says",
                 thrown.most_normal > 5.0 && thrown.airborne > 0.5,
                 fmt::format("{:.1f} weights (26), {:.2g} m (0.21), {:.0f} % (90)", thrown.most_normal, thrown.height,
                             100.0 * thrown.airborne));
  promise_steps(output, "E.6: weighted", weighted);
}

}  // namespace tribo
