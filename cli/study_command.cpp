#include "study_command.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "exit_code.hpp"
#include "studies/report.hpp"
#include "studies/study.hpp"
#include "suggest.hpp"
#include "terminal.hpp"
#include <fmt/format.h>
#include <unistd.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

int run_one(const StudyInfo& study, StudyOptions options, StudyRecord& record) {
  std::ostringstream lines;
  options.lines = &lines;
  record = {.name = study.name, .summary = study.summary, .lines = {}, .held = false, .error = {}};
  try {
    const auto held = study.run(options);
    record.held = held && *held;
    if (!held) record.error = held.error().text();
  } catch (const std::exception& exception) {
    record.error = exception.what();
  }
  record.lines = lines.str();
  if (record.error.empty()) return record.held ? kCertified : kNotCertified;
  write_error(fmt::format("study {}: {}", study.name, record.error));
  return kBadInput;
}

// The page appears as a whole or not at all: it is written beside its place and moved there.
Checked write_page(const std::string& path, const std::string& page) {
  const std::string part = fmt::format("{}.{}.part", path, ::getpid());
  std::error_code code;
  {
    std::ofstream out(part, std::ios::binary);
    if (!out) return fail("cannot be written", path, "check that the folder exists and may be written to");
    out << page;
    out.close();
    if (!out) {
      fs::remove(part, code);
      return fail("cannot be written", path, "is the disk full?");
    }
  }
  fs::rename(part, path, code);
  if (!code) return ok();
  const std::string reason = code.message();
  fs::remove(part, code);
  return fail("cannot be replaced: " + reason, path, "check that the path is a file you may replace");
}

// Told before the studies are run, which takes minutes.
Checked check_report(const StudyArguments& arguments) {
  if (!arguments.report) return ok();
  const std::string& path = *arguments.report;
  std::error_code code;
  if (path.empty()) return fail("the file name is empty", "--report", "name a file to write");
  if (fs::exists(path, code) && !fs::is_regular_file(path, code))
    return fail(path + " is not a file", "--report", "name a file to write");
  if (fs::exists(fs::symlink_status(path, code)) && !arguments.force)
    return fail("the file " + path + " exists already", "--report",
                "name another file, or give --force to overwrite it");
  const fs::path parent = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (!fs::is_directory(parent, code) || ::access(parent.c_str(), W_OK | X_OK) != 0)
    return fail(path + " cannot be written", "--report", "check that the folder exists and may be written to");
  return ok();
}

std::string made_by(bool quick) {
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  ::gmtime_r(&now, &day);
  return fmt::format("Tribo {}, {:04}-{:02}-{:02}{}", TRIBO_VERSION, day.tm_year + 1900, day.tm_mon + 1, day.tm_mday,
                     quick ? ", a quick run: fewer trials and steps than the full one" : "");
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
  if (const Checked writable = check_report(arguments); !writable) {
    write_error(writable.error().text());
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
  std::vector<StudyRecord> records;
  int code = kCertified;
  for (const StudyInfo& study : studies()) {
    if (std::find(chosen.begin(), chosen.end(), study.name) == chosen.end()) continue;
    code = std::max(code, run_one(study, options, records.emplace_back()));
    if (!write_output("")) return kBadInput;
  }
  if (!arguments.report) return code;
  if (const Checked written = write_page(*arguments.report, make_study_report(records, made_by(arguments.quick)));
      !written) {
    write_error(written.error().within("--report").text());
    return kBadInput;
  }
  return code;
}

}  // namespace tribo
