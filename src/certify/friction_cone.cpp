// Certificates of LocalFriction and GlobalFriction against the true Coulomb cone K = { |r_T| ≤ mu r_N }.
//     u = W r + q,   û = u + (mu |u_T|, 0)                                  de Saxcé's change of variable (1)
//     res = max_i  ω_i | r_i − P_K( r_i − û_i / ω_i ) |  /  max( max_i |q_i|, 1e-10 ),   ω_i = trace(W_ii)/d   (2)
// over the contacts i (ω_i = 1 where the trace is not positive); res = 0 exactly when r is an answer.
// Global: W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w are not formed; v solves M v = H r + G λ + f with one step of
// iterative refinement and an accurate residual. Bilateral columns G: λ is the multiplier of least norm that
// satisfies Gᵀ v + b = 0 best, and what is left of Gᵀ v + b is the residual "bilateral"; ω_i and q_i ignore
// G.
#include "tribo/certify/certify.hpp"
#include "tribo/linalg/accurate.hpp"

#include <algorithm>
#include <cmath>

#include "certify/measure.hpp"
#include <Eigen/QR>
#include <Eigen/SparseLU>

namespace tribo {

namespace {

// Euclidean projection on the cone, in place; x has 2 or 3 entries, the normal first.
void project(Eigen::Ref<VectorXd> x, double mu) {
  const Index tangents = x.size() - 1;
  const double normal = x(0);
  const double tangent = x.tail(tangents).norm();
  if (tangent <= mu * normal) return;
  if (mu * tangent <= -normal) {
    x.setZero();
    return;
  }
  x(0) = (normal + mu * tangent) / (1.0 + mu * mu);
  x.tail(tangents) *= mu * x(0) / tangent;
}

double contact_norm(const VectorXd& x, Index d) {
  double result = 0.0;
  for (Index i = 0; i + d <= x.size(); i += d) result = std::max(result, x.segment(i, d).norm());
  return result;
}

// (2)
Residual coulomb(const VectorXd& r, const VectorXd& u, const VectorXd& mu, const VectorXd& weight, Index d,
                 double scale) {
  Worst worst;
  for (Index i = 0; i < mu.size(); ++i) {
    const VectorXd r_i = r.segment(i * d, d);
    VectorXd u_hat = u.segment(i * d, d);
    u_hat(0) += mu(i) * u_hat.tail(d - 1).norm();
    VectorXd target = r_i - u_hat / weight(i);
    project(target, mu(i));
    worst.consider(weight(i) * (r_i - target).norm(), scale);
  }
  return worst.residual("coulomb", "m/s");
}

// Reported against recomputed velocities, compared with the size of the terms they are made of.
Residual consistency(const VectorXd& reported, const VectorXd& recomputed, double scale) {
  Worst worst;
  for (Index i = 0; i < reported.size(); ++i) worst.consider(reported(i) - recomputed(i), scale);
  return worst.residual("consistency", "m/s");
}

double mean_diagonal(double trace, Index d) { return trace > 0.0 ? trace / static_cast<double>(d) : 1.0; }

bool dimension_fits(int dimension) { return dimension == 2 || dimension == 3; }

// M⁻¹ y with one step of refinement.
class MassSolver {
 public:
  explicit MassSolver(const SparseMatrix& M) : M_(M) {
    M_.makeCompressed();
    lu_.compute(M_);
  }
  bool ok() const { return lu_.info() == Eigen::Success; }
  VectorXd solve(const VectorXd& y) const {
    VectorXd x = lu_.solve(y);
    x += lu_.solve(VectorXd(-accurate_affine(M_, x, -y)));
    return x;
  }

 private:
  SparseMatrix M_;
  Eigen::SparseLU<SparseMatrix> lu_;
};

// Adds M⁻¹ G λ to v.
void apply_bilateral(const GlobalFriction& problem, const MassSolver& mass, VectorXd& v) {
  const Index j = problem.G.cols();
  MatrixXd response(problem.M.rows(), j);
  for (Index k = 0; k < j; ++k) response.col(k) = mass.solve(VectorXd(problem.G.col(k)));
  const MatrixXd K = problem.G.transpose() * response;
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition(K);
  for (int pass = 0; pass < 2; ++pass) {  // the second pass refines
    const VectorXd gap = accurate_affine_transposed(problem.G, v, problem.b);
    v -= response * decomposition.solve(gap);
  }
}

// A joint usually stops what would move without it, so the scale needs the velocity before λ acts as well.
Residual bilateral(const GlobalFriction& problem, const VectorXd& v, const VectorXd& before) {
  const VectorXd gap = accurate_affine_transposed(problem.G, v, problem.b);
  const VectorXd size =
      problem.b.cwiseAbs() + problem.G.cwiseAbs().transpose() * v.cwiseAbs().cwiseMax(before.cwiseAbs());
  Worst worst;
  for (Index k = 0; k < gap.size(); ++k) worst.consider(gap(k), size(k));
  return worst.residual("bilateral", "m/s");
}

bool shapes_fit(const GlobalFriction& problem) {
  const Index m = problem.f.size();
  const Index rows = problem.contacts() * problem.dimension;
  return dimension_fits(problem.dimension) && problem.M.rows() == m && problem.M.cols() == m && problem.H.rows() == m &&
         problem.H.cols() == rows && problem.w.size() == rows && problem.G.cols() == problem.b.size() &&
         (problem.G.cols() == 0 || problem.G.rows() == m);
}

}  // namespace

Certificate certify(const LocalFriction& problem, const FrictionSolution& solution) {
  const Index d = problem.dimension;
  const Index rows = problem.contacts() * d;
  if (!dimension_fits(problem.dimension) || problem.q.size() != rows || problem.W.rows() != rows ||
      problem.W.cols() != rows || solution.r.size() != rows || (solution.u.size() != 0 && solution.u.size() != rows)) {
    return refused("size");
  }
  if (!all_finite(solution.r, solution.u)) return refused("finite");
  const VectorXd u = accurate_affine(problem.W, solution.r, problem.q);
  VectorXd weight(problem.contacts());
  const VectorXd diagonal = problem.W.diagonal();
  for (Index i = 0; i < weight.size(); ++i) weight(i) = mean_diagonal(diagonal.segment(i * d, d).sum(), d);

  Certificate certificate;
  const double scale = std::max(contact_norm(problem.q, d), 1e-10);
  certificate.add(coulomb(solution.r, u, problem.mu, weight, d, scale));
  if (solution.u.size() > 0) {
    const VectorXd terms = problem.q.cwiseAbs() + problem.W.cwiseAbs() * solution.r.cwiseAbs();
    certificate.add(consistency(solution.u, u, largest(terms)));
  }
  return certificate;
}

Certificate certify(const GlobalFriction& problem, const FrictionSolution& solution) {
  const Index d = problem.dimension;
  const Index rows = problem.contacts() * d;
  if (!shapes_fit(problem) || solution.r.size() != rows || (solution.u.size() != 0 && solution.u.size() != rows) ||
      (solution.v.size() != 0 && solution.v.size() != problem.f.size())) {
    return refused("size");
  }
  if (!all_finite(solution.r, solution.u, solution.v)) return refused("finite");
  const MassSolver mass(problem.M);
  if (!mass.ok()) return refused("mass");

  const VectorXd v_free = mass.solve(problem.f);
  const VectorXd q = accurate_affine_transposed(problem.H, v_free, problem.w);
  const VectorXd unjoined = mass.solve(accurate_affine(problem.H, solution.r, problem.f));
  VectorXd v = unjoined;
  if (problem.G.cols() > 0) apply_bilateral(problem, mass, v);
  const VectorXd u = accurate_affine_transposed(problem.H, v, problem.w);
  VectorXd weight(problem.contacts());
  for (Index i = 0; i < weight.size(); ++i) {
    double trace = 0.0;
    for (Index k = i * d; k < (i + 1) * d; ++k) {
      const VectorXd column = problem.H.col(k);
      trace += column.dot(mass.solve(column));
    }
    weight(i) = mean_diagonal(trace, d);
  }

  Certificate certificate;
  certificate.add(coulomb(solution.r, u, problem.mu, weight, d, std::max(contact_norm(q, d), 1e-10)));
  if (problem.G.cols() > 0) certificate.add(bilateral(problem, v, unjoined));
  Worst reported;
  if (solution.u.size() > 0) {
    const VectorXd terms = problem.w.cwiseAbs() + problem.H.cwiseAbs().transpose() * v.cwiseAbs();
    const Residual residual = consistency(solution.u, u, largest(terms));
    reported.consider(residual.value, residual.scale);
  }
  if (solution.v.size() > 0) {
    const Residual residual = consistency(solution.v, v, std::max(largest(v), largest(v_free)));
    reported.consider(residual.value, residual.scale);
  }
  if (solution.u.size() + solution.v.size() > 0) certificate.add(reported.residual("consistency", "m/s"));
  return certificate;
}

}  // namespace tribo
