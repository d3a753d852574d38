#include "tribo/multibody/actuation.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/muscle.hpp"
#include "multibody/quaternion.hpp"
#include "multibody/servo.hpp"

namespace tribo {

namespace {

Vector3d read3(const std::array<double, 6>& gear, int at) { return {gear[at], gear[at + 1], gear[at + 2]}; }

void add_joint_arms(const Model& model, const State& state, const Actuator& actuator, VectorXd& arms) {
  const Joint& joint = model.joints()[actuator.target];
  const Index at = model.v_start(actuator.target);
  const double* q = state.q.data() + model.q_start(actuator.target);
  switch (joint.type) {
    case JointType::kFree:
    case JointType::kBall: {
      const int shift = joint.type == JointType::kFree ? 3 : 0;
      Vector3d turn = read3(actuator.gear, shift);
      if (actuator.in_parent) turn = read_quaternion(q + shift).conjugate() * turn;
      for (int k = 0; k < shift; ++k) arms(at + k) += actuator.gear[k];
      arms.segment<3>(at + shift) += turn;
      break;
    }
    case JointType::kPlanar:
      arms.segment<3>(at) += read3(actuator.gear, 0);
      break;
    default:
      arms(at) += actuator.gear[0];
  }
}

// A wrench `gear` in the axes of the reference site (its own where there is none), on the site and against the reference.
void add_site_arms(const Model& model, const Data& data, const Actuator& actuator, VectorXd& arms) {
  const std::vector<Site>& sites = model.description().sites;
  const Site& site = sites[actuator.target];
  const Site& axes = actuator.reference_site < 0 ? site : sites[actuator.reference_site];
  const Quaterniond q = data.quat[axes.body] * axes.pose.q;
  const Vector3d force = q * read3(actuator.gear, 0), couple = q * read3(actuator.gear, 3);
  const auto apply = [&](const Site& at, double sign) {
    const Index tree = model.tree(at.body);
    if (tree < 0) return;
    const Vector3d point = data.p[at.body] + data.R[at.body] * at.pose.p;
    add_row(model, data, at.body, point, force, couple, sign, arms.data() + model.trees().start(tree));
  };
  apply(site, 1.0);
  if (actuator.reference_site < 0) return;
  apply(axes, -1.0);
  // What carries both sites does not change the way between them.
  Index a = model.last_dof(site.body), b = model.last_dof(axes.body);
  while (a != b) {
    Index& deeper = a > b ? a : b;
    deeper = model.parent_dof(deeper);
  }
  for (; a >= 0; a = model.parent_dof(a)) arms(a) = 0.0;
}

double calc_drive_length(const Model& model, const State& state, const Data& data, const Actuator& actuator) {
  switch (actuator.transmission) {
    case Transmission::kJoint: {
      const Joint& joint = model.joints()[actuator.target];
      const double* q = state.q.data() + model.q_start(actuator.target);
      if (joint.type == JointType::kFree) return 0.0;
      if (joint.type == JointType::kBall) return read3(actuator.gear, 0).dot(rotation_vector(read_quaternion(q)));
      if (joint.type == JointType::kPlanar) return read3(actuator.gear, 0).dot(Vector3d(q[0], q[1], q[2]));
      return actuator.gear[0] * q[0];
    }
    case Transmission::kTendon:
      return actuator.gear[0] * data.tendons[actuator.target].length;
    case Transmission::kSite: {
      if (actuator.reference_site < 0) return 0.0;
      const Site& site = model.description().sites[actuator.target];
      const Site& reference = model.description().sites[actuator.reference_site];
      const Pose a = Pose{data.p[site.body], data.quat[site.body]} * site.pose;
      const Pose b = Pose{data.p[reference.body], data.quat[reference.body]} * reference.pose;
      const Pose between = b.inverse() * a;
      return read3(actuator.gear, 0).dot(between.p) + read3(actuator.gear, 3).dot(rotation_vector(between.q));
    }
    case Transmission::kBody:
      return 0.0;
  }
  return 0.0;
}

}  // namespace

void calc_arms(const Model& model, const State& state, const Data& data, Index index, VectorXd& arms) {
  TRIBO_REQUIRE(arms.size() == model.nv(), "arms has a number per dof");
  const Actuator& actuator = model.description().actuators[index];
  arms.setZero();
  switch (actuator.transmission) {
    case Transmission::kJoint:
      return add_joint_arms(model, state, actuator, arms);
    case Transmission::kTendon:
      for (const TendonArm& arm : data.tendons[actuator.target].arms) arms(arm.dof) += actuator.gear[0] * arm.value;
      return;
    case Transmission::kSite:
      return add_site_arms(model, data, actuator, arms);
    case Transmission::kBody:
      return;  // acts at contacts alone
  }
}

Drive calc_drive(const Model& model, const State& state, const Data& data, Index index, double control,
                 const VectorXd& arms) {
  return calc_drive(model, state, data, index, control, arms.dot(state.v));
}

Drive calc_drive(const Model& model, const State& state, const Data& data, Index index, double control, double speed) {
  const Actuator& actuator = model.description().actuators[index];
  if (actuator.control_limited) control = std::clamp(control, actuator.control_lower, actuator.control_upper);
  if (actuator.dynamics != ActuatorDynamics::kNone)
    control = state.activation.size() > 0 ? state.activation(index) : 0.0;
  Drive drive;
  drive.length = calc_drive_length(model, state, data, actuator);
  drive.speed = speed;
  if (actuator.muscle) {
    drive = calc_muscle(*actuator.muscle, drive.length, speed, control);
  } else {
    const std::array<double, 3>&gain = actuator.gain, &bias = actuator.bias;
    drive.force = (gain[0] + gain[1] * drive.length + gain[2] * drive.speed) * control + bias[0] +
                  bias[1] * drive.length + bias[2] * drive.speed;
    drive.stiffness = -(gain[1] * control + bias[1]);
    drive.damping = -(gain[2] * control + bias[2]);
  }
  if (actuator.force_limited && !(drive.force > actuator.force_lower && drive.force < actuator.force_upper)) {
    drive.force = std::clamp(drive.force, actuator.force_lower, actuator.force_upper);
    drive.stiffness = drive.damping = 0.0;
  }
  return drive;
}

double calc_next_activation(const Actuator& actuator, double activation, double control, double h) {
  if (actuator.control_limited) control = std::clamp(control, actuator.control_lower, actuator.control_upper);
  double next = activation;
  switch (actuator.dynamics) {
    case ActuatorDynamics::kNone:
      return 0.0;
    case ActuatorDynamics::kIntegrator:
      next += h * control;
      break;
    case ActuatorDynamics::kFilter:
    case ActuatorDynamics::kMuscle: {
      double time = actuator.time_constant;
      if (actuator.muscle && actuator.dynamics == ActuatorDynamics::kMuscle) {
        control = std::clamp(control, 0.0, 1.0);
        time = calc_muscle_time(*actuator.muscle, activation, control);
      }
      next += (control - activation) * (time > 0.0 ? -std::expm1(-h / time) : 1.0);
      break;
    }
  }
  return actuator.activation_limited ? std::clamp(next, actuator.activation_lower, actuator.activation_upper) : next;
}

void set_damping_ratios(const Model& model, std::vector<Actuator>& actuators) {
  if (std::none_of(actuators.begin(), actuators.end(), [](const Actuator& a) { return a.damping_ratio > 0.0; })) return;
  Data data(model);
  const State state = make_state(model);
  calc_positions(model, state, data);
  calc_mass_matrix(model, data);
  VectorXd arms(model.nv());
  for (std::size_t u = 0; u < actuators.size(); ++u) {
    if (!(actuators[u].damping_ratio > 0.0)) continue;
    calc_arms(model, state, data, static_cast<Index>(u), arms);
    double inertia = 0.0;
    for (Index dof = 0; dof < model.nv(); ++dof) {
      const Index tree = model.tree(model.dof_body(dof)), at = dof - model.trees().start(tree);
      if (std::abs(arms(dof)) > 1e-15) inertia += data.M[tree](at, at) / (arms(dof) * arms(dof));
    }
    actuators[u].bias[2] =
        -2.0 * actuators[u].damping_ratio * std::sqrt(std::max(0.0, -actuators[u].bias[1]) * inertia);
  }
}

}  // namespace tribo
