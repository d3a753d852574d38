// Stage 9, advance: v becomes v⁺ (0 where it is below 1e-100), q becomes q ⊕ h v⁺: angles and lengths are added, quaternions turned.
// Activations follow their controls. Kinematic bodies, which are moved by hand, go on at their prescribed velocities.
//     in   v⁺, control, the state
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
