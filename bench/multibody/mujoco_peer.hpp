// MuJoCo's mass matrix and bias: a peer to be measured beside us, never part of the library. Built with mujoco_peer.cpp where
// libmujoco is installed, with mujoco_absent.cpp elsewhere.
#pragma once

#include "tribo/linalg/types.hpp"

#include <memory>
#include <string>

namespace tribo {

std::string mujoco_version();  // "" where it is absent

class MujocoPeer {
 public:
  explicit MujocoPeer(const std::string& path);  // an MJCF file
  ~MujocoPeer();

  std::string error() const;  // empty: loaded
  Index nq() const;
  Index nv() const;
  void set_state(const VectorXd& q, const VectorXd& v);
  // Poses of geoms and sites cost time in its kinematics and are needed for neither M nor bias. false: it has none.
  void keep_shapes(bool keep);

  // The stages in their order; each needs those before it.
  void calc_positions();    // mj_kinematics, mj_comPos
  void calc_velocities();   // mj_comVel
  void calc_mass_matrix();  // mj_crb
  void calc_bias();         // mj_rne without accelerations

  MatrixXd mass_matrix() const;
  VectorXd bias() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tribo
