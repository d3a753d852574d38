#include "tribo/solve/registry.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/solve/cone/cone_solver.hpp"
#include "tribo/solve/oracle/enumerate.hpp"
#include "tribo/solve/pivot/dantzig.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/pivot/lemke.hpp"
#include "tribo/solve/pivot/principal_pivoting.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"
#include "tribo/solve/sweep/pgs.hpp"
#include "tribo/solve/sweep/pgs_sm.hpp"

#include <array>

namespace tribo {
namespace {

template <typename Solver>
class Adapter final : public ComplementaritySolver {
 public:
  void reserve(Index rows) override {
    if constexpr (requires { solver_.reserve(rows); }) solver_.reserve(rows);
  }
  void reserve_factored(Index rows, Index m) override {
    if constexpr (requires { solver_.reserve(rows, m); }) solver_.reserve(rows, m);
  }
  SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) override {
    return call(lcp, warm, solution);
  }
  SolveReport solve(const MixedLcp& lcp, const WarmStart& warm, MixedLcpSolution& solution) override {
    return call(lcp, warm, solution);
  }
  SolveReport solve(const BoxLcp& lcp, const WarmStart& warm, BoxLcpSolution& solution) override {
    return call(lcp, warm, solution);
  }
  SolveReport solve(const FactoredLcp& lcp, const WarmStart& warm, LcpSolution& solution) override {
    return call(lcp, warm, solution);
  }
  SolveReport solve(const LeastDistance& problem, const WarmStart& warm, LcpSolution& solution) override {
    return call(problem, warm, solution);
  }
  SolveReport solve(const PyramidProblem& problem, std::span<const LoadedContact> warm,
                    PyramidSolution& solution) override {
    return call(problem, warm, solution);
  }
  SolveReport solve(const ConeProblem& problem, const ConeWarmStart& warm, ConeSolution& solution) override {
    return call(problem, warm, solution);
  }

 private:
  template <typename Problem, typename Warm, typename Solution>
  SolveReport call(const Problem& problem, const Warm& warm, Solution& solution) {
    if constexpr (requires { solver_.solve(problem, warm, solution); }) {
      return solver_.solve(problem, warm, solution);
    } else {
      throw ContractError("this solver does not take this form of problem; see capabilities()");
    }
  }

  Solver solver_;
};

class StructuralLemke : public StructuredLemkeSolver {
 public:
  StructuralLemke() : StructuredLemkeSolver({.form = LemkeForm::kStructural}) {}
};

template <ConeMethod Method>
class ConeBy : public ConeSolver {
 public:
  ConeBy() : ConeSolver({.method = Method}) {}
};

template <typename Solver>
std::unique_ptr<ComplementaritySolver> make() {
  return std::make_unique<Adapter<Solver>>();
}

constexpr std::array kTable = {
    Capability{.name = "lemke/standard",
               .summary = "Lemke's method, lexicographic, on the core of the basis",
               .source = "Lloyd 2005",
               .matrices = Matrices::kAny,
               .lcp = true,
               .mixed = true,
               .box = false,
               .factored = false,
               .pyramid = false,
               .cone = false,
               .always_ends = false,
               .proves_infeasible = true,
               .allocation_free = true,
               .warm_start = "index set",
               .size_limit = 0,
               .make = make<LemkeSolver>},
    Capability{.name = "lemke/structural",
               .summary = "Lemke's method on Coulomb friction without its matrix, all friction rows",
               .source = "Lloyd 2005",
               .matrices = Matrices::kAny,
               .lcp = false,
               .mixed = false,
               .box = false,
               .factored = false,
               .pyramid = true,
               .cone = false,
               .always_ends = false,
               .proves_infeasible = false,
               .allocation_free = true,
               .warm_start = "loaded contacts",
               .size_limit = 0,
               .make = make<StructuralLemke>},
    Capability{.name = "lemke/reduced",
               .summary = "the same with the friction rows of loaded contacts only: pivots follow the bodies",
               .source = "Lloyd 2005",
               .matrices = Matrices::kAny,
               .lcp = false,
               .mixed = false,
               .box = false,
               .factored = false,
               .pyramid = true,
               .cone = false,
               .always_ends = false,
               .proves_infeasible = false,
               .allocation_free = true,
               .warm_start = "loaded contacts",
               .size_limit = 0,
               .make = make<StructuredLemkeSolver>},
    Capability{.name = "dual-active-set",
               .summary = "dual active set (Goldfarb, Idnani), finite on singular matrices",
               .source = "spec B.6",
               .matrices = Matrices::kSymmetricPsd,
               .lcp = true,
               .mixed = false,
               .box = false,
               .factored = true,
               .pyramid = false,
               .cone = false,
               .always_ends = true,
               .proves_infeasible = true,
               .allocation_free = true,
               .warm_start = "index set",
               .size_limit = 0,
               .make = make<DualActiveSetSolver>},
    Capability{.name = "ppm",
               .summary = "modified principal pivoting I with cycle detection, then dual active set",
               .source = "Drumwright 2015",
               .matrices = Matrices::kSymmetricPsd,
               .lcp = true,
               .mixed = false,
               .box = false,
               .factored = true,
               .pyramid = false,
               .cone = false,
               .always_ends = true,
               .proves_infeasible = true,
               .allocation_free = true,
               .warm_start = "index set",
               .size_limit = 0,
               .make = make<PrincipalPivotingSolver>},
    Capability{.name = "dantzig",
               .summary = "Cottle and Dantzig's principal pivoting with two-sided bounds",
               .source = "Loomis & Balkcom 2006",
               .matrices = Matrices::kSymmetricPsd,
               .lcp = true,
               .mixed = false,
               .box = true,
               .factored = false,
               .pyramid = false,
               .cone = false,
               .always_ends = false,
               .proves_infeasible = true,
               .allocation_free = true,
               .warm_start = "index set",
               .size_limit = 0,
               .make = make<DantzigSolver>},
    Capability{.name = "pgs",
               .summary = "projected Gauss-Seidel",
               .source = "Arechavaleta 2009",
               .matrices = Matrices::kSymmetricPsd,
               .lcp = true,
               .mixed = false,
               .box = true,
               .factored = false,
               .pyramid = false,
               .cone = false,
               .always_ends = false,
               .proves_infeasible = false,
               .allocation_free = true,
               .warm_start = "vector",
               .size_limit = 0,
               .make = make<PgsSolver>},
    Capability{.name = "pgs-sm",
               .summary = "projected Gauss-Seidel with subspace minimization",
               .source = "Arechavaleta 2009",
               .matrices = Matrices::kSymmetricPsd,
               .lcp = true,
               .mixed = false,
               .box = true,
               .factored = false,
               .pyramid = false,
               .cone = false,
               .always_ends = false,
               .proves_infeasible = false,
               .allocation_free = true,
               .warm_start = "vector",
               .size_limit = 0,
               .make = make<PgsSmSolver>},
    Capability{.name = "cone",
               .summary = "the true Coulomb cone: one contact, small Newton, sweeps, proximal Newton, as far as needed",
               .source = "spec cone",
               .matrices = Matrices::kAny,
               .lcp = false,
               .mixed = false,
               .box = false,
               .factored = false,
               .pyramid = false,
               .cone = true,
               .always_ends = false,
               .proves_infeasible = false,
               .allocation_free = true,
               .warm_start = "impulses, states",
               .size_limit = 0,
               .make = make<ConeBy<ConeMethod::kAuto>>},
    Capability{.name = "cone/newton",
               .summary = "dense Newton with line search on the true cone, few contacts",
               .source = "spec cone",
               .matrices = Matrices::kAny,
               .lcp = false,
               .mixed = false,
               .box = false,
               .factored = false,
               .pyramid = false,
               .cone = true,
               .always_ends = false,
               .proves_infeasible = false,
               .allocation_free = true,
               .warm_start = "impulses, states",
               .size_limit = 24,
               .make = make<ConeBy<ConeMethod::kNewton>>},
    Capability{.name = "cone/gauss-seidel",
               .summary = "sweeps of exact one-contact solves on the true cone",
               .source = "spec cone",
               .matrices = Matrices::kAny,
               .lcp = false,
               .mixed = false,
               .box = false,
               .factored = false,
               .pyramid = false,
               .cone = true,
               .always_ends = false,
               .proves_infeasible = false,
               .allocation_free = true,
               .warm_start = "impulses, states",
               .size_limit = 0,
               .make = make<ConeBy<ConeMethod::kGaussSeidel>>},
    Capability{.name = "cone/proximal",
               .summary = "proximal point with an inner semismooth Newton method on the true cone",
               .source = "spec cone",
               .matrices = Matrices::kAny,
               .lcp = false,
               .mixed = false,
               .box = false,
               .factored = false,
               .pyramid = false,
               .cone = true,
               .always_ends = false,
               .proves_infeasible = false,
               .allocation_free = true,
               .warm_start = "impulses, states",
               .size_limit = 0,
               .make = make<ConeBy<ConeMethod::kProximal>>},
    Capability{.name = "enumerate",
               .summary = "all complementary cones, with pruning: the truth for small problems",
               .source = "definition",
               .matrices = Matrices::kAny,
               .lcp = true,
               .mixed = true,
               .box = false,
               .factored = false,
               .pyramid = false,
               .cone = false,
               .always_ends = false,
               .proves_infeasible = true,
               .allocation_free = false,
               .warm_start = "index set",
               .size_limit = 12,
               .make = make<EnumerateSolver>},
};

IndexState active_if(bool active) { return active ? IndexState::kActive : IndexState::kLower; }

}  // namespace

std::span<const Capability> capabilities() { return kTable; }

const Capability* find_capability(std::string_view name) {
  for (const Capability& row : kTable) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

WarmStart warm_start_at(const LcpSolution& solution) {
  WarmStart warm;
  for (Index i = 0; i < solution.z.size(); ++i) warm.states.push_back(active_if(solution.z(i) > 0.0));
  warm.z = solution.z;
  return warm;
}

WarmStart warm_start_at(const MixedLcpSolution& solution) {
  WarmStart warm;
  for (Index i = 0; i < solution.z.size(); ++i) warm.states.push_back(active_if(solution.z(i) > 0.0));
  warm.z.resize(solution.u.size() + solution.z.size());
  warm.z << solution.u, solution.z;
  return warm;
}

WarmStart warm_start_at(const BoxLcp& lcp, const BoxLcpSolution& solution) {
  WarmStart warm;
  for (Index i = 0; i < solution.z.size(); ++i) {
    const bool lower = solution.z(i) <= lcp.lo(i);
    const bool upper = solution.z(i) >= lcp.hi(i);
    warm.states.push_back(lower ? IndexState::kLower : upper ? IndexState::kUpper : IndexState::kActive);
  }
  warm.z = solution.z;
  return warm;
}

}  // namespace tribo
