// What the exit status of the tool says.
#pragma once

namespace tribo {

enum ExitCode : int {
  kCertified = 0,     // every answer passed its certificate
  kNotCertified = 1,  // at least one problem has no certified answer
  kBadInput = 2,      // a file, option or name cannot be used, or the output cannot be written
};

}  // namespace tribo
