#include "sim/dynamics.hpp"

#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>

namespace tribo {

void DynamicsStage::run(const DynamicsInput& input, Data& data, StepRows& rows, FreeMotion& out) {
  const Model& model = setup_.model;
  calc_dynamics(model, input.state, data);
  assembler_.begin(input.state, data, input.control, input.applied, setup_.assembly, rows.problem);
  list_joint_rows(rows);
  const bool factored = rows.problem.mass.factorize().has_value();  // the one factorization of this step
  const bool driven = model.nu() > 0 || !input.applied.isZero(0.0);
  if (driven && factored) {
    out.speed_gain = setup_.h * rows.problem.f;
    rows.problem.mass.factor()->solve(out.speed_gain);
  } else {
    out.speed_gain.resize(0);
  }
  out.turn = 0.0;
  for (Index b = 0; b < model.nb(); ++b)
    out.turn = std::max(out.turn, setup_.h * calc_velocity(data, b, data.origin[b]).angular.norm());
}

void DynamicsStage::list_joint_rows(StepRows& rows) const {
  rows.joint_rows.clear();
  std::size_t limits = 0, dry = 0;
  for (const JointRow& row : assembler_.joint_rows()) {
    JointRowRecord& record = rows.joint_rows.emplace_back();
    record.joint = row.joint;
    record.place = row.place;
    record.kind = row.dry_friction ? JointRowKind::kDryFriction : JointRowKind::kLimit;
    if (row.dry_friction) {
      record.bound = rows.problem.bound(static_cast<Index>(dry++));
    } else {
      record.gap = rows.problem.contacts[limits++].gap;
    }
  }
}

}  // namespace tribo
