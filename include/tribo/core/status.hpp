// How a solve ended. A numerical outcome is a value, never an exception: not converging is a normal event in a
// step loop, and the last iterate comes back in every case.
#pragma once

#include <string_view>

namespace tribo {

enum class Status {
  kSolved,                  // the answer satisfies the problem to the stated tolerance
  kSolvedReduced,           // solved after a relaxation that the report describes
  kIterationLimit,          // the limit of pivots, sweeps or nodes was reached first
  kRay,                     // Lemke's method ended in a secondary ray; the ray comes back as evidence
  kInfeasible,              // no answer exists; the proof comes back as evidence
  kInconsistentEqualities,  // the bilateral rows contradict one another; the combination comes back as evidence
  kBreakdown,               // arithmetic failed: a singular pivot, a non-finite number, accuracy lost
  kInterrupted,             // the caller asked to stop
};

// The name used in JSON, tables and messages: "solved", "iteration_limit", ...
std::string_view to_string(Status status);

// Of several parts the one with the largest number decides the status of the whole; 0: solved.
int severity(Status status);

inline bool is_solved(Status status) { return status == Status::kSolved || status == Status::kSolvedReduced; }

}  // namespace tribo
