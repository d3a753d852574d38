#include "range_limit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tribo {
namespace {

constexpr double kSwingGravity = 9.81;  // m/s²; m = L = J = 1
constexpr long kShownAngles = 600;

}  // namespace

LimitRun run_limit(const LimitSettings& settings, Stepper& stepper) {
  LimitRun run;
  const double h = settings.h;
  CompliantProblem problem;
  problem.name = "range limit";
  problem.h = h;
  problem.mass.append(MatrixXd::Identity(1, 1));
  problem.v = problem.f = VectorXd::Zero(1);
  clear_rows(problem);
  problem.unilateral.G.add_row({0, std::array{1.0}});
  size_rows(problem.unilateral, 1);
  problem.unilateral.K(0) = settings.K;
  double angle = 0.5 * std::numbers::pi, speed = 0.0;
  bool touched = false, left = false;
  const long steps = std::lround(settings.end / h), every = std::max(1L, steps / kShownAngles);
  for (long k = 1; k <= steps && (settings.whole || !left); ++k) {
    const double pull = -kSwingGravity * std::sin(angle), before = speed;
    const double free_speed = speed + h * pull;
    if (angle + h * free_speed > 0.0) {
      speed = free_speed;  // the row cannot close
      left = left || touched;
    } else {
      problem.v(0) = speed;
      problem.f(0) = pull;
      problem.unilateral.phi(0) = angle;
      const CompliantSolution& solution = stepper.step(problem);
      speed = solution.v1(0);
      if (!touched && solution.lambda_u(0) > 0.0) {
        touched = true;
        run.impact_time = h * static_cast<double>(k);
        run.impact_speed = -before;
      }
    }
    angle += h * speed;
    if (left && run.restitution == 0.0) run.restitution = speed / run.impact_speed;
    if (left) run.largest = std::max(run.largest, angle);
    if (settings.whole && k % every == 0) {
      run.times.push_back(h * static_cast<double>(k));
      run.angles.push_back(angle);
    }
  }
  return run;
}

double calc_restitution(double h, double K) {
  const double wh = std::sqrt(K) * h;
  return std::pow(1.0 + wh * wh, -0.5 * std::numbers::pi / std::atan(wh));
}

}  // namespace tribo
