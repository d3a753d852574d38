#include "incline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "hertz_row.hpp"

namespace tribo {
namespace {

constexpr double kRampAngle = std::numbers::pi / 12.0;
constexpr double kRampGravity = 9.8;     // m/s²
constexpr double kFootStiffness = 1e10;  // N/m^{3/2}
constexpr double kFootSpring = 1e9;      // N/m, linear feet
constexpr double kFootDamping = 1.0;
constexpr double kTangentialMass = 1e6;  // kg: h B of the tangential dampers
const Vector3d kBlockHalf(0.1, 0.05, 0.025);

struct Block {
  Vector3d position = Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
};

double weight_component() { return kRampGravity * std::cos(kRampAngle); }

double static_depth_of(const InclineSettings& settings) {
  const double force = weight_component() / 4.0;
  return settings.hertz ? calc_hertz_depth(force, kFootStiffness) : force / kFootSpring;
}

Matrix3d block_inertia() {
  const Vector3d square = 4.0 * kBlockHalf.cwiseAbs2() / 12.0;
  return Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y()).asDiagonal();
}

std::array<double, 6> foot_row(const Vector3d& arm, const Vector3d& direction) {
  const Vector3d moment = arm.cross(direction);
  return {direction.x(), direction.y(), direction.z(), moment.x(), moment.y(), moment.z()};
}

// Rows of the feet; `gaps` are those of all four.
void write_feet(const Block& block, const InclineSettings& settings, CompliantProblem& problem,
                std::array<double, 4>& gaps) {
  clear_rows(problem);
  const Matrix3d R = block.turn.toRotationMatrix();
  const double floor = static_depth_of(settings);
  std::vector<HertzRow> rows;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const Vector3d corner((i % 2 == 0 ? -1.0 : 1.0) * kBlockHalf.x(), (i < 2 ? -1.0 : 1.0) * kBlockHalf.y(),
                          -kBlockHalf.z());
    const Vector3d arm = R * corner;
    gaps[i] = block.position.z() + (arm.z() + kBlockHalf.z());
    if (settings.gated && gaps[i] > 0.0) continue;
    HertzRow row = make_hertz_row(gaps[i], kFootDamping, floor);
    if (!settings.hertz) row = {gaps[i], row.B, 1.0};
    rows.push_back(row);
    problem.normal.G.add_row({0, foot_row(arm, Vector3d::UnitZ())});
    if (settings.mu <= 0.0) continue;
    problem.r.G.add_row({0, foot_row(arm, Vector3d::UnitX())});
    problem.s.G.add_row({0, foot_row(arm, Vector3d::UnitY())});
  }
  const auto count = static_cast<Index>(rows.size());
  size_rows(problem.normal, count);
  problem.normal.K.setConstant(settings.hertz ? kFootStiffness : kFootSpring);
  problem.mu = VectorXd::Constant(count, settings.mu);
  problem.rate_scale = VectorXd::Ones(count);
  for (Index i = 0; i < count; ++i) {
    const HertzRow& row = rows[static_cast<std::size_t>(i)];
    problem.normal.B(i) = row.B;
    problem.normal.phi(i) = row.phi;
    problem.rate_scale(i) = row.rate_scale;
  }
  for (CompliantRows* tangent : {&problem.r, &problem.s}) {
    size_rows(*tangent, tangent->G.rows());
    tangent->B.setConstant(kTangentialMass / settings.h);
  }
}

}  // namespace

// position.z() counts from where the feet touch, so that depths keep their digits.
InclineRun run_incline(const InclineSettings& settings, Stepper& stepper) {
  InclineRun run;
  Block block;
  const double start = -static_depth_of(settings);
  block.position.z() = start;
  CompliantProblem problem;
  problem.name = "incline";
  problem.h = settings.h;
  if (settings.zeta > 0.0) problem.zeta = settings.zeta;
  problem.mass.append(MatrixXd::Identity(6, 6));
  problem.v = VectorXd::Zero(6);
  problem.f = VectorXd::Zero(6);
  const Matrix3d inertia = block_inertia();
  std::array<double, 4> gaps{};
  const long steps = std::lround(settings.end / settings.h);
  long airborne = 0;
  for (long k = 0; k < steps; ++k) {
    const Matrix3d R = block.turn.toRotationMatrix(), world = R * inertia * R.transpose();
    const Vector3d omega = problem.v.tail(3);
    problem.mass.block(0).bottomRightCorner(3, 3) = 0.5 * (world + world.transpose());
    problem.f << kRampGravity * std::sin(kRampAngle), 0.0, -weight_component(), -omega.cross(world * omega);
    write_feet(block, settings, problem, gaps);
    const CompliantSolution& solution = stepper.step(problem);
    problem.v = solution.v1;
    block.position += settings.h * problem.v.head(3);
    block.turn = turned(block.turn, settings.h * Vector3d(problem.v.tail(3)));
    const double normal = solution.lambda_n.sum() / weight_component();
    if (normal <= 0.0) ++airborne;
    run.most_normal = std::max(run.most_normal, normal);
    run.normal_error = std::max(run.normal_error, std::abs(normal - 1.0));
    run.height = std::max(run.height, block.position.z() - start);
    run.force = solution.lambda_n.size() > 0 ? solution.lambda_n.mean() : 0.0;
  }
  write_feet(block, settings, problem, gaps);
  run.distance = block.position.x();
  run.speed = problem.v(0);
  run.airborne = static_cast<double>(airborne) / static_cast<double>(steps);
  run.depth = -0.25 * (gaps[0] + gaps[1] + gaps[2] + gaps[3]);
  return run;
}

double calc_slide(const InclineSettings& settings) {
  const double drive = kRampGravity * (std::sin(kRampAngle) - settings.mu * std::cos(kRampAngle));
  const auto steps = static_cast<double>(std::lround(settings.end / settings.h));
  return drive <= 0.0 ? 0.0 : 0.5 * drive * settings.h * settings.h * steps * (steps + 1.0);
}

}  // namespace tribo
