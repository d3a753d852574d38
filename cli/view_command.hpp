// tribo view RECORDING: the replay page on this machine's own address, following a recording that is still being written.
#pragma once

#include <optional>
#include <string>

namespace tribo {

// Options as they were typed.
struct ViewArguments {
  std::string recording;
  std::string port = "0";
  std::optional<std::string> seconds;
};

int run_view(const ViewArguments& arguments);

}  // namespace tribo
