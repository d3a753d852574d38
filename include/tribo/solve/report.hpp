// What a solver says about how it went. Statuses are claims; certify/ decides whether they are true.
#pragma once

#include "tribo/core/status.hpp"
#include "tribo/linalg/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tribo {

struct [[nodiscard]] SolveReport {
  Status status = Status::kBreakdown;
  int iterations = 0;       // pivots or sweeps: what the method counts
  int pivots = 0;           // changes of the index set
  int sweeps = 0;           // passes over all rows (sweeping methods)
  int refactored = 0;       // factors rebuilt because accuracy had decayed
  bool fallback = false;    // the method gave up (cycle, singular pivot) and its documented fallback finished
  Index index = -1;         // the row that a breakdown is about
  const char* detail = "";  // one phrase on why it ended so
  const char* stages = "";  // which of its methods were used, where a solver has several
};

// Where to start: nothing, a vector, or an index set. Never guessed from the size of an output.
enum class IndexState : signed char { kLower = -1, kActive = 0, kUpper = 1 };  // z = lo, w = 0, z = hi
struct WarmStart {
  std::vector<IndexState> states;  // one per complementarity row; pivoting methods. Empty: none
  VectorXd z;  // all unknowns (mixed: u, then z); sweeping methods and Dantzig start there, Lemke and
               // the oracle only ask whether it is the answer already. Empty: none
  bool empty() const { return states.empty() && z.size() == 0; }
};

}  // namespace tribo
