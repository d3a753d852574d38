// The parts of `bench lemke`, in the order of its report. Each prints its rows and checks its promises; promises about times
// have names that begin with "time".
#pragma once

#include "bench.hpp"
#include "output.hpp"

namespace tribo {

inline constexpr double kLemkeCertified = 1e-9;  // of Certificate::worst, relative

void measure_peg(Output& output, const BenchOptions& options);          // three forms of the method against n
void measure_lemke_peers(Output& output, const BenchOptions& options);  // Siconos, Bullet, DART on the same LCPs
void measure_mixed(Output& output, const BenchOptions& options);        // 10,000 problems: none wrong
void check_lemke_edges(Output& output, const BenchOptions& options);    // spec G, a line each
void measure_lemke_small(Output& output, const BenchOptions& options);  // 5 and 16 contacts against the lower bound
void measure_lemke_warm(Output& output, const BenchOptions& options);   // started from the last answer

}  // namespace tribo
