// Stage 9, advance: q⁺ = q ⊕ h v⁺; activations follow controls; kinematic bodies move at their prescribed velocities.
//     in   v⁺, control
//     out  State
#pragma once

#include "tribo/multibody/model.hpp"

#include "sim/setup.hpp"

namespace tribo {

class AdvanceStage {
 public:
  explicit AdvanceStage(const StepSetup& setup) : setup_(setup) {}
  // False: positions would not be finite any more; the state is as it was.
  bool run(const VectorXd& v_next, const VectorXd& control, State& state);

 private:
  const StepSetup& setup_;
  State last_;
};

}  // namespace tribo
