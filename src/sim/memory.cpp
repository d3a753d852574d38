#include "sim/memory.hpp"

#include <algorithm>

namespace tribo {

void Memory::add(const KnownImpulse& impulse) {
  known_.push_back(impulse);
  known_.back().place = static_cast<std::int32_t>(known_.size());
}

// By place among equal keys: a stable sort would take memory.
void Memory::sort() {
  const auto before = [](const KnownImpulse& x, const KnownImpulse& y) {
    return std::tie(x.key, x.place) < std::tie(y.key, y.place);
  };
  if (!std::is_sorted(known_.begin(), known_.end(), before)) std::sort(known_.begin(), known_.end(), before);
}

const KnownImpulse* Memory::find(const ContactKey& key) {
  if (next_ < known_.size() && known_[next_].key == key && (next_ == 0 || known_[next_ - 1].key != key))
    return &known_[next_++];
  const auto found = std::lower_bound(known_.begin(), known_.end(), key,
                                      [](const KnownImpulse& x, const ContactKey& k) { return x.key < k; });
  if (found == known_.end() || found->key != key) return nullptr;
  next_ = static_cast<std::size_t>(found - known_.begin()) + 1;
  return &*found;
}

}  // namespace tribo
