// Stage 1, drift: positions go on with v to where the forces of the step act, q_m = q ⊕ lead · h v. Kinematic bodies
// go along.
//     in   state, MotionMemory of the last step
//     out  State: positions;  StepTimes
// Stage 10, advance: v becomes v⁺ (0 where it is below 1e-100), positions q⁺ = q_m ⊕ (1 − lead) h v⁺: angles
// and lengths are added, quaternions turned. Activations follow their controls. Kinematic bodies, which are moved by
// hand, go on at their velocities.
//     in   v⁺, control
//     out  State
// Lead   1/2, or the time of the first impact that bounces, where that lies in the step (find_leads): a bounce starts
//        where the surfaces touch, and keeps its energy. What contacts, loops and tendons join has one lead, what moves
//        by itself its own. An impact without bouncing needs no such care: the rows of the step before it let the
//        surfaces close until the next rows, not pass. A first step, whose past nobody knows, looks where the drift
//        leads, and stops where the first contact may close.
#pragma once

#include "tribo/multibody/model.hpp"

#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

// Two blocks with a contact, -1: one that nothing moves, and when it closes, as a share of the step; above 1: it does
// not.
struct Closing {
  Index a = -1, b = -1;
  double when = 2.0;
};

// What a step leaves to the next one about its motion.
struct MotionMemory {
  std::vector<double> leads, last_leads;  // per block of v, of the next step and of the last one; empty: not known
  VectorXd push,
      old_push;  // N·s per dof: what contacts and joints gave in the last step, and in the one before; empty: not known
};

class DriftStage {
 public:
  explicit DriftStage(const StepSetup& setup);
  // The usual leads.
  void set_times(StepTimes& out) const;
  void begin(const StepTimes& times, State& state);
  // False: positions would not be finite any more; the state is as it was before the step.
  bool end(const StepTimes& times, const VectorXd& v_next, const VectorXd& control, State& state);
  // Takes back what begin() did.
  void undo(State& state) const { state = last_; }
  // The leads of the next step, from the rows of this one with its answer.
  void find_leads(const StepRows& rows, std::vector<double>& leads);
  // Those of a first step, from what was found near and closes: the drift shall pass nothing.
  void find_first_leads(const std::vector<Closing>& closing, std::vector<double>& leads);

 private:
  struct Group {
    double first = 1.0, bounce = 1.0;  // of the next step: when a contact closes, when one bounces
  };
  void move(const StepTimes& times, bool rest, State& state) const;
  void begin_groups();
  Index group_of(Index block);
  void join(Index a, Index b);
  void join_rows(const BlockRows& rows);

  const StepSetup& setup_;
  State last_;
  std::vector<Index> parent_;  // per block: union by the smallest number
  std::vector<Group> groups_;  // per block, at the first of each group
};

}  // namespace tribo
