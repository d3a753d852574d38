// The parts of the study, in the order of its report. Each prints its rows, its claims and its promises.
#pragma once

#include "tribo/problem/contact_problem.hpp"

#include <string>
#include <vector>

#include "grasp.hpp"
#include "studies/output.hpp"

namespace tribo {

inline constexpr double kAnswerTolerance = 1e-8;  // largest relative residual that counts as an answer

// Ten steps of the grasp under the no-slip model, per trial; the same problems are then given to every method.
struct RecordedTrial {
  GraspSettings settings;
  std::vector<ContactProblem> problems;
  bool certified = true;  // every one of them was solved to kAnswerTolerance
};
inline constexpr int kStepsPerTrial = 10;
std::vector<RecordedTrial> record_trials(int trials);

// Tribo JSON, one file per problem: drumwright-2015-trial-00-step-00.json and so on. Creates the folder; a file of such
// a name that exists is an error, found before anything is written.
Checked check_recording(const std::string& folder, int trials);
Checked write_recording(const std::string& folder, const std::vector<RecordedTrial>& trials);

void report_table_one(StudyOutput& output, const std::vector<RecordedTrial>& trials);
void report_hold(StudyOutput& output);
void report_complexity(StudyOutput& output);
void report_algorithm(StudyOutput& output);  // matrix classes, termination, the active set, Theorem 1
void report_model(StudyOutput& output);      // whether there is an answer, what no slip means, how the paper counts

}  // namespace tribo
