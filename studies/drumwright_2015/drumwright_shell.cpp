#include "drumwright_shell.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/qp.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"

#include <algorithm>

#include <Eigen/QR>

namespace tribo {
namespace {

constexpr double kRegularization = 1e-6;  // ε, of the largest diagonal entry of C_p C_pᵀ
constexpr double kRoom = 1e-9;            // added to kappa, relative

class DrumwrightShell : public StepMethod {
 public:
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override {
    const Index n = problem.size();
    SolveReport report = frictionless_->solve(problem, first_);  // (1)
    if (!is_solved(report.status)) return report;
    pose(problem);
    const auto formulation = QpFormulation::make(qp_);
    TRIBO_REQUIRE(formulation.has_value(), "the regularized Hessian is positive definite");
    const SolveReport second = solver_.solve(formulation->problem(), {}, answer_);
    last_ = formulation->lift(answer_.z);
    report.status = second.status;
    report.detail = second.detail;
    report.pivots += second.pivots;
    report.iterations += second.iterations;

    const VectorXd change = C_.transpose() * last_.x;
    VectorXd u_next = u_p_ + change;
    solution.f_n = last_.x.head(n);
    solution.f_s = last_.x.segment(n, n) - last_.x.segment(2 * n, n);
    solution.f_t = last_.x.segment(3 * n, n) - last_.x.segment(4 * n, n);
    solution.f_j = VectorXd::Zero(problem.bilateral());
    if (problem.bilateral() > 0) solution.f_j = joints_.solve(u_next - u_ - rows_of_C_.transpose() * last_.x);
    mass_.unwhiten_velocity(u_next);
    solution.v_next = u_next;
    return report;
  }

  // Of both phases: (1) as a contact problem, (2) and (3) as the QP that was posed, ε included.
  double certificate(const ContactProblem& problem, const ContactSolution&) const override {
    return std::max(frictionless_->certificate(problem, first_), certify(qp_, last_).worst);
  }
  Index rows() const override { return qp_.G.rows(); }

 private:
  // (2) and (3) in the unknowns f; leaves u, u_p, C and C_p for the way back.
  void pose(const ContactProblem& problem) {
    const Index n = problem.size(), m = problem.dof();
    auto factor = BlockCholesky::factor(problem.mass);
    TRIBO_REQUIRE(factor.has_value(), "the mass matrix is positive definite");
    mass_ = std::move(*factor);
    u_ = problem.v;
    mass_.whiten_velocity(u_);
    VectorXd push = problem.h * problem.f;
    mass_.whiten_force(push);
    u_ += push;
    const MatrixXd S = problem.S.whitened(mass_).to_dense(), T = problem.T.whitened(mass_).to_dense();
    rows_of_C_.resize(5 * n, m);
    rows_of_C_ << problem.N.whitened(mass_).to_dense(), S, -S, T, -T;
    C_ = rows_of_C_;
    u_p_ = u_;
    if (problem.bilateral() > 0) {
      const MatrixXd J = problem.J.whitened(mass_).to_dense();
      joints_.compute(J.transpose());
      C_ -= C_ * (J.transpose() * joints_.solve(MatrixXd::Identity(m, m)));
      u_p_ -= J.transpose() * joints_.solve(u_);
      u_p_ -= joints_.solve(MatrixXd::Identity(m, m)).transpose() * problem.b_J;
    }
    qp_.H.noalias() = C_ * C_.transpose();
    qp_.H.diagonal().array() += kRegularization * qp_.H.diagonal().maxCoeff();
    qp_.g = C_ * u_p_;

    const auto N = rows_of_C_.topRows(n);
    qp_.G = MatrixXd::Zero(7 * n + 1, 5 * n);
    qp_.d = VectorXd::Zero(7 * n + 1);
    qp_.G.topRows(n).noalias() = N * C_.transpose();
    qp_.d.head(n) = -(N * u_p_ + problem.b_N);
    for (Index i = 0; i < n; ++i) {
      qp_.G(n + i, i) = problem.contacts[static_cast<std::size_t>(i)].mu;
      for (Index k = 1; k < 5; ++k) qp_.G(n + i, k * n + i) = -1.0;
    }
    qp_.G.row(2 * n).head(n).setConstant(-1.0);
    qp_.d(2 * n) = -(1.0 + kRoom) * first_.f_n.sum();
    qp_.G.bottomRows(5 * n).setIdentity();
  }

  std::unique_ptr<StepMethod> frictionless_ = make_normal_method(Frictionless{}, PivotRule::kDualActiveSet);
  ContactSolution first_;
  BlockCholesky mass_;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> joints_;  // of the whitened Jᵀ
  MatrixXd rows_of_C_, C_;                                   // before and after the projection
  VectorXd u_, u_p_;
  Qp qp_;
  DualActiveSetSolver solver_;
  LcpSolution answer_;
  QpSolution last_;
};

}  // namespace

std::unique_ptr<StepMethod> make_drumwright_shell() { return std::make_unique<DrumwrightShell>(); }

}  // namespace tribo
