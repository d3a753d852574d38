#include "sim/drift.hpp"

#include "tribo/multibody/actuation.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

namespace {

constexpr double kLead = 0.5;
constexpr double kMostLead = 0.99;   // an impact at the very end of a step can wait for the next one
constexpr double kNoSpeed = 1e-100;  // m/s, rad/s: squares of smaller numbers underflow, and friction leaves such rests

bool is_finite(const State& state) {
  return state.q.allFinite() && state.activation.allFinite() &&
         std::all_of(state.kinematic.begin(), state.kinematic.end(), [](const auto& motion) {
           return motion.pose.p.allFinite() && motion.pose.q.coeffs().allFinite();
         });
}

}  // namespace

DriftStage::DriftStage(const StepSetup& setup) : setup_(setup), last_(make_state(setup.model)) {
  const auto blocks = static_cast<std::size_t>(setup.model.trees().blocks()) + setup.model.kinematic_bodies().size();
  parent_.resize(blocks);
  groups_.resize(blocks);
}

void DriftStage::set_times(StepTimes& out) const {
  const bool euler = setup_.integrator == Integrator::kEuler;
  out.integrator = setup_.integrator;
  out.h = setup_.h;
  out.leads.assign(parent_.size(), euler ? 0.0 : kLead);
  out.list = setup_.h;
}

void DriftStage::move(const StepTimes& times, bool rest, State& state) const {
  const Model& model = setup_.model;
  const Index trees = model.trees().blocks();
  const auto seconds_of = [&](Index block) {
    const StepRule rule = times.of(block);
    return rest ? rule.rest() : rule.h - rule.rest();
  };
  for (Index t = 0; t < trees; ++t) {
    const double seconds = seconds_of(t);
    if (seconds > 0.0) integrate_tree(model, t, state.v, seconds, state.q);
  }
  for (std::size_t k = 0; k < state.kinematic.size(); ++k) {
    const double seconds = seconds_of(trees + static_cast<Index>(k));
    KinematicState& motion = state.kinematic[k];
    motion.pose.p += seconds * motion.velocity;
    const double angle = seconds * motion.angular_velocity.norm();
    if (angle > 0.0) {
      motion.pose.q = Quaterniond(Eigen::AngleAxisd(angle, motion.angular_velocity.normalized())) * motion.pose.q;
      motion.pose.q.normalize();
    }
  }
}

void DriftStage::begin(const StepTimes& times, State& state) {
  last_ = state;
  if (times.integrator != Integrator::kEuler) move(times, false, state);
}

bool DriftStage::end(const StepTimes& times, const VectorXd& v_next, const VectorXd& control, State& state) {
  const Model& model = setup_.model;
  for (Index dof = 0; dof < model.nv(); ++dof) state.v(dof) = std::abs(v_next(dof)) < kNoSpeed ? 0.0 : v_next(dof);
  move(times, true, state);
  for (Index u = 0; u < model.nu(); ++u)
    state.activation(u) =
        calc_next_activation(model.description().actuators[u], state.activation(u), control(u), setup_.h);
  if (is_finite(state)) return true;
  undo(state);
  return false;
}

// What hangs on a kinematic body goes with it.
void DriftStage::begin_groups() {
  const Model& model = setup_.model;
  for (std::size_t k = 0; k < parent_.size(); ++k) parent_[k] = static_cast<Index>(k);
  groups_.assign(groups_.size(), {});
  for (Index t = 0; t < model.trees().blocks(); ++t)
    join(t, setup_.block_of(model.bodies()[model.first_body(t)].parent));
}

Index DriftStage::group_of(Index block) {
  while (parent_[block] != block) block = parent_[block] = parent_[parent_[block]];
  return block;
}

void DriftStage::join(Index a, Index b) {
  if (a < 0 || b < 0 || a == b) return;
  const Index first = group_of(a), second = group_of(b);
  parent_[std::max(first, second)] = std::min(first, second);
}

void DriftStage::join_rows(const BlockRows& rows) {
  for (Index i = 0; i < rows.rows(); ++i) join(rows.block(i, 0), rows.block(i, 1));
}

// Contacts go on as they are: with v⁺, from the gap that the rest of the step leaves.
void DriftStage::find_leads(const StepRows& rows, std::vector<double>& leads) {
  const bool euler = setup_.integrator == Integrator::kEuler;
  leads.assign(parent_.size(), euler ? 0.0 : kLead);
  if (euler || !setup_.may_bounce) return;
  begin_groups();
  for (const BlockRows* all : {&rows.problem.N, &rows.problem.J, &rows.problem.D}) join_rows(*all);
  for (std::size_t i = 0; i < rows.contacts.size(); ++i) {
    const ContactRecord& contact = rows.contacts[i];
    const Index row = rows.limits() + static_cast<Index>(i);
    const double approach = -contact.velocity(2);
    if (!(approach > 0.0)) continue;
    const double gap = contact.gap - rows.times.of(rows.problem.N, row).rest() * approach;
    if (!(gap > setup_.options.touching) || !(gap < setup_.h * approach)) continue;
    const double when = gap / (setup_.h * approach);
    const bool bounces = rows.laws[static_cast<std::size_t>(row)].restitution > 0.0 && approach > setup_.bounce_speed;
    Group& group = groups_[group_of(std::max(rows.problem.N.block(row, 0), rows.problem.N.block(row, 1)))];
    group.first = std::min(group.first, when);
    if (bounces) group.bounce = std::min(group.bounce, when);
  }
  for (std::size_t k = 0; k < leads.size(); ++k) {
    const Group& group = groups_[group_of(static_cast<Index>(k))];
    if (group.bounce < kLead || group.bounce <= std::min(group.first, kMostLead)) leads[k] = group.bounce;
  }
}

void DriftStage::find_first_leads(const std::vector<Closing>& closing, std::vector<double>& leads) {
  leads.assign(parent_.size(), kLead);
  begin_groups();
  for (std::size_t k = 1; k < parent_.size() && !setup_.model.description().equalities.empty(); ++k)
    join(0, static_cast<Index>(k));  // loops have no rows yet
  for (const Closing& contact : closing) join(contact.a, contact.b);
  for (const Closing& contact : closing) {
    Group& group = groups_[group_of(std::max(contact.a, contact.b))];
    group.first = std::min(group.first, contact.when);
  }
  for (std::size_t k = 0; k < leads.size(); ++k)
    leads[k] = std::min(kLead, groups_[group_of(static_cast<Index>(k))].first);
}

}  // namespace tribo
