// The study of "Rapidly computable viscous friction and no-slip rigid contact models", E. Drumwright, 2015: Table I
// (the grasp), the cost in contacts and degrees of freedom, and the statements that spec lcp-contact corrects. Tables
// II and III need a walking robot.
#include "studies/study.hpp"

#include "parts.hpp"

namespace tribo {

Expected<bool> run_drumwright_2015(const StudyOptions& options) {
  StudyOutput output(options, "drumwright-2015");
  const int trials = options.quick ? 3 : 10;
  if (!options.record.empty()) {
    if (const auto checked = check_recording(options.record, trials); !checked) return Unexpected{checked.error()};
  }
  output.line("drumwright-2015: viscous friction and no-slip rigid contact models");
  output.progress("grasp: recording");
  const std::vector<RecordedTrial> recorded = record_trials(trials);
  if (!options.record.empty()) {
    if (const auto checked = write_recording(options.record, recorded); !checked) return Unexpected{checked.error()};
  }
  report_table_one(output, recorded);
  report_hold(output);
  report_complexity(output);
  report_algorithm(output);
  report_model(output);
  return output.held();
}

}  // namespace tribo
