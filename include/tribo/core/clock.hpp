// Wall time for reports. A step of microseconds is timed in ten parts, so a reading must be cheap: the processor's counter where
// it has one that runs at a constant rate (8 to 14 ns), the steady clock elsewhere (27 ns).
#pragma once

#include <cstdint>
#include <utility>

namespace tribo {

// Not for measuring across threads or against other clocks: its rate is known to 1e-4.
class TickClock {
 public:
  using Ticks = std::uint64_t;
  static Ticks now() {
#if defined(__x86_64__) && defined(__GNUC__)
    if (counts_) return __builtin_ia32_rdtsc();
#endif
    return read_steady();
  }
  static double seconds(Ticks ticks) { return static_cast<double>(ticks) * period(); }

 private:
  static double period() {  // s
    static const double period = calibrate();
    return period;
  }
  struct Both {
    Ticks steady, counter;  // ns, ticks
  };
  static Ticks read_steady();  // ns
  static Both read_both();
  static double calibrate();
  static bool has_constant_counter();

  static const bool counts_;  // the processor's counter is used
  static const Both loaded_;  // when the program was loaded
};

class Stopwatch {
 public:
  Stopwatch() : start_(TickClock::now()) {}
  double seconds() const { return TickClock::seconds(TickClock::now() - start_); }
  // Seconds since the start or the last lap; the next one begins.
  double lap() {
    const TickClock::Ticks now = TickClock::now();
    return TickClock::seconds(now - std::exchange(start_, now));
  }

 private:
  TickClock::Ticks start_;
};

// Of a phase that may not be asked for.
class PhaseWatch {
 public:
  explicit PhaseWatch(bool runs) : start_(runs ? TickClock::now() : 0), runs_(runs) {}
  // Seconds since the start or the last lap; 0 where it does not run.
  double lap() {
    if (!runs_) return 0.0;
    const TickClock::Ticks now = TickClock::now();
    return TickClock::seconds(now - std::exchange(start_, now));
  }

 private:
  TickClock::Ticks start_;
  bool runs_;
};

}  // namespace tribo
