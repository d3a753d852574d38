// Stage 1, dynamics: from the state of the bodies and the forces on them to M, v, f and the rows of joints.
//     in   state, control, applied forces
//     out  StepRows: M̂, v, f̂, J, limits, dry friction (multibody/assembly.hpp), no contacts yet;  Data: positions, velocities, M;
//          FreeMotion: what the forces add to v in this step, for stage 2; how far bodies turn, for the report
#pragma once

#include "tribo/multibody/assembly.hpp"
#include "tribo/multibody/data.hpp"

#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

struct DynamicsInput {
  const State& state;
  const VectorXd& control;
  const VectorXd& applied;
};

struct FreeMotion {
  // m/s, rad/s per degree of freedom: h M̂⁻¹ f̂, gravity included. Empty where the model has no actuators and nothing is applied, or M̂ is not
  // positive definite.
  VectorXd speed_gain;
  double turn = 0.0;  // rad, the most that a body turns in the step with v
};

class DynamicsStage {
 public:
  DynamicsStage(const StepSetup& setup, Assembler& assembler) : setup_(setup), assembler_(assembler) {}
  void run(const DynamicsInput& input, Data& data, StepRows& rows, FreeMotion& out);

 private:
  void list_joint_rows(StepRows& rows) const;

  const StepSetup& setup_;
  Assembler& assembler_;
};

}  // namespace tribo
