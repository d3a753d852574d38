#include "tribo/multibody/assembly.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/multibody/actuation.hpp"
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/free_turn.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/quaternion.hpp"
#include "multibody/row_writer.hpp"
#include "multibody/springs.hpp"

namespace tribo {

namespace {

BlockLayout make_layout(const Model& model) {
  BlockLayout layout = model.trees();
  for (std::size_t k = 0; k < model.kinematic_bodies().size(); ++k) layout.append(6);
  return layout;
}

void reset(BlockRows& rows, const BlockLayout& layout) {
  if (rows.layout() == layout) {
    rows.clear();
  } else {
    rows = BlockRows(layout);
  }
}

}  // namespace

Assembler::Assembler(const Model& model) : model_(model), layout_(make_layout(model)), arms_(model.nv()) {
  Index largest = 6;
  for (Index t = 0; t < layout_.blocks(); ++t) largest = std::max(largest, layout_.size(t));
  row_a_.resize(static_cast<std::size_t>(largest));
  entries_.reserve(static_cast<std::size_t>(model.nv()));  // arms come and go where strings begin to wrap
  row_b_ = row_a_;
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    if (turns_freely(model, t)) spinning_.push_back(t);
  }
  limits_drives_ = std::any_of(model.joints().begin(), model.joints().end(),
                               [](const Joint& joint) { return joint.actuation_limited; });
  if (!limits_drives_) return;
  driven_.setZero(model.nv());
  drives_.resize(static_cast<std::size_t>(model.nu()));
  at_limit_.resize(static_cast<std::size_t>(model.nv()));
}

// The arms of an actuator, without the zeros.
void Assembler::gather_arms(const State& state, const Data& data, Index index) {
  const Actuator& actuator = model_.description().actuators[index];
  entries_.clear();
  const bool joint = actuator.transmission == Transmission::kJoint;
  if (joint && calc_nv(model_.joints()[actuator.target].type) == 1) {
    entries_.push_back({model_.v_start(actuator.target), actuator.gear[0]});
    return;
  }
  calc_arms(model_, state, data, index, arms_);
  for (Index dof = 0; dof < model_.nv(); ++dof) {
    if (arms_(dof) != 0.0) entries_.push_back({dof, arms_(dof)});
  }
}

double Assembler::calc_speed(const State& state) const {
  double speed = 0.0;
  for (const Arm& arm : entries_) speed += arm.value * state.v(arm.dof);
  return speed;
}

StepRule Assembler::rule_of(const AssemblyOptions& options, Index block) const {
  const bool known = block >= 0 && block < std::ssize(options.leads);
  return {options.integrator, options.h, known ? options.leads[static_cast<std::size_t>(block)] : 0.0};
}

StepRule Assembler::rule_of_dof(Index dof) const { return rule_of(*options_, model_.tree(model_.dof_body(dof))); }

// kg: what a force along the arms at hand has to move, at most: all other joints count as free.
double Assembler::calc_mass(const Data& data) const {
  double sum = 0.0;
  for (const Arm& arm : entries_) {
    const Index tree = model_.tree(model_.dof_body(arm.dof)), at = arm.dof - model_.trees().start(tree);
    sum += arm.value * arm.value / data.M[tree](at, at);
  }
  return 1.0 / sum;
}

// K and D of (1) for the arms a at hand, and what they change in f̂. M̂ has no place for what couples two trees; a aᵀ is at
// most `trees` times its diagonal blocks, which keeps the step stable and is as good in the limit of small steps.
void Assembler::add_implicit(const Data& data, double stiffness, double damping, double speed,
                             ContactProblem& problem) {
  if (entries_.empty()) return;
  const double h = problem.h;
  const auto tree_of = [&](const Arm& arm) { return model_.tree(model_.dof_body(arm.dof)); };
  double trees = 0.0;
  Index last = -1;
  for (const Arm& arm : entries_) {  // those of one tree follow one another, but for tendons: then the bound is wide
    if (tree_of(arm) != last) trees += 1.0;
    last = tree_of(arm);
  }
  const ImplicitShares shares =
      calc_implicit_shares(rule_of_dof(entries_.front().dof), calc_mass(data), stiffness, damping);
  const double value = trees * (h * shares.w * damping + h * h * shares.a * stiffness);
  const double force = h * (shares.a - shares.b) * stiffness * speed;
  for (const Arm& a : entries_) {
    const Index tree = tree_of(a), start = model_.trees().start(tree);
    for (const Arm& b : entries_) {
      if (tree_of(b) == tree) problem.mass.block(tree)(a.dof - start, b.dof - start) += value * a.value * b.value;
    }
    problem.f(a.dof) -= force * a.value;
  }
}

void Assembler::add_springs(const State& state, const Data& data, ContactProblem& problem) {
  const double h = problem.h;
  for (std::size_t j = 0; j < model_.joints().size(); ++j) {
    const Joint& joint = model_.joints()[j];
    if (joint.stiffness == 0.0 && joint.damping == 0.0) continue;
    const Index first = model_.v_start(static_cast<Index>(j));
    const Index tree = model_.tree(joint.body);
    for (Index dof = first; dof < first + calc_nv(joint.type); ++dof) {
      const Index at = dof - model_.trees().start(tree);
      const ImplicitShares shares =
          calc_implicit_shares(rule_of(*options_, tree), data.M[tree](at, at), joint.stiffness, joint.damping);
      problem.mass.block(tree)(at, at) += h * shares.w * joint.damping + h * h * shares.a * joint.stiffness;
      problem.f(dof) -= h * (shares.a - shares.b) * joint.stiffness * state.v(dof);
    }
  }
  for (std::size_t t = 0; t < data.tendons.size(); ++t) {
    const Tendon& tendon = model_.description().tendons[t];
    const double stiffness = calc_slack(tendon, data.tendons[t].length) != 0.0 ? tendon.stiffness : 0.0;
    if (stiffness == 0.0 && tendon.damping == 0.0) continue;
    entries_.clear();
    for (const TendonArm& arm : data.tendons[t].arms) entries_.push_back({arm.dof, arm.value});
    add_implicit(data, stiffness, tendon.damping, calc_speed(state), problem);
  }
}

// Where a joint clamps the sum of its drives, they have no gains along it.
void Assembler::add_limited_drives(const State& state, const Data& data, const VectorXd& control, bool implicit,
                                   ContactProblem& problem) {
  driven_.setZero();
  for (Index u = 0; u < model_.nu(); ++u) {
    gather_arms(state, data, u);
    drives_[u] = calc_drive(model_, state, data, u, control.size() > 0 ? control(u) : 0.0, calc_speed(state));
    for (const Arm& arm : entries_) driven_(arm.dof) += drives_[u].force * arm.value;
  }
  std::fill(at_limit_.begin(), at_limit_.end(), std::uint8_t{0});
  for (std::size_t j = 0; j < model_.joints().size(); ++j) {
    const Joint& joint = model_.joints()[j];
    if (!joint.actuation_limited) continue;
    const Index dof = model_.v_start(static_cast<Index>(j));
    at_limit_[dof] = driven_(dof) > joint.actuation_lower && driven_(dof) < joint.actuation_upper ? 0 : 1;
    driven_(dof) = std::clamp(driven_(dof), joint.actuation_lower, joint.actuation_upper);
  }
  problem.f.head(model_.nv()) += driven_;
  for (Index u = 0; implicit && u < model_.nu(); ++u) {
    gather_arms(state, data, u);
    std::erase_if(entries_, [&](const Arm& arm) { return at_limit_[arm.dof] != 0; });
    add_implicit(data, std::max(0.0, drives_[u].stiffness), std::max(0.0, drives_[u].damping), calc_speed(state),
                 problem);
  }
}

void Assembler::add_drives(const State& state, const Data& data, const VectorXd& control, bool implicit,
                           ContactProblem& problem) {
  if (limits_drives_) return add_limited_drives(state, data, control, implicit, problem);
  for (Index u = 0; u < model_.nu(); ++u) {
    gather_arms(state, data, u);
    const double speed = calc_speed(state);
    const Drive drive = calc_drive(model_, state, data, u, control.size() > 0 ? control(u) : 0.0, speed);
    for (const Arm& arm : entries_) problem.f(arm.dof) += drive.force * arm.value;
    // A negative gain pushes away from the goal: implicit Euler would make M̂ indefinite.
    if (implicit) add_implicit(data, std::max(0.0, drive.stiffness), std::max(0.0, drive.damping), speed, problem);
  }
}

void Assembler::begin(const State& state, const Data& data, const VectorXd& control, const VectorXd& applied,
                      const AssemblyOptions& options, ContactProblem& problem) {
  TRIBO_REQUIRE(options.h > 0.0, "the step must be positive");
  TRIBO_REQUIRE(control.size() == 0 || control.size() == model_.nu(), "control has one number per actuator");
  TRIBO_REQUIRE(applied.size() == 0 || applied.size() == model_.nv(), "applied has one number per dof");
  const Index nv = model_.nv(), trees = model_.trees().blocks();
  const auto kinematic = static_cast<Index>(state.kinematic.size());
  problem.level = Level::kVelocity;
  problem.h = options.h;
  options_ = &options;
  if (!(problem.mass.layout() == layout_)) {
    problem.mass = BlockDiagonal();
    for (Index t = 0; t < trees; ++t) problem.mass.append(data.M[t]);
    for (Index k = 0; k < kinematic; ++k) problem.mass.append(MatrixXd::Identity(6, 6));
  }
  for (Index t = 0; t < trees; ++t) problem.mass.block(t) = data.M[t];
  problem.v.resize(layout_.size());
  problem.f.setZero(layout_.size());
  problem.v.head(nv) = state.v;
  problem.f.head(nv) = data.passive - data.bias;
  for (std::size_t k = 0; options.implicit && k < spinning_.size(); ++k) {
    const Index tree = spinning_[k];
    const Index start = layout_.start(tree), size = layout_.size(tree);
    calc_turning_force(data.M[tree], data.R[model_.dof_body(start)], state.v.segment(start, size), options.h,
                       rule_of(options, tree).lead, arms_.head(size));
    problem.f.segment(start, size) += arms_.head(size);
  }
  if (applied.size() > 0) problem.f.head(nv) += applied;
  if (options.implicit) add_springs(state, data, problem);
  add_drives(state, data, control, options.implicit, problem);

  calc_equalities(model_, state, data, equalities_);
  reset(problem.J, layout_);
  const Index couplings = equalities_.J.rows();
  for (Index i = 0; i < couplings; ++i) {
    const std::array<BlockRows::Segment, 2> row = equalities_.J.row(i);
    problem.J.add_row(row[0], row[1]);
  }
  problem.b_J.resize(couplings + 6 * kinematic);
  problem.a_J.setZero(couplings + 6 * kinematic);
  for (Index i = 0; i < couplings; ++i) {
    problem.b_J(i) = options.loop_share * equalities_.error[i] / options.h + equalities_.carried[i];
    problem.a_J(i) = equalities_.drift[i];
    if (options.integrator == Integrator::kMidpoint)
      problem.b_J(i) +=
          rule_of(options, std::max(problem.J.block(i, 0), problem.J.block(i, 1))).rest() * equalities_.drift[i];
  }
  for (Index k = 0; k < kinematic; ++k) {
    const KinematicState& motion = state.kinematic[k];
    const Index at = layout_.start(trees + k);
    problem.v.segment<3>(at) = motion.velocity;
    problem.v.segment<3>(at + 3) = motion.angular_velocity;
    for (int i = 0; i < 6; ++i) {
      std::fill_n(row_a_.begin(), 6, 0.0);
      row_a_[i] = 1.0;
      problem.J.add_row({trees + k, {row_a_.data(), 6}});
      problem.b_J(couplings + 6 * k + i) = -problem.v(at + i);
    }
  }
  reset(problem.N, layout_);
  reset(problem.S, layout_);
  reset(problem.T, layout_);
  turning_ = options.turning;  // without it no rows, also where the problem had some
  reset(problem.spin, layout_);
  reset(problem.roll_s, layout_);
  reset(problem.roll_t, layout_);
  problem.contacts.clear();
  offsets_.clear();
  joint_rows_.clear();
  add_limits(state, data, options, problem);
  bounds_.clear();
  reset(problem.D, layout_);
  if (options.dry_friction) add_dry_friction(data, options, problem);
  problem.bound = Eigen::Map<const VectorXd>(bounds_.data(), static_cast<Index>(bounds_.size()));
}

void Assembler::add_zero_rows(ContactProblem& problem) {
  problem.T.add_row({});
  if (!turning_) return;
  problem.spin.add_row({});
  problem.roll_s.add_row({});
  problem.roll_t.add_row({});
}

// |impulse| ≤ h F.
void Assembler::add_dry_friction(const Data& data, const AssemblyOptions& options, ContactProblem& problem) {
  const auto add = [&](Index joint, int place, double force) {
    bounds_.push_back(options.h * force);
    joint_rows_.push_back({joint, true, place});
  };
  for (std::size_t j = 0; j < model_.joints().size(); ++j) {
    const Joint& joint = model_.joints()[j];
    if (joint.friction_loss == 0.0) continue;
    const Index tree = model_.tree(joint.body), at = model_.v_start(static_cast<Index>(j)) - layout_.start(tree);
    for (int k = 0; k < calc_nv(joint.type); ++k) {
      std::fill(row_a_.begin(), row_a_.end(), 0.0);
      row_a_[at + k] = 1.0;
      problem.D.add_row({tree, {row_a_.data(), static_cast<std::size_t>(layout_.size(tree))}});
      add(static_cast<Index>(j), k, joint.friction_loss);
    }
  }
  for (std::size_t t = 0; t < model_.description().tendons.size(); ++t) {
    const Tendon& tendon = model_.description().tendons[t];
    if (tendon.friction_loss == 0.0 || data.tendons[t].arms.empty()) continue;
    RowWriter row(model_, equalities_.memory);
    row.clear();
    for (const TendonArm& arm : data.tendons[t].arms) row.add(arm.dof, arm.value);
    row.write(problem.D);
    add(static_cast<Index>(model_.joints().size() + t), 0, tendon.friction_loss);
  }
}

void Assembler::add_limits(const State& state, const Data& data, const AssemblyOptions& options,
                           ContactProblem& problem) {
  // What moves fast reaches farther.
  double look = 0.0;  // s, of the joint at hand
  const auto reach_of = [&](double speed) { return look * std::max(options.reach_speed, 2.0 * std::abs(speed)); };
  const auto add = [&](Index joint, int side, double gap) {
    problem.S.add_row({});
    add_zero_rows(problem);
    Contact limit;
    limit.kind = RowKind::kLimit;
    limit.gap = gap;
    limit.key = {-1, joint, static_cast<std::uint64_t>(side + 1)};
    problem.contacts.push_back(limit);
    offsets_.push_back(gap < 0.0 ? options.limit_share * gap / options.h : gap / look);
    joint_rows_.push_back({joint, false, side});
  };
  for (std::size_t j = 0; j < model_.joints().size(); ++j) {
    const Joint& joint = model_.joints()[j];
    if (!joint.limited || joint.type == JointType::kFree || joint.type == JointType::kPlanar) continue;
    const Index tree = model_.tree(joint.body), at = model_.v_start(static_cast<Index>(j)) - layout_.start(tree);
    look = rule_of(options, tree).look();
    const double* q = state.q.data() + model_.q_start(static_cast<Index>(j));
    if (joint.type == JointType::kBall) {
      const Vector3d angle = rotation_vector(read_quaternion(q));
      const double length = angle.norm(), gap = joint.upper - length;
      const double speed = state.v.segment<3>(model_.v_start(static_cast<Index>(j))).norm();
      if (!(gap < reach_of(speed)) || !(length > 0.0)) continue;
      std::fill(row_a_.begin(), row_a_.end(), 0.0);
      for (int k = 0; k < 3; ++k) row_a_[at + k] = -angle(k) / length;
      problem.N.add_row({tree, {row_a_.data(), static_cast<std::size_t>(layout_.size(tree))}});
      add(static_cast<Index>(j), 1, gap);
      continue;
    }
    for (const double sign : {1.0, -1.0}) {
      const double gap = sign > 0.0 ? q[0] - joint.lower : joint.upper - q[0];
      if (!(gap < reach_of(state.v(model_.v_start(static_cast<Index>(j)))))) continue;
      std::fill(row_a_.begin(), row_a_.end(), 0.0);
      row_a_[at] = sign;
      problem.N.add_row({tree, {row_a_.data(), static_cast<std::size_t>(layout_.size(tree))}});
      add(static_cast<Index>(j), sign > 0.0 ? -1 : 1, gap);
    }
  }
  for (std::size_t t = 0; t < model_.description().tendons.size(); ++t) {
    const Tendon& tendon = model_.description().tendons[t];
    if (!tendon.limited || data.tendons[t].arms.empty()) continue;
    const double length = data.tendons[t].length, speed = data.tendons[t].calc_speed(state.v);
    look = rule_of_dof(data.tendons[t].arms.front().dof).look();
    for (const double sign : {1.0, -1.0}) {
      const double gap = sign > 0.0 ? length - tendon.lower : tendon.upper - length;
      if (!(gap < reach_of(speed))) continue;
      RowWriter row(model_, equalities_.memory);
      row.clear();
      for (const TendonArm& arm : data.tendons[t].arms) row.add(arm.dof, sign * arm.value);
      row.write(problem.N);
      add(static_cast<Index>(model_.joints().size() + t), sign > 0.0 ? -1 : 1, gap);
    }
  }
}

void Assembler::add(const Data& data, const ContactPoint& contact, const Contact& law, double offset,
                    ContactProblem& problem) {
  const auto block_of = [&](Index body) {
    const Index carrier = model_.carrier(body);
    return carrier >= 0 ? model_.trees().blocks() + model_.kinematic_index(carrier) : model_.tree(body);
  };
  // The row of one body; kinematic bodies have their own velocity as coordinates.
  const auto fill = [&](Index body, const Vector3d& dir, const Vector3d& turn, double sign, double* row) {
    const Index carrier = model_.carrier(body);
    if (carrier < 0) return add_row(model_, data, body, contact.point, dir, turn, sign, row);
    const Vector3d couple = (contact.point - data.p[carrier]).cross(dir) + turn;
    for (int k = 0; k < 3; ++k) {
      row[k] += sign * dir(k);
      row[3 + k] += sign * couple(k);
    }
  };
  const Index a = block_of(contact.body_a), b = block_of(contact.body_b);
  const auto add_rows = [&](const Vector3d& dir, const Vector3d& turn, BlockRows& rows) {
    BlockRows::Segment first, second;
    if (a >= 0) {
      std::fill(row_a_.begin(), row_a_.end(), 0.0);
      fill(contact.body_a, dir, turn, 1.0, row_a_.data());
      first = {a, {row_a_.data(), static_cast<std::size_t>(layout_.size(a))}};
    }
    if (b >= 0 && b != a) {
      std::fill(row_b_.begin(), row_b_.end(), 0.0);
      second = {b, {row_b_.data(), static_cast<std::size_t>(layout_.size(b))}};
    }
    if (b >= 0) fill(contact.body_b, dir, turn, -1.0, a == b ? row_a_.data() : row_b_.data());
    rows.add_row(first, second);
  };
  const Vector3d zero = Vector3d::Zero(), s = contact.frame.col(0), t = contact.frame.col(1), n = contact.frame.col(2);
  add_rows(n, zero, problem.N);
  add_rows(s, zero, problem.S);
  add_rows(t, zero, problem.T);
  if (turning_) {
    add_rows(zero, n, problem.spin);
    add_rows(zero, s, problem.roll_s);
    add_rows(zero, t, problem.roll_t);
  }
  problem.contacts.push_back(law);
  offsets_.push_back(offset);
  Contact& added = problem.contacts.back();
  added.gap = contact.gap;
  added.point = contact.point;
  added.frame = contact.frame;
  added.has_frame = true;
}

void Assembler::drop_contacts(ContactProblem& problem) {
  const Index limits = std::ssize(joint_rows_) - std::ssize(bounds_);
  for (BlockRows* rows : {&problem.N, &problem.S, &problem.T}) rows->keep(limits);
  if (turning_) {
    for (BlockRows* rows : {&problem.spin, &problem.roll_s, &problem.roll_t}) rows->keep(limits);
  }
  problem.contacts.resize(static_cast<std::size_t>(limits));
  offsets_.resize(static_cast<std::size_t>(limits));
}

void Assembler::end(ContactProblem& problem) const {
  problem.b_N = Eigen::Map<const VectorXd>(offsets_.data(), static_cast<Index>(offsets_.size()));
  problem.a_N.setZero(problem.N.rows());
}

}  // namespace tribo
