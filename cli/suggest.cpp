#include "suggest.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tribo {

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
