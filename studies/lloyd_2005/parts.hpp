// The parts of the study, in the order of its report. Each prints its rows, its claims and its promises.
#pragma once

#include "cases.hpp"
#include "measure.hpp"
#include "studies/output.hpp"

namespace tribo {

Table report_pegs(StudyOutput& output, const Cases& cases);
Table report_situations(StudyOutput& output, const Cases& cases);
Table report_stacks(StudyOutput& output, const Cases& cases);
void report_printed(StudyOutput& output);  // the reduced method as the paper has it
// What is claimed of all tests together: the size of the systems, robustness.
void report_accuracy(StudyOutput& output, const std::vector<Table>& tables);

inline constexpr double kFit = 0.25;  // how well a few sizes tell an exponent

// A ratio of times: `reason` is why more is gained here, used from twice the paper's figure on.
void claim_ratio(StudyOutput& output, const std::string& claim, const std::string& paper, double figure, double ours,
                 const std::string& reason);
// An exponent of the time in n: reproduced when within kFit; `reason` is why it is lower here. Prints an "exponent" row
// too.
struct Fit {
  std::string series;
  LemkeMethod method = LemkeMethod::kReduced;
  Index first = 0, last = 0;  // contacts
  double ours = 0.0;
};
void claim_exponent(StudyOutput& output, const Fit& fit, const std::string& paper, double figure,
                    const std::string& reason);

}  // namespace tribo
