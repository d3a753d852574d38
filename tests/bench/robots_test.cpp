// bench robots: what is there is measured on a floor, what is not there is said.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench.hpp"
#include "output.hpp"
#include "robots/native_peer.hpp"
#include "robots/wasm_peer.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

class RobotsBench : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tribo_robots_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories(folder_ / "robots" / "one");
    std::ofstream(folder_ / "robots" / "one" / name) << text;
  }
  int run() {
    out_.str("");
    return run_robots_bench({.json = true, .quick = true, .data_dir = folder_.string(), .out = &out_});
  }
  // The object of this kind whose field has this value; null: there is none.
  Json find(const std::string& kind, const std::string& field, const std::string& value) const {
    std::istringstream in(out_.str());
    for (std::string text; std::getline(in, text);) {
      const Json line = Json::parse(text);
      if (line.at("kind") == kind && line.contains(field) && line.at(field) == value) return line;
    }
    return {};
  }
  Json find_cell(const std::string& robot, const std::string& motion) const {
    std::istringstream in(out_.str());
    for (std::string text; std::getline(in, text);) {
      const Json line = Json::parse(text);
      if (line.at("kind") == "cell" && line.at("robot") == robot && line.at("motion") == motion) return line;
    }
    return {};
  }
  void write_flap() {
    write("flap.xml",
          "<mujoco><option timestep='0.002'/><worldbody><body pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1' "
          "mass='1'/>"
          "<body pos='0 0 .2'><joint name='flap' axis='0 1 0' damping='.1'/><geom type='capsule' fromto='0 0 0 .1 0 0' "
          "size='.01' "
          "mass='.1'/></body>"
          "</body></worldbody><actuator><position joint='flap' kp='1' "
          "ctrllimited='true' ctrlrange='-1 1'/></actuator></mujoco>");
  }

  fs::path folder_;
  std::ostringstream out_;
};

// Promises about time may fail on a busy machine, so the exit code is left alone.
TEST_F(RobotsBench, MeasuresOurOwnRobotsAndSaysWhatWasLeftOutWithoutData) {
  run();
  EXPECT_FALSE(find("left-out", "what", "robots of others").is_null()) << out_.str();
  EXPECT_FALSE(find_cell("robots/quadruped", "drop").is_null()) << out_.str();
  EXPECT_EQ(find("promise", "name", "every step of every motion is certified").at("held"), true) << out_.str();
}

// A box that floats 1 m high with a flap on a servo: the floor is put under it, so that it stands at home and falls when it is dropped.
TEST_F(RobotsBench, PutsAFloorUnderARobotAndMovesIt) {
  write_flap();
  write("scene.xml", "not a robot");
  run();
  EXPECT_EQ(find("promise", "name", "every robot loads").at("held"), true) << out_.str();
  EXPECT_EQ(find("promise", "name", "every step of every motion is certified").at("held"), true) << out_.str();
  EXPECT_EQ(find_cell("one/flap", "home").at("contacts_mean"), 4.0);  // the corners of the box
  EXPECT_FALSE(find_cell("one/flap", "swing").is_null()) << out_.str();
  EXPECT_NEAR(find_cell("one/flap", "drop").at("energy_change_J"), 0.0,
              0.05);  // 0.2 s of fall: energy of first order in h
}

// States, controls and the floor are the same in both: no contact in the fall, and the energy of both stays.
TEST_F(RobotsBench, RunsTheSameMotionInMuJoCo) {
  write_flap();
  run();
  const Json missing = find("left-out", "what", "MuJoCo");
  if (!missing.is_null()) GTEST_SKIP() << missing.at("why");
  const Json home = find_cell("one/flap", "home"), drop = find_cell("one/flap", "drop");
  EXPECT_EQ(home.at("mujoco_contacts_mean"), 4.0);
  EXPECT_GT(home.at("mujoco_median_us"), 0.0);
  EXPECT_EQ(drop.at("mujoco_contacts_mean"), 0.0);
  // What falls keeps its energy, in MuJoCo to first order.
  EXPECT_NEAR(drop.at("energy_change_J"), 0.0, 1e-9);
  EXPECT_NEAR(drop.at("mujoco_energy_change_J"), 0.0, 0.03);
}

// The same in Debian's MuJoCo; what it does not read does not end this process.
TEST_F(RobotsBench, RunsTheSameMotionInDebiansMuJoCo) {
  if (native_peer_version().empty()) GTEST_SKIP() << "built without libmujoco";
  write_flap();
  write("odd.xml", "<mujoco><worldbody><body><joint type='odd'/></body></worldbody></mujoco>");
  Expected<Robot> robot = read_robot((folder_ / "robots/one/flap.xml").string());
  ASSERT_TRUE(robot) << robot.error().text();
  const PeerRobot peer = run_native_peer(*robot, {2e-3}, 50, 1.0);
  EXPECT_EQ(peer.error, "");
  ASSERT_EQ(peer.runs.size(), 3U);
  EXPECT_EQ(peer.find(RobotMotion::kHome, 2e-3)->contacts, 4.0);
  EXPECT_EQ(peer.find(RobotMotion::kDrop, 2e-3)->contacts, 0.0);
  EXPECT_NEAR(peer.find(RobotMotion::kDrop, 2e-3)->energy, 0.0, 0.02);
  robot->file = (folder_ / "robots/one/odd.xml").string();
  const PeerRobot odd = run_native_peer(*robot, {2e-3}, 50, 1.0);
  EXPECT_TRUE(odd.runs.empty());
  EXPECT_NE(odd.error.find("odd"), std::string::npos) << odd.error;
}

// What MuJoCo does not load, or loads with other coordinates, has no time: its cause comes back instead.
TEST_F(RobotsBench, SaysWhyMuJoCoHasNoTimes) {
  if (const std::string missing = find_missing_wasm_peer(); !missing.empty()) GTEST_SKIP() << missing;
  write_flap();
  write("odd.xml", "<mujoco><worldbody><body><joint type='odd'/></body></worldbody></mujoco>");
  write("ball.xml", "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  Expected<Robot> robot = read_robot((folder_ / "robots/one/flap.xml").string());
  ASSERT_TRUE(robot) << robot.error().text();
  EXPECT_EQ(run_wasm_peer(*robot, {2e-3}, 10, 1.0).error, "");
  robot->file = (folder_ / "robots/one/odd.xml").string();
  const PeerRobot odd = run_wasm_peer(*robot, {2e-3}, 10, 1.0);
  EXPECT_TRUE(odd.runs.empty());
  EXPECT_NE(odd.error.find("'odd'"), std::string::npos) << odd.error;
  robot->file = (folder_ / "robots/one/ball.xml").string();
  EXPECT_EQ(run_wasm_peer(*robot, {2e-3}, 10, 1.0).error, "nq is 7 there and 8 here");
}

TEST_F(RobotsBench, FailsWhereARobotDoesNotLoad) {
  write("broken.xml", "<mujoco><worldbody><body><joint type='odd'/></body></worldbody></mujoco>");
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(find("promise", "name", "every robot loads").at("held"), false) << out_.str();
}

}  // namespace
}  // namespace tribo
