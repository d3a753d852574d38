// Solvers by name, made when they are first asked for and kept with their memory.
#pragma once

#include "tribo/solve/registry.hpp"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tribo {

class SolverShelf {
 public:
  // The name must be one of capabilities().
  ComplementaritySolver& operator[](std::string_view name) {
    for (auto& [known, solver] : solvers_) {
      if (known == name) return *solver;
    }
    const Capability* row = find_capability(name);
    return *solvers_.emplace_back(row->name, row->make()).second;
  }

 private:
  std::vector<std::pair<std::string_view, std::unique_ptr<ComplementaritySolver>>> solvers_;
};

}  // namespace tribo
