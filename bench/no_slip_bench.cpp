// `bench no-slip`: contact at the cost of the degrees of freedom (Drumwright 2015). The parts say what they promise.
#include "no_slip_parts.hpp"

namespace tribo {

int run_no_slip_bench(const BenchOptions& options) {
  Output output(options, "no-slip");
  measure_random_contacts(output, options);
  measure_contact_scaling(output, options);
  measure_grasps(output, options);
  measure_few_contacts(output, options);
  measure_repeated_contacts(output, options);
  measure_hold(output, options);
  measure_restarts(output, options);
  return output.exit_code();
}

}  // namespace tribo
