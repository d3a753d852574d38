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
  ones_.setOnes(n);
}

double Polish::operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi,
                          const IndexList& rows, const IndexList& columns, Index count, VectorOut x, VectorOut w) {
  auto K = lu_.matrix(count);
  for (Index c = 0; c < count; ++c) {
    for (Index r = 0; r < count; ++r) K(r, c) = M(rows[r], columns[c]);
    x(columns[c]) = 0.0;
  }
  if (!lu_.factor(1e-15)) return std::numeric_limits<double>::infinity();

  constexpr int kRefinements = 3;  // the first pass solves, the others refine
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kRefinements; ++pass) {
    auto step = step_.head(count);
    product_(M, x, q, w);
    for (Index r = 0; r < count; ++r) step(r) = -w(rows[r]);
    lu_.solve(step);
    const double size = count > 0 ? step.lpNorm<Eigen::Infinity>() : 0.0;
    if (!(size < last)) break;  // no longer improving
    last = size;
    for (Index c = 0; c < count; ++c) x(columns[c]) += step(c);
  }
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

double Polish::judge(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const VectorIn& x,
                     VectorOut w) {
  product_(M, x, q, w);
  return backward_error_(M, q, lo, hi, x, w, ones_.head(q.size()));
}

}  // namespace tribo
