// `bench peers`: the same scenes, step by step, in Tribo, MuJoCo, ODE, Bullet and DART. All engines of a scene take turns, some
// steps each, so that what disturbs one disturbs the others. The promises:
//     row grasp, stack, heavy top: nearer to rest than the nearest, and faster than the fastest, of those that hold     (1)
//     100 spheres within 1 mm; the wall within 0.1 mm at no more than 5 ms; the pile quiet at no more than 10 ms        (2)
//     and of steel instead of rigid: the wall at no more than 3 ms, the pile at no more than 5 ms
//     every step of ours certified                                                                                    (3)
#include "tribo/core/clock.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>

#include "bench.hpp"
#include "multibody/mujoco_peer.hpp"
#include "peers/peers_parts.hpp"

namespace tribo {
namespace {

constexpr long kTurn = 25;   // steps of an engine before the next one's turn
constexpr long kGlance = 5;  // steps between two looks at the motions; not timed

struct PeerSceneEntry {
  const char* name;
  PeerScenario scenario;
  long steps, quick_steps;
};
constexpr PeerSceneEntry kPeerScenes[] = {
    {"row_grasp", PeerScenario::kRest, 1000, 100}, {"box_stack_20", PeerScenario::kRest, 1000, 50},
    {"heavy_top", PeerScenario::kRest, 1000, 100}, {"sphere_stack", PeerScenario::kRest, 1000, 50},
    {"incline", PeerScenario::kRest, 1000, 100},   {"brick_wall", PeerScenario::kRest, 1000, 25},
    {"pile", PeerScenario::kPile, 2000, 50},
};

struct PeerEntry {
  const char* name;
  std::string version;
  const char* package;
  const char* setting;
  std::function<PeerMade(const PeerStart&)> make;
  bool pile_only = false;
  bool takes_seconds = false;  // for one step of the wall
};

std::vector<PeerEntry> list_peers() {
  const std::string mujoco = mujoco_version(), ode = peer_ode_version(), bullet = peer_bullet_version(),
                    dart = peer_dart_version();
  return {
      {"mujoco", mujoco, "libmujoco-dev",
       "elliptic cone, Newton, impratio 10, solref 4h 1, solimp 0.999 0.9999 0.001, reads the file itself",
       [](const PeerStart& start) { return make_mujoco_engine(start, true); }},
      {"mujoco cg", mujoco, "libmujoco-dev", "conjugate gradients, else as mujoco",
       [](const PeerStart& start) { return make_mujoco_engine(start, false); }},
      {"ode", ode, "libode-dev", "dWorldStep, CFM 1e-7, ERP 0.2, no surface layer, up to 8 points a pair",
       [](const PeerStart& start) { return make_ode_engine(start, 0); }, false, true},
      {"ode quick", ode, "libode-dev", "dWorldQuickStep, 50 iterations, else as ode",
       [](const PeerStart& start) { return make_ode_engine(start, 50); }},
      {"bullet", bullet, "libbullet-dev",
       "sequential impulses, 100 iterations, two friction directions, double precision, plane as a large box for boxes",
       [](const PeerStart& start) { return make_bullet_engine(start, 100); }},
      {"bullet 10", bullet, "libbullet-dev", "10 iterations, else as bullet; the pile only",
       [](const PeerStart& start) { return make_bullet_engine(start, 10); }, true},
      {"dart", dart, "libdart-dev", "Dantzig, ERP 0.2, its own collision detector, plane as a large box",
       make_dart_engine, false, true},
  };
}

constexpr const char* kOurSetting = "true cone, default options, one thread, certificates included";
constexpr const char* kOurSteel = "contacts as stiff as steel instead of rigid, else as tribo";

void print_settings(Output& output, const std::vector<PeerEntry>& peers) {
  const auto tell = [&](const std::string& name, const std::string& version, const std::string& setting) {
    output.line(format("  %-10s %-8s %s", name.c_str(), version.c_str(), setting.c_str()));
    output.object({{"kind", "setting"}, {"engine", name}, {"version", version}, {"setting", setting}});
  };
  output.line("settings");
  tell("tribo", "", kOurSetting);
  tell("tribo soft", "", kOurSteel);
  for (const PeerEntry& peer : peers) {
    if (!peer.version.empty()) {
      tell(peer.name, peer.version, peer.setting);
      continue;
    }
    output.line(format("  %-10s left out: built without it (Debian: %s)", peer.name, peer.package));
    output.object({{"kind", "left-out"}, {"what", peer.name}, {"package", peer.package}});
  }
}

// One engine on its way through a scene.
class PeerRunner {
 public:
  PeerRunner(PeerRun& run, std::unique_ptr<PeerEngine> engine, PeerWatch watch, double most_seconds)
      : run_(run), engine_(std::move(engine)), watch_(std::move(watch)), most_seconds_(most_seconds) {}

  bool done() const { return run_.steps == run_.asked || spent_ > most_seconds_ || !watch_.measures().finite; }

  void take_turn() {
    engine_->enter();
    for (long i = 0; i < kTurn && !done(); ++i) {
      const Stopwatch watch;
      engine_->step();
      seconds_.push_back(watch.seconds());
      spent_ += seconds_.back();
      ++run_.steps;
      const long count = engine_->contacts();
      contacts_ += static_cast<double>(count);
      run_.contacts_max = std::max(run_.contacts_max, count);
      if (run_.steps % kGlance != 0 && !done()) continue;
      engine_->read(motions_);
      watch_.look(motions_, run_.steps);
    }
    engine_->leave();
  }

  void finish(PeerScenario scenario) {
    if (seconds_.empty()) return;
    run_.measures = watch_.measures();
    run_.complaints = engine_->complaints();
    run_.complaint = engine_->complaint();
    const auto count = static_cast<double>(seconds_.size());
    run_.mean = spent_ / count;
    run_.contacts_mean = contacts_ / count;
    const auto quarter = static_cast<std::ptrdiff_t>((seconds_.size() + 3) / 4);
    run_.late = std::accumulate(seconds_.end() - quarter, seconds_.end(), 0.0) / static_cast<double>(quarter);
    const auto middle = seconds_.begin() + static_cast<std::ptrdiff_t>(seconds_.size() / 2);
    std::nth_element(seconds_.begin(), middle, seconds_.end());
    run_.median = *middle;
    name_outcome(scenario, run_);
  }

 private:
  PeerRun& run_;
  std::unique_ptr<PeerEngine> engine_;
  PeerWatch watch_;
  double most_seconds_, spent_ = 0.0, contacts_ = 0.0;
  std::vector<double> seconds_;
  std::vector<PeerMotion> motions_;
};

void print_run(Output& output, const std::string& scene, const PeerRun& run) {
  const PeerMeasures& m = run.measures;
  const std::string creep = m.creep ? format("%9.3g", 1e6 * *m.creep) : "        -";
  output.line(format("  %-10s %9.4g %9.4g %9.3g %9.3g %s %9.3g %9.2g %9.2g %8.1f  %s", run.engine.c_str(),
                     1e6 * run.mean, 1e6 * run.median, 1e6 * m.moved, 1e6 * m.drop, creep.c_str(), 1e6 * m.overlap,
                     m.energy_rise, m.speed, run.contacts_mean, run.outcome.c_str()));
  output.object({{"kind", "run"},
                 {"scene", scene},
                 {"engine", run.engine},
                 {"setting", run.setting},
                 {"outcome", run.outcome},
                 {"succeeds", run.succeeds},
                 {"steps", run.steps},
                 {"asked", run.asked},
                 {"seconds_mean", run.mean},
                 {"seconds_median", run.median},
                 {"seconds_late", run.late},
                 {"moved_m", m.moved},
                 {"drop_m", m.drop},
                 {"creep_m_per_s", m.creep ? Json(*m.creep) : Json(nullptr)},
                 {"overlap_m", m.overlap},
                 {"energy_rise_J", m.energy_rise},
                 {"energy_change_J", m.energy_change},
                 {"speed_m_per_s", m.speed},
                 {"lost", m.lost},
                 {"finite", m.finite},
                 {"contacts_mean", run.contacts_mean},
                 {"contacts_max", run.contacts_max},
                 {"complaints", run.complaints},
                 {"complaint", run.complaint}});
}

void print_news(Output& output, const std::string& scene, const std::string& engine, const TriboNews& news) {
  output.line(
      format("  %s: worst certificate %.1e, %ld steps by fallback, %ld without pivot or sweep, largest "
             "correction %.2g um",
             engine.c_str(), news.worst, news.fallbacks, news.at_rest, 1e6 * news.correction));
  output.object({{"kind", "certificates"},
                 {"scene", scene},
                 {"engine", engine},
                 {"worst", news.worst},
                 {"not_certified", news.not_certified},
                 {"fallbacks", news.fallbacks},
                 {"at_rest", news.at_rest},
                 {"correction_m", news.correction}});
}

Expected<PeerSceneRuns> run_peer_scene(Output& output, const BenchOptions& options, const PeerSceneEntry& entry,
                                       const std::vector<PeerEntry>& peers) {
  const double most_seconds = options.quick ? 0.3 : 20.0;  // of an engine of others in one scene
  const double our_most_seconds = 120.0;
  const Expected<PeerStart> start = load_peer_start(std::string(TRIBO_SCENES_FOLDER) + "/" + entry.name + ".xml");
  if (!start) return Unexpected<Error>{start.error()};
  const long steps = options.quick ? entry.quick_steps : entry.steps;
  PeerSceneRuns runs;
  runs.scene = entry.name;
  runs.scenario = entry.scenario;
  runs.ours = {.engine = "tribo", .setting = kOurSetting, .asked = steps};
  runs.compliant = {.engine = "tribo soft", .setting = kOurSteel, .asked = steps};
  runs.others.reserve(peers.size());  // the runners keep references
  std::vector<PeerRunner> runners;
  const auto add = [&](PeerRun& run, PeerMade engine, double limit) -> Checked {
    Expected<PeerWatch> watch = PeerWatch::make(*start, steps);
    if (!engine) return Unexpected<Error>{engine.error()};
    if (!watch) return Unexpected<Error>{watch.error()};
    runners.emplace_back(run, std::move(*engine), std::move(*watch), limit);
    return ok();
  };
  for (const bool compliant : {false, true}) {
    TriboNews& news = compliant ? runs.compliant_news : runs.news;
    PeerRun& run = compliant ? runs.compliant : runs.ours;
    if (Checked added = add(run, make_tribo_engine(*start, compliant, news), our_most_seconds); !added)
      return Unexpected<Error>{added.error()};
  }
  for (const PeerEntry& peer : peers) {
    if (peer.version.empty() || (peer.pile_only && entry.scenario != PeerScenario::kPile)) continue;
    if (options.quick && peer.takes_seconds && runs.scene == "brick_wall") {
      output.line(format("left out with --quick: %s on brick_wall, seconds per step", peer.name));
      output.object({{"kind", "left-out"}, {"what", std::string(peer.name) + " on brick_wall"}});
      continue;
    }
    runs.others.push_back({.engine = peer.name, .setting = peer.setting, .asked = steps});
    if (Checked added = add(runs.others.back(), peer.make(*start), most_seconds); !added) {
      runs.others.back().outcome = added.error().text();
    }
  }

  output.line(format("%s: %zu bodies, friction %.2g, %ld steps of %.3g ms", entry.name, start->scene.bodies.size(),
                     start->scene.friction, steps, 1e3 * start->scene.step));
  output.line(
      "                  us    median  moved um   drop um creep um/s overlap um   rise J speed m/s contacts  outcome");
  for (bool any = true; any;) {
    any = false;
    for (PeerRunner& runner : runners) {
      if (runner.done()) continue;
      runner.take_turn();
      any = true;
    }
    output.progress(format("peers: %s, step %ld of %ld", entry.name, runs.ours.steps, steps));
  }
  output.progress("");
  for (PeerRunner& runner : runners) runner.finish(entry.scenario);
  return runs;
}

}  // namespace

int run_peers_bench(const BenchOptions& options) {
  Output output(options, "peers");
  if (!std::filesystem::is_directory(TRIBO_SCENES_FOLDER)) {
    output.line(format("left out: scenes (no folder %s)", TRIBO_SCENES_FOLDER));
    output.object({{"kind", "left-out"}, {"what", "scenes"}});
    return output.exit_code();
  }
  const std::vector<PeerEntry> peers = list_peers();
  print_settings(output, peers);
  for (const PeerSceneEntry& entry : kPeerScenes) {
    const Expected<PeerSceneRuns> runs = run_peer_scene(output, options, entry, peers);
    if (!runs) {
      output.promise(std::string("scene runs, ") + entry.name, false, runs.error().text());
      continue;
    }
    print_run(output, runs->scene, runs->ours);
    print_run(output, runs->scene, runs->compliant);
    for (const PeerRun& run : runs->others) print_run(output, runs->scene, run);
    print_news(output, runs->scene, "tribo", runs->news);
    print_news(output, runs->scene, "tribo soft", runs->compliant_news);
    judge_peers(output, *runs, !options.quick);
  }
  return output.exit_code();
}

}  // namespace tribo
