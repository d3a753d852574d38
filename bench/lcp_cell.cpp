#include "lcp_cell.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/registry.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "siconos.hpp"
#include "timing.hpp"
#include <Eigen/Cholesky>

namespace tribo {
namespace {

constexpr const char* kOurs[] = {"lemke/standard", "ppm", "dual-active-set", "dantzig", "pgs", "pgs-sm"};

constexpr std::pair<const char*, SiconosMethod> kTheirs[] = {
    {"siconos/lemke", SiconosMethod::kLemke},
    {"siconos/pgs", SiconosMethod::kPgs},
    {"siconos/newton-min", SiconosMethod::kNewtonMin},
    {"siconos/newton-fb", SiconosMethod::kNewtonFb},
};

constexpr Index kPerFace = 5;  // contacts of the stack

Lcp contact_lcp(const ContactProblem& problem) {
  NormalFormulation formulation;
  TRIBO_REQUIRE(formulation.update(problem, Frictionless{}).has_value(), "any valid problem can be frictionless");
  return as_lcp(as_factored(formulation.problem()));
}

void judge(const Lcp& lcp, const LcpSolution& solution, LcpRow& row) {
  const Certificate certificate = certify(lcp, solution);
  const Residual* natural = certificate.find("natural");
  row.natural = natural != nullptr ? natural->relative : std::numeric_limits<double>::infinity();
  row.worst = certificate.worst;
}

LcpRow measure_ours(const Lcp& lcp, const char* name, double budget, LcpSolution& solution) {
  const auto solver = find_capability(name)->make();
  solver->reserve(lcp.size());
  LcpRow row;
  row.solver = name;
  SolveReport report;
  const WarmStart cold;
  row.seconds = least_seconds([&] { report = solver->solve(lcp, cold, solution); }, budget);
  row.status = to_string(report.status);
  row.solved = is_solved(report.status);
  row.pivots = report.pivots;
  row.sweeps = report.sweeps;
  judge(lcp, solution, row);
  if (!row.solved) return row;
  row.warmed = true;
  const WarmStart warm = warm_start_at(solution);
  LcpSolution again;
  row.warm_seconds = least_seconds([&] { report = solver->solve(lcp, warm, again); }, budget / 4);
  row.warm_pivots = report.pivots;
  row.warm_sweeps = report.sweeps;
  return row;
}

LcpRow measure_theirs(const Lcp& lcp, const char* name, SiconosMethod method, double budget) {
  const Silence silence;
  SiconosLcp solver(lcp, method);
  LcpRow row;
  row.solver = name;
  row.seconds = least_seconds([&] { solver.solve(); }, budget);
  solver.solve_checked();
  row.status = solver.status();
  row.solved = solver.solved();
  (method == SiconosMethod::kLemke ? row.pivots : row.sweeps) = solver.iterations();
  judge(lcp, solver.solution(), row);
  return row;
}

// Form the block of the active variables, factor it, solve with it, and evaluate w = M z + q once.
double measure_bound(const Lcp& lcp, const IndexList& active, double budget) {
  const Index k = static_cast<Index>(active.size());
  MatrixXd block(k, k);
  VectorXd right(k), z(lcp.size()), w(lcp.size());
  Eigen::LLT<MatrixXd> factor(k);
  return least_seconds(
      [&] {
        for (Index j = 0; j < k; ++j) {
          for (Index i = 0; i < k; ++i) block(i, j) = lcp.M(active[i], active[j]);
          right(j) = -lcp.q(active[j]);
        }
        block.diagonal() *= 1.0 + 1e-8;  // so that the factor of a singular block is not cut short
        factor.compute(block);
        factor.solveInPlace(right);
        z.setZero();
        for (Index i = 0; i < k; ++i) z(active[i]) = right(i);
        w.noalias() = lcp.M * z;
        w += lcp.q;
      },
      budget);
}

}  // namespace

std::string to_string(LcpFamily family) {
  switch (family) {
    case LcpFamily::kSpd:
      return "spd";
    case LcpFamily::kPsd:
      return "psd";
    case LcpFamily::kStack:
      return "stack";
    case LcpFamily::kBodies:
      return "bodies";
  }
  return "";
}

Lcp make_bench_lcp(LcpFamily family, Index n, std::uint64_t seed) {
  Random random(derive_seed(seed, static_cast<std::uint64_t>(family), static_cast<std::uint64_t>(n)));
  switch (family) {
    case LcpFamily::kSpd:
      return random_lcp(MatrixClass::kSpd, n, random);
    case LcpFamily::kPsd:
      return solvable_lcp(MatrixClass::kPsd, n, random);
    case LcpFamily::kStack:
      TRIBO_REQUIRE(n % kPerFace == 0, "a stack has five contacts per face");
      return contact_lcp(box_stack(n / kPerFace, kPerFace, random));
    case LcpFamily::kBodies:
      return contact_lcp(random_bodies({.bodies = std::max<Index>(2, n / 4), .contacts = n}, random));
  }
  throw_contract_error("family", __FILE__, __LINE__, "unknown family");
}

const LcpRow* LcpCell::find(const std::string& solver) const {
  for (const LcpRow& row : rows) {
    if (row.solver == solver) return &row;
  }
  return nullptr;
}

LcpCell measure_cell(LcpFamily family, Index n, const Lcp& lcp, double budget) {
  LcpCell cell;
  cell.family = family;
  cell.n = n;
  IndexList active;
  for (const char* name : kOurs) {
    LcpSolution solution;
    cell.rows.push_back(measure_ours(lcp, name, budget, solution));
    // The pivoting methods come first: their active sets are independent.
    if (!active.empty() || !cell.rows.back().solved) continue;
    for (Index i = 0; i < n; ++i) {
      if (solution.z(i) > 0.0) active.push_back(i);
    }
  }
  cell.active = static_cast<Index>(active.size());
  cell.bound_seconds = measure_bound(lcp, active, budget);
  if (has_siconos()) {
    for (const auto& [name, method] : kTheirs) cell.rows.push_back(measure_theirs(lcp, name, method, budget));
  }
  return cell;
}

}  // namespace tribo
