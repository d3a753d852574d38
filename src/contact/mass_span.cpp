#include "contact/mass_span.hpp"

#include "tribo/linalg/block_diagonal.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace tribo {

namespace {

constexpr double kMostSpan = 1e13;

// Diagonals of M mix masses and moments of inertia: far enough apart, the rows decide.
bool may_span_too_much(const ContactProblem& problem) {
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    const auto diagonal = problem.mass.block(b).diagonal();
    least = std::min(least, diagonal.minCoeff());
    most = std::max(most, diagonal.maxCoeff());
  }
  return most > kMostSpan * least;
}

}  // namespace

bool spans_too_much(const ContactProblem& problem) {
  if (!may_span_too_much(problem)) return false;
  BlockCholesky factor;
  if (!factor.assign(problem.mass)) return true;
  const BlockLayout& layout = problem.mass.layout();
  std::vector<double> inverse_mass(static_cast<std::size_t>(layout.blocks()), 0.0);
  VectorXd x(problem.dof());
  const auto look = [&](const BlockRows& rows) {
    for (Index i = 0; i < rows.rows(); ++i) {
      x.setZero();
      rows.add_scaled(i, 1.0, x);
      factor.whiten_force(x);
      for (Index b = 0; b < layout.blocks(); ++b) {
        double& most = inverse_mass[static_cast<std::size_t>(b)];
        most = std::max(most, x.segment(layout.start(b), layout.size(b)).squaredNorm());
      }
    }
  };
  look(problem.N);
  look(problem.J);
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const double w : inverse_mass) {
    if (w > 0.0) least = std::min(least, w);
    most = std::max(most, w);
  }
  return most > kMostSpan * least;
}

}  // namespace tribo
