#include "tribo/formulation/friction_box.hpp"

#include <limits>

#include "formulation/reduction.hpp"

namespace tribo {
namespace {

// Rows of one matrix under those of another.
MatrixXd stack(const MatrixXd& first, const MatrixXd& second) {
  MatrixXd all(first.rows() + second.rows(), std::max(first.cols(), second.cols()));
  if (first.rows() > 0) all.topRows(first.rows()) = first;
  if (second.rows() > 0) all.bottomRows(second.rows()) = second;
  return all;
}

}  // namespace

class BoxFormulation::Parts {
 public:
  Index n = 0, j = 0, tangents = 0;  // contacts, bilateral rows, tangential rows per contact (0, 1, 2)
  BlockCholesky factor;
  std::unique_ptr<Reduction> reduction;
  MatrixXd Nh, N_p;           // normals, whitened and projected
  MatrixXd Sh, Th, S_p, T_p;  // tangents
  BoxLcp problem;

  void make_box(const ContactProblem& contact);
};

void BoxFormulation::Parts::make_box(const ContactProblem& contact) {
  const MatrixXd H = stack(stack(Nh, Sh), Th);
  const MatrixXd H_p = stack(stack(N_p, S_p), T_p);
  BoxLcp& lcp = problem;
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
}

Expected<BoxFormulation> BoxFormulation::make(const ContactProblem& problem) {
  auto parts = std::make_unique<Parts>();
  parts->n = problem.size();
  parts->j = problem.bilateral();
  parts->tangents = (problem.S.rows() > 0 ? 1 : 0) + (problem.T.rows() > 0 ? 1 : 0);
  if (parts->n > 0 && parts->tangents == 0) {
    return fail("the model 'friction-box' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (problem.level == Level::kAcceleration) {
    return fail("the model 'friction-box' is not available at acceleration level", "level",
                "use velocity level, or the models frictionless or viscous");
  }

  auto factor = BlockCholesky::factor(problem.mass);
  if (!factor) return Unexpected<Error>{factor.error()};
  parts->factor = std::move(factor).value();
  VectorXd u0 = problem.f;
  parts->factor.solve(u0);
  u0 = problem.v + problem.h * u0;
  parts->reduction = std::make_unique<Reduction>(parts->factor, u0, problem.J, problem.b_J);
  if (!parts->reduction->consistent()) return BoxFormulation(std::move(parts));

  parts->Nh = parts->reduction->whitened(problem.N);
  parts->N_p = parts->reduction->projected(parts->Nh);
  parts->Sh = parts->reduction->whitened(problem.S);
  parts->Th = parts->reduction->whitened(problem.T);
  parts->S_p = parts->reduction->projected(parts->Sh);
  parts->T_p = parts->reduction->projected(parts->Th);
  parts->make_box(problem);
  return BoxFormulation(std::move(parts));
}

bool BoxFormulation::consistent() const { return parts_->reduction->consistent(); }

ContactSolution BoxFormulation::inconsistency() const {
  ContactSolution solution;
  solution.y_n = VectorXd::Zero(parts_->n);
  solution.y_e = parts_->reduction->contradiction();
  return solution;
}

const BoxLcp& BoxFormulation::problem() const { return parts_->problem; }

Index BoxFormulation::equality_rank() const { return parts_->reduction->rank(); }

ContactSolution BoxFormulation::lift(const VectorXd& z) const {
  const Parts& parts = *parts_;
  const Reduction& reduction = *parts.reduction;
  const Index n = parts.n;
  ContactSolution solution;
  solution.f_n = z.head(n);
  solution.f_s = z.segment(n, n);
  solution.f_t = parts.tangents == 2 ? VectorXd(z.segment(2 * n, n)) : VectorXd::Zero(n);
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

ContactSolution BoxFormulation::lift_farkas(const VectorXd& y) const {
  const Index n = parts_->n;
  ContactSolution solution;
  if (y.size() < n) return solution;
  const VectorXd clean = without_dust(y);
  const VectorXd y_n = clean.head(n);
  if (!clean.tail(y.size() - n).isZero(0.0)) return solution;
  solution.y_n = y_n;
  solution.y_e = without_dust(parts_->reduction->balance(parts_->Nh, y_n));
  return solution;
}

BoxFormulation::BoxFormulation(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
BoxFormulation::~BoxFormulation() = default;
BoxFormulation::BoxFormulation(BoxFormulation&&) noexcept = default;
BoxFormulation& BoxFormulation::operator=(BoxFormulation&&) noexcept = default;

}  // namespace tribo
