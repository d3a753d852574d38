// One file from its path to its record: read, solve, time.
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/problem/compliant_name.hpp"
#include "tribo/problem/model.hpp"

#include <optional>
#include <string>

#include "solve_record.hpp"

namespace tribo {

struct SolveRequest {
  std::optional<ContactModel> model;       // none: the file's own
  std::optional<CompliantName> compliant;  // for compliant problems; at most one of the two
  std::string model_name;                  // as it was typed
  std::string solver = "auto";
  double tolerance = 1e-8;  // of the certificate's worst, relative
  int repeat = 1;
  Release release = Release::kNever;  // contact problems, model no-slip
  bool relax = false;                 // contact problems
  bool strict = false;                // contact problems at acceleration level
  std::string kind;                   // settles a text file that fits two layouts; "": find out
};

// Never throws: whatever goes wrong is the record's error.
SolveRecord solve_file(const std::string& path, const SolveRequest& request);

}  // namespace tribo
