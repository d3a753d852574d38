#include "tribo/io/problem_file.hpp"

#include <cstdio>
#include <filesystem>

#include "cases.hpp"
#include "methods.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& folder, const Case& one, std::size_t wrench) {
  std::string slug;
  for (const char c : one.name) {
    if (c == ' ') {
      slug += '-';
    } else if (c != ',') {
      slug += c;
    }
  }
  return (fs::path(folder) / fmt::format("lloyd-2005-{}-{:02}.json", slug, wrench)).string();
}

// Calls visit(case, wrench, file) for what is recorded until it fails.
template <typename Visit>
Checked for_each_file(const std::string& folder, const Cases& cases, const Visit& visit) {
  for (const std::vector<Case>* group : {&cases.pegs, &cases.situations, &cases.stacks}) {
    for (const Case& one : *group) {
      for (std::size_t wrench = 0; wrench < one.problems.size(); ++wrench) {
        const Checked visited = visit(one, wrench, file_of(folder, one, wrench));
        if (!visited) return visited;
      }
    }
  }
  return ok();
}

}  // namespace

Checked check_cases_recording(const std::string& folder, const Cases& cases) {
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored)) {
    return fail("is not a folder", folder, "give a folder for the recorded problems");
  }
  return for_each_file(folder, cases, [&](const Case&, std::size_t, const std::string& file) -> Checked {
    if (fs::exists(fs::symlink_status(file, ignored))) {
      return fail("exists already and would be overwritten", file, "give an empty folder, or move the file away");
    }
    return ok();
  });
}

Checked write_cases_recording(const std::string& folder, const Cases& cases) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail("cannot be created (" + error.message() + ")", folder, "give a folder that can be written");
  return for_each_file(folder, cases, [](const Case& one, std::size_t wrench, const std::string& name) -> Checked {
    ContactFile file;
    file.problem = one.problems[wrench];
    file.model = CoulombPyramid{kSides};
    file.description = "a problem of the figures of Lloyd 2005";
    if (std::FILE* mine = std::fopen(name.c_str(), "wbx"); mine != nullptr) {  // the name is ours, or taken meanwhile
      std::fclose(mine);
    } else {
      return fail("cannot be created; it may exist already", name, "give an empty folder that can be written");
    }
    return write_json(name, file);
  });
}

}  // namespace tribo
