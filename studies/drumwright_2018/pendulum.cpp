#include "pendulum.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tribo {
namespace {

constexpr double kBobMass = 1.0;           // kg
constexpr double kPendulumLength = 1.0;    // m
constexpr double kPendulumGravity = 9.81;  // m/s²
constexpr double kJointStiffness = 1e15;   // N/m
constexpr double kJointDamping = 1.0;      // N·s/m
constexpr long kShownSteps = 400;

Eigen::Vector2d joint_deviation(const Vector3d& q) {
  return {q.x() - kPendulumLength * std::cos(q.z()), q.y() - kPendulumLength * std::sin(q.z())};
}

void write_joint(const Vector3d& q, const PendulumSettings& settings, CompliantProblem& problem) {
  clear_rows(problem);
  CompliantRows& rows = problem.bilateral;
  const double c = std::cos(q.z()), s = std::sin(q.z());
  rows.G.add_row({0, std::array{1.0, 0.0, kPendulumLength * s}});
  rows.G.add_row({0, std::array{0.0, 1.0, -kPendulumLength * c}});
  size_rows(rows, 2);
  rows.K.setConstant(kJointStiffness);
  rows.B.setConstant(kJointDamping);
  rows.phi = joint_deviation(q);
  const double pull = settings.share * kPendulumLength * problem.v(2) * problem.v(2);
  rows.drift = Eigen::Vector2d(pull * c, pull * s);
}

}  // namespace

PendulumRun run_pendulum(const PendulumSettings& settings, Stepper& stepper) {
  PendulumRun run;
  CompliantProblem problem;
  problem.name = "pendulum";
  problem.h = settings.h;
  problem.product = settings.product;
  problem.mass.append(Vector3d(kBobMass, kBobMass, settings.inertia).asDiagonal().toDenseMatrix());
  problem.v = Vector3d::Zero();
  problem.f = Vector3d(0.0, -kBobMass * kPendulumGravity, 0.0);
  Vector3d q(kPendulumLength, 0.0, 0.0);
  const long steps = std::lround(settings.end / settings.h), every = (steps + kShownSteps - 1) / kShownSteps;
  double in_window = -1e300;
  for (long k = 1; k <= steps && !run.exceeded; ++k) {
    write_joint(q, settings, problem);
    problem.v = stepper.step(problem).v1;
    q += settings.h * problem.v;
    const double t = settings.h * static_cast<double>(k), deviation = joint_deviation(q).norm();
    const double energy = 0.5 * kBobMass * problem.v.head(2).squaredNorm() +
                          0.5 * settings.inertia * problem.v(2) * problem.v(2) + kBobMass * kPendulumGravity * q.y();
    run.deviation = std::max(run.deviation, deviation);
    run.energy = std::max(run.energy, std::abs(energy));
    run.last_energy = energy;
    run.ended = t;
    run.exceeded = (settings.ceiling > 0.0 && energy > settings.ceiling) || !std::isfinite(energy);
    if (k % every == 0) {
      run.times.push_back(t);
      run.deviations.push_back(deviation);
    }
    in_window = std::max(in_window, energy);
    if (settings.window > 0.0 &&
        t >= settings.window * static_cast<double>(run.windows.size() + 1) - 0.5 * settings.h) {
      run.windows.push_back(in_window);
      in_window = -1e300;
    }
  }
  run.angle = q.z();
  return run;
}

double calc_pendulum_angle(double end, double inertia) {
  const double pull =
      kBobMass * kPendulumGravity * kPendulumLength / (inertia + kBobMass * kPendulumLength * kPendulumLength);
  constexpr int kSteps = 20000;
  const double h = end / kSteps;
  const auto rate = [&](const Eigen::Vector2d& y) { return Eigen::Vector2d(y(1), -pull * std::cos(y(0))); };
  Eigen::Vector2d y(0.0, 0.0);
  for (int i = 0; i < kSteps; ++i) {
    const Eigen::Vector2d k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2), k4 = rate(y + h * k3);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return y(0);
}

}  // namespace tribo
