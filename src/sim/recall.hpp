// Stage 4, recall: what the last step left for this one, found again by the keys of contacts.
//     in   ContactStart: impulses, springs and marks of rest of the last step
//     out  Recalled: where each island starts;  StepRows: held springs of compliant contacts, bounds of the friction box
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
