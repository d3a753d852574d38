// The classical method of order four on q as plain numbers and v: an integrator of the tests' own.
#pragma once

#include "tribo/multibody/dynamics.hpp"

namespace tribo::testing {

// q̇ from v: quaternions change by half of themselves times (0, ω).
inline VectorXd calc_rate(const Model& model, const State& state) {
  VectorXd rate(model.nq());
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const JointType type = model.joints()[j].type;
    Index at = model.q_start(static_cast<Index>(j)), from = model.v_start(static_cast<Index>(j));
    if (type == JointType::kFree) {
      rate.segment<3>(at) = state.v.segment<3>(from);
      at += 3;
      from += 3;
    }
    if (type == JointType::kFree || type == JointType::kBall) {
      const double w = state.q(at);
      const Vector3d e = state.q.segment<3>(at + 1), omega = state.v.segment<3>(from);
      rate(at) = -0.5 * e.dot(omega);
      rate.segment<3>(at + 1) = 0.5 * (w * omega + e.cross(omega));
    } else {
      rate.segment(at, calc_nq(type)) = state.v.segment(from, calc_nv(type));
    }
  }
  return rate;
}

// `accelerate(state)` gives v̇.
template <typename Accelerate>
void runge_kutta_step(const Model& model, double h, State& state, const Accelerate& accelerate) {
  VectorXd q_rate[4], v_rate[4];
  State stage = state;
  constexpr double kAt[] = {0.0, 0.5, 0.5, 1.0};
  for (int k = 0; k < 4; ++k) {
    if (k > 0) {
      stage.q = state.q + kAt[k] * h * q_rate[k - 1];
      stage.v = state.v + kAt[k] * h * v_rate[k - 1];
    }
    q_rate[k] = calc_rate(model, stage);
    v_rate[k] = accelerate(stage);
  }
  state.q += h / 6.0 * (q_rate[0] + 2.0 * q_rate[1] + 2.0 * q_rate[2] + q_rate[3]);
  state.v += h / 6.0 * (v_rate[0] + 2.0 * v_rate[1] + 2.0 * v_rate[2] + v_rate[3]);
}

// M v̇ = passive − bias.
inline void runge_kutta_step(const Model& model, double h, State& state) {
  Data data(model);
  runge_kutta_step(model, h, state, [&](const State& at) -> VectorXd {
    calc_dynamics(model, at, data);
    return solve_mass(model, data, data.passive - data.bias).value();
  });
}

inline double calc_total_energy(const Model& model, const State& state) {
  Data data(model);
  calc_dynamics(model, state, data);
  const Energy energy = calc_energy(model, state, data);
  return energy.kinetic + energy.potential;
}

}  // namespace tribo::testing
