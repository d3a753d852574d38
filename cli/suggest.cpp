#include "suggest.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tribo {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  // Rows i − 2, i − 1 and i of the usual table; row i holds the distances between the first i letters of a and b.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
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

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string nearest;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    // The beginning of a name is a better hint than letters in common.
    const bool begins = !name.empty() && candidate.starts_with(name);
    const std::size_t distance = begins ? 0 : edit_distance(name, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string suggest(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = name.size() > 64 ? "" : nearest_name(name, known);
  const std::string list = fmt::format("give one of {}", fmt::join(known, ", "));
  return nearest.empty() ? list : fmt::format("did you mean \"{}\"? {}", nearest, list);
}

}  // namespace tribo
