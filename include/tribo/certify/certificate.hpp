// A certificate: residuals recomputed from problem and answer alone, in extended precision, each with its unit and the
// scale it is compared with. Nothing here knows any solver.
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

namespace tribo {

struct Residual {
  std::string_view name;  // "complementarity", "momentum", ...; a literal, as the unit is
  std::string_view unit;  // of value and scale: "m/s", "N·s", "1"
  double value = 0.0;     // the largest violation, in the unit
  double scale = 1.0;     // what it is compared with, in the unit
  double relative = 0.0;  // the largest violation over its own scale; what counts
};

struct Certificate {
  std::vector<Residual> residuals;
  double worst = 0.0;  // the largest `relative`; infinite when the answer has wrong sizes or is not finite

  // An empty certificate and an infinite residual pass nothing, whatever the tolerance.
  bool passes(double tolerance) const { return !residuals.empty() && std::isfinite(worst) && worst <= tolerance; }
  const Residual* find(std::string_view name) const;
  void add(Residual residual);  // keeps `worst` up to date; a NaN counts as infinite
};

}  // namespace tribo
