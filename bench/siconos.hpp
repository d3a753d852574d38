// Siconos' LCP solvers on our problems: a peer to be measured beside us, never part of the library. Built with
// siconos.cpp where libsiconos-numerics is installed, with siconos_absent.cpp elsewhere.
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"

#include <memory>
#include <string>

namespace tribo {

bool has_siconos();

// While it lives, nothing reaches standard output and error: Siconos writes there on every failed factorization.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int saved_out_ = -1, saved_error_ = -1;
};

enum class SiconosMethod { kLemke, kPgs, kNewtonMin, kNewtonFb };

class SiconosLcp {
 public:
  // Copies the problem and makes the options; neither is part of solve(). `tolerance`: of its own check, relative to |q|.
  SiconosLcp(const Lcp& lcp, SiconosMethod method, double tolerance = 1e-12);
  ~SiconosLcp();

  // From z = 0, one thread.
  void solve();                // its own check of the answer switched off: what is timed
  void solve_checked();        // with that check: what its users see as status
  std::string status() const;  // "solved", "limit", "failed (info)", "aborted" (its error handler was called)
  bool solved() const;
  int iterations() const;
  const LcpSolution& solution() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tribo
