#include "list_command.hpp"

#include "tribo/problem/compliant_name.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/solve/registry.hpp"

#include <filesystem>
#include <set>

#include "bench_command.hpp"
#include "exit_code.hpp"
#include "run_scene.hpp"
#include "study_command.hpp"
#include "suggest.hpp"
#include "terminal.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::ordered_json;

std::vector<std::string> forms_of(const Capability& solver) {
  std::vector<std::string> forms;
  if (solver.lcp) forms.emplace_back("lcp");
  if (solver.mixed) forms.emplace_back("mlcp");
  if (solver.box) forms.emplace_back("box-lcp");
  if (solver.factored) forms.emplace_back("factored");
  if (solver.pyramid) forms.emplace_back("coulomb-pyramid");
  if (solver.cone) forms.emplace_back("cone");
  return forms;
}

std::string matrices_of(const Capability& solver) {
  return solver.matrices == Matrices::kAny ? "any" : "symmetric psd";
}

std::string yes(bool value) { return value ? "yes" : "no"; }

std::string solvers_as_json() {
  std::string text;
  for (const Capability& row : capabilities()) {
    const ordered_json object = {{"name", row.name},
                                 {"summary", row.summary},
                                 {"source", row.source},
                                 {"forms", forms_of(row)},
                                 {"matrices", matrices_of(row)},
                                 {"always_ends", row.always_ends},
                                 {"proves_infeasible", row.proves_infeasible},
                                 {"allocation_free", row.allocation_free},
                                 {"warm_start", row.warm_start},
                                 {"size_limit", row.size_limit}};
    text += object.dump() + "\n";
  }
  return text;
}

std::string solvers_as_markdown() {
  std::string text =
      "| solver | forms | matrices | always ends | proves infeasible | allocation free | warm start | source |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const Capability& row : capabilities()) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", row.name, fmt::join(forms_of(row), ", "),
                        matrices_of(row), yes(row.always_ends), yes(row.proves_infeasible), yes(row.allocation_free),
                        row.warm_start, row.source);
  }
  return text;
}

std::string solvers_as_text() {
  std::string text;
  for (const Capability& row : capabilities()) {
    const std::string limit = row.size_limit > 0 ? fmt::format(", up to {} rows", row.size_limit) : "";
    text += fmt::format("{:<18}{}\n{:<18}forms: {}; matrices: {}{}; source: {}\n", row.name, row.summary, "",
                        fmt::join(forms_of(row), ", "), matrices_of(row), limit, row.source);
  }
  return text;
}

std::string names_and_summaries(const std::vector<NameAndSummary>& rows, bool as_json) {
  std::string text;
  for (const auto& [name, summary] : rows) {
    text += as_json ? ordered_json{{"name", name}, {"summary", summary}}.dump() + "\n"
                    : fmt::format("{:<18} {}\n", name, summary);
  }
  if (rows.empty() && !as_json) text = "none yet\n";
  return text;
}

// With the folders that they are in, below the table.
std::string scenes_text(bool as_json) {
  std::string text;
  std::set<std::string> folders;
  const std::vector<SceneName> scenes = scene_names();
  for (const SceneName& scene : scenes) {
    folders.insert(std::filesystem::path(scene.file).parent_path().string());
    text += as_json ? ordered_json{{"name", scene.name}, {"summary", scene.summary}, {"file", scene.file}}.dump() + "\n"
                    : fmt::format("{:<18} {}\n", scene.name, scene.summary);
  }
  if (as_json) return text;
  if (scenes.empty()) return "none here; set TRIBO_SCENES to the folder of the scenes\n";
  return text + fmt::format("\nfrom {}\n", fmt::join(folders, ", "));
}

}  // namespace

std::vector<std::string> list_nouns() { return {"models", "solvers", "scenes", "studies", "benches"}; }

int run_list(const ListArguments& arguments) {
  const bool solvers = arguments.what == "solvers";
  if (arguments.markdown && (!solvers || arguments.json)) {
    write_error(
        "--markdown: is for the table of solvers, and not together with --json; use tribo list solvers --markdown");
    return kBadInput;
  }
  std::string text;
  if (solvers) {
    text = arguments.markdown ? solvers_as_markdown() : arguments.json ? solvers_as_json() : solvers_as_text();
  } else if (arguments.what == "models") {
    std::vector<NameAndSummary> rows;
    for (const ModelInfo& model : models()) rows.emplace_back(model.name, model.summary);
    for (const ModelInfo& model : compliant_models()) rows.emplace_back(model.name, model.summary);
    text = names_and_summaries(rows, arguments.json);
  } else if (arguments.what == "benches") {
    text = names_and_summaries(bench_names(), arguments.json);
  } else if (arguments.what == "studies") {
    text = names_and_summaries(study_names(), arguments.json);
  } else if (arguments.what == "scenes") {
    text = scenes_text(arguments.json);
  } else {
    write_error(
        fmt::format("list: there is no list of \"{}\"; {}", arguments.what, suggest(arguments.what, list_nouns())));
    return kBadInput;
  }
  return write_output(text) ? kCertified : kBadInput;
}

}  // namespace tribo
