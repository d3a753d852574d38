// `bench multibody`: the mass matrix and the bias. The promises:
//     of a quadruped with 18 degrees of freedom they take at most 1.5 times as long as MuJoCo takes for its own     (1)
//     ours and MuJoCo's are the same to 1e-9 of their largest entry                                                (2)
//     along a chain, positions, velocities and bias grow as the number of links, M at most as its square           (3)
#include "tribo/core/random.hpp"

#include "bench.hpp"
#include "multibody/multibody_parts.hpp"

namespace tribo {

State make_bench_state(const Model& model, std::uint64_t seed) {
  Random random(seed);
  State state = make_state(model);
  for (double& q : state.q) q = random.uniform(-1.0, 1.0);
  for (double& v : state.v) v = random.normal();
  if (!validate(model, state)) return make_state(model);  // a quaternion of four zeros
  return state;
}

int run_multibody_bench(const BenchOptions& options) {
  Output output(options, "multibody");
  run_multibody_robots(output, options);
  run_multibody_chains(output, options);
  return output.exit_code();
}

}  // namespace tribo
