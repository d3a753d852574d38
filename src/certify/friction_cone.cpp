// Certificates of LocalFriction and GlobalFriction against the true Coulomb cone K = { |r_T| ≤ mu r_N }.
//     u = W r + q,   û = u + (mu |u_T|, 0)                                  de Saxcé's change of variable (1)
//     e_i = ω_i ( r_i − P_K( r_i − û_i / ω_i ) ),   ω_i = trace(W_ii)/d (1 where that is not positive)         (2)
//     res = max_i |e_i| / Q,   Q = max( max_i |q_i|, 1e-10 );   res = 0 exactly when r is an answer             (3)
// Above mu = 1 (2) alone is the wrong measure: an approach at a slipping contact counts by its mu-th part only. There the
// Alart–Curnier function, zero at the same points, joins it, and the larger of the two counts:
//     y_N = r_N − u_N/(mu ω), x = r_T − u_T/ω, k = mu y_N/|x|:
//     e = (ω r, u_N⁻) (y_N ≤ 0),   u (k ≥ 1),   (u_N, ω (r_T − k x))                                               (4)
// Above mu = 100 only the latter: (2) counts the rounding of a slip mu times.
// Neither is taken for less than the last bit of ω_i |r_i|.
// What it is made of is shown beside it, on scales on which it cannot be larger than (3):
//     cone          ω_i |r_i − P_K(r_i)|                        over Q, 2 Q above mu = 1; P_K(r_i) is nearest in K
//     penetration   −u_N                                        over √(1 + mu²) Q, Q above mu = 1
//     direction     min(|u_T|, ω_i |r_T|) times the chord of the angle between u_T and −r_T, 1 beyond 90°   over 6 Q
// For û − e_i lies in K* and r_i − e_i/ω_i in K, perpendicular to one another: the first gives u_N ≥ −√(1 + mu²)|e_i|,
// both together that u_T and −r_T are parallel after each has been changed by |e_i| at most.
//
// Global: W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w are not formed; v solves M v = H r + G λ + f with one step of
// iterative refinement and an accurate residual. Bilateral columns G: λ is the multiplier of least norm that
// satisfies Gᵀ v + b = 0 best, and what is left of Gᵀ v + b is the residual "bilateral"; ω_i and q_i ignore
// G.
#include "tribo/certify/certify.hpp"
#include "tribo/certify/classify.hpp"
#include "tribo/linalg/accurate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "certify/mass_solver.hpp"
#include "certify/measure.hpp"
#include <Eigen/QR>

namespace tribo {

namespace {

constexpr double kNaturalUpTo = 100.0;  // mu

template <int D>
using Block = Eigen::Matrix<double, D, 1>;  // normal first

// Euclidean projection on the cone.
template <int D>
Block<D> projected(Block<D> x, double mu) {
  const double normal = x(0);
  const double tangent = x.template tail<D - 1>().norm();
  if (normal >= 0.0 && tangent <= mu * normal) return x;  // mu = 0 and a pulling force: 0 ≤ −0 is true
  if (mu * tangent <= -normal) return Block<D>::Zero();
  x(0) = (normal + mu * tangent) / (1.0 + mu * mu);
  x.template tail<D - 1>() *= mu * x(0) / tangent;
  return x;
}

// |e| of (4).
template <int D>
double alart_curnier(const Block<D>& r, const Block<D>& u, double mu, double weight) {
  const double y_N = r(0) - u(0) / (mu * weight);
  if (!(y_N > 0.0)) return std::hypot(weight * r.norm(), std::min(u(0), 0.0));
  const Block<D - 1> r_T = r.template tail<D - 1>();
  const Block<D - 1> x = r_T - u.template tail<D - 1>() / weight;
  const double length = x.norm(), radius = mu * y_N;
  if (length <= radius) return u.norm();
  return std::hypot(u(0), weight * (r_T - (radius / length) * x).norm());
}

template <int D>
double contact_norm(const VectorXd& x) {
  double result = 0.0;
  for (Index i = 0; i + D <= x.size(); i += D) result = std::max(result, x.segment<D>(i).norm());
  return result;
}

// (2), (3) and what they are made of, contact after contact.
template <int D>
class CoulombResiduals {
 public:
  explicit CoulombResiduals(double scale) : scale_(scale) {}

  void consider(const Block<D>& r, const Block<D>& u, double mu, double weight) {
    const Block<D - 1> r_T = r.template tail<D - 1>(), u_T = u.template tail<D - 1>();
    const double friction = r_T.norm(), slip = u_T.norm();
    Block<D> target = r - u / weight;
    target(0) -= mu * slip / weight;
    double violation = mu <= kNaturalUpTo ? weight * (r - projected<D>(target, mu)).norm() : 0.0;
    if (mu > 1.0) violation = std::max(violation, alart_curnier<D>(r, u, mu, weight));
    // Beside reactions of 1e16 velocities would vanish from (2) and (4): never less than the last bit of r.
    violation = std::max(violation, weight * std::numeric_limits<double>::epsilon() * r.norm());
    coulomb_.consider(violation, scale_);
    if (!(r(0) >= 0.0 && friction <= mu * r(0))) {
      cone_.consider(weight * (r - projected<D>(r, mu)).norm(), mu > 1.0 ? 2.0 * scale_ : scale_);
    }
    if (u(0) < 0.0) penetration_.consider(u(0), mu > 1.0 ? scale_ : std::sqrt(1.0 + mu * mu) * scale_);
    if (friction > 0.0 && slip > 0.0) {
      // The chord, at most √2 sin: no digits are lost at small angles.
      const double product = friction * slip;
      const double chord = r_T.dot(u_T) < 0.0 ? (friction * u_T + slip * r_T).norm() / product : 1.0;
      direction_.consider(std::min(slip, weight * friction) * chord, 6.0 * scale_);
    }
  }

  void add_to(Certificate& certificate) const {
    certificate.residuals.reserve(6);
    certificate.add(coulomb_.residual("coulomb", "m/s"));
    certificate.add(cone_.residual("cone", "m/s"));
    certificate.add(penetration_.residual("penetration", "m/s"));
    certificate.add(direction_.residual("direction", "m/s"));
  }

 private:
  double scale_;
  Worst coulomb_, cone_, penetration_, direction_;
};

// The verdict of classify.hpp on the scales of (3): loaded is ω_i r_N > ε Q, and |u_T| > ε Q slips.
template <int D>
class CoulombStates {
 public:
  CoulombStates(double scale, double tolerance) : limit_(tolerance * scale) {}

  void consider(const Block<D>& r, const Block<D>& u, double mu, double weight) {
    const bool sticks = mu > 0.0 && !(u.template tail<D - 1>().norm() > limit_);
    states.push_back(!(weight * r(0) > limit_) ? ContactState::kOpen
                     : sticks                  ? ContactState::kStick
                                               : ContactState::kSlide);
  }

  std::vector<ContactState> states;

 private:
  double limit_;
};

// Reported against recomputed velocities, compared with the size of the terms they are made of.
Residual consistency(const VectorXd& reported, const VectorXd& recomputed, double scale) {
  Worst worst;
  for (Index i = 0; i < reported.size(); ++i) worst.consider(reported(i) - recomputed(i), scale);
  return worst.residual("consistency", "m/s");
}

double mean_diagonal(double trace, Index d) { return trace > 0.0 ? trace / static_cast<double>(d) : 1.0; }

bool dimension_fits(int dimension) { return dimension == 2 || dimension == 3; }

// One pass over W: row i of W r + q, to be rounded once, the size of its terms, and W_ii.
struct LocalRow {
  AccurateSum u;
  double size = 0.0;
  double diagonal = 0.0;
};

std::vector<LocalRow> multiply(const LocalFriction& problem, const VectorXd& r) {
  std::vector<LocalRow> rows(static_cast<std::size_t>(r.size()));
  for (Index i = 0; i < r.size(); ++i) rows[i] = {AccurateSum(problem.q(i)), std::abs(problem.q(i)), 0.0};
  for (Index j = 0; j < problem.W.outerSize(); ++j) {
    const double r_j = r(j);
    for (SparseMatrix::InnerIterator entry(problem.W, j); entry; ++entry) {
      LocalRow& row = rows[entry.row()];
      row.u.add_product(entry.value(), r_j);
      row.size += std::abs(entry.value() * r_j);
      if (entry.row() == j) row.diagonal += entry.value();
    }
  }
  return rows;
}

// Hands r, u, mu and ω of every contact to `coulomb`.
template <int D, typename Coulomb>
void visit_local(const LocalFriction& problem, const VectorXd& r, const std::vector<LocalRow>& rows, Coulomb& coulomb) {
  for (Index i = 0; i < problem.contacts(); ++i) {
    Block<D> u;
    double trace = 0.0;
    for (Index k = 0; k < D; ++k) {
      u(k) = rows[i * D + k].u.value();
      trace += rows[i * D + k].diagonal;
    }
    coulomb.consider(r.segment<D>(i * D), u, problem.mu(i), mean_diagonal(trace, D));
  }
}

template <int D>
double speed_scale(const VectorXd& q) {
  return std::max(contact_norm<D>(q), 1e-10);
}

template <int D>
void add_local(const LocalFriction& problem, const FrictionSolution& solution, Certificate& certificate) {
  const std::vector<LocalRow> rows = multiply(problem, solution.r);
  CoulombResiduals<D> coulomb(speed_scale<D>(problem.q));
  visit_local<D>(problem, solution.r, rows, coulomb);
  coulomb.add_to(certificate);
  if (solution.u.size() == 0) return;
  double size = 0.0;
  for (const LocalRow& row : rows) size = std::max(size, row.size);
  Worst reported;
  for (Index i = 0; i < solution.u.size(); ++i) reported.consider(solution.u(i) - rows[i].u.value(), size);
  certificate.add(reported.residual("consistency", "m/s"));
}

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

// What the forces r do to a global problem.
struct GlobalMotion {
  VectorXd v_free, q;    // without r and λ
  VectorXd unjoined, v;  // with r; and λ
  VectorXd u;
};

GlobalMotion calc_global_motion(const GlobalFriction& problem, const MassSolver& mass, const VectorXd& r) {
  GlobalMotion motion;
  motion.v_free = mass.solve(problem.f);
  motion.q = accurate_affine_transposed(problem.H, motion.v_free, problem.w);
  motion.unjoined = mass.solve(accurate_affine(problem.H, r, problem.f));
  motion.v = motion.unjoined;
  if (problem.G.cols() > 0) apply_bilateral(problem, mass, motion.v);
  motion.u = accurate_affine_transposed(problem.H, motion.v, problem.w);
  return motion;
}

template <int D, typename Coulomb>
void visit_global(const GlobalFriction& problem, const MassSolver& mass, const VectorXd& r, const VectorXd& u,
                  Coulomb& coulomb) {
  for (Index i = 0; i < problem.contacts(); ++i) {
    double trace = 0.0;
    for (Index k = i * D; k < (i + 1) * D; ++k) trace += mass.energy(problem.H, k);
    coulomb.consider(r.segment<D>(i * D), u.segment<D>(i * D), problem.mu(i), mean_diagonal(trace, D));
  }
}

template <int D>
void add_global(const GlobalFriction& problem, const MassSolver& mass, const VectorXd& r, const GlobalMotion& motion,
                Certificate& certificate) {
  CoulombResiduals<D> coulomb(speed_scale<D>(motion.q));
  visit_global<D>(problem, mass, r, motion.u, coulomb);
  coulomb.add_to(certificate);
}

template <int D>
std::vector<ContactState> friction_states(const LocalFriction& problem, const VectorXd& r, double tolerance) {
  CoulombStates<D> coulomb(speed_scale<D>(problem.q), tolerance);
  visit_local<D>(problem, r, multiply(problem, r), coulomb);
  return std::move(coulomb.states);
}

template <int D>
std::vector<ContactState> friction_states(const GlobalFriction& problem, const MassSolver& mass, const VectorXd& r,
                                          double tolerance) {
  const GlobalMotion motion = calc_global_motion(problem, mass, r);
  CoulombStates<D> coulomb(speed_scale<D>(motion.q), tolerance);
  visit_global<D>(problem, mass, r, motion.u, coulomb);
  return std::move(coulomb.states);
}

bool shapes_fit(const GlobalFriction& problem) {
  const Index m = problem.f.size();
  const Index rows = problem.contacts() * problem.dimension;
  return dimension_fits(problem.dimension) && problem.M.rows() == m && problem.M.cols() == m && problem.H.rows() == m &&
         problem.H.cols() == rows && problem.w.size() == rows && problem.G.cols() == problem.b.size() &&
         (problem.G.cols() == 0 || problem.G.rows() == m);
}

const char* friction_refusal(const LocalFriction& problem, const FrictionSolution& solution) {
  const Index rows = problem.contacts() * problem.dimension;
  if (!dimension_fits(problem.dimension) || problem.q.size() != rows || problem.W.rows() != rows ||
      problem.W.cols() != rows || solution.r.size() != rows || (solution.u.size() != 0 && solution.u.size() != rows)) {
    return "size";
  }
  return all_finite(solution.r, solution.u) ? nullptr : "finite";
}

const char* friction_refusal(const GlobalFriction& problem, const FrictionSolution& solution) {
  const Index rows = problem.contacts() * problem.dimension;
  if (!shapes_fit(problem) || solution.r.size() != rows || (solution.u.size() != 0 && solution.u.size() != rows) ||
      (solution.v.size() != 0 && solution.v.size() != problem.f.size())) {
    return "size";
  }
  return all_finite(solution.r, solution.u, solution.v) ? nullptr : "finite";
}

}  // namespace

Certificate certify(const LocalFriction& problem, const FrictionSolution& solution) {
  if (const char* reason = friction_refusal(problem, solution)) return refused(reason);
  Certificate certificate;
  if (problem.dimension == 2) {
    add_local<2>(problem, solution, certificate);
  } else {
    add_local<3>(problem, solution, certificate);
  }
  return certificate;
}

Certificate certify(const GlobalFriction& problem, const FrictionSolution& solution) {
  if (const char* reason = friction_refusal(problem, solution)) return refused(reason);
  const MassSolver mass(problem.M);
  if (!mass.ok()) return refused("mass");
  const GlobalMotion motion = calc_global_motion(problem, mass, solution.r);

  Certificate certificate;
  if (problem.dimension == 2) {
    add_global<2>(problem, mass, solution.r, motion, certificate);
  } else {
    add_global<3>(problem, mass, solution.r, motion, certificate);
  }
  if (problem.G.cols() > 0) certificate.add(bilateral(problem, motion.v, motion.unjoined));
  Worst reported;
  if (solution.u.size() > 0) {
    const VectorXd terms = problem.w.cwiseAbs() + problem.H.cwiseAbs().transpose() * motion.v.cwiseAbs();
    const Residual residual = consistency(solution.u, motion.u, largest(terms));
    reported.consider(residual.value, residual.scale);
  }
  if (solution.v.size() > 0) {
    const Residual residual = consistency(solution.v, motion.v, std::max(largest(motion.v), largest(motion.v_free)));
    reported.consider(residual.value, residual.scale);
  }
  if (solution.u.size() + solution.v.size() > 0) certificate.add(reported.residual("consistency", "m/s"));
  return certificate;
}

std::vector<ContactState> classify(const LocalFriction& problem, const FrictionSolution& solution, double tolerance) {
  if (friction_refusal(problem, solution) != nullptr) return {};
  return problem.dimension == 2 ? friction_states<2>(problem, solution.r, tolerance)
                                : friction_states<3>(problem, solution.r, tolerance);
}

std::vector<ContactState> classify(const GlobalFriction& problem, const FrictionSolution& solution, double tolerance) {
  if (friction_refusal(problem, solution) != nullptr) return {};
  const MassSolver mass(problem.M);
  if (!mass.ok()) return {};
  return problem.dimension == 2 ? friction_states<2>(problem, mass, solution.r, tolerance)
                                : friction_states<3>(problem, mass, solution.r, tolerance);
}

}  // namespace tribo
