// Stage 5, recall: what the last step left for this one, found again by the keys of contacts.
//     in   ContactStart of the last step (remember.hpp); contacts that are new start without load, and all do where
//          warm_start is off
//     out  StartValues in the order of the rows: impulses and marks (solvers read the states off the impulses);
//          StepRows: offsets of normals that turn, the tangential springs of compliant contacts, and for the model
//          friction box the bounds of friction, mu times the normal impulse of the last step
// Normals   N of a contact that carries a load turns with the bodies. v⁺ shall obey the N of the end of the step, not
//           that of its middle: N v⁺ + (1 − lead) h Ṅ v ≥ 0, with Ṅ v from what N v⁺ was in the last step
//           and N v is now (Integrator::kMidpoint).
#pragma once

#include "tribo/problem/contact_start.hpp"

#include "sim/drift.hpp"
#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

class RecallStage {
 public:
  explicit RecallStage(const StepSetup& setup) : setup_(setup) {}
  void run(const ContactStart& memory, const MotionMemory& motion, StepRows& rows, StartValues& out);
  // Where rows ask for speeds, other rows may forbid them: jammed bodies, loops that do not close. False: none asks.
  // Else they ask no more: v⁺ = 0 obeys all rows again but those of bounces and kinematic bodies.
  bool ease(StepRows& rows) const;

 private:
  void follow_normals(const ContactStart& memory, const MotionMemory& motion, const StartValues& start, StepRows& rows);

  const StepSetup& setup_;
  IndexList followed_;  // rows of N whose offset has a part of follow_normals
};

}  // namespace tribo
