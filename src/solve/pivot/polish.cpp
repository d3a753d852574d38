#include "solve/pivot/polish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo {

void Polish::reserve(Index n) {
  lu_.reserve(n);
  product_.reserve(n);
  backward_error_.reserve(n);
  if (step_.size() >= n) return;
  step_.resize(n);
  rhs_.resize(n);
  ones_.setOnes(n);
}

// The first pass solves, the others refine, until the steps no longer shrink.
template <typename Solve>
double Polish::refine(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi,
                      const IndexList& rows, const IndexList& columns, Index count, const Solve& solve, VectorOut x,
                      VectorOut w) {
  constexpr int kPasses = 5;
  constexpr double kConverged = 1e-15, kStalled = 1e-12;  // of x
  for (Index c = 0; c < count; ++c) x(columns[c]) = 0.0;
  double last = std::numeric_limits<double>::infinity(), size = 0.0;
  for (int pass = 0; pass < kPasses && count > 0; ++pass) {
    auto step = step_.head(count);
    product_(M, x, q, w);
    for (Index r = 0; r < count; ++r) step(r) = -w(rows[r]);
    solve(step);
    const double change = step.lpNorm<Eigen::Infinity>();
    if (!(change < last)) break;
    last = change;
    for (Index c = 0; c < count; ++c) x(columns[c]) += step(c);
    if (pass == 0) size = change;
    if (change <= kConverged * size) break;
  }
  if (count > 0 && !(last <= kStalled * size)) return std::numeric_limits<double>::infinity();
  for (Index c = 0; c < count; ++c) {
    const Index j = columns[c];
    x(j) = std::clamp(x(j), lo(j), hi(j));
  }
  const double error = judge(M, q, lo, hi, x, w);
  for (Index r = 0; r < count; ++r) {  // where z is inside its bounds; one that was moved onto a bound may have w ≠ 0
    const Index i = rows[r];
    if (x(i) > lo(i) && x(i) < hi(i)) w(i) = 0.0;
  }
  return error;
}

double Polish::operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi,
                          const IndexList& rows, const IndexList& columns, Index count, VectorOut x, VectorOut w) {
  auto K = lu_.matrix(count);
  for (Index c = 0; c < count; ++c) {
    for (Index r = 0; r < count; ++r) K(r, c) = M(rows[r], columns[c]);
  }
  if (!lu_.factor(1e-15)) return std::numeric_limits<double>::infinity();
  const auto solve = [this](VectorOut step) { lu_.solve(step); };
  return refine(M, q, lo, hi, rows, columns, count, solve, x, w);
}

double Polish::operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi,
                          const IndexList& rows, const IndexList& columns, Index count, const MatrixIn& inverse,
                          VectorOut x, VectorOut w) {
  const auto solve = [&](VectorOut step) {
    auto rhs = rhs_.head(count);
    rhs = step;
    step.setZero();
    for (Index p = 0; p < count; ++p) step += rhs(p) * inverse.col(p);
  };
  return refine(M, q, lo, hi, rows, columns, count, solve, x, w);
}

double Polish::judge(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const VectorIn& x,
                     VectorOut w) {
  product_(M, x, q, w);
  return backward_error_(M, q, lo, hi, x, w, ones_.head(q.size()));
}

}  // namespace tribo
