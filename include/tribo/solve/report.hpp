// What a solver says about how it went. Statuses are claims; certify/ decides whether they are true.
#pragma once

#include "tribo/core/status.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/warm_start.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tribo {

// Methods inside a solver that has several.
enum class Method : std::uint8_t {
  kStates,         // direct solve for the states (open, sticks, slides) of the start
  kOneContact,     // closed solve of an island with one contact
  kSmallNewton,    // dense Newton method of small islands
  kSweeps,         // block Gauss-Seidel sweeps
  kProximal,       // proximal point method with an inner Newton method
  kEnergy,         // the same with an energy that falls
  kBilateral,      // linear system: no row has a bound
  kDiscs,          // friction discs of the normal forces of the iteration before
  kNewton,         // Newton's method on Coulomb's law
  kConvexCone,     // Newton's method on the convex relaxation
  kNormals,        // Newton's method on complementarity or discs of fixed size
  kLastActiveSet,  // active set of the start verified
  kDualActiveSet,
  kInteriorPoint,
  kActiveSet,  // active set of the interior point verified
};
inline constexpr int kMethods = 15;
std::string_view to_string(Method method);

class MethodSet {
 public:
  constexpr MethodSet() = default;
  constexpr MethodSet(std::initializer_list<Method> methods) {
    for (const Method method : methods) add(method);
  }
  constexpr void add(Method method) { bits_ |= 1U << static_cast<unsigned>(method); }
  constexpr bool has(Method method) const { return (bits_ >> static_cast<unsigned>(method) & 1U) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  void add(MethodSet other) { bits_ |= other.bits_; }
  bool operator==(const MethodSet&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

// "small newton, sweeps", in the order of Method; empty: "nothing to do". The second keeps the memory of `text`.
std::string to_string(MethodSet methods);
void write(MethodSet methods, std::string& text);

struct [[nodiscard]] SolveReport {
  Status status = Status::kBreakdown;
  int iterations = 0;       // pivots or sweeps: what the method counts
  int pivots = 0;           // changes of the index set
  int sweeps = 0;           // passes over all rows (sweeping methods)
  int refactored = 0;       // factors rebuilt because accuracy had decayed
  bool fallback = false;    // the method gave up (cycle, singular pivot) and its documented fallback finished
  Index index = -1;         // the row that a breakdown is about
  const char* detail = "";  // one phrase on why it ended so
  MethodSet methods = {};   // those that were used, where a solver has several
};

}  // namespace tribo
