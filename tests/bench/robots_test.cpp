// bench robots: what is there is measured on a floor, what is not there is said.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench.hpp"
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
  int run() { return run_robots_bench({.quick = true, .data_dir = folder_.string(), .out = &out_}); }

  fs::path folder_;
  std::ostringstream out_;
};

TEST_F(RobotsBench, SaysWhatWasLeftOutWithoutData) {
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(out_.str().rfind("left out:", 0), 0U) << out_.str();
}

// A box that floats 1 m high with a flap on a servo: the floor is put under it, so that it stands at home and falls when it is dropped.
TEST_F(RobotsBench, PutsAFloorUnderARobotAndMovesIt) {
  write("flap.xml",
        "<mujoco><option timestep='0.002'/><worldbody><body pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1' "
        "mass='1'/>"
        "<body pos='0 0 .2'><joint name='flap' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' "
        "mass='.1'/></body>"
        "</body></worldbody><actuator><position joint='flap' kp='1' kv='.1' ctrlrange='-1 1'/></actuator></mujoco>");
  write("scene.xml", "not a robot");
  EXPECT_EQ(run(), 0) << out_.str();
  const std::string text = out_.str();
  for (const char* motion : {"one/flap", "home", "swing", "drop"})
    EXPECT_NE(text.find(motion), std::string::npos) << text;
  EXPECT_NE(text.find("0 of 1 files not"), std::string::npos) << text;
  EXPECT_NE(text.find("3 of 3 motions"), std::string::npos) << text;
  EXPECT_NE(text.find("    4.0 "), std::string::npos) << text;  // contacts at home: the corners of the box
}

TEST_F(RobotsBench, FailsWhereARobotDoesNotLoad) {
  write("broken.xml", "<mujoco><worldbody><body><joint type='odd'/></body></worldbody></mujoco>");
  EXPECT_EQ(run(), 1);
  EXPECT_NE(out_.str().find("not read"), std::string::npos) << out_.str();
}

}  // namespace
}  // namespace tribo
