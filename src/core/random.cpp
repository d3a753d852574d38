#include "tribo/core/random.hpp"

#include "tribo/core/assert.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace tribo {

Random::Random(std::uint64_t seed) {
  for (auto& word : state_) {  // splitmix64
    seed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t x = seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    word = x ^ (x >> 31);
  }
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Random::normal() {
  // Box and Muller, one of the pair; 1 − u is never zero.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  TRIBO_REQUIRE(low <= high, "Random::integer needs low <= high");
  const auto span = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<std::int64_t>(span == 0 ? bits() : bits() % span);
}

bool Random::chance(double probability) { return uniform() < probability; }

}  // namespace tribo
