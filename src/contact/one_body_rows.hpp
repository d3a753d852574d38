// The rows of one body in lanes: (1) and (2) of contact/one_body.hpp, and (4) with v⁺ on the way back.
#pragma once

#include "tribo/contact/one_body.hpp"

#include <bit>
#include <cmath>

#include "contact/one_body_lanes.hpp"

namespace tribo::one_body {

constexpr Index kChunks = (3 * OneBody::kContacts + 1 + kLanes - 1) / kLanes;
constexpr Index kNormalChunks = OneBody::kContacts / kLanes;
constexpr double kHuge = 1e280;  // beyond, squares are no longer numbers
// Shares of tangents, squared (B.2): taken above, rejected below; in between the order would matter.
constexpr double kTaken = 1e-4, kRejected = 1e-16;

// Shapes of the mass matrix.
enum class Mass {
  kFree,   // 6 × 6, the first three coordinates coupled with nothing: a free body
  kSix,    // 6 × 6
  kOther,  // smaller than Width, with zeros in what is left
};

// Rows in the order N, momentum, S, T; row r is lane r % 8 of chunk r / 8.
template <int Width, Mass Shape>
class Rows {
 public:
  static constexpr int kWidth = Width;
  using Row = Lanes[Width];

  // False: for the general path.
  bool assign(const ContactProblem& p, Index tangents) {
    dof = Shape == Mass::kOther ? p.dof() : Width;
    size = p.size();
    rows_ = size + 1 + tangents * size;
    chunks_ = (rows_ + kLanes - 1) / kLanes;
    normal_chunks = (size + kLanes - 1) / kLanes;
    return factor(p) && whiten(p) && (tangents == 0 || take_tangents(p));
  }
  // u⁺ and f_acc of impulses z, where the momentum has 1; eight numbers each.
  void lift(const Lanes* z, double* u, double* f) const;
  // Tangential impulses, and v⁺. False: not finite.
  bool write(const double* u, double* f, ContactSolution& solution) const;

  static double at(const Lanes* values, Index place) { return reinterpret_cast<const double*>(values)[place]; }
  static void read_row(const Row* rows, Index place, double* numbers) {
    const auto row = static_cast<std::size_t>(place);  // without sign, so that halves are plain shifts
    const double* first = reinterpret_cast<const double*>(rows[row / kLanes]) + row % kLanes;
    for (int j = 0; j < Width; ++j) numbers[j] = first[j * kLanes];
  }

  Index dof, size, normal_chunks;  // m, n, chunks that hold normals
  Index rank = 0;                  // rank E
  Row x[kChunks];                  // rows; in the end x̄ of (2)
  Lanes squared[kChunks];          // of whitened rows, and
  Lanes weight[kChunks];           // its inverse; 1 for zero
  double offset[kNormalChunks * kLanes];

 private:
  static constexpr int kCoupled = Shape == Mass::kFree ? 3 : 0;  // the first column of L that is more than its diagonal

  bool factor(const ContactProblem& p);
  bool whiten(const ContactProblem& p);
  bool take_tangents(const ContactProblem& p);

  Index rows_, chunks_;
  double L_[Width][Width];  // M = L D Lᵀ, L_ij in [j][i]
  double scale_[Width];     // D^(−1/2)
  Lanes momentum_;
  Lanes c_[Width][kChunks];  // c of (2)
  Index accepted_[Width];
};

// M = L D Lᵀ, so that no square root waits for another, and M v + h f. False: not positive definite in working
// precision.
template <int Width, Mass Shape>
bool Rows<Width, Shape>::factor(const ContactProblem& p) {
  const double *mass = p.mass.block(0).data(), *v = p.v.data(), *f = p.f.data();
  const double h = p.h, rounding = static_cast<double>(dof) * std::numeric_limits<double>::epsilon();
  const auto inside = [this](int i) { return Shape != Mass::kOther || i < dof; };
  double a[Width][Width], speed[Width], sum[Width], inverse[Width];
  unrolled<Width>([&](auto j) {
    a[j][j] = inside(j) ? mass[j * dof + j] : 1.0;
    speed[j] = inside(j) ? v[j] : 0.0;
    sum[j] = a[j][j] * speed[j] + (inside(j) ? h * f[j] : 0.0);
  });
  unrolled<Width>([&](auto j) {
    unrolled<Width>([&](auto i) {
      if constexpr (j >= kCoupled && i > j) {
        a[j][i] = inside(i) ? mass[j * dof + i] : 0.0;
        sum[i] += a[j][i] * speed[j];
        sum[j] += a[j][i] * speed[i];
      }
    });
  });
  Lanes momentum = {};
  unrolled<Width>([&](auto i) { momentum[i.value] = sum[i]; });
  momentum_ = momentum;
  bool positive = true;
  unrolled<Width>([&](auto j) {
    const double given = inside(j) ? mass[j * dof + j] : 1.0;
    positive &= a[j][j] > rounding * given && a[j][j] <= kHuge;
    inverse[j] = 1.0 / a[j][j];
    unrolled<Width>([&](auto k) {
      unrolled<Width>([&](auto i) {
        if constexpr (j >= kCoupled && k > j && i >= k) a[k][i] -= (a[j][i] * a[j][k]) * inverse[j];
      });
    });
    unrolled<Width>([&](auto i) {
      if constexpr (j >= kCoupled && i > j) L_[j][i] = a[j][i] * inverse[j];
    });
  });
  unrolled<Width>([&](auto j) { scale_[j] = std::sqrt(inverse[j]); });
  return positive;
}

// (1), and the norms. False: a number that is not finite, or whose square is not.
template <int Width, Mass Shape>
bool Rows<Width, Shape>::whiten(const ContactProblem& p) {
  const double* momentum = reinterpret_cast<const double*>(&momentum_);
  const double* sources[] = {p.N.values(0, 0), momentum, p.S.rows() > 0 ? p.S.values(0, 0) : nullptr,
                             p.T.rows() > 0 ? p.T.values(0, 0) : nullptr};
  const double* next = sources[0];
  Index source = 0, remaining = size, unread = rows_;
  const auto next_row = [&] {
    if (unread == 0) return momentum;  // after the last: any row will do, nobody asks for it
    if (remaining == 0) {
      next = sources[++source];
      remaining = source == 1 ? 1 : size;
    }
    --remaining;
    --unread;
    const double* row = next;
    next += dof;
    return row;
  };
  Bits most = {};
  for (Index c = 0; c < chunks_; ++c) {
    const double* row[kLanes];
    double copies[kLanes][Width];
    for (Index i = 0; i < kLanes; ++i) {
      row[i] = next_row();
      if (Shape != Mass::kOther) continue;
      std::fill(std::copy_n(row[i], dof, copies[i]), copies[i] + Width, 0.0);
      row[i] = copies[i];
    }
    Lanes y[Width];
    transpose<Width>(row, y);
    unrolled<Width>([&](auto j) {
      unrolled<Width>([&](auto i) {
        if constexpr (j >= kCoupled && i > j) y[i] -= L_[j][i] * y[j];
      });
    });
    unrolled<Width>([&](auto j) { x[c][j] = y[j] = y[j] * scale_[j]; });
    const Lanes sum = sum_of_squares<Width>(y);
    squared[c] = sum;
    weight[c] = 1.0 / (sum == 0.0 ? Lanes{} + 1.0 : sum);
    most = larger(most, larger(magnitude(sum), magnitude(weight[c])));
  }
  std::fill_n(offset + (normal_chunks - 1) * kLanes, kLanes, 0.0);
  copy_few(p.b_N.data(), size, offset);
  return std::bit_cast<double>(largest_of(most)) < kHuge;
}

// (2): independent tangents, the largest share first.
template <int Width, Mass Shape>
bool Rows<Width, Shape>::take_tangents(const ContactProblem& p) {
  const Index first = (size + 1) / kLanes;
  Lanes share[kChunks], imposed[kChunks];  // squared; weight of the tangents that are imposed
  for (Index c = first; c < chunks_; ++c) {
    const Bits place = places(c);
    imposed[c] = ((place > size) & (place < rows_) & (squared[c] != 0.0)) ? weight[c] : Lanes{};
  }
  for (Index i = 0; i < size; ++i) {
    if (!p.contacts[static_cast<std::size_t>(i)].released) continue;
    for (Index t = size + 1 + i; t < rows_; t += size) reinterpret_cast<double*>(imposed)[t] = 0.0;
  }
  Bits most = {};
  for (Index c = first; c < chunks_; ++c) {
    share[c] = imposed[c] != 0.0 ? Lanes{} + 1.0 : Lanes{};
    most = larger(most, tagged(share[c], c));
  }
  while (rank < dof) {
    const std::int64_t best = largest_of(most);
    if (!(std::bit_cast<double>(best) > kTaken)) break;
    const Index place = place_of(best);
    double g[Width];
    read_row(x, place, g);
    const double inverse = 1.0 / dot<Width>(g, g);
    most = Bits{};
    for (Index c = chunks_ - 1; c >= 0; --c) {  // tangents first: the next choice waits for them
      const Lanes along = dot<Width>(g, x[c]), part = along * inverse;
      c_[rank][c] = part;
      if (c >= first) {
        share[c] -= along * along * imposed[c] * inverse;
        most = larger(most, tagged(share[c], c));
      }
      for (int j = 0; j < Width; ++j) x[c][j] -= g[j] * part;
    }
    accepted_[rank++] = place;
  }
  if (rank == dof) return true;
  Bits left = {};
  for (Index c = first; c < chunks_; ++c) {
    left = larger(left, magnitude(sum_of_squares<Width>(x[c]) * imposed[c]));
  }
  return std::bit_cast<double>(largest_of(left)) < kRejected;
}

template <int Width, Mass Shape>
void Rows<Width, Shape>::lift(const Lanes* z, double* u, double* f) const {
  const Index chunks = size / kLanes + 1;  // normals and momentum
  Lanes terms[kLanes] = {};
  for (Index c = 0; c < chunks; ++c) {
    for (int j = 0; j < Width; ++j) terms[j] += z[c] * x[c][j];
  }
  lanes(u).v = sums_of(terms);
  if (rank == 0) return;
  for (Index l = 0; l < kLanes; ++l) terms[l] = Lanes{};
  for (Index l = 0; l < rank; ++l) {
    for (Index c = 0; c < chunks; ++c) terms[l] -= z[c] * c_[l][c];
  }
  lanes(f).v = sums_of(terms);
}

template <int Width, Mass Shape>
bool Rows<Width, Shape>::write(const double* u, double* f, ContactSolution& solution) const {
  for (Index k = rank - 1; k >= 0; --k) {  // C f_acc = f
    const Index tangent = accepted_[k] - size - 1;
    if (tangent < size) {
      solution.f_s.data()[tangent] = f[k];
    } else {
      solution.f_t.data()[tangent - size] = f[k];
    }
    for (Index l = 0; l < k; ++l) f[l] -= at(c_[l], accepted_[k]) * f[k];
  }
  double v[Width], sum = 0.0;
  unrolled<Width>([&](auto before) {
    constexpr int i = Width - 1 - before;
    v[i] = u[i] * scale_[i];
    unrolled<Width>([&](auto k) {
      if constexpr (i >= kCoupled && k > i) v[i] -= L_[i][k] * v[k];
    });
    sum += v[i];
  });
  copy_few(v, dof, solution.v_next.data());
  return std::abs(sum) < kHuge;
}

}  // namespace tribo::one_body
