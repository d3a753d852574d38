#include <cmath>

#include "peers/peers_parts.hpp"

namespace tribo {
namespace {

// Beside others: more accurate than the most accurate and faster than the fastest of those that succeed.
void judge_beside_others(Output& output, const PeerSceneRuns& runs) {
  const PeerRun *fastest = nullptr, *nearest = nullptr;
  for (const PeerRun& run : runs.others) {
    if (!run.succeeds) continue;
    if (fastest == nullptr || run.mean < fastest->mean) fastest = &run;
    if (nearest == nullptr || run.measures.moved < nearest->measures.moved) nearest = &run;
  }
  if (fastest == nullptr) {
    output.line("no other engine here holds it: nothing to compare with");
    output.object({{"kind", "left-out"}, {"what", "comparison, " + runs.scene}});
    return;
  }
  const double ours = runs.ours.measures.moved, theirs = nearest->measures.moved;
  output.promise("accuracy beside others, " + runs.scene, runs.ours.succeeds && ours <= theirs,
                 format("%.3g um moved, the nearest other %.3g um (%s): %.2g times", 1e6 * ours, 1e6 * theirs,
                        nearest->engine.c_str(), ours / theirs));
  output.promise("time beside others, " + runs.scene, runs.ours.succeeds && runs.ours.mean < fastest->mean,
                 format("%.4g us per step, the fastest other that holds %.4g us (%s): %.2f times; by medians %.2f",
                        1e6 * runs.ours.mean, 1e6 * fastest->mean, fastest->engine.c_str(),
                        runs.ours.mean / fastest->mean, runs.ours.median / fastest->median));
}

void judge_distance(Output& output, const std::string& scene, const PeerRun& ours, double most) {
  const double moved = ours.measures.moved;
  output.promise("accuracy, " + scene, ours.succeeds && moved <= most,
                 format("%.3g um moved, at most %.3g um: %.2g times", 1e6 * moved, 1e6 * most, moved / most));
}

void judge_time(Output& output, const std::string& scene, const PeerRun& ours, double most) {
  output.promise("time, " + scene, ours.mean <= most,
                 format("%.3g ms per step in the mean (median %.3g, last quarter %.3g), at most %.3g: %.2f times",
                        1e3 * ours.mean, 1e3 * ours.median, 1e3 * ours.late, 1e3 * most, ours.mean / most));
}

void judge_certificates(Output& output, const std::string& scene, const PeerRun& ours, const TriboNews& news) {
  output.promise("every step certified, " + scene, news.not_certified == 0,
                 format("%ld of %ld not, worst certificate %.1e", news.not_certified, ours.steps, news.worst));
}

void judge_quiet(Output& output, const std::string& scene, const PeerRun& ours) {
  output.promise(
      "quiet at the end, " + scene, ours.succeeds,
      format("greatest speed %.2g m/s, at most %.2g; %ld lost", ours.measures.speed, kPeerQuiet, ours.measures.lost));
}

}  // namespace

void name_outcome(PeerScenario scenario, PeerRun& run) {
  const PeerMeasures& m = run.measures;
  const bool whole = run.steps == run.asked;
  run.succeeds = false;
  if (!m.finite) {
    run.outcome = "NaN";
  } else if (scenario == PeerScenario::kPile) {
    run.succeeds = whole && m.lost == 0 && m.speed <= kPeerQuiet;
    run.outcome = m.lost > 0 ? format("%ld lost", m.lost) : m.speed <= kPeerQuiet ? "quiet" : "moving";
  } else {
    run.succeeds = whole && m.moved <= kPeerNear;
    const char* word = m.moved <= kPeerNear ? "holds" : m.drop > 10.0 * kPeerNear ? "fell" : "moved";
    run.outcome = word;
  }
  if (!whole && m.finite) run.outcome += format(", too slow: %ld of %ld steps", run.steps, run.asked);
  run.succeeds = run.succeeds && run.complaints == 0;  // some stand still after an error
  if (run.complaints > 0) run.outcome += format(", %ld x \"%s\"", run.complaints, run.complaint.c_str());
}

void judge_peers(Output& output, const PeerSceneRuns& runs, bool whole) {
  const std::string &scene = runs.scene, steel = runs.scene + " of steel";
  judge_certificates(output, scene, runs.ours, runs.news);
  judge_certificates(output, steel, runs.compliant, runs.compliant_news);
  if (scene == "sphere_stack") {
    judge_distance(output, scene, runs.ours, 1e-3);
  } else if (scene == "incline") {
    judge_distance(output, scene, runs.ours, 1e-6);
  } else if (scene == "brick_wall") {
    judge_distance(output, scene, runs.ours, 1e-4);
    judge_time(output, scene, runs.ours, 5e-3);
    judge_distance(output, steel, runs.compliant, 1e-4);
    judge_time(output, steel, runs.compliant, 3e-3);
  } else if (runs.scenario == PeerScenario::kPile) {
    if (whole) {
      judge_quiet(output, scene, runs.ours);
      judge_quiet(output, steel, runs.compliant);
    }
    judge_time(output, scene, runs.ours, 1e-2);
    judge_time(output, steel, runs.compliant, 5e-3);
  } else {
    judge_beside_others(output, runs);
  }
}

}  // namespace tribo
