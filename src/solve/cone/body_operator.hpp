// W = Ĥ Ĥᵀ + diag(R) of one island by its bodies: never formed. Velocities v = Ĥᵀ r in coordinates where the mass is I.
//
// Newton's system (cone_law.hpp (2)) with the contacts eliminated, B_i = Eᵀ(α + R)T + extra, K_i = T B_i⁻¹ Eᵀ:
//     (I + Σ Ĥ_iᵀ K_i Ĥ_i) dv = Σ Ĥ_iᵀ (c_i + T B_i⁻¹ (−value_i − Eᵀ(α + R) c_i)),                               (1)
//     z_i = B_i⁻¹ (−value_i − Eᵀ(Ĥ_i dv + (α + R) c_i)),   dr = T z + c                                         (2)
// It has the size of the degrees of freedom and the pattern of the body graph, however many contacts there are; its condition
// grows like 1/α, so α is kept above 1e-9 and the solution for a small one is refined once (spec/cone §10).
#pragma once

#include "tribo/problem/cone_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "solve/cone/block_lu.hpp"
#include "solve/cone/cone_law.hpp"

namespace tribo::cone {

template <int D>
class BodyOperator {
 public:
  static constexpr int kBody = D == 2 ? 3 : 6;  // degrees of freedom in a column of blocks
  static constexpr double kLeastAlpha = 1e-9;
  static constexpr double kRefined = 1e-5;  // α below which it pays

  void assign(const ConeProblem& problem, std::span<const std::int32_t> members, std::span<const std::int32_t> local,
              std::span<const double> scale);

  Index contacts() const { return static_cast<Index>(start_.size()) - 1; }
  const double* diagonal(Index i) const { return diagonal_.data() + i * kBlock<D>; }
  double factor_cost();

  void reserve();                                     // memory for every Newton step on this W
  void multiply(const double* r, double* out) const;  // W r
  void begin_sweeps(const double* r) { calc_velocity(r, v_.data()); }
  Lanes<D> others(Index i, const double* r) const;
  void moved(Index i, const double* change) { push(i, change, v_.data()); }
  bool newton(const Linear<D>* linear, double alpha, double* dr);

 private:
  static constexpr int L = kLanes<D>, LB = kLanes<kBody>;
  static constexpr int kWide = kBody * L, kTall = D * LB;  // numbers of Ĥ_ib by columns and of its transpose

  void calc_velocity(const double* r, double* v) const;
  void push(Index i, const double* r, double* v) const;  // v += Ĥ_iᵀ r
  Lanes<D> velocity_at(Index i, const double* v) const;  // Ĥ_i v
  void group_contacts();
  void order();
  void weigh(Index i, const Linear<D>& at, double alpha, double* out);
  void assemble(const Linear<D>* linear, double alpha);

  std::vector<std::int32_t> start_, column_;  // bodies of each contact
  LaneVector wide_, tall_, R_, diagonal_;
  std::vector<std::int32_t> body_of_;  // of the problem: the island's number, or −1
  Index bodies_ = 0;
  std::vector<std::int32_t> graph_start_, graph_;
  std::vector<std::int32_t> grouped_, group_start_;  // contacts by the bodies that they have
  std::vector<std::int32_t> place_start_, place_;    // of block (a, b) of a group among matrix blocks
  std::vector<std::int32_t> closed_;                 // contacts of the group at work that are
  LaneVector weighed_;                               // and their K Ĥ
  LaneVector matrix_;                                // (1): diagonal blocks first, then the graph's
  std::vector<std::uint8_t> all_;
  LaneVector B_inverse_, v_, dv_, right_, correction_;
  mutable LaneVector work_;
  bool ordered_ = false;
  BlockLu<kBody, true> lu_;
};

template <int D>
void BodyOperator<D>::assign(const ConeProblem& problem, std::span<const std::int32_t> members,
                             std::span<const std::int32_t>, std::span<const double> scale) {
  const std::size_t n = members.size();
  ordered_ = false;
  body_of_.resize(static_cast<std::size_t>(problem.H.block_cols), -1);
  start_.assign(1, 0);
  column_.clear();
  bodies_ = 0;
  std::size_t blocks = 0;
  for (const std::int32_t i : members) blocks += problem.H.columns(i).size();
  wide_.assign(blocks * kWide, 0.0);
  tall_.assign(blocks * kTall, 0.0);
  R_.assign(n * L, 0.0);
  diagonal_.assign(n * kBlock<D>, 0.0);
  std::size_t at = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Index row = members[i];
    const double s = scale[row];
    double* own = diagonal_.data() + i * kBlock<D>;
    for (Index k = problem.H.start[row]; k < problem.H.start[row + 1]; ++k, ++at) {
      std::int32_t& body = body_of_[problem.H.column[k]];
      if (body < 0) body = static_cast<std::int32_t>(bodies_++);
      column_.push_back(body);
      const double* in = problem.H.block(k);
      for (int b = 0; b < kBody; ++b) {
        for (int a = 0; a < D; ++a) {
          wide_[at * kWide + b * L + a] = s * in[b * D + a];
          tall_[at * kTall + a * LB + b] = s * in[b * D + a];
        }
      }
      for (int a = 0; a < D; ++a) {
        for (int c = 0; c < D; ++c) {
          own[c * L + a] += dot<kBody>(tall_.data() + at * kTall + a * LB, tall_.data() + at * kTall + c * LB);
        }
      }
    }
    start_.push_back(static_cast<std::int32_t>(at));
    for (int a = 0; a < D; ++a) {
      R_[i * L + a] = s * s * problem.R(row * D + a);
      own[a * L + a] += R_[i * L + a];
    }
  }
  for (const std::int32_t i : members) {
    for (const std::int32_t body : problem.H.columns(i)) body_of_[body] = -1;
  }
  v_.assign(static_cast<std::size_t>(bodies_) * LB, 0.0);
  work_.assign(v_.size(), 0.0);
}

template <int D>
void BodyOperator<D>::push(Index i, const double* r, double* v) const {
  for (Index k = start_[i]; k < start_[i + 1]; ++k) {
    double* out = v + Index{column_[k]} * LB;
    Lanes<kBody> sum = load<kBody>(out);
    for (int a = 0; a < D; ++a) sum += load<kBody>(tall_.data() + k * kTall + a * LB) * r[a];
    store<kBody>(out, sum);
  }
}

template <int D>
Lanes<D> BodyOperator<D>::velocity_at(Index i, const double* v) const {
  Lanes<D> sum = {};
  for (Index k = start_[i]; k < start_[i + 1]; ++k) {
    const double* in = v + Index{column_[k]} * LB;
    for (int b = 0; b < kBody; ++b) sum += load<D>(wide_.data() + k * kWide + b * L) * in[b];
  }
  return sum;
}

template <int D>
void BodyOperator<D>::calc_velocity(const double* r, double* v) const {
  std::fill(v, v + bodies_ * LB, 0.0);
  for (Index i = 0; i < contacts(); ++i) push(i, r + i * L, v);
}

template <int D>
void BodyOperator<D>::multiply(const double* r, double* out) const {
  calc_velocity(r, work_.data());
  for (Index i = 0; i < contacts(); ++i) {
    store<D>(out + i * L, velocity_at(i, work_.data()) + load<D>(R_.data() + i * L) * load<D>(r + i * L));
  }
}

template <int D>
Lanes<D> BodyOperator<D>::others(Index i, const double* r) const {
  return velocity_at(i, v_.data()) - times<D>(diagonal(i), r + i * L) + load<D>(R_.data() + i * L) * load<D>(r + i * L);
}

// Contacts with the same bodies, one group after the other.
template <int D>
void BodyOperator<D>::group_contacts() {
  const auto bodies = [&](std::int32_t i) {
    return std::span<const std::int32_t>(column_).subspan(start_[i], start_[i + 1] - start_[i]);
  };
  const auto n = static_cast<std::int32_t>(contacts());
  grouped_.resize(n);
  std::iota(grouped_.begin(), grouped_.end(), 0);
  std::sort(grouped_.begin(), grouped_.end(), [&](std::int32_t i, std::int32_t j) {
    const auto a = bodies(i), b = bodies(j);
    const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at != a.end() && other != b.end()) return *at < *other;
    return a.size() != b.size() ? a.size() < b.size() : i < j;
  });
  group_start_.assign(1, 0);
  std::size_t most = 0, widest = 0;
  for (std::int32_t k = 1; k <= n; ++k) {
    const auto here = bodies(grouped_[k - 1]);
    if (k < n && std::ranges::equal(here, bodies(grouped_[k]))) continue;
    const auto size = static_cast<std::size_t>(k - group_start_.back());
    most = std::max(most, size);
    widest = std::max(widest, size * here.size());
    group_start_.push_back(k);
  }
  closed_.resize(most);
  weighed_.resize(widest * kWide);
}

template <int D>
void BodyOperator<D>::order() {
  if (ordered_) return;
  ordered_ = true;
  const auto n = static_cast<std::int32_t>(contacts());
  const auto bodies = static_cast<std::int32_t>(bodies_);
  // Pairs of bodies that share a contact: counted, sorted, each kept once.
  graph_start_.assign(bodies + 1, 0);
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t count = start_[i + 1] - start_[i];
    for (std::int32_t k = start_[i]; k < start_[i + 1]; ++k) graph_start_[column_[k] + 1] += count - 1;
  }
  for (std::int32_t b = 0; b < bodies; ++b) graph_start_[b + 1] += graph_start_[b];
  graph_.resize(graph_start_[bodies]);
  place_.assign(graph_start_.begin(), graph_start_.end() - 1);
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t k = start_[i]; k < start_[i + 1]; ++k) {
      for (std::int32_t l = start_[i]; l < start_[i + 1]; ++l) {
        if (k != l) graph_[place_[column_[k]]++] = column_[l];
      }
    }
  }
  std::int32_t out = 0, from = 0;
  for (std::int32_t b = 0; b < bodies; ++b) {
    const std::int32_t to = graph_start_[b + 1];
    std::sort(graph_.begin() + from, graph_.begin() + to);
    const std::int32_t begin = out;
    for (std::int32_t k = from; k < to; ++k) {
      if (out > begin && graph_[out - 1] == graph_[k]) continue;
      graph_[out++] = graph_[k];
    }
    from = to;
    graph_start_[b + 1] = out;
  }
  graph_.resize(out);
  group_contacts();
  place_start_.assign(1, 0);
  place_.clear();
  for (std::size_t g = 0; g + 1 < group_start_.size(); ++g) {
    const std::int32_t i = grouped_[group_start_[g]];
    for (std::int32_t k = start_[i]; k < start_[i + 1]; ++k) {
      const std::int32_t a = column_[k];
      for (std::int32_t l = start_[i]; l < start_[i + 1]; ++l) {
        if (k == l) {
          place_.push_back(a);
          continue;
        }
        const auto first = graph_.begin() + graph_start_[a], last = graph_.begin() + graph_start_[a + 1];
        place_.push_back(bodies +
                         static_cast<std::int32_t>(std::lower_bound(first, last, column_[l]) - graph_.begin()));
      }
    }
    place_start_.push_back(static_cast<std::int32_t>(place_.size()));
  }
  lu_.set_graph(graph_start_, graph_);
  all_.assign(bodies, 1);
  lu_.choose(all_);
}

template <int D>
void BodyOperator<D>::reserve() {
  order();
  matrix_.reserve((static_cast<std::size_t>(bodies_) + graph_.size()) * kBlock<kBody>);
  B_inverse_.reserve(diagonal_.size());
  for (auto* x : {&dv_, &right_, &correction_}) x->reserve(v_.size());
}

template <int D>
double BodyOperator<D>::factor_cost() {
  order();
  // A product of body blocks is eight of contact blocks; assembling counts as two sweeps.
  return 2.0 + lu_.products() * (kBody * kBody * kBody) / (static_cast<double>(column_.size()) * 2.0 * D * kBody);
}

// K_i Ĥ_ib for every body of contact i; B_i⁻¹ is kept for (2). Sticking contacts have B_i = α + R, and nothing to keep.
template <int D>
void BodyOperator<D>::weigh(Index i, const Linear<D>& at, double alpha, double* out) {
  const Lanes<D> eased = load<D>(R_.data() + i * L) + alpha;
  const double* H = wide_.data() + start_[i] * kWide;
  const Index columns = (start_[i + 1] - start_[i]) * kBody;
  if (at.kind == Kind::kStick) {
    const Lanes<D> over = 1.0 / eased;
    for (Index k = 0; k < columns; ++k) store<D>(out + k * L, load<D>(H + k * L) * over);
    return;
  }
  double B[kBlock<D>] = {};
  for (int b = 0; b < at.unknowns; ++b) {
    double turned[L];
    store<D>(turned, load<D>(at.T + b * L) * eased);
    store<D>(B + b * L, times<D>(at.E, turned));
  }
  for (int b = at.first_extra; b < at.unknowns; ++b) B[b * L + b] += at.extra;
  for (int b = at.unknowns; b < D; ++b) B[b * L + b] = 1.0;
  double* inverse = B_inverse_.data() + i * kBlock<D>;
  if (!invert<D>(B, inverse)) std::fill(inverse, inverse + kBlock<D>, std::numeric_limits<double>::quiet_NaN());
  double K[kBlock<D>];
  for (int c = 0; c < D; ++c) {  // column c of T B⁻¹ Eᵀ
    double middle[L];
    store<D>(middle, times<D>(inverse, at.E + c * L));
    store<D>(K + c * L, times<D>(at.T, middle));
  }
  for (Index k = 0; k < columns; ++k) store<D>(out + k * L, times<D>(K, H + k * L));
}

// The left side of (1). Contacts of the same bodies come together, so that each block of theirs is summed in registers.
template <int D>
void BodyOperator<D>::assemble(const Linear<D>* linear, double alpha) {
  constexpr int BB = kBlock<kBody>;
  matrix_.assign((static_cast<std::size_t>(bodies_) + graph_.size()) * BB, 0.0);
  for (Index b = 0; b < bodies_; ++b) {
    for (int k = 0; k < kBody; ++k) matrix_[b * BB + k * LB + k] = 1.0;
  }
  B_inverse_.resize(static_cast<std::size_t>(contacts()) * kBlock<D>);
  for (std::size_t g = 0; g + 1 < group_start_.size(); ++g) {
    const std::int32_t* const group = grouped_.data() + group_start_[g];
    const Index bodies_here = start_[group[0] + 1] - start_[group[0]];
    const Index stride = bodies_here * kWide;
    Index closed = 0;
    for (std::int32_t k = 0; k < group_start_[g + 1] - group_start_[g]; ++k) {
      if (linear[group[k]].kind == Kind::kOpen) continue;
      weigh(group[k], linear[group[k]], alpha, weighed_.data() + closed * stride);
      closed_[closed++] = group[k];
    }
    for (Index l = 0; closed > 0 && l < bodies_here; ++l) {
      for (Index k = 0; k < bodies_here; ++k) {
        double* out = matrix_.data() + Index{place_[place_start_[g] + k * bodies_here + l]} * BB;
        Lanes<kBody> sum[kBody];
        for (int b = 0; b < kBody; ++b) sum[b] = load<kBody>(out + b * LB);
        for (Index c = 0; c < closed; ++c) {
          const double* H = tall_.data() + (start_[closed_[c]] + k) * kTall;
          const double* KH = weighed_.data() + c * stride + l * kWide;
          for (int a = 0; a < D; ++a) {
            const Lanes<kBody> column = load<kBody>(H + a * LB);
            for (int b = 0; b < kBody; ++b) sum[b] += column * KH[b * L + a];
          }
        }
        for (int b = 0; b < kBody; ++b) store<kBody>(out + b * LB, sum[b]);
      }
    }
  }
}

template <int D>
bool BodyOperator<D>::newton(const Linear<D>* linear, double alpha, double* dr) {
  constexpr int BB = kBlock<kBody>;
  order();
  assemble(linear, alpha);
  const Index n = contacts();
  const auto answer = [&](Index i, const Lanes<D> velocity, double* out) {  // (2)
    const Linear<D>& at = linear[i];
    Lanes<D> step = load<D>(at.c);
    if (at.kind == Kind::kStick) {
      step = -(load<D>(at.value) + velocity) / (load<D>(R_.data() + i * L) + alpha);
    } else if (at.kind != Kind::kOpen) {
      double along[L], right[L], z[L];
      store<D>(along, velocity + load<D>(at.c) * (load<D>(R_.data() + i * L) + alpha));
      store<D>(right, -(load<D>(at.value) + times<D>(at.E, along)));
      store<D>(z, times<D>(B_inverse_.data() + i * kBlock<D>, right));
      step += times<D>(at.T, z);
    }
    store<D>(out, step);
  };
  dv_.assign(static_cast<std::size_t>(bodies_) * LB, 0.0);
  right_.assign(dv_.size(), 0.0);
  correction_.resize(dv_.size());
  for (Index i = 0; i < n; ++i) {  // (2) at dv = 0 is what (1) has on its right
    answer(i, Lanes<D>{}, dr + i * L);
    push(i, dr + i * L, right_.data());
  }
  const auto fill_row = [&](std::int32_t rank, double* row, double* y) {
    const std::int32_t b = lu_.node(rank);
    copy_block<kBody>(matrix_.data() + Index{b} * BB, row + Index{rank} * BB);
    for (std::int32_t k = graph_start_[b]; k < graph_start_[b + 1]; ++k) {
      copy_block<kBody>(matrix_.data() + (bodies_ + k) * BB, row + Index{lu_.rank(graph_[k])} * BB);
    }
    std::copy_n(right_.data() + Index{b} * LB, LB, y);
  };
  if (!lu_.factor_forward(fill_row)) return false;
  lu_.backward(correction_.data());
  for (int pass = 0;; ++pass) {
    for (Index rank = 0; rank < bodies_; ++rank) {
      double* to = dv_.data() + Index{lu_.node(rank)} * LB;
      store<kBody>(to, load<kBody>(to) + load<kBody>(correction_.data() + rank * LB));
    }
    for (Index i = 0; i < n; ++i) answer(i, velocity_at(i, dv_.data()), dr + i * L);
    if (pass == 1 || alpha >= kRefined) return true;
    calc_velocity(dr, work_.data());  // what dv should be
    for (Index rank = 0; rank < bodies_; ++rank) {
      const Index b = Index{lu_.node(rank)} * LB;
      store<kBody>(right_.data() + rank * LB, load<kBody>(work_.data() + b) - load<kBody>(dv_.data() + b));
    }
    lu_.solve(right_.data(), correction_.data());
  }
}

}  // namespace tribo::cone
