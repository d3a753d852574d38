#include <algorithm>
#include <cmath>

#include "solve/pivot/lemke_path.hpp"

namespace tribo {

// Is the ray one? Base point and direction are computed afresh; nothing may be negative beyond rounding.
bool LemkePath::is_genuine_ray(const Variable& drive) {
  if (!basis_.refactor()) return false;
  basis_.values(qs_, x_, ws_);
  calc_direction(drive);
  basis_.refine(dx_, dw_, drive.is_w ? drive.index : -1);
  constexpr double kNegative = 1e-10;
  double largest_rate = 0.0;
  const auto each_basic = [&](const auto& visit) {
    for (Index p = 0; p < basis_.size(); ++p) {
      if (is_bounded(basis_.column(p)) && !visit(x_(p), largest_z_(basis_.column(p)), dx_(p))) return false;
    }
    for (Index i = free_; i < n_; ++i) {
      if (basis_.row_position(i) < 0 && !visit(ws_(i), largest_w_(i), dw_(i))) return false;
    }
    return true;
  };
  each_basic([&](double, double, double rate) {
    largest_rate = std::max(largest_rate, std::abs(rate));
    return true;
  });
  // Back on the primary ray, where only z₀ and w grow: rounding has led the path astray.
  bool z_grows = !drive.is_w;
  for (Index p = 0; p < basis_.size(); ++p) {
    z_grows = z_grows || (basis_.column(p) != n_ && std::abs(dx_(p)) > 1e-12 * largest_rate);
  }
  if (!z_grows) return false;
  return each_basic([&](double value, double largest, double rate) {
    return value >= -kNegative * largest && rate >= -kNegative * largest_rate;
  });
}

// The ray as evidence; what rounding left of zeros is made zero.
void LemkePath::keep_ray(const Variable& drive, Evidence& evidence) {
  VectorXd base = VectorXd::Zero(n_ + 1), along = VectorXd::Zero(n_ + 1);
  const Index k = basis_.size();
  const double largest_rate = std::max(drive.is_w ? 0.0 : 1.0, k > 0 ? dx_.head(k).cwiseAbs().maxCoeff() : 0.0);
  for (Index p = 0; p < k; ++p) {
    const Index j = basis_.column(p);
    if (std::abs(x_(p)) > kZeroValue * largest_z_(j)) base(j) = x_(p);
    if (std::abs(dx_(p)) > 1e-12 * largest_rate) along(j) = dx_(p);
  }
  if (!drive.is_w) along(drive.index) = 1.0;
  evidence.kind = Evidence::Kind::kRay;
  evidence.z0 = std::max(0.0, base(n_)) * unit_;
  evidence.dz0 = std::max(0.0, along(n_));
  base.head(n_) = base.head(n_).cwiseProduct(c_.head(n_)) * unit_;
  along.head(n_) = along.head(n_).cwiseProduct(c_.head(n_));
  evidence.cover = cover_.segment(free_, n_ - free_).cwiseQuotient(r_.segment(free_, n_ - free_));
  evidence.u = base.head(free_);
  evidence.du = along.head(free_);
  evidence.z = base.segment(free_, n_ - free_).cwiseMax(0.0);
  evidence.dz = along.segment(free_, n_ - free_).cwiseMax(0.0);
}

}  // namespace tribo
