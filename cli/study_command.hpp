// tribo study [NAME…]: runs the studies of studies/, and makes one page of them where --report asks for it.
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
  std::optional<std::string> report;  // a page; none: none is made
  bool force = false;                 // overwrite the page
};

std::vector<NameAndSummary> study_names();
int run_study(const StudyArguments& arguments);

}  // namespace tribo
