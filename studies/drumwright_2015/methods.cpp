#include "methods.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/formulation/qp.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/pivot/lemke.hpp"
#include "tribo/solve/pivot/principal_pivoting.hpp"
#include "tribo/solve/registry.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "drumwright_shell.hpp"

namespace tribo {
namespace {

SolveReport inconsistent() {
  SolveReport report;
  report.status = Status::kInconsistentEqualities;
  report.detail = "the equality rows contradict one another";
  return report;
}

// The one place where the normal problem is formulated, solved and lifted.
template <typename Solver>
class NormalMethod : public StepMethod {
 public:
  NormalMethod(const ContactModel& model, bool warm) : model_(model), warm_(warm) {}

  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    TRIBO_REQUIRE(formulation_.update(problem, model_).has_value(), "the model does not fit the problem");
    if (!formulation_.consistent()) return inconsistent();
    rows_ = formulation_.problem().size();
    if (!warm_ || static_cast<Index>(start_.states.size()) != rows_) start_ = {};
    const SolveReport report = solver_.solve(formulation_.problem(), start_, answer_);
    if (warm_) start_ = warm_start_at(answer_);
    formulation_.lift(answer_.z, solution);
    return report;
  }
  double certificate(const ContactProblem& problem, const ContactSolution& solution) const override {
    return certify(problem, model_, solution).worst;
  }
  Index rows() const override { return rows_; }

 private:
  ContactModel model_;
  bool warm_;
  NormalFormulation formulation_;
  Solver solver_;
  LcpSolution answer_;
  WarmStart start_;
  Index rows_ = 0;
};

class NoSlipQp : public StepMethod {
 public:
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    const Index n = problem.size(), j = problem.bilateral(), m = problem.dof();
    qp_.H = problem.mass.to_dense();
    qp_.g = -problem.mass.multiply(problem.v) - problem.h * problem.f;
    qp_.E.resize(j + 2 * n, m);
    qp_.E << problem.J.to_dense(), problem.S.to_dense(), problem.T.to_dense();
    qp_.b = VectorXd::Zero(j + 2 * n);
    qp_.b.head(j) = -problem.b_J;
    qp_.G = problem.N.to_dense();
    qp_.d = -problem.b_N;
    rows_ = n;
    const auto formulation = QpFormulation::make(qp_);
    TRIBO_REQUIRE(formulation.has_value(), "the mass matrix is positive definite");
    if (!formulation->consistent()) return inconsistent();
    const SolveReport report = solver_.solve(formulation->problem(), {}, answer_);
    const QpSolution lifted = formulation->lift(answer_.z);
    solution.v_next = lifted.x;
    solution.f_n = lifted.lambda;
    solution.f_j = lifted.nu.head(j);
    solution.f_s = lifted.nu.segment(j, n);
    solution.f_t = lifted.nu.tail(n);
    return report;
  }
  double certificate(const ContactProblem& problem, const ContactSolution& solution) const override {
    return certify(problem, NoSlip{}, solution).worst;
  }
  Index rows() const override { return rows_; }

 private:
  Qp qp_;
  DualActiveSetSolver solver_;
  LcpSolution answer_;
  Index rows_ = 0;
};

class StewartTrinkle : public StepMethod {
 public:
  StewartTrinkle(int sides, int first) : model_{sides}, first_(static_cast<std::uint64_t>(first)) {}

  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    const Checked made = formulation_.update(problem, model_);
    TRIBO_REQUIRE(made.has_value(), "the model does not fit the problem");
    if (!formulation_.consistent()) return inconsistent();
    const PyramidLcp pyramid(formulation_.problem());
    const Lcp& lcp = pyramid.lcp();
    rows_ = lcp.size();
    SolveReport report;
    int pivots = 0;
    for (std::size_t path = 0; path < kPaths && !is_solved(report.status); ++path) {
      if (path == paths_.size()) paths_.emplace_back(LemkeSettings{.cover_seed = first_ + path});
      report = paths_[path].solve(lcp, {}, answer_);
      report.fallback = path > 0;
      report.pivots = pivots += report.pivots;
    }
    pyramid.lift(answer_.z, impulses_);
    formulation_.lift(impulses_, solution);
    return report;
  }
  double certificate(const ContactProblem& problem, const ContactSolution& solution) const override {
    return certify(problem, model_, solution).worst;
  }
  Index rows() const override { return rows_; }

 private:
  static constexpr std::size_t kPaths = 9;  // the covering vector of ones, then random ones
  CoulombPyramid model_;
  std::uint64_t first_;
  PyramidFormulation formulation_;
  std::vector<LemkeSolver> paths_;
  LcpSolution answer_;
  PyramidSolution impulses_;
  Index rows_ = 0;
};

}  // namespace

std::unique_ptr<StepMethod> make_normal_method(const ContactModel& model, PivotRule rule, bool warm) {
  if (rule == PivotRule::kPrincipalPivoting) {
    return std::make_unique<NormalMethod<PrincipalPivotingSolver>>(model, warm);
  }
  return std::make_unique<NormalMethod<DualActiveSetSolver>>(model, warm);
}

std::unique_ptr<StepMethod> make_no_slip_qp() { return std::make_unique<NoSlipQp>(); }

std::unique_ptr<StepMethod> make_stewart_trinkle(int sides, int first) {
  return std::make_unique<StewartTrinkle>(sides, first);
}

std::span<const MethodInfo> methods() {
  static const std::array<MethodInfo, 5> table = {
      MethodInfo{"stewart-trinkle", "Stewart-Trinkle, d = 4, dense Lemke", [] { return make_stewart_trinkle(4); }},
      MethodInfo{"no-slip-qp", "no-slip, active-set QP", make_no_slip_qp},
      MethodInfo{"no-slip-ppm", "no-slip, modified PPM",
                 [] { return make_normal_method(NoSlip{}, PivotRule::kPrincipalPivoting); }},
      MethodInfo{"no-slip-dual", "no-slip, dual active set",
                 [] { return make_normal_method(NoSlip{}, PivotRule::kDualActiveSet); }},
      MethodInfo{"drumwright-shell", "Drumwright-Shell, two QPs", make_drumwright_shell},
  };
  return table;
}

}  // namespace tribo
