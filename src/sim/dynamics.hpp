// Stage 2, dynamics: from the state of the bodies and the forces on them to M, v, f and the rows of joints.
//     in   positions where the forces act, v before the step, control, applied forces, what contacts gave in the last two steps
//     out  StepRows: M̂, v, f̂, J, limits, dry friction (multibody/assembly.hpp), no contacts yet;  Data: positions, velocities, M;
//          FreeMotion: what the forces add to v in this step, for stages 3 and 4; how far bodies turn, for the report
#pragma once

#include "tribo/multibody/assembly.hpp"
#include "tribo/multibody/data.hpp"

#include "sim/drift.hpp"
#include "sim/mean_forces.hpp"
#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

struct DynamicsInput {
  const State& state;
  const VectorXd& control;
  const VectorXd& applied;
  const MotionMemory& motion;
};

struct FreeMotion {
  // m/s, rad/s per degree of freedom: h M̂⁻¹ f̂, gravity included. Empty where the model has no actuators and nothing is applied, or M̂ is not
  // positive definite.
  VectorXd speed_gain;
  VectorXd
      gain;  // the same with what contacts gave last; empty where nobody asks (no bounces, no tree with several bodies)
  double turn = 0.0;  // rad, the most that a body turns in the step with v
};

class DynamicsStage {
 public:
  DynamicsStage(const StepSetup& setup, Assembler& assembler);
  void begin(const State& state) { mean_.begin(state); }  // before the drift
  // rows.times is given.
  void run(const DynamicsInput& input, Data& data, StepRows& rows, FreeMotion& out);
  // What contacts and joints gave, into the memory of the next step. Data as run() left it.
  void remember(const Data& data, const StepRows& rows, const VectorXd& v_next, MotionMemory& out);

 private:
  void list_joint_rows(StepRows& rows) const;
  void turn_couples(const Data& data, double way, VectorXd& push) const;
  void calc_gain(const MotionMemory& motion, const Data& data, const StepRows& rows, FreeMotion& out);
  bool asks_gain() const { return mean_.any() || setup_.may_bounce; }

  const StepSetup& setup_;
  Assembler& assembler_;
  AssemblyOptions options_;
  MeanForces mean_;
  VectorXd push_;  // N·s per dof, what contacts, loops and friction will give, as far as the last steps tell
  bool known_ = false;
};

}  // namespace tribo
