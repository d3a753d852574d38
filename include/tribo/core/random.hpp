// Seeded random numbers with the same sequence on every platform and compiler (the standard's distributions
// promise none). Generator: xoshiro256++ (Blackman and Vigna), seeded through splitmix64.
#pragma once

#include <array>
#include <cstdint>

namespace tribo {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t bits();                                       // 64 random bits
  double uniform();                                           // [0, 1)
  double uniform(double low, double high);                    // [low, high)
  double normal();                                            // mean 0, standard deviation 1
  std::int64_t integer(std::int64_t low, std::int64_t high);  // low … high, both included
  bool chance(double probability);                            // true with this probability

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace tribo
