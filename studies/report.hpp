// Studies as one page for a browser or a printer: every claim with the paper's number, ours and the verdict, the promises,
// the tables, and plots of them. Made from the JSON lines that `tribo study --json` prints, so that it has no number of its
// own. The page asks for nothing from outside and runs no script.
#pragma once

#include <span>
#include <string>

namespace tribo {

struct StudyRecord {
  std::string name, summary;
  std::string lines;  // what StudyOptions::lines received
  bool held = false;  // what the study returned
  std::string error;  // why it could not be run; empty: it was
};

// `made`: a line below the title, such as the version, the day and whether the run was a quick one.
std::string make_study_report(std::span<const StudyRecord> studies, const std::string& made);

}  // namespace tribo
