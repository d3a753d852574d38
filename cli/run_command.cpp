#include "run_command.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/io/model_file.hpp"
#include "tribo/io/recording.hpp"
#include "tribo/io/replay_page.hpp"

#include <algorithm>
#include <filesystem>

#include "exit_code.hpp"
#include "run_request.hpp"
#include "run_scene.hpp"
#include "run_statistics.hpp"
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

void warn_of_dry_friction(const std::string& path, const Model& model, const ContactModel& contacts) {
  if (std::holds_alternative<CoulombCone>(contacts)) return;
  const ModelDescription& d = model.description();
  const auto rubs = [](const auto& element) { return element.friction_loss > 0.0; };
  const auto count =
      std::count_if(d.joints.begin(), d.joints.end(), rubs) + std::count_if(d.tendons.begin(), d.tendons.end(), rubs);
  if (count == 0) return;
  write_error(fmt::format("{}: warning: dry friction of {} joints or tendons is left out: only the model cone has it",
                          path, count));
}

void warn(const std::string& path, const std::vector<Notice>& notices) {
  for (const Notice& notice : notices) {
    if (notice.physical)
      write_error(
          fmt::format("{}: warning: {} ({}) is not supported: {}", path, notice.element, notice.count, notice.meaning));
  }
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
      if (const Expected<std::string> page = load_replay_template(); !page)
        return Unexpected<Error>{page.error().within("--out")};
      if (recording_.empty()) recording_ = passing_ = fmt::format("{}.{}.part", page_, ::getpid());
    }
    if (!recording_.empty()) {
      RecordingHeader header = make_recording_header(simulation, path, TRIBO_VERSION);
      header.every = every_;
      Expected<RecordingWriter> writer =
          RecordingWriter::create(recording_, header, {.overwrite = overwrite_ || !passing_.empty()});
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
    if (!page_.empty()) {
      if (const Checked done = write_replay_page(recording_, page_, overwrite_); !done) return done;
      record.replay_bytes = static_cast<std::int64_t>(std::filesystem::file_size(page_));
    }
    return table_ ? table_->close() : ok();
  }

 private:
  std::string recording_, page_, passing_;  // passing: the recording that goes away
  bool overwrite_ = false;
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
      record.statistics.add_slips(simulation.contacts(), simulation.h());
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
  warn_of_dry_friction(*path, world->model, request->options.model);
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
  record.replay = arguments.out.value_or("");
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
