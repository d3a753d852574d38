#include "sim/overlap_watch.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace tribo {

namespace {

std::string millimetres(double length) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), 1e3 * length, std::chars_format::general, 3).ptr;
  return std::string(text.data(), end) + " mm";
}

std::string name_shape(const CollisionModel& collision, Index shape) {
  const std::string& name = collision.shapes()[shape].name;
  return name.empty() ? "geom " + std::to_string(shape) : "'" + name + "'";
}

}  // namespace

OverlapWatch::OverlapWatch(const CollisionModel& collision) {
  for (std::size_t s = 0; s < collision.shapes().size(); ++s) {
    const auto shape = static_cast<Index>(s);
    const bool endless = collision.shapes()[s].shape.type == ShapeType::kPlane || collision.surface(shape) != nullptr;
    const std::array<Vector3d, 2>& bounds = collision.bounds(shape);
    most_.push_back(endless ? std::numeric_limits<double>::infinity() : 0.5 * (bounds[1] - bounds[0]).minCoeff());
  }
}

void OverlapWatch::look(const std::vector<ContactRecord>& contacts, const CollisionModel& collision, double h,
                        std::vector<std::string>& warnings) {
  for (const ContactRecord& contact : contacts) {
    const Index a = contact.shape_a, b = contact.shape_b;
    const double depth = std::max(-contact.gap, -contact.gap - h * contact.velocity(2));
    const double most = std::min(most_[a], most_[b]);
    if (!(depth > most)) continue;
    const std::array<Index, 2> pair{a, b};
    const auto at = std::lower_bound(told_.begin(), told_.end(), pair);
    if (at != told_.end() && *at == pair) continue;
    told_.insert(at, pair);
    warnings.push_back(name_shape(collision, a) + " and " + name_shape(collision, b) + " overlap by " +
                       millimetres(depth) + ", more than half of the thinner one (" + millimetres(2.0 * most) +
                       "): they may pass through one another; take a smaller step or a stiffer material, or move them "
                       "apart at the start");
  }
}

}  // namespace tribo
