#include "tribo/multibody/equality.hpp"

#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "multibody/row_writer.hpp"

namespace tribo {

namespace {

// Relative to the largest length in g: some roundings per body on the way from the root.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

// What couplings couple: a joint or the length of a tendon, from the reference.
class Coupled {
 public:
  Coupled(const Model& model, const State& state, const Data& data, bool joint, Index index) {
    if (joint) {
      joint_arm_ = {model.v_start(index), 1.0};
      x = state.q(model.q_start(index)) - model.q0()(model.q_start(index));
      speed = state.v(joint_arm_.dof);
      size = std::abs(x);
      return;
    }
    tendon_ = &data.tendons[index];
    x = tendon_->length - model.tendon_length0()(index);
    speed = tendon_->calc_speed(state.v);
    size = std::abs(tendon_->length) + std::abs(model.tendon_length0()(index));
  }
  void add_to(double factor, RowWriter& row) const {
    if (tendon_ == nullptr) return row.add(joint_arm_.dof, factor);
    for (const TendonArm& arm : tendon_->arms) row.add(arm.dof, factor * arm.value);
  }
  double x = 0.0, speed = 0.0;
  double size = 0.0;  // of the numbers that x comes from

 private:
  TendonArm joint_arm_;
  const TendonLength* tendon_ = nullptr;
};

void add_coupling(const Model& model, const State& state, const Data& data, const Equality& equality, RowWriter& row,
                  EqualityRows& rows) {
  const bool joint = equality.type == EqualityType::kJoint;
  const std::array<double, 5>& c = equality.polynomial;
  const Coupled a(model, state, data, joint, equality.a);
  double error = a.x - c[0], drift = 0.0, size = a.size + std::abs(c[0]);
  row.clear();
  a.add_to(1.0, row);
  if (equality.b >= 0) {
    const Coupled b(model, state, data, joint, equality.b);
    double slope = 0.0, power = 1.0;  // Horner would hide the derivatives
    for (int k = 1; k < 5; ++k) {
      slope += k * c[k] * power;  // x^(k−1)
      if (k > 1) drift -= k * (k - 1) * c[k] * std::pow(b.x, k - 2) * b.speed * b.speed;
      power *= b.x;
      error -= c[k] * power;
      size += std::abs(c[k] * power);
    }
    b.add_to(-slope, row);
  }
  row.write(rows.J);
  rows.error.push_back(error);
  rows.rounding.push_back(kRounding * size);
  rows.drift.push_back(drift);
  rows.carried.push_back(0.0);
}

void add_connection(const State& state, const Data& data, const Equality& equality, RowWriter& row,
                    EqualityRows& rows) {
  const Index a = equality.a, b = equality.b;
  const Vector3d p_a = data.p[a] + data.R[a] * equality.frame_a.p, p_b = data.p[b] + data.R[b] * equality.frame_b.p;
  const Vector3d drift = calc_bias_acceleration(data, a, p_a).linear - calc_bias_acceleration(data, b, p_b).linear;
  const Vector3d speed = calc_velocity(data, a, p_a).linear - calc_velocity(data, b, p_b).linear;
  const double size = std::max(p_a.cwiseAbs().maxCoeff(), p_b.cwiseAbs().maxCoeff());
  const auto finish = [&](double error, double scale, double rate, double bias) {
    row.write(rows.J);
    rows.error.push_back(error);
    rows.rounding.push_back(kRounding * scale);
    rows.carried.push_back(state.kinematic.empty() ? 0.0 : rate - rows.J.dot(rows.J.rows() - 1, state.v));
    rows.drift.push_back(bias);
  };
  for (int k = 0; k < 3; ++k) {
    row.clear();
    row.add(data, a, p_a, Vector3d::Unit(k), Vector3d::Zero(), 1.0);
    row.add(data, b, p_b, Vector3d::Unit(k), Vector3d::Zero(), -1.0);
    finish(p_a(k) - p_b(k), size, speed(k), drift(k));
  }
  if (equality.type != EqualityType::kWeld) return;
  // With ω = R_aᵀ(ω_b − ω_a) and q_a⁻¹ q_b = (w, e): ẇ = −½ ω·e, ė = ½ (w ω + ω × e); the error is 2 e.
  const Quaterniond q_a = data.quat[a] * equality.frame_a.q, q_b = data.quat[b] * equality.frame_b.q;
  Quaterniond between = q_a.conjugate() * q_b;
  if (between.w() < 0.0) between.coeffs() *= -1.0;
  const double w = between.w();
  const Vector3d e = between.vec();
  const Matrix3d R = q_a.toRotationMatrix();
  const Vector3d omega_a = data.V[a].head<3>(), omega_b = data.V[b].head<3>();
  const Vector3d omega = R.transpose() * (omega_b - omega_a);
  const Vector3d alpha = R.transpose() * (data.A[b].head<3>() - data.A[a].head<3>() - omega_a.cross(omega_b - omega_a));
  const Vector3d rate = 0.5 * (w * omega + omega.cross(e));
  const Vector3d turn_drift = w * alpha + alpha.cross(e) - 0.5 * omega.dot(e) * omega + omega.cross(rate);
  for (int k = 0; k < 3; ++k) {
    const Vector3d axis =
        R * (w * Vector3d::Unit(k) + e.cross(Vector3d::Unit(k)));  // (w ω + ω × e)_k = axis · (ω_b − ω_a)
    row.clear();
    row.add(data, b, p_b, Vector3d::Zero(), axis, 1.0);
    row.add(data, a, p_a, Vector3d::Zero(), axis, -1.0);
    finish(2.0 * e(k), 1.0, 2.0 * rate(k), turn_drift(k));
  }
}

}  // namespace

void calc_equalities(const Model& model, const State& state, const Data& data, EqualityRows& rows) {
  if (rows.J.layout() == model.trees()) {
    rows.J.clear();
  } else {
    rows.J = BlockRows(model.trees());
  }
  rows.error.clear();
  rows.rounding.clear();
  rows.drift.clear();
  rows.carried.clear();
  RowWriter row(model, rows.memory);
  for (const Equality& equality : model.description().equalities) {
    if (!equality.active) continue;
    if (equality.type == EqualityType::kConnect || equality.type == EqualityType::kWeld) {
      add_connection(state, data, equality, row, rows);
    } else {
      add_coupling(model, state, data, equality, row, rows);
    }
  }
}

}  // namespace tribo
