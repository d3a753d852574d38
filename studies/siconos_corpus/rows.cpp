#include "rows.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/contact/solve.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

#include <algorithm>
#include <map>

#include "peers/least_seconds.hpp"

namespace tribo {
namespace {

template <typename Problem>
OurTime measure_ours(const Problem& problem, double target, double budget) {
  OurTime time;
  ConeFormulation formulation;
  if (!formulation.update(problem)) return time;
  ConeSolver solver({.tolerance = target});
  ConeSolution solution;
  const SolveReport report = solver.solve(formulation.problem(), {}, solution);
  time.status = report.status;
  time.sweeps = report.sweeps;
  time.newton = report.pivots;
  time.methods = to_string(report.methods);
  time.solver_seconds =
      least_seconds_of([&] { static_cast<void>(solver.solve(formulation.problem(), {}, solution)); }, budget);
  FrictionSolution lifted;  // of the last run that was timed
  formulation.lift(solution, lifted);
  time.residual = certify(problem, lifted).worst;
  time.certified = is_solved(report.status) && time.residual <= target;
  time.formed_seconds = least_seconds_of(
      [&] {
        static_cast<void>(formulation.update(problem));
        static_cast<void>(solver.solve(formulation.problem(), {}, solution));
      },
      0.5 * budget);
  time.call_seconds = least_seconds_of([&] { static_cast<void>(solve(problem, {.tolerance = target})); }, 0.5 * budget);
  return time;
}

}  // namespace

const PeerResult* CorpusRow::fastest(const std::vector<PeerResult>& results, std::size_t target) {
  const PeerResult* best = nullptr;
  for (const PeerResult& result : results) {
    if (!result.at[target].reached) continue;
    if (best == nullptr || result.at[target].seconds < best->at[target].seconds) best = &result;
  }
  return best;
}

double CorpusRow::ratio(std::size_t target) const {
  const PeerResult* best = best_peer(target);
  if (best == nullptr || !ours[target].certified) return 0.0;
  return best->at[target].seconds / ours[target].solver_seconds;
}

std::vector<std::pair<std::string, double>> CorpusRow::peer_times(std::size_t target) const {
  std::map<std::string, double> least;
  for (const PeerResult& result : peers) {
    double& seconds = least.try_emplace(result.solver, std::numeric_limits<double>::infinity()).first->second;
    if (result.at[target].reached) seconds = std::min(seconds, result.at[target].seconds);
  }
  return {least.begin(), least.end()};
}

CorpusBudget full_budget() { return {}; }

CorpusBudget quick_budget() {
  CorpusBudget budget;
  budget.ours = 0.004;
  budget.peers.seconds = 0.3;
  budget.peers.repeats = 0.002;
  budget.peers.solvers = {"nsgs", "nsgs/nsn", "nsgs/nsn-gp", "nsn_ac", "vi_eg", "lemke", "g/nsn_ac_wr"};
  budget.peer_contacts = 30;
  return budget;
}

std::vector<CorpusRow> measure_corpus(StudyOutput& output, const FrictionCorpus& corpus, const CorpusBudget& budget) {
  std::vector<CorpusRow> rows;
  for (const FrictionFile& file : corpus.files) {
    CorpusRow& row = rows.emplace_back();
    row.file = file;
    output.progress(file.name + ": ours");
    std::visit(
        [&](const auto& problem) {
          for (std::size_t t = 0; t < kTargets.size(); ++t) {
            row.ours[t] = measure_ours(problem, kTargets[t], budget.ours);
          }
        },
        file.problem);
    if (file.contacts() > budget.peer_contacts) continue;
    PeerLimits limits = budget.peers;
    limits.targets.assign(kTargets.begin(), kTargets.end());
    const PeerProgress progress = [&](const std::string& solver) { output.progress(file.name + ": " + solver); };
    if (const auto* global = std::get_if<GlobalFriction>(&file.problem)) {
      if (global->contacts() == 0 || global->G.cols() > 0) continue;
      row.peers = measure_siconos(condense(*global), limits, progress);
      row.global_peers = measure_siconos(*global, limits, progress);
    } else {
      row.peers = measure_siconos(std::get<LocalFriction>(file.problem), limits, progress);
    }
  }
  output.progress("");
  return rows;
}

}  // namespace tribo
