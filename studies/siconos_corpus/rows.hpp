// One row per file: ours and every solver of Siconos on the same problem, at both targets.
#pragma once

#include "tribo/core/status.hpp"

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "corpus.hpp"
#include "peers/siconos_friction.hpp"
#include "studies/output.hpp"

namespace tribo {

inline constexpr std::array<double, 2> kTargets = {1e-4, 1e-8};  // of the residual, for both sides alike

// Ours with the target as tolerance. Times are the least of repeats.
struct OurTime {
  Status status = Status::kBreakdown;
  double residual = std::numeric_limits<double>::infinity();  // of certify, on the file's own data
  bool certified = false;                                     // solved, and the residual meets the target
  double solver_seconds = 0.0;  // ConeSolver on the ConeProblem: what Siconos' time is compared with
  double formed_seconds = 0.0;  // that and making the ConeProblem
  double call_seconds = 0.0;    // solve(): validation, both of the above, the certificate
  int sweeps = 0, newton = 0;
  std::string methods;
};

struct CorpusRow {
  FrictionFile file;
  std::array<OurTime, kTargets.size()> ours;
  std::vector<PeerResult> peers;         // on the local problem; of global files: condensed, which is not in the time
  std::vector<PeerResult> global_peers;  // global files: its own drivers

  // The fastest that met the target; null: none did.
  const PeerResult* best_peer(std::size_t target) const { return fastest(peers, target); }
  const PeerResult* best_global_peer(std::size_t target) const { return fastest(global_peers, target); }
  // Time of the fastest peer over ours (solver level); 0: no peer, or ours did not solve it.
  double ratio(std::size_t target) const;
  // The names of peers (several storages are one), with the least time at a target; infinite: it was not met.
  std::vector<std::pair<std::string, double>> peer_times(std::size_t target) const;

 private:
  static const PeerResult* fastest(const std::vector<PeerResult>& results, std::size_t target);
};

struct CorpusBudget {
  double ours = 0.1;                                        // s for the repeats of one measurement
  PeerLimits peers;                                         // of Siconos
  Index peer_contacts = std::numeric_limits<Index>::max();  // larger files are not given to Siconos
};
CorpusBudget full_budget();
CorpusBudget quick_budget();

std::vector<CorpusRow> measure_corpus(StudyOutput& output, const FrictionCorpus& corpus, const CorpusBudget& budget);

}  // namespace tribo
