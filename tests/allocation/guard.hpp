// Counts what is allocated during a call, and measures what is held. The allocator that counts is in allocation_test.cpp.
#pragma once

#include <atomic>

#include <malloc.h>

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

// Bytes that the program holds from the allocator now.
inline std::size_t live_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace tribo::testing
