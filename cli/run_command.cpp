#include "run_command.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/io/model_file.hpp"
#include "tribo/io/recording.hpp"
#include "tribo/io/replay_page.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "exit_code.hpp"
#include "inspect_state.hpp"
#include "run_outputs.hpp"
#include "run_request.hpp"
#include "run_scene.hpp"
#include "run_statistics.hpp"
#include "run_warnings.hpp"
#include "stop_signals.hpp"
#include "terminal.hpp"
#include <fmt/format.h>
#include <unistd.h>

namespace tribo {
namespace {

Expected<World> load_scene(const std::string& path) {
  Expected<World> world = load(path);
  if (world || world.error().where.starts_with(path)) return world;
  return Unexpected<Error>{world.error().within(path)};
}

std::string bar(std::int64_t done, std::int64_t steps, const RunStatistics& statistics, double time) {
  constexpr std::int64_t kBarWidth = 30;
  const std::int64_t filled = steps == 0 ? kBarWidth : done * kBarWidth / steps;
  return fmt::format("[{:-<{}}] {:.6g} s, {:.1f} µs per step", std::string(static_cast<std::size_t>(filled), '#'),
                     kBarWidth, time, statistics.calc_mean_us());
}

// The files that a run writes while it goes on. A replay page is made from a recording; where none was asked for, one beside the
// page that goes away with it.
class Outputs {
 public:
  Outputs(const Model& model, std::int64_t every) : make_frame_(model), every_(every) {}
  ~Outputs() {
    std::error_code ignored;
    if (!passing_.empty()) std::filesystem::remove(passing_, ignored);
  }
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  Checked open(const RunArguments& arguments, const Simulation& simulation, const std::string& path) {
    page_ = arguments.out.value_or("");
    overwrite_ = arguments.force;
    recording_ = arguments.record.value_or("");
    if (!page_.empty()) {
      const Expected<std::string> page = load_replay_template();
      if (!page) return Unexpected<Error>{page.error().within("--out")};
      if (const Expected<std::string> whole = make_replay_page(*page, ""); !whole)  // one without its mark is told now
        return Unexpected<Error>{whole.error().within("--out")};
      if (recording_.empty()) {
        recording_ = passing_ = fmt::format("{}.{}.tribo.part", page_, ::getpid());
        beside_ = true;
      }
    }
    if (!recording_.empty()) {
      RecordingHeader header = make_recording_header(simulation, path, TRIBO_VERSION);
      header.every = every_;
      Expected<RecordingWriter> writer =
          RecordingWriter::create(recording_, header, {.overwrite = overwrite_, .fresh = !passing_.empty()});
      if (!writer) {
        passing_.clear();  // what is there is not ours
        return name_page(writer.error());
      }
      writer_.emplace(std::move(*writer));
    }
    if (arguments.states) {
      Expected<StateTable> table = StateTable::create(*arguments.states, simulation.model(), arguments.force);
      if (!table) return Unexpected<Error>{table.error()};
      table_.emplace(std::move(*table));
    }
    if (arguments.sensors) {
      if (simulation.model().description().sensors.empty())
        return fail("the scene has no sensors", "--sensors", "add a <sensor> section, or leave the option out");
      Expected<SensorTable> table = SensorTable::create(*arguments.sensors, simulation.model(), arguments.force);
      if (!table) return Unexpected<Error>{table.error()};
      sensors_.emplace(std::move(*table));
    }
    return write(simulation, false);
  }

  // Every so many steps, and at the end.
  Checked write(const Simulation& simulation, bool last) {
    const std::int64_t step = simulation.report().step;
    if (writer_) make_frame_.see(simulation.report());
    if (step == written_ || (!last && step % every_ != 0)) return ok();
    written_ = step;
    if (writer_) {
      RecordedFrame frame = make_frame_(simulation);
      frame.key = last;
      if (const Checked done = writer_->write(frame); !done) return name_page(done.error());
    }
    if (sensors_) {
      if (const Checked done = sensors_->write(simulation.sensors(), simulation.time()); !done) return done;
    }
    if (table_) return table_->write(simulation.model(), simulation.state(), simulation.time());
    return ok();
  }

  Checked close(RunRecord& record) {
    if (writer_) {
      if (const Checked done = writer_->close(); !done) return name_page(done.error());
      record.frames = writer_->frames();
      record.recording_bytes = writer_->bytes();
    }
    if (!page_.empty()) {
      if (const Checked done = write_replay_page(recording_, page_, overwrite_); !done) {
        if (passing_.empty()) return done;
        passing_.clear();  // what was computed is kept
        Error error = done.error();
        error.remedy += fmt::format("; the recording is kept as {}: tribo view and tribo why read it", recording_);
        return Unexpected<Error>{std::move(error)};
      }
      record.replay_bytes = static_cast<std::int64_t>(std::filesystem::file_size(page_));
    }
    if (sensors_) {
      if (const Checked done = sensors_->close(); !done) return done;
    }
    return table_ ? table_->close() : ok();
  }

 private:
  // The recording beside the page is nothing the user asked for: errors name the page.
  Unexpected<Error> name_page(Error error) const {
    if (beside_ && error.where == recording_) error.where = page_;
    return Unexpected<Error>{std::move(error)};
  }

  std::string recording_, page_, passing_;  // passing: the recording that goes away
  bool overwrite_ = false, beside_ = false;
  FrameMaker make_frame_;
  std::optional<RecordingWriter> writer_;
  std::optional<StateTable> table_;
  std::optional<SensorTable> sensors_;
  std::int64_t every_, written_ = -1;
};

Checked run_steps(Simulation& simulation, std::int64_t steps, Outputs& outputs, RunRecord& record) {
  const StopSignals signals;
  Progress progress;
  Stopwatch since_shown;
  double turn = 0.0;
  for (std::int64_t i = 1; i <= steps && !record.interrupted; ++i) {
    try {
      record.statistics.add(simulation.step());
      turn = std::max(turn, simulation.report().turn);
      record.statistics.add_slips(simulation.contacts(), simulation.model(), simulation.h());
    } catch (const ContractError& error) {  // the solver that was named cannot take the problem of this step
      return fail(error.what(), fmt::format("{}: step {}", record.path, i), "choose another --solver, or auto");
    }
    record.interrupted = StopSignals::asked() && i < steps;
    if (const Checked done = outputs.write(simulation, i == steps || record.interrupted); !done) return done;
    if (since_shown.seconds() > 0.1) {
      progress.show(bar(i, steps, record.statistics, simulation.time()));
      since_shown = Stopwatch();
    }
  }
  warn_of_turn(record.path, turn);
  warn_of_steps(record.path, record.statistics.warnings, record.statistics.warnings_count);
  return ok();
}

struct Start {
  State state;
  VectorXd control;   // empty: zero
  std::string label;  // "keyframe home", "state.json"; empty: the reference
};

// The state that was given, else a keyframe, else the reference.
Expected<Start> make_start(const Model& model, const std::string& path, const RunArguments& arguments) {
  if (arguments.state) {
    if (arguments.key) return fail("there are two states to start from", "--state, --key", "give one of them");
    Expected<ReadState> read = read_state_file(model, *arguments.state, true);
    if (!read) return Unexpected<Error>{read.error().within("--state")};
    for (const std::string& warning : read->warnings) write_error(warning);
    return Start{std::move(read->state), std::move(read->control), std::move(read->label)};
  }
  const Expected<const Keyframe*> found = choose_start(model, path, arguments.key);
  if (!found) return Unexpected<Error>{found.error()};
  if (*found == nullptr) return Start{make_state(model), {}, ""};
  Expected<State> state = make_state(model, **found);
  if (!state) return Unexpected<Error>{state.error().within(path + ": keyframe " + (*found)->name)};
  return Start{std::move(*state), (*found)->control, "keyframe " + (*found)->name};
}

Expected<RunRecord> simulate(const RunArguments& arguments) {
  const Expected<std::string> path = find_scene(arguments.scene);
  if (!path) return Unexpected<Error>{path.error()};
  if (const Checked other = check_not_input(arguments, *path); !other) return Unexpected<Error>{other.error()};
  const Expected<RunRequest> request = make_run_request(arguments);
  if (!request) return Unexpected<Error>{request.error()};
  Expected<World> world = load_scene(*path);
  if (!world) return Unexpected<Error>{world.error()};
  std::vector<std::string> inputs = world->files;
  inputs.push_back(arguments.state.value_or(""));
  if (const char* page = std::getenv("TRIBO_VIEWER"); page != nullptr) inputs.emplace_back(page);
  for (const std::string& input : inputs) {
    if (const Checked other = check_not_input(arguments, input); !other) return Unexpected<Error>{other.error()};
  }
  const Expected<Start> start = make_start(world->model, *path, arguments);
  if (!start) return Unexpected<Error>{start.error()};
  warn_of_scene(*path, *world, request->options);
  RunRecord record;
  record.start = start->label;
  Expected<Simulation> made = Simulation::make(std::move(world->model), request->options);
  if (!made) return Unexpected<Error>{made.error().within(*path)};
  Simulation& simulation = *made;
  simulation.set_state(start->state);
  if (start->control.size() == simulation.control().size()) simulation.control() = start->control;
  const Expected<std::int64_t> steps = calc_steps(request->duration, simulation.h());
  if (!steps) return Unexpected<Error>{steps.error()};

  record.scene = arguments.scene;
  record.path = *path;
  record.name = simulation.model().description().name;
  record.model = name_model(simulation.options());
  record.solver = simulation.options().solver;
  record.h = simulation.h();
  record.threads = simulation.options().threads;
  record.bodies = simulation.model().nb() - 1;
  record.dof = simulation.model().nv();
  record.recording = arguments.record.value_or("");
  record.states = arguments.states.value_or("");
  record.sensor_table = arguments.sensors.value_or("");
  record.replay = arguments.out.value_or("");
  record.energy_start = simulation.calc_energy();
  Outputs outputs(simulation.model(), request->every);
  if (const Checked opened = outputs.open(arguments, simulation, *path); !opened)
    return Unexpected<Error>{opened.error()};
  if (const Checked done = run_steps(simulation, *steps, outputs, record); !done)
    return Unexpected<Error>{done.error()};
  if (const Checked closed = outputs.close(record); !closed) return Unexpected<Error>{closed.error()};
  constexpr std::int64_t kMuch = std::int64_t{2} << 30;  // bytes
  if (!record.recording.empty() && record.recording_bytes > kMuch)
    write_error(fmt::format("{}: warning: {:.3g} GB are more than a browser can hold; --every makes it less",
                            record.recording, static_cast<double>(record.recording_bytes) * 1e-9));
  const std::vector<Sensor>& sensors = simulation.model().description().sensors;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    const double* first = simulation.sensors().data() + simulation.model().sensor_start(static_cast<Index>(s));
    record.sensors.emplace_back(sensors[s].name, std::vector<double>(first, first + calc_size(sensors[s].type)));
  }
  record.time = simulation.time();
  record.energy_end = simulation.calc_energy();
  record.state_hash = simulation.calc_hash();
  return record;
}

}  // namespace

int run_run(const RunArguments& arguments) {
  const Expected<RunRecord> record = simulate(arguments);
  if (!record) {
    const std::string text = record.error().text();
    write_error(text);
    if (arguments.json) write_output(run_error_json(arguments.scene, text));
    return kBadInput;
  }
  if (!write_output(arguments.json ? run_json(*record) : run_text(*record))) return kBadInput;
  // What was asked for is the whole time, with every step certified.
  return record->statistics.failed_steps() > 0 || record->interrupted ? kNotCertified : kCertified;
}

}  // namespace tribo
