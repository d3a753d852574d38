// The friction problems that others wrote: every file of contact-problems/{fc3d, fc2d, gfc3d, gfc2d} in the data.
#pragma once

#include "tribo/problem/friction_problem.hpp"

#include <string>
#include <variant>
#include <vector>

namespace tribo {

struct FrictionFile {
  std::string name;  // "fc3d/Rover1039.dat"
  std::string kind;  // "fc3d", "fc2d", "gfc3d", "gfc2d"
  std::variant<LocalFriction, GlobalFriction> problem;

  bool is_global() const { return std::holds_alternative<GlobalFriction>(problem); }
  int dimension() const;
  Index contacts() const;
};

struct FrictionCorpus {
  bool found = false;               // the folder exists
  std::vector<FrictionFile> files;  // kind after kind, few contacts first
  std::vector<std::string> unread;  // what went wrong, a line per file
};
FrictionCorpus read_friction_corpus(const std::string& data_dir);

}  // namespace tribo
