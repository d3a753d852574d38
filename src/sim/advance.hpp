// Stage 9, advance: q⁺ = q ⊕ h v⁺; kinematic bodies move at their prescribed velocities.
//     in   v⁺
//     out  State
#pragma once

#include "tribo/multibody/model.hpp"

#include "sim/setup.hpp"

namespace tribo {

class AdvanceStage {
 public:
  explicit AdvanceStage(const StepSetup& setup) : setup_(setup) {}
  // False: positions would not be finite any more; the state is as it was.
  bool run(const VectorXd& v_next, State& state);

 private:
  const StepSetup& setup_;
  State last_;
};

}  // namespace tribo
