// What is told of a run: numbers of its steps, as text and as JSON.
#pragma once

#include "tribo/sim/simulation.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tribo {

class RunStatistics {
 public:
  void add(const StepReport& report);
  // What slid in the last step, h long.
  void add_slips(const std::vector<ContactRecord>& contacts, const Model& model, double h);

  std::int64_t steps() const { return steps_; }
  std::int64_t failed_steps() const { return failed_steps_; }
  double seconds() const { return seconds_; }
  double calc_mean_us() const;
  double calc_percentile_us(double share) const;  // of the steps; 0.95: all but one in twenty are faster

  double contacts_sum = 0.0;  // between shapes
  Index contacts_max = 0;
  Index joint_rows_max = 0;   // limits within reach and dry friction of joints and tendons
  CollisionCounts collision;  // summed over all steps
  double max_us = 0.0;
  // Of the wall time, summed over all steps; the rest is in no named part.
  double seconds_collide = 0.0, seconds_dynamics = 0.0, seconds_solve = 0.0, seconds_certify = 0.0,
         seconds_correct = 0.0;
  double calc_other_seconds() const;
  double worst = 0.0;              // certificate
  std::int64_t failed_solves = 0;  // islands without certified answer, over all steps
  std::int64_t fallbacks = 0;      // steps
  std::int64_t quiet_steps = 0;    // without pivots and sweeps
  double max_overlap = 0.0, loop_error = 0.0, correction = 0.0;
  double correction_energy = 0.0;  // J, that corrections of positions added, over all steps
  double max_slip =
      0.0;  // m, the longest way that two bodies slid on one another: per step that of their fastest loaded contact
  std::string first_failure;          // "step 12 at 0.024 s: infeasible: …"
  std::vector<std::string> warnings;  // of the steps, the first of them: "step 12: …"
  std::int64_t warnings_count = 0;
  // Steps that were certified after contradicting rows were eased; steps whose positions should have been corrected and were not.
  std::int64_t eased_steps = 0, uncorrected_steps = 0;
  std::int64_t solved_again = 0;  // steps with contacts that their first answer would have passed

 private:
  void warn(const StepReport& report, const std::string& what);

  std::int64_t steps_ = 0, failed_steps_ = 0;
  double seconds_ = 0.0;
  // Every stride-th time: of long runs a part says as much about the distribution.
  std::vector<float> times_us_;
  std::int64_t stride_ = 1;
  std::map<std::pair<Index, Index>, double> slips_, ways_;  // m, by bodies; in all and in a step
};

struct RunRecord {
  std::string scene, path, name, model, solver;
  double h = 0.0, time = 0.0;
  int threads = 1;
  Index bodies = 0, dof = 0;
  RunStatistics statistics;
  double energy_start = 0.0, energy_end = 0.0;
  std::uint64_t state_hash = 0;
  bool interrupted = false;
  std::string start;                                    // "keyframe home", "state.json"; empty: the reference
  std::string recording, states, sensor_table, replay;  // files; empty: none
  std::vector<std::pair<std::string, std::vector<double>>> sensors;  // names and values after the last step
  std::int64_t frames = 0, recording_bytes = 0, replay_bytes = 0;
};

std::string run_text(const RunRecord& record);
std::string run_json(const RunRecord& record);
std::string run_error_json(const std::string& scene, const std::string& error);

}  // namespace tribo
