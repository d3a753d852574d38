// Stage 4, recall: what the last step left for this one, found again by the keys of contacts.
//     in   ContactStart of the last step (remember.hpp); contacts that are new start without load, and all do where warm_start is off
//     out  StartValues in the order of the rows: impulses and marks (solvers read the states off the impulses);  StepRows: the tangential springs of compliant contacts, and for the model friction
//          box the bounds of friction, mu times the normal impulse of the last step
#pragma once

#include "tribo/problem/contact_start.hpp"

#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

class RecallStage {
 public:
  explicit RecallStage(const StepSetup& setup) : setup_(setup) {}
  void run(const ContactStart& memory, StepRows& rows, StartValues& out) const;

 private:
  const StepSetup& setup_;
};

}  // namespace tribo
