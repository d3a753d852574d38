// The dual active set method (solve/pivot/dual_active_set.hpp) on the normals of one body, in lanes.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include "contact/one_body_rows.hpp"

namespace tribo::one_body {

// Shares, squared: independent above without looking further, dependent below, which rounding does not reach
// (solve/pivot/rank_test.hpp).
constexpr double kIndependent = 1e-6, kDependent = 1e-20;
constexpr double kFloor = 1e-22;          // of speed²: smaller violations are rounding (kNegativeSlack, squared)
constexpr double kInsignificant = 1e-26;  // of the largest, squared: in a ratio test, a zero

template <typename Rows>
class Normals {
 public:
  explicit Normals(const Rows& rows) : rows_(rows) {}

  // False: for the general path.
  bool solve() { return start() && take(); }
  int pivots() const { return pivots_; }
  // By row, with 1 for the momentum.
  void write(Lanes* z) const;
  void write(VectorXd& z) const {
    for (Index j = 0; j < size_; ++j) z.data()[active_[j]] = std::max(0.0, z_[j]);
  }
  // Is w of u⁺ ≥ 0, and zero where z is not?
  bool agrees(const Lanes* z, const double* u) const;

 private:
  static constexpr int kWidth = Rows::kWidth;
  static double at(const Lanes* values, Index place) { return Rows::at(values, place); }
  double share(Index place) const { return at(left_, place) * at(rows_.weight, place); }

  bool start();
  void restart();
  bool take();
  bool enter(Index place);
  bool leave(Index position);
  Index find_blocking(Index place, double full) const;
  void append(Index place);

  const Rows& rows_;
  typename Rows::Row rest_[kNormalChunks];              // of the normals beside A
  Lanes left_[kNormalChunks], inverse_[kNormalChunks];  // |rest|², 1/|rest|²
  Lanes r_[kWidth][kNormalChunks];                      // of all rows, by position in A
  Lanes start_[kNormalChunks], w_[kNormalChunks];       // w with A empty, w
  Lanes outside_[kNormalChunks];                        // weight, 0 in A
  Index active_[kWidth], size_ = 0;
  double z_[kWidth];
  double floor_;  // of violations, squared
  int pivots_ = 0;
};

// w where nothing pushes, and the scale of velocities (speed of LeastDistance, squared).
template <typename Rows>
bool Normals<Rows>::start() {
  double u[kWidth];
  Rows::read_row(rows_.x, rows_.size, u);
  double speed = std::max(at(rows_.squared, rows_.size), dot<kWidth>(u, u));
  Bits asked = {};
  for (Index c = 0; c < rows_.normal_chunks; ++c) {
    const Lanes b = lanes(rows_.offset + c * kLanes).v;
    asked = larger(asked, reinterpret_cast<Bits>(b < 0.0 ? b * b * rows_.weight[c] : Lanes{}));
    start_[c] = b + dot<kWidth>(u, rows_.x[c]);
  }
  restart();
  speed = std::max(speed, std::bit_cast<double>(largest_of(asked)));
  floor_ = std::max(kFloor * speed, std::numeric_limits<double>::min());
  return speed < kHuge;
}

// A is empty.
template <typename Rows>
void Normals<Rows>::restart() {
  size_ = 0;
  for (Index c = 0; c < rows_.normal_chunks; ++c) {
    w_[c] = start_[c];
    outside_[c] = places(c) < rows_.size ? rows_.weight[c] : Lanes{};
    left_[c] = sum_of_squares<kWidth>(rows_.x[c]);
    inverse_[c] = 1.0 / left_[c];
  }
}

// The dual active set method: the most violated row, until there is none.
template <typename Rows>
bool Normals<Rows>::take() {
  while (true) {
    Bits most = {};
    for (Index c = 0; c < rows_.normal_chunks; ++c) {
      most = larger(most, tagged(w_[c] < 0.0 ? w_[c] * w_[c] * outside_[c] : Lanes{}, c));
    }
    const std::int64_t worst = largest_of(most);
    if (!(std::bit_cast<double>(worst) > floor_)) return true;
    if (!enter(place_of(worst))) return false;
  }
}

template <typename Rows>
bool Normals<Rows>::enter(Index place) {
  while (pivots_ < 4 * static_cast<int>(rows_.dof)) {
    ++pivots_;
    const bool independent = share(place) > kIndependent;
    if (!independent && !(share(place) < kDependent)) return false;
    const double full = independent ? -at(w_, place) * at(inverse_, place) : std::numeric_limits<double>::infinity();
    bool stay = independent;
    for (Index j = 0; j < size_; ++j) stay = stay && z_[j] - full * at(r_[j], place) >= 0.0;
    const Index blocking = stay ? -1 : find_blocking(place, full);
    if (blocking < 0) {
      if (!independent) return false;
      append(place);
      return true;
    }
    if (!leave(blocking)) return false;
  }
  return false;
}

// The row of A whose z becomes zero before a step of `full` is done; −1: none.
template <typename Rows>
Index Normals<Rows>::find_blocking(Index place, double full) const {
  double r[kWidth], scaled[kWidth], largest = 0.0;
  for (Index j = 0; j < size_; ++j) {
    r[j] = at(r_[j], place);
    scaled[j] = r[j] * r[j] / at(rows_.weight, active_[j]);
    largest = std::max(largest, scaled[j]);
  }
  Index blocking = -1;
  for (Index j = 0; j < size_; ++j) {
    if (!(r[j] > 0.0) || scaled[j] <= kInsignificant * largest) continue;
    const double ratio = std::max(0.0, z_[j]) / r[j];
    if (!(ratio < full)) continue;
    full = ratio;
    blocking = j;
  }
  return blocking;
}

// A row of A leaves; z and w become those of A without it. What the row that is about to enter has gained on the way
// needs no record: its next step is counted from z_p = 0 again, and ends at the same place.
template <typename Rows>
bool Normals<Rows>::leave(Index position) {
  std::copy(active_ + position + 1, active_ + size_, active_ + position);
  const Index count = size_ - 1;
  restart();
  while (size_ < count) {
    const Index place = active_[size_];
    if (!(share(place) > kIndependent)) return false;
    append(place);
  }
  return true;
}

// r of every row, z and w with one more row in A.
template <typename Rows>
void Normals<Rows>::append(Index place) {
  const typename Rows::Row* from = size_ == 0 ? rows_.x : rest_;
  double g[kWidth], r[kWidth];
  Rows::read_row(from, place, g);
  const double inverse = at(inverse_, place), step = -at(w_, place) * inverse;
  for (Index j = 0; j < size_; ++j) r[j] = at(r_[j], place);
  for (Index c = 0; c < rows_.normal_chunks; ++c) {
    const Lanes along = dot<kWidth>(g, from[c]), part = along * inverse;
    w_[c] += step * along;
    outside_[c] = places(c) == place ? Lanes{} : outside_[c];
    for (int j = 0; j < kWidth; ++j) rest_[c][j] = from[c][j] - g[j] * part;
    left_[c] = sum_of_squares<kWidth>(rest_[c]);
    inverse_[c] = 1.0 / left_[c];
    for (Index j = 0; j < size_; ++j) r_[j][c] -= r[j] * part;
    r_[size_][c] = part;
  }
  for (Index j = 0; j < size_; ++j) z_[j] -= step * r[j];
  z_[size_] = step;
  active_[size_++] = place;
}

template <typename Rows>
void Normals<Rows>::write(Lanes* z) const {
  for (Index c = 0; c <= rows_.size / kLanes; ++c) {
    const Bits place = places(c);
    z[c] = place == rows_.size ? Lanes{} + 1.0 : Lanes{};
    for (Index j = 0; j < size_; ++j) z[c] = place == active_[j] ? Lanes{} + std::max(0.0, z_[j]) : z[c];
  }
}

template <typename Rows>
bool Normals<Rows>::agrees(const Lanes* z, const double* u) const {
  Bits wrong = {};
  for (Index c = 0; c < rows_.normal_chunks; ++c) {
    const Lanes w = lanes(rows_.offset + c * kLanes).v + dot<kWidth>(u, rows_.x[c]);
    const Lanes weight = places(c) < rows_.size ? rows_.weight[c] : Lanes{};
    wrong = larger(wrong, magnitude(((w > 0.0) & (z[c] == 0.0)) ? w - w : w * w * weight));
  }
  return std::bit_cast<double>(largest_of(wrong)) <= floor_;
}

}  // namespace tribo::one_body
