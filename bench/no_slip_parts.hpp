// The parts of `bench no-slip`, in the order of its report. Each prints its rows and checks its promises; promises
// about times have names that begin with "time".
#pragma once

#include "tribo/contact/solve.hpp"

#include <array>

#include "bench.hpp"
#include "output.hpp"

namespace tribo {

inline constexpr double kNoSlipCertified = 1e-9;  // of Certificate::worst, relative
inline constexpr std::array<const char*, 2> kNormalSolvers = {"dual-active-set", "ppm"};
// The whole problem at once by one solver.
inline SolveOptions normal_options(const char* solver) {
  return {.solver = solver, .tolerance = kNoSlipCertified, .islands = false};
}

void measure_random_contacts(Output& output, const BenchOptions& options);    // 20,000 problems; the cycle of fr09
void measure_contact_scaling(Output& output, const BenchOptions& options);    // time and memory against n
void measure_grasps(Output& output, const BenchOptions& options);             // the paper's grasp, stacks, long rows
void measure_few_contacts(Output& output, const BenchOptions& options);       // n = 1 … 10 against the lower bound
void measure_repeated_contacts(Output& output, const BenchOptions& options);  // every contact twenty times
void measure_hold(Output& output, const BenchOptions& options);               // the grasp at rest, a very long time
void measure_restarts(Output& output, const BenchOptions& options);           // warm starts; islands

}  // namespace tribo
