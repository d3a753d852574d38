// Parts of a running simulation by name:
//     sim.joint("knee").position();      rad or m, now
//     sim.actuator("knee").control() = 0.3;
//     sim.sensor("imu").values();
// Handles are a few words: copy and keep them as long as the Simulation lives. They also stay right when it is moved.
#pragma once

#include "tribo/multibody/model.hpp"

#include <string>

namespace tribo {

class SensorStage;

class JointHandle {
 public:
  JointHandle(const Model& model, Index index, const State& state, VectorXd& applied)
      : model_(&model), state_(&state), applied_(&applied), index_(index) {}
  Index index() const { return index_; }
  const Joint& description() const { return model_->joints()[static_cast<std::size_t>(index_)]; }
  // Hinges and slides: rad or m, and per second. Other types have q() and v() alone.
  double position() const;
  double velocity() const;
  Eigen::Map<const VectorXd> q() const;
  Eigen::Map<const VectorXd> v() const;
  Eigen::Map<VectorXd> applied();  // generalized forces along v(), kept until changed; N or N·m

 private:
  const Model* model_;
  const State* state_;
  VectorXd* applied_;
  Index index_;
};

// A frame that moves with a body: the body's own, a site's or a geom's. World axes.
class FrameHandle {
 public:
  FrameHandle(SensorStage& now, const State& state, Index index, Index body, const Pose& local)
      : now_(&now), state_(&state), local_(local), index_(index), body_(body) {}
  Index index() const { return index_; }  // of the body, site or geom
  Index body() const { return body_; }
  Pose pose() const;
  Vector3d position() const { return pose().p; }  // m
  Vector3d velocity() const;                      // m/s, of the frame's origin
  Vector3d angular_velocity() const;              // rad/s

 private:
  SensorStage* now_;
  const State* state_;
  Pose local_;
  Index index_, body_;
};

class ActuatorHandle {
 public:
  ActuatorHandle(const Model& model, Index index, const State& state, VectorXd& control)
      : model_(&model), state_(&state), control_(&control), index_(index) {}
  Index index() const { return index_; }
  const Actuator& description() const { return model_->description().actuators[static_cast<std::size_t>(index_)]; }
  double& control() { return (*control_)(index_); }
  double activation() const { return state_->activation(index_); }  // 0 where it has no dynamics

 private:
  const Model* model_;
  const State* state_;
  VectorXd* control_;
  Index index_;
};

class SensorHandle {
 public:
  SensorHandle(const Model& model, Index index, const VectorXd& values)
      : model_(&model), values_(&values), index_(index) {}
  Index index() const { return index_; }
  const Sensor& description() const { return model_->description().sensors[static_cast<std::size_t>(index_)]; }
  Eigen::Map<const VectorXd> values() const;
  double value() const;  // of a sensor with one number

 private:
  const Model* model_;
  const VectorXd* values_;
  Index index_;
};

}  // namespace tribo
