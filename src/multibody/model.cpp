#include "tribo/multibody/model.hpp"

#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/check.hpp"
#include "multibody/muscle.hpp"
#include "multibody/servo.hpp"

namespace tribo {

namespace {

// The reference position of a joint's coordinates.
void set_reference(const ModelDescription& description, const Joint& joint, Eigen::Ref<VectorXd> q) {
  switch (joint.type) {
    case JointType::kFree: {
      const Pose& pose = description.bodies[joint.body].pose;
      q << pose.p, pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z();
      break;
    }
    case JointType::kBall:
      q << 1.0, 0.0, 0.0, 0.0;
      break;
    case JointType::kPlanar:
      q.setZero();
      break;
    default:
      q(0) = joint.reference;
  }
}

}  // namespace

Expected<Model> Model::make(ModelDescription description) {
  if (Checked checked = check_description(description); !checked) return Unexpected<Error>{checked.error()};
  Model model;
  model.description_ = std::move(description);
  ModelDescription& d = model.description_;
  for (Body& body : d.bodies) body.pose.q.normalize();
  for (Geom& geom : d.geoms) geom.pose.q.normalize();
  for (Site& site : d.sites) site.pose.q.normalize();
  for (Equality& equality : d.equalities) {
    equality.frame_a.q.normalize();
    equality.frame_b.q.normalize();
  }
  for (Joint& joint : d.joints) joint.axis.normalize();
  const std::size_t nb = d.bodies.size();
  model.first_joint_.assign(nb, 0);
  model.joint_count_.assign(nb, 0);
  model.tree_.assign(nb, -1);
  model.last_dof_.assign(nb, -1);
  model.kinematic_index_.assign(nb, -1);
  model.carrier_.assign(nb, -1);
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    const Joint& joint = d.joints[j];
    if (model.joint_count_[joint.body]++ == 0) model.first_joint_[joint.body] = static_cast<Index>(j);
    model.q_start_.push_back(model.nq_);
    model.v_start_.push_back(model.nv_);
    model.nq_ += calc_nq(joint.type);
    model.nv_ += calc_nv(joint.type);
  }
  model.q0_.resize(model.nq_);
  model.armature_.resize(model.nv_);
  model.damping_.resize(model.nv_);
  std::vector<Index> sizes;
  for (std::size_t b = 1; b < nb; ++b) {
    const Body& body = d.bodies[b];
    if (body.kinematic) {
      model.kinematic_index_[b] = static_cast<Index>(model.kinematic_.size());
      model.kinematic_.push_back(static_cast<Index>(b));
    }
    const bool fixed = model.joint_count_[b] == 0 && model.tree_[body.parent] < 0;
    model.carrier_[b] = body.kinematic ? static_cast<Index>(b) : fixed ? model.carrier_[body.parent] : -1;
    Index dof = model.last_dof_[body.parent];
    model.tree_[b] = model.tree_[body.parent];
    if (model.joint_count_[b] > 0 && model.tree_[b] < 0) {
      model.tree_[b] = static_cast<Index>(sizes.size());
      sizes.push_back(0);
    }
    for (Index j = model.first_joint_[b]; j < model.first_joint_[b] + model.joint_count_[b]; ++j) {
      const Joint& joint = d.joints[j];
      set_reference(d, joint, model.q0_.segment(model.q_start_[j], calc_nq(joint.type)));
      for (int k = 0; k < calc_nv(joint.type); ++k) {
        model.parent_dof_.push_back(dof);
        model.dof_body_.push_back(static_cast<Index>(b));
        dof = static_cast<Index>(model.parent_dof_.size()) - 1;
        model.armature_(dof) = joint.armature;
        model.damping_(dof) = joint.damping;
        ++sizes[model.tree_[b]];
      }
    }
    model.last_dof_[b] = dof;
  }
  model.trees_ = BlockLayout(sizes);
  for (std::size_t b = 1; b < nb; ++b) {  // bodies are listed depth first, joints in the order of their bodies
    const Index body = static_cast<Index>(b), tree = model.tree_[b], first = model.first_joint_[b];
    if (tree < 0) continue;
    if (tree == std::ssize(model.tree_ranges_)) {
      const bool free = d.joints[first].type == JointType::kFree && sizes[tree] == calc_nv(JointType::kFree);
      model.tree_ranges_.push_back({body, body, model.q_start_[first], 0, free});
    }
    TreeRange& range = model.tree_ranges_[tree];
    range.end_body = body + 1;
    for (Index j = first; j < first + model.joint_count_[b]; ++j) range.size_q += calc_nq(d.joints[j].type);
  }
  for (const Sensor& sensor : d.sensors) {
    model.sensor_start_.push_back(model.sensor_size_);
    model.sensor_size_ += calc_size(sensor.type);
  }
  if (Checked checked = check_keyframes(model); !checked) return Unexpected<Error>{checked.error()};
  if (Checked checked = check_rows(model); !checked) return Unexpected<Error>{checked.error()};
  if (Checked checked = check_mass(model); !checked) return Unexpected<Error>{checked.error()};
  model.set_spring_dampers();
  model.measure_tendons();
  set_damping_ratios(model, d.actuators);
  if (Checked checked = complete_muscles(model, d.actuators); !checked) return Unexpected<Error>{checked.error()};
  return model;
}

// With the inertia I that the joint feels at the reference, 1 over the mean of its entries on the diagonal of M⁻¹:
// stiffness I / (time · ratio)², damping 2 I / time.
void Model::set_spring_dampers() {
  const auto asks = [](const Joint& joint) { return joint.spring_time > 0.0 && joint.spring_damping_ratio > 0.0; };
  if (std::none_of(joints().begin(), joints().end(), asks)) return;
  Data data(*this);
  calc_positions(*this, make_state(*this), data);
  calc_mass_matrix(*this, data);
  for (std::size_t j = 0; j < joints().size(); ++j) {
    Joint& joint = description_.joints[j];
    if (!asks(joint)) continue;
    const Index first = v_start_[j], count = calc_nv(joint.type);
    double mobility = 0.0;
    for (Index dof = first; dof < first + count; ++dof)
      mobility += solve_mass(*this, data, VectorXd::Unit(nv_, dof)).value()(dof) / static_cast<double>(count);
    const double inertia = 1.0 / mobility;
    const double swing = joint.spring_time * joint.spring_damping_ratio;
    joint.stiffness = inertia / (swing * swing);
    joint.damping = 2.0 * inertia / joint.spring_time;
    damping_.segment(first, count).setConstant(joint.damping);
  }
}

// Lengths at the reference, and rest lengths where the description leaves them open.
void Model::measure_tendons() {
  tendon_length0_.resize(std::ssize(description_.tendons));
  if (description_.tendons.empty()) return;
  Data data(*this);
  State state = make_state(*this);
  calc_positions(*this, state, data);
  for (Index t = 0; t < tendon_length0_.size(); ++t) tendon_length0_(t) = data.tendons[t].length;
  for (std::size_t j = 0; j < joints().size(); ++j) {
    if (calc_nq(joints()[j].type) == 1) state.q(q_start_[j]) = joints()[j].spring_reference;
  }
  calc_positions(*this, state, data);
  for (std::size_t t = 0; t < data.tendons.size(); ++t) {
    Tendon& tendon = description_.tendons[t];
    if (tendon.rests_with_joints) tendon.spring_lower = tendon.spring_upper = data.tendons[t].length;
  }
}

double Model::total_mass() const {
  double sum = 0.0;
  for (const Body& body : description_.bodies) sum += body.inertia.mass;
  return sum;
}

Index Model::find_body(const std::string& name) const {
  for (std::size_t b = 0; b < description_.bodies.size(); ++b) {
    if (description_.bodies[b].name == name) return static_cast<Index>(b);
  }
  return -1;
}

Index Model::find_joint(const std::string& name) const {
  for (std::size_t j = 0; j < description_.joints.size(); ++j) {
    if (description_.joints[j].name == name) return static_cast<Index>(j);
  }
  return -1;
}

}  // namespace tribo
