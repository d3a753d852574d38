#include "multibody/mujoco_peer.hpp"

namespace tribo {

struct MujocoPeer::Parts {};

std::string mujoco_version() { return ""; }
MujocoPeer::MujocoPeer(const std::string&) : parts_(std::make_unique<Parts>()) {}
MujocoPeer::~MujocoPeer() = default;
std::string MujocoPeer::error() const { return "built without MuJoCo"; }
Index MujocoPeer::nq() const { return 0; }
Index MujocoPeer::nv() const { return 0; }
void MujocoPeer::set_state(const VectorXd&, const VectorXd&) {}
void MujocoPeer::keep_shapes(bool) {}
void MujocoPeer::calc_positions() {}
void MujocoPeer::calc_velocities() {}
void MujocoPeer::calc_mass_matrix() {}
void MujocoPeer::calc_bias() {}
MatrixXd MujocoPeer::mass_matrix() const { return {}; }
VectorXd MujocoPeer::bias() const { return {}; }

}  // namespace tribo
