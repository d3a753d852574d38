// The sums of linalg/accurate.hpp, several side by side: every lane goes through the same operations in the same order as
// one AccurateSum, so that the numbers are the same.
#pragma once

#include "tribo/linalg/padded.hpp"

#include <cmath>

namespace tribo {

using padded::FourLanes;
using padded::TwoLanes;

// a b − p, rounded once. Eigen knows the machine, and brings its instructions where there are any.
inline FourLanes product_error(FourLanes a, FourLanes b, FourLanes p) {
#if defined(EIGEN_VECTORIZE_FMA) && defined(EIGEN_VECTORIZE_AVX)
  return _mm256_fmsub_pd(a, b, p);
#else
  return FourLanes{std::fma(a[0], b[0], -p[0]), std::fma(a[1], b[1], -p[1]), std::fma(a[2], b[2], -p[2]),
                   std::fma(a[3], b[3], -p[3])};
#endif
}
inline TwoLanes product_error(TwoLanes a, TwoLanes b, TwoLanes p) {
#if defined(EIGEN_VECTORIZE_FMA) && defined(EIGEN_VECTORIZE_AVX)
  return _mm_fmsub_pd(a, b, p);
#else
  return TwoLanes{std::fma(a[0], b[0], -p[0]), std::fma(a[1], b[1], -p[1])};
#endif
}

// high + low += a b.
template <typename SomeLanes>
inline void add_products(SomeLanes a, SomeLanes b, SomeLanes& high, SomeLanes& low) {
  const SomeLanes product = a * b;
  low += product_error(a, b, product);
  const SomeLanes sum = high + product;
  const SomeLanes part = sum - high;
  low += (high - (sum - part)) + (product - part);
  high = sum;
}

// Six sums for consecutive numbers, in registers between load and store.
class SixSums {
 public:
  SixSums() = default;
  SixSums(const double* high, const double* low)
      : high_4_(four(high)),
        low_4_(four(low)),
        high_2_(padded::two_lanes(high + 4)),
        low_2_(padded::two_lanes(low + 4)) {}

  void add_product(const double* x, double factor) {  // sum k += x_k factor, k = 0 … 5
    add_products(four(x), FourLanes{factor, factor, factor, factor}, high_4_, low_4_);
    add_products(padded::two_lanes(x + 4), TwoLanes{factor, factor}, high_2_, low_2_);
  }
  void store(double* high, double* low) const {
    padded::store(high_4_, high);
    padded::store(low_4_, low);
    reinterpret_cast<padded::UnalignedTwo*>(high + 4)->v = high_2_;
    reinterpret_cast<padded::UnalignedTwo*>(low + 4)->v = low_2_;
  }

 private:
  static FourLanes four(const double* p) { return reinterpret_cast<const padded::UnalignedFour*>(p)->v; }

  FourLanes high_4_ = {}, low_4_ = {};
  TwoLanes high_2_ = {}, low_2_ = {};
};

}  // namespace tribo
