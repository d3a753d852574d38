#include <array>

#include "studies/study.hpp"

namespace tribo {

std::span<const StudyInfo> studies() {
  static const std::array<StudyInfo, 1> table = {
      StudyInfo{"drumwright-2015", "no-slip contact: the grasp of Table I, the cost in contacts and bodies, the errata",
                run_drumwright_2015},
  };
  return table;
}

}  // namespace tribo
