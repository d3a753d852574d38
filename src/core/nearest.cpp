#include "tribo/core/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace tribo {

namespace {

constexpr std::size_t kLongest = 200;  // letters: the cost is the product of both lengths

}  // namespace

std::size_t edit_distance(const std::string& a, const std::string& b) {
  // Rows i − 2, i − 1 and i of the usual table; row i holds the distances between the first i letters of a and b.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::vector<std::string> find_nearest(const std::string& word, const std::vector<std::string>& known,
                                      std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> all;
  for (const std::string& candidate : known)
    all.emplace_back(edit_distance(word.substr(0, kLongest), candidate.substr(0, kLongest)), candidate);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) nearest.push_back(std::move(all[i].second));
  return nearest;
}

}  // namespace tribo
