// The study of "An unconditionally stable first-order constraint solver for multibody systems", E. Drumwright, 2018:
// figures 1–4, 6, 7, 9, 10 and tables 1 and 2, by the corrected method of spec/first-order-solver. Only the text of the
// paper was at hand: figures are compared with their captions and with what is said of them. CVODE stands for MATLAB's
// ode15s, ARKODE's pair 4(5) for ode45.
#include "studies/study.hpp"

#include "parts.hpp"
#include "peers/sundials.hpp"
#include <fmt/format.h>

namespace tribo {

void promise_steps(StudyOutput& output, const std::string& name, const StepTally& tally) {
  output.promise(name + ": every step solved, those looked at certified", tally.held(),
                 fmt::format("{} steps, {} unsolved; {} certified, {} refused, worst residual {:.1e}", tally.steps,
                             tally.unsolved, tally.certified, tally.refused, tally.worst));
}

void promise_time(StudyOutput& output, const std::string& name, bool held, const std::string& detail) {
  if (output.quick()) {
    output.line("  " + name + ": " + detail);
  } else {
    output.promise("time: " + name, held, detail);
  }
}

void draw_curve(StudyOutput& output, const std::string& figure, const std::string& series, const std::string& x_name,
                const std::string& y_name, const std::vector<double>& x, const std::vector<double>& y) {
  output.object("curve",
                {{"figure", figure}, {"series", series}, {"x_name", x_name}, {"y_name", y_name}, {"xs", x}, {"ys", y}});
}

Expected<bool> run_drumwright_2018(const StudyOptions& options) {
  StudyOutput output(options, "drumwright-2018");
  output.line("drumwright-2018: springs and dampers integrated implicitly, contact and friction at large steps");
  if (!options.record.empty()) output.line("--record is ignored: the rigs make their problems step by step");
  if (!has_sundials()) {
    output.line(
        "left out: SUNDIALS is not in this build (Debian: libsundials-dev); ours alone, and a Runge–Kutta reference");
    output.object("left-out", {{"what", "SUNDIALS"}});
  }
  report_euler(output);
  report_joint_pendulum(output);
  report_limit(output);
  report_foundation(output);
  report_foundation_times(output);
  report_incline(output);
  report_sphere_stack(output);
  return output.held();
}

}  // namespace tribo
