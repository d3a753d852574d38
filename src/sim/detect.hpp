// Stage 2, detect: what may touch within the step.
//     in   positions and velocities, and what the forces of the step add to them
//     out  contacts with gap <= margin, farther ones where a shape is fast (its reach); without those that cannot close in time
// Stage 7, look again: contacts may have made a body faster (a rod that is hit at one end swings its other end) or turned it aside.
//     in   v⁺ of the step as it was solved
//     out  Where v⁺ takes a shape farther than its reach, pairs are listed again with that reach. If v⁺ would pass a contact that
//          was not listed, it is added and the step is solved again; otherwise v⁺ is the answer with those rows as well: they
//          hold, and carry nothing.
#pragma once

#include "tribo/collision/collider.hpp"
#include "tribo/multibody/data.hpp"

#include <vector>

#include "sim/setup.hpp"

namespace tribo {

struct DetectInput {
  const Data& data;
  const VectorXd& speed_gain;  // FreeMotion::speed_gain
};

struct LookAgainInput {
  const Data& data;
  const VectorXd& v;  // before the step, and after it
  const VectorXd& v_next;
};

struct Detection {
  std::vector<FoundContact> contacts;  // sorted by shapes, then by feature
  std::vector<FoundContact> idle;      // near enough, but not closing with v
};

class Detector {
 public:
  explicit Detector(const StepSetup& setup);

  void run(const DetectInput& input, Detection& out);
  // Of the last run. True: v⁺ would pass contacts that were not listed; now they are.
  bool look_again(const LookAgainInput& input, Detection& out);

 private:
  double calc_gain(const DetectInput& input, Index body, const Vector3d& point, double radius) const;
  double calc_reach(Index shape, const SpatialVector& V, double more) const;
  double calc_approach(const Data& data, const FoundContact& contact, const std::vector<SpatialVector>& V) const;
  bool is_idle(const Data& data, const FoundContact& contact) const;
  bool is_between_fixed(const FoundContact& contact) const;

  const StepSetup& setup_;
  Collider collider_;
  std::vector<Pose> poses_;
  std::vector<Vector3d> arms_;         // m, per shape: its centre from the point of its body's spatial vectors
  std::vector<double> reach_;          // m, per shape: how far it may go in a step, beyond half the margin
  std::vector<double> gain_;           // m/s, per shape: what the forces of the step may add to its speed
  std::vector<SpatialVector> next_V_;  // per body: its motion with v⁺
  std::vector<FoundContact> found_again_;
};

}  // namespace tribo
