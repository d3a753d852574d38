#include "tribo/collision/collider.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/same_bits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "collision/collider_box.hpp"
#include "collision/convex_pair.hpp"
#include "collision/gjk.hpp"
#include "collision/triangle_contact.hpp"

namespace tribo {
namespace {

// Of the size. A kept axis must separate by this much more than asked, so that rounding cannot refute what the narrow phase lists.
constexpr double kClearlyApart = 1e-9;
constexpr std::size_t kFewVertices = 8;  // polytopes with more ask GJK first

// At most kMostPoints of them: by insertion.
void sort_by_feature(Manifold& manifold) {
  for (int i = 1; i < manifold.count; ++i) {
    for (int k = i; k > 0; --k) {
      ManifoldPoint& before = manifold.points[static_cast<std::size_t>(k) - 1];
      ManifoldPoint& after = manifold.points[static_cast<std::size_t>(k)];
      if (before.feature <= after.feature) break;
      std::swap(before, after);
    }
  }
}

}  // namespace

Collider::Collider(const CollisionModel& model) : model_(model), scratch_(std::make_shared<SurfaceScratch>()) {
  const std::size_t n = model.shapes().size();
  placed_.resize(n);
  boxes_.resize(n);
  moved_.assign(n, 1);
  around_.assign(n, -1.0);
  std::vector<std::uint8_t> used(n, 0);
  for (std::size_t s = 0; s < n; ++s) {
    const CollisionShape& shape = model.shapes()[s];
    placed_[s].shape = &shape.shape;
    placed_[s].polytope = model.polytope(static_cast<Index>(s));
    used[s] = shape.contype != 0 || shape.conaffinity != 0;
    const Polytope* const polytope = placed_[s].polytope;
    const ShapeType type = shape.shape.type;
    keeps_axis_.push_back((polytope != nullptr && polytope->vertices.size() > kFewVertices) ||
                          type == ShapeType::kCylinder || type == ShapeType::kEllipsoid);
  }
  for (const auto& pair : model.input().pairs)
    for (const Index s : pair) used[static_cast<std::size_t>(s)] = 1;
  for (std::size_t s = 0; s < n; ++s) {
    if (used[s] == 0) continue;
    (model.shapes()[s].shape.type == ShapeType::kPlane ? planes_ : shapes_).push_back(static_cast<Index>(s));
  }
  order_ = shapes_;
  active_.reserve(shapes_.size());
}

void Collider::place(std::span<const Pose> bodies, std::span<const double> reach) {
  const auto place_one = [&](Index shape) {
    const std::size_t s = static_cast<std::size_t>(shape);
    const CollisionShape& given = model_.shapes()[s];
    PlacedShape& placed = placed_[s];
    Pose pose = bodies[static_cast<std::size_t>(given.body)] * given.pose;
    pose.q.normalize();
    const double around = margins_[s] + (reach.empty() ? 0.0 : 2.0 * reach[s]);  // half of it on each side of a pair
    moved_[s] = !same_bits(pose.p.data(), placed.pose.p.data(), 3) ||
                !same_bits(pose.q.coeffs().data(), placed.pose.q.coeffs().data(), 4);
    if (moved_[s] == 0 && around == around_[s]) return;
    around_[s] = around;
    placed.pose = pose;
    placed.R = pose.q.toRotationMatrix();
    enclose(placed, model_.bounds(shape), around, boxes_[s].low, boxes_[s].high);
    // A pose that is not a number touches nothing; sorting must not see it.
    if (!boxes_[s].low.allFinite() || !boxes_[s].high.allFinite() || !placed.R.allFinite()) {
      boxes_[s].low.setConstant(std::numeric_limits<double>::infinity());
      boxes_[s].high = -boxes_[s].low;
    }
  };
  for (const Index s : shapes_) place_one(s);
  for (const Index s : planes_) place_one(s);
}

// Along the axis on which the shapes are spread most. From step to step little changes, and insertion is nearly free; after a
// large change it gives way to a full sort. The pairs do not depend on either.
void Collider::sort_along_axis() {
  Vector3d sum = Vector3d::Zero(), squares = Vector3d::Zero();
  double count = 0.0;
  for (const Index s : shapes_) {
    const Box& box = boxes_[static_cast<std::size_t>(s)];
    if (!(box.low(0) <= box.high(0))) continue;
    const Vector3d centre = 0.5 * (box.low + box.high);
    sum += centre;
    squares += centre.cwiseAbs2();
    count += 1.0;
  }
  Index axis = 0;
  if (count > 0.0) (squares / count - (sum / count).cwiseAbs2()).maxCoeff(&axis);
  const auto key = [&](Index s) { return boxes_[static_cast<std::size_t>(s)].low(axis); };
  bool insert = axis == axis_;
  axis_ = axis;
  if (insert) {
    std::size_t moves = 8 * order_.size() + 64;
    for (std::size_t i = 1; i < order_.size() && insert; ++i) {
      const Index s = order_[i];
      const double at = key(s);
      std::size_t k = i;
      for (; k > 0 && key(order_[k - 1]) > at && moves > 0; --k, --moves) order_[k] = order_[k - 1];
      order_[k] = s;
      insert = moves > 0;
    }
  }
  if (!insert) std::sort(order_.begin(), order_.end(), [&](Index s, Index t) { return key(s) < key(t); });
}

void Collider::find_pairs(std::span<const double> reach) {
  near_.clear();
  const auto add = [&](Index s, Index t) { near_.push_back({std::min(s, t), std::max(s, t)}); };
  active_.clear();
  for (const Index s : order_) {
    const Box& box = boxes_[static_cast<std::size_t>(s)];
    if (!(box.low(axis_) <= box.high(axis_))) continue;
    std::size_t kept = 0;
    for (const Index t : active_) {
      const Box& other = boxes_[static_cast<std::size_t>(t)];
      if (other.high(axis_) < box.low(axis_)) continue;  // left behind for good
      active_[kept++] = t;
      if ((box.low.array() > other.high.array()).any() || (other.low.array() > box.high.array()).any()) continue;
      if (model_.may_touch(s, t)) add(s, t);
    }
    active_.resize(kept);
    active_.push_back(s);
  }
  for (const Index plane : planes_) {
    const PlacedShape& ground = placed_[static_cast<std::size_t>(plane)];
    if (!ground.R.allFinite() || !ground.pose.p.allFinite()) continue;
    const Vector3d normal = ground.R.col(2);
    for (const Index s : shapes_) {
      const Box& box = boxes_[static_cast<std::size_t>(s)];
      if (!(box.low(0) <= box.high(0))) continue;
      const Vector3d centre = 0.5 * (box.low + box.high);
      const double extent = normal.cwiseAbs().dot(0.5 * (box.high - box.low));
      const double own = reach.empty() ? 0.0 : reach[static_cast<std::size_t>(plane)];
      const double half_margin = 0.5 * margins_[static_cast<std::size_t>(s)];  // the other half is in the box
      if (normal.dot(centre - ground.pose.p) > extent + half_margin + own) continue;
      if (model_.may_touch(s, plane)) add(s, plane);
    }
  }
  std::sort(near_.begin(), near_.end());
}

// The pairs with what is known of those that were there in the last search.
void Collider::recall_pairs() {
  std::swap(pairs_, last_pairs_);
  pairs_.clear();
  auto last = last_pairs_.begin();
  for (const std::array<Index, 2>& shapes : near_) {
    const auto key = [&] { return std::array<Index, 2>{last->a, last->b}; };
    while (last != last_pairs_.end() && key() < shapes) ++last;
    const bool known = last != last_pairs_.end() && key() == shapes;
    pairs_.push_back(known ? *last : Pair{.a = shapes[0], .b = shapes[1]});
  }
}

// True: all that the contacts of the pair depend on is as it was in the last search.
bool Collider::rests(const Pair& pair, double range) const {
  return pair.range == range && moved_[static_cast<std::size_t>(pair.a)] == 0 &&
         moved_[static_cast<std::size_t>(pair.b)] == 0;
}

// True: the kept axis separates them by more than `range`.
bool Collider::is_apart(const Pair& pair, double range) const {
  if (pair.apart.isZero(0.0)) return false;
  const PlacedShape &a = placed_[static_cast<std::size_t>(pair.a)], &b = placed_[static_cast<std::size_t>(pair.b)];
  const Vector3d between = a.pose.p - b.pose.p;  // of shapes far from the origin, to the last digit
  const Core core_a = make_core(a, a.R, between), core_b = make_core(b, b.R, Vector3d::Zero());
  const double apart = pair.apart.dot(core_a.support(-pair.apart) - core_b.support(pair.apart));
  const double size = core_a.extent() + core_b.extent() + between.norm();
  return apart - core_a.radius - core_b.radius > range + kClearlyApart * size;
}

// True: they are near one another, and their motions leave more than the margin between them. Decided by the normal of GJK, never by
// a kept axis: it would depend on earlier searches.
bool Collider::passes(const Pair& pair, double range) {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  const double margin = std::min(margins_[a], margins_[b]), more = motions_[a].more + motions_[b].more;
  if (margin + more >= range || range <= 2.0 * margin) return false;  // slow ones: the test costs what it saves
  const CorePair cores(placed_[a], placed_[b]);
  const Distance found = cores.measure(range);
  const double gap = found.distance - cores.radius;
  if (found.overlap || !(gap > margin) || cores.proves_apart(found, range)) return false;
  const Vector3d normal = placed_[a].R * found.normal;
  if (!(gap > margin + more + normal.dot(motions_[b].way - motions_[a].way))) return false;
  passing_.push_back({pair.a, pair.b, normal, gap});
  return true;
}

void Collider::touch_pair(Pair& pair, double range) {
  const auto [a, b] = std::pair(pair.a, pair.b);
  const PlacedShape& placed_a = placed_[static_cast<std::size_t>(a)];
  const PlacedShape& placed_b = placed_[static_cast<std::size_t>(b)];
  const bool plane_a = placed_a.shape->type == ShapeType::kPlane, plane_b = placed_b.shape->type == ShapeType::kPlane;
  const TriangleSurface* const surface_a = model_.surface(a);
  const TriangleSurface* const surface_b = model_.surface(b);
  if (surface_a != nullptr || surface_b != nullptr) {
    const bool first = surface_a != nullptr;
    ++counts_.distances;
    collide_surface(first ? placed_b : placed_a, model_.bounds(first ? b : a), first ? *surface_a : *surface_b,
                    first ? placed_a.pose : placed_b.pose, range, *scratch_);
    for (const SurfaceContact& found : scratch_->reduced)
      found_.push_back({a, b, found.point, first ? Vector3d(-found.normal) : found.normal, found.gap, found.feature});
    return;
  }
  const bool keeps = !plane_a && !plane_b &&
                     (keeps_axis_[static_cast<std::size_t>(a)] != 0 || keeps_axis_[static_cast<std::size_t>(b)] != 0);
  if (keeps && is_apart(pair, range)) return;
  ++counts_.distances;
  if (keeps && !motions_.empty() && passes(pair, range)) return;
  if (plane_a)
    collide_plane(placed_b, placed_a.pose, range, manifold_);
  else if (plane_b)
    collide_plane(placed_a, placed_b.pose, range, manifold_);
  else
    collide(placed_a, placed_b, range, manifold_);
  if (manifold_.count == 0) {
    if (keeps) pair.apart = manifold_.normal;
    return;
  }
  sort_by_feature(manifold_);
  const Vector3d normal = plane_a ? Vector3d(-manifold_.normal) : manifold_.normal;
  for (int k = 0; k < manifold_.count; ++k) {
    const ManifoldPoint& found = manifold_.points[static_cast<std::size_t>(k)];
    found_.push_back({a, b, found.point, normal, found.gap, found.feature});
  }
}

void Collider::find(std::span<const Pose> bodies, double margin, std::vector<FoundContact>& contacts,
                    std::span<const double> reach, std::span<const double> margins,
                    std::span<const ShapeMotion> motions) {
  const std::size_t n = model_.shapes().size();
  TRIBO_REQUIRE(bodies.size() == model_.input().group.size(), "one pose for each body of the model");
  TRIBO_REQUIRE(margin >= 0.0 && margin < 1e9, "a finite margin >= 0");
  TRIBO_REQUIRE(reach.empty() || reach.size() == n, "one reach for each shape of the model");
  TRIBO_REQUIRE(margins.empty() || margins.size() == n, "one margin for each shape of the model");
  margins_.assign(n, margin);
  for (std::size_t s = 0; s < margins.size(); ++s) margins_[s] = std::min(margin, margins[s]);
  TRIBO_REQUIRE(motions.empty() || motions.size() == n, "one motion for each shape of the model");
  place(bodies, reach);
  for (std::size_t s = 0; s < n; ++s) {
    const ShapeMotion now = motions.empty() ? ShapeMotion{} : motions[s];
    const ShapeMotion last = motions_.empty() ? ShapeMotion{} : motions_[s];
    if (!(now == last)) moved_[s] = 1;
  }
  motions_.assign(motions.begin(), motions.end());
  passing_.clear();
  sort_along_axis();
  find_pairs(reach);
  recall_pairs();
  std::swap(found_, last_found_);
  found_.clear();
  counts_ = {};
  counts_.pairs = std::ssize(pairs_);
  for (Pair& pair : pairs_) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    const double both = reach.empty() ? 0.0 : reach[a] + reach[b];
    const double range = std::min(margins_[a], margins_[b]) + both;
    const std::size_t first = found_.size();
    if (rests(pair, range)) {
      const auto kept = last_found_.begin() + static_cast<std::ptrdiff_t>(pair.first);
      found_.insert(found_.end(), kept, kept + static_cast<std::ptrdiff_t>(pair.count));
    } else {
      touch_pair(pair, range);
    }
    pair.range =
        !passing_.empty() && passing_.back().shape_a == pair.a && passing_.back().shape_b == pair.b ? -1.0 : range;
    pair.first = first;
    pair.count = found_.size() - first;
    counts_.manifolds += pair.count > 0 ? 1 : 0;
  }
  contacts = found_;
  last_pairs_.reserve(pairs_.capacity());  // they change places in the next search, which then takes no memory
  last_found_.reserve(found_.capacity());
}

}  // namespace tribo
