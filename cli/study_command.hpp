// tribo study [NAME…]: runs the studies of studies/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench_command.hpp"

namespace tribo {

struct StudyArguments {
  std::vector<std::string> names;  // empty: all
  bool json = false;
  bool quick = false;
  std::optional<std::string> record;  // a folder; none: nothing is recorded
};

std::vector<NameAndSummary> study_names();
int run_study(const StudyArguments& arguments);

}  // namespace tribo
