// The nearest point of an ellipsoid in a diagonal metric, in coordinates that make it a ball.
#include "certify/ellipsoid.hpp"

#include "tribo/core/random.hpp"
#include "tribo/linalg/types.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tribo {
namespace {

using Vector5d = Eigen::Matrix<double, 5, 1>;

// What lies inside is its own nearest point.
TEST(NearestInBall, KeepsWhatIsInside) {
  const Vector5d a(0.1, -0.5, 0.3, 0.0, 0.8), m(1.0, 1e-9, 1e3, 1.0, 2.0);
  ASSERT_LT(a.norm(), 1.0);
  EXPECT_EQ(nearest_in_ball<5>(a, m), a);
}

// With equal weights the point lies on the ray, for any length.
TEST(NearestInBall, ShrinksAlongTheRayInAnEqualMetric) {
  for (const double length : {1.0 + 1e-12, 1.5, 1e6, 1e90}) {
    const Eigen::Vector2d a = length * Eigen::Vector2d(0.6, -0.8);
    EXPECT_LT((nearest_in_ball<2>(a, Eigen::Vector2d(0.3, 0.3)) - Eigen::Vector2d(0.6, -0.8)).norm(), 1e-15) << length;
  }
}

// Optimality: |p| = 1 and m_k (a_k − p_k) = λ p_k with one λ > 0, weights and lengths over many decades.
TEST(NearestInBall, SatisfiesItsOptimalityConditions) {
  Random random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    Vector5d a, m;
    for (Index k = 0; k < 5; ++k) {
      a(k) = random.uniform(-1.0, 1.0) * std::pow(10.0, random.uniform(-2.0, 9.0));
      m(k) = random.chance(0.1) ? 0.0 : std::pow(10.0, random.uniform(-12.0, 8.0));
    }
    const Vector5d p = nearest_in_ball<5>(a, m);
    double inside = 0.0, stretch = 0.0, lambda = 0.0;  // λ where it has most digits: at the largest a_k/p_k
    for (Index k = 0; k < 5; ++k) {
      if (m(k) == 0.0) {
        EXPECT_EQ(p(k), 0.0);
        continue;
      }
      inside += a(k) * a(k);
      if (!(a(k) / p(k) > stretch)) continue;
      stretch = a(k) / p(k);
      lambda = m(k) * (stretch - 1.0);
    }
    if (inside <= 1.0) continue;
    EXPECT_NEAR(p.norm(), 1.0, 1e-14) << trial;
    EXPECT_GE(lambda, 0.0) << trial;
    for (Index k = 0; k < 5; ++k) {
      if (m(k) == 0.0) continue;
      EXPECT_NEAR(p(k), a(k) * (m(k) / (m(k) + lambda)), 1e-6) << trial << ", " << k;
    }
  }
}

}  // namespace
}  // namespace tribo
