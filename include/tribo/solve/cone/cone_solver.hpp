// Coulomb friction with the true cone, rigid or compliant, on any W (problem/cone_problem.hpp): a portfolio, island by island.
//     res = max_i  ω_i | r_i − P_K( r_i − û_i/ω_i ) |  /  max( max_i |q_i|, 1e-10 ),   ω_i = trace(W_ii)/D            (1)
// û = u + (mu |u_T|, 0); above mu = 1 the Alart–Curnier function joins in (cone_law.hpp says why), and contact problems have
// their own scales in place of the largest |q_i| (ConeProblem::norm, speed).
// Solved means res ≤ tolerance on the caller's data, and nothing else does.
//     one contact   closed solve (one_contact.hpp)
//     few           up to 24 rows: Newton's method on arrays of fixed size (small_newton.hpp)
//     many          a proximal point method whose inner Newton systems are factored in blocks; when that
//                   fails, again from other starts, among them sweeps of closed solves (island_solver.hpp)
//     mu > 3        by steps: first with smaller coefficients, each answer the start of the next
// Source    spec/cone. Differs: islands are solved apart; no method whose result depends on the order of the contacts comes
//           first (sweeps do, and where they are used they go by approach speed); ρ_N of the Alart–Curnier function is 1/mu
//           above mu = 1; the steps in mu, the other starts. No dense trailing block with pivoting.
// Promise   none that it converges (the operator is not monotone). Where there are several answers, one of them.
// Cost      few: 0.4 µs per Newton step at 12 rows. Many: O(fill) per step, with the contacts as nodes or with the bodies,
//           as the problem is given. No allocation after a problem of this size and shape. A warm start at an answer costs
//           one product with W and no factorization.
// Ends      kSolved · kIterationLimit · kBreakdown (reactions grow without bound: the contacts jam; a number not finite).
//           The best point of the proximal method comes back in every case; report.stages names the methods used,
//           report.fallback says that another start was needed, report.index is a contact of the first island that failed,
//           report.pivots counts Newton steps.
#pragma once

#include "tribo/problem/cone_problem.hpp"
#include "tribo/solve/report.hpp"

#include <limits>
#include <memory>

namespace tribo {

enum class ConeMethod {
  kAuto,         // one contact · small Newton · sweeps · proximal Newton, as far as needed
  kNewton,       // closed solve or dense Newton alone: islands of up to 24 rows
  kGaussSeidel,  // sweeps of exact one-contact solves
  kProximal,     // proximal point with an inner Newton method
};

struct ConeSettings {
  ConeMethod method = ConeMethod::kAuto;
  double tolerance = 1e-8;  // of (1), relative, > 0; what counts as solved
  double polish = 0.0;  // relative; once solved, by the start or later, a few Newton steps more towards this. 0: none
  Index most_polished = std::numeric_limits<Index>::max();  // contacts: larger islands are not polished
  int max_sweeps = 0;                                       // kGaussSeidel alone; 0: 100,000
  int max_outer = 2000;  // proximal steps from one start; islands of up to 24 contacts take at most 200
};

class ConeSolver {
 public:
  explicit ConeSolver(ConeSettings settings = {});
  ~ConeSolver();
  ConeSolver(ConeSolver&&) noexcept;
  ConeSolver& operator=(ConeSolver&&) noexcept;

  // Memory for every method on problems of this size and shape.
  void reserve(const ConeProblem& problem);
  SolveReport solve(const ConeProblem& problem, const ConeWarmStart& warm, ConeSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
