// `bench cone`: the true Coulomb cone by the portfolio behind `cone`. The parts say what they promise.
#include "cone_parts.hpp"

namespace tribo {

int run_cone_bench(const BenchOptions& options) {
  Output output(options, "cone");
  measure_cone_corpus(output, options);
  measure_cone_random(output, options);
  measure_cone_warm(output, options);
  measure_cone_times(output, options);
  return output.exit_code();
}

}  // namespace tribo
