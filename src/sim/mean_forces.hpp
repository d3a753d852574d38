// Forces that depend on velocities, with the mean of a step in the place of its beginning (Integrator::kMidpoint).
//     bias     Coriolis and gyroscopic forces are those of v_m = (v + v⁺)/2, with M at q_m: second order, and the
//              same forwards and backwards in time
//     energy   what M(q) changes on the way from q to q⁺ is not quite what these forces give. The difference of a
//              tree with several bodies is measured where the step will end, and taken out of its motion:
//                  ε = E(q⁺, v⁺) − E(q, v) − v_m·M (v⁺ − v) − h v_m·bias(q_m, v_m),    f += −ε/(h v_m·M d) M d              (1)
//              E: kinetic energy and gravity's; d is v_m, of trees that fly v_m less the motion as one rigid body, so
//              that it has no momentum. A tree then keeps its energy to rounding between impacts, however long and wild its
//              motion: without (1) a chain of ten links wanders by some percent in 100 s
// v⁺ is found by fixed points, with the forces and with what contacts, loops and friction gave last: the smaller of
// the last two steps, so that an impact is not repeated. Where contacts give something else, (1) is as small as the
// change.
//     in   state before and after the drift, Data at q_m, problem without contacts, factored; MotionMemory
//     out  problem.f;  gain: v⁺ − v as it was found
#pragma once

#include "tribo/multibody/data.hpp"

#include "sim/drift.hpp"
#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

class MeanForces {
 public:
  explicit MeanForces(const StepSetup& setup);
  bool any() const { return !trees_.empty(); }
  // Not so where all bodies are by themselves and do not turn.
  bool changes(const VectorXd& v) const;
  // Before the drift.
  void begin(const State& state);
  void run(const State& state, const VectorXd& push, Data& data, StepRows& rows, VectorXd& gain);

 private:
  struct Tree {
    Index index = 0, start = 0, size = 0;
    bool single = false;  // one body that turns freely: its motion without forces is in problem.f
    bool flies = false;   // on a free joint, of several bodies
    bool settled = false;
    double energy = 0.0;   // J, before the step
    double excess = 0.0;   // J, ε of (1) as it is corrected
    double measure = 0.0;  // J, what rounding of an energy is relative to
  };
  void solve(const Tree& tree, const StepRows& rows, const VectorXd& push, VectorXd& gain) const;
  void place_ends(const State& state, const VectorXd& gain, const StepTimes& times);
  bool correct(Tree& tree, const Data& data, const StepRows& rows, const VectorXd& gain);
  void apply(const Tree& tree, const Data& data, const VectorXd& push, StepRows& rows, VectorXd& gain);
  bool settle(Tree& tree, Data& data, const VectorXd& push, StepRows& rows, VectorXd& gain);

  const StepSetup& setup_;
  std::vector<Tree> trees_;
  bool linked_ = false;  // some tree has several bodies
  Data ends_;            // where the step begins, then where it ends; trees of one body stay as they are
  State end_;
  VectorXd forces_, mean_, bias_, first_, way_, force_, correction_;
};

}  // namespace tribo
