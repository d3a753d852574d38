// From a state to a ContactProblem of one step: the waist of the hour-glass, seen from above.
//     M̂ = M + h D_w + h² K_a,   f̂ = −bias + passive + actuation + applied − h (K_a − K_b) v                    (1)
// K, D: stiffness and damping of joint springs and dampers, tendons and servos, with the shares a, b, w of
// multibody/integrator.hpp: each force acts with a mean of its values in the step, stable for any gains. A drive at its
// force limit has none; the limit is that of the beginning of the step, and within it gains may change the force
// beyond. A joint may clamp what all its drives give together. Single bodies that turn freely get the gyroscopic force
// that neither feeds nor brakes their spin.
//
// Blocks of v are the model's trees, then one of six per kinematic body: unit mass, held to its velocity by six
// bilateral rows, so that contacts with it know how it moves.
//     J      those rows; equalities with b_J = share · g / h + what kinematic bodies move, a_J = J̇ v. Midpoint: b_J
//            has (1 − lead) h J̇ v too, so that v⁺ obeys them where the step ends
//     N, …   limits of joints and tendons that can be reached within the step, without friction,
//            b_N = gap / StepRule::look; then contacts
//     D      dry friction F of joints and tendons, bound h F
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/multibody/actuation.hpp"
#include "tribo/multibody/data.hpp"
#include "tribo/multibody/equality.hpp"
#include "tribo/multibody/integrator.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <span>

namespace tribo {

struct AssemblyOptions {
  double h = 1e-3;           // s, > 0
  double loop_share = 0.0;   // of an equality's error, removed per step by velocities; 0 … 1. 0: by close_loops alone
  double limit_share = 0.0;  // of what a joint is beyond its limit, removed per step by velocities; 0: none is
  double reach_speed = 50.0;  // m/s, rad/s: limits farther away than h times this are left out
  bool implicit = true;       // false: M and f as they are
  Integrator integrator = Integrator::kEuler;
  // Per block of v, 0 … 1: q is that of lead · h after the beginning of the step, v that of its beginning. Empty: 0
  std::span<const double> leads = {};
  bool dry_friction = false;  // of joints and tendons
  bool turning = false;       // rows against spinning and rolling
};

// A contact as collision finds it: normal from b to a, point in the world.
struct ContactPoint {
  Index body_a = 0, body_b = 0;
  Vector3d point = Vector3d::Zero();
  Matrix3d frame = Matrix3d::Identity();  // columns s, t, n
  double gap = 0.0;                       // m
};

// What a row of N or D that is no contact stands for.
struct JointRow {
  Index joint = 0;            // of the model; tendons are counted after the joints
  bool dry_friction = false;  // a row of D; else a limit, a row of N
  int place = 0;              // limit: -1 lower, +1 upper; dry friction: which degree of freedom of the joint
};

class Assembler {
 public:
  explicit Assembler(const Model& model);  // which must stay where it is
  explicit Assembler(Model&&) = delete;

  // M̂, v, f̂, J, limits, dry friction. After calc_dynamics. `control`: per actuator, empty: zeros. `applied`:
  // generalized forces, empty: none. Nothing is allocated when `problem` was filled before with as many rows.
  void begin(const State& state, const Data& data, const VectorXd& control, const VectorXd& applied,
             const AssemblyOptions& options, ContactProblem& problem);
  // Appends one contact with rows N, S, T; `law` gives coefficients, its gap, point and frame are set from `contact`.
  // `offset`: b_N, gap / h where contacts may close within the step.
  void add(const Data& data, const ContactPoint& contact, const Contact& law, double offset, ContactProblem& problem);
  // After the last contact.
  void end(ContactProblem& problem) const;
  // Takes back all contacts that were added; limits stay.
  void drop_contacts(ContactProblem& problem);

  // Limits, the first rows of N, one each; then dry friction, the rows of D.
  const std::vector<JointRow>& joint_rows() const { return joint_rows_; }
  const EqualityRows& equalities() const { return equalities_; }

 private:
  struct Arm {
    Index dof;
    double value;
  };
  void gather_arms(const State& state, const Data& data, Index actuator);
  double calc_speed(const State& state) const;
  void add_limited_drives(const State& state, const Data& data, const VectorXd& control, bool implicit,
                          ContactProblem& problem);
  StepRule rule_of(const AssemblyOptions& options, Index block) const;
  StepRule rule_of_dof(Index dof) const;
  double calc_mass(const Data& data) const;
  void add_implicit(const Data& data, double stiffness, double damping, double speed, ContactProblem& problem);
  void add_springs(const State& state, const Data& data, ContactProblem& problem);
  void add_drives(const State& state, const Data& data, const VectorXd& control, bool implicit,
                  ContactProblem& problem);
  void add_limits(const State& state, const Data& data, const AssemblyOptions& options, ContactProblem& problem);
  void add_dry_friction(const Data& data, const AssemblyOptions& options, ContactProblem& problem);
  void add_zero_rows(ContactProblem& problem);

  const Model& model_;
  BlockLayout layout_;
  EqualityRows equalities_;
  VectorXd arms_;
  bool limits_drives_ = false;          // some joint clamps what its actuators give
  VectorXd driven_;                     // the sum of all actuators' forces
  std::vector<Drive> drives_;           // per actuator
  std::vector<std::uint8_t> at_limit_;  // per dof
  std::vector<Index> spinning_;         // trees whose gyroscopic forces are implicit too (free_turn.hpp)
  std::vector<Arm> entries_;            // of the actuator or tendon at hand
  std::vector<double> row_a_, row_b_, offsets_, bounds_;
  std::vector<JointRow> joint_rows_;
  bool turning_ = false;
  const AssemblyOptions* options_ = nullptr;  // of the step at hand
};

}  // namespace tribo
