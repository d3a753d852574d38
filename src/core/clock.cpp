#include "tribo/core/clock.hpp"

#include <chrono>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

namespace tribo {
namespace {

constexpr double kNanosecond = 1e-9;                    // s
constexpr TickClock::Ticks kCalibrationTime = 300'000;  // ns; readings of 30 ns at both ends leave 1e-4

}  // namespace

const bool TickClock::counts_ = TickClock::has_constant_counter();
const TickClock::Both TickClock::loaded_ = TickClock::read_both();

TickClock::Both TickClock::read_both() { return {read_steady(), now()}; }

TickClock::Ticks TickClock::read_steady() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<Ticks>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// The invariant time stamp counter: it runs at one rate in every state of power (AMD64 manual, CPUID 8000_0007, EDX bit 8).
bool TickClock::has_constant_counter() {
#if defined(__x86_64__) && defined(__GNUC__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
#else
  return false;
#endif
}

// From when the program was loaded; a program that asks sooner than the calibration time waits for the rest of it.
double TickClock::calibrate() {
  if (!counts_) return kNanosecond;
  Both both = read_both();
  while (both.steady - loaded_.steady < kCalibrationTime) both = read_both();
  return kNanosecond * static_cast<double>(both.steady - loaded_.steady) /
         static_cast<double>(both.counter - loaded_.counter);
}

}  // namespace tribo
