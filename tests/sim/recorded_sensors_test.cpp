// What a recording keeps of sensors: names, units, and the numbers of the step.
#include "tribo/io/recording.hpp"

#include <cstdio>

#include "sim/mjcf_world.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

constexpr const char* kArm = R"(
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body pos="0 0 1"><joint name="bend" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/>
      <site name="tip" pos=".3 0 0"/></body>
    <body pos="1 0 .1"><joint name="lift" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/><site name="foot" size=".2"/></body>
  </worldbody>
  <actuator>
    <general name="motor" joint="bend" dyntype="filter" dynprm="0.05" gainprm="2" biasprm="0"/>
    <motor name="plain" joint="lift"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="bend"/><jointvel joint="lift"/><touch name="load" site="foot"/>
    <accelerometer name="imu" site="tip"/><framequat name="turn" objtype="site" objname="tip"/>
    <actuatorfrc name="torque" actuator="motor"/><actuatorfrc name="push" actuator="plain"/><clock name="time"/>
  </sensor>)";

TEST(RecordedSensors, HaveNamesAndUnits) {
  const Simulation simulation = make_world(kArm);
  const std::vector<RecordedSensor> sensors = make_recording_header(simulation, "", "").sensors;
  const std::vector<std::tuple<std::string, std::string, Index>> expected = {
      {"angle", "rad", 1},  {"sensor1", "m/s", 1}, {"load", "N", 1}, {"imu", "m/s²", 3},         {"turn", "", 4},
      {"torque", "N·m", 1}, {"push", "N", 1},      {"time", "s", 1}, {"motor activation", "", 1}};
  ASSERT_EQ(sensors.size(), expected.size());
  for (std::size_t s = 0; s < sensors.size(); ++s)
    EXPECT_EQ(std::tie(sensors[s].name, sensors[s].unit, sensors[s].size), expected[s]) << s;
}

// With a frame every third step: sensors are those of the frame's step, counts of collision the largest since the frame
// before.
TEST(RecordedSensors, AreThoseOfTheFramesStep) {
  Simulation simulation = make_world(kArm);
  simulation.control()(0) = 1.0;
  const std::string path = ::testing::TempDir() + "/tribo_recorded_sensors.tribo";
  std::vector<std::vector<double>> values;
  std::vector<Index> pairs;
  {
    auto writer = RecordingWriter::create(path, make_recording_header(simulation, "", ""), {.overwrite = true}).value();
    FrameMaker make_frame(simulation.model());
    for (int k = 0; k < 90; ++k) {
      if (k % 3 == 0) pairs.push_back(0);
      const StepReport& report = simulation.step();
      pairs.back() = std::max(pairs.back(), report.collision.pairs);
      make_frame.see(report);
      if (k % 3 != 2) continue;
      const VectorXd& now = simulation.sensors();
      values.emplace_back(now.data(), now.data() + now.size());
      values.back().push_back(simulation.state().activation(0));
      ASSERT_TRUE(writer.write(make_frame(simulation)));
    }
    ASSERT_TRUE(writer.close());
  }
  auto recording = Recording::open(path).value();
  ASSERT_EQ(recording.frames(), 30);
  for (const std::int64_t k : {29, 0, 1, 14}) {
    const auto at = static_cast<std::size_t>(k);
    const RecordedFrame frame = recording.frame(k).value();
    EXPECT_EQ(frame.collision.pairs, pairs[at]);
    ASSERT_EQ(frame.sensors.size(), values[at].size());
    for (std::size_t i = 0; i < frame.sensors.size(); ++i)
      EXPECT_EQ(frame.sensors[i], static_cast<double>(static_cast<float>(values[at][i]))) << k << " " << i;
  }
  EXPECT_GT(values.back().back(), 0.5);      // the activation follows the control
  EXPECT_NEAR(values.back()[2], 9.81, 0.1);  // the foot carries its weight
  EXPECT_GT(pairs.back(), 0);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tribo::testing
