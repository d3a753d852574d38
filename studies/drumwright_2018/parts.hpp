// The parts of the study, in the order of its report. Each prints its rows, its claims and its promises.
#pragma once

#include <string>
#include <vector>

#include "stepping.hpp"
#include "studies/output.hpp"

namespace tribo {

void report_euler(StudyOutput& output);             // figures 1 to 3, spec E.1
void report_joint_pendulum(StudyOutput& output);    // figure 4, spec E.2
void report_limit(StudyOutput& output);             // figure 6, spec E.3
void report_foundation(StudyOutput& output);        // table 2 and figure 7, spec E.4
void report_foundation_times(StudyOutput& output);  // table 1, spec E.4
void report_incline(StudyOutput& output);           // figure 9, spec E.5 and E.6
void report_sphere_stack(StudyOutput& output);      // figure 10, spec E.7

// Every step solved, and every one that was looked at certified.
void promise_steps(StudyOutput& output, const std::string& name, const StepTally& tally);

// The same for what depends on the machine: a quick run only tells the number.
void promise_time(StudyOutput& output, const std::string& name, bool held, const std::string& detail);

// One line of a plot: x and y of the same length; lines of the same figure are drawn together.
void draw_curve(StudyOutput& output, const std::string& figure, const std::string& series, const std::string& x_name,
                const std::string& y_name, const std::vector<double>& x, const std::vector<double>& y);

}  // namespace tribo
