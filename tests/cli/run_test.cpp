// tribo run: a scene in time. Numbers of a block on a table, files that are written, refusals that say what to do.
#include "tribo/io/recording.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// 2 kg on a table; the keyframe "start" lifts it by 1 m, "thrown" gives it a speed. A slide is pushed by ctrl of "start".
const std::string kScene = R"(<mujoco model="table">
  <option timestep="0.01"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="block, red" pos="0 0 0.1"><freejoint/><geom name="block" type="box" size="0.1 0.1 0.1" mass="2"/></body>
    <body name="sledge" pos="3 0 1"><joint name="rail" type="slide" axis="1 0 0"/><geom type="sphere" size="0.1" mass="4"/></body>
  </worldbody>
  <actuator><motor name="push" joint="rail"/></actuator>
  <keyframe>
    <key name="start" qpos="0 0 1.1 1 0 0 0 0" ctrl="8"/>
    <key name="thrown" qpos="0 0 5 1 0 0 0 0" qvel="1 2 3 0 0 0 0"/>
  </keyframe>
</mujoco>)";

std::string scene() { return write_file("table.xml", kScene); }
std::string file(const std::string& name) { return temporary_folder() + "/" + name; }

std::string fresh(const std::string& name) {
  fs::remove(file(name));
  return file(name);
}

std::string fresh_folder(const std::string& name) {
  fs::remove_all(file(name));
  fs::create_directory(file(name));
  return file(name);
}

json run_ok(std::vector<std::string> words) {
  words.insert(words.begin(), "run");
  words.emplace_back("--json");
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto lines = run.json_lines();
  EXPECT_EQ(lines.size(), 1u);
  return lines.empty() ? json::object() : lines[0];
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The fields of DESIGN.md are what scripts read.
TEST(Run, PrintsTheFieldsThatArePromised) {
  const json object = run_ok({scene()});
  for (const char* field : {"scene",
                            "model",
                            "solver",
                            "steps",
                            "contacts_mean",
                            "contacts_max",
                            "pairs_mean",
                            "distances_mean",
                            "manifolds_mean",
                            "seconds",
                            "us_per_step_mean",
                            "us_per_step_p95",
                            "us_per_step_max",
                            "worst_certificate",
                            "failed_solves",
                            "max_penetration",
                            "energy_start",
                            "dynamics_seconds",
                            "collide_seconds",
                            "solve_seconds",
                            "certify_seconds",
                            "correct_seconds",
                            "other_seconds",
                            "energy_end",
                            "correction_energy",
                            "state_hash",
                            "fallbacks",
                            "loop_error"}) {
    EXPECT_TRUE(object.contains(field)) << field;
  }
  EXPECT_EQ(object["scene"], scene());
  EXPECT_EQ(object["model"], "cone");
  EXPECT_EQ(object["solver"], "auto");
  EXPECT_EQ(object["steps"], 100);  // 1 s
  EXPECT_EQ(object["failed_solves"], 0);
  EXPECT_LE(object["worst_certificate"], 1e-8);
  EXPECT_EQ(object["state_hash"].get<std::string>().size(), 16u);
  EXPECT_LE(object["us_per_step_p95"], object["us_per_step_max"]);
}

// The start is the keyframe "start": 2 kg at 1.1 m and 4 kg at 1 m; its ctrl of 8 N gives the sledge 2 m/s after a second.
TEST(Run, StartsFromTheKeyframeWithItsControls) {
  const std::string csv = fresh("start.csv");
  const json object = run_ok({scene(), "--states", csv});
  EXPECT_NEAR(object["energy_start"], 9.81 * (2.0 * 1.1 + 4.0 * 1.0), 1e-12);
  const std::string last = lines_of(csv).back();
  EXPECT_TRUE(last.find(",sledge,") != std::string::npos) << last;
  std::istringstream in(last);
  std::vector<std::string> cells;
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  ASSERT_EQ(cells.size(), 15u);
  EXPECT_NEAR(std::stod(cells[0]), 1.0, 1e-12);
  EXPECT_NEAR(std::stod(cells[9]), 2.0, 1e-9);
}

// Free flight has a closed form for time stepping too: z = 5 + 3 t − g h² n (n + 1) / 2.
TEST(Run, StartsFromTheKeyframeThatIsNamed) {
  const std::string csv = fresh("thrown.csv");
  run_ok({scene(), "--key", "thrown", "--duration", "0.5", "--step", "0.001", "--states", csv, "--every", "500"});
  const auto lines = lines_of(csv);
  ASSERT_EQ(lines.size(), 5u);  // a header, two bodies at two times
  EXPECT_EQ(lines[0], "time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  ASSERT_TRUE(lines[3].find(",\"block, red\",") != std::string::npos) << lines[3];
  double t = 0.0, x = 0.0, y = 0.0, z = 0.0;
  ASSERT_EQ(std::sscanf(lines[3].c_str(), "%lf,\"block, red\",%lf,%lf,%lf", &t, &x, &y, &z), 4);
  EXPECT_NEAR(x, 0.5, 1e-12);
  EXPECT_NEAR(y, 1.0, 1e-12);
  EXPECT_NEAR(z, 5.0 + 1.5 - 9.81 * 1e-6 * 500 * 500 / 2.0, 1e-12);
}

// A recording has the start, every N-th step and the end, and the end is exact.
TEST(Run, RecordsWhatItIsAskedTo) {
  const std::string path = fresh("table.tribo");
  const json object = run_ok({scene(), "--record", path, "--every", "30"});
  EXPECT_EQ(object["frames"], 5);  // 0, 30, 60, 90, 100
  EXPECT_EQ(object["recording_bytes"], fs::file_size(path));
  auto recording = Recording::open(path).value();
  EXPECT_TRUE(recording.complete()) << recording.ending();
  ASSERT_EQ(recording.frames(), 5);
  EXPECT_EQ(recording.header().name, "table");
  EXPECT_EQ(recording.header().version, TRIBO_VERSION);
  EXPECT_EQ(recording.header().bodies.size(), 3u);
  const RecordedFrame first = recording.frame(0).value(), last = recording.frame(4).value();
  EXPECT_EQ(first.step, 0);
  EXPECT_TRUE(first.contacts.empty());
  EXPECT_NEAR(first.poses[1].p.z(), 1.1, 1e-7);
  EXPECT_EQ(last.step, 100);
  EXPECT_TRUE(last.key);
  EXPECT_NEAR(last.energy, object["energy_end"], 1e-9);
  // At rest the floor carries the block: 2 kg · 9.81 · 0.01 s, upwards on the block.
  Vector3d impulse = Vector3d::Zero();
  const auto& geoms = recording.header().geoms;
  for (const RecordedContact& contact : last.contacts)
    impulse += geoms[static_cast<std::size_t>(contact.geom_a)].name == "block" ? contact.impulse : -contact.impulse;
  EXPECT_NEAR(impulse.z(), 2.0 * 9.81 * 0.01, 1e-4);
}

// Recording must not change the motion, and neither may the number of threads.
TEST(Run, TheMotionIsTheSameHoweverItIsWatched) {
  const json plain = run_ok({scene()});
  EXPECT_EQ(plain["state_hash"], run_ok({scene(), "--record", fresh("a.tribo")})["state_hash"]);
  EXPECT_EQ(plain["state_hash"], run_ok({scene(), "--threads", "2"})["state_hash"]);
  EXPECT_NE(plain["state_hash"], run_ok({scene(), "--duration", "0.5"})["state_hash"]);
}

// What exists is kept unless --force is given.
TEST(Run, NeverOverwritesUnlessTold) {
  const std::string precious = write_file("precious", "keep me");
  for (const char* option : {"--record", "--states"}) {
    const ToolRun run = run_tool({"run", scene(), "--duration", "0.01", option, precious});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("--force"), std::string::npos) << run.err;
    EXPECT_EQ(lines_of(precious).at(0), "keep me");
  }
  EXPECT_EQ(run_tool({"run", scene(), "--record", precious, "--force", "--duration", "0.01"}).code, 0);
  EXPECT_TRUE(Recording::open(precious));
  const std::string over = scene();
  EXPECT_EQ(run_tool({"run", over, "--record", over, "--force"}).code, 2);
  EXPECT_EQ(lines_of(over).at(0), "<mujoco model=\"table\">");
}

// Nor is what the run reads or the scene names, by whatever name it is called: --force is for results.
TEST(Run, NeverWritesOverWhatItReads) {
  const std::string text =
      "<mujoco><include file='included.xml'/><asset><mesh name='m' file='tetra.obj'/><texture file='sky.png'/>"
      "<hfield name='h' file='hills.bin' size='1 1 1 1'/></asset><worldbody><body><freejoint/>"
      "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
  const std::string option = "<mujoco><option timestep='0.01'/></mujoco>";
  const std::string hills("\x2\0\0\0\x2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {write_file("reads.xml", text), text},
      {write_file("included.xml", option), option},
      {write_file("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"},
      {write_file("hills.bin", hills), hills},
      {write_file("sky.png", "blue"), "blue"},
      {write_file("viewer.html", "page"), "page"}};
  const std::string link = fresh("link.xml");
  fs::create_symlink(inputs[1].first, link);
  for (const char* out : {"--record", "--states", "--out"}) {
    for (const auto& [path, content] : inputs) {
      const std::string over = path == inputs[1].first ? link : path;
      const ToolRun run =
          run_script("cd / && TRIBO_SCENES=" + temporary_folder() + " TRIBO_VIEWER=" + inputs.back().first +
                     " tribo run reads --duration 0.01 " + out + " " + over + " --force");
      EXPECT_EQ(run.code, 2) << out << " " << over;
      EXPECT_NE(run.err.find(over + " is one of the files that this run reads or names"), std::string::npos)
          << out << " " << run.err;
      std::ifstream in(path, std::ios::binary);
      EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), content) << out << " " << over;
    }
  }
}

// Two outputs in one file would destroy one another, and links hide that they are: nothing is written, whatever was there.
TEST(Run, NoTwoOutputsAreOneFile) {
  const std::string folder = fresh_folder("linked");
  const std::string old = write_file("linked/old.tribo", "keep me");
  fs::create_symlink("old.tribo", folder + "/symbolic");
  fs::create_hard_link(old, folder + "/hard");
  fs::create_directory_symlink(folder, folder + "/self");
  fs::create_symlink("missing", folder + "/dangling");
  fs::create_symlink("self/dangling", folder + "/longer");
  const std::pair<const char*, const char*> pairs[] = {{"old.tribo", "symbolic"},       {"old.tribo", "hard"},
                                                       {"old.tribo", "self/old.tribo"}, {"new", "self/new"},
                                                       {"missing", "dangling"},         {"dangling", "longer"}};
  for (const auto& [a, b] : pairs) {
    for (const auto& [first, second] :
         {std::pair("--record", "--states"), {"--states", "--record"}, {"--record", "--out"}}) {
      const ToolRun run = run_tool(
          {"run", scene(), "--duration", "0.01", "--force", first, folder + "/" + a, second, folder + "/" + b});
      EXPECT_EQ(run.code, 2) << a << " " << b;
      EXPECT_NE(run.err.find("are one and the same file"), std::string::npos) << a << " " << b << " " << run.err;
    }
  }
  EXPECT_EQ(lines_of(old).at(0), "keep me");
  EXPECT_FALSE(fs::exists(folder + "/missing") || fs::exists(folder + "/new"));
  EXPECT_EQ(run_tool({"run", scene(), "--duration", "0.01", "--force", "--record", folder + "/symbolic", "--states",
                      folder + "/dangling"})
                .code,
            0);
  EXPECT_TRUE(Recording::open(old));
  EXPECT_EQ(lines_of(folder + "/missing").at(0).substr(0, 9), "time,body");
}

// An output that cannot be written is told before another one is begun: the recording of yesterday is still there.
TEST(Run, AnErrorAtTheStartDestroysNothing) {
  const std::string folder = fresh_folder("kept");
  const std::string old = write_file("kept/old.tribo", "keep me"), page = write_file("page.html", "@TRIBO_RECORDING@");
  const std::vector<std::string> places = {"nodir/x", "old.tribo/x", ".", "new/", "round", std::string(300, 'x')};
  fs::create_symlink("nodir/x", folder + "/astray");
  fs::create_symlink("round", folder + "/round");
  for (const std::string option : {"--states", "--out"}) {
    for (const std::string& place : places) {
      const ToolRun run =
          run_script("TRIBO_VIEWER=" + page + " tribo run " + scene() + " --duration 0.01 --force --record " + old +
                     " " + option + " " + folder + "/" + place);
      EXPECT_EQ(run.code, 2) << option << " " << place;
      EXPECT_NE(run.err.find(option + " " + folder + "/" + place + ": "), std::string::npos) << run.err;
      EXPECT_EQ(lines_of(old).at(0), "keep me") << option << " " << place;
    }
  }
  EXPECT_EQ(run_tool({"run", scene(), "--force", "--record", old, "--states", folder + "/astray"}).code, 2);
  EXPECT_EQ(lines_of(old).at(0), "keep me");
}

// "-" means standard output to many tools; a file of that name would be a surprise, unless it is called ./-.
TEST(Run, AMinusIsNotAFile) {
  const std::string folder = fresh_folder("minus");
  for (const std::string option : {"--record", "--states", "--out"}) {
    const ToolRun run = run_script("cd " + folder + " && tribo run " + scene() + " --duration 0.01 " + option + " -");
    EXPECT_EQ(run.code, 2) << option;
    EXPECT_NE(run.err.find(option + ": \"-\" is not a file"), std::string::npos) << run.err;
    EXPECT_FALSE(fs::exists(folder + "/-")) << option;
  }
  EXPECT_EQ(run_script("cd " + folder + " && tribo run " + scene() + " --duration 0.01 --record ./-").code, 0);
  EXPECT_TRUE(Recording::open(folder + "/-"));
}

// --exact-meshes is for what stands still; that other meshes keep their hulls, or that there is nothing to change, is said.
TEST(Run, ExactMeshesAreForWhatStandsStill) {
  const std::string mesh = "<asset><mesh name='m' vertex='-1 -1 0  1 -1 0  0 1 0  0 0 -1'/></asset>";
  const std::string fixed = "<geom type='mesh' mesh='m'/>";
  const std::string moving = "<body pos='0 0 9'><freejoint/><geom name='g' type='mesh' mesh='m'/></body>";
  const auto warnings = [&](const std::string& bodies) {
    const std::string path =
        write_file("meshes.xml", "<mujoco>" + mesh + "<worldbody>" + bodies + "</worldbody></mujoco>");
    const ToolRun run = run_tool({"run", path, "--duration", "0.01", "--exact-meshes"});
    EXPECT_EQ(run.code, 0) << run.err;
    return run.err;
  };
  EXPECT_EQ(warnings(fixed), "");
  EXPECT_NE(warnings(fixed + moving).find("1 meshes of bodies that can (geom 'g' is the first)"), std::string::npos);
  EXPECT_NE(warnings("<geom size='1'/>").find("--exact-meshes changes nothing"), std::string::npos);
}

// The viscous model has friction where a geom says how much, and says so where none does.
TEST(Run, ViscousFrictionComesFromTheScene) {
  const std::string box =
      "<worldbody><geom name='floor' type='plane'/><body pos='0 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1'/>"
      "</body></worldbody>";
  const std::string word =
      "<custom><tuple name='tribo.mu_v'><element objtype='geom' objname='floor' prm='2'/></tuple></custom>";
  const auto warnings = [&](const std::string& inside) {
    const ToolRun run = run_tool({"run", write_file("viscous.xml", "<mujoco>" + inside + "</mujoco>"), "--duration",
                                  "0.01", "--model", "viscous"});
    EXPECT_EQ(run.code, 0) << run.err;
    return run.err;
  };
  EXPECT_EQ(warnings(box + word), "");
  EXPECT_NE(warnings(box).find("tribo.mu_v"), std::string::npos);
}

// A state from a file: q, v and control as they stand there; the same numbers as the keyframe give the same motion.
TEST(Run, StartsFromAStateFile) {
  const std::string state = write_file("thrown.json", R"({"q": [0, 0, 5, 1, 0, 0, 0, 0], "v": [1, 2, 3, 0, 0, 0, 0]})");
  const json by_file = run_ok({scene(), "--duration", "0.1", "--state", state});
  const json by_key = run_ok({scene(), "--duration", "0.1", "--keyframe", "thrown"});
  EXPECT_EQ(by_file["state_hash"], by_key["state_hash"]);
  // 8 N push 4 kg for 0.1 s.
  const std::string pushed = write_file("pushed.json", R"({"q": [0, 0, 1.1, 1, 0, 0, 0, 0], "control": [8]})");
  const std::string table = fresh("pushed.csv");
  EXPECT_EQ(run_ok({scene(), "--duration", "0.1", "--state", pushed, "--states", table})["state_hash"],
            run_ok({scene(), "--duration", "0.1"})["state_hash"]);
  const ToolRun text = run_tool({"run", scene(), "--state", pushed});
  EXPECT_NE(text.out.find("from " + pushed), std::string::npos) << text.out;
}

// One body is not "1 bodies", and a scene without a name has no empty brackets.
TEST(Run, SpeaksOfOneBody) {
  const std::string bare = write_file("bare.xml", R"(<mujoco><worldbody><body><joint type="slide"/>
    <geom size="0.1"/></body></worldbody></mujoco>)");
  const std::string out = run_tool({"run", bare, "--duration", "0.01"}).out;
  EXPECT_NE(out.find("bare.xml: 1 body, 1 degree of freedom, from the reference"), std::string::npos) << out;
}

// A block on four corners that slides: its way is v²/(2 mu g), whichever of its corners carry the load.
TEST(Run, SlipIsThatOfTheBodies) {
  const std::string slides = write_file("slides.xml", R"(<mujoco><option timestep="0.001"/><worldbody>
    <geom type="plane" size="5 5 1" friction="0.5"/>
    <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2" friction="0.5"/></body></worldbody>
    <keyframe><key name="start" qpos="0 0 0.1 1 0 0 0" qvel="1 0 0 0 0 0"/></keyframe></mujoco>)");
  EXPECT_NEAR(run_ok({slides, "--duration", "0.5"})["slip_max"], 1.0 / (2.0 * 0.5 * 9.81), 2e-3);
}

// The text says the same in words.
TEST(Run, PrintsAShortTable) {
  const ToolRun run = run_tool({"run", scene()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("scene ")) << run.out;
  EXPECT_NE(run.out.find("every step is certified"), std::string::npos) << run.out;
  EXPECT_LT(std::count(run.out.begin(), run.out.end(), '\n'), 16);
}

// A run that is stopped tells what it did and leaves a complete recording; the exit status says that it was not all.
TEST(Run, AnInterruptEndsItCleanly) {
  const std::string path = fresh("stopped.tribo");
  const ToolRun run = run_script("tribo run " + scene() + " --duration 1e6 --json --every 1000 --record " + path +
                                 " & pid=$!; sleep 1; kill -TERM $pid; code=0; wait $pid || code=$?; exit $code");
  EXPECT_EQ(run.code, 1) << run.err;
  const auto lines = run.json_lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["interrupted"], true);
  EXPECT_GT(lines[0]["steps"], 0);
  auto recording = Recording::open(path).value();
  EXPECT_TRUE(recording.complete()) << recording.ending();
  EXPECT_EQ(recording.frame(recording.frames() - 1).value().step, lines[0]["steps"].get<std::int64_t>());
}

// Scenes are found by name, listed with what they show, and every one of the list can be named.
TEST(Run, ScenesAreFoundByName) {
  const auto lines = run_tool({"list", "scenes", "--json"}).json_lines();
  ASSERT_GE(lines.size(), 17u);
  for (const json& line : lines) EXPECT_FALSE(line["summary"].get<std::string>().empty()) << line;
  EXPECT_EQ(run_ok({"incline", "--duration", "0.01"})["scene"], "incline");
  const ToolRun elsewhere =
      run_script("cd / && TRIBO_SCENES=" + temporary_folder() + " tribo run table --duration 0.01 --json # " + scene());
  EXPECT_EQ(elsewhere.code, 0) << elsewhere.err;
}

struct RunCase {
  std::vector<std::string> words;
  std::string message;  // a part of it
};
class BadRun : public ::testing::TestWithParam<RunCase> {};

// Wrong options end with 2, one line and a remedy.
TEST_P(BadRun, SaysWhatToDo) {
  std::vector<std::string> words = GetParam().words;
  words.insert(words.begin(), "run");
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, 2) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find(GetParam().message), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadRun,
    ::testing::Values(
        RunCase{{}, "SCENE"}, RunCase{{"inclin"}, "did you mean \"incline\"?"}, RunCase{{""}, "tribo list scenes"},
        RunCase{{"no/such/scene.xml"}, "no such file"}, RunCase{{"docs"}, "docs: is a folder"},
        RunCase{{"incline", "--state", "no_such.json"}, "no such file"},
        RunCase{{"incline", "--state", "README.md"}, "not valid JSON"},
        RunCase{{"incline", "--state", "x.json", "--key", "start"}, "two states"},
        RunCase{{"incline", "--model", "no-slp"}, "did you mean \"no-slip\"?"},
        RunCase{{"incline", "--solver", "lemk"}, "did you mean \"lemke/standard\"?"},
        RunCase{{"incline", "--solver", "dantzig"}, "dantzig"}, RunCase{{"incline", "--step", "0"}, "--step"},
        RunCase{{"incline", "--step", "fast"}, "--step"}, RunCase{{"incline", "--duration", "-1"}, "--duration"},
        RunCase{{"incline", "--duration", "nan"}, "--duration"},
        RunCase{{"incline", "--duration", "1e9", "--step", "1e-9"}, "too many"},
        RunCase{{"incline", "--threads", "0"}, "--threads"}, RunCase{{"incline", "--every", "0"}, "--every"},
        RunCase{{"incline", "--restitution", "1.5"}, "--restitution"},
        RunCase{{"incline", "--margin", "-1"}, "--margin"}, RunCase{{"incline", "--margin", "1cm"}, "--margin"},
        RunCase{{"incline", "--key", "strat"}, "there is no keyframe"}, RunCase{{"incline", "--out", ""}, "--out"},
        RunCase{{"incline", "--out", "docs"}, "is not a file"}, RunCase{{"incline", "--record", ""}, "--record"},
        RunCase{{"incline", "--record", "no/such/folder/x"}, "folder exists"},
        RunCase{{"incline", "--record", "/tmp"}, "folder"}, RunCase{{"README.md"}, "README.md"}));

// A state that does not fit is named by its part.
TEST(Run, AStateMustFit) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"v": []})", "q: is missing"},
      {R"({"q": [1]})", "q: has 1 numbers, the model 8"},
      {R"({"q": [0,0,1,1,0,0,0,0], "control": [1, 2]})", "control: has 2 numbers, the model 1"}};
  for (const auto& [text, message] : cases) {
    const ToolRun run = run_tool({"run", scene(), "--state", write_file("unfit.json", text)});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
  }
}

// With --json the error is an object too.
TEST(Run, ErrorsAreObjectsWithJson) {
  const ToolRun run = run_tool({"run", "inclin", "--json"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.json_lines().at(0)["scene"], "inclin");
  EXPECT_TRUE(run.json_lines().at(0).contains("error"));
}

// Sensors: a column per number and a row per recorded time, beginning with the start; the last values are in the JSON as well.
TEST(Run, WritesSensors) {
  std::string text = kScene;
  text.replace(text.find("</worldbody>"), 0,
               "<body name=\"plate\" pos=\"0 3 0.1\"><freejoint/><geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"2\"/>"
               "<site name=\"under\" pos=\"0 0 -0.1\" type=\"box\" size=\"0.1 0.1 0.1\"/></body>");
  text.replace(text.find("<keyframe>"), text.find("</keyframe>") - text.find("<keyframe>") + 11, "");
  text.replace(text.find("</mujoco>"), 0,
               "<sensor><jointpos name=\"way, m\" joint=\"rail\"/><touch site=\"under\"/>"
               "<accelerometer name=\"imu\" site=\"under\"/></sensor>");
  const std::string path = write_file("sensed.xml", text), table = fresh("sensors.csv");
  const json object = run_ok({path, "--duration", "0.5", "--sensors", table});
  EXPECT_EQ(object["sensor_table"], table);
  ASSERT_EQ(object["sensors"].size(), 3u);
  EXPECT_EQ(object["sensors"][0]["name"], "way, m");
  EXPECT_NEAR(object["sensors"][1]["values"][0], 2.0 * 9.81, 1e-6);
  EXPECT_NEAR(object["sensors"][2]["values"][2], 9.81, 1e-6);
  const std::vector<std::string> lines = lines_of(table);
  ASSERT_EQ(lines.size(), 52u);
  EXPECT_EQ(lines[0], "time,\"way, m\",sensor1,imu[0],imu[1],imu[2]");
  EXPECT_EQ(lines[1], "0,0,0,0,0,0");
  EXPECT_EQ(run_tool({"run", path, "--duration", "0.01", "--sensors", table}).code, 2);  // it exists
  const ToolRun none = run_tool({"run", scene(), "--sensors", fresh("none.csv")});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("the scene has no sensors"), std::string::npos) << none.err;
}

// A box that starts 0.3 m deep in the floor is taken out, and the 2 kg · g · 0.3 m that this takes are told; so is a step in which
// nothing is resolved.
TEST(Run, TellsWhatCorrectionsAddAndStepsThatAreTooLong) {
  const std::string deep = write_file(
      "deep.xml",
      "<mujoco><option timestep='0.005' gravity='0 0 -10'/><worldbody><geom type='plane' size='0 0 1'/>"
      "<body pos='0 0 -0.1'><freejoint/><geom type='box' size='0.2 0.2 0.2' mass='2'/></body></worldbody></mujoco>");
  const ToolRun object = run_tool({"run", deep, "--duration", "5", "--json"});
  ASSERT_EQ(object.json_lines().size(), 1u);
  EXPECT_NEAR(object.json_lines()[0]["correction_energy"], 2.0 * 10.0 * 0.3, 1e-3);
  const ToolRun text = run_tool({"run", deep, "--duration", "5"});
  EXPECT_NE(text.out.find("corrections of positions added 6 J"), std::string::npos) << text.out;
  EXPECT_EQ(text.err.find("no motion is resolved"), std::string::npos) << text.err;
  const ToolRun coarse = run_tool({"run", deep, "--step", "1000", "--duration", "2000"});
  EXPECT_NE(coarse.err.find("in a step of 1000 s a body falls 1e+07 m"), std::string::npos) << coarse.err;
}

}  // namespace
}  // namespace tribo::testing
