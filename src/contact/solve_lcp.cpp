#include "tribo/formulation/box.hpp"
#include "tribo/formulation/qp.hpp"
#include "tribo/solve/oracle/enumerate.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/pivot/lemke.hpp"

#include <algorithm>

#include "contact/chain.hpp"

namespace tribo {
namespace {

constexpr int kOtherCoverings = 8;  // covering vectors tried after a ray, for matrices that are not semidefinite
constexpr Index kEnumerable = 40;   // complementarity rows up to which the oracle is asked last

void require_valid(const Checked& checked) {
  if (!checked) throw ContractError(checked.error().text());
}

// LCP and mixed LCP, any matrix: Lemke; on a ray other covering vectors; at last the oracle.
template <typename Problem, typename Answer, typename Solution>
void solve_any(const Problem& problem, Index complementary, double tolerance, Answer& answer, Solution& kept) {
  const auto certify_answer = [&](const Solution& s) { return certify(problem, s); };
  const auto refute = [&](const Solution& s) { return certify_infeasible(problem, s.evidence); };
  const auto lemke = [&](std::uint64_t seed) {
    return [&problem, seed](Solution& s) {
      LemkeSolver solver({.cover_seed = seed});
      return solver.solve(problem, {}, s);
    };
  };
  if (attempt("lemke/standard", tolerance, answer, kept, lemke(0), certify_answer, refute)) return;
  for (int k = 1; k <= kOtherCoverings; ++k) {
    if (attempt("lemke/standard", tolerance, answer, kept, lemke(k), certify_answer, refute)) return;
  }
  if (complementary > kEnumerable) return;
  attempt(
      "enumerate", tolerance, answer, kept,
      [&](Solution& s) {
        EnumerateSolver solver;
        return solver.solve(problem, {}, s);
      },
      certify_answer, refute);
}

bool takes(const Capability& solver, const MatrixXd& M) {
  return solver.matrices == Matrices::kAny || is_symmetric(M, 1e-9);
}

Checked check_named(const std::string& solver, bool form, const MatrixXd& M, const char* kind) {
  const Capability* row = find_capability(solver);
  if (row == nullptr) {
    return fail("there is no solver '" + solver + "'", "solver",
                "use one of: auto, " + solver_names([](const Capability&) { return true; }));
  }
  if (!form) return fail("the solver '" + solver + "' does not take a " + kind, "solver", "use auto");
  if (!takes(*row, M)) {
    return fail("the solver '" + solver + "' needs a symmetric positive semidefinite matrix, and M is not symmetric",
                "M", "use auto or lemke/standard");
  }
  return ok();
}

}  // namespace

const Capability& require_solver(const std::string& name) {
  const Capability* row = find_capability(name);
  TRIBO_REQUIRE(row != nullptr, "no such solver");
  return *row;
}

void require_tolerance(double tolerance) {
  TRIBO_REQUIRE(tolerance > 0.0 && tolerance < 1.0, "the tolerance of a certificate is relative, between 0 and 1");
}

std::string solver_names(bool (*suits)(const Capability&)) {
  std::string names;
  for (const Capability& row : capabilities()) {
    if (suits(row)) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

Checked check_solver(const Lcp& lcp, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  return check_named(solver, row != nullptr && row->lcp, lcp.M, "linear complementarity problem");
}

Checked check_solver(const MixedLcp& lcp, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  return check_named(solver, row != nullptr && row->mixed, lcp.M, "mixed complementarity problem");
}

Checked check_solver(const BoxLcp& lcp, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  return check_named(solver, row != nullptr && (row->box || row->mixed), lcp.M, "box complementarity problem");
}

Checked check_solver(const Qp&, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  return check_named(solver, row != nullptr && row->factored, MatrixXd(), "quadratic program");
}

LcpAnswer solve(const Lcp& lcp, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  require_valid(validate(lcp));
  require_valid(check_solver(lcp, options.solver));
  LcpAnswer answer;
  if (options.solver == "auto") {
    solve_any(lcp, lcp.size(), options.tolerance, answer, answer.solution);
  } else {
    attempt(
        options.solver, options.tolerance, answer, answer.solution,
        [&](LcpSolution& s) { return require_solver(options.solver).make()->solve(lcp, {}, s); },
        [&](const LcpSolution& s) { return certify(lcp, s); },
        [&](const LcpSolution& s) { return certify_infeasible(lcp, s.evidence); });
  }
  return answer;
}

MixedLcpAnswer solve(const MixedLcp& lcp, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  require_valid(validate(lcp));
  require_valid(check_solver(lcp, options.solver));
  MixedLcpAnswer answer;
  if (options.solver == "auto") {
    solve_any(lcp, lcp.complementary(), options.tolerance, answer, answer.solution);
  } else {
    attempt(
        options.solver, options.tolerance, answer, answer.solution,
        [&](MixedLcpSolution& s) { return require_solver(options.solver).make()->solve(lcp, {}, s); },
        [&](const MixedLcpSolution& s) { return certify(lcp, s); },
        [&](const MixedLcpSolution& s) { return certify_infeasible(lcp, s.evidence); });
  }
  return answer;
}

BoxLcpAnswer solve(const BoxLcp& lcp, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  require_valid(validate(lcp));
  require_valid(check_solver(lcp, options.solver));
  BoxLcpAnswer answer;
  const auto certify_answer = [&](const BoxLcpSolution& s) { return certify(lcp, s); };
  const auto refute = [&](const BoxLcpSolution& s) { return certify_infeasible(lcp, s.evidence); };
  const auto direct = [&](const std::string& name) {
    return attempt(
        name, options.tolerance, answer, answer.solution,
        [&](BoxLcpSolution& s) { return require_solver(name).make()->solve(lcp, {}, s); }, certify_answer, refute);
  };
  const auto through_mixed = [&](const std::string& name) {
    return attempt(
        name, options.tolerance, answer, answer.solution,
        [&](BoxLcpSolution& s) {
          const BoxAsMixed formulation(lcp);
          MixedLcpSolution mixed;
          const SolveReport report = require_solver(name).make()->solve(formulation.problem(), {}, mixed);
          s = formulation.lift(mixed);
          return report;
        },
        certify_answer, refute);
  };
  if (options.solver != "auto") {
    if (require_solver(options.solver).box) {
      direct(options.solver);
    } else {
      through_mixed(options.solver);
    }
    return answer;
  }
  if (is_symmetric(lcp.M, 1e-12) && (direct("dantzig") || direct("pgs-sm"))) return answer;
  if (through_mixed("lemke/standard")) return answer;
  if (lcp.size() <= kEnumerable / 2) through_mixed("enumerate");
  return answer;
}

QpAnswer solve(const Qp& qp, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  require_valid(validate(qp));
  require_valid(check_solver(qp, options.solver));
  QpAnswer answer;
  const auto formulation = QpFormulation::make(qp);
  if (!formulation) throw ContractError(formulation.error().text());
  attempt(
      options.solver == "auto" ? "dual-active-set" : options.solver, options.tolerance, answer, answer.solution,
      [&](QpSolution& s) {
        SolveReport report;
        if (!formulation->consistent()) {
          s.evidence.kind = Evidence::Kind::kFarkas;
          s.evidence.y = formulation->inconsistency();
          report.status = Status::kInfeasible;
          report.detail = "the equalities contradict one another";
          return report;
        }
        const auto solver = require_solver(options.solver == "auto" ? "dual-active-set" : options.solver).make();
        LcpSolution dual;
        report = solver->solve(formulation->problem(), {}, dual);
        s = formulation->lift(dual.z);
        if (dual.evidence.kind == Evidence::Kind::kFarkas) {
          s.evidence.kind = Evidence::Kind::kFarkas;
          s.evidence.y = formulation->lift_farkas(dual.evidence.y);
        }
        return report;
      },
      [&](const QpSolution& s) { return certify(qp, s); },
      [&](const QpSolution& s) { return certify_infeasible(qp, s.evidence); });
  return answer;
}

}  // namespace tribo
