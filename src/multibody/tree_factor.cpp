#include "multibody/tree_factor.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

namespace {

// Steps to the next dof of the same row: up the tree, or one by one where tendons couple branches.
class Ancestors {
 public:
  Ancestors(const Model& model, Index tree) : model_(model), start_(model.trees().start(tree)) {
    const auto& tendons = model.description().tendons;
    dense_ = std::any_of(tendons.begin(), tendons.end(), [](const Tendon& tendon) { return tendon.armature != 0.0; });
  }
  Index next(Index dof) const {
    if (dense_) return dof - 1;
    const Index parent = model_.parent_dof(start_ + dof);
    return parent < 0 ? -1 : parent - start_;
  }

 private:
  const Model& model_;
  Index start_;
  bool dense_;
};

}  // namespace

Index factor_from_tips(const Model& model, Index tree, MatrixXd& M) {
  constexpr double kSmallestPivot = 1e-15;  // kg or kg m²
  const Ancestors ancestors(model, tree);
  for (Index k = M.rows() - 1; k >= 0; --k) {
    const double pivot = M(k, k);
    if (!(pivot > kSmallestPivot) || !std::isfinite(pivot)) return k;
    for (Index i = ancestors.next(k); i >= 0; i = ancestors.next(i)) {
      const double l = M(k, i) / pivot;
      for (Index j = i; j >= 0; j = ancestors.next(j)) M(i, j) -= l * M(k, j);
      M(k, i) = l;
    }
  }
  return -1;
}

void solve_from_tips(const Model& model, Index tree, const MatrixXd& factor, VectorOut x) {
  const Ancestors ancestors(model, tree);
  const Index n = factor.rows();
  for (Index k = n - 1; k >= 0; --k) {
    for (Index i = ancestors.next(k); i >= 0; i = ancestors.next(i)) x(i) -= factor(k, i) * x(k);
  }
  for (Index k = 0; k < n; ++k) {
    x(k) /= factor(k, k);
    for (Index i = ancestors.next(k); i >= 0; i = ancestors.next(i)) x(k) -= factor(k, i) * x(i);
  }
}

}  // namespace tribo
