// What was known of the corpus, and what we hold ourselves to.
#include <algorithm>
#include <cmath>
#include <map>

#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr std::size_t kTight = 1;  // of kTargets
constexpr double kMeanBar = 4.0, kRoverBar = 5.0;
constexpr double kOneContact = 0.5e-6;  // s

struct Mean {
  int count = 0;
  double sum = 0.0;  // of logarithms
  double least = std::numeric_limits<double>::infinity();
  std::string least_file;

  void add(const CorpusRow& row) {
    const double ratio = row.ratio(kTight);
    if (ratio <= 0.0) return;
    ++count;
    sum += std::log(ratio);
    if (ratio < least) {
      least = ratio;
      least_file = row.file.name;
    }
  }
  double value() const { return count > 0 ? std::exp(sum / count) : 0.0; }
  std::string text() const {
    return fmt::format("{:.2f} over {} files; least {:.2f}, {}", value(), count, least, least_file);
  }
};

double least_residual(const CorpusRow& row) {
  double least = std::numeric_limits<double>::infinity();
  for (const PeerResult& peer : row.peers) least = std::min(least, peer.best_residual);
  return least;
}

const CorpusRow* find(const std::vector<CorpusRow>& rows, const std::string& name) {
  for (const CorpusRow& row : rows) {
    if (row.file.name.find(name) != std::string::npos) return &row;
  }
  return nullptr;
}

void claim_unreached(StudyOutput& output, const std::vector<CorpusRow>& rows, const std::string& file) {
  const CorpusRow* row = find(rows, file);
  if (row == nullptr || row->peers.empty()) return;
  const OurTime& ours = row->ours[kTight];
  output.claim(fmt::format("{}: no solver of Siconos reaches 1e-8", row->file.name), "best residual 2e-06",
               fmt::format("best of Siconos {:.1e} within the time limit; ours {:.1e} in {:.3g} ms",
                           least_residual(*row), ours.residual, 1e3 * ours.solver_seconds),
               reproduced_if(row->best_peer(kTight) == nullptr));
}

// How many local 3-D files the best single solver solves.
void claim_best_single(StudyOutput& output, const std::vector<CorpusRow>& rows) {
  std::map<std::string, int> solved;
  int files = 0;
  for (const CorpusRow& row : rows) {
    if (row.file.kind != "fc3d") continue;
    if (row.peers.empty()) return;  // a short run: nothing can be said of all files
    ++files;
    for (const auto& [name, seconds] : row.peer_times(kTight)) solved[name] += std::isfinite(seconds) ? 1 : 0;
  }
  if (solved.empty()) return;
  const auto best =
      std::max_element(solved.begin(), solved.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  output.claim("local 3-D: no single solver of Siconos solves every file at 1e-8", "37 of 38 files of a larger set",
               fmt::format("{} solves {} of {}", best->first, best->second, files),
               reproduced_if(best->second < files));
}

}  // namespace

void report_corpus_claims(StudyOutput& output, const std::vector<CorpusRow>& rows) {
  output.heading("what was known of the corpus");
  claim_unreached(output, rows, "RockPile_tob1");
  claim_unreached(output, rows, "granularflowonwall_02020");
  claim_best_single(output, rows);
}

void report_corpus_promises(StudyOutput& output, const FrictionCorpus& corpus, const std::vector<CorpusRow>& rows) {
  output.heading("promises");
  output.promise("every file is read", corpus.unread.empty(),
                 corpus.unread.empty() ? fmt::format("{} files", rows.size()) : corpus.unread.front());
  Mean local, rover;
  double one_contact = 0.0;
  int wrong = 0;
  for (std::size_t t = 0; t < kTargets.size(); ++t) {
    int certified = 0;
    double worst = 0.0;
    std::string missed;
    for (const CorpusRow& row : rows) {
      certified += row.ours[t].certified ? 1 : 0;
      wrong += is_solved(row.ours[t].status) && !row.ours[t].certified ? 1 : 0;
      if (row.ours[t].certified) worst = std::max(worst, row.ours[t].residual);
      if (!row.ours[t].certified) missed += " " + row.file.name;
    }
    output.promise(fmt::format("every file is solved and certified to {:.0e}", kTargets[t]),
                   certified == static_cast<int>(rows.size()),
                   fmt::format("{} of {}, worst {:.1e}{}", certified, rows.size(), worst,
                               missed.empty() ? "" : "; not:" + missed));
  }
  output.promise("nothing is called solved that is not", wrong == 0, fmt::format("{} of {}", wrong, 2 * rows.size()));
  for (const CorpusRow& row : rows) {
    if (row.file.contacts() == 1 && row.file.dimension() == 3) {
      one_contact = std::max(one_contact, row.ours[kTight].solver_seconds);
    }
    if (row.file.kind != "fc3d") continue;
    local.add(row);
    const Index n = row.file.contacts();
    if (row.file.name.find("Rover") != std::string::npos && (n == 4 || n == 5)) rover.add(row);
  }
  if (one_contact > 0.0) {
    const std::string text = fmt::format("at most {:.3f} us", 1e6 * one_contact);
    output.promise("time: one contact below 0.5 us", one_contact < kOneContact, text);
  }
  // A short run knows few of the peers, too few to speak of the best of them.
  if (local.count > 0) {
    output.line("  local 3-D, geometric mean of Siconos' fastest over ours at 1e-8: " + local.text());
    output.object("mean", {{"problems", "fc3d"}, {"ratio", local.value()}, {"least", local.least}});
  }
  if (rover.count > 0) {
    output.line("  Rover, 4 and 5 contacts: " + rover.text());
    output.object("mean", {{"problems", "Rover"}, {"ratio", rover.value()}, {"least", rover.least}});
  }
  if (output.quick()) return;
  if (local.count > 0) {
    output.promise("time: local 3-D problems, Siconos' fastest over ours, geometric mean at least 4",
                   local.value() >= kMeanBar, local.text());
  }
  if (rover.count > 0) {
    output.promise("time: Rover with 4 and 5 contacts, each at least 5 times as fast", rover.least >= kRoverBar,
                   rover.text());
  }
}

}  // namespace tribo
