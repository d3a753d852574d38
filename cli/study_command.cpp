#include "study_command.hpp"

#include <algorithm>
#include <iostream>

#include "exit_code.hpp"
#include "studies/study.hpp"
#include "suggest.hpp"
#include "terminal.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

int run_one(const StudyInfo& study, const StudyOptions& options) {
  try {
    const auto held = study.run(options);
    if (held) return *held ? kCertified : kNotCertified;
    write_error(fmt::format("study {}: {}", study.name, held.error().text()));
  } catch (const std::exception& exception) {
    write_error(fmt::format("study {}: {}", study.name, exception.what()));
  }
  return kBadInput;
}

}  // namespace

std::vector<NameAndSummary> study_names() {
  std::vector<NameAndSummary> names;
  for (const StudyInfo& study : studies()) names.emplace_back(study.name, study.summary);
  return names;
}

int run_study(const StudyArguments& arguments) {
  std::vector<std::string> known;
  for (const auto& [name, summary] : study_names()) known.push_back(name);
  for (const std::string& name : arguments.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    write_error(fmt::format("study: there is no study \"{}\"; {}", name, suggest(name, known)));
    return kBadInput;
  }
  if (arguments.record && arguments.record->empty()) {
    write_error("--record: is empty; give a folder for the recorded problems");
    return kBadInput;
  }
  StudyOptions options;
  options.json = arguments.json;
  options.quick = arguments.quick;
  options.record = arguments.record.value_or("");
  options.data_dir = data_folder();
  options.out = &std::cout;
  options.progress = stderr_is_terminal();
  const std::vector<std::string>& chosen = arguments.names.empty() ? known : arguments.names;
  int code = kCertified;
  for (const StudyInfo& study : studies()) {
    if (std::find(chosen.begin(), chosen.end(), study.name) == chosen.end()) continue;
    code = std::max(code, run_one(study, options));
    if (!write_output("")) return kBadInput;
  }
  return code;
}

}  // namespace tribo
