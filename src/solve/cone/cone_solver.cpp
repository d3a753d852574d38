#include "tribo/solve/cone/cone_solver.hpp"

#include "tribo/core/assert.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "solve/cone/portfolio.hpp"

namespace tribo {

class ConeSolver::Workspace {
 public:
  explicit Workspace(ConeSettings given) : settings(given) {}

  // Calls act(portfolio of this dimension).
  template <typename Act>
  auto with(int dimension, const Act& act) {
    switch (dimension) {
      case 2:
        return act(make(planar_));
      case 3:
        return act(make(spatial_));
      case 4:
        return act(make(spinning_));
      default:
        return act(make(rolling_));
    }
  }

  ConeSettings settings;

 private:
  template <typename P>
  static P& make(std::unique_ptr<P>& portfolio) {
    if (!portfolio) portfolio = std::make_unique<P>();
    return *portfolio;
  }

  std::unique_ptr<cone::Portfolio<2>> planar_;
  std::unique_ptr<cone::Portfolio<3>> spatial_;
  std::unique_ptr<cone::Portfolio<4>> spinning_;
  std::unique_ptr<cone::Portfolio<6>> rolling_;
};

ConeSolver::ConeSolver(ConeSettings settings) : workspace_(std::make_unique<Workspace>(settings)) {}
ConeSolver::~ConeSolver() = default;
ConeSolver::ConeSolver(ConeSolver&&) noexcept = default;
ConeSolver& ConeSolver::operator=(ConeSolver&&) noexcept = default;

void ConeSolver::reserve(const ConeProblem& problem) {
  workspace_->with(problem.dimension, [&](auto& portfolio) { portfolio.reserve(problem); });
}

SolveReport ConeSolver::solve(const ConeProblem& problem, const ConeWarmStart& warm, ConeSolution& solution) {
  TRIBO_REQUIRE(problem.dimension == 2 || problem.dimension == 3 || problem.dimension == 4 || problem.dimension == 6,
                "a cone has 2, 3, 4 or 6 components");
  const Index n = problem.contacts(), rows = n * problem.dimension;
  const BlockSparse& A = problem.by_bodies() ? problem.H : problem.W;
  TRIBO_REQUIRE(problem.q.size() == rows, "q has one entry per component");
  TRIBO_REQUIRE(n == 0 || (A.height == problem.dimension && A.block_rows() == n &&
                           A.values.size() == A.column.size() * static_cast<std::size_t>(A.height * A.width)),
                "W or H has a row of blocks per contact; validate() says more");
  TRIBO_REQUIRE(n == 0 || A.width == (problem.by_bodies() ? (problem.dimension == 2 ? 3 : 6) : problem.dimension),
                "blocks of W are square, those of H have 3 columns in the plane and 6 in space");
  TRIBO_REQUIRE(!problem.by_bodies() || problem.R.size() == rows, "R has one entry per component");
  TRIBO_REQUIRE(problem.bilateral.empty() || static_cast<Index>(problem.bilateral.size()) == n,
                "bilateral has one flag per contact");
  return workspace_->with(problem.dimension, [&](auto& portfolio) {
    return portfolio.solve(problem, warm, workspace_->settings, solution);
  });
}

}  // namespace tribo
