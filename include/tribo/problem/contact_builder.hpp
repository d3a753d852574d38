// ContactBuilder: a ContactProblem put together by hand from bodies, contacts and joints.
//
// Rows by spec A.1. For a contact between a and b at the point p with unit normal n from b to a, and d in {n,
// s, t}:
//     [d, (p − x_a) × d] on a,   −[d, (p − x_b) × d] on b,
// so that N v = n · (velocity of a's point at p − velocity of b's point at p). World is a body that never
// moves. Bilateral rows follow the same rule. Trees (any symmetric positive definite block) take their rows
// as they are given.
//
// Where a contact has mu_spin > 0, all contacts get the row spin, [0, n] on a and −[0, n] on b: the angular velocity of
// a against b about the normal. Where one has mu_roll > 0, the rows roll_s and roll_t, about the tangents. In the plane
// bodies turn about an axis that is no contact's normal and no tangent: both coefficients are refused there.
//
// A body that does not exist, a body touching itself, a direction of length zero and a wrong size are broken
// promises of the caller (ContractError); the numbers themselves (masses, coefficients) are judged by
// validate(), as for any problem.
#pragma once

#include "tribo/problem/contact_problem.hpp"

#include <string>
#include <vector>

namespace tribo {

class ContactBuilder {
 public:
  using Vector2d = Eigen::Vector2d;
  static constexpr Index kWorld = -1;

  // A row's part on one body: as many values as the body has degrees of freedom; none on the world.
  struct Part {
    Index body = kWorld;
    VectorXd values;
  };

  // Bodies. The answer is the number of the body, which is the number of its block.
  Index add_body(double mass, const Matrix3d& inertia,
                 const Vector3d& centre);                                      // inertia: about centre, world axes
  Index add_planar_body(double mass, double inertia, const Vector2d& centre);  // (x, y, angle)
  Index add_tree(const MatrixXd& mass);

  void set_velocity(Index body, const VectorIn& velocity);
  void set_force(Index body, const VectorIn& force);
  void add_force(Index body, const VectorIn& force);
  void add_gravity(const Vector3d& gravity);  // m/s²; on every rigid body that exists so far; planar: x and y of it
  void add_gyroscopic_forces();               // −ω × I ω for every spatial body, with the velocities set so far

  // Contacts; the answer is the contact's number. The normal need not have unit length. Without a tangent, s
  // is the world axis least aligned with the normal (the first one on ties) made orthogonal to it: (1, 0, 0)
  // on level ground; t = n × s. The tangent given need not be orthogonal to the normal, only not parallel.
  // `properties` brings gap, mu, …; its geometry is overwritten. All contacts of a problem have the same
  // number of rows.
  Index add_contact(Index a, Index b, const Vector3d& point, const Vector3d& normal, const Contact& properties = {});
  Index add_contact(Index a, Index b, const Vector3d& point, const Vector3d& normal, const Vector3d& tangent,
                    const Contact& properties);
  // In the plane: rows N and S, s = n turned clockwise: (1, 0) on level ground.
  Index add_planar_contact(Index a, Index b, const Vector2d& point, const Vector2d& normal,
                           const Contact& properties = {});
  // Rows as they are, each given as its parts on at most two bodies: one to three of them (N, S, T), four (and spin) or
  // six (and roll_s, roll_t). A contact with mu_spin or mu_roll must bring the rows they act along; where only others
  // have them, its rows against turning are zero.
  Index add_contact_rows(const std::vector<std::vector<Part>>& rows, const Contact& properties = {});
  void set_normal_offset(Index contact, double b_N, double a_N = 0.0);

  // Bilateral rows, relative velocity of a against b; the answer is the number of the first row that was
  // added.
  Index add_point_joint(Index a, Index b, const Vector3d& point);  // 3 rows
  Index add_weld(Index a, Index b, const Vector3d& point);         // 6 rows
  Index add_prismatic(Index a, Index b, const Vector3d& point,
                      const Vector3d& axis);  // 5 rows: slides along axis
  Index add_revolute(Index a, Index b, const Vector3d& point,
                     const Vector3d& axis);                                                 // 5 rows: turns about axis
  Index add_direction(Index a, Index b, const Vector3d& point, const Vector3d& direction);  // 1 row
  Index add_bilateral(const std::vector<Part>& parts, double b_J = 0.0, double a_J = 0.0);
  void set_bilateral_offset(Index row, double b_J, double a_J = 0.0);
  // A row of dry friction: |impulse| ≤ bound, N·s or N·m·s. Two parts at most; the answer is its number.
  Index add_dry_friction(const std::vector<Part>& parts, double bound);

  void set_name(std::string name) { problem_.name = std::move(name); }
  void set_step(double h) { problem_.h = h; }
  void set_level(Level level) { problem_.level = level; }

  Index bodies() const { return static_cast<Index>(bodies_.size()); }
  Index contacts() const { return static_cast<Index>(contact_rows_.size()); }
  // Offsets are zero unless set. Any number of problems can be built.
  ContactProblem build() const;

 private:
  enum class Kind { kSpatial, kPlanar, kTree };
  struct Body {
    Kind kind = Kind::kTree;
    double mass = 0.0;
    Vector3d centre = Vector3d::Zero();
    VectorXd velocity, force;
  };
  using Row = std::vector<Part>;

  Index add_block(Body body, MatrixXd mass);
  Body& at(Index body);
  const Body& at(Index body) const;
  void require_pair(Index a, Index b, Kind kind) const;
  // The row of `direction` at `point`; a joint's turning row has no point: [0, direction] on a, minus that on
  // b.
  Row make_row(Index a, Index b, const Vector3d& point, const Vector3d& direction) const;
  Row make_turning_row(Index a, Index b, const Vector3d& direction) const;
  void require_row(const Row& row) const;
  Index add_contact_rows(std::vector<Row> rows, std::vector<Row> turning, const Contact& contact);
  void add_turning_rows(ContactProblem& problem) const;

  ContactProblem problem_;  // name, level, step, mass, contacts; the rest is filled in by build()
  std::vector<Body> bodies_;
  std::vector<std::vector<Row>> contact_rows_;  // N, S, T
  std::vector<std::vector<Row>> turning_rows_;  // spin, roll_s, roll_t; those missing are zero
  std::vector<Row> bilateral_rows_, dry_rows_;
  std::vector<double> b_N_, a_N_, b_J_, a_J_, bound_;
};

// The tangent that add_contact chooses. Needs a normal of non-zero length; the answer has unit length.
Vector3d calc_tangent(const Vector3d& normal);

// Inertia about the centre, world axes aligned with the shape.
Matrix3d box_inertia(double mass, const Vector3d& edges);
Matrix3d sphere_inertia(double mass, double radius);
Matrix3d cylinder_inertia(double mass, double radius, double height);  // axis z

}  // namespace tribo
