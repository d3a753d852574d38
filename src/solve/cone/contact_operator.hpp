// W of one island as blocks, scaled: r̃ = r/s, ũ = s u, W̃_ij = s_i s_j W_ij with mean diagonal one (spec/cone §1).
// And the Newton system on it: contacts are the nodes, open ones take no part (spec/cone §6).
#pragma once

#include "tribo/problem/cone_problem.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "solve/cone/block_lu.hpp"
#include "solve/cone/cone_law.hpp"

namespace tribo::cone {

template <int D>
class ContactOperator {
 public:
  static constexpr double kLeastAlpha = 1e-12;

  // The contacts `members` of the problem; local[contact] is the place in it. `scale`: s by contact.
  void assign(const ConeProblem& problem, std::span<const std::int32_t> members, std::span<const std::int32_t> local,
              std::span<const double> scale);

  Index contacts() const { return static_cast<Index>(diagonal_.size()); }
  const double* diagonal(Index i) const { return values_.data() + Index{diagonal_[i]} * kBlock<D>; }
  // Cost of one factorization over that of one sweep; orders the graph.
  double factor_cost();

  void reserve();                                     // memory for every Newton step on this W
  void multiply(const double* r, double* out) const;  // W r

  // Sweeps: what contact i would have without its own reaction, q apart.
  void begin_sweeps(const double*) {}
  Lanes<D> others(Index i, const double* r) const;
  void moved(Index, const double*) {}

  // dr of Newton's method for W + α I at `linear`; false: no regular matrix.
  bool newton(const Linear<D>* linear, double alpha, double* dr);

 private:
  void order();

  std::vector<std::int32_t> start_, column_, diagonal_;
  LaneVector values_;
  std::vector<std::int32_t> graph_start_, graph_;  // pattern of W and Wᵀ
  std::vector<std::int32_t> count_;
  std::vector<std::uint8_t> active_;
  LaneVector z_;
  bool ordered_ = false;
  BlockLu<D> lu_;
};

template <int D>
void ContactOperator<D>::assign(const ConeProblem& problem, std::span<const std::int32_t> members,
                                std::span<const std::int32_t> local, std::span<const double> scale) {
  const std::size_t n = members.size();
  ordered_ = false;
  start_.resize(n + 1);
  diagonal_.resize(n);
  start_[0] = 0;
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < n; ++i) {
    blocks += problem.W.columns(members[i]).size();
    start_[i + 1] = static_cast<std::int32_t>(blocks);
  }
  column_.resize(blocks);
  values_.assign(blocks * kBlock<D>, 0.0);
  std::size_t at = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Index row = members[i];
    for (Index k = problem.W.start[row]; k < problem.W.start[row + 1]; ++k, ++at) {
      const std::int32_t other = problem.W.column[k];
      column_[at] = local[other];
      if (other == row) diagonal_[i] = static_cast<std::int32_t>(at);
      const double factor = scale[row] * scale[other];
      const double* in = problem.W.block(k);
      double* out = values_.data() + at * kBlock<D>;
      for (int b = 0; b < D; ++b) {
        for (int a = 0; a < D; ++a) out[b * kLanes<D> + a] = in[b * D + a] * factor;
      }
    }
  }
}

template <int D>
void ContactOperator<D>::order() {
  if (ordered_) return;
  ordered_ = true;
  const auto n = static_cast<std::int32_t>(diagonal_.size());
  count_.assign(n + 1, 0);
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t k = start_[i]; k < start_[i + 1]; ++k) {
      if (column_[k] == i) continue;
      ++count_[i];
      ++count_[column_[k]];
    }
  }
  graph_start_.assign(n + 1, 0);
  for (std::int32_t i = 0; i < n; ++i) graph_start_[i + 1] = graph_start_[i] + count_[i];
  graph_.resize(graph_start_[n]);
  std::copy(graph_start_.begin(), graph_start_.end() - 1, count_.begin());
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t k = start_[i]; k < start_[i + 1]; ++k) {
      if (column_[k] == i) continue;
      graph_[count_[i]++] = column_[k];
      graph_[count_[column_[k]]++] = i;
    }
  }
  // Every pair twice where the pattern is symmetric: keep one of each.
  std::int32_t out = 0, from = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t to = graph_start_[i + 1];
    std::sort(graph_.begin() + from, graph_.begin() + to);
    const std::int32_t begin = out;
    for (std::int32_t k = from; k < to; ++k) {
      if (out > begin && graph_[out - 1] == graph_[k]) continue;
      graph_[out++] = graph_[k];
    }
    from = to;
    graph_start_[i + 1] = out;
  }
  graph_.resize(out);
  lu_.set_graph(graph_start_, graph_);
  active_.assign(n, 1);
  lu_.choose(active_);
  z_.resize(static_cast<std::size_t>(n) * kLanes<D>);
}

template <int D>
void ContactOperator<D>::reserve() {
  order();
}

template <int D>
double ContactOperator<D>::factor_cost() {
  order();
  return lu_.products() / static_cast<double>(column_.size());
}

template <int D>
void ContactOperator<D>::multiply(const double* r, double* out) const {
  const Index n = contacts();
  for (Index i = 0; i < n; ++i) {
    Lanes<D> sum = {};
    for (Index k = start_[i]; k < start_[i + 1]; ++k) {
      sum += times<D>(values_.data() + k * kBlock<D>, r + Index{column_[k]} * kLanes<D>);
    }
    store<D>(out + i * kLanes<D>, sum);
  }
}

template <int D>
Lanes<D> ContactOperator<D>::others(Index i, const double* r) const {
  Lanes<D> sum = {};
  for (Index k = start_[i]; k < start_[i + 1]; ++k) {
    if (k == diagonal_[i]) continue;
    sum += times<D>(values_.data() + k * kBlock<D>, r + Index{column_[k]} * kLanes<D>);
  }
  return sum;
}

template <int D>
bool ContactOperator<D>::newton(const Linear<D>* linear, double alpha, double* dr) {
  constexpr int L = kLanes<D>, B = kBlock<D>;
  order();
  const Index n = contacts();
  for (Index i = 0; i < n; ++i) active_[i] = linear[i].kind != Kind::kOpen;
  lu_.choose(active_);
  const auto fill_row = [&](std::int32_t rank, double* row, double* y) {
    const std::int32_t i = lu_.node(rank);
    const Linear<D>& own = linear[i];
    Lanes<D> moved = load<D>(own.c) * alpha;  // (W + α) c
    for (Index k = start_[i]; k < start_[i + 1]; ++k) {
      const std::int32_t j = column_[k];
      const Linear<D>& other = linear[j];
      const double* in = values_.data() + k * B;
      if (other.kind != Kind::kStick) moved += times<D>(in, other.c);
      if (other.kind == Kind::kOpen) continue;
      Lanes<D> block[D];  // (W_ij + α δ_ij) T_j
      for (int b = 0; b < D; ++b) block[b] = load<D>(in + b * L);
      if (i == j) {
        for (int b = 0; b < D; ++b) block[b][b] += alpha;
      }
      if (other.kind != Kind::kStick) {
        Lanes<D> turned[D];
        for (int b = 0; b < D; ++b) {
          turned[b] = block[0] * other.T[b * L];
          for (int a = 1; a < D; ++a) turned[b] += block[a] * other.T[b * L + a];
        }
        for (int b = 0; b < D; ++b) block[b] = turned[b];
      }
      double* out = row + Index{lu_.rank(j)} * B;
      for (int b = 0; b < D; ++b) {
        if (own.kind == Kind::kStick) {
          store<D>(out + b * L, block[b]);
          continue;
        }
        double column[L];
        store<D>(column, block[b]);
        store<D>(out + b * L, times<D>(own.E, column));
      }
      if (i == j) {
        for (int b = own.first_extra; b < own.unknowns; ++b) out[b * L + b] += own.extra;
        for (int b = own.unknowns; b < D; ++b) out[b * L + b] += 1.0;  // no unknown there
      }
    }
    double change[L];
    store<D>(change, moved);
    const Lanes<D> right = own.kind == Kind::kStick ? moved : times<D>(own.E, change);
    store<D>(y, -(load<D>(own.value) + right));
  };
  if (!lu_.factor_forward(fill_row)) return false;
  lu_.backward(z_.data());
  for (Index i = 0; i < n; ++i) {
    Lanes<D> step = load<D>(linear[i].c);
    if (const std::int32_t rank = lu_.rank(static_cast<std::int32_t>(i)); rank >= 0) {
      step += times<D>(linear[i].T, z_.data() + Index{rank} * L);
    }
    store<D>(dr + i * L, step);
  }
  return true;
}

}  // namespace tribo::cone
