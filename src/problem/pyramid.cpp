#include "tribo/problem/pyramid.hpp"

#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

// L⁻¹ of two rows of a free body side by side: one chain of operations instead of two.
void whiten_six(const MatrixXd& L, const double* inverse, const double* s, const double* t, double* s_out,
                double* t_out) {
  using padded::TwoLanes;
  const double* l = L.data();
  TwoLanes y[6];
  for (int j = 0; j < 6; ++j) y[j] = TwoLanes{s[j], t[j]};
  for (int j = 0; j < 6; ++j) {
    y[j] *= inverse[j];
    for (int k = j + 1; k < 6; ++k) y[k] -= l[6 * j + k] * y[j];
  }
  for (int j = 0; j < 6; ++j) {
    s_out[j] = y[j][0];
    t_out[j] = y[j][1];
  }
}

}  // namespace

void PyramidProblem::whiten_tangents(Index i, double* s, double* t) const {
  if (!spatial()) return S->whiten(i, *factor, s);
  // Rows may differ in their blocks: one whose entries in a block are zero does not have it.
  for (int k = 0; k < 2; ++k) {
    const Index block = S->block(i, k);
    if (T->block(i, k) != block || (block >= 0 && S->layout().size(block) != 6)) {
      S->whiten(i, *factor, s);
      T->whiten(i, *factor, t);
      break;
    }
    if (block < 0) continue;
    const Index start = S->layout().start(block);
    whiten_six(factor->block(block), factor->inverse_diagonal(block), S->values(i, k), T->values(i, k), s + start,
               t + start);
  }
  if (turn.empty()) return;
  const double cos = turn[2 * i], sin = turn[2 * i + 1];
  for (Index j = 0; j < dof(); ++j) {
    const double along = s[j];
    s[j] = cos * along + sin * t[j];
    t[j] = cos * t[j] - sin * along;
  }
}

PyramidLcp::PyramidLcp(const PyramidProblem& problem) : problem_(&problem) {
  const LeastDistance& normals = *problem.normals;
  const Index n = problem.size(), m = problem.dof(), d = problem.directions;
  for (Index i = 0; i < n; ++i) {
    if (problem.mu[i] > 0.0) with_friction_.push_back(i);
  }
  const Index c = static_cast<Index>(with_friction_.size());
  MatrixXd H = MatrixXd::Zero(n + c * d, m);  // rows N, then D, unit length
  VectorXd offset = VectorXd::Zero(n + c * d);
  rho_N_ = rho_D_ = VectorXd::Ones(n);
  VectorXd x(m), s(m), t(m);
  for (const PairRows::Run& run : normals.rows.runs()) {
    for (Index k = 0; k < run.count; ++k) {
      const Index i = run.row + k * run.step, position = run.position + k;
      if (const double norm = normals.rows.norm(position); norm > 0.0) rho_N_(i) = norm;
      x.setZero();
      normals.rows.add_scaled(position, 1.0 / rho_N_(i), x.data());
      H.row(i) = x;
      offset(i) = normals.offset_at(position) / rho_N_(i);
    }
  }
  for (Index b = 0; b < c; ++b) {
    const Index i = with_friction_[b];
    s.setZero();
    t.setZero();
    problem.whiten_tangents(i, s.data(), t.data());
    if (const double norm = std::max(s.norm(), t.norm()); norm > 0.0) rho_D_(i) = norm;
    for (Index k = 0; k < d; ++k) H.row(n + b * d + k) = (problem.cosine[k] * s + problem.sine[k] * t) / rho_D_(i);
  }
  const MatrixXd H_p = H - (H * normals.Q()) * normals.Q().transpose();
  const Eigen::Map<const VectorXd> start(normals.start.data(), m);
  const Index size = n + c * d + c;
  lcp_.M = MatrixXd::Zero(size, size);
  lcp_.q = VectorXd::Zero(size);
  lcp_.M.topLeftCorner(n + c * d, n + c * d).noalias() = H_p * H_p.transpose();
  lcp_.q.head(n + c * d) = H * start + offset;
  guess_ = VectorXd::Zero(size);
  for (Index b = 0; b < c; ++b) {
    const Index i = with_friction_[b], gamma = n + c * d + b;
    lcp_.M(gamma, i) = problem.mu[i] * rho_D_(i) / rho_N_(i);
    lcp_.M.block(n + b * d, gamma, d, 1).setOnes();
    lcp_.M.block(gamma, n + b * d, 1, d).setConstant(-1.0);
    guess_(gamma) = std::max(0.0, -lcp_.q.segment(n + b * d, d).minCoeff());
  }
}

void PyramidLcp::lift(const VectorXd& z, PyramidSolution& solution) const {
  const Index n = problem_->size(), d = problem_->directions;
  solution.theta = z.head(n).cwiseQuotient(rho_N_);
  solution.phi_s.setZero(n);
  solution.phi_t.setZero(n);
  solution.loaded.clear();
  for (Index b = 0; b < static_cast<Index>(with_friction_.size()); ++b) {
    const Index i = with_friction_[b];
    double along_s = 0.0, along_t = 0.0;
    for (Index k = 0; k < d; ++k) {
      along_s += problem_->cosine[k] * z(n + b * d + k);
      along_t += problem_->sine[k] * z(n + b * d + k);
    }
    const double cos = problem_->turn.empty() ? 1.0 : problem_->turn[2 * i];
    const double sin = problem_->turn.empty() ? 0.0 : problem_->turn[2 * i + 1];
    solution.phi_s(i) = (cos * along_s - sin * along_t) / rho_D_(i);
    if (problem_->spatial()) solution.phi_t(i) = (sin * along_s + cos * along_t) / rho_D_(i);
  }
}

VectorXd PyramidLcp::normals_of(const VectorXd& y) const {
  const Index n = problem_->size(), phi = static_cast<Index>(with_friction_.size()) * problem_->directions;
  if (y.size() < n || !y.segment(n, phi).isZero(0.0)) return {};
  return y.head(n).cwiseQuotient(rho_N_);
}

}  // namespace tribo
