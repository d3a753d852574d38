#include <array>

#include "bench.hpp"

namespace tribo {

std::span<const BenchInfo> benches() {
  static const std::array<BenchInfo, 10> table = {
      BenchInfo{"lcp", "every LCP solver beside Siconos and the lower bound, n = 10 to 500", run_lcp_bench},
      BenchInfo{"robustness", "100,000 random problems: no wrong answer, no missing end", run_robustness_bench},
      BenchInfo{"corpus", "the LCPs and mixed LCPs of others through the default solver", run_corpus_bench},
      BenchInfo{"no-slip", "frictionless, no-slip and viscous contact against passes over the rows; the grasp of 2015",
                run_no_slip_bench},
      BenchInfo{"lemke", "Coulomb friction by structured Lemke beside the dense method, Siconos, Bullet and DART",
                run_lemke_bench},
      BenchInfo{"cone", "the true Coulomb cone: problems of others, 100,000 random ones, warm starts, the lower bound",
                run_cone_bench},
      BenchInfo{"multibody", "mass matrix and bias of robots beside MuJoCo; chains of 10 to 1000 links",
                run_multibody_bench},
      BenchInfo{"peers", "scenes in Tribo, MuJoCo, ODE, Bullet and DART: time, drift, overlap, energy",
                run_peers_bench},
      BenchInfo{"sim", "long runs of the simulator: creep, sinking, work at rest, memory, the same bits",
                run_sim_bench},
      BenchInfo{"robots", "robots of others on a floor: at rest, with swinging servos, dropped; every step certified",
                run_robots_bench},
  };
  return table;
}

}  // namespace tribo
