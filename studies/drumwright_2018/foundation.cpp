#include "foundation.hpp"

#include "tribo/core/clock.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tribo {
namespace {

constexpr double kCubeSide = 1.0;  // m
constexpr double kCubeMass = 8.0;  // kg
constexpr double kCubeInertia = kCubeMass * kCubeSide * kCubeSide / 6.0;
constexpr double kFoundationDamping = 1.0;   // N·s/m per element
constexpr double kFoundationGravity = 9.81;  // m/s²
constexpr double kLoadSpin = 10.0;           // rad/s

// The wrench of weight and load (2) on a cube at this attitude.
Eigen::Matrix<double, 6, 1> calc_load(double load, double t, const Matrix3d& R) {
  const Vector3d point = R * Vector3d(std::cos(kLoadSpin * t), std::sin(kLoadSpin * t), 1.0) * (0.5 * kCubeSide);
  Eigen::Matrix<double, 6, 1> wrench;
  wrench << 0.0, 0.0, -kCubeMass * kFoundationGravity - load, -load * point.y(), load * point.x(), 0.0;
  return wrench;
}

// φ_i = base + a x_i + b y_i: R₃₁, R₃₂, and z + (s/2)(1 − R₃₃) without a difference of two large numbers.
struct BottomPlane {
  double base, a, b;
};
BottomPlane calc_plane(double z, const Eigen::Quaterniond& q) {
  return {z + kCubeSide * (q.x() * q.x() + q.y() * q.y()), 2.0 * (q.x() * q.z() - q.w() * q.y()),
          2.0 * (q.y() * q.z() + q.w() * q.x())};
}

Eigen::Quaterniond turn_of(const double* y) { return {y[3], y[4], y[5], y[6]}; }

// G and φ of the elements, each a row (1) of its own.
void write_rows(const VectorXd& x, const VectorXd& y, const BottomPlane& plane, const Matrix3d& R,
                CompliantRows& rows) {
  const double down_x = -R(0, 2) * 0.5 * kCubeSide, down_y = -R(1, 2) * 0.5 * kCubeSide;
  for (Index i = 0; i < x.size(); ++i) {
    double* row = rows.G.values(i, 0);
    row[3] = R(1, 0) * x(i) + R(1, 1) * y(i) + down_y;
    row[4] = -(R(0, 0) * x(i) + R(0, 1) * y(i) + down_x);
    rows.phi(i) = plane.base + plane.a * x(i) + plane.b * y(i);
  }
}

// The same as three rows: the springs are (1, x, y) times them.
void write_plane_rows(const Matrix3d& R, BlockRows& T) {
  const Vector3d origin = -0.5 * kCubeSide * R.col(2);
  const std::array<Vector3d, 3> arms = {origin, R.col(0), R.col(1)};
  for (Index i = 0; i < 3; ++i) {
    T.values(i, 0)[3] = arms[static_cast<std::size_t>(i)].y();
    T.values(i, 0)[4] = -arms[static_cast<std::size_t>(i)].x();
  }
}

// y' from the wrench on the cube.
void write_rate(const double* state, const Eigen::Quaterniond& q, const Eigen::Matrix<double, 6, 1>& wrench,
                double* rate) {
  const Eigen::Quaterniond spin = Eigen::Quaterniond(0.0, state[10], state[11], state[12]) * q;
  std::copy_n(state + 7, 3, rate);
  rate[3] = 0.5 * spin.w();
  rate[4] = 0.5 * spin.x();
  rate[5] = 0.5 * spin.y();
  rate[6] = 0.5 * spin.z();
  for (int i = 0; i < 3; ++i) {
    rate[7 + i] = wrench(i) / kCubeMass;
    rate[10 + i] = wrench(3 + i) / kCubeInertia;
  }
}

// All elements at once, as one who knows that they lie in a plane would write them: three passes over vectors.
struct FoundationForce {
  double K = 0.0, load = 0.0;
  Eigen::ArrayXd x, y;
  mutable Eigen::ArrayXd force;

  // (3). The force of every element is max(0, c + d x + e y): spring and damper are linear over the bottom.
  void operator()(double t, const double* state, double* rate) const {
    const Eigen::Quaterniond q = turn_of(state);
    const Matrix3d R = q.toRotationMatrix();
    const Vector3d v(state[7], state[8], state[9]), omega(state[10], state[11], state[12]);
    const BottomPlane plane = calc_plane(state[2], q);
    const Vector3d from_x = omega.cross(R.col(0)), from_y = omega.cross(R.col(1)), from_z = omega.cross(R.col(2));
    const double c = -K * plane.base - kFoundationDamping * (v.z() - 0.5 * kCubeSide * from_z.z());
    const double d = -K * plane.a - kFoundationDamping * from_x.z();
    const double e = -K * plane.b - kFoundationDamping * from_y.z();
    force = (c + d * x + e * y).max(0.0);
    const double total = force.sum();
    const Vector3d arm = R * Vector3d((force * x).sum(), (force * y).sum(), -0.5 * kCubeSide * total);
    Eigen::Matrix<double, 6, 1> wrench = calc_load(load, t, R);
    wrench(2) += total;
    wrench(3) += arm.y();
    wrench(4) -= arm.x();
    write_rate(state, q, wrench, rate);
  }
};

// (3) as a simulator of general rows has it: the rows of every evaluation are written as for a step, and know nothing of a plane.
struct FoundationRowForce {
  double load = 0.0;
  VectorXd x, y;
  mutable CompliantRows rows;

  void operator()(double t, const double* state, double* rate) const {
    const Eigen::Quaterniond q = turn_of(state);
    const Matrix3d R = q.toRotationMatrix();
    write_rows(x, y, calc_plane(state[2], q), R, rows);
    Eigen::Matrix<double, 6, 1> wrench = calc_load(load, t, R);
    const BlockLayout& layout = rows.G.layout();
    for (Index i = 0; i < rows.rows(); ++i) {
      double speed = 0.0;
      for (int k = 0; k < 2; ++k) {
        const Index block = rows.G.block(i, k);
        if (block < 0) continue;
        const double *G = rows.G.values(i, k), *v = state + 7 + layout.start(block);
        for (Index j = 0; j < layout.size(block); ++j) speed += G[j] * v[j];
      }
      const double force = std::max(0.0, -rows.K(i) * rows.phi(i) - rows.B(i) * speed);
      if (force == 0.0) continue;
      for (int k = 0; k < 2; ++k) {
        const Index block = rows.G.block(i, k);
        if (block < 0) continue;
        const double* G = rows.G.values(i, k);
        for (Index j = 0; j < layout.size(block); ++j) wrench(layout.start(block) + j) += force * G[j];
      }
    }
    write_rate(state, q, wrench, rate);
  }
};

}  // namespace

Foundation::Foundation(const FoundationSettings& settings) : settings_(settings) {
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(settings.elements))));
  const Index count = side * side;
  const double area = kCubeSide * kCubeSide / static_cast<double>(count);
  layer_ = std::make_shared<ElasticLayer>(
      make_rectangular_layer(kCubeSide, kCubeSide, side, side, settings.E, kFoundationDamping / area));
  K_ = settings.E * area;
  MatrixXd mass = MatrixXd::Zero(6, 6);
  mass.diagonal() << kCubeMass, kCubeMass, kCubeMass, kCubeInertia, kCubeInertia, kCubeInertia;
  problem_.name = layer_problem_.name = "foundation";
  problem_.h = layer_problem_.h = settings.h;
  problem_.mass.append(mass);
  layer_problem_.mass.append(std::move(mass));
  clear_rows(problem_);
  size_rows(problem_.unilateral, count);
  problem_.unilateral.K.setConstant(K_);
  const std::array<double, 6> upwards = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, turning = {};
  for (Index i = 0; i < count; ++i) problem_.unilateral.G.add_row({0, upwards});
  layer_problem_.layer = layer_;
  layer_problem_.T = BlockRows(layer_problem_.mass.layout());
  layer_problem_.T.add_row({0, upwards});
  for (int i = 0; i < 2; ++i) layer_problem_.T.add_row({0, turning});
}

VectorXd Foundation::start() const {
  VectorXd y = VectorXd::Zero(13);
  y(3) = 1.0;
  return y;
}

void Foundation::write_problem(double t) {
  const Eigen::Quaterniond q = turn_of(state_.data());
  const Matrix3d R = q.toRotationMatrix();
  problem_.v = state_.tail(6);
  problem_.f = calc_load(settings_.load, t, R);
  CompliantRows& rows = problem_.unilateral;
  write_rows(layer_->x, layer_->y, calc_plane(state_(2), q), R, rows);
  for (Index i = 0; i < rows.rows(); ++i)
    rows.B(i) = rows.phi(i) > 0.0 ? 0.0 : kFoundationDamping;  // none across a gap (spec B.4)
}

void Foundation::write_layer_problem(double t) {
  const Eigen::Quaterniond q = turn_of(state_.data());
  const Matrix3d R = q.toRotationMatrix();
  const BottomPlane plane = calc_plane(state_(2), q);
  layer_problem_.v = state_.tail(6);
  layer_problem_.f = calc_load(settings_.load, t, R);
  layer_problem_.gap = {plane.base, plane.a, plane.b};
  write_plane_rows(R, layer_problem_.T);
}

// q: at the beginning of the step. An element is open where its gap is at the end.
void Foundation::watch(const Eigen::Quaterniond& q, const CompliantSolution& solution, bool later,
                       FoundationRun& run) const {
  const BottomPlane plane = calc_plane(state_(2), q);
  BlockRows T = layer_problem_.T;
  write_plane_rows(q.toRotationMatrix(), T);
  const Vector3d end = Vector3d(plane.base, plane.a, plane.b) + settings_.h * T.multiply(solution.v1);
  for (Index i = 0; i < layer_->elements(); ++i) {
    const double gap = end(0) + end(1) * x(i) + end(2) * y(i);
    if (gap > 0.0) run.open_force = std::max(run.open_force, solution.lambda_u(i));
  }
  if (later) run.lifted = std::max(run.lifted, (solution.lambda_u.array() <= 0.0).count());
}

// `step` writes the problem at the time it is given and solves it.
template <class Step>
FoundationRun Foundation::run_steps(const Step& step) {
  FoundationRun run;
  state_ = start();
  const auto steps = std::lround(settings_.end / settings_.h);
  const Stopwatch clock;
  const CompliantSolution* last = nullptr;
  double watching = 0.0;  // looking at the forces is no part of the simulation
  for (long k = 0; k < steps; ++k) {
    const Eigen::Quaterniond before = turn_of(state_.data());
    const CompliantSolution& solution = step(settings_.h * static_cast<double>(settings_.load_at_end ? k + 1 : k));
    if (settings_.watch) {
      const Stopwatch aside;
      watch(before, solution, 2 * k > steps, run);
      watching += aside.seconds();
    }
    state_.tail(6) = solution.v1;
    state_.head(3) += settings_.h * solution.v1.head(3);
    const Eigen::Quaterniond q = turned(before, settings_.h * Vector3d(solution.v1.tail(3)));
    state_.segment(3, 4) << q.w(), q.x(), q.y(), q.z();
    last = &solution;
  }
  run.seconds = clock.seconds() - watching;
  run.pose = state_.head(7);
  if (last != nullptr) run.forces = last->lambda_u;
  return run;
}

FoundationRun Foundation::run(Stepper& stepper) {
  return run_steps([&](double t) -> const CompliantSolution& {
    write_problem(t);
    return stepper.step(problem_);
  });
}

FoundationRun Foundation::run(LayerStepper& stepper) {
  return run_steps([&](double t) -> const CompliantSolution& {
    write_layer_problem(t);
    return stepper.step(layer_problem_);
  });
}

OdeRightHandSide Foundation::right_hand_side() const {
  return FoundationForce{K_, settings_.load, layer_->x.array(), layer_->y.array(), Eigen::ArrayXd(layer_->elements())};
}

OdeRightHandSide Foundation::right_hand_side_by_rows() const {
  FoundationRowForce force{settings_.load, layer_->x, layer_->y, problem_.unilateral};
  force.rows.B.setConstant(kFoundationDamping);
  return force;
}

VectorXd Foundation::reference_pose(long steps) const {
  const FoundationForce f{K_, settings_.load, layer_->x.array(), layer_->y.array(), Eigen::ArrayXd(layer_->elements())};
  using State = Eigen::Matrix<double, 13, 1>;
  const double h = settings_.end / static_cast<double>(steps);
  State y = start(), k1, k2, k3, k4, at;
  for (long i = 0; i < steps; ++i) {
    const double t = h * static_cast<double>(i);
    f(t, y.data(), k1.data());
    at = y + 0.5 * h * k1;
    f(t + 0.5 * h, at.data(), k2.data());
    at = y + 0.5 * h * k2;
    f(t + 0.5 * h, at.data(), k3.data());
    at = y + h * k3;
    f(t + h, at.data(), k4.data());
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    y.segment<4>(3).normalize();
  }
  return y.head(7);
}

double Foundation::fastest_frequency() const {
  return std::sqrt(settings_.E * kCubeSide * kCubeSide / kCubeMass);  // heave; E = K n/s², depth 1 m
}

double Foundation::static_depth() const {
  const double area = kCubeSide * kCubeSide, second_moment = area * area / 12.0;
  const double tilt = settings_.load * 0.5 * kCubeSide / (settings_.E * second_moment);
  return (kCubeMass * kFoundationGravity + settings_.load) / (settings_.E * area) + tilt * 0.5 * kCubeSide;
}

double pose_error(const VectorXd& pose, const VectorXd& reference) {
  return (pose.segment(2, 5) - reference.segment(2, 5)).norm();
}

}  // namespace tribo
