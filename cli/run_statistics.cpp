#include "run_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "json_text.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostTimes = std::size_t{1} << 21;
constexpr std::int64_t kMostWarnings = 10;

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string certificate_text(const RunRecord& record) {
  const RunStatistics& s = record.statistics;
  if (s.failed_steps() == 0) return fmt::format("{:.2g} at worst; every step is certified", s.worst);
  return fmt::format("{:.2g} at worst; {} of {} steps are not certified, the first: {}", s.worst, s.failed_steps(),
                     s.steps(), s.first_failure);
}

}  // namespace

void RunStatistics::add(const StepReport& report) {
  const double us = report.seconds * 1e6;
  if (steps_ % stride_ == 0) times_us_.push_back(static_cast<float>(us));
  if (times_us_.size() >= kMostTimes) {
    for (std::size_t i = 0; 2 * i < times_us_.size(); ++i) times_us_[i] = times_us_[2 * i];
    times_us_.resize((times_us_.size() + 1) / 2);
    stride_ *= 2;
  }
  ++steps_;
  seconds_ += report.seconds;
  max_us = std::max(max_us, us);
  seconds_collide += report.seconds_collide;
  seconds_dynamics += report.seconds_dynamics;
  seconds_solve += report.seconds_solve;
  seconds_certify += report.seconds_certify;
  seconds_correct += report.seconds_correct;
  contacts_sum += static_cast<double>(report.contacts);
  contacts_max = std::max(contacts_max, report.contacts);
  collision += report.collision;
  joint_rows_max = std::max(joint_rows_max, report.joint_rows);
  if (std::isnan(report.worst) || report.worst > worst) worst = report.worst;
  max_overlap = std::max(max_overlap, report.overlap);
  loop_error = std::max(loop_error, report.loop_error);
  correction = std::max(correction, report.correction);
  correction_energy += report.correction_energy;
  if (report.fallback) ++fallbacks;
  if (report.pivots == 0 && report.sweeps == 0 && is_solved(report.status)) ++quiet_steps;
  if (report.listings > 1) ++solved_again;
  for (const std::string& warning : report.warnings) warn(report, warning);
  if (report.status == Status::kSolvedReduced && eased_steps++ == 0) warn(report, report.detail);
  if (!report.corrected && uncorrected_steps++ == 0) warn(report, report.detail);
  if (is_solved(report.status)) return;
  ++failed_steps_;
  const std::int64_t islands = std::count_if(report.islands.begin(), report.islands.end(),
                                             [](const IslandReport& island) { return !is_solved(island.status); });
  failed_solves += std::max<std::int64_t>(islands, 1);
  if (first_failure.empty()) {
    first_failure = fmt::format("step {} at {:.6g} s: {}{}{}", report.step, report.time, to_string(report.status),
                                report.detail.empty() ? "" : ": ", report.detail);
  }
}

void RunStatistics::warn(const StepReport& report, const std::string& what) {
  if (++warnings_count <= kMostWarnings) warnings.push_back(fmt::format("step {}: {}", report.step, what));
}

void RunStatistics::add_slips(const std::vector<ContactRecord>& contacts, const Model& model, double h) {
  // Which corner carries load is one choice of many: what counts is that the two bodies press on one another.
  ways_.clear();
  const std::vector<Geom>& geoms = model.description().geoms;
  for (const ContactRecord& contact : contacts) {
    if (!(contact.impulse(2) > 0.0)) continue;
    const Index a = geoms[static_cast<std::size_t>(contact.shape_a)].body;
    const Index b = geoms[static_cast<std::size_t>(contact.shape_b)].body;
    double& way = ways_[std::minmax(a, b)];
    way = std::max(way, h * std::hypot(contact.velocity(0), contact.velocity(1)));
  }
  for (const auto& [bodies, way] : ways_) {
    if (!(way > 0.0)) continue;
    double& sum = slips_[bodies];
    sum += way;
    max_slip = std::max(max_slip, sum);
  }
}

double RunStatistics::calc_mean_us() const { return steps_ == 0 ? 0.0 : seconds_ * 1e6 / static_cast<double>(steps_); }

double RunStatistics::calc_other_seconds() const {
  return std::max(0.0,
                  seconds_ - seconds_collide - seconds_dynamics - seconds_solve - seconds_certify - seconds_correct);
}

double RunStatistics::calc_percentile_us(double share) const {
  if (times_us_.empty()) return 0.0;
  std::vector<float> sorted = times_us_;
  const double rank = std::ceil(share * static_cast<double>(sorted.size())) - 1.0;
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 0.0));
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

std::string run_text(const RunRecord& record) {
  const RunStatistics& s = record.statistics;
  const double steps = static_cast<double>(std::max<std::int64_t>(s.steps(), 1));
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("{:<12} {}\n", label, value);
  };
  line("scene", fmt::format("{}{}: {} {}, {} {} of freedom, from {}", record.path,
                            record.name.empty() ? "" : " (" + record.name + ")", record.bodies,
                            record.bodies == 1 ? "body" : "bodies", record.dof, record.dof == 1 ? "degree" : "degrees",
                            record.start.empty() ? "the reference" : record.start));
  line("model", fmt::format("{}, solver {}, {} thread{}", record.model, record.solver, record.threads,
                            record.threads == 1 ? "" : "s"));
  line("steps", fmt::format("{} of {:.6g} s, to {:.6g} s{}", s.steps(), record.h, record.time,
                            record.interrupted ? " (interrupted)" : ""));
  line("contacts", fmt::format("{:.1f} on average, {} at most", s.contacts_sum / steps, s.contacts_max));
  if (s.collision.pairs > 0)
    line("collision",
         fmt::format("{:.1f} pairs of geoms per step with boxes that meet, {:.1f} distances computed, {:.1f} "
                     "pairs with contacts",
                     static_cast<double>(s.collision.pairs) / steps, static_cast<double>(s.collision.distances) / steps,
                     static_cast<double>(s.collision.manifolds) / steps));
  if (s.joint_rows_max > 0)
    line("joints", fmt::format("{} limits within reach and dry frictions at most", s.joint_rows_max));
  line("time", fmt::format("{:.1f} µs per step, 95 % within {:.1f} µs, {:.1f} µs at most; {:.4g} s in all",
                           s.calc_mean_us(), s.calc_percentile_us(0.95), s.max_us, s.seconds()));
  const double per_cent = s.seconds() > 0.0 ? 100.0 / s.seconds() : 0.0;
  line("of that", fmt::format("{:.0f} % dynamics, {:.0f} % collision, {:.0f} % solves, {:.0f} % certificates, {:.0f} % "
                              "corrections of positions",
                              per_cent * s.seconds_dynamics, per_cent * s.seconds_collide, per_cent * s.seconds_solve,
                              per_cent * s.seconds_certify, per_cent * s.seconds_correct));
  line("certificate", certificate_text(record));
  line("effort", fmt::format("{} steps without pivots and sweeps, {} with a fallback{}", s.quiet_steps, s.fallbacks,
                             s.solved_again == 0 ? "" : fmt::format(", {} solved again", s.solved_again)));
  if (s.eased_steps > 0)
    line("eased", fmt::format("{} steps, in which contacts contradicted one another", s.eased_steps));
  line("overlap",
       fmt::format(
           "{:.3g} m at most{}", s.max_overlap,
           s.uncorrected_steps == 0 ? "" : fmt::format("; could not be corrected in {} steps", s.uncorrected_steps)));
  line("slip", fmt::format("{:.3g} m at most, of two bodies while they pressed", s.max_slip));
  if (s.loop_error > 0.0) line("loops", fmt::format("open by {:.3g} m or rad at most", s.loop_error));
  // What corrections add is told where it is more than a millionth of what there is.
  const double least = 1e-6 * std::max(std::abs(record.energy_start), std::abs(record.energy_end));
  line("energy",
       fmt::format("{:.9g} J at the start, {:.9g} J at the end{}", record.energy_start, record.energy_end,
                   std::abs(s.correction_energy) > least
                       ? fmt::format("; corrections of positions {} {:.3g} J",
                                     s.correction_energy > 0.0 ? "added" : "took", std::abs(s.correction_energy))
                       : ""));
  line("state hash", hash_text(record.state_hash));
  if (!record.recording.empty())
    line("recording", fmt::format("{}: {} frames, {:.3g} MB", record.recording, record.frames,
                                  static_cast<double>(record.recording_bytes) * 1e-6));
  if (!record.replay.empty())
    line("replay", fmt::format("{}: {} frames, {:.3g} MB", record.replay, record.frames,
                               static_cast<double>(record.replay_bytes) * 1e-6));
  if (!record.states.empty()) line("states", record.states);
  if (!record.sensor_table.empty()) line("sensors", record.sensor_table);
  return text;
}

ordered_json sensors_json(const RunRecord& record) {
  ordered_json array = ordered_json::array();
  for (const auto& [name, values] : record.sensors) {
    ordered_json numbers = ordered_json::array();
    for (const double value : values) numbers.push_back(number_json(value));
    array.push_back({{"name", name}, {"values", std::move(numbers)}});
  }
  return array;
}

std::string run_json(const RunRecord& record) {
  const RunStatistics& s = record.statistics;
  const double steps = static_cast<double>(std::max<std::int64_t>(s.steps(), 1));
  ordered_json object = {{"scene", record.scene},
                         {"model", record.model},
                         {"solver", record.solver},
                         {"threads", record.threads},
                         {"step", record.h},
                         {"steps", s.steps()},
                         {"time", number_json(record.time)},
                         {"contacts_mean", number_json(s.contacts_sum / steps)},
                         {"contacts_max", s.contacts_max},
                         {"pairs_mean", number_json(static_cast<double>(s.collision.pairs) / steps)},
                         {"distances_mean", number_json(static_cast<double>(s.collision.distances) / steps)},
                         {"manifolds_mean", number_json(static_cast<double>(s.collision.manifolds) / steps)},
                         {"joint_rows_max", s.joint_rows_max},
                         {"seconds", number_json(s.seconds())},
                         {"us_per_step_mean", number_json(s.calc_mean_us())},
                         {"us_per_step_p95", number_json(s.calc_percentile_us(0.95))},
                         {"us_per_step_max", number_json(s.max_us)},
                         {"dynamics_seconds", number_json(s.seconds_dynamics)},
                         {"collide_seconds", number_json(s.seconds_collide)},
                         {"solve_seconds", number_json(s.seconds_solve)},
                         {"certify_seconds", number_json(s.seconds_certify)},
                         {"correct_seconds", number_json(s.seconds_correct)},
                         {"other_seconds", number_json(s.calc_other_seconds())},
                         {"worst_certificate", number_json(s.worst)},
                         {"failed_solves", s.failed_solves},
                         {"fallbacks", s.fallbacks},
                         {"quiet_steps", s.quiet_steps},
                         {"max_penetration", number_json(s.max_overlap)},
                         {"slip_max", number_json(s.max_slip)},
                         {"loop_error", number_json(s.loop_error)},
                         {"energy_start", number_json(record.energy_start)},
                         {"energy_end", number_json(record.energy_end)},
                         {"correction_energy", number_json(s.correction_energy)},
                         {"state_hash", hash_text(record.state_hash)}};
  if (!s.first_failure.empty()) object["first_failure"] = s.first_failure;
  if (s.eased_steps > 0) object["eased_steps"] = s.eased_steps;
  if (s.uncorrected_steps > 0) object["uncorrected_steps"] = s.uncorrected_steps;
  if (s.solved_again > 0) object["solved_again"] = s.solved_again;
  if (!s.warnings.empty()) object["warnings"] = s.warnings;
  if (record.interrupted) object["interrupted"] = true;
  if (!record.recording.empty()) {
    object["recording"] = record.recording;
    object["recording_bytes"] = record.recording_bytes;
  }
  if (!record.replay.empty()) {
    object["replay"] = record.replay;
    object["replay_bytes"] = record.replay_bytes;
  }
  if (record.frames > 0) object["frames"] = record.frames;
  if (!record.states.empty()) object["states"] = record.states;
  if (!record.sensor_table.empty()) object["sensor_table"] = record.sensor_table;
  if (!record.sensors.empty()) object["sensors"] = sensors_json(record);
  return json_line(object);
}

std::string run_error_json(const std::string& scene, const std::string& error) {
  return json_line({{"scene", scene}, {"error", error}});
}

}  // namespace tribo
