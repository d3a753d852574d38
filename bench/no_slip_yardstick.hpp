// What `bench no-slip` measures its times with, in the same run:
//     pass        one multiply-add per stored number of the rows that a model uses: N, or N, S and T
//     Cholesky    one factor of size m
// Nothing that reads all rows is faster than the pass. It is therefore kept as fast as this machine allows: plain
// arrays, nothing written, several sums in vector registers, fused where the machine can.
#pragma once

#include "tribo/linalg/types.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "timing.hpp"

namespace tribo {

// Σ factor · number.
double multiply_add_all(std::span<const double> numbers, double factor);

// The compiler must take what lies there for read and changed.
inline void keep(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

// The rows that a model uses as they are stored in the problem: one stretch of numbers for N, one each for S and T.
class RowNumbers {
 public:
  RowNumbers(const ContactProblem& problem, const ContactModel& model);

  std::size_t count() const;
  void pass() const;      // over the numbers where they are
  VectorXd copy() const;  // aligned for vector registers

 private:
  std::vector<std::span<const double>> stretches_;
};

// One Cholesky factor of a matrix of size m by Eigen, of fixed size for m = 6: a yardstick that our own work does not move.
double cholesky_seconds(Index m, double budget);
double own_cholesky_seconds(Index m, double budget);  // by factor_cholesky()

// For work of well below a microsecond: the clock and the first, cold call must not count.
template <typename Work>
double least_seconds_short(Work&& work, double budget) {
  constexpr int kCalls = 64;
  const auto many = [&] {
    for (int i = 0; i < kCalls; ++i) work();
  };
  return least_seconds(many, budget) / kCalls;
}

// Two pieces of work in turns, so that a disturbance of the machine meets both; `measure` is one of the two above.
template <typename Measure, typename First, typename Second>
std::pair<double, double> least_in_turns(Measure&& measure, First&& first, Second&& second, double budget) {
  constexpr int kTurns = 4;
  double a = 1e300, b = 1e300;
  for (int turn = 0; turn < kTurns; ++turn) {
    a = std::min(a, measure(first, 0.7 * budget / kTurns));
    b = std::min(b, measure(second, 0.3 * budget / kTurns));
  }
  return {a, b};
}

// Bytes that the program has allocated at present; nothing where the C library does not say.
std::optional<std::size_t> allocated_bytes();

}  // namespace tribo
