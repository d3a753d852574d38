// Runs the built tool in a process of its own.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tribo::testing {

struct ToolRun {
  int code = -1;   // exit status; -1: ended by a signal
  int signal = 0;  // 0: none
  std::string out, err;

  // Every line of stdout as JSON; a line that is none fails the test.
  std::vector<nlohmann::json> json_lines() const;
};

enum class Stdout { kCaptured, kClosed, kFull, kBrokenPipe };

// Runs `tribo arguments…` with the checkout as working folder.
ToolRun run_tool(const std::vector<std::string>& arguments, Stdout where = Stdout::kCaptured);

// Runs a shell script that finds the tool as `tribo`, with the checkout as working folder.
ToolRun run_script(const std::string& script);

// A file with this content in a folder that goes away with the test program.
std::string write_file(const std::string& name, const std::string& content);
std::string temporary_folder();

}  // namespace tribo::testing
