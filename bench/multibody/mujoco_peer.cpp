#include "multibody/mujoco_peer.hpp"

#include <mujoco/mujoco.h>

namespace tribo {

struct MujocoPeer::Parts {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  int geoms = 0, sites = 0;
  std::string error;

  ~Parts() {
    if (data != nullptr) mj_deleteData(data);
    if (model != nullptr) mj_deleteModel(model);
  }
};

std::string mujoco_version() { return mj_versionString(); }

MujocoPeer::MujocoPeer(const std::string& path) : parts_(std::make_unique<Parts>()) {
  mju_user_warning = [](const char*) {};  // else it writes a file into the working folder
  char error[1000] = "";
  parts_->model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  if (parts_->model == nullptr) {
    parts_->error = error;
    return;
  }
  parts_->data = mj_makeData(parts_->model);
  parts_->geoms = parts_->model->ngeom;
  parts_->sites = parts_->model->nsite;
}

MujocoPeer::~MujocoPeer() { keep_shapes(true); }

std::string MujocoPeer::error() const { return parts_->error; }
Index MujocoPeer::nq() const { return parts_->model->nq; }
Index MujocoPeer::nv() const { return parts_->model->nv; }

void MujocoPeer::set_state(const VectorXd& q, const VectorXd& v) {
  mju_copy(parts_->data->qpos, q.data(), parts_->model->nq);
  mju_copy(parts_->data->qvel, v.data(), parts_->model->nv);
}

void MujocoPeer::keep_shapes(bool keep) {
  if (parts_->model == nullptr) return;
  parts_->model->ngeom = keep ? parts_->geoms : 0;
  parts_->model->nsite = keep ? parts_->sites : 0;
}

void MujocoPeer::calc_positions() {
  mj_kinematics(parts_->model, parts_->data);
  mj_comPos(parts_->model, parts_->data);
}
void MujocoPeer::calc_velocities() { mj_comVel(parts_->model, parts_->data); }
void MujocoPeer::calc_mass_matrix() { mj_crb(parts_->model, parts_->data); }
void MujocoPeer::calc_bias() { mj_rne(parts_->model, parts_->data, 0, parts_->data->qfrc_bias); }

MatrixXd MujocoPeer::mass_matrix() const {
  MatrixXd M(nv(), nv());  // symmetric: rows or columns first is the same
  mj_fullM(parts_->model, M.data(), parts_->data->qM);
  return M;
}

VectorXd MujocoPeer::bias() const { return Eigen::Map<const VectorXd>(parts_->data->qfrc_bias, nv()); }

}  // namespace tribo
