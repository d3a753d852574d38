#include "tribo/linalg/minimum_degree.hpp"

#include <algorithm>

namespace tribo {

using std::int32_t;

void MinimumDegree::place(int32_t node, int32_t degree) {
  degree_[node] = degree;
  previous_[node] = -1;
  next_[node] = front_[degree];
  if (front_[degree] >= 0) previous_[front_[degree]] = node;
  front_[degree] = node;
}

void MinimumDegree::take(int32_t node) {
  if (previous_[node] >= 0) {
    next_[previous_[node]] = next_[node];
  } else {
    front_[degree_[node]] = next_[node];
  }
  if (next_[node] >= 0) previous_[next_[node]] = previous_[node];
}

std::span<const int32_t> MinimumDegree::order(std::span<const int32_t> start, std::span<const int32_t> column) {
  const int32_t n = start.empty() ? 0 : static_cast<int32_t>(start.size()) - 1;
  order_.clear();
  degree_.assign(n, 0);
  mark_.assign(n, -1);
  front_.assign(n + 1, -1);
  next_.assign(n, -1);
  previous_.assign(n, -1);
  clique_start_.assign(n, -1);  // < 0: not eliminated, or absorbed by a later clique
  clique_end_.assign(n, -1);
  clique_.clear();
  first_of_.assign(n, -1);
  next_of_.clear();
  owner_.clear();
  seen_.assign(n, -1);
  outside_.assign(n, 0);
  std::vector<int32_t>& eliminated = mark_;  // a mark of n means eliminated
  for (int32_t i = n; i-- > 0;) place(i, std::min(start[i + 1] - start[i], n));
  int32_t least = 0;
  for (int32_t step = 0; step < n; ++step) {
    while (front_[least] < 0) ++least;
    const int32_t pivot = front_[least];
    take(pivot);
    order_.push_back(pivot);
    const auto begin = static_cast<int32_t>(clique_.size());
    // Marks of this step are `pivot`: a node is pivot only once.
    mark_[pivot] = n;
    const auto add = [&](int32_t node) {
      if (eliminated[node] == n || mark_[node] == pivot) return;
      mark_[node] = pivot;
      clique_.push_back(node);
    };
    for (int32_t k = start[pivot]; k < start[pivot + 1]; ++k) add(column[k]);
    for (int32_t link = first_of_[pivot]; link >= 0; link = next_of_[link]) {
      const int32_t other = owner_[link];
      if (clique_start_[other] < 0) continue;
      for (int32_t k = clique_start_[other]; k < clique_end_[other]; ++k) add(clique_[k]);
      clique_start_[other] = -1;  // contained in the new one
    }
    const auto end = static_cast<int32_t>(clique_.size());
    clique_start_[pivot] = begin;
    clique_end_[pivot] = end;
    // How much of every other clique lies outside of the new one.
    for (int32_t k = begin; k < end; ++k) {
      for (int32_t link = first_of_[clique_[k]]; link >= 0; link = next_of_[link]) {
        const int32_t other = owner_[link];
        if (clique_start_[other] < 0) continue;
        if (seen_[other] != pivot) {
          seen_[other] = pivot;
          outside_[other] = clique_end_[other] - clique_start_[other];
        }
        if (--outside_[other] == 0) clique_start_[other] = -1;  // all of it is in the new one
      }
    }
    for (int32_t k = begin; k < end; ++k) {
      const int32_t node = clique_[k];
      next_of_.push_back(first_of_[node]);
      owner_.push_back(pivot);
      first_of_[node] = static_cast<int32_t>(next_of_.size()) - 1;
    }
    for (int32_t k = begin; k < end; ++k) {
      const int32_t node = clique_[k];
      int32_t bound = 0;
      for (int32_t e = start[node]; e < start[node + 1]; ++e) {
        const int32_t other = column[e];
        bound += other != node && eliminated[other] != n && mark_[other] != pivot ? 1 : 0;
      }
      for (int32_t* link = &first_of_[node]; *link >= 0;) {
        const int32_t other = owner_[*link];
        if (clique_start_[other] < 0) {
          *link = next_of_[*link];  // absorbed
          continue;
        }
        bound += other == pivot ? end - begin - 1 : outside_[other];
        link = &next_of_[*link];
      }
      bound = std::min(bound, n - step - 2);
      take(node);
      place(node, std::max(bound, 0));
      least = std::min(least, degree_[node]);
    }
  }
  return order_;
}

}  // namespace tribo
