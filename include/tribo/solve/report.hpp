// What a solver says about how it went. Statuses are claims; certify/ decides whether they are true.
#pragma once

#include "tribo/core/status.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/warm_start.hpp"

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

}  // namespace tribo
