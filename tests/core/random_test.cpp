#include "tribo/core/random.hpp"

#include "tribo/core/assert.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// An independent second writing of xoshiro256++ on four words that splitmix64 makes from the seed: the
// sequence is part of the promise, because every seeded problem follows from it.
TEST(Random, FollowsThePublishedGenerator) {
  std::uint64_t seed = 42;
  std::array<std::uint64_t, 4> s{};
  for (auto& word : s) {
    word = (seed += 0x9e3779b97f4a7c15ULL);
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
    word ^= word >> 31;
  }
  const auto rotate = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
  Random random(42);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t expected = rotate(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    ASSERT_EQ(random.bits(), expected) << i;
  }
}

// Replays depend on it: same seed, same numbers; other seed, other numbers.
TEST(Random, SameSeedSameNumbers) {
  Random a(7), b(7), c(8);
  bool differs = false;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(a.normal(), b.normal());
    const double next = a.uniform();
    EXPECT_EQ(next, b.uniform());
    if (next != c.uniform()) differs = true;
  }
  EXPECT_TRUE(differs);
}

// Uniform numbers stay inside [low, high) and have the mean and variance of the uniform law.
TEST(Random, UniformHasItsRangeMeanAndVariance) {
  Random random(1);
  const int n = 200000;
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(-1.0, 3.0);
    ASSERT_GE(x, -1.0);
    ASSERT_LT(x, 3.0);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / n;
  EXPECT_NEAR(mean, 1.0, 0.013);  // five standard errors, 1.155 / √n
  EXPECT_NEAR(squares / n - mean * mean, 16.0 / 12.0, 0.014);
}

// Normal numbers have mean 0, variance 1 and the tail of the normal law (31.7 % outside of one deviation).
TEST(Random, NormalHasItsMeanVarianceAndTail) {
  Random random(2);
  const int n = 200000;
  double sum = 0.0, squares = 0.0;
  int outside = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    outside += std::abs(x) > 1.0 ? 1 : 0;
  }
  EXPECT_NEAR(sum / n, 0.0, 0.012);
  EXPECT_NEAR(squares / n, 1.0, 0.016);
  EXPECT_NEAR(static_cast<double>(outside) / n, 0.3173, 0.0053);
}

// Both ends are included and every value occurs equally often.
TEST(Random, IntegerCoversBothEnds) {
  Random random(3);
  std::array<int, 5> count{};
  for (int i = 0; i < 50000; ++i) {
    const auto x = random.integer(-2, 2);
    ASSERT_GE(x, -2);
    ASSERT_LE(x, 2);
    ++count[static_cast<std::size_t>(x + 2)];
  }
  for (const int c : count) EXPECT_NEAR(c, 10000, 450);  // five standard deviations
  EXPECT_EQ(random.integer(9, 9), 9);
}

// An empty range has no answer.
TEST(Random, IntegerRefusesAnEmptyRange) {
  Random random(4);
  EXPECT_THROW(random.integer(1, 0), ContractError);
}

// Probabilities 0 and 1 are certainties.
TEST(Random, ChanceIsCertainAtItsEnds) {
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) {
    EXPECT_FALSE(random.chance(0.0));
    EXPECT_TRUE(random.chance(1.0));
    hits += random.chance(0.25) ? 1 : 0;
  }
  EXPECT_NEAR(hits, 2500, 217);
}

}  // namespace
}  // namespace tribo
