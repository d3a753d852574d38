#include "tribo/core/assert.hpp"
#include "tribo/linalg/sparse_lu.hpp"

#include <vector>

#include "siconos_friction.hpp"

namespace tribo {

LocalFriction condense(const GlobalFriction& problem) {
  TRIBO_REQUIRE(problem.G.cols() == 0, "bilateral rows cannot be condensed here");
  SparseMatrix M = problem.M;
  M.makeCompressed();
  SparseLu factor;
  TRIBO_REQUIRE(factor.factor(M), "the mass matrix is singular");
  LocalFriction local;
  local.dimension = problem.dimension;
  local.mu = problem.mu;
  local.title = problem.title;
  local.q = problem.H.transpose() * factor.solve(problem.f) + problem.w;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < problem.H.cols(); ++k) {
    const VectorXd column = problem.H.transpose() * factor.solve(VectorXd(problem.H.col(k)));
    for (Index i = 0; i < column.size(); ++i) {
      if (column(i) != 0.0) entries.emplace_back(i, k, column(i));
    }
  }
  local.W.resize(problem.H.cols(), problem.H.cols());
  local.W.setFromTriplets(entries.begin(), entries.end());
  return local;
}

}  // namespace tribo
