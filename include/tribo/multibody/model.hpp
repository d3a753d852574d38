// Model (constant), State (q, v), Data (everything computed from them).
//
// q and v follow MuJoCo: by joint, in the bodies' order. v of a free joint: linear in world axes, angular in body axes; ball:
// angular in the child's axes. Coordinates of one kinematic tree (a body that moves against the world, with all its
// descendants) are contiguous: one block of the mass matrix each.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/multibody/description.hpp"

#include <vector>

namespace tribo {

class Model {
 public:
  // Checks the description and numbers it. The error names the element.
  static Expected<Model> make(ModelDescription description);

  const ModelDescription& description() const { return description_; }
  const std::vector<Body>& bodies() const { return description_.bodies; }
  const std::vector<Joint>& joints() const { return description_.joints; }
  Index nq() const { return nq_; }
  Index nv() const { return nv_; }
  Index nb() const { return static_cast<Index>(description_.bodies.size()); }
  Index nu() const { return static_cast<Index>(description_.actuators.size()); }
  Index q_start(Index joint) const { return q_start_[joint]; }
  Index v_start(Index joint) const { return v_start_[joint]; }
  const VectorXd& q0() const { return q0_; }                          // all joints at their reference
  const VectorXd& tendon_length0() const { return tendon_length0_; }  // of all tendons there; m or rad
  double total_mass() const;

  // Trees: blocks of v. The tree of a body, -1: it does not move.
  const BlockLayout& trees() const { return trees_; }
  Index tree(Index body) const { return tree_[body]; }
  // A tree's bodies, and its coordinates in q, follow one another: first and one past the last.
  Index first_body(Index tree) const { return tree_ranges_[tree].body; }
  Index end_body(Index tree) const { return tree_ranges_[tree].end_body; }
  Index first_q(Index tree) const { return tree_ranges_[tree].q; }
  Index size_q(Index tree) const { return tree_ranges_[tree].size_q; }
  // Whether the tree has one free joint and no other: its coordinates are those of one body, to which the others are fixed.
  bool is_free(Index tree) const { return tree_ranges_[tree].free; }
  // First joint of a body and how many.
  Index first_joint(Index body) const { return first_joint_[body]; }
  Index joint_count(Index body) const { return joint_count_[body]; }
  // dof → the dof before it on the way to the root, -1: none. Joints' own dofs are chained one after the other.
  Index parent_dof(Index dof) const { return parent_dof_[dof]; }
  Index dof_body(Index dof) const { return dof_body_[dof]; }
  // Last dof on the way from the root to a body, the body's own included; -1: none.
  Index last_dof(Index body) const { return last_dof_[body]; }
  const VectorXd& armature() const { return armature_; }  // per dof
  const VectorXd& damping() const { return damping_; }    // per dof
  // Kinematic bodies, in the bodies' order; kinematic_index(body): which one, -1: none.
  const std::vector<Index>& kinematic_bodies() const { return kinematic_; }
  Index kinematic_index(Index body) const { return kinematic_index_[body]; }
  // The kinematic body that a body without joints in between is fixed to, itself included; -1: none.
  Index carrier(Index body) const { return carrier_[body]; }

  // Place of a sensor's numbers among those of all, and how many there are.
  Index sensor_start(Index sensor) const { return sensor_start_[static_cast<std::size_t>(sensor)]; }
  Index sensor_size() const { return sensor_size_; }

  // By name, -1: there is none.
  Index find_body(const std::string& name) const;
  Index find_joint(const std::string& name) const;

 private:
  Model() = default;
  void measure_tendons();
  void set_spring_dampers();
  ModelDescription description_;
  Index nq_ = 0, nv_ = 0, sensor_size_ = 0;
  VectorXd q0_, tendon_length0_, armature_, damping_;
  BlockLayout trees_;
  std::vector<Index> tree_, first_joint_, joint_count_, q_start_, v_start_, parent_dof_, dof_body_, last_dof_,
      sensor_start_;
  std::vector<Index> kinematic_, kinematic_index_, carrier_;
  struct TreeRange {
    Index body, end_body, q, size_q;
    bool free;
  };
  std::vector<TreeRange> tree_ranges_;
};

// Motion of a kinematic body: pose and velocity of its frame's origin, world axes.
struct KinematicState {
  Pose pose;
  Vector3d velocity = Vector3d::Zero(), angular_velocity = Vector3d::Zero();
};

struct State {
  VectorXd q, v;
  std::vector<KinematicState> kinematic;  // one per kinematic body
  VectorXd activation;                    // one per actuator, zero where it has no dynamics; empty: all zero
};
State make_state(const Model& model);  // at the reference, at rest
Expected<State> make_state(const Model& model, const Keyframe& keyframe);
// Sizes, finite numbers; quaternions of length zero are refused, others made unit.
Checked validate(const Model& model, State& state);

// q ← q ⊕ h v on the manifold: quaternions turn by the exponential of h times the angular velocity and stay unit.
void integrate(const Model& model, const VectorIn& v, double h, VectorXd& q);
void integrate_tree(const Model& model, Index tree, const VectorIn& v, double h, VectorXd& q);  // of one tree alone
// v with integrate(q, v, 1) = q_next.
void difference(const Model& model, const VectorIn& q, const VectorIn& q_next, VectorXd& v);

}  // namespace tribo
