// Where a study writes: tables for people or JSON lines for programs, its claims with their verdicts, and its promises.
#pragma once

#include <ostream>
#include <string>

#include "studies/study.hpp"
#include <nlohmann/json.hpp>

namespace tribo {

// "reproduced", "not reproduced" or "differs because …".
std::string reproduced_if(bool held);
// What the paper says holds here too ("reproduced"), unless the numbers differ.
std::string differs_if(bool differs, const std::string& reason);

class StudyOutput {
 public:
  using Json = nlohmann::ordered_json;

  StudyOutput(const StudyOptions& options, std::string study);

  bool quick() const { return options_.quick; }
  void line(const std::string& text);                        // tables only
  void object(const std::string& kind, const Json& fields);  // JSON only; "study" and "kind" are put in front
  void heading(const std::string& text);                     // tables only, with an empty line before it
  void progress(const std::string& text);                    // replaced by the next one; "": cleared
  // What the paper says, what came out here, and the verdict: one of the three above.
  void claim(const std::string& claim, const std::string& paper, const std::string& ours, const std::string& verdict);
  // What we hold ourselves to: PASS or FAIL, in either form.
  void promise(const std::string& name, bool held, const std::string& detail);
  bool held() const { return broken_ == 0; }

 private:
  std::string make_line(const std::string& kind, const Json& fields) const;

  const StudyOptions& options_;
  std::ostream& out_;
  std::string study_;
  int broken_ = 0;
};

}  // namespace tribo
