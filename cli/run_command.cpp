#include "run_command.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/io/model_file.hpp"
#include "tribo/io/recording.hpp"

#include <csignal>

#include "exit_code.hpp"
#include "run_request.hpp"
#include "run_scene.hpp"
#include "run_statistics.hpp"
#include "terminal.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

// Ctrl-C and a polite kill end the run after the step at hand; the second one ends the program.
class StopSignals {
 public:
  StopSignals() : interrupt_(std::signal(SIGINT, &ask)), terminate_(std::signal(SIGTERM, &ask)) {}
  ~StopSignals() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGTERM, terminate_);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  static void ask(int signal) {
    stop_asked = 1;
    std::signal(signal, SIG_DFL);
  }
  void (*interrupt_)(int);
  void (*terminate_)(int);
};

Expected<World> load_scene(const std::string& path) {
  Expected<World> world = load(path);
  if (world || world.error().where.starts_with(path)) return world;
  return Unexpected<Error>{world.error().within(path)};
}

void warn(const std::string& path, const std::vector<Notice>& notices) {
  for (const Notice& notice : notices) {
    if (notice.physical)
      write_error(
          fmt::format("{}: warning: {} ({}) is not supported: {}", path, notice.element, notice.count, notice.meaning));
  }
}

std::string bar(std::int64_t done, std::int64_t steps, const RunStatistics& statistics, double time) {
  constexpr std::int64_t kWidth = 30;
  const std::int64_t filled = steps == 0 ? kWidth : done * kWidth / steps;
  return fmt::format("[{:-<{}}] {:.6g} s, {:.1f} µs per step", std::string(static_cast<std::size_t>(filled), '#'),
                     kWidth, time, statistics.calc_mean_us());
}

// The files that a run writes while it goes on.
class Outputs {
 public:
  Outputs(const Model& model, std::int64_t every) : make_frame_(model), every_(every) {}

  Checked open(const RunArguments& arguments, const Simulation& simulation, const std::string& path) {
    if (arguments.record) {
      Expected<RecordingWriter> writer = RecordingWriter::create(
          *arguments.record, make_recording_header(simulation, path, TRIBO_VERSION), {.overwrite = arguments.force});
      if (!writer) return Unexpected<Error>{writer.error()};
      writer_.emplace(std::move(*writer));
    }
    if (arguments.states) {
      Expected<StateTable> table = StateTable::create(*arguments.states, simulation.model(), arguments.force);
      if (!table) return Unexpected<Error>{table.error()};
      table_.emplace(std::move(*table));
    }
    return write(simulation, false);
  }

  // Every so many steps, and at the end.
  Checked write(const Simulation& simulation, bool last) {
    const std::int64_t step = simulation.report().step;
    if (step == written_ || (!last && step % every_ != 0)) return ok();
    written_ = step;
    if (writer_) {
      RecordedFrame frame = make_frame_(simulation);
      frame.key = last;
      if (const Checked done = writer_->write(frame); !done) return done;
    }
    if (table_) return table_->write(simulation.model(), simulation.state(), simulation.time());
    return ok();
  }

  Checked close(RunRecord& record) {
    if (writer_) {
      if (const Checked done = writer_->close(); !done) return done;
      record.frames = writer_->frames();
      record.recording_bytes = writer_->bytes();
    }
    return table_ ? table_->close() : ok();
  }

 private:
  FrameMaker make_frame_;
  std::optional<RecordingWriter> writer_;
  std::optional<StateTable> table_;
  std::int64_t every_, written_ = -1;
};

Checked run_steps(Simulation& simulation, std::int64_t steps, Outputs& outputs, RunRecord& record) {
  const StopSignals signals;
  Progress progress;
  Stopwatch since_shown;
  for (std::int64_t i = 1; i <= steps && !record.interrupted; ++i) {
    try {
      record.statistics.add(simulation.step());
    } catch (const ContractError& error) {  // the solver that was named cannot take the problem of this step
      return fail(error.what(), fmt::format("{}: step {}", record.path, i), "choose another --solver, or auto");
    }
    record.interrupted = stop_asked != 0 && i < steps;
    if (const Checked done = outputs.write(simulation, i == steps || record.interrupted); !done) return done;
    if (since_shown.seconds() > 0.1) {
      progress.show(bar(i, steps, record.statistics, simulation.time()));
      since_shown = Stopwatch();
    }
  }
  return ok();
}

Expected<RunRecord> simulate(const RunArguments& arguments) {
  const Expected<RunRequest> request = make_run_request(arguments);
  if (!request) return Unexpected<Error>{request.error()};
  const Expected<std::string> path = find_scene(arguments.scene);
  if (!path) return Unexpected<Error>{path.error()};
  Expected<World> world = load_scene(*path);
  if (!world) return Unexpected<Error>{world.error()};
  const Expected<const Keyframe*> start = choose_start(world->model, *path, arguments.key);
  if (!start) return Unexpected<Error>{start.error()};
  warn(*path, world->notices);
  RunRecord record;
  Keyframe keyframe;
  if (*start != nullptr) keyframe = **start;
  record.start = keyframe.name;
  Expected<State> state = *start != nullptr ? make_state(world->model, keyframe) : make_state(world->model);
  if (!state) return Unexpected<Error>{state.error().within(*path + ": keyframe " + keyframe.name)};
  Expected<Simulation> made = Simulation::make(std::move(world->model), request->options);
  if (!made) return Unexpected<Error>{made.error().within(*path)};
  Simulation& simulation = *made;
  simulation.set_state(*state);
  if (keyframe.control.size() == simulation.control().size()) simulation.control() = keyframe.control;
  const Expected<std::int64_t> steps = calc_steps(request->duration, simulation.h());
  if (!steps) return Unexpected<Error>{steps.error()};

  record.scene = arguments.scene;
  record.path = *path;
  record.name = simulation.model().description().name;
  record.model = to_string(simulation.options().model);
  record.solver = simulation.options().solver;
  record.h = simulation.h();
  record.threads = simulation.options().threads;
  record.bodies = simulation.model().nb() - 1;
  record.dof = simulation.model().nv();
  record.recording = arguments.record.value_or("");
  record.states = arguments.states.value_or("");
  record.energy_start = simulation.calc_energy();
  Outputs outputs(simulation.model(), request->every);
  if (const Checked opened = outputs.open(arguments, simulation, *path); !opened)
    return Unexpected<Error>{opened.error()};
  if (const Checked done = run_steps(simulation, *steps, outputs, record); !done)
    return Unexpected<Error>{done.error()};
  if (const Checked closed = outputs.close(record); !closed) return Unexpected<Error>{closed.error()};
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
