// tribo why: sentences whose numbers can be worked out by hand.
#include "tribo/io/recording.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

std::string record_scene(const std::string& name, const std::string& scene, const std::string& duration,
                         const std::vector<std::string>& more = {}) {
  std::string path = temporary_folder() + "/" + name + ".tribo";
  std::vector<std::string> words = {"run", scene, "--duration", duration, "--record", path, "--force"};
  words.insert(words.end(), more.begin(), more.end());
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, 0) << run.err;
  return path;
}

// The box of 1 kg that stays on a slope of 20° with mu = 0.5.
const std::string& incline() {
  static const std::string path = record_scene("why_incline", "incline", "0.05");
  return path;
}

json why_json_of(std::vector<std::string> words) {
  words.insert(words.begin(), "why");
  words.emplace_back("--json");
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, 0) << run.err;
  const auto lines = run.json_lines();
  return lines.size() == 1 ? lines[0] : json::object();
}

std::string why_text_of(std::vector<std::string> words) {
  words.insert(words.begin(), "why");
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return run.out;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The slope carries m g cos 20° and m g sin 20°; each corner sticks, and the margins are those of its own forces.
TEST(Why, AStickingBoxIsExplained) {
  const json step = why_json_of({incline()});
  EXPECT_EQ(step["step"], 50);
  EXPECT_EQ(step["frames"], 51);
  EXPECT_NEAR(step["time"], 0.05, 1e-12);
  EXPECT_EQ(step["status"], "solved");
  EXPECT_NE(step["solver"], "");
  EXPECT_EQ(step["tolerance"], 1e-8);
  EXPECT_LE(step["certificate"], 1e-8);
  double normal = 0.0;
  ASSERT_EQ(step["contacts"].size(), 4u);
  for (const json& contact : step["contacts"]) {
    EXPECT_EQ(contact["state"], "stick");
    EXPECT_EQ(contact["mu"], 0.5);
    EXPECT_EQ(contact["redundant"], true);  // four corners of one face: three would do
    const double n = contact["normal_force"], f = contact["friction_force"];
    EXPECT_NEAR(contact["allowed"], 0.5 * n, 1e-9);
    EXPECT_NEAR(contact["margin"], 1.0 - f / (0.5 * n), 1e-9);
    EXPECT_TRUE(says(contact["why"], "Sticks")) << contact;
    EXPECT_TRUE(says(contact["why"], "the cone allows ")) << contact;
    ASSERT_EQ(contact["says"].size(), 2u) << contact;
    EXPECT_TRUE(says(contact["says"][0], "As a whole, 4 contacts stick with 27 % margin")) << contact;
    EXPECT_TRUE(says(contact["says"][1], "one choice of many: sticks")) << contact;
    normal += n;
  }
  EXPECT_NEAR(normal, 9.81 * std::cos(20.0 * M_PI / 180.0), 1e-3);
  // However the corners share it, the box needs tan 20° of mu = 0.5.
  ASSERT_EQ(step["groups"].size(), 1u);
  EXPECT_NEAR(step["groups"][0]["margin"], 1.0 - std::tan(20.0 * M_PI / 180.0) / 0.5, 1e-4);
  EXPECT_NEAR(step["groups"][0]["friction_force"], 9.81 * std::sin(20.0 * M_PI / 180.0), 1e-3);
}

// The sentence has the numbers, the bodies, the solver and what is left to choice.
TEST(Why, TheTextSaysTheSame) {
  const std::string one = why_text_of({incline(), "--contact", "0", "--time", "0.02"});
  for (const char* part :
       {"step         20 at 0.02 s", "box (box", "the world (plane slope)", "stick with 27 % margin", "need ",
        "(mu 0.5 × ", "residual ", "tolerance 1e-08", "pivot", "sweep", "one choice of many"}) {
    EXPECT_TRUE(says(one, part)) << part << "\n" << one;
  }
  const std::string all = why_text_of({incline()});
  for (const char* part : {"4 listed: 4 stick, 0 slide, 0 open", "least margin", "most load", "redundant    1 pair",
                           "box against the world"}) {
    EXPECT_TRUE(says(all, part)) << part << "\n" << all;
  }
}

// A block that was pushed slides at a known speed, with all the friction that its cone allows.
TEST(Why, ASlidingBlockIsExplained) {
  const std::string scene = write_file("why_slide.xml", R"(<mujoco><option timestep="0.01"/><worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.2"/>
    <body name="puck" pos="0 0 0.1"><freejoint/><geom type="sphere" size="0.1" mass="2" friction="0.2"/></body>
    <body name="far" pos="3 0 0.102"><joint type="slide" axis="1 0 0"/><geom type="sphere" size="0.1" mass="2"/></body>
    </worldbody><keyframe><key name="start" qpos="0 0 0.1 1 0 0 0 0" qvel="1 0 0 0 0 0 0"/></keyframe></mujoco>)");
  const json step = why_json_of({record_scene("why_slide", scene, "0.01")});
  ASSERT_EQ(step["contacts"].size(), 2u) << step;
  const json &slides = step["contacts"][0], &open = step["contacts"][1];
  EXPECT_EQ(slides["state"], "slide");
  EXPECT_NEAR(slides["normal_force"], 19.62, 1e-3);
  EXPECT_NEAR(slides["friction_force"], 0.2 * 19.62, 1e-3);
  // 1 m/s less 0.2 g h of the centre and 5/2 times as much at the point, for it begins to roll.
  EXPECT_NEAR(slides["slip"], 1.0 - 3.5 * 0.2 * 9.81 * 0.01, 1e-6);
  EXPECT_EQ(slides["redundant"], false);
  EXPECT_TRUE(says(slides["why"], "Slides at 931 mm/s")) << slides["why"];
  EXPECT_TRUE(says(slides["why"], "allows, 3.92 N (mu 0.2 × 19.6 N); it brakes with 3.92 N")) << slides["why"];
  EXPECT_EQ(open["state"], "open");
  EXPECT_TRUE(says(open["why"], "Is open by 2 mm")) << open["why"];
}

// Where the model knows no cone, none is spoken of.
TEST(Why, OtherModelsHaveTheirOwnWords) {
  const std::string no_slip = record_scene("why_noslip", "incline", "0.01", {"--model", "no-slip"});
  // Which corners carry the load is a choice among answers; those that do stick.
  int sticking = 0;
  const json held = why_json_of({no_slip});
  for (const json& contact : held["contacts"]) {
    EXPECT_NE(contact["state"], "slide");
    if (contact["state"] != "stick") continue;
    ++sticking;
    EXPECT_TRUE(says(contact["why"], "Sticks, as the no-slip model asks")) << contact;
  }
  EXPECT_GE(sticking, 3);
  const std::string frictionless = record_scene("why_smooth", "incline", "0.01", {"--model", "frictionless"});
  EXPECT_TRUE(says(why_text_of({frictionless, "--contact", "0"}), "this model has no friction"));
  // What slides is counted as sliding, whatever its friction is.
  EXPECT_TRUE(says(why_text_of({frictionless}), " 0 stick, ")) << why_text_of({frictionless});
}

// Limits and dry friction of joints are rows of their own, with the joint's name and units.
TEST(Why, JointsAreExplained) {
  const std::string scene =
      write_file("why_joints.xml", R"(<mujoco><compiler angle="radian"/><option timestep="0.01"/><worldbody>
    <body name="door" pos="0 0 1"><joint name="stop" type="slide" axis="0 0 1" limited="true" range="0 1"/>
      <geom type="sphere" size="0.1" mass="2"/></body>
    <body name="wheel" pos="3 0 1"><joint name="axle" type="hinge" axis="0 1 0" frictionloss="5"/>
      <geom type="sphere" size="0.1" pos="0.1 0 0" mass="2"/></body>
    </worldbody></mujoco>)");
  const std::string recording = record_scene("why_joints", scene, "0.01");
  const json step = why_json_of({recording});
  EXPECT_EQ(step["contacts"].size(), 0u) << step;
  ASSERT_EQ(step["joint_rows"].size(), 2u) << step;
  const json &limit = step["joint_rows"][0], &friction = step["joint_rows"][1];
  EXPECT_EQ(limit["kind"], "limit");
  EXPECT_EQ(limit["joint"], "slide stop");
  EXPECT_EQ(limit["side"], "lower");
  EXPECT_EQ(limit["state"], "stick");
  EXPECT_EQ(limit["unit"], "N");
  EXPECT_NEAR(limit["force"], 2.0 * 9.81, 1e-3);
  EXPECT_EQ(limit["why"], "The lower limit of slide stop holds with 19.6 N.");
  EXPECT_EQ(friction["kind"], "dry friction");
  EXPECT_EQ(friction["joint"], "hinge axle");
  EXPECT_EQ(friction["dof"], 0);
  EXPECT_EQ(friction["state"], "stick");
  EXPECT_EQ(friction["unit"], "N·m");
  EXPECT_NEAR(friction["bound"], 5.0, 1e-4);
  EXPECT_NEAR(std::abs(friction["force"].get<double>()), 0.1 * 2.0 * 9.81, 1e-4);
  EXPECT_EQ(friction["why"], "Dry friction of hinge axle holds with 1.96 N·m of at most 5 N·m.");
  const std::string text = why_text_of({recording});
  EXPECT_TRUE(says(text, "contacts     0 listed: 0 stick, 0 slide, 0 open")) << text;
  EXPECT_TRUE(says(text, "joints       1 limit within reach, 1 hold; dry friction of 1, 0 overcome")) << text;
  EXPECT_TRUE(says(text, "             The lower limit of slide stop holds with 19.6 N.")) << text;
}

// A ball that rolls against rolling friction is on the rim of its cone, though its point does not slip.
TEST(Why, RollingFrictionIsNotForgotten) {
  const std::string scene = write_file("why_roll.xml", R"(<mujoco><option timestep="0.01"/><worldbody>
    <geom name="floor" type="plane" size="5 5 1" condim="6" friction="0.5 0.01 0.002"/>
    <body name="ball" pos="0 0 0.1"><freejoint/><geom type="sphere" size="0.1" mass="2" condim="6" friction="0.5 0.01 0.002"/></body>
    </worldbody><keyframe><key name="start" qpos="0 0 0.1 1 0 0 0" qvel="1 0 0 0 10 0"/>
    <key name="still" qpos="0 0 0.1 1 0 0 0"/></keyframe></mujoco>)");
  const json rolls = why_json_of({record_scene("why_roll", scene, "0.05")})["contacts"].at(0);
  EXPECT_EQ(rolls["state"], "slide");
  EXPECT_NEAR(rolls["mu_roll"], 0.002, 1e-7);
  EXPECT_NEAR(rolls["roll"], 10.0, 0.5);
  EXPECT_TRUE(says(rolls["why"], "olls at ")) << rolls["why"];
  EXPECT_TRUE(says(rolls["why"], "39.2 mN·m against rolling")) << rolls["why"];
  const json rests = why_json_of({record_scene("why_rest", scene, "0.05", {"--key", "still"})})["contacts"].at(0);
  EXPECT_EQ(rests["state"], "stick");
  EXPECT_TRUE(says(rests["why"], "Sticks with 100 % margin: it needs 0 N of friction, 0 N·m against spinning"))
      << rests["why"];
}

// Before the first step no force is known, and that is said.
TEST(Why, TheStartHasNoForces) {
  EXPECT_TRUE(says(why_text_of({incline(), "--time", "0"}), "no step has been made yet"));
}

// A recording whose writer was stopped tells what it has, and that it is not all.
TEST(Why, APartIsExplainedAsOne) {
  std::ifstream in(incline(), std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  const std::string whole = bytes.str();
  const std::string part = write_file("why_part.tribo", whole.substr(0, whole.size() - 30));
  const std::string text = why_text_of({part});
  EXPECT_TRUE(says(text, "incomplete")) << text;
  EXPECT_TRUE(says(text, "step         49")) << text;
}

// A step that was not certified says so, also to scripts.
TEST(Why, AnUncertifiedStepIsExitOne) {
  const std::string path = temporary_folder() + "/why_failed.tribo";
  RecordingHeader header;
  header.model = "cone";
  header.bodies.resize(1);
  header.step = 0.01;
  auto writer = RecordingWriter::create(path, header, {.overwrite = true}).value();
  RecordedFrame frame;
  frame.poses.resize(1);
  frame.step = 1;
  frame.status = Status::kInfeasible;
  ASSERT_TRUE(writer.write(frame));
  ASSERT_TRUE(writer.close());
  const ToolRun run = run_tool({"why", path});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(says(run.out, "infeasible")) << run.out;
  EXPECT_TRUE(says(run.out, "NOT certified")) << run.out;
}

// What cannot be answered ends with 2 and one line that says what to ask instead.
TEST(Why, BadQuestionsAreRefused) {
  const std::string nothing = write_file("why_nothing.tribo", [] {
    std::ifstream in(incline(), std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str().substr(0, bytes.str().find("FRAM") + 5);
  }());
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"missing.tribo"}, "no such file"},
      {{"README.md"}, "is not a recording of Tribo"},
      {{nothing}, "holds no complete frame"},
      {{write_file("why_cut.tribo", "TRIBOREC")}, "header"},
      {{incline(), "--time", "7"}, "from 0 to 0.05"},
      {{incline(), "--time", "-1"}, "outside"},
      {{incline(), "--time", "nan"}, "is not a time"},
      {{incline(), "--time", "soon"}, "is not a time"},
      {{incline(), "--contact", "4"}, "from 0 to 3"},
      {{incline(), "--contact", "-1"}, "whole number"},
      {{incline(), "--contact", "1.5"}, "whole number"},
      {{incline(), "--contact", "0", "--time", "0"}, "lists none"},
      {{}, "RECORDING"}};
  for (const auto& [words, message] : cases) {
    std::vector<std::string> all = words;
    all.insert(all.begin(), "why");
    const ToolRun run = run_tool(all);
    EXPECT_EQ(run.code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_TRUE(says(run.err, message)) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
  EXPECT_TRUE(run_tool({"why", "missing.tribo", "--json"}).json_lines().at(0).contains("error"));
}

}  // namespace
}  // namespace tribo::testing
