// The study of "Fast implementation of Lemke's algorithm for rigid body contact simulation", J. E. Lloyd, 2005: Figures
// 4 to 9 (peg in hole, ten situations of one body, stacks of blocks), three methods on the same problems. Its times are
// of a 1 GHz Pentium III: ratios and exponents are compared, never times.
#include "studies/study.hpp"

#include "parts.hpp"

namespace tribo {

Expected<bool> run_lloyd_2005(const StudyOptions& options) {
  StudyOutput output(options, "lloyd-2005");
  const Cases cases = make_cases(options.quick);
  if (!options.record.empty()) {
    if (const auto checked = check_cases_recording(options.record, cases); !checked) return Unexpected{checked.error()};
    if (const auto checked = write_cases_recording(options.record, cases); !checked) return Unexpected{checked.error()};
  }
  output.line("lloyd-2005: Coulomb friction by Lemke's method, standard, structural and reduced");
  const std::vector<Table> tables = {report_pegs(output, cases), report_situations(output, cases),
                                     report_stacks(output, cases)};
  report_printed(output);
  report_accuracy(output, tables);
  return output.held();
}

}  // namespace tribo
