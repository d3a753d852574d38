#include "cone_physics.hpp"

#include <algorithm>
#include <cmath>

#include "cone_problems.hpp"

namespace tribo {
namespace {

constexpr double kThere = 1e-2;  // of max|q|: what counts as slip and as friction

double scale_of(const LocalFriction& problem) {
  return problem.q.size() == 0 ? 1e-10 : std::max(problem.q.cwiseAbs().maxCoeff(), 1e-10);
}

}  // namespace

MatrixAnswer make_matrix_answer(const LocalFriction& problem, const FrictionAnswer& answer) {
  MatrixAnswer result{problem, answer.solution.r, {}, -1.0, -1.0};
  result.u = problem.W * result.r + problem.q;
  return result;
}

MatrixAnswer make_matrix_answer(const ContactProblem& problem, const ContactAnswer& answer) {
  MatrixAnswer result{make_local(problem), {}, {}, -1.0, -1.0};
  const Index d = result.problem.dimension;
  const VectorXd N = problem.N.multiply(answer.v_next) + problem.b_N, S = problem.S.multiply(answer.v_next);
  const VectorXd T = d == 3 ? problem.T.multiply(answer.v_next) : VectorXd();
  result.r.resize(d * problem.size());
  result.u.resize(d * problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    const Vector3d& impulse = answer.contacts[i].impulse;
    result.r(d * i) = impulse.z();
    result.r(d * i + 1) = impulse.x();
    result.u(d * i) = N(i);
    result.u(d * i + 1) = S(i);
    if (d == 2) continue;
    result.r(d * i + 2) = impulse.y();
    result.u(d * i + 2) = T(i);
  }
  if (problem.b_N.isZero(0.0)) {
    VectorXd free = problem.h * problem.f;
    BlockCholesky::factor(problem.mass).value().solve(free);
    free += problem.v;
    result.free_energy = 0.5 * free.dot(problem.mass.multiply(free));
    result.next_energy = 0.5 * answer.v_next.dot(problem.mass.multiply(answer.v_next));
  }
  return result;
}

SlipAngle calc_slip_angle(const MatrixAnswer& answer) {
  const Index d = answer.problem.dimension;
  const double scale = scale_of(answer.problem);
  const VectorXd diagonal = answer.problem.W.diagonal();
  SlipAngle result;
  for (Index i = 0; i < answer.problem.contacts(); ++i) {
    const double weight = diagonal.segment(d * i, d).mean();
    Eigen::Vector2d friction = Eigen::Vector2d::Zero(), slip = Eigen::Vector2d::Zero();
    friction.head(d - 1) = -answer.r.segment(d * i + 1, d - 1);
    slip.head(d - 1) = answer.u.segment(d * i + 1, d - 1);
    if (weight * friction.norm() <= kThere * scale || slip.norm() <= kThere * scale) continue;
    ++result.compared;
    const double across = friction.x() * slip.y() - friction.y() * slip.x();
    result.largest = std::max(result.largest, std::abs(std::atan2(across, friction.dot(slip))));
  }
  return result;
}

double calc_created_energy(const MatrixAnswer& answer) {
  if (answer.free_energy <= 0.0) return 0.0;
  return std::max(answer.next_energy - answer.free_energy, 0.0) / answer.free_energy;
}

double calc_change(const MatrixAnswer& before, const MatrixAnswer& after, double length) {
  if (before.u.size() == 0) return 0.0;
  return (after.u / length - before.u).cwiseAbs().maxCoeff() / scale_of(before.problem);
}

}  // namespace tribo
