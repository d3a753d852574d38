// The cube on an elastic foundation, [Drumwright 2018] §5.5: side 1 m, 8 kg, pressed down by gravity and by a load that
// walks round its top; n vertical springs under it, at the centres of a square grid of cells, depth 1 m.
//     K = E (s²/n)/depth,  B = 1,  φ_i = z of the point i of the bottom,  G_i = (e_z, p_i × e_z)              (1)
//     load: −F e_z at s/2 (cos 10t, sin 10t, 1) in the axes of the cube                                     (2)
//     y = (x, quaternion, v, ω),  y' = f(t, y) with the forces max(0, −K φ − B φ')                          (3)
// x counts from the unloaded place, so that nanometres keep their digits; the third row of R − I likewise.
// A step has either the general rows (1), one for each element, or the layer that they are (problem/foundation.hpp).
// Missing in the paper, chosen as spec E.4: springs ride on the bottom and stay vertical, g = 9.81, I = m s²/6.
#pragma once

#include "peers/sundials.hpp"
#include "stepping.hpp"

namespace tribo {

struct FoundationSettings {
  Index elements = 100;     // a square
  double E = 1e7;           // Pa
  double load = 5.0;        // N
  double h = 0.01;          // s
  double end = 1.0;         // s
  bool load_at_end = true;  // of the step, as implicit methods take it; false: at its beginning, as spec E.4 did
  bool watch = true;        // forces are looked at after every step
};

struct FoundationRun {
  VectorXd pose;         // at the end: x and the quaternion (w, x, y, z)
  double seconds = 0.0;  // wall time of all steps, geometry and integration included, certificates too
  VectorXd forces;       // of the elements at the end, N
  // Where they are watched:
  Index lifted = 0;         // the most elements without force in one of the later steps, those after end/2
  double open_force = 0.0;  // the largest force that an open element ever carried, N
};

class Foundation {
 public:
  explicit Foundation(const FoundationSettings& settings);

  // From rest, unloaded.
  FoundationRun run(Stepper& stepper);
  FoundationRun run(LayerStepper& stepper);
  // (3), of which a step differs in that no element is damped across a gap; and where it starts.
  OdeRightHandSide right_hand_side() const;
  OdeRightHandSide right_hand_side_by_rows() const;  // the same numbers by way of the general rows that a step has
  VectorXd start() const;
  // Classical Runge–Kutta steps on (3): the reference, which needs no library. `steps` must resolve the fastest spring.
  VectorXd reference_pose(long steps) const;
  double fastest_frequency() const;  // rad/s
  double static_depth() const;       // m: the deepest point under weight and load, every element closed
  double x(Index element) const { return layer_->x(element); }
  double y(Index element) const { return layer_->y(element); }

 private:
  template <class Step>
  FoundationRun run_steps(const Step& step);
  void write_problem(double t);
  void write_layer_problem(double t);
  void watch(const Eigen::Quaterniond& q, const CompliantSolution& solution, bool later, FoundationRun& run) const;

  FoundationSettings settings_;
  double K_ = 0.0;
  std::shared_ptr<const ElasticLayer> layer_;  // x and y in the axes of the cube
  VectorXd state_;                             // y of (3)
  CompliantProblem problem_;
  FoundationProblem layer_problem_;
};

// |pose − reference| over z and the quaternion: the error of table 2.
double pose_error(const VectorXd& pose, const VectorXd& reference);

}  // namespace tribo
