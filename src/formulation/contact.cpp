#include "tribo/formulation/contact.hpp"

#include "tribo/core/assert.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "formulation/reduction.hpp"

namespace tribo {
namespace {

constexpr double kLargestMu = 1e8;

// Rows of one matrix under those of another.
MatrixXd stack(const MatrixXd& first, const MatrixXd& second) {
  MatrixXd all(first.rows() + second.rows(), std::max(first.cols(), second.cols()));
  if (first.rows() > 0) all.topRows(first.rows()) = first;
  if (second.rows() > 0) all.bottomRows(second.rows()) = second;
  return all;
}

}  // namespace

class ContactFormulation::Parts {
 public:
  ContactModel model;
  Index n = 0, j = 0, tangents = 0;  // contacts, bilateral rows, tangential rows per contact (0, 1, 2)
  BlockCholesky factor;
  std::unique_ptr<Reduction> reduction;
  MatrixXd Nh, N_p;           // normals, whitened and projected
  MatrixXd Sh, Th, S_p, T_p;  // tangents, where the model's forces act along them
  VectorXd rho_N, rho_D;      // whitened norms of the normal and tangential rows (pyramid)
  VectorXd guess;
  IndexList with_friction;  // contacts that have a friction block (pyramid)
  Index directions = 0;     // of the polygon
  std::variant<Lcp, BoxLcp> problem;

  double direction_s(Index k) const {
    return std::cos(2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(directions));
  }
  double direction_t(Index k) const {
    return std::sin(2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(directions));
  }

  void make_pyramid(const ContactProblem& contact);
  void make_box(const ContactProblem& contact);
};

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
  const bool pyramid = std::holds_alternative<CoulombPyramid>(model);
  TRIBO_REQUIRE(pyramid || std::holds_alternative<FrictionBox>(model), "NormalFormulation takes the other models");
  auto parts = std::make_unique<Parts>();
  parts->model = model;
  parts->n = problem.size();
  parts->j = problem.bilateral();
  parts->tangents = (problem.S.rows() > 0 ? 1 : 0) + (problem.T.rows() > 0 ? 1 : 0);
  if (pyramid) {
    const int sides = std::get<CoulombPyramid>(model).sides;
    if (sides < 4 || sides > kMostSides || sides % 2 != 0) {
      return fail("a pyramid with " + std::to_string(sides) + " sides", "model",
                  "give an even number of sides from 4 to " + std::to_string(kMostSides));
    }
  }
  if (parts->n > 0 && parts->tangents == 0) {
    return fail("the model '" + to_string(model) + "' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (problem.level == Level::kAcceleration) {
    return fail("the model '" + to_string(model) + "' is not available at acceleration level", "level",
                "use velocity level, or the models frictionless or viscous");
  }

  auto factor = BlockCholesky::factor(problem.mass);
  if (!factor) return Unexpected<Error>{factor.error()};
  parts->factor = std::move(factor).value();
  VectorXd u0 = problem.f;
  parts->factor.solve(u0);
  u0 = problem.v + problem.h * u0;
  parts->reduction = std::make_unique<Reduction>(parts->factor, u0, problem.J, problem.b_J);
  if (!parts->reduction->consistent()) return ContactFormulation(std::move(parts));

  parts->Nh = parts->reduction->whitened(problem.N);
  parts->N_p = parts->reduction->projected(parts->Nh);
  parts->Sh = parts->reduction->whitened(problem.S);
  parts->Th = parts->reduction->whitened(problem.T);
  parts->S_p = parts->reduction->projected(parts->Sh);
  parts->T_p = parts->reduction->projected(parts->Th);
  if (pyramid) {
    parts->make_pyramid(problem);
  } else {
    parts->make_box(problem);
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

const std::variant<Lcp, BoxLcp>& ContactFormulation::problem() const { return parts_->problem; }

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
  solution.f_j = f_E;
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
