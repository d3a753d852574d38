// Performance profiles over all files that have contacts, and how many of them each solver solves. Global files count
// in their condensed form: there all solvers start from the same matrix.
#include <algorithm>
#include <array>
#include <map>

#include "parts.hpp"
#include "profile.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr std::array<double, 5> kTaus = {1.0, 2.0, 4.0, 10.0, 100.0};
constexpr double kNever = std::numeric_limits<double>::infinity();

// Ours first, then the peers of this dimension; a file that a peer was not tried on counts as not solved.
std::vector<ProfileRow> make_profile(const std::vector<const CorpusRow*>& rows, std::size_t target) {
  std::vector<ProfileRow> profile(1);
  profile[0].solver = "ours";
  std::map<std::string, std::vector<double>> peers;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const OurTime& ours = rows[p]->ours[target];
    profile[0].seconds.push_back(ours.certified ? ours.solver_seconds : kNever);
    for (const auto& [name, seconds] : rows[p]->peer_times(target)) {
      peers.try_emplace(name, rows.size(), kNever).first->second[p] = seconds;
    }
  }
  for (auto& [name, seconds] : peers) profile.push_back({name, seconds});
  std::stable_sort(profile.begin() + 1, profile.end(),
                   [](const ProfileRow& a, const ProfileRow& b) { return count_solved(a) > count_solved(b); });
  return profile;
}

void print_profile(StudyOutput& output, int dimension, std::size_t target, const std::vector<ProfileRow>& profile) {
  const std::size_t problems = profile[0].seconds.size();
  output.heading(fmt::format("{}-D, {} problems, residual at most {:.0e}: share solved within tau times the fastest",
                             dimension, problems, kTargets[target]));
  output.line("  solver                 solved   tau =    1      2      4     10    100");
  for (std::size_t s = 0; s < profile.size(); ++s) {
    StudyOutput::Json shares = StudyOutput::Json::array();
    std::string text;
    for (const double tau : kTaus) {
      const double share = calc_share(profile, s, tau);
      shares.push_back(share);
      text += fmt::format("{:7.2f}", share);
    }
    const int solved = count_solved(profile[s]);
    output.line(fmt::format("  {:<22} {:>3} of {:<3}     {}", profile[s].solver, solved, problems, text));
    output.object("profile", {{"dimension", dimension},
                              {"target", kTargets[target]},
                              {"solver", profile[s].solver},
                              {"solved", solved},
                              {"problems", problems},
                              {"taus", kTaus},
                              {"shares", shares}});
  }
}

}  // namespace

void report_profiles(StudyOutput& output, const std::vector<CorpusRow>& rows) {
  for (const int dimension : {3, 2}) {
    std::vector<const CorpusRow*> chosen;
    for (const CorpusRow& row : rows) {
      if (row.file.dimension() == dimension && row.file.contacts() > 0) chosen.push_back(&row);
    }
    // A short run gives only small files to Siconos; the others would count against it.
    const auto without_peers = [](const CorpusRow* row) { return row->peers.empty(); };
    if (!std::all_of(chosen.begin(), chosen.end(), without_peers)) std::erase_if(chosen, without_peers);
    if (chosen.empty()) continue;
    for (std::size_t t = 0; t < kTargets.size(); ++t) print_profile(output, dimension, t, make_profile(chosen, t));
  }
}

}  // namespace tribo
