// What the velocities before the step say about contacts: which part by themselves, where they slip, which may be listed
// at acceleration level.
#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <cmath>
#include <string>

#include "problem/checks.hpp"

namespace tribo {

namespace {

constexpr double kAtRest = 1e-6;  // relative; a normal speed below this share of its scale is zero

VectorXd free_velocity(const ContactProblem& problem) {
  if (problem.level == Level::kAcceleration) return problem.v;
  const auto factor = BlockCholesky::factor(problem.mass);
  TRIBO_REQUIRE(factor.has_value(), "the mass matrix must be positive definite");
  VectorXd change = problem.f;
  factor->solve(change);
  return problem.v + problem.h * change;
}

// Σ_b |row_b|_{M⁻¹} |v_b|_M: at least |row · v| and free of units. Block by block, so that a fast body elsewhere
// excuses nothing.
double speed_scale(const BlockRows& rows, Index i, const BlockCholesky& factor, const VectorXd& whitened_v) {
  double scale = 0.0;
  for (const BlockRows::Segment& part : rows.row(i)) {
    if (part.block < 0) continue;
    VectorXd row = Eigen::Map<const VectorXd>(part.values.data(), static_cast<Index>(part.values.size()));
    factor.block(part.block).triangularView<Eigen::Lower>().solveInPlace(row);
    scale += row.norm() * whitened_v.segment(rows.layout().start(part.block), row.size()).norm();
  }
  return scale;
}

}  // namespace

IndexList find_separating(const ContactProblem& problem, const SeparationTest& test) {
  TRIBO_REQUIRE(test.gap >= 0.0 && test.speed >= 0.0, "tolerances of a separation cannot be negative");
  const VectorXd velocity = free_velocity(problem);
  IndexList separating;
  for (Index i = 0; i < problem.size(); ++i) {
    const bool apart = problem.contacts[static_cast<std::size_t>(i)].gap > test.gap;
    if (apart || problem.N.dot(i, velocity) > test.speed) separating.push_back(i);
  }
  return separating;
}

std::vector<double> predict_slip_directions(const ContactProblem& problem) {
  constexpr double kStill = 1e-9;
  std::vector<double> directions(static_cast<std::size_t>(2 * problem.size()), 0.0);
  const auto factor = BlockCholesky::factor(problem.mass);
  TRIBO_REQUIRE(factor.has_value(), "the mass matrix must be positive definite");
  const VectorXd velocity = free_velocity(problem);
  VectorXd whitened = velocity;
  factor->whiten_velocity(whitened);
  for (Index i = 0; i < problem.size(); ++i) {
    directions[2 * i] = 1.0;
    if (problem.T.rows() == 0) continue;
    const double along_s = problem.S.dot(i, velocity), along_t = problem.T.dot(i, velocity);
    const double speed = std::hypot(along_s, along_t);
    const double scale = speed_scale(problem.S, i, *factor, whitened) + speed_scale(problem.T, i, *factor, whitened);
    if (!(speed > kStill * scale)) continue;
    directions[2 * i] = along_s / speed;
    directions[2 * i + 1] = along_t / speed;
  }
  return directions;
}

Checked check_acceleration_level(const ContactProblem& problem) {
  if (problem.level != Level::kAcceleration) return ok();
  const auto factor = BlockCholesky::factor(problem.mass);
  TRIBO_REQUIRE(factor.has_value(), "the mass matrix must be positive definite");
  VectorXd whitened_v = problem.v;
  factor->whiten_velocity(whitened_v);
  for (Index i = 0; i < problem.size(); ++i) {
    const std::string where = "contact " + std::to_string(i);
    const double gap = problem.contacts[static_cast<std::size_t>(i)].gap;
    if (gap > SeparationTest{}.gap) {
      return fail("is " + number_text(gap) + " m apart", where, "leave it out at acceleration level until it touches");
    }
    const double speed = problem.N.dot(i, problem.v);
    if (std::abs(speed) <= kAtRest * speed_scale(problem.N, i, *factor, whitened_v)) continue;
    if (speed < 0.0) {
      return fail("approaches at " + number_text(-speed) + " m/s", where,
                  "resolve the impact at velocity level first; accelerations cannot stop it");
    }
    return fail("separates at " + number_text(speed) + " m/s", where, "leave it out at acceleration level");
  }
  return ok();
}

}  // namespace tribo
