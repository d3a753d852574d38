// `bench lemke`: Coulomb friction on a polygon by Lemke's method on the structure (Lloyd 2005), beside the dense method and
// beside other people's. The parts say what they promise.
#include "lemke_parts.hpp"

namespace tribo {

int run_lemke_bench(const BenchOptions& options) {
  Output output(options, "lemke");
  measure_peg(output, options);
  measure_lemke_peers(output, options);
  measure_mixed(output, options);
  check_lemke_edges(output, options);
  measure_lemke_small(output, options);
  measure_lemke_warm(output, options);
  return output.exit_code();
}

}  // namespace tribo
