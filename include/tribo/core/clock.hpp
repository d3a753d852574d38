// Wall time for reports.
#pragma once

#include <chrono>
#include <utility>

namespace tribo {

class Stopwatch {
 public:
  Stopwatch() : start_(std::chrono::steady_clock::now()) {}
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  // Seconds since the start or the last lap; the next one begins.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_;
};

// Of a phase that may not be asked for: reading a clock takes some 30 ns, which counts in a step of a microsecond.
class PhaseWatch {
 public:
  explicit PhaseWatch(bool runs) : start_(runs ? Clock::now() : Clock::time_point()), runs_(runs) {}
  // Seconds since the start or the last lap; 0 where it does not run.
  double lap() {
    if (!runs_) return 0.0;
    const Clock::time_point now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
  bool runs_;
};

}  // namespace tribo
