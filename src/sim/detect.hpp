// Stage 3, detect: what may touch before the next step looks again, StepTimes::list.
//     in   positions and velocities, and what the forces of the step add to them
//     out  Detection: contacts with gap <= margin, farther ones where a shape is fast (its reach). Those that cannot
//          close to the margin in time are set apart as idle; those between bodies that no contact moves are left out
// Margin: a small part of the smaller shape, unless SimulationOptions::margin says otherwise (setup.cpp).
// Stage 8, look again (look_again.cpp): contacts may have made a body faster (a rod that is hit at one end swings its
// other end) or deflected it.
//     in   v⁺ of the step as it was solved
//     out  Detection. Pairs are searched again where v⁺ moves a shape farther than its reach and half the margin, or
//          passes an idle contact or pair; to pass is to overlap by more than allowed_overlap. Where a contact that was
//          not listed is passed, the near contacts of its pair are added and the step is solved again. If none is,
//          adding the rows would change the answer by no more than that.
// Forces: what they may add to a speed counts up to that speed, or margin / h. A stiff servo that a contact holds would
// otherwise list all that it could reach alone; where nothing holds it, stage 8 lists what it passes.
// Reach: how far a shape may move within the step. Where the margin is given, half of it is taken off: the two shapes
// of a pair share it.
#pragma once

#include "tribo/collision/collider.hpp"
#include "tribo/multibody/data.hpp"

#include <vector>

#include "sim/drift.hpp"
#include "sim/setup.hpp"

namespace tribo {

struct DetectInput {
  const Data& data;
  const VectorXd& speed_gain;  // FreeMotion::speed_gain
  double time;                 // s, > 0: what may touch within it
};

struct LookAgainInput {
  const Data& data;
  const VectorXd& v;  // before the step, and after it
  const VectorXd& v_next;
};

struct Detection {
  std::vector<FoundContact> contacts;  // sorted by shapes, then by feature
  // Within reach, but v and the forces of the step cannot close them to the margin in time. Stage 8 tests them against
  // v⁺.
  std::vector<FoundContact> idle;
  std::vector<PassingPair> passing;  // pairs with no other contacts than such, as a whole
  CollisionCounts counts;            // of this search
};

class Detector {
 public:
  explicit Detector(const StepSetup& setup);

  void run(const DetectInput& input, Detection& out);
  // When the contacts of the last run close, in shares of its time.
  void find_closing(const Data& data, const Detection& found, std::vector<Closing>& out) const;
  // Contacts within the margin alone, whatever moves; for stage 11.
  void find_near(const Data& data, std::vector<FoundContact>& out);
  // Uses the shapes and reaches of the last run. True: v⁺ passes contacts that were not listed; now they are.
  bool look_again(const LookAgainInput& input, Detection& out);
  const CollisionCounts& counts() const { return collider_.counts(); }  // of the last search

 private:
  void place(const Data& data);
  double calc_gain(const DetectInput& input, Index body, const Vector3d& point, double radius) const;
  Vector3d calc_linear(Index shape, const SpatialVector& V) const;
  double calc_turning(Index shape, const SpatialVector& V) const;
  double calc_reach(double speed) const;
  double calc_approach(const Data& data, const FoundContact& contact, const std::vector<SpatialVector>& V) const;
  bool is_passed(const PassingPair& pair, const std::vector<SpatialVector>& V) const;
  bool is_idle(const Data& data, const FoundContact& contact) const;

  const StepSetup& setup_;
  Collider collider_;
  std::vector<Pose> poses_;
  std::vector<Vector3d> arms_;         // m, per shape: its centre from the point of its body's spatial vectors
  double time_ = 0.0;                  // s, of the last run
  double shared_margin_ = 0.0;         // m: of each shape's way in a step, this much is within the margin of every pair
  double least_margin_ = 0.0;          // m, of all shapes
  std::vector<double> reach_;          // m, per shape: how far it may go in a step, less shared_margin_
  std::vector<ShapeMotion> motions_;   // per shape: in a step, with v and gain_
  std::vector<double> gain_;           // m/s, per shape: what the forces of the step may add to its speed
  std::vector<SpatialVector> next_V_;  // per body: its motion with v⁺
  std::vector<FoundContact> found_again_;
};

}  // namespace tribo
