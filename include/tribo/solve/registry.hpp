// One table of solvers and what they can do. It drives the tests, the benchmarks, the command line and the table in docs/,
// so that adding a solver is adding one row.
#pragma once

#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/least_distance.hpp"
#include "tribo/problem/pyramid.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace tribo {

// A solver behind one interface. Forms that its row of the table does not list are refused (ContractError).
class ComplementaritySolver {
 public:
  virtual ~ComplementaritySolver() = default;
  virtual void reserve(Index rows) = 0;                    // matrix forms
  virtual void reserve_factored(Index rows, Index m) = 0;  // factored form
  virtual SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) = 0;
  virtual SolveReport solve(const MixedLcp& lcp, const WarmStart& warm, MixedLcpSolution& solution) = 0;
  virtual SolveReport solve(const BoxLcp& lcp, const WarmStart& warm, BoxLcpSolution& solution) = 0;
  virtual SolveReport solve(const FactoredLcp& lcp, const WarmStart& warm, LcpSolution& solution) = 0;
  virtual SolveReport solve(const LeastDistance& problem, const WarmStart& warm, LcpSolution& solution) = 0;
  virtual SolveReport solve(const PyramidProblem& problem, std::span<const LoadedContact> warm,
                            PyramidSolution& solution) = 0;
  virtual SolveReport solve(const ConeProblem& problem, const ConeWarmStart& warm, ConeSolution& solution) = 0;
};

enum class Matrices {
  kAny,           // any square matrix
  kSymmetricPsd,  // symmetric positive semidefinite
};

struct Capability {
  std::string_view name;     // of the command line: "lemke/standard"
  std::string_view summary;  // one line
  std::string_view source;   // paper or spec section
  Matrices matrices;
  bool lcp, mixed, box, factored;  // forms it takes; factored: FactoredLcp and LeastDistance
  bool pyramid;                    // takes PyramidProblem: Coulomb friction by its structure
  bool cone;                       // takes ConeProblem: Coulomb friction with the true cone
  bool always_ends;        // in an answer or a proof, on every problem of its class that is not too ill-conditioned
  bool proves_infeasible;  // returns evidence when there is no answer
  bool allocation_free;    // after reserve, for a solve that ends solved; evidence is allocated
  std::string_view warm_start;  // "index set", "vector", "loaded contacts", "impulses, states"
  Index size_limit;             // largest sensible number of rows (cone: of contacts); 0: none
  std::unique_ptr<ComplementaritySolver> (*make)();
};

std::span<const Capability> capabilities();
const Capability* find_capability(std::string_view name);  // null: no such solver

// A warm start at an answer, for either kind of solver: active where z > 0 (or inside its bounds).
WarmStart warm_start_at(const LcpSolution& solution);
WarmStart warm_start_at(const MixedLcpSolution& solution);
WarmStart warm_start_at(const BoxLcp& lcp, const BoxLcpSolution& solution);

}  // namespace tribo
