// ContactProblem: bodies, contacts and joints of one step as numbers. The waist of the hour-glass: everything above
// knows bodies and shapes, everything below knows only this value.
//
// Velocity level (spec A.2):      M v⁺ = M v + h f + Jᵀ f_j + Nᵀ f_n + Sᵀ f_s + Tᵀ f_t + Dᵀ f_d      impulses, N·s
//                                 J v⁺ + b_J = 0,   w = N v⁺ + b_N,   0 ≤ f_n ⟂ w ≥ 0
//                                 |f_d| ≤ bound,   f_d = −bound · sign(D v⁺) where D v⁺ ≠ 0
// Acceleration level (spec A.4):  M a = f + Jᵀ f_j + Nᵀ f_n + …,   J a + a_J = 0,   w = N a + a_N     forces, N
//
// Signs (spec A.1): the normal of a contact between a and b points from b to a; all rows have + on a, − on b, so
// N v > 0 separates and S v, T v is the slip of a relative to b. Blocks of any size: 6 for a free body (linear,
// then angular about the centre of mass, world axes), 3 planar (x, y, angle), n for a tree. SI units.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/block_rows.hpp"
#include "tribo/linalg/types.hpp"

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tribo {

enum class Level { kVelocity, kAcceleration };

// Names a contact from one problem to the next: two shapes and a feature of theirs, or whatever its maker chooses. The default
// names nothing; such a contact is known by its place in the problem.
struct ContactKey {
  Index a = -1, b = -1;
  std::uint64_t feature = 0;

  auto operator<=>(const ContactKey&) const = default;
};

// What a unilateral row stands for: two surfaces, or the end of the travel of a joint or tendon.
enum class RowKind : std::uint8_t { kContact, kLimit };

// What is known of one contact beside its rows. Geometry is optional: it is kept for people and pictures.
struct Contact {
  // A limit has no friction, and rows of zeros in S, T and the like.
  RowKind kind = RowKind::kContact;
  double gap = 0.0;                                            // m, signed: positive apart, negative overlapping
  double mu = 0.0;                                             // Coulomb coefficient, >= 0
  double mu_v = 0.0;                                           // viscous coefficient, N·s/m, >= 0
  double restitution = 0.0;                                    // 0 … 1
  double stiffness = std::numeric_limits<double>::infinity();  // N/m, > 0; infinite: rigid
  double damping = 0.0;                                        // N·s/m, >= 0
  double friction_bound = 0.0;                                 // N·s, >= 0; FrictionBox only: |f_s|, |f_t| ≤ bound
  double impact_damping = 0.0;                                 // kg, >= 0; viscous impacts only: impulse per slip speed
  // CoulombCone only. Friction against turning, as couples over normal force: about the normal (spin) and about the
  // tangents (roll), in m, >= 0. And what gives way: the law is obeyed by N v⁺ + b_N + compliance f_n and, along the
  // tangents, by S v⁺ + tangential_compliance (f_s − held_s); in m/s per N·s, >= 0, 0: rigid. held_s, held_t (N·s): what
  // stretched tangential springs give when the step begins.
  double mu_spin = 0.0;
  double mu_roll = 0.0;
  double compliance = 0.0;
  double tangential_compliance = 0.0;
  double held_s = 0.0;
  double held_t = 0.0;
  bool released = false;  // NoSlip only: may slip, carries no tangential force
  ContactKey key = {};    // finds the start of the contact in a ContactStart
  bool has_frame = false;
  Vector3d point = Vector3d::Zero();      // m, world axes
  Matrix3d frame = Matrix3d::Identity();  // columns: tangent s, tangent t, normal n; world axes

  bool operator==(const Contact&) const = default;
};

struct ContactProblem {
  std::string name;
  Level level = Level::kVelocity;
  double h = 0.01;     // s; step (velocity level)
  BlockDiagonal mass;  // M
  VectorXd v;          // velocity before the step
  VectorXd f;          // applied and gyroscopic generalized force
  BlockRows J;         // bilateral rows
  VectorXd b_J, a_J;   // their offsets at velocity and at acceleration level
  BlockRows N, S, T;   // one row per contact; S and T may have no rows (frictionless, planar: T)
  // Relative angular velocity of a against b about n, s and t, one row per contact; no rows: nothing resists turning.
  // roll_s and roll_t come together. CoulombCone only.
  BlockRows spin, roll_s, roll_t;
  // Dry friction of joints and tendons: bilateral rows whose impulse is bounded, in every model. Velocity level only; no
  // rows: none. `bound`: N·s (N·m·s), >= 0, h times the force of friction.
  BlockRows D;
  VectorXd bound;
  VectorXd b_N, a_N;  // offsets of the normal rows
  std::vector<Contact> contacts;

  Index dof() const { return mass.size(); }
  Index size() const { return N.rows(); }  // contacts
  Index bilateral() const { return J.rows(); }
  Index dry() const { return D.rows(); }  // rows of dry friction
};

// Sizes, finite numbers, M symmetric positive definite, coefficients in range, h > 0. The error names field, entry
// and remedy.
Checked validate(const ContactProblem& problem);

// Which contacts part by themselves: gap > `gap` or N_i u0 > `speed`, u0 = v + h M⁻¹ f the velocity that no contact
// changes (at acceleration level: N_i v). A prediction: what the other contacts do to the bodies is not in it.
struct SeparationTest {
  double gap = 1e-4;    // m, >= 0; drift of a simulation stays below, the margin of a collision search does not
  double speed = 1e-6;  // m/s, >= 0; bodies at rest beside one another stay below
};
IndexList find_separating(const ContactProblem& problem, const SeparationTest& test = {});

// The direction in which each contact would slip if no contact acted, as (cos, sin) in the plane of S and T, contact after
// contact: of u0, as above. (1, 0) where that is below 1e-9 of its scale, and where there is no T.
std::vector<double> predict_slip_directions(const ContactProblem& problem);

// At acceleration level contacts last (spec A.4): gap zero and N_i v zero. Refused, with contact and remedy: a gap
// above SeparationTest::gap, and |N_i v| above 1e-6 of its scale Σ_b |N_ib|_{M⁻¹} |v_b|_M over the blocks b of the row.
// An overlap is let pass: a_N may be there to undo it. Velocity level: nothing to refuse. The problem must be valid.
Checked check_acceleration_level(const ContactProblem& problem);

// Equal number by number (rows compared as dense rows).
bool equal(const ContactProblem& a, const ContactProblem& b);

// How b_N follows from gap and restitution (spec A.2).
struct Stabilization {
  double kappa = 0.0;             // share of a violation to remove in one step, 0 … 1; 0: none
  double max_speed = 1.0;         // m/s; never ask for a faster correction than this
  double bounce_threshold = 0.0;  // m/s; slower approaches do not bounce
};
VectorXd calc_normal_offset(const ContactProblem& problem, const Stabilization& stabilization);

}  // namespace tribo
