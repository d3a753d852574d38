#include "robots_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tribo {

namespace {

constexpr double kMostOfMean = 20.0;  // the longest step of a motion over its mean

struct TimeBar {
  const char* folder;
  double us;  // mean per step, of each motion
};
constexpr TimeBar kTimeBars[] = {
    {"shadow_hand", 150.0}, {"robotiq_2f85", 100.0}, {"barrett_bh282", 100.0}, {"anybotics_anymal_c", 80.0}};

double calc_geometric_mean(const std::vector<double>& numbers) {
  double sum = 0.0;
  for (const double number : numbers) sum += std::log(std::max(number, 1e-6));
  return numbers.empty() ? 0.0 : std::exp(sum / static_cast<double>(numbers.size()));
}

}  // namespace

void RobotsTable::begin() {
  output_.line(format("  %-40s %-5s %2s %5s %6s %6s %9s %8s %4s %4s %6s %8s %9s %9s | %9s %7s %6s %8s %9s", "robot", "",
                      "ms", "steps", "failed", "uncorr", "us/step", "most us", "col%", "cor%", "cont", "overlap",
                      "energy J", "corr. J", "MuJoCo us", "ratio", "cont", "overlap", "energy J") +
               " |    Debian   ratio");
}

void RobotsTable::add(const Robot& robot, RobotMotion motion, double h, int asked, const RobotRun& run,
                      const PeerRun* peer, const PeerRun* native) {
  const double share = run.seconds > 0.0 ? 1.0 / run.seconds : 0.0;
  const double ratio = peer != nullptr && peer->median_us > 0.0 ? run.mean_us() / peer->median_us : 0.0;
  const double to_native = native != nullptr && native->median_us > 0.0 ? run.mean_us() / native->median_us : 0.0;
  cells_.push_back({.robot = robot.name, .us = run.mean_us(), .ratio = ratio, .native = to_native});
  certified_ += run.failed == 0 ? 1 : 0;
  cut_short_ += run.steps < asked ? 1 : 0;
  long_steps_ += 1e6 * run.longest > kMostOfMean * run.mean_us() ? 1 : 0;
  Json fields = {{"kind", "cell"},
                 {"robot", robot.name},
                 {"motion", name_of(motion)},
                 {"step_s", h},
                 {"steps", run.steps},
                 {"asked", asked},
                 {"failed", run.failed},
                 {"uncorrected", run.uncorrected},
                 {"mean_us", run.mean_us()},
                 {"max_us", 1e6 * run.longest},
                 {"collide_share", share * run.collide},
                 {"correct_share", share * run.correct},
                 {"contacts_mean", run.contacts},
                 {"worst_certificate", run.worst},
                 {"overlap_m", run.overlap},
                 {"energy_change_J", run.energy},
                 {"correction_energy_J", run.correction_energy}};
  std::string row = format("  %-40s %-5s %2.0f %5d %6d %6d %9.1f %8.0f %4.0f %4.0f %6.1f %8.1e %9.1e %9.1e",
                           robot.name.c_str(), name_of(motion), 1e3 * h, run.steps, run.failed, run.uncorrected,
                           run.mean_us(), 1e6 * run.longest, 100.0 * share * run.collide, 100.0 * share * run.correct,
                           run.contacts, run.overlap, run.energy, run.correction_energy);
  if (peer != nullptr) {
    fields.update({{"mujoco_median_us", peer->median_us},
                   {"mujoco_mean_us", peer->mean_us},
                   {"mujoco_max_us", peer->max_us},
                   {"mujoco_steps", peer->steps},
                   {"mujoco_resets", peer->resets},
                   {"mujoco_contacts_mean", peer->contacts},
                   {"mujoco_overlap_m", peer->overlap},
                   {"mujoco_energy_change_J", peer->energy},
                   {"ratio", ratio}});
    row += format(" | %9.1f %7.2f %6.1f %8.1e %9.1e%s", peer->median_us, ratio, peer->contacts, peer->overlap,
                  peer->energy, peer->resets > 0 ? " unstable" : "");
  }
  if (native != nullptr) {
    fields.update({{"native_median_us", native->median_us},
                   {"native_steps", native->steps},
                   {"native_resets", native->resets},
                   {"native_contacts_mean", native->contacts},
                   {"native_overlap_m", native->overlap},
                   {"native_energy_change_J", native->energy},
                   {"native_ratio", to_native}});
    row += format(" | %9.1f %7.2f", native->median_us, to_native);
  }
  output_.object(std::move(fields));
  output_.line(row);
}

void RobotsTable::compare() {
  std::map<std::string, std::vector<double>> by_robot;
  std::vector<double> all;
  for (const Cell& cell : cells_) {
    if (cell.ratio == 0.0) continue;
    all.push_back(cell.ratio);
    by_robot[cell.robot].push_back(cell.ratio);
  }
  std::vector<double> native;
  for (const Cell& cell : cells_) {
    if (cell.native > 0.0) native.push_back(cell.native);
  }
  if (!native.empty())
    output_.line(format("  of Debian's MuJoCo: %zu motions, geometric mean of ratios %.2f", native.size(),
                        calc_geometric_mean(native)));
  if (all.empty()) return;
  int within_two = 0, within_five = 0;
  double worst = 0.0;
  std::string slowest;
  for (const auto& [name, ratios] : by_robot) {
    const double ratio = calc_geometric_mean(ratios);
    within_two += ratio <= 2.0 ? 1 : 0;
    within_five += ratio <= 5.0 ? 1 : 0;
    if (ratio > worst) {
      worst = ratio;
      slowest = name;
    }
  }
  const int robots = static_cast<int>(by_robot.size());
  const auto count = [&](double most) {
    return std::count_if(all.begin(), all.end(), [&](double r) { return r <= most; });
  };
  output_.line(format("  of %zu motions %ld take at most twice MuJoCo's median time, %ld at most five times",
                      all.size(), static_cast<long>(count(2.0)), static_cast<long>(count(5.0))));
  const double mean = calc_geometric_mean(all);
  output_.object({{"kind", "tally"},
                  {"motions", all.size()},
                  {"robots", robots},
                  {"geometric_mean_ratio", mean},
                  {"motions_within_2", count(2.0)},
                  {"motions_within_5", count(5.0)},
                  {"robots_within_2", within_two},
                  {"robots_within_5", within_five}});
  output_.promise("time beside MuJoCo's median: geometric mean at most 1", mean <= 1.0, format("%.2f", mean));
  output_.promise("time at most twice MuJoCo's for nine of ten robots", 10 * within_two >= 9 * robots,
                  format("%d of %d robots, each by the geometric mean of its motions", within_two, robots));
  output_.promise("time never above five times MuJoCo's", within_five == robots,
                  format("%d of %d robots; most %.1f, %s", within_five, robots, worst, slowest.c_str()));
}

void RobotsTable::check_bars() {
  for (const TimeBar& bar : kTimeBars) {
    double most = 0.0;
    for (const Cell& cell : cells_) {
      if (cell.robot.starts_with(std::string(bar.folder) + "/")) most = std::max(most, cell.us);
    }
    if (most == 0.0) continue;
    output_.promise(format("time of %s at most %.0f us per step", bar.folder, bar.us), most <= bar.us,
                    format("%.1f us in its slowest motion", most));
  }
}

void RobotsTable::end(double most_seconds) {
  const int cells = static_cast<int>(cells_.size());
  std::vector<double> times;
  times.reserve(cells_.size());
  for (const Cell& cell : cells_) times.push_back(cell.us);
  output_.line(format("  geometric mean %.1f us per step over %d motions; %d were cut short after %.0f s",
                      calc_geometric_mean(times), cells, cut_short_, most_seconds));
  output_.promise("every step of every motion is certified", certified_ == cells,
                  format("%d of %d motions", certified_, cells));
  output_.promise(format("time of no step above %.0f times the mean of its motion", kMostOfMean), long_steps_ == 0,
                  format("%d of %d motions have one", long_steps_, cells));
  check_bars();
  compare();
}

}  // namespace tribo
