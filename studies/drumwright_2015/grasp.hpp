// The grasp of [Drumwright 2015] §VII-A as a world that moves: two grippers on rails along x press a row of boxes
// between them; gravity pulls the boxes down. A minimal stepper with fixed contacts: every contact is a pair of
// material points, one in each body, that lay on each other at the start.
//     p_a = x_a + R_a r_a,   p_b = x_b + R_b r_b,   n = R_b n_b,   gap φ = n · (p_a − p_b)                      (1)
//     one step:  v⁺ from the contact problem at (x, R);   x ← x + h v⁺,   R ← exp(h [ω⁺]) R                    (2)
//     slip of a contact: the tangential part of p_a − p_b, m                                                  (3)
// b_N follows from the gap with kappa = 0: an open gap may close, an overlap is not pushed out. An overlap here is
// rounding, and pushing against it would turn 1e-17 m of geometry into a velocity; so what is at rest stays at rest.
// Given by the paper: two boxes, 12 contacts per pair, mu = 100, h = 0.01. Ours (spec F): 0.1 m, 1 kg, 200 N, a grid
// per face.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <vector>

#include <Eigen/Geometry>

namespace tribo {

struct GraspSettings {
  std::vector<double> box_masses = {1.0, 1.0};  // kg
  double push_left = 200.0;                     // N
  double push_right = 200.0;                    // N
  double mu = 100.0;
  double h = 0.01;           // s
  Index points = 12;         // per face
  std::vector<double> pull;  // per contact: how far it is pulled from its place to the middle, 0 … 1; empty: not at all
};

// Masses ± 10 %, each push ± 5 %, every contact point pulled to the middle by up to 10 %. Unequal pushes set the row
// moving.
GraspSettings perturbed_grasp(Random& random);

class Grasp {
 public:
  explicit Grasp(const GraspSettings& settings);

  ContactProblem problem() const;        // at the present state
  void advance(const VectorXd& v_next);  // (2)
  double max_slip() const;               // (3), the largest of all contacts, m
  double max_gap() const;                // the largest |φ|, m
  double max_speed() const;              // the largest entry of v
  Index contacts() const { return static_cast<Index>(pairs_.size()); }

 private:
  struct Body {
    double mass = 0.0;
    Vector3d position, force;
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    Vector3d velocity = Vector3d::Zero(), spin = Vector3d::Zero();
  };
  struct Pair {
    Index a, b;         // bodies; the normal points from b to a
    Vector3d r_a, r_b;  // the points, each in its body's axes
  };
  Vector3d offset(const Pair& pair) const;  // p_a − p_b in the axes of b

  GraspSettings settings_;
  std::vector<Body> bodies_;  // left gripper, right gripper, boxes from left to right
  std::vector<Pair> pairs_;
};

}  // namespace tribo
