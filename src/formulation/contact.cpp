#include "tribo/formulation/contact.hpp"

#include <cmath>
#include <numbers>
#include <sstream>
#include <string>

#include "formulation/reduction.hpp"

namespace tribo {
namespace {

constexpr double kLargestMu = 1e8;

// Rows of one matrix under those of another.
BlockRows stack(const BlockRows& first, const BlockRows& second) {
  BlockRows all = first;
  for (Index i = 0; i < second.rows(); ++i) {
    const auto row = second.row(i);
    all.add_row(row[0], row[1]);
  }
  return all;
}

MatrixXd stack(const MatrixXd& first, const MatrixXd& second) {
  MatrixXd all(first.rows() + second.rows(), std::max(first.cols(), second.cols()));
  if (first.rows() > 0) all.topRows(first.rows()) = first;
  if (second.rows() > 0) all.bottomRows(second.rows()) = second;
  return all;
}

BlockRows in_one_block(const BlockRows& rows, const BlockLayout& layout) {
  return BlockRows::from_dense(rows.to_dense(), layout).value();  // one block: never more than two
}

// B = Sᵀ mu_v S + Tᵀ mu_v T applied to x.
VectorXd viscous_damping(const ContactProblem& problem, const VectorXd& x) {
  VectorXd force = VectorXd::Zero(problem.dof());
  for (const BlockRows* rows : {&problem.S, &problem.T}) {
    for (Index i = 0; i < rows->rows(); ++i) {
      rows->add_scaled(i, problem.contacts[i].mu_v * rows->dot(i, x), force);
    }
  }
  return force;
}

// The largest eigenvalue of M⁻¹ B. In whitened coordinates B̂ = L⁻¹ B L⁻ᵀ is symmetric: a power iteration with Rayleigh
// quotients, which come from below, and the trace of B̂, which is above. Units do not matter.
double largest_damping_rate(const ContactProblem& problem, const BlockCholesky& factor) {
  double trace = 0.0;
  for (const BlockRows* rows : {&problem.S, &problem.T}) {
    const MatrixXd whitened = rows->whitened(factor).to_dense();
    for (Index i = 0; i < rows->rows(); ++i) trace += problem.contacts[i].mu_v * whitened.row(i).squaredNorm();
  }
  if (problem.h * trace < 2.0) return trace;  // stable in any case
  VectorXd x = VectorXd::LinSpaced(problem.dof(), 1.0, 2.0);
  double rate = 0.0;
  for (int k = 0; k < 50; ++k) {
    x.normalize();
    VectorXd y = x;
    factor.unwhiten_velocity(y);
    y = viscous_damping(problem, y);
    factor.whiten_force(y);
    rate = x.dot(y);
    if (!(y.norm() > 0.0)) return trace;  // started in the null space: the safe side
    x = y;
  }
  constexpr double kMargin = 1.02;  // for what is left of the iteration
  return std::min(trace, kMargin * rate);
}

std::string text(double value) {
  std::ostringstream out;
  out.precision(3);
  out << value;
  return out.str();
}

}  // namespace

class ContactFormulation::Parts {
 public:
  ContactModel model;
  Level level = Level::kVelocity;
  double h = 0.0;
  Index n = 0, j = 0, tangents = 0;  // contacts, bilateral rows, tangential rows per contact (0, 1, 2)
  BlockCholesky factor;
  std::unique_ptr<Reduction> reduction;
  MatrixXd Nh, N_p;           // normals, whitened and projected
  MatrixXd Sh, Th, S_p, T_p;  // tangents, where the model's forces act along them
  VectorXd rho_N, rho_D;      // whitened norms of the normal and tangential rows (pyramid)
  VectorXd guess;
  IndexList with_friction;  // contacts that have a friction block (pyramid)
  Index directions = 0;     // of the polygon
  // Viscous: f_s = −scale mu_v (S v), taken at v (explicit, acceleration level) or at v⁺.
  VectorXd mu_v, viscous_s, viscous_t;
  bool viscous_at_next = false;
  BlockRows S, T;
  std::variant<FactoredLcp, Lcp, BoxLcp> problem;

  double direction_s(Index k) const {
    return std::cos(2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(directions));
  }
  double direction_t(Index k) const {
    return std::sin(2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(directions));
  }

  void make_normal_problem(const VectorXd& b_N);
  void make_pyramid(const ContactProblem& contact);
  void make_box(const ContactProblem& contact);
};

void ContactFormulation::Parts::make_normal_problem(const VectorXd& b_N) {
  FactoredLcp lcp;
  lcp.G = N_p;
  lcp.q = Nh * reduction->free_velocity() + b_N;
  lcp.row_norm = Nh.rowwise().norm();
  lcp.speed = reduction->speed();
  for (Index i = 0; i < n; ++i) {
    if (lcp.row_norm(i) > 0.0) lcp.speed = std::max(lcp.speed, std::abs(b_N(i)) / lcp.row_norm(i));
  }
  problem = std::move(lcp);
}

// (θ, φ, λ) of spec C.1, over the contacts with mu > 0; rows ν, σ, γ. Rows are divided by their whitened norms ρ and
// impulses multiplied by them, so that the LCP is free of units and Lemke's path does not depend on them:
//     ν/ρ_N,  σ/ρ_D,  γ ρ_D   in   θ ρ_N,  φ ρ_D,  λ/ρ_D
void ContactFormulation::Parts::make_pyramid(const ContactProblem& contact) {
  directions = tangents == 2 ? std::get<CoulombPyramid>(model).sides : 2;
  if (tangents > 0) {
    for (Index i = 0; i < n; ++i) {
      if (contact.contacts[i].mu > 0.0) with_friction.push_back(i);
    }
  }
  const Index c = static_cast<Index>(with_friction.size());
  const Index d = directions;
  const Index m = contact.dof();
  rho_N = Nh.rowwise().norm();
  rho_D = VectorXd::Ones(n);
  for (Index i = 0; i < n; ++i) {
    if (rho_N(i) == 0.0) rho_N(i) = 1.0;
    if (tangents > 0) rho_D(i) = std::max(Sh.row(i).norm(), tangents == 2 ? Th.row(i).norm() : 0.0);
    if (rho_D(i) == 0.0) rho_D(i) = 1.0;
  }
  MatrixXd H(n + c * d, m), H_p(n + c * d, m);  // rows N, then D
  for (Index i = 0; i < n; ++i) {
    H.row(i) = Nh.row(i) / rho_N(i);
    H_p.row(i) = N_p.row(i) / rho_N(i);
  }
  for (Index b = 0; b < c; ++b) {
    const Index i = with_friction[b];
    for (Index k = 0; k < d; ++k) {
      const double s = direction_s(k) / rho_D(i), t = direction_t(k) / rho_D(i);
      H.row(n + b * d + k) = s * Sh.row(i);
      H_p.row(n + b * d + k) = s * S_p.row(i);
      if (tangents == 2) {
        H.row(n + b * d + k) += t * Th.row(i);
        H_p.row(n + b * d + k) += t * T_p.row(i);
      }
    }
  }
  Lcp lcp;
  const Index size = n + c * d + c;
  lcp.M = MatrixXd::Zero(size, size);
  lcp.q = VectorXd::Zero(size);
  lcp.M.topLeftCorner(n + c * d, n + c * d).noalias() = H_p * H_p.transpose();
  lcp.q.head(n + c * d) = H * reduction->free_velocity();  // b_s of spec C.1 included: u_p is not projected again
  lcp.q.head(n) += contact.b_N.cwiseQuotient(rho_N);
  for (Index b = 0; b < c; ++b) {
    const Index i = with_friction[b], gamma = n + c * d + b;
    // Beyond the largest mu the cone is a half space as far as double precision can tell; an answer that slides there all
    // the same is refused by its certificate, which knows the true mu.
    lcp.M(gamma, i) = std::min(contact.contacts[i].mu, kLargestMu) * rho_D(i) / rho_N(i);
    for (Index k = 0; k < d; ++k) {
      lcp.M(n + b * d + k, gamma) = 1.0;
      lcp.M(gamma, n + b * d + k) = -1.0;
    }
  }
  // Zero forces, with the multipliers they imply: the answer when every contact opens.
  guess = VectorXd::Zero(size);
  for (Index b = 0; b < c; ++b) {
    guess(n + c * d + b) = std::max(0.0, -lcp.q.segment(n + b * d, d).minCoeff());
  }
  problem = std::move(lcp);
}

void ContactFormulation::Parts::make_box(const ContactProblem& contact) {
  const MatrixXd H = stack(stack(Nh, Sh), Th);
  const MatrixXd H_p = stack(stack(N_p, S_p), T_p);
  BoxLcp lcp;
  lcp.M.noalias() = H_p * H_p.transpose();
  lcp.q = H * reduction->free_velocity();
  lcp.q.head(n) += contact.b_N;
  lcp.lo = VectorXd::Zero(H.rows());
  lcp.hi = VectorXd::Constant(H.rows(), std::numeric_limits<double>::infinity());
  for (Index row = n; row < H.rows(); ++row) {
    const double bound = contact.contacts[(row - n) % n].friction_bound;
    lcp.lo(row) = -bound;
    lcp.hi(row) = bound;
  }
  problem = std::move(lcp);
}

Expected<ContactFormulation> ContactFormulation::make(const ContactProblem& problem, const ContactModel& model) {
  auto parts = std::make_unique<Parts>();
  parts->model = model;
  parts->level = problem.level;
  parts->h = problem.h;
  parts->n = problem.size();
  parts->j = problem.bilateral();
  parts->tangents = (problem.S.rows() > 0 ? 1 : 0) + (problem.T.rows() > 0 ? 1 : 0);
  const bool accelerations = problem.level == Level::kAcceleration;
  const bool has_normal_forces_only = std::holds_alternative<Frictionless>(model);
  if (const auto* pyramid = std::get_if<CoulombPyramid>(&model);
      pyramid != nullptr && (pyramid->sides < 4 || pyramid->sides > kMostSides || pyramid->sides % 2 != 0)) {
    return fail("a pyramid with " + std::to_string(pyramid->sides) + " sides", "model",
                "give an even number of sides from 4 to " + std::to_string(kMostSides));
  }
  if (!has_normal_forces_only && parts->n > 0 && parts->tangents == 0) {
    return fail("the model '" + to_string(model) + "' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (accelerations && !std::holds_alternative<Frictionless>(model) && !std::holds_alternative<Viscous>(model)) {
    return fail("the model '" + to_string(model) + "' is not available at acceleration level", "level",
                "use velocity level, or the models frictionless or viscous");
  }

  auto factor = BlockCholesky::factor(problem.mass);
  if (!factor) return Unexpected<Error>{factor.error()};
  parts->factor = std::move(factor).value();

  // What moves the bodies when nothing holds them: u0 (spec A.2, A.4, B.8).
  VectorXd force = problem.f;
  BlockRows J = problem.J, N = problem.N;
  parts->S = problem.S;
  parts->T = problem.T;
  VectorXd u0;
  if (const auto* viscous = std::get_if<Viscous>(&model)) {
    parts->mu_v.resize(parts->n);
    for (Index i = 0; i < parts->n; ++i) parts->mu_v(i) = problem.contacts[i].mu_v;
    parts->viscous_at_next = viscous->implicit && !accelerations;
    if (!parts->viscous_at_next) {
      if (!accelerations) {
        const double rate = problem.h * largest_damping_rate(problem, parts->factor);
        if (!(rate < 2.0)) {
          return fail("explicit viscous friction is unstable here: h times the largest damping rate is " + text(rate) +
                          ", the bound is 2",
                      "mu_v",
                      "use the implicit form (viscous), or a step below " + text(2.0 * problem.h / rate) + " s");
        }
      }
      force -= viscous_damping(problem, problem.v);
    }
  }
  if (parts->viscous_at_next) {
    // (M + h B) v⁺ = M v + h f + …: one dense block, since B couples the bodies.
    MatrixXd mass = problem.mass.to_dense();
    for (const BlockRows* rows : {&problem.S, &problem.T}) {
      if (rows->rows() == 0) continue;
      const MatrixXd dense = rows->to_dense();
      mass += problem.h * dense.transpose() * parts->mu_v.asDiagonal() * dense;
    }
    BlockDiagonal coupled({MatrixXd(0.5 * (mass + mass.transpose()))});
    auto coupled_factor = BlockCholesky::factor(coupled);
    if (!coupled_factor) return Unexpected<Error>{coupled_factor.error()};
    parts->factor = std::move(coupled_factor).value();
    u0 = problem.mass.multiply(problem.v) + problem.h * problem.f;
    parts->factor.solve(u0);
    J = in_one_block(J, coupled.layout());
    N = in_one_block(N, coupled.layout());
  } else {
    u0 = force;
    parts->factor.solve(u0);
    if (!accelerations) u0 = problem.v + problem.h * u0;
  }

  const VectorXd& b_J = accelerations ? problem.a_J : problem.b_J;
  const VectorXd& b_N = accelerations ? problem.a_N : problem.b_N;
  const bool no_slip = std::holds_alternative<NoSlip>(model);
  BlockRows E = J;
  if (no_slip) E = stack(stack(J, problem.S), problem.T);  // the order changes the distribution of forces, not v⁺
  VectorXd b_E = VectorXd::Zero(E.rows());
  b_E.head(parts->j) = b_J;
  parts->reduction = std::make_unique<Reduction>(parts->factor, u0, E, b_E);
  if (!parts->reduction->consistent()) return ContactFormulation(std::move(parts));

  parts->Nh = parts->reduction->whitened(N);
  parts->N_p = parts->reduction->projected(parts->Nh);
  if (std::holds_alternative<CoulombPyramid>(model) || std::holds_alternative<FrictionBox>(model)) {
    parts->Sh = parts->reduction->whitened(problem.S);
    parts->Th = parts->reduction->whitened(problem.T);
    parts->S_p = parts->reduction->projected(parts->Sh);
    parts->T_p = parts->reduction->projected(parts->Th);
    if (std::holds_alternative<CoulombPyramid>(model)) {
      parts->make_pyramid(problem);
    } else {
      parts->make_box(problem);
    }
  } else {
    parts->make_normal_problem(b_N);
  }
  if (std::holds_alternative<Viscous>(model) && !parts->viscous_at_next) {
    const double scale = accelerations ? 1.0 : problem.h;
    parts->viscous_s = parts->S.rows() > 0 ? VectorXd(-scale * parts->mu_v.cwiseProduct(parts->S.multiply(problem.v)))
                                           : VectorXd::Zero(parts->n);
    parts->viscous_t = parts->T.rows() > 0 ? VectorXd(-scale * parts->mu_v.cwiseProduct(parts->T.multiply(problem.v)))
                                           : VectorXd::Zero(parts->n);
  }
  return ContactFormulation(std::move(parts));
}

bool ContactFormulation::consistent() const { return parts_->reduction->consistent(); }

ContactSolution ContactFormulation::inconsistency() const {
  ContactSolution solution;
  solution.y_n = VectorXd::Zero(parts_->n);
  solution.y_e = parts_->reduction->contradiction();
  return solution;
}

const std::variant<FactoredLcp, Lcp, BoxLcp>& ContactFormulation::problem() const { return parts_->problem; }

const VectorXd& ContactFormulation::guess() const { return parts_->guess; }

Index ContactFormulation::equality_rank() const { return parts_->reduction->rank(); }

ContactSolution ContactFormulation::lift(const VectorXd& z) const {
  const Parts& parts = *parts_;
  const Reduction& reduction = *parts.reduction;
  const Index n = parts.n;
  ContactSolution solution;
  solution.f_n = z.head(n);
  solution.f_s = VectorXd::Zero(n);
  solution.f_t = VectorXd::Zero(n);
  if (std::holds_alternative<CoulombPyramid>(parts.model)) {
    solution.f_n = solution.f_n.cwiseQuotient(parts.rho_N);
    for (Index b = 0; b < static_cast<Index>(parts.with_friction.size()); ++b) {
      for (Index k = 0; k < parts.directions; ++k) {
        const Index i = parts.with_friction[b];
        const double phi = z(n + b * parts.directions + k) / parts.rho_D(i);
        solution.f_s(i) += parts.direction_s(k) * phi;
        if (parts.tangents == 2) solution.f_t(i) += parts.direction_t(k) * phi;
      }
    }
  } else if (std::holds_alternative<FrictionBox>(parts.model)) {
    solution.f_s = z.segment(n, n);
    if (parts.tangents == 2) solution.f_t = z.segment(2 * n, n);
  }
  const MatrixXd X = stack(stack(parts.Nh, parts.Sh), parts.Th);
  const MatrixXd X_p = stack(stack(parts.N_p, parts.S_p), parts.T_p);
  VectorXd forces(X.rows());
  forces.head(n) = solution.f_n;
  if (parts.Sh.rows() > 0) forces.segment(n, n) = solution.f_s;
  if (parts.Th.rows() > 0) forces.segment(2 * n, n) = solution.f_t;
  solution.v_next = reduction.velocity(X_p, forces);
  const VectorXd f_E = reduction.equality_forces(solution.v_next, X, forces);
  solution.f_j = f_E.head(parts.j);
  if (std::holds_alternative<NoSlip>(parts.model)) {
    if (parts.S.rows() > 0) solution.f_s = f_E.segment(parts.j, n);
    if (parts.T.rows() > 0) solution.f_t = f_E.segment(parts.j + n, n);
  } else if (std::holds_alternative<Viscous>(parts.model)) {
    if (parts.viscous_at_next) {
      if (parts.S.rows() > 0) solution.f_s = -parts.h * parts.mu_v.cwiseProduct(parts.S.multiply(solution.v_next));
      if (parts.T.rows() > 0) solution.f_t = -parts.h * parts.mu_v.cwiseProduct(parts.T.multiply(solution.v_next));
    } else {
      solution.f_s = parts.viscous_s;
      solution.f_t = parts.viscous_t;
    }
  }
  return solution;
}

ContactSolution ContactFormulation::lift_farkas(const VectorXd& y) const {
  const Index n = parts_->n;
  ContactSolution solution;
  if (y.size() < n) return solution;
  const VectorXd clean = without_dust(y);
  VectorXd y_n = clean.head(n);
  if (std::holds_alternative<CoulombPyramid>(parts_->model)) {
    const Index phi = static_cast<Index>(parts_->with_friction.size()) * parts_->directions;
    if (!clean.segment(n, phi).isZero(0.0)) return solution;
    y_n = y_n.cwiseQuotient(parts_->rho_N);
  } else if (!clean.tail(y.size() - n).isZero(0.0)) {
    return solution;
  }
  solution.y_n = y_n;
  solution.y_e = without_dust(parts_->reduction->balance(parts_->Nh, y_n));
  return solution;
}

ContactFormulation::ContactFormulation(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ContactFormulation::~ContactFormulation() = default;
ContactFormulation::ContactFormulation(ContactFormulation&&) noexcept = default;
ContactFormulation& ContactFormulation::operator=(ContactFormulation&&) noexcept = default;

}  // namespace tribo
