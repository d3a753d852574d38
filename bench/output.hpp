// Where a benchmark writes: tables for people or JSON lines for programs, and the promises it checked.
#pragma once

#include <ostream>
#include <string>

#include "bench.hpp"
#include <nlohmann/json.hpp>

namespace tribo {

using Json = nlohmann::ordered_json;

// printf into a string.
std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

class Output {
 public:
  Output(const BenchOptions& options, std::string bench);

  bool json() const { return options_.json; }
  void line(const std::string& text);  // tables only
  void object(Json fields);            // JSON only; "bench" is put in front
  void progress(const std::string& text);
  // PASS or FAIL, in either form.
  void promise(const std::string& name, bool held, const std::string& detail);
  int exit_code() const { return broken_ == 0 ? 0 : 1; }

 private:
  const BenchOptions& options_;
  std::ostream& out_;
  std::string bench_;
  int broken_ = 0;
};

}  // namespace tribo
