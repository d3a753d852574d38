#include "tribo/problem/contact_problem.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>

namespace tribo {

namespace {

bool equal_rows(const BlockRows& a, const BlockRows& b) {
  if (a.rows() != b.rows() || a.layout() != b.layout()) return false;
  // One dense row at a time: segments may be stored in another order, and zeros may be stored or not.
  VectorXd left(a.cols()), right(a.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    left.setZero();
    right.setZero();
    a.add_scaled(i, 1.0, left);
    b.add_scaled(i, 1.0, right);
    if (left != right) return false;
  }
  return true;
}

// Rows against turning and of dry friction are absent in most problems, and then need no layout.
bool equal_optional_rows(const BlockRows& a, const BlockRows& b) {
  return (a.rows() == 0 && b.rows() == 0) || equal_rows(a, b);
}

bool equal_vector(const VectorXd& a, const VectorXd& b) { return a.size() == b.size() && a == b; }

bool equal_mass(const BlockDiagonal& a, const BlockDiagonal& b) {
  if (a.layout() != b.layout()) return false;
  for (Index i = 0; i < a.blocks(); ++i) {
    if (a.block(i) != b.block(i)) return false;
  }
  return true;
}

}  // namespace

bool equal(const ContactProblem& a, const ContactProblem& b) {
  return a.name == b.name && a.level == b.level && a.h == b.h && equal_mass(a.mass, b.mass) && equal_vector(a.v, b.v) &&
         equal_vector(a.f, b.f) && equal_rows(a.J, b.J) && equal_vector(a.b_J, b.b_J) && equal_vector(a.a_J, b.a_J) &&
         equal_rows(a.N, b.N) && equal_rows(a.S, b.S) && equal_rows(a.T, b.T) && equal_optional_rows(a.spin, b.spin) &&
         equal_optional_rows(a.roll_s, b.roll_s) && equal_optional_rows(a.roll_t, b.roll_t) &&
         equal_optional_rows(a.D, b.D) && equal_vector(a.bound, b.bound) && equal_vector(a.b_N, b.b_N) &&
         equal_vector(a.a_N, b.a_N) && a.contacts == b.contacts;
}

// Spec A.2:  b_N = min( phi/h  or, overlapping, max(kappa phi/h, −max_speed);  e N v where N v < −bounce_threshold )
// Differs    a contact with e = 0 has no second term: written out it would be 0 and stop an approaching body before its gap
//            is closed.
VectorXd calc_normal_offset(const ContactProblem& problem, const Stabilization& stabilization) {
  TRIBO_REQUIRE(static_cast<Index>(problem.contacts.size()) == problem.size(), "one Contact per row of N");
  TRIBO_REQUIRE(problem.h > 0.0, "the step must be positive");
  VectorXd b_N(problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const double closing = contact.gap / problem.h;
    b_N(i) = contact.gap >= 0.0 ? closing : std::max(stabilization.kappa * closing + 0.0, -stabilization.max_speed);
    const double normal_speed = problem.N.dot(i, problem.v);
    if (contact.restitution > 0.0 && normal_speed < -stabilization.bounce_threshold) {
      b_N(i) = std::min(b_N(i), contact.restitution * normal_speed);
    }
  }
  return b_N;
}

}  // namespace tribo
