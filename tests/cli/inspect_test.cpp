// tribo inspect: what a model file says, its numbers at a state, and refusals that name the place.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

// A pendulum that can be computed by hand: 2 kg, 0.5 m below a hinge along y.
constexpr double kMass = 2.0, kLength = 0.5, kInertia = 0.03, kArmature = 0.25, kDamping = 0.125;
const std::string kPendulum = R"(<mujoco model="pendulum">
  <compiler angle="radian"/>
  <option timestep="0.004"/>
  <worldbody>
    <body name="rod" pos="0 0 2">
      <joint name="pin" type="hinge" axis="0 1 0" range="-1.5707963267948966 0.5235987755982988" armature="0.25" damping="0.125"/>
      <inertial pos="0 0 -0.5" mass="2" diaginertia="0.03 0.03 0.01"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
      <body name="bob" pos="0 0 -0.5">
        <inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>
        <geom type="sphere" size="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="servo" joint="pin" kp="40" kv="3" ctrlrange="-1 1"/>
    <motor name="push" joint="pin" gear="7"/>
    <velocity name="spin" joint="pin" kv="0.5"/>
  </actuator>
  <keyframe><key name="up" qpos="0.5" qvel="-2"/><key name="down" qpos="0"/></keyframe>
</mujoco>)";

std::string pendulum() { return write_file("pendulum.xml", kPendulum); }

json inspect(std::vector<std::string> words) {
  words.insert(words.begin(), "inspect");
  words.emplace_back("--json");
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, 0) << run.err;
  const auto lines = run.json_lines();
  EXPECT_EQ(lines.size(), 1u);
  return lines.empty() ? json::object() : lines[0];
}

// M, bias, passive forces and energies of a pendulum have closed forms; the keyframe's state is the one asked for.
TEST(Inspect, GivesTheNumbersOfAPendulum) {
  const json object = inspect({pendulum(), "--key", "up"});
  const double q = 0.5, v = -2.0, M = kMass * kLength * kLength + kInertia + kArmature;
  EXPECT_EQ(object["q"], json({0.5}));
  EXPECT_EQ(object["v"], json({-2.0}));
  EXPECT_NEAR(object["M"][0][0], M, 1e-15);
  EXPECT_NEAR(object["bias"][0], kMass * 9.81 * kLength * std::sin(q), 1e-14);
  EXPECT_NEAR(object["passive"][0], -kDamping * v, 1e-15);
  EXPECT_NEAR(object["energy"]["kinetic"], 0.5 * M * v * v, 1e-14);
  EXPECT_NEAR(object["energy"]["potential"], kMass * 9.81 * (2.0 - kLength * std::cos(q)), 1e-13);
  const json com = {-kLength * std::sin(q), 0.0, 2.0 - kLength * std::cos(q)};
  const json turned = {std::cos(q / 2.0), 0.0, std::sin(q / 2.0), 0.0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(object["com"][k], com[k].get<double>(), 1e-15);
    EXPECT_NEAR(object["bodies"][2]["xpos"][k], com[k].get<double>(), 1e-15);
  }
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(object["bodies"][1]["xquat"][k], turned[k].get<double>(), 1e-15);
  EXPECT_NEAR(object["actuators"][1]["length"], 7.0 * q, 1e-15);
}

// Without a state the object holds the model and nothing that depends on a state.
TEST(Inspect, GivesTheModelAsJson) {
  const std::string path = pendulum();
  const json object = inspect({path});
  EXPECT_EQ(object["file"], path);
  EXPECT_EQ(object["name"], "pendulum");
  EXPECT_EQ(json({object["nq"], object["nv"], object["nu"]}), json({1, 1, 3}));
  EXPECT_EQ(object["total_mass"], 2.0);
  EXPECT_EQ(object["gravity"], json({0.0, 0.0, -9.81}));
  EXPECT_EQ(object["timestep"], 0.004);
  EXPECT_EQ(object["q0"], json({0.0}));
  EXPECT_EQ(object["keyframes"], json({"up", "down"}));
  EXPECT_EQ(object["geoms"], json({{"capsule", 1}, {"sphere", 1}}));
  EXPECT_EQ(object["notices"], json::array());
  ASSERT_EQ(object["bodies"].size(), 3u);
  EXPECT_EQ(object["bodies"][0]["name"], "world");
  const json& rod = object["bodies"][1];
  EXPECT_EQ(rod["parent"], 0);
  EXPECT_EQ(rod["pos"], json({0.0, 0.0, 2.0}));
  EXPECT_EQ(rod["ipos"], json({0.0, 0.0, -0.5}));
  EXPECT_EQ(rod["inertia"], json({{0.03, 0.0, 0.0}, {0.0, 0.03, 0.0}, {0.0, 0.0, 0.01}}));
  const json& pin = object["joints"][0];
  EXPECT_EQ(json({pin["name"], pin["type"], pin["body"], pin["qadr"], pin["vadr"], pin["limited"]}),
            json({"pin", "hinge", 1, 0, 0, true}));
  EXPECT_EQ(pin["range"], json({-1.5707963267948966, 0.5235987755982988}));
  EXPECT_EQ(pin["effort_limit"], nullptr);
  EXPECT_EQ(object["actuators"][0]["kind"], "position");
  EXPECT_EQ(object["actuators"][0]["ctrlrange"], json({-1.0, 1.0}));
  EXPECT_EQ(object["actuators"][1]["kind"], "motor");
  EXPECT_EQ(object["actuators"][1]["ctrlrange"], nullptr);
  EXPECT_EQ(object["actuators"][2]["kind"], "velocity");
  for (const char* field : {"M", "bias", "passive", "energy", "com", "q", "v"}) EXPECT_FALSE(object.contains(field));
  EXPECT_FALSE(rod.contains("xpos"));
}

// The text names every part that decides the motion, angles in both units.
TEST(Inspect, PrintsTheTree) {
  const std::string path = pendulum();
  const ToolRun run = run_tool({"inspect", path});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  for (const std::string& part :
       {"pendulum (" + path + ")", std::string("total mass 2 kg"), std::string("\n  rod "), std::string("\n    bob "),
        std::string("hinge pin"), std::string("-90° … 30° (-1.571 … 0.5236 rad)"), std::string("armature 0.25"),
        std::string("damping 0.125"), std::string("welded"),
        std::string("position servo, kp 40, kv 3  on joint pin  ctrl -1 … 1"), std::string("gear 7"),
        std::string("velocity servo, kv 0.5"), std::string("keyframes:  up  down")}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
  }
  EXPECT_EQ(run.out.find("ignored"), std::string::npos);
}

// A file, standard input and a keyframe are three ways to the same state; without v the model is at rest.
TEST(Inspect, ReadsAStateFromFileAndStandardInput) {
  const std::string path = pendulum(), state = write_file("state.json", R"({"q": [0.5], "v": [-2]})");
  const json by_key = inspect({path, "--key", "up"}), by_file = inspect({path, "--state", state});
  EXPECT_EQ(by_key, by_file);
  const ToolRun piped = run_script("tribo inspect " + path + " --json --state - < " + state);
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.json_lines().at(0), by_file);
  const json resting = inspect({path, "--state", write_file("rest.json", R"({"q": [0.5]})")});
  EXPECT_EQ(resting["v"], json({0.0}));
  EXPECT_EQ(resting["M"], by_file["M"]);
  EXPECT_EQ(resting["energy"]["kinetic"], 0.0);
}

// Numbers of a state come back bit for bit: a script may feed one call with the output of another.
TEST(Inspect, DoublesComeBackBitForBit) {
  const double q = 0.1 + 0.2, v = 1.0 / 3.0;
  const std::string state = write_file("bits.json", json({{"q", {q}}, {"v", {v}}}).dump());
  const json object = inspect({pendulum(), "--state", state});
  EXPECT_EQ(object["q"][0].get<double>(), q);
  EXPECT_EQ(object["v"][0].get<double>(), v);
}

// A quaternion that is not unit is made so: the state that is printed is the one that was used.
TEST(Inspect, PrintsTheStateThatWasUsed) {
  const std::string path = write_file("free.xml", R"(<mujoco><worldbody><body name="box"><freejoint/>
      <geom type="box" size="0.1 0.2 0.3" density="1000"/></body></worldbody></mujoco>)");
  const json object = inspect({path, "--state", write_file("long.json", R"({"q": [1, 2, 3, 0, 0, 4, 0]})")});
  EXPECT_EQ(object["q"], json({1.0, 2.0, 3.0, 0.0, 0.0, 1.0, 0.0}));
  EXPECT_NEAR(object["total_mass"], 48.0, 1e-12);
  EXPECT_NEAR(object["M"][0][0], 48.0, 1e-12);
  EXPECT_NEAR(object["bias"][2], 48.0 * 9.81, 1e-11);
}

// A loop that a state leaves open is said by how much; what is not active has no error.
TEST(Inspect, SaysHowFarLoopsAreOpen) {
  const std::string path = write_file("loop.xml", R"(<mujoco><worldbody>
      <body name="a"><joint name="slide" type="slide" axis="1 0 0"/><geom type="sphere" size="0.1"/></body>
      <body name="b" pos="1 0 0"><joint name="other" type="slide" axis="1 0 0"/><geom type="sphere" size="0.1"/></body>
      </worldbody>
      <equality>
        <connect name="tie" body1="a" body2="b" anchor="0 0 0"/>
        <joint name="copy" joint1="other" joint2="slide" polycoef="0 2 0 0 0"/>
        <weld body1="a" active="false"/>
      </equality></mujoco>)");
  const std::string state = write_file("apart.json", R"({"q": [0.25, 0.0]})");
  const json object = inspect({path, "--state", state});
  ASSERT_EQ(object["equality"].size(), 3u);
  EXPECT_NEAR(object["equality"][0]["error"][0], 0.25, 1e-15);
  EXPECT_NEAR(object["equality"][1]["error"][0], -0.5, 1e-15);
  EXPECT_EQ(object["equality"][2]["error"], json::array());
  const ToolRun run = run_tool({"inspect", path, "--state", state});
  EXPECT_NE(run.out.find("worst error 0.5, of copy"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("copy: joint  other = 2 slide"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("not active"), std::string::npos) << run.out;
}

// What is left out is listed, with what changes the motion first; it is no error.
TEST(Inspect, ListsWhatIsIgnored) {
  std::string text = kPendulum;
  text.replace(text.find("<motor name"), 0, "<dcmotor name=\"m\" joint=\"pin\"/>");
  text.replace(text.find("<actuator>"), 0, "<sensor><user dim=\"1\"/><clock/></sensor>");
  const std::string path = write_file("ignored.xml", text);
  const json object = inspect({path});
  ASSERT_GE(object["notices"].size(), 2u) << object["notices"];
  EXPECT_EQ(object["notices"][0]["physical"], true);
  EXPECT_EQ(object["notices"].back()["physical"], false);
  const ToolRun run = run_tool({"inspect", path});
  EXPECT_EQ(run.code, 0);
  const std::size_t title = run.out.find("\nignored"), motor = run.out.find("! actuator/dcmotor"),
                    sensor = run.out.find("    sensor");
  ASSERT_NE(title, std::string::npos) << run.out;
  ASSERT_NE(motor, std::string::npos) << run.out;
  ASSERT_NE(sensor, std::string::npos) << run.out;
  EXPECT_LT(title, motor);
  EXPECT_LT(motor, sensor);
}

std::size_t count_columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Our robots print in 100 columns, and each URDF twin has the coordinates of its MJCF.
TEST(Inspect, ShowsTheRobotsOfTheProject) {
  for (const std::string name : {"quadruped", "hand3", "hand5", "gripper", "arm6"}) {
    const std::string file = "data/robots/" + name;
    const json object = inspect({file + ".xml"}), twin = inspect({file + ".urdf"});
    EXPECT_EQ(object["nq"], twin["nq"]) << name;
    EXPECT_EQ(object["nv"], twin["nv"]) << name;
    std::vector<std::string> words = {"inspect", file + ".xml"};
    if (!object["keyframes"].empty()) {
      words.emplace_back("--key");
      words.push_back(object["keyframes"][0]);
    }
    const ToolRun run = run_tool(words);
    EXPECT_EQ(run.code, 0) << run.err;
    std::istringstream in(run.out);
    for (std::string line; std::getline(in, line);) EXPECT_LE(count_columns(line), 100u) << line;
  }
}

// A chain deeper than a page is wide still fits on it.
TEST(Inspect, DeepTreesStayReadable) {
  std::string text = "<mujoco><worldbody>";
  const int depth = 200;
  for (int k = 0; k < depth; ++k) {
    text += R"(<body pos="0 0 0.1"><joint axis="1 0 0"/><geom type="sphere" size="0.02"/>)";
  }
  for (int k = 0; k < depth; ++k) text += "</body>";
  const ToolRun run = run_tool({"inspect", write_file("chain.xml", text + "</worldbody></mujoco>")});
  EXPECT_EQ(run.code, 0) << run.err;
  std::istringstream in(run.out);
  for (std::string line; std::getline(in, line);) EXPECT_LE(count_columns(line), 100u) << line;
  EXPECT_NE(run.out.find("[200] "), std::string::npos);
}

// A name from a file must not move the cursor of the reader's terminal.
TEST(Inspect, NamesCannotCommandTheTerminal) {
  const ToolRun run = run_tool({"inspect", write_file("escape.xml", R"(<mujoco><worldbody><body name="a&#27;[2Jb">
      <joint/><geom type="sphere" size="0.1"/></body></worldbody></mujoco>)")});
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
}

struct Refusal {
  std::vector<std::string> words;  // after `inspect`
  std::string message;
};

void expect_refused(const Refusal& refusal) {
  std::vector<std::string> words = refusal.words;
  words.insert(words.begin(), "inspect");
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, 2) << run.out;
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(run.err.starts_with("tribo: ")) << run.err;
  EXPECT_NE(run.err.find(refusal.message), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

// Every mistake of a caller has its own message with the place and what to give instead.
TEST(Inspect, RefusesWhatItCannotUse) {
  const std::string path = pendulum();
  const auto state = [](const std::string& text) {
    static int count = 0;
    return write_file("bad_state" + std::to_string(count++) + ".json", text);
  };
  for (const Refusal& refusal :
       std::vector<Refusal>{{{}, "MODEL is required"},
                            {{"no_such_robot.xml"}, "no_such_robot.xml: no such file"},
                            {{"docs"}, "docs: is a folder"},
                            {{write_file("empty.xml", "")}, "empty.xml"},
                            {{write_file("text.xml", "a robot")}, "text.xml"},
                            {{"data/reference/fr05_wedge.json"}, "fr05_wedge.json"},
                            {{path, "--key", "uo"}, "did you mean \"up\"? give one of up, down"},
                            {{path, "--key", "up", "--state", "-"}, "not both"},
                            {{path, "--state", "no_state.json"}, "no_state.json: no such file"},
                            {{path, "--state", "docs"}, "docs: is a folder"},
                            {{path, "--state", "/dev/zero"}, "/dev/zero: is not a regular file"},
                            {{path, "--state", "-"}, "standard input: not valid JSON"},
                            {{path, "--state", state("q = 0.5")}, "not valid JSON"},
                            {{path, "--state", state("[0.5]")}, "not a JSON object"},
                            {{path, "--state", state(R"({"v": [1]})")}, "q: is missing; give 1 numbers"},
                            {{path, "--state", state(R"({"q": 0.5})")}, "q: is not a list"},
                            {{path, "--state", state(R"({"q": [0.5, 1]})")}, "q: has 2 numbers, the model 1"},
                            {{path, "--state", state(R"({"q": [0.5], "v": []})")}, "v: has 0 numbers, the model 1"},
                            {{path, "--state", state(R"({"q": ["nan"]})")}, "q: entry 0 is not a number"},
                            {{path, "--state", state(R"({"q": [NaN]})")}, "not valid JSON"},
                            {{path, "--state", state(R"({"q": [1e999]})")}, "number overflow"},
                            {{path, "--state", state(R"({"q": [0.5], "q": [0.6]})")}, "\"q\" appears twice"},
                            {{path, "--state", state(std::string(1'000'000, '['))}, "not valid JSON"}}) {
    expect_refused(refusal);
  }
}

// With --json a refusal is an object too, so that a script can tell the files apart.
TEST(Inspect, ARefusalIsAnObjectToo) {
  const ToolRun run = run_tool({"inspect", "no_such_robot.xml", "--json"});
  EXPECT_EQ(run.code, 2);
  const json object = run.json_lines().at(0);
  EXPECT_EQ(object["file"], "no_such_robot.xml");
  EXPECT_NE(object["error"].get<std::string>().find("no such file"), std::string::npos);
}

// Keys that are not read are named: a misspelled "v" would otherwise be a model at rest.
TEST(Inspect, UnusedKeysAreWarnedAbout) {
  const ToolRun run =
      run_tool({"inspect", pendulum(), "--state", write_file("extra.json", R"({"q": [0], "vel": [1]})")});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("warning: not used: 'vel'"), std::string::npos) << run.err;
}

// A reader that leaves is no error to talk about.
TEST(Inspect, ABrokenPipeEndsQuietly) {
  const ToolRun run = run_tool({"inspect", pendulum()}, Stdout::kBrokenPipe);
  EXPECT_EQ(run.signal, 0);
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace tribo::testing
