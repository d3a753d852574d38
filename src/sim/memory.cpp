#include "sim/memory.hpp"

#include <algorithm>

namespace tribo {

void Memory::sort() {
  const auto before = [](const KnownImpulse& x, const KnownImpulse& y) { return x.key < y.key; };
  if (!std::is_sorted(known_.begin(), known_.end(), before)) std::stable_sort(known_.begin(), known_.end(), before);
}

const KnownImpulse* Memory::find(const ContactKey& key) const {
  const auto found = std::lower_bound(known_.begin(), known_.end(), key,
                                      [](const KnownImpulse& x, const ContactKey& k) { return x.key < k; });
  return found != known_.end() && found->key == key ? &*found : nullptr;
}

}  // namespace tribo
