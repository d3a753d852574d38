// Records as people and programs read them.
#pragma once

#include <string>
#include <vector>

#include "solve_record.hpp"

namespace tribo {

// One JSON object in one line, with the newline. Doubles come back bit for bit; what is not finite is one of the strings
// "inf", "-inf", "nan".
std::string to_json_line(const SolveRecord& record, bool with_solution);

// A table that can be printed line by line: widths are fixed beforehand.
class RecordTable {
 public:
  explicit RecordTable(const std::vector<std::string>& files);
  std::string header() const;
  // The line of one file; below it the reason when it is not solved, and the arrays of the answer when asked for.
  std::string line(const SolveRecord& record, bool with_solution) const;

 private:
  std::size_t file_width_;
};

// "open", "slide", "stick".
const char* state_name(ContactState state);

// "12.3 us", "4.56 ms", "1.20 s".
std::string format_seconds(double seconds);

}  // namespace tribo
