// The plane rotation that maps (a, b) to (r, 0).
#pragma once

#include <cmath>

namespace tribo {

struct Rotation {
  double c = 1.0;
  double s = 0.0;
  double r = 0.0;

  static Rotation zeroing(double a, double b) {
    if (b == 0.0) return {1.0, 0.0, a};
    const double r = std::hypot(a, b);
    return {a / r, b / r, r};
  }

  // (x, y) ← (c x + s y, −s x + c y), element by element over two contiguous runs.
  void apply(double* x, double* y, long count) const {
    for (long i = 0; i < count; ++i) {
      const double u = x[i];
      const double v = y[i];
      x[i] = c * u + s * v;
      y[i] = c * v - s * u;
    }
  }
};

}  // namespace tribo
