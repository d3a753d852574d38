#include "certify/ray.hpp"

#include "tribo/linalg/accurate.hpp"

namespace tribo {

namespace {

constexpr double kZero = 1e-9;  // relative; what counts as zero on Lemke's path

// A point or direction: its unknowns, the rows M x + offset + c s, what they are made of, and each unknown's
// effect.
struct Side {
  VectorXd x, w, omega, effect;
  double size = 0.0;  // effect of the artificial variable s

  Side(const MatrixXd& M, const VectorXd& unknowns, const VectorXd& offset, const VectorXd& cover, double s)
      : x(unknowns) {
    const Index n = offset.size();
    omega = offset.cwiseAbs() + cover.cwiseAbs() * std::abs(s);
    w.resize(n);
    for (Index i = 0; i < n; ++i) {
      AccurateSum sum(offset(i));
      sum.add_product(cover(i), s);
      for (Index j = 0; j < n; ++j) sum.add_product(M(i, j), x(j));
      w(i) = sum.value();
      omega(i) += M.row(i).cwiseAbs().dot(x.cwiseAbs().transpose());
      size = std::max(size, ratio(cover(i) * s, omega(i)));
    }
    effect.resize(n);
    for (Index j = 0; j < n; ++j) {
      double shown = 0.0;
      for (Index i = 0; i < n; ++i) shown = std::max(shown, ratio(M(i, j) * x(j), omega(i)));
      effect(j) = (M.col(j).array() == 0.0).all() && x(j) != 0.0 ? 1.0 : shown;
    }
  }
  double row(Index i) const { return ratio(w(i), omega(i)); }
};

bool shapes_fit(const VectorXd& q, Index free, const Evidence& ray) {
  const Index n = q.size() - free;
  return ray.z.size() == n && ray.dz.size() == n && ray.cover.size() == n && ray.u.size() == free &&
         ray.du.size() == free;
}

}  // namespace

Certificate check_ray(const MatrixXd& M, const VectorXd& q, Index free, const Evidence& ray) {
  if (!shapes_fit(q, free, ray)) return refused("size");
  if (!all_finite(ray.z, ray.dz, ray.cover, ray.u, ray.du) || !std::isfinite(ray.z0) || !std::isfinite(ray.dz0)) {
    return refused("finite");
  }
  const Index n = q.size();
  VectorXd x(n), dx(n), cover(n);
  x << ray.u, ray.z;
  dx << ray.du, ray.dz;
  cover << VectorXd::Zero(free), ray.cover;
  const Side base(M, x, q, cover, ray.z0);
  const Side along(M, dx, VectorXd::Zero(n), cover, ray.dz0);

  Worst sign, rows, products, equality;
  sign.consider(std::min(ray.z0, 0.0), 0.0);
  sign.consider(std::min(ray.dz0, 0.0), 0.0);
  double moves = 0.0;
  for (Index i = 0; i < free; ++i) equality.consider(std::max(base.row(i), along.row(i)), kZero);
  for (Index i = free; i < n; ++i) {
    sign.consider(std::min(cover(i), 0.0), 0.0);
    for (const Side* side : {&base, &along}) {
      if (side->x(i) < 0.0) sign.consider(side->effect(i), kZero);
      if (side->w(i) < 0.0) rows.consider(side->row(i), kZero);
      for (const Side* other : {&base, &along}) {
        products.consider(std::min(side->effect(i), other->row(i)), kZero);
      }
    }
    moves = std::max(moves, along.effect(i));
  }
  Certificate checks;
  checks.add(sign.residual("sign", "1"));
  checks.add(rows.residual("rows", "1"));
  checks.add(equality.residual("equality", "1"));
  checks.add(products.residual("complementarity", "1"));
  checks.add({"artificial", "1", base.size, kZero, base.size > kZero ? 0.0 : kInfinity});
  checks.add({"secondary", "1", moves, kZero, moves > kZero ? 0.0 : kInfinity});
  return checks;
}

}  // namespace tribo
