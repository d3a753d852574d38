// tribo solve FILE…
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tribo {

// Options as they were typed.
struct SolveArguments {
  std::vector<std::string> files;
  std::optional<std::string> model, kind;
  std::string solver = "auto";
  std::string tolerance = "1e-8";
  std::string repeat = "1";
  std::string release = "never";
  bool relax = false;
  bool strict = false;
  bool solution = false;
  bool json = false;
};

int run_solve(const SolveArguments& arguments);

}  // namespace tribo
