#include "tribo/io/problem_file.hpp"

#include <cstdio>
#include <filesystem>

#include "methods.hpp"
#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& folder, int trial, int step) {
  return (fs::path(folder) / fmt::format("drumwright-2015-trial-{:02}-step-{:02}.json", trial, step)).string();
}

}  // namespace

std::vector<RecordedTrial> record_trials(int trials) {
  std::vector<RecordedTrial> recorded;
  const auto method = make_normal_method(NoSlip{}, PivotRule::kPrincipalPivoting);
  for (int trial = 0; trial < trials; ++trial) {
    Random random(static_cast<std::uint64_t>(trial) + 1);
    RecordedTrial& one = recorded.emplace_back();
    one.settings = perturbed_grasp(random);
    Grasp grasp(one.settings);
    for (int step = 0; step < kStepsPerTrial; ++step) {
      ContactProblem& problem = one.problems.emplace_back(grasp.problem());
      for (Contact& contact : problem.contacts) contact.gap = 0.0;  // b_N has it; twice would only raise questions
      ContactSolution solution;
      const bool solved = is_solved(method->solve(problem, solution).status);
      one.certified = one.certified && solved && method->certificate(problem, solution) <= kAnswerTolerance;
      grasp.advance(solution.v_next);
    }
  }
  return recorded;
}

Checked check_recording(const std::string& folder, int trials) {
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored)) {
    return fail("is not a folder", folder, "give a folder for the recorded problems");
  }
  for (int trial = 0; trial < trials; ++trial) {
    for (int step = 0; step < kStepsPerTrial; ++step) {
      const std::string file = file_of(folder, trial, step);
      if (fs::exists(fs::symlink_status(file, ignored))) {
        return fail("exists already and would be overwritten", file, "give an empty folder, or move the file away");
      }
    }
  }
  return ok();
}

Checked write_recording(const std::string& folder, const std::vector<RecordedTrial>& trials) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail("cannot be created (" + error.message() + ")", folder, "give a folder that can be written");
  for (std::size_t trial = 0; trial < trials.size(); ++trial) {
    for (std::size_t step = 0; step < trials[trial].problems.size(); ++step) {
      ContactFile file;
      file.problem = trials[trial].problems[step];
      file.problem.name = fmt::format("grasp, trial {}, step {}", trial, step);
      file.model = NoSlip{};
      file.description = "the grasp of Drumwright 2015, Table I, recorded under the no-slip model";
      const std::string name = file_of(folder, static_cast<int>(trial), static_cast<int>(step));
      if (std::FILE* mine = std::fopen(name.c_str(), "wbx"); mine != nullptr) {  // the name is ours, or taken meanwhile
        std::fclose(mine);
      } else {
        return fail("cannot be created; it may exist already", name, "give an empty folder that can be written");
      }
      const auto written = write_json(name, file);
      if (!written) return written;
    }
  }
  return ok();
}

}  // namespace tribo
