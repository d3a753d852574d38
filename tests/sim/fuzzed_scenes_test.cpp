// Damaged scenes: ours with hostile numbers, with elements dropped, doubled and moved, with names that mean something else and with
// bytes flipped. Whatever a file has become, reading it ends with an error that names a file or with a world, and a world moves step by
// step: certified, or with a status and its cause, and never to a place that is not a number.
// TRIBO_FUZZ=N makes N mutants instead of the few of every run, TRIBO_FUZZ_SEED another sequence.
#include "tribo/core/random.hpp"
#include "tribo/io/model_file.hpp"
#include "tribo/sim/simulation.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "io/io_testing.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

struct Span {
  std::size_t begin = 0, end = 0;  // end: one beyond
  bool empty() const { return begin == end; }
};

class SceneMutator {
 public:
  explicit SceneMutator(std::uint64_t seed) : random_(seed) {}

  std::string mutate(std::string text) {
    const auto edits = random_.integer(1, 3);
    for (std::int64_t k = 0; k < edits && !text.empty(); ++k) {
      switch (random_.integer(0, 9)) {
        case 0:
          text = testing::mutated(std::move(text), random_);
          break;
        case 1:
          flip(text);
          break;
        case 2:
          drop(text);
          break;
        case 3:
          move(text, false);
          break;
        case 4:
          move(text, true);
          break;
        case 5:
          rename(text);
          break;
        default:
          change_number(text);
      }
    }
    return text;
  }

 private:
  std::size_t pick(std::size_t count) {
    return static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(count) - 1));
  }

  // What stands between the quotes of an attribute.
  Span pick_value(const std::string& text) {
    std::vector<Span> all;
    for (std::size_t at = text.find("=\""); at != std::string::npos; at = text.find("=\"", at + 2)) {
      const std::size_t end = text.find('"', at + 2);
      if (end == std::string::npos) break;
      all.push_back({at + 2, end});
      at = end;
    }
    return all.empty() ? Span{} : all[pick(all.size())];
  }

  // An element with all that is in it.
  Span pick_element(const std::string& text) {
    std::vector<std::size_t> starts;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
      if (at + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[at + 1])) != 0) starts.push_back(at);
    }
    if (starts.size() < 2) return {};
    const std::size_t begin = starts[1 + pick(starts.size() - 1)];  // not the root
    int depth = 0;
    for (std::size_t at = begin; at < text.size();) {
      const std::size_t close = text.find('>', at);
      if (close == std::string::npos) return {};
      if (text.compare(at, 2, "</") == 0) {
        --depth;
      } else if (text[close - 1] != '/' && text[at + 1] != '!') {
        ++depth;
      }
      if (depth <= 0) return {begin, close + 1};
      at = text.find('<', close);
    }
    return {};
  }

  void flip(std::string& text) {
    for (std::int64_t k = random_.integer(1, 3); k > 0; --k)
      text[pick(text.size())] ^= static_cast<char>(1 << random_.integer(0, 7));
  }

  void drop(std::string& text) {
    const Span element = pick_element(text);
    text.erase(element.begin, element.end - element.begin);
  }

  // An element to another place, into or beside another one; or a copy of it.
  void move(std::string& text, bool copy) {
    const Span element = pick_element(text);
    const std::string piece = text.substr(element.begin, element.end - element.begin);
    if (!copy) text.erase(element.begin, piece.size());
    const Span other = pick_element(text);
    if (!other.empty()) text.insert(random_.chance(0.5) ? other.begin : text.find('>', other.begin) + 1, piece);
  }

  // Another value of the file, or one that nothing has.
  void rename(std::string& text) {
    const Span value = pick_value(text), other = pick_value(text);
    const std::string word = random_.chance(0.3) ? "nowhere.obj" : text.substr(other.begin, other.end - other.begin);
    text.replace(value.begin, value.end - value.begin, word);
  }

  void change_number(std::string& text) {
    static const std::vector<std::string> kHostile = {
        "0",     "-1",      "1e-300", "1e300", "-1e300", "1e9",   "1e-9", "1e12",       "-1e6", "1e5",  "1e50",
        "1e-50", "1e308",   "nan",    "inf",   "1e999",  "",      "x",    "2147483648", "-0",   "1e-6", "1e3",
        "1 2",   "0 0 0 0", "1e-15",  "1e16",  "180",    "0.001", "1e30", "1e-30",      "true", "7",    "1e100"};
    const Span value = pick_value(text);
    if (value.empty()) return;
    std::istringstream in(text.substr(value.begin, value.end - value.begin));
    std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
    if (words.empty()) words.emplace_back();
    words[pick(words.size())] = kHostile[pick(kHostile.size())];
    std::string joined;
    for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
    text.replace(value.begin, value.end - value.begin, joined);
  }

  Random random_;
};

// What they include is found from any folder: mutants that are refused for their place show nothing.
std::vector<std::string> read_scenes() {
  const std::string folder = testing::source_dir() + "/scenes", include = "<include file=\"";
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> scenes;
  for (const fs::path& path : paths) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    scenes.push_back(text.str());
    if (const std::size_t at = scenes.back().find(include); at != std::string::npos)
      scenes.back().insert(at + include.size(), folder + "/");
  }
  return scenes;
}

std::int64_t read_variable(const char* name, std::int64_t otherwise) {
  const char* given = std::getenv(name);
  return given != nullptr && *given != '\0' ? std::atoll(given) : otherwise;
}

bool is_finite(const State& state) {
  return state.q.allFinite() && state.v.allFinite() &&
         std::all_of(state.kinematic.begin(), state.kinematic.end(), [](const KinematicState& motion) {
           return motion.pose.p.allFinite() && motion.pose.q.coeffs().allFinite();
         });
}

// What came of the mutants: a test whose mutants are all refused shows nothing.
struct FuzzCounts {
  int refused = 0, stepped = 0, failed = 0;
};

void run_mutant(const std::string& path, FuzzCounts& counts) {
  Expected<World> world = load(path);
  if (!world) {
    ++counts.refused;
    const std::string& where = world.error().where;  // the mutant, or what it includes
    EXPECT_TRUE(where.find(path) != std::string::npos || where.find(testing::source_dir()) != std::string::npos)
        << world.error().text();
    EXPECT_FALSE(world.error().what.empty()) << path;
    return;
  }
  const auto find_start = [](const Model& model) {
    Keyframe start;
    for (const Keyframe& keyframe : model.description().keyframes) {
      if (keyframe.name == "start" || keyframe.name == "home") start = keyframe;
    }
    return start;
  };
  const Keyframe start = find_start(world->model);
  const Index size = world->model.nv() + static_cast<Index>(world->model.description().geoms.size());
  const Expected<State> state = make_state(world->model, start);
  ASSERT_TRUE(state.has_value()) << state.error().text();  // keyframes are checked with the model
  // A number of contacts that bodies beside one another do not come to; all in one place are refused.
  Expected<Simulation> made = Simulation::make(std::move(world->model), {.most_contacts = 3000});
  if (!made) {
    ++counts.refused;
    EXPECT_FALSE(made.error().what.empty() || made.error().where.empty()) << made.error().text();
    return;
  }
  made->set_state(*state);
  if (start.control.size() > 0) made->control() = start.control;
  const Index steps = std::clamp<Index>(1000 / (size + 1), 2, 20);
  ++counts.stepped;
  for (Index k = 0; k < steps; ++k) {
    const StepReport& report = made->step();
    if (!is_solved(report.status)) {
      EXPECT_FALSE(report.detail.empty()) << path << ", step " << report.step << ": " << to_string(report.status);
      ++counts.failed;
    } else {
      EXPECT_LE(report.worst, made->options().tolerance) << path << ", step " << report.step;
    }
    ASSERT_TRUE(is_finite(made->state())) << path << ", step " << report.step << ": " << to_string(report.status);
    if (!is_solved(report.status)) return;
  }
}

// A mutant that fails stays beside the test, so that it can be looked at.
TEST(FuzzedScenes, AreRefusedOrSimulatedWithAReason) {
  const std::vector<std::string> scenes = read_scenes();
  ASSERT_GT(scenes.size(), 10u);
  const std::int64_t mutants = read_variable("TRIBO_FUZZ", 300), seed = read_variable("TRIBO_FUZZ_SEED", 7);
  const testing::TemporaryFolder folder;
  FuzzCounts counts;
  for (std::int64_t k = 0; k < mutants; ++k) {
    SceneMutator mutator(static_cast<std::uint64_t>(seed) * 1'000'003 + static_cast<std::uint64_t>(k));
    const std::string text = mutator.mutate(scenes[static_cast<std::size_t>(k) % scenes.size()]);
    const std::string path = folder.path("mutant_" + std::to_string(k) + ".xml");
    std::ofstream(path, std::ios::binary) << text;
    try {
      run_mutant(path, counts);
    } catch (const std::exception& error) {
      ADD_FAILURE() << path << ": " << error.what();
    }
    if (HasFailure()) {
      const std::string kept = fs::temp_directory_path() / ("tribo-mutant-" + std::to_string(seed) + ".xml");
      fs::copy_file(path, kept, fs::copy_options::overwrite_existing);
      FAIL() << "mutant " << k << " of seed " << seed << " is kept as " << kept;
    }
    fs::remove(path);
  }
  EXPECT_GT(counts.refused, mutants / 20);
  EXPECT_GT(counts.stepped, mutants / 5);
  RecordProperty("failed_steps", counts.failed);
}

}  // namespace
}  // namespace tribo
