#include "native_peer.hpp"

#include "tribo/core/clock.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "output.hpp"
#include <mujoco/mujoco.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tribo {

namespace {

struct FreeModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using OwnedModel = std::unique_ptr<mjModel, FreeModel>;
using OwnedData = std::unique_ptr<mjData, FreeModel>;

int write_to = -1;  // the pipe of the child process

void tell(const Json& line) {
  const std::string text = line.dump() + "\n";
  if (::write(write_to, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(1);
}

void stop(const char* why) {
  tell({{"error", why}});
  _exit(0);
}

std::string read_text(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// As addFloor of mujoco.mjs.
std::string add_floor(std::string xml, double height) {
  const std::size_t end = xml.rfind("</mujoco>");
  if (end == std::string::npos) stop("no </mujoco> to put the floor before");
  return xml.insert(end, format("<worldbody><geom name=\"floor of the benchmark\" type=\"plane\" size=\"0 0 1\" "
                                "pos=\"0 0 %.17g\" quat=\"1 0 0 0\" contype=\"1\" conaffinity=\"1\" condim=\"3\" "
                                "margin=\"0\" gap=\"0\" friction=\"1 0.005 0.0001\"/></worldbody>",
                                height));
}

OwnedModel load(const Robot& robot) {
  char error[1000] = "";
  if (!robot.floor) return OwnedModel(mj_loadXML(robot.file.c_str(), nullptr, error, sizeof error));
  if (robot.file.ends_with(".urdf")) stop("a URDF has no place for a floor");
  const std::string xml = add_floor(read_text(robot.file), *robot.floor);
  const auto files = std::make_unique<mjVFS>();  // of megabytes
  mj_defaultVFS(files.get());
  const std::string name = std::filesystem::path(robot.file).filename().string();
  if (mj_makeEmptyFileVFS(files.get(), name.c_str(), static_cast<int>(xml.size())) != 0) stop("no room for its file");
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  OwnedModel model(mj_loadXML(robot.file.c_str(), files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (model == nullptr) stop(error);
  return model;
}

double calc_energy(const mjModel* model, mjData* data) {
  mj_forward(model, data);
  mj_energyPos(model, data);
  mj_energyVel(model, data);
  return data->energy[0] + data->energy[1];
}

void run(const Robot& robot, mjModel* model, RobotMotion motion, double h, int steps, double most_seconds) {
  const OwnedData data(mj_makeData(model));
  const State start = start_of(robot, motion);
  model->opt.timestep = h;
  mju_copy(data->qpos, start.q.data(), model->nq);
  VectorXd control = robot.control;
  mju_copy(data->ctrl, control.data(), model->nu);
  const double before = calc_energy(model, data.get());
  std::vector<double> times;
  double spent = 0.0, contacts = 0.0, overlap = 0.0;
  for (int k = 0; k < steps && spent < most_seconds; ++k) {
    set_controls(robot, motion, data->time, control);
    mju_copy(data->ctrl, control.data(), model->nu);
    const Stopwatch watch;
    mj_step(model, data.get());
    times.push_back(watch.seconds());
    spent += times.back();
    contacts += data->ncon;
    for (int i = 0; i < data->ncon; ++i) overlap = std::max(overlap, -data->contact[i].dist);
  }
  const double added = calc_energy(model, data.get()) - before;
  int resets = 0;
  for (const int warning : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) resets += data->warning[warning].number;
  std::sort(times.begin(), times.end());
  const auto count = static_cast<double>(times.size());
  tell({{"motion", name_of(motion)},
        {"step_s", h},
        {"steps", times.size()},
        {"median_us", 1e6 * times[times.size() / 2]},
        {"mean_us", 1e6 * spent / count},
        {"max_us", 1e6 * times.back()},
        {"contacts_mean", contacts / count},
        {"overlap_m", overlap},
        {"energy_change_J", added},
        {"resets", resets}});
}

[[noreturn]] void run_child(const Robot& robot, const std::vector<double>& steps_s, int steps, double most_seconds) {
  mju_user_warning = [](const char*) {};  // else it writes a file into the working folder
  mju_user_error = stop;
  const OwnedModel model = load(robot);
  if (model == nullptr) stop("it does not read the file");
  if (model->nq != robot.model.nq() || model->nv != robot.model.nv() || model->nu != robot.model.nu())
    stop("it counts other coordinates than we do");
  for (const RobotMotion motion : motions_of(robot)) {
    for (const double h : steps_s) run(robot, model.get(), motion, h, steps, most_seconds);
  }
  _exit(0);
}

}  // namespace

std::string native_peer_version() { return mj_versionString(); }

PeerRobot run_native_peer(const Robot& robot, const std::vector<double>& steps_s, int steps, double most_seconds) {
  PeerRobot peer;
  int ends[2];
  if (pipe(ends) != 0) {
    peer.error = "no pipe";
    return peer;
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    write_to = ends[1];
    run_child(robot, steps_s, steps, most_seconds);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t n = 0; child > 0 && (n = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return read_peer_answer(text);
}

}  // namespace tribo
