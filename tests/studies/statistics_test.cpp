#include "studies/statistics.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Closed form: 1, 2, 3, 4 have the mean 5/2 and the sample variance 5/3; one value has no spread.
TEST(Spread, IsMeanAndSampleDeviation) {
  const Spread spread = calc_spread({1.0, 2.0, 3.0, 4.0});
  EXPECT_NEAR(spread.mean, 2.5, 1e-15);
  EXPECT_NEAR(spread.sd, std::sqrt(5.0 / 3.0), 1e-15);
  EXPECT_EQ(calc_spread({7.0}).mean, 7.0);
  EXPECT_EQ(calc_spread({7.0}).sd, 0.0);
}

// A power law is recovered whatever its factor.
TEST(FitExponent, RecoversAPowerLaw) {
  EXPECT_NEAR(fit_exponent({1.0, 2.0, 4.0, 8.0}, {3.0, 24.0, 192.0, 1536.0}), 3.0, 1e-12);
  EXPECT_NEAR(fit_exponent({10.0, 1000.0}, {5.0, 5.0}), 0.0, 1e-12);
}

}  // namespace
}  // namespace tribo
