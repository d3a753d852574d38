// The parts of `bench cone`, in the order of its report. Each prints its rows and checks its promises; promises about
// times have names that begin with "time".
#pragma once

#include "bench.hpp"
#include "output.hpp"

namespace tribo {

inline constexpr double kConeCertified = 1e-9;  // of Certificate::worst, relative; random problems
inline constexpr double kConeDefault = 1e-8;    // the default tolerance; files of others

void measure_cone_corpus(Output& output, const BenchOptions& options);  // files of others: solved, reordered, rescaled
void measure_cone_random(Output& output, const BenchOptions& options);  // 100,000 problems: none wrong, few unsolved
void measure_cone_warm(Output& output, const BenchOptions& options);    // started from the last answer
void measure_cone_times(Output& output, const BenchOptions& options);   // against the lower bound

}  // namespace tribo
