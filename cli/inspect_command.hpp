// tribo inspect MODEL: what a robot or scene file says, and its numbers at a state.
#pragma once

#include <optional>
#include <string>

namespace tribo {

// Options as they were typed.
struct InspectArguments {
  std::string model;
  std::optional<std::string> state, key;
  bool json = false;
};

int run_inspect(const InspectArguments& arguments);

}  // namespace tribo
