#include <array>

#include "studies/study.hpp"

namespace tribo {

std::span<const StudyInfo> studies() {
  static const std::array<StudyInfo, 4> table = {
      StudyInfo{"drumwright-2015", "no-slip contact: the grasp of Table I, the cost in contacts and bodies, the errata",
                run_drumwright_2015},
      StudyInfo{"drumwright-2018",
                "compliant contact at large steps: pendulum, foundation, ramp, spheres, beside SUNDIALS",
                run_drumwright_2018},
      StudyInfo{"lloyd-2005", "Coulomb friction by Lemke's method: the peg, ten situations, stacks; three methods",
                run_lloyd_2005},
      StudyInfo{"siconos-corpus", "friction problems of others by the true cone, beside every solver of Siconos",
                run_siconos_corpus},
  };
  return table;
}

}  // namespace tribo
