#include "solve/compliant/layer_tiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tribo::compliant {
namespace {

using Bits = std::uint64_t;
constexpr Bits kNone = 0, kAll = ~Bits{0};

// 0, or the middle where that is far away.
double find_origin(const VectorXd& x) {
  constexpr double kFar = 4.0;  // times the half of what it extends over
  const double low = x.minCoeff(), high = x.maxCoeff(), middle = 0.5 * (low + high);
  return std::abs(middle) > kFar * 0.5 * (high - low) ? middle : 0.0;
}

struct LanePlane {
  padded::Lanes c, a, b;

  explicit LanePlane(const Plane& plane)
      : c(plane(0) - padded::Lanes{}), a(plane(1) - padded::Lanes{}), b(plane(2) - padded::Lanes{}) {}
  padded::Lanes at(const padded::Lanes& x, const padded::Lanes& y) const { return c + a * x + b * y; }
};

}  // namespace

// Strips along x, each cut into tiles.
bool LayerTiles::assign(const ElasticLayer& layer) {
  const Index n = layer.elements();
  tiles_.clear();
  elements_.clear();
  moments_ = touching_ = {};
  count_ = n;
  for (const auto& [from, to] : {std::pair{&layer.x, &x_}, {&layer.y, &y_}, {&layer.area, &area_}}) {
    to->assign(static_cast<std::size_t>(padded::length(n)), 0.0);
    std::copy_n(from->data(), n, to->begin());
  }
  if (n == 0) return true;
  x0_ = find_origin(layer.x);
  y0_ = find_origin(layer.y);
  largest_x_ = layer.x.cwiseAbs().maxCoeff();
  largest_y_ = layer.y.cwiseAbs().maxCoeff();
  const double reach = std::max((layer.x.array() - x0_).abs().maxCoeff(), (layer.y.array() - y0_).abs().maxCoeff());
  reach_ = reach > 0.0 ? std::exp2(std::ceil(std::log2(reach))) : 1.0;
  per_reach_ = 1.0 / reach_;
  to_whole_ = std::exp2(61.0 - std::ceil(std::log2(layer.area.sum())));  // a term is at most A, their sum below 2⁶²
  from_whole_ = 1.0 / to_whole_;
  if (!std::isnormal(reach_ * per_reach_) || !std::isnormal(to_whole_ * from_whole_)) return false;
  IndexList order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto sort_by = [&](const VectorXd& key, auto first, auto last) {
    std::stable_sort(first, last, [&](Index a, Index b) { return key(a) < key(b); });
  };
  sort_by(layer.y, order.begin(), order.end());
  const Index tiles = (n + kTile - 1) / kTile;
  const auto across = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(tiles))));
  const Index strip = (tiles + across - 1) / across * kTile;
  for (Index first = 0; first < n; first += strip) {
    sort_by(layer.x, order.begin() + first, order.begin() + std::min(first + strip, n));
  }
  for (Index first = 0; first < n; first += kTile) {
    Tile& tile = tiles_.emplace_back();
    Elements& own = elements_.emplace_back();
    const Index rows = std::min<Index>(kTile, n - first);
    for (int i = 0; i < kTile; ++i) {  // filled up with its last element, of no area
      const Index from = order[static_cast<std::size_t>(first + std::min<Index>(i, rows - 1))];
      own.x(i) = layer.x(from);
      own.y(i) = layer.y(from);
      own.area(i) = i < rows ? layer.area(from) : 0.0;
    }
    tile.x = 0.5 * (own.x.minCoeff() + own.x.maxCoeff());
    tile.y = 0.5 * (own.y.minCoeff() + own.y.maxCoeff());
    tile.half_x = 0.5 * (own.x.maxCoeff() - own.x.minCoeff());
    tile.half_y = 0.5 * (own.y.maxCoeff() - own.y.minCoeff());
  }
  return true;
}

void LayerTiles::release() {
  for (Tile& tile : tiles_) tile.loaded = tile.touching = kNone;
  moments_ = touching_ = {};
}

LayerTiles::Range LayerTiles::calc_range(const Tile& tile, const Plane& plane) {
  const double middle = plane(0) + plane(1) * tile.x + plane(2) * tile.y;
  const double spread = std::abs(plane(1)) * tile.half_x + std::abs(plane(2)) * tile.half_y;
  return {middle - spread, middle + spread};
}

double LayerTiles::calc_rounding(const Plane& plane) const {
  constexpr double kDigits = 16.0 * std::numeric_limits<double>::epsilon();
  return kDigits * (std::abs(plane(0)) + std::abs(plane(1)) * largest_x_ + std::abs(plane(2)) * largest_y_);
}

// Eight at a time: no number decides over a branch.
LayerTiles::Sides LayerTiles::find_sides(const Elements& elements, const Plane& plane, double rounding) {
  using BitLanes = Bits __attribute__((vector_size(sizeof(padded::Lanes))));
  BitLanes below = {}, zero = {}, bit = {1, 2, 4, 8, 16, 32, 64, 128};
  const LanePlane lane_plane(plane);
  for (int i = 0; i < kTile; i += static_cast<int>(padded::kLanes), bit <<= padded::kLanes) {
    const padded::Lanes x = padded::lanes(elements.x.data() + i).v, y = padded::lanes(elements.y.data() + i).v;
    const padded::Lanes value = lane_plane.at(x, y);
    below |= reinterpret_cast<BitLanes>(value < -rounding) & bit;
    zero |= reinterpret_cast<BitLanes>(value <= rounding) & bit;
  }
  Sides sides;
  for (int k = 0; k < static_cast<int>(padded::kLanes); ++k) {
    sides.below |= below[k];
    sides.zero |= zero[k];
  }
  sides.zero &= ~sides.below;
  return sides;
}

Plane LayerTiles::to_face(const Plane& p) const {
  const double a = p(1) * per_reach_, b = p(2) * per_reach_;
  return {p(0) - a * x0_ - b * y0_, a, b};
}

void LayerTiles::add_moments(const Elements& elements, Bits which, double sign, Moments& S) const {
  if (which == kNone) return;
  const auto whole = [](double term) { return static_cast<std::int64_t>(term); };
  const double unit = sign * to_whole_, x0 = x0_, y0 = y0_, per_reach = per_reach_;
  Moments sum = S;
  for (; which != kNone; which &= which - 1) {
    const int i = std::countr_zero(which);
    const double x = (elements.x(i) - x0) * per_reach, y = (elements.y(i) - y0) * per_reach;
    const double area = unit * elements.area(i), of_x = area * x, of_y = area * y;
    sum[0] += whole(area);
    sum[1] += whole(of_x);
    sum[2] += whole(of_y);
    sum[3] += whole(of_x * x);
    sum[4] += whole(of_x * y);
    sum[5] += whole(of_y * y);
  }
  S = sum;
}

Matrix3d LayerTiles::to_matrix(const Moments& S) const {
  const auto at = [&](std::size_t k) { return static_cast<double>(S[k]) * from_whole_; };
  Matrix3d matrix;
  matrix << at(0), at(1), at(2), at(1), at(3), at(4), at(2), at(4), at(5);
  return matrix;
}

// φ of an element is computed as to_rows() does: which side of zero it is on decides whether it is damped.
void LayerTiles::find_touching(const Plane& gap) {
  const double rounding = calc_rounding(gap);
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    Tile& tile = tiles_[t];
    const Range range = calc_range(tile, gap);
    if (range.low > rounding && tile.touching == kNone) continue;
    if (range.high < -rounding && tile.touching == kAll) continue;
    const Sides sides = find_sides(elements_[t], gap, 0.0);
    const Bits touching = sides.below | sides.zero, changed = touching ^ tile.touching;
    tile.touching = touching;
    const Bits moved = changed & tile.loaded;
    add_moments(elements_[t], moved & touching, 1.0, touching_);
    add_moments(elements_[t], moved & ~touching, -1.0, touching_);
  }
}

Index LayerTiles::find_loaded(const Plane& apart, const Plane& touching) {
  const double rounding = std::max(calc_rounding(apart), calc_rounding(touching));
  Index changes = 0;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    Tile& tile = tiles_[t];
    const Plane& plane = tile.touching == kAll ? touching : apart;
    const bool mixed = tile.touching != kNone && tile.touching != kAll;
    if (!mixed && (tile.loaded == kNone || tile.loaded == kAll)) {
      const Range range = calc_range(tile, plane);
      if (tile.loaded == kNone ? range.low > -rounding : range.high < rounding) continue;
    }
    Sides sides = find_sides(elements_[t], plane, rounding);
    if (mixed) {
      const Sides others = find_sides(elements_[t], touching, rounding);
      sides.below = (sides.below & ~tile.touching) | (others.below & tile.touching);
      sides.zero = (sides.zero & ~tile.touching) | (others.zero & tile.touching);
    }
    const Bits loaded = sides.below | (sides.zero & tile.loaded), changed = loaded ^ tile.loaded;
    tile.loaded = loaded;
    changes += std::popcount(changed);
    const Bits added = changed & loaded, removed = changed & ~loaded;
    add_moments(elements_[t], added, 1.0, moments_);
    add_moments(elements_[t], removed, -1.0, moments_);
    add_moments(elements_[t], added & tile.touching, 1.0, touching_);
    add_moments(elements_[t], removed & tile.touching, -1.0, touching_);
  }
  return changes;
}

Vector3d LayerTiles::write_forces(const LayerLaw& law, VectorXd& forces) const {
  using padded::Lanes;
  constexpr Index kLanes = padded::kLanes;
  forces.resize(count_);
  const LanePlane gap(law.gap), change(law.change), correction(law.correction);
  const double k = law.stiffness, b = law.damping, x0 = x0_, y0 = y0_;
  // What rounding alone may have made is no change: rows that move nothing, on a hinge, would be seen to carry a load.
  const double least = 0.25 * (calc_rounding(law.gap) + calc_rounding(law.change));
  Lanes sum = {}, sum_x = {}, sum_y = {};
  const auto calc_eight = [&](Index i) {
    const Lanes x = padded::lanes(x_.data() + i).v, y = padded::lanes(y_.data() + i).v, phi = gap.at(x, y);
    Lanes delta = change.at(x, y);
    delta = delta * delta > least * least ? delta : Lanes{};
    Lanes depth = phi + delta;
    if (law.corrected) {
      const Lanes more = correction.at(x, y);
      delta += more;
      depth += more;
    }
    const Lanes press = k * depth + (phi <= 0.0 ? b * delta : Lanes{});
    const Lanes force = padded::lanes(area_.data() + i).v * (press < 0.0 ? -press : Lanes{});
    sum += force;
    sum_x += force * (x - x0);
    sum_y += force * (y - y0);
    return force;
  };
  Index i = 0;
  for (; i + kLanes <= count_; i += kLanes) padded::lanes(forces.data() + i).v = calc_eight(i);
  if (i < count_) {
    const Lanes last = calc_eight(i);
    for (Index j = 0; i + j < count_; ++j) forces(i + j) = last[j];
  }
  return {padded::sum_of(sum), padded::sum_of(sum_x) * per_reach_, padded::sum_of(sum_y) * per_reach_};
}

}  // namespace tribo::compliant
