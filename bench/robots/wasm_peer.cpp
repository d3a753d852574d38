#include "wasm_peer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "output.hpp"

namespace tribo {

namespace {

namespace fs = std::filesystem;

const std::string kScript = TRIBO_ROBOTS_BENCH "/mujoco.mjs";
const std::string kPackage = TRIBO_MUJOCO_FOLDER "/node_modules/@mujoco/mujoco";

std::string quote(const std::string& text) {  // for the shell
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::vector<double> list(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }

Json write_job(const Robot& robot, const std::vector<double>& steps_s, int steps, double most_seconds) {
  Json actuators = Json::array(), motions = Json::array(), joints = Json::array();
  for (Index i = 0; i < robot.model.nu(); ++i) {
    const Actuator& actuator = robot.model.description().actuators[static_cast<std::size_t>(i)];
    actuators.push_back({{"home", robot.control(i)},
                         {"limited", actuator.control_limited},
                         {"lower", actuator.control_limited ? actuator.control_lower : 0.0},
                         {"upper", actuator.control_limited ? actuator.control_upper : 0.0}});
  }
  for (const RobotMotion motion : motions_of(robot)) {
    const State start = start_of(robot, motion);
    motions.push_back({{"name", name_of(motion)},
                       {"swings", motion == RobotMotion::kSwing},
                       {"q", list(start.q)},
                       {"v", list(start.v)}});
  }
  for (const Joint& joint : robot.model.joints()) joints.push_back(joint.name);
  return {{"file", fs::absolute(robot.file).string()},
          {"floor", robot.floor ? Json(*robot.floor) : Json()},
          {"nq", robot.model.nq()},
          {"nv", robot.model.nv()},
          {"nu", robot.model.nu()},
          {"joints", joints},
          {"actuators", actuators},
          {"swing_share", kSwingShare},
          {"motions", motions},
          {"steps_s", steps_s},
          {"steps", steps},
          {"most_seconds", most_seconds}};
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string pattern = (fs::temp_directory_path() / "tribo_job_XXXXXX").string();
    const int file = mkstemp(pattern.data());
    if (file < 0) return;
    path_ = pattern;
    if (std::FILE* stream = fdopen(file, "w"); stream != nullptr) {
      std::fwrite(text.data(), 1, text.size(), stream);
      std::fclose(stream);
    }
  }
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What a command writes, whatever its exit code.
std::string read_output(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  if (pipe == nullptr) return text;
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe.get())) > 0;) text.append(part, n);
  return text;
}

std::optional<RobotMotion> motion_named(const std::string& name) {
  for (const RobotMotion motion : {RobotMotion::kHome, RobotMotion::kSwing, RobotMotion::kDrop}) {
    if (name == name_of(motion)) return motion;
  }
  return std::nullopt;
}

}  // namespace

const PeerRun* PeerRobot::find(RobotMotion motion, double h) const {
  const auto found =
      std::find_if(runs.begin(), runs.end(), [&](const PeerRun& run) { return run.motion == motion && run.h == h; });
  return found == runs.end() ? nullptr : &*found;
}

std::string find_missing_wasm_peer() {
  const std::string remedy = "; scripts/bootstrap.sh bench installs it";
  if (!fs::exists(kPackage + "/mujoco.wasm")) return "the npm package @mujoco/mujoco is not in build/mujoco" + remedy;
  if (!fs::exists(kScript)) return "bench/robots/mujoco.mjs is no longer where it was built";
  if (read_output("node --version 2>/dev/null").empty()) return "there is no command node" + remedy;
  return "";
}

PeerRobot read_peer_answer(const std::string& text) {
  PeerRobot peer;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const Json line = Json::parse(text.substr(at, end - at), nullptr, false);
    at = end + 1;
    if (!line.is_object()) continue;
    if (line.contains("engine")) peer.engine = line["engine"].get<std::string>();
    if (line.contains("error")) peer.error = line["error"].get<std::string>();
    const std::optional<RobotMotion> motion = motion_named(line.value("motion", ""));
    if (!motion) continue;
    const auto number = [&](const char* name) {
      return line.contains(name) && line[name].is_number() ? line[name].get<double>() : 0.0;  // NaN is written as null
    };
    peer.runs.push_back({.motion = *motion,
                         .h = number("step_s"),
                         .steps = static_cast<int>(number("steps")),
                         .resets = static_cast<int>(number("resets")),
                         .median_us = number("median_us"),
                         .mean_us = number("mean_us"),
                         .max_us = number("max_us"),
                         .contacts = number("contacts_mean"),
                         .overlap = number("overlap_m"),
                         .energy = number("energy_change_J")});
  }
  if (peer.runs.empty() && peer.error.empty()) peer.error = "its process ended without an answer";
  return peer;
}

PeerRobot run_wasm_peer(const Robot& robot, const std::vector<double>& steps_s, int steps, double most_seconds) {
  const TemporaryFile job(write_job(robot, steps_s, steps, most_seconds).dump());
  if (job.path().empty()) {
    PeerRobot none;
    none.error = "no temporary file for its job";
    return none;
  }
  const std::string text =
      read_output("node " + quote(kScript) + " " + quote(kPackage) + " < " + quote(job.path()) + " 2>/dev/null");
  return read_peer_answer(text);
}

}  // namespace tribo
