// Equality of bits. A result is kept only while all numbers that it depends on keep their bits: 0 and −0 differ, a NaN equals
// itself. T: doubles and integers without padding between them.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace tribo {

template <typename T>
bool same_bits(const T* a, const T* b, std::size_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0;
}

template <typename T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
}

}  // namespace tribo
