// MuJoCo reads the scene file itself, the only engine that can; options of the solver are set afterwards.
#include "peers/peer_engines.hpp"
#include <mujoco/mujoco.h>

namespace tribo {
namespace {

class MujocoEngine final : public PeerEngine {
 public:
  MujocoEngine(const PeerStart& start, mjModel* model) : start_(start), model_(model), data_(mj_makeData(model)) {
    mju_copy(data_->qpos, start.state.q.data(), model->nq);
    mju_copy(data_->qvel, start.state.v.data(), model->nv);
    mju_copy(data_->ctrl, start.control.data(), model->nu);
  }
  ~MujocoEngine() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoEngine(const MujocoEngine&) = delete;
  MujocoEngine& operator=(const MujocoEngine&) = delete;

  void step() override { mj_step(model_, data_); }
  void read(std::vector<PeerMotion>& bodies) const override {
    read_peer_state(start_, data_->qpos, data_->qvel, bodies);
  }
  long contacts() const override { return data_->ncon; }
  long complaints() const override {
    long count = 0;
    for (const mjWarningStat& warning : data_->warning) count += warning.number;
    return count;
  }
  std::string complaint() const override {
    if (data_->warning[mjWARN_CONTACTFULL].number > 0) return "contact buffer full";
    if (data_->warning[mjWARN_CNSTRFULL].number > 0) return "constraint buffer full";
    return complaints() > 0 ? "unstable, started over" : "";
  }

 private:
  const PeerStart& start_;
  mjModel* model_;
  mjData* data_;
};

}  // namespace

PeerMade make_mujoco_engine(const PeerStart& start, bool newton) {
  mju_user_warning = [](const char*) {};  // else it writes a file into the working folder
  char error[1000] = "";
  mjModel* model = mj_loadXML(start.path.c_str(), nullptr, error, sizeof error);
  if (model == nullptr) return fail(std::string("MuJoCo does not read it: ") + error, start.path, "see the message");
  if (model->nq != start.model.nq() || model->nv != start.model.nv() || model->nu != start.model.nu()) {
    mj_deleteModel(model);
    return fail("MuJoCo counts other coordinates than we do", start.path, "compare the joints of both");
  }
  // It finds up to eight points where two faces meet; the files leave room for four.
  model->nconmax *= 2;
  model->njmax *= 2;
  model->opt.cone = mjCONE_ELLIPTIC;
  model->opt.solver = newton ? mjSOL_NEWTON : mjSOL_CG;
  model->opt.impratio = 10.0;
  model->opt.enableflags |= mjENBL_OVERRIDE;  // the two below for all contacts
  model->opt.o_margin = 0.0;
  model->opt.o_solref[0] = 4.0 * model->opt.timestep;
  model->opt.o_solref[1] = 1.0;
  const mjtNum solimp[mjNIMP] = {0.999, 0.9999, 0.001, 0.5, 2.0};
  mju_copy(model->opt.o_solimp, solimp, mjNIMP);
  return PeerMade(std::make_unique<MujocoEngine>(start, model));
}

}  // namespace tribo
