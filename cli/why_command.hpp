// tribo why RECORDING: what the contacts of a recorded step do, in sentences with numbers.
#pragma once

#include <optional>
#include <string>

namespace tribo {

// Options as they were typed.
struct WhyArguments {
  std::string recording;
  std::optional<std::string> time, contact;
  bool json = false;
};

int run_why(const WhyArguments& arguments);

}  // namespace tribo
