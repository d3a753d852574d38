#include "sim/dynamics.hpp"

#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

namespace {

double smaller(double x, double y) { return x * y <= 0.0 ? 0.0 : std::abs(x) < std::abs(y) ? x : y; }

}  // namespace

DynamicsStage::DynamicsStage(const StepSetup& setup, Assembler& assembler)
    : setup_(setup), assembler_(assembler), options_(setup.assembly), mean_(setup) {}

// Couples of free and ball joints from the axes of their bodies, which turn, to the world's; way < 0: back.
void DynamicsStage::turn_couples(const Data& data, double way, VectorXd& push) const {
  const Model& model = setup_.model;
  for (Index j = 0; j < std::ssize(model.joints()); ++j) {
    const Joint& joint = model.joints()[j];
    if (joint.type != JointType::kFree && joint.type != JointType::kBall) continue;
    const Index at = model.v_start(j) + (joint.type == JointType::kFree ? 3 : 0);
    const Matrix3d& R = data.R[joint.body];
    const Vector3d couple = push.segment<3>(at);
    push.segment<3>(at) = way > 0.0 ? Vector3d(R * couple) : Vector3d(R.transpose() * couple);
  }
}

void DynamicsStage::calc_gain(const MotionMemory& motion, const Data& data, const StepRows& rows, FreeMotion& out) {
  out.gain = setup_.h * rows.problem.f;
  push_.setZero(setup_.model.nv());
  known_ = motion.old_push.size() > 0;
  for (Index dof = 0; known_ && dof < push_.size(); ++dof) push_(dof) = smaller(motion.push(dof), motion.old_push(dof));
  if (known_) turn_couples(data, -1.0, push_);
  out.gain.head(push_.size()) += push_;
  rows.problem.mass.factor()->solve(out.gain);
}

void DynamicsStage::run(const DynamicsInput& input, Data& data, StepRows& rows, FreeMotion& out) {
  const Model& model = setup_.model;
  options_.leads = rows.times.leads;
  calc_dynamics(model, input.state, data);
  assembler_.begin(input.state, data, input.control, input.applied, options_, rows.problem);
  list_joint_rows(rows);
  const bool factored = rows.problem.mass.factorize().has_value();  // the one factorization of this step
  const bool changes = mean_.changes(input.state.v);
  if (setup_.integrator != Integrator::kEuler && (setup_.may_bounce || changes)) {
    if (factored) {
      calc_gain(input.motion, data, rows, out);
      if (changes) mean_.run(input.state, push_, data, rows, out.gain);
    } else {
      out.gain.setZero(rows.problem.dof());
    }
  }
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

void DynamicsStage::remember(const Data& data, const StepRows& rows, const VectorXd& v_next, MotionMemory& out) {
  if (setup_.integrator == Integrator::kEuler || !asks_gain()) return;
  std::swap(out.push, out.old_push);
  const ContactProblem& problem = rows.problem;
  push_.resize(setup_.model.nv());
  const BlockLayout& trees = setup_.model.trees();
  out.push = -setup_.h * problem.f.head(trees.size());
  for (Index t = 0; t < trees.blocks(); ++t) {
    if (v_next.segment(trees.start(t), trees.size(t)) == problem.v.segment(trees.start(t), trees.size(t))) continue;
    auto changed = push_.segment(trees.start(t), trees.size(t));
    changed = v_next.segment(trees.start(t), trees.size(t)) - problem.v.segment(trees.start(t), trees.size(t));
    out.push.segment(trees.start(t), trees.size(t)).noalias() += problem.mass.block(t) * changed;
  }
  turn_couples(data, 1.0, out.push);
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
