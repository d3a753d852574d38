#include "tribo/sim/named.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/multibody/jacobian.hpp"
#include "tribo/multibody/names.hpp"

#include "sim/implementation.hpp"

namespace tribo {

namespace {

// A name that is not there is a mistake of the program, as a state of the wrong size is.
Index find(const Model& model, Part part, const std::string& name) {
  const Expected<Index> found = find_part(model, part, name);
  if (!found) throw ContractError(found.error().text());
  return *found;
}

}  // namespace

Eigen::Map<const VectorXd> JointHandle::q() const {
  return {state_->q.data() + model_->q_start(index_), calc_nq(description().type)};
}
Eigen::Map<const VectorXd> JointHandle::v() const {
  return {state_->v.data() + model_->v_start(index_), calc_nv(description().type)};
}
Eigen::Map<VectorXd> JointHandle::applied() {
  return {applied_->data() + model_->v_start(index_), calc_nv(description().type)};
}
double JointHandle::position() const {
  TRIBO_REQUIRE(calc_nq(description().type) == 1, "only hinges and slides have one position: use q()");
  return q()(0);
}
double JointHandle::velocity() const {
  TRIBO_REQUIRE(calc_nv(description().type) == 1, "only hinges and slides have one velocity: use v()");
  return v()(0);
}

Pose FrameHandle::pose() const {
  const Data& data = now_->at(*state_);
  return Pose{data.p[body_], data.quat[body_]} * local_;
}
Vector3d FrameHandle::velocity() const {
  const Data& data = now_->at(*state_);
  return calc_velocity(data, body_, data.p[body_] + data.R[body_] * local_.p).linear;
}
Vector3d FrameHandle::angular_velocity() const {
  const Data& data = now_->at(*state_);
  return calc_velocity(data, body_, data.p[body_]).angular;
}

Eigen::Map<const VectorXd> SensorHandle::values() const {
  return {values_->data() + model_->sensor_start(index_), calc_size(description().type)};
}
double SensorHandle::value() const {
  TRIBO_REQUIRE(calc_size(description().type) == 1, "the sensor has several numbers: use values()");
  return values()(0);
}

JointHandle Simulation::joint(const std::string& name) {
  Implementation& all = *implementation_;
  return {all.setup.model, find(model(), Part::kJoint, name), all.state, all.applied};
}
ActuatorHandle Simulation::actuator(const std::string& name) {
  Implementation& all = *implementation_;
  return {all.setup.model, find(model(), Part::kActuator, name), all.state, all.control};
}
SensorHandle Simulation::sensor(const std::string& name) {
  Implementation& all = *implementation_;
  return {all.setup.model, find(model(), Part::kSensor, name), all.sensors.values()};
}
FrameHandle Simulation::body(const std::string& name) {
  Implementation& all = *implementation_;
  const Index index = find(model(), Part::kBody, name);
  return {all.sensors, all.state, index, index, Pose{}};
}
FrameHandle Simulation::site(const std::string& name) {
  Implementation& all = *implementation_;
  const Index index = find(model(), Part::kSite, name);
  const Site& site = model().description().sites[static_cast<std::size_t>(index)];
  return {all.sensors, all.state, index, site.body, site.pose};
}
FrameHandle Simulation::geom(const std::string& name) {
  Implementation& all = *implementation_;
  const Index index = find(model(), Part::kGeom, name);
  const Geom& geom = model().description().geoms[static_cast<std::size_t>(index)];
  return {all.sensors, all.state, index, geom.body, geom.pose};
}

}  // namespace tribo
