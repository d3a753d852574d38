#include "sim/advance.hpp"

#include "tribo/multibody/actuation.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

namespace {

constexpr double kNoSpeed = 1e-100;  // m/s, rad/s: squares of smaller numbers underflow, and friction leaves such rests

bool is_finite(const State& state) {
  return state.q.allFinite() && state.activation.allFinite() &&
         std::all_of(state.kinematic.begin(), state.kinematic.end(), [](const auto& motion) {
           return motion.pose.p.allFinite() && motion.pose.q.coeffs().allFinite();
         });
}

}  // namespace

bool AdvanceStage::run(const VectorXd& v_next, const VectorXd& control, State& state) {
  const Model& model = setup_.model;
  last_ = state;
  for (Index dof = 0; dof < model.nv(); ++dof) state.v(dof) = std::abs(v_next(dof)) < kNoSpeed ? 0.0 : v_next(dof);
  integrate(model, state.v, setup_.h, state.q);
  for (KinematicState& motion : state.kinematic) {
    motion.pose.p += setup_.h * motion.velocity;
    const double angle = setup_.h * motion.angular_velocity.norm();
    if (angle > 0.0) {
      motion.pose.q = Quaterniond(Eigen::AngleAxisd(angle, motion.angular_velocity.normalized())) * motion.pose.q;
      motion.pose.q.normalize();
    }
  }
  for (Index u = 0; u < model.nu(); ++u)
    state.activation(u) =
        calc_next_activation(model.description().actuators[u], state.activation(u), control(u), setup_.h);
  if (is_finite(state)) return true;
  state = last_;
  return false;
}

}  // namespace tribo
