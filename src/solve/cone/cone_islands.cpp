#include "solve/cone/cone_islands.hpp"

#include <algorithm>
#include <numeric>

namespace tribo::cone {

namespace {

std::int32_t find_root(std::vector<std::int32_t>& root, std::int32_t i) {
  while (root[i] != i) {
    root[i] = root[root[i]];
    i = root[i];
  }
  return i;
}

void join(std::vector<std::int32_t>& root, std::int32_t a, std::int32_t b) {
  a = find_root(root, a);
  b = find_root(root, b);
  if (a != b) root[std::max(a, b)] = std::min(a, b);
}

}  // namespace

void Islands::split(const ConeProblem& problem, std::span<const std::uint8_t> listed) {
  const auto n = static_cast<std::int32_t>(problem.contacts());
  root_.resize(n);
  members_.resize(n);
  place_.resize(n);
  if ((n == 1 && listed.empty()) || (!problem.by_bodies() && problem.W.blocks() == Index{n} * n)) {  // one island
    std::iota(members_.begin(), members_.end(), 0);
    std::iota(place_.begin(), place_.end(), 0);
    start_.resize(2);
    start_[0] = 0;
    start_[1] = n;
    return;
  }
  std::iota(root_.begin(), root_.end(), 0);
  if (problem.by_bodies()) {
    next_.assign(static_cast<std::size_t>(problem.H.block_cols), -1);  // a contact of each body
    for (std::int32_t i = 0; i < n; ++i) {
      if (!listed.empty() && listed[i] == 0) {
        root_[i] = -1;
        continue;
      }
      for (const std::int32_t body : problem.H.columns(i)) {
        if (next_[body] < 0) next_[body] = i;
        join(root_, i, next_[body]);
      }
    }
  } else {
    for (std::int32_t i = 0; i < n; ++i) {
      for (const std::int32_t j : problem.W.columns(i)) {
        if (j != i) join(root_, i, j);
      }
    }
  }
  collect(n);
}

// Roots are the smallest members, so they come before the others.
void Islands::collect(std::int32_t n) {
  start_.assign(1, 0);
  for (std::int32_t i = 0; i < n; ++i) {
    if (root_[i] < 0) continue;
    const std::int32_t root = find_root(root_, i);
    if (root == i) {
      place_[i] = static_cast<std::int32_t>(start_.size()) - 1;  // the number of the island
      start_.push_back(0);
    } else {
      place_[i] = place_[root];
    }
    ++start_[place_[i] + 1];
  }
  for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
  next_.assign(start_.begin(), start_.end());
  for (std::int32_t i = 0; i < n; ++i) {
    if (root_[i] >= 0) members_[next_[place_[i]]++] = i;
  }
  for (std::size_t k = 0; k < count(); ++k) set_places(members(k));
}

void Islands::set_places(std::span<const std::int32_t> members) {
  for (std::size_t k = 0; k < members.size(); ++k) place_[members[k]] = static_cast<std::int32_t>(k);
}

}  // namespace tribo::cone
