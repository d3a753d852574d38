// Counts what is allocated during a call. The allocator that counts is in allocation_test.cpp.
#pragma once

#include <atomic>

namespace tribo::testing {

inline std::atomic<bool> armed{false};
inline std::atomic<int> allocations{0};

template <typename Call>
int count_allocations(const Call& call) {
  allocations = 0;
  armed = true;
  call();
  armed = false;
  return allocations;
}

}  // namespace tribo::testing
