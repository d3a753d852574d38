#include "spheres.hpp"

#include "tribo/core/clock.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "hertz_row.hpp"
#include "studies/statistics.hpp"

namespace tribo {
namespace {

constexpr double kSphereRadius = 0.1;    // m
constexpr double kSphereMass = 1.0;      // kg
constexpr double kSphereGap = 0.01;      // m, at the start
constexpr double kSphereModulus = 1e11;  // Pa
constexpr double kSphereDamping = 1.0;
constexpr double kSphereFriction = 0.5;
constexpr double kSphereGravity = 9.81;        // m/s²
constexpr double kSphereFloor = 1e-9;          // m
constexpr double kSphereTangentialMass = 1e6;  // kg

double sphere_stiffness(bool ground) {
  return kSphereModulus * std::sqrt(ground ? kSphereRadius : 0.5 * kSphereRadius);
}

// The row of a direction at a contact; arms reach from the centres to it, r n and −r n.
void add_sphere_row(BlockRows& rows, Index lower, const Vector3d& direction, const Vector3d& arm) {
  const Vector3d moment = arm.cross(direction);
  const std::array below = {-direction.x(), -direction.y(), -direction.z(), -moment.x(), -moment.y(), -moment.z()};
  const std::array above = {direction.x(), direction.y(), direction.z(), -moment.x(), -moment.y(), -moment.z()};
  if (lower < 0) {
    rows.add_row({0, above});
  } else {
    rows.add_row({lower, below}, {lower + 1, above});
  }
}

// Contact i is below sphere i.
void write_stack(const std::vector<Vector3d>& centres, double h, CompliantProblem& problem, std::vector<double>& gaps) {
  clear_rows(problem);
  const auto count = static_cast<Index>(centres.size());
  for (CompliantRows* rows : {&problem.normal, &problem.r, &problem.s}) size_rows(*rows, count);
  problem.mu = VectorXd::Constant(count, kSphereFriction);
  problem.rate_scale.resize(count);
  problem.r.B.setConstant(kSphereTangentialMass / h);
  problem.s.B.setConstant(kSphereTangentialMass / h);
  for (Index i = 0; i < count; ++i) {
    const Vector3d& centre = centres[static_cast<std::size_t>(i)];
    Vector3d normal = Vector3d::UnitZ();
    double& gap = gaps[static_cast<std::size_t>(i)];
    gap = centre.z() - kSphereRadius;
    if (i > 0) {
      const Vector3d apart = centre - centres[static_cast<std::size_t>(i - 1)];
      const double distance = apart.norm();
      normal = apart / distance;
      gap = distance - 2.0 * kSphereRadius;
    }
    const Vector3d axis = std::abs(normal.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitZ();
    const Vector3d first = (axis - axis.dot(normal) * normal).normalized(), second = normal.cross(first);
    const Vector3d arm = kSphereRadius * normal;
    add_sphere_row(problem.normal.G, i - 1, normal, Vector3d::Zero());
    add_sphere_row(problem.r.G, i - 1, first, arm);
    add_sphere_row(problem.s.G, i - 1, second, arm);
    const HertzRow row = make_hertz_row(gap, kSphereDamping, kSphereFloor);
    problem.normal.K(i) = sphere_stiffness(i == 0);
    problem.normal.B(i) = row.B;
    problem.normal.phi(i) = row.phi;
    problem.rate_scale(i) = row.rate_scale;
  }
}

}  // namespace

StackRun run_stack(const StackSettings& settings, Stepper& stepper) {
  StackRun run;
  CompliantProblem problem;
  problem.name = "spheres";
  problem.h = settings.h;
  const Index n = settings.spheres;
  std::vector<Vector3d> centres;
  VectorXd weights(6 * n);
  for (Index i = 0; i < n; ++i) {
    const double inertia = 0.4 * kSphereMass * kSphereRadius * kSphereRadius;
    MatrixXd mass = MatrixXd::Zero(6, 6);
    mass.diagonal() << kSphereMass, kSphereMass, kSphereMass, inertia, inertia, inertia;
    problem.mass.append(std::move(mass));
    weights.segment(6 * i, 6) << 0.0, 0.0, -kSphereMass * kSphereGravity, 0.0, 0.0, 0.0;
    const double below = static_cast<double>(i);
    centres.emplace_back(i + 1 == n ? settings.offset : 0.0, 0.0,
                         kSphereRadius + kSphereGap + below * (2.0 * kSphereRadius + kSphereGap));
  }
  problem.v = VectorXd::Zero(6 * n);
  problem.f = weights;
  std::vector<double> gaps(static_cast<std::size_t>(n)), times;
  for (long k = 0; k < settings.steps; ++k) {
    const Stopwatch watch;
    write_stack(centres, settings.h, problem, gaps);
    const CompliantSolution& solution = stepper.step(problem);
    problem.v = solution.v1;
    for (Index i = 0; i < n; ++i) centres[static_cast<std::size_t>(i)] += settings.h * problem.v.segment<3>(6 * i);
    times.push_back(watch.seconds());
    double aside = 0.0;
    for (const Vector3d& centre : centres) aside = std::max(aside, centre.head<2>().cwiseAbs().maxCoeff());
    run.lateral = std::max(run.lateral, aside);
    run.deepest = std::max(run.deepest, -*std::min_element(gaps.begin(), gaps.end()));
    run.tangential =
        std::max({run.tangential, solution.lambda_r.cwiseAbs().maxCoeff(), solution.lambda_s.cwiseAbs().maxCoeff()});
    if (run.toppled < 0.0 && aside > kSphereRadius) {
      run.toppled = settings.h * static_cast<double>(k + 1);
      if (settings.stop_toppled) break;
    }
  }
  write_stack(centres, settings.h, problem, gaps);
  run.kinetic = 0.5 * problem.v.dot(problem.mass.multiply(problem.v));
  run.depth_ground = -gaps.front();
  run.depth_low = n > 1 ? -gaps[1] : run.depth_ground;
  run.depth_top = -gaps.back();
  for (const double seconds : times) run.seconds += seconds;
  times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() * 3 / 4));
  run.step_seconds = calc_spread(times).median;
  return run;
}

double calc_stack_depth(double above, bool ground) {
  return calc_hertz_depth(above * kSphereMass * kSphereGravity, sphere_stiffness(ground));
}

}  // namespace tribo
