// The point of an ellipsoid nearest to a given one, in a diagonal metric m and in coordinates that make the ellipsoid a ball:
//     p = argmin Σ m_k (a_k − p_k)²   subject to   |p| ≤ 1
//     p_k = a_k m_k/(m_k + λ),   λ = 0 where |a| ≤ 1, else the root of |p(λ)| = 1                                    (1)
// 1/|p(λ)| is concave and grows, so Newton's method on 1/|p| = 1 stays on its left and ascends (Hebden; Moré and Sorensen 1983). It
// begins at λ = max m_k (|a_k| − 1), where no |p_k| is above 1 and one is equal to 1. With equal m_k one step is exact.
// Cost: 2 to 8 steps for m over twenty decades. p_k = 0 where m_k = 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Core>

namespace tribo {

template <int Count>
Eigen::Matrix<double, Count, 1> nearest_in_ball(const Eigen::Matrix<double, Count, 1>& a,
                                                const Eigen::Matrix<double, Count, 1>& m) {
  using Vector = Eigen::Matrix<double, Count, 1>;
  constexpr int kMostSteps = 100;
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  double lambda = 0.0;
  for (int k = 0; k < Count; ++k) {
    if (m(k) > 0.0) lambda = std::max(lambda, m(k) * (std::abs(a(k)) - 1.0));
  }
  Vector p;
  for (int step = 0;; ++step) {
    double slope = 0.0;
    for (int k = 0; k < Count; ++k) {
      p(k) = m(k) > 0.0 ? a(k) * (m(k) / (m(k) + lambda)) : 0.0;
      if (m(k) > 0.0) slope += p(k) * p(k) / (m(k) + lambda);
    }
    const double square = p.squaredNorm(), norm = std::sqrt(square);
    if (norm <= 1.0 && step == 0) return p;  // inside; or λ is exact
    if (!(norm > 1.0 + kRounding) || step == kMostSteps) return p / norm;
    lambda += square * (norm - 1.0) / slope;
  }
}

}  // namespace tribo
