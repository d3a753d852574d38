#include "tribo/formulation/qp.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/reduction.hpp"

namespace tribo {
namespace {

// One dense block over all variables.
BlockRows rows_of(const MatrixXd& dense, const BlockLayout& layout) {
  if (dense.rows() == 0) return BlockRows(layout);
  return BlockRows::from_dense(dense, layout).value();  // one block: never more than two
}

}  // namespace

class QpFormulation::Parts {
 public:
  BlockCholesky factor;
  std::unique_ptr<Reduction> reduction;
  MatrixXd Gh, G_p;
  FactoredLcp lcp;
  Index inequalities = 0;
};

Expected<QpFormulation> QpFormulation::make(const Qp& qp) {
  auto parts = std::make_unique<Parts>();
  parts->inequalities = qp.d.size();
  const BlockDiagonal H({qp.H});
  auto factor = BlockCholesky::factor(H);
  if (!factor) return Unexpected<Error>{factor.error().within("H")};
  parts->factor = std::move(factor).value();
  VectorXd start = -qp.g;
  parts->factor.solve(start);  // the unconstrained minimum
  parts->reduction = std::make_unique<Reduction>(parts->factor, start, rows_of(qp.E, H.layout()), VectorXd(-qp.b));
  if (parts->reduction->consistent()) {
    parts->Gh = parts->reduction->whitened(rows_of(qp.G, H.layout()));
    parts->G_p = parts->reduction->projected(parts->Gh);
    parts->lcp.G = parts->G_p;
    parts->lcp.q = parts->Gh * parts->reduction->free_velocity() - qp.d;
    parts->lcp.row_norm = parts->Gh.rowwise().norm();
    parts->lcp.speed = parts->reduction->speed();
    for (Index i = 0; i < qp.d.size(); ++i) {
      if (parts->lcp.row_norm(i) > 0.0) {
        parts->lcp.speed = std::max(parts->lcp.speed, std::abs(qp.d(i)) / parts->lcp.row_norm(i));
      }
    }
  }
  return QpFormulation(std::move(parts));
}

bool QpFormulation::consistent() const { return parts_->reduction->consistent(); }

const FactoredLcp& QpFormulation::problem() const { return parts_->lcp; }

QpSolution QpFormulation::lift(const VectorXd& z) const {
  QpSolution solution;
  solution.lambda = z;
  solution.x = parts_->reduction->velocity(parts_->G_p, z);
  solution.nu = parts_->reduction->equality_forces(solution.x, parts_->Gh, z);
  return solution;
}

VectorXd QpFormulation::lift_farkas(const VectorXd& y) const {
  const VectorXd y_e = parts_->reduction->balance(parts_->Gh, y);
  VectorXd all(y.size() + y_e.size());
  all << y, y_e;
  return without_dust(all);
}

VectorXd QpFormulation::inconsistency() const {
  const VectorXd& y_e = parts_->reduction->contradiction();
  VectorXd all = VectorXd::Zero(parts_->inequalities + y_e.size());
  all.tail(y_e.size()) = y_e;
  return without_dust(all);
}

QpFormulation::QpFormulation(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
QpFormulation::~QpFormulation() = default;
QpFormulation::QpFormulation(QpFormulation&&) noexcept = default;
QpFormulation& QpFormulation::operator=(QpFormulation&&) noexcept = default;

}  // namespace tribo
