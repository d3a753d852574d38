#include "tribo/linalg/padded.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// A single number anywhere decides, among those looked at together and in the tail; NaN is a number to be looked at.
TEST(Padded, IsZeroOnlyWhenEveryNumberIs) {
  for (const Index count : {0, 1, 63, 64, 65, 200}) {
    std::vector<double> x(static_cast<std::size_t>(count), 0.0);
    EXPECT_TRUE(padded::is_zero(x.data(), count));
    for (double& number : x) {
      number = -0.0;
      EXPECT_TRUE(padded::is_zero(x.data(), count));
      for (const double other : {std::numeric_limits<double>::denorm_min(), -1.0, std::nan("")}) {
        number = other;
        EXPECT_FALSE(padded::is_zero(x.data(), count));
      }
      number = 0.0;
    }
  }
}

// Passes over many rows are as fast as memory only where no eight numbers lie in two cache lines.
TEST(Padded, VectorsBeginWithACacheLine) {
  for (const std::size_t count : {1U, 7U, 100U, 100000U}) {
    padded::Vector x(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0U);
    x.resize(3 * count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0U);
  }
}

}  // namespace
}  // namespace tribo
