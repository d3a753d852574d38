// What became of the trials, solver by solver and class by class.
#pragma once

#include "tribo/core/status.hpp"

#include <map>
#include <string>
#include <tuple>

#include "output.hpp"

namespace tribo {

enum class Ending {
  kSolved,      // with a certificate that passes
  kWrong,       // claimed solved, and the certificate does not pass
  kInfeasible,  // proved and verified
  kRay,         // Lemke's secondary ray, verified
  kUnverified,  // claimed infeasible or a ray, and the evidence does not hold
  kIterationLimit,
  kBreakdown,  // or an exception
};
std::string to_string(Ending ending);

struct Outcome {
  Ending ending = Ending::kBreakdown;
  double worst = 0.0;           // of the certificate, where solved was claimed
  bool ray_is_allowed = false;  // the ray itself shows that the condition of spec C.1 fails
  std::string detail = "";
};

// How a trial must end for a solver that promises to end.
struct Promise {
  bool always_ends = false;
  bool solvable = false;
  bool copositive = false;
};
bool ends_properly(const Outcome& outcome, const Promise& promise);
// The solver, or the check of its proof, said something that is not true.
bool is_false(const Outcome& outcome, const Promise& promise);

struct Tally {
  long count = 0;
  std::map<Ending, long> endings;
  long allowed_rays = 0;    // on solvable problems where the condition of spec C.1 fails
  long missing_ends = 0;    // always_ends, and it did not end properly
  long contradictions = 0;  // proved infeasible, and an answer is known to exist
  double worst = 0.0;       // certificate among all that were claimed as solved

  void add(const Outcome& outcome, const Promise& promise);
  long of(Ending ending) const;
};

class Tallies {
 public:
  // Where the trial came from, to make it again.
  struct Place {
    std::string form = "", solver = "", group = "", kind = "";
    std::uint64_t seed = 0, index = 0;
    long n = 0;
  };

  // Prints the first few failures of every solver and class.
  void add(Output& output, const Place& place, const Outcome& outcome, const Promise& promise);
  void print(Output& output) const;
  void check(Output& output) const;
  long trials() const { return trials_; }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // form, solver, group
  std::map<Key, Tally> tallies_;
  std::map<std::string, bool> promises_;  // solver: always_ends
  std::map<Key, int> shown_;
  long trials_ = 0;
};

}  // namespace tribo
