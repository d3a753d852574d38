// What the velocities before the step say about contacts: which part by themselves, where they slip, which may be listed
// at acceleration level.
#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/slip_prediction.hpp"

#include <cmath>
#include <string>

#include "problem/checks.hpp"

namespace tribo {

namespace {

constexpr double kAtRest = 1e-6;  // relative; a normal speed below this share of its scale is zero

void calc_free_velocity(const ContactProblem& problem, const BlockCholesky& factor, VectorXd& velocity) {
  if (problem.level == Level::kAcceleration) {
    velocity = problem.v;
    return;
  }
  velocity = problem.f;
  factor.solve(velocity);
  velocity = problem.v + problem.h * velocity;
}

// Σ_b |row_b|_{M⁻¹} |v_b|_M: at least |row · v| and free of units. Block by block, so that a fast body elsewhere
// excuses nothing.
double speed_scale(const BlockRows& rows, Index i, const BlockCholesky& factor, const VectorXd& whitened_v,
                   VectorXd& scratch) {
  double scale = 0.0;
  if (scratch.size() < whitened_v.size()) scratch.resize(whitened_v.size());
  for (const BlockRows::Segment& part : rows.row(i)) {
    if (part.block < 0) continue;
    auto row = scratch.head(static_cast<Index>(part.values.size()));
    row = Eigen::Map<const VectorXd>(part.values.data(), row.size());
    factor.block(part.block).triangularView<Eigen::Lower>().solveInPlace(row);
    scale += row.norm() * whitened_v.segment(rows.layout().start(part.block), row.size()).norm();
  }
  return scale;
}

}  // namespace

IndexList find_separating(const ContactProblem& problem, const SeparationTest& test) {
  TRIBO_REQUIRE(test.gap >= 0.0 && test.speed >= 0.0, "tolerances of a separation cannot be negative");
  const auto factor = BlockCholesky::factor(problem.mass);
  TRIBO_REQUIRE(factor.has_value(), "the mass matrix must be positive definite");
  VectorXd velocity;
  calc_free_velocity(problem, *factor, velocity);
  IndexList separating;
  for (Index i = 0; i < problem.size(); ++i) {
    const bool apart = problem.contacts[static_cast<std::size_t>(i)].gap > test.gap;
    if (apart || problem.N.dot(i, velocity) > test.speed) separating.push_back(i);
  }
  return separating;
}

void SlipPrediction::run(const ContactProblem& problem, std::vector<double>& directions) {
  constexpr double kStill = 1e-9;
  directions.assign(static_cast<std::size_t>(2 * problem.size()), 0.0);
  TRIBO_REQUIRE(factor_.assign(problem.mass).has_value(), "the mass matrix must be positive definite");
  calc_free_velocity(problem, factor_, velocity_);
  whitened_ = velocity_;
  factor_.whiten_velocity(whitened_);
  for (Index i = 0; i < problem.size(); ++i) {
    directions[2 * i] = 1.0;
    if (problem.T.rows() == 0) continue;
    const double along_s = problem.S.dot(i, velocity_), along_t = problem.T.dot(i, velocity_);
    const double speed = std::hypot(along_s, along_t);
    const double scale =
        speed_scale(problem.S, i, factor_, whitened_, row_) + speed_scale(problem.T, i, factor_, whitened_, row_);
    if (!(speed > kStill * scale)) continue;
    directions[2 * i] = along_s / speed;
    directions[2 * i + 1] = along_t / speed;
  }
}

std::vector<double> predict_slip_directions(const ContactProblem& problem) {
  std::vector<double> directions;
  SlipPrediction().run(problem, directions);
  return directions;
}

Checked check_acceleration_level(const ContactProblem& problem) {
  if (problem.level != Level::kAcceleration) return ok();
  const auto factor = BlockCholesky::factor(problem.mass);
  TRIBO_REQUIRE(factor.has_value(), "the mass matrix must be positive definite");
  VectorXd whitened_v = problem.v, row;
  factor->whiten_velocity(whitened_v);
  for (Index i = 0; i < problem.size(); ++i) {
    const std::string where = "contact " + std::to_string(i);
    const double gap = problem.contacts[static_cast<std::size_t>(i)].gap;
    if (gap > SeparationTest{}.gap) {
      return fail("is " + number_text(gap) + " m apart", where, "leave it out at acceleration level until it touches");
    }
    const double speed = problem.N.dot(i, problem.v);
    if (std::abs(speed) <= kAtRest * speed_scale(problem.N, i, *factor, whitened_v, row)) continue;
    if (speed < 0.0) {
      return fail("approaches at " + number_text(-speed) + " m/s", where,
                  "resolve the impact at velocity level first; accelerations cannot stop it");
    }
    return fail("separates at " + number_text(speed) + " m/s", where, "leave it out at acceleration level");
  }
  return ok();
}

}  // namespace tribo
