// The examples of docs/command-line.md are run as they stand there. A block is an example when the line before it is
// <!-- run: exit N -->, N being the exit status that its last command must have.
#include <fstream>
#include <optional>

#include "support/paths.hpp"
#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

struct Example {
  int exit = 0;
  int line = 0;
  std::string script;
};

std::vector<Example> read_examples() {
  std::ifstream in(source_dir() + "/docs/command-line.md");
  std::vector<Example> examples;
  std::optional<int> marked;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string mark = "<!-- run: exit ";
    if (line.starts_with(mark)) {
      marked = std::stoi(line.substr(mark.size()));
    } else if (!inside && marked && line == "```sh") {
      inside = true;
      examples.push_back({*marked, number, ""});
    } else if (inside && line == "```") {
      inside = false;
      marked.reset();
    } else if (inside) {
      examples.back().script += line + "\n";
    }
  }
  return examples;
}

// A manual whose examples do not work is worse than none.
TEST(Manual, ExamplesRunAsWritten) {
  const std::vector<Example> examples = read_examples();
  ASSERT_GE(examples.size(), 6u);
  for (const Example& example : examples) {
    const ToolRun run = run_script(example.script);
    EXPECT_EQ(run.code, example.exit) << "docs/command-line.md:" << example.line << "\n" << run.err;
    EXPECT_FALSE(run.out.empty() && run.err.empty()) << "docs/command-line.md:" << example.line;
  }
}

}  // namespace
}  // namespace tribo::testing
