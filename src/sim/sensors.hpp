// Values of the model's sensors (multibody/description.hpp), after a step or at a state that was set.
//     positions, velocities     of the state as it is now
//     accelerations, forces     means over the last step:  a = (v⁺ − v)/h,  impulses / h;  zero before the first step
// An accelerometer reads a − g, in axes of its site after the step. With P and L, linear and angular momentum (about the site) of the
// bodies that hang on the site's body, itself included, the force and the couple that come from its parent are
//     F = (P⁺ − P)/h − m g − Σ f,     T = (L⁺ − L)/h − Σ (com − p) × m g − Σ (couples of f about p)                              (1)
// over the forces f of contacts, connects and welds with other bodies. What drives, springs, tendons and applied forces give is part of F
// and T, as in MuJoCo.
#pragma once

#include "tribo/multibody/actuation.hpp"
#include "tribo/multibody/data.hpp"

#include <optional>
#include <vector>

#include "sim/rows.hpp"
#include "sim/setup.hpp"

namespace tribo {

class SensorStage {
 public:
  explicit SensorStage(const StepSetup& setup);

  // Before a step: what differences over the step need.
  void begin(const State& state);
  // Where its forces act (stage 2): what drives give.
  void drive(const State& state, const VectorXd& control, const Data& data, const StepTimes& times);
  // After it, with its answer.
  void end(const State& state, const VectorXd& control, double time, const StepRows& rows,
           const ContactSolution& solution);
  // At a state that no step led to.
  void measure(const State& state, const VectorXd& control, double time);

  const VectorXd& values() const { return values_; }
  // Poses and velocities at the state, for handles too.
  const Data& at(const State& state);

 private:
  struct Before {
    Vector3d point = Vector3d::Zero(), velocity = Vector3d::Zero();  // of the site, world
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();  // momentum, N·s and N·m·s about the point
    Vector3d com = Vector3d::Zero();                                 // m, of what hangs on the body
    double mass = 0.0;
    Drive drive;
    double slope = 0.0,
           offset = 0.0;  // of the force over the speed that the step adds, and what the speed before it changes
    VectorXd arms;
  };
  struct Frame {
    Index body = 0;
    Pose pose;  // world
  };
  void make(std::optional<Data>& data) const;
  Frame place(const Data& data, SensorFrame kind, Index index) const;
  void read_state(const Sensor& sensor, const State& state, const VectorXd& control, double time, double* out);
  void read_frame(const Sensor& sensor, double* out) const;
  double sum_touch(const Sensor& sensor, const StepRows& rows) const;
  Vector3d calc_force(const Sensor& sensor, const Before& before, const StepRows& rows,
                      const ContactSolution& solution) const;
  bool hangs_on(Index body, Index root) const;
  void clamp(const Sensor& sensor, double* out) const;

  const StepSetup& setup_;
  // Now; at the beginning of the step. Made when first needed: most scenes have no sensors.
  std::optional<Data> now_, start_;
  std::vector<Before> before_;
  VectorXd values_;
  VectorXd arms_;             // of the actuator at hand
  bool needs_start_ = false;  // some sensor compares the end of a step with its beginning
};

}  // namespace tribo
