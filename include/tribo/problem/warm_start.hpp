// Where a solver of a complementarity problem starts: nothing, a vector, or an index set. Formulations translate a ContactStart
// (contact_start.hpp) into it; it is never guessed from the size of an output.
#pragma once

#include "tribo/linalg/types.hpp"

#include <vector>

namespace tribo {

enum class IndexState : signed char { kLower = -1, kActive = 0, kUpper = 1 };  // z = lo, w = 0, z = hi

struct WarmStart {
  std::vector<IndexState> states;  // one per complementarity row; pivoting methods. Empty: none
  VectorXd z;  // all unknowns (mixed: u, then z); sweeping methods and Dantzig start there, Lemke and
               // the oracle only ask whether it is the answer already. Empty: none
  bool empty() const { return states.empty() && z.size() == 0; }
  void clear() {
    states.clear();
    z.resize(0);
  }
};

}  // namespace tribo
