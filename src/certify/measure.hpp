// Small tools of every certificate: a quotient that is careful with zero, the largest violation of a family
// of conditions, and the two refusals that come before any arithmetic.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/linalg/types.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace tribo {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// |value| / scale with 0/0 = 0 and x/0 = ∞: no violation is nothing on any scale, and any violation is too
// much where there is no scale. A scale that has overflowed says nothing: ∞, also for a value of zero.
inline double ratio(double value, double scale) {
  if (!(scale < kInfinity)) return kInfinity;
  if (value == 0.0) return 0.0;
  return scale > 0.0 ? std::abs(value) / scale : kInfinity;
}

// The largest violation over its own scale.
class Worst {
 public:
  void consider(double value, double scale) { consider(value, scale, ratio(value, scale)); }
  void consider(double value, double scale, double relative) {
    if (std::isnan(relative)) relative = kInfinity;
    if (!seen_ || relative > relative_) {
      value_ = std::abs(value);
      scale_ = scale;
      relative_ = relative;
      seen_ = true;
    }
  }
  double value() const { return value_; }
  double scale() const { return scale_; }
  double relative() const { return relative_; }
  Residual residual(std::string_view name, std::string_view unit) const {
    return {name, unit, value_, scale_, relative_};
  }

 private:
  bool seen_ = false;
  double value_ = 0.0;
  double scale_ = 1.0;
  double relative_ = 0.0;
};

// Writes a certificate over an old one: its memory is kept.
class CertificateWriter {
 public:
  explicit CertificateWriter(Certificate& certificate) : certificate_(certificate) { certificate.worst = 0.0; }
  ~CertificateWriter() { certificate_.residuals.resize(used_); }
  CertificateWriter(const CertificateWriter&) = delete;
  CertificateWriter& operator=(const CertificateWriter&) = delete;

  void add(std::string_view name, std::string_view unit, double value, double scale, double relative) {
    if (used_ == certificate_.residuals.size()) certificate_.residuals.emplace_back();
    Residual& residual = certificate_.residuals[used_++];
    residual.name = name;
    residual.unit = unit;
    residual.value = value;
    residual.scale = scale;
    residual.relative = std::isnan(relative) ? kInfinity : relative;
    certificate_.worst = std::max(certificate_.worst, residual.relative);
  }
  void add(std::string_view name, std::string_view unit, const Worst& worst) {
    add(name, unit, worst.value(), worst.scale(), worst.relative());
  }
  void refuse(std::string_view name) { add(name, "1", kInfinity, 1.0, kInfinity); }

 private:
  Certificate& certificate_;
  std::size_t used_ = 0;
};

// A refusal without arithmetic: nothing can be said about an answer (or problem) of this shape.
inline Certificate refused(const char* name) {
  Certificate certificate;
  certificate.add({name, "1", kInfinity, 1.0, kInfinity});
  return certificate;
}

inline bool all_finite(const VectorIn& x) { return x.allFinite(); }
template <typename... More>
bool all_finite(const VectorIn& x, const More&... more) {
  return x.allFinite() && all_finite(more...);
}

inline double largest(const VectorIn& x) { return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(); }

}  // namespace tribo
