#include "robots.hpp"

#include "tribo/io/model_file.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <sstream>

namespace tribo {

namespace {

namespace fs = std::filesystem;

constexpr double kDropHeight = 0.3;  // m

// Half the lengths of a box around the shape, in its own axes.
Vector3d calc_half_box(const Shape& shape) {
  const Vector3d& size = shape.size;
  switch (shape.type) {
    case ShapeType::kSphere:
      return Vector3d::Constant(size.x());
    case ShapeType::kCapsule:
      return {size.x(), size.x(), size.y() + size.x()};
    case ShapeType::kCylinder:
      return {size.x(), size.x(), size.y()};
    default:
      return size;
  }
}

// m, of the shapes that collide: boxes around them, all vertices of meshes.
double find_lowest(const Model& model, const Data& data) {
  const ModelDescription& d = model.description();
  double lowest = std::numeric_limits<double>::infinity();
  for (const Geom& geom : d.geoms) {
    if ((geom.contype == 0 && geom.conaffinity == 0) || geom.shape.type == ShapeType::kHeightField) continue;
    const Pose place{data.p[geom.body] + data.quat[geom.body] * geom.pose.p, data.quat[geom.body] * geom.pose.q};
    const auto look = [&](const Vector3d& point) { lowest = std::min(lowest, (place.p + place.q * point).z()); };
    if (geom.shape.type == ShapeType::kMesh) {
      for (const Vector3d& vertex : d.meshes[static_cast<std::size_t>(geom.shape.index)].vertices) look(vertex);
    } else if (geom.shape.type == ShapeType::kSphere) {
      lowest = std::min(lowest, place.p.z() - geom.shape.size.x());
    } else {
      const Vector3d half = calc_half_box(geom.shape);
      for (int corner = 0; corner < 8; ++corner)
        look({(corner & 1) != 0 ? half.x() : -half.x(), (corner & 2) != 0 ? half.y() : -half.y(),
              (corner & 4) != 0 ? half.z() : -half.z()});
    }
  }
  return std::isfinite(lowest) ? lowest : 0.0;
}

const Keyframe* choose_keyframe(const Model& model) {
  const std::vector<Keyframe>& all = model.description().keyframes;
  for (const Keyframe& keyframe : all) {
    if (keyframe.name == "home") return &keyframe;
  }
  return all.empty() ? nullptr : &all.front();
}

// Lists of actuators, keyframes or defaults that a robot's file includes have neither.
bool is_robot(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str().find("<worldbody") != std::string::npos || text.str().find("<include") != std::string::npos;
}

std::vector<std::string> list_files(const fs::path& folder, const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ending || name.starts_with("scene")) continue;
    if (name.find("mjx") != std::string::npos || name.find("keyframe") != std::string::npos) continue;
    if (ending == ".xml" && !is_robot(entry.path())) continue;
    files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool has_plane(const ModelDescription& d) {
  return std::any_of(d.geoms.begin(), d.geoms.end(), [](const Geom& g) { return g.shape.type == ShapeType::kPlane; });
}

}  // namespace

const char* name_of(RobotMotion motion) {
  switch (motion) {
    case RobotMotion::kHome:
      return "home";
    case RobotMotion::kSwing:
      return "swing";
    case RobotMotion::kDrop:
      return "drop";
  }
  return "";
}

std::vector<std::string> find_robots(const std::string& folder, bool one_each) {
  std::vector<std::string> found;
  if (folder.empty() || !fs::is_directory(folder)) return found;
  std::vector<fs::path> folders = {folder};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && entry.path().filename() != "truth") folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& one : folders) {
    std::vector<std::string> files = list_files(one, ".xml");
    if (files.empty()) files = list_files(one, ".urdf");
    if (one_each && one != folder && files.size() > 1) files.resize(1);
    found.insert(found.end(), files.begin(), files.end());
  }
  return found;
}

std::vector<RobotMotion> motions_of(const Robot& robot) {
  std::vector<RobotMotion> motions = {RobotMotion::kHome};
  if (robot.model.nu() > 0) motions.push_back(RobotMotion::kSwing);
  if (robot.floats) motions.push_back(RobotMotion::kDrop);
  return motions;
}

Expected<Robot> read_robot(const std::string& path) {
  Expected<ModelFile> file = read_model(path);
  if (!file) return Unexpected<Error>{file.error()};
  Expected<Model> alone = Model::make(file->description);
  if (!alone) return Unexpected<Error>{alone.error()};
  Robot robot{.name = fs::path(path).parent_path().filename().string() + "/" + fs::path(path).stem().string(),
              .file = path,
              .model = std::move(*alone),
              .home = {},
              .control = {}};
  const Keyframe* keyframe = choose_keyframe(robot.model);
  robot.home = make_state(robot.model);
  robot.control = VectorXd::Zero(robot.model.nu());
  if (keyframe != nullptr) {
    Expected<State> state = make_state(robot.model, *keyframe);
    if (!state) return Unexpected<Error>{state.error()};
    robot.home = std::move(*state);
    if (keyframe->control.size() == robot.model.nu()) robot.control = keyframe->control;
  }
  if (robot.model.nv() == 0) robot.left_out = "nothing moves";
  if (!has_plane(file->description)) {
    Data data(robot.model);
    calc_positions(robot.model, robot.home, data);
    Geom floor;
    floor.name = "floor of the benchmark";
    floor.shape = {ShapeType::kPlane, Vector3d(0.0, 0.0, 1.0), -1};
    robot.floor = find_lowest(robot.model, data);
    floor.pose.p.z() = *robot.floor;
    file->description.geoms.push_back(floor);
    Expected<Model> placed = Model::make(std::move(file->description));
    if (!placed) return Unexpected<Error>{placed.error()};
    robot.model = std::move(*placed);
  }
  const std::vector<Joint>& joints = robot.model.joints();
  robot.floats = !joints.empty() && joints.front().type == JointType::kFree;
  return robot;
}

State start_of(const Robot& robot, RobotMotion motion) {
  State state = robot.home;
  state.v.setZero();
  if (motion == RobotMotion::kDrop) state.q(2) += kDropHeight;
  return state;
}

void set_controls(const Robot& robot, RobotMotion motion, double t, VectorXd& control) {
  control = robot.control;
  if (motion != RobotMotion::kSwing) return;
  const std::vector<Actuator>& actuators = robot.model.description().actuators;
  for (Index i = 0; i < control.size(); ++i) {
    const Actuator& actuator = actuators[static_cast<std::size_t>(i)];
    if (!actuator.control_limited) continue;
    const double range = actuator.control_upper - actuator.control_lower;
    const double phase = 2.0 * std::numbers::pi * t + static_cast<double>(i);
    const double moved = control(i) + kSwingShare * range * (std::sin(phase) - std::sin(static_cast<double>(i)));
    control(i) = std::clamp(moved, actuator.control_lower, actuator.control_upper);
  }
}

}  // namespace tribo
