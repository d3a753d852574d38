// Shared by the tests of certificates: short vectors and rows, residuals by name.
#pragma once

#include "tribo/certify/certify.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tribo::testing {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline VectorXd vec(std::initializer_list<double> values) {
  VectorXd result(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double value : values) result(i++) = value;
  return result;
}

inline BlockRows rows_of(const MatrixXd& dense, const BlockLayout& layout) {
  return BlockRows::from_dense(dense, layout).value();
}

// NaN, which no comparison accepts, for a residual that is not there.
inline double relative(const Certificate& certificate, const std::string& name) {
  const Residual* residual = certificate.find(name);
  return residual == nullptr ? std::nan("") : residual->relative;
}

// Every residual named is above 1e-8, every other one is zero to rounding.
inline void expect_refused_by(const Certificate& certificate, const std::vector<std::string>& names) {
  for (const std::string& name : names) ASSERT_NE(certificate.find(name), nullptr) << name;
  for (const Residual& residual : certificate.residuals) {
    const bool named = std::find(names.begin(), names.end(), residual.name) != names.end();
    if (named) {
      EXPECT_GT(residual.relative, 1e-8) << residual.name;
    } else {
      EXPECT_LT(residual.relative, 1e-14) << residual.name;
    }
  }
}

}  // namespace tribo::testing
