// The table of files: ours beside the fastest of Siconos' solvers, at either target.
#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

std::string text_of(const PeerResult* peer, std::size_t target) {
  if (peer == nullptr) return "-";
  return fmt::format("{:.4g} {} {:.0e}", 1e6 * peer->at[target].seconds, peer->solver, peer->at[target].residual);
}

StudyOutput::Json json_of(const PeerResult* peer, std::size_t target) {
  if (peer == nullptr) return nullptr;
  const PeerTime& time = peer->at[target];
  return {{"solver", peer->solver},    {"storage", peer->storage},        {"seconds", time.seconds},
          {"residual", time.residual}, {"own_tolerance", time.tolerance}, {"iterations", time.iterations}};
}

void print_row(StudyOutput& output, const CorpusRow& row, std::size_t t) {
  const OurTime& ours = row.ours[t];
  const double ratio = row.ratio(t);
  output.line(fmt::format("  {:<46} {:>5} {:>6} {:>9.1e} {:>10.4g} {:>10.4g} {:>10.4g} {:>5} {:>5}  {:<34} {:>7}  {}",
                          row.file.name, row.file.contacts(), ours.certified ? "yes" : "NO", ours.residual,
                          1e6 * ours.solver_seconds, 1e6 * ours.formed_seconds, 1e6 * ours.call_seconds, ours.sweeps,
                          ours.newton, text_of(row.best_peer(t), t), ratio > 0.0 ? fmt::format("{:.2f}", ratio) : "-",
                          row.file.is_global() ? text_of(row.best_global_peer(t), t) : ""));
  output.object("file", {{"file", row.file.name},
                         {"contacts", row.file.contacts()},
                         {"target", kTargets[t]},
                         {"status", std::string(to_string(ours.status))},
                         {"certified", ours.certified},
                         {"residual", ours.residual},
                         {"solver_seconds", ours.solver_seconds},
                         {"formed_seconds", ours.formed_seconds},
                         {"call_seconds", ours.call_seconds},
                         {"sweeps", ours.sweeps},
                         {"newton", ours.newton},
                         {"methods", ours.methods},
                         {"peer", json_of(row.best_peer(t), t)},
                         {"global_peer", json_of(row.best_global_peer(t), t)},
                         {"ratio", ratio > 0.0 ? StudyOutput::Json(ratio) : StudyOutput::Json(nullptr)}});
}

void report_endings(StudyOutput& output, const CorpusRow& row) {
  for (const auto* results : {&row.peers, &row.global_peers}) {
    for (const PeerResult& result : *results) {
      StudyOutput::Json at = StudyOutput::Json::array();
      for (const PeerTime& time : result.at) {
        at.push_back(time.reached ? StudyOutput::Json(time.seconds) : StudyOutput::Json(nullptr));
      }
      output.object("peer", {{"file", row.file.name},
                             {"solver", result.solver},
                             {"storage", result.storage},
                             {"seconds_at_targets", at},
                             {"best_residual", result.best_residual},
                             {"ending", result.ending}});
    }
  }
}

}  // namespace

void report_files(StudyOutput& output, const std::vector<CorpusRow>& rows) {
  for (std::size_t t = 0; t < kTargets.size(); ++t) {
    output.heading(fmt::format("residual at most {:.0e}; times in us; ratio: Siconos' fastest over ours, solver level",
                               kTargets[t]));
    output.line(
        "  file                                        contacts solved  residual     solver    +making     solve() "
        "sweeps "
        "Newton  Siconos' fastest, residual          ratio  its global drivers");
    for (const CorpusRow& row : rows) print_row(output, row, t);
  }
  for (const CorpusRow& row : rows) report_endings(output, row);
}

}  // namespace tribo
