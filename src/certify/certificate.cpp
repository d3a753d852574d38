#include "tribo/certify/certificate.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace tribo {

const Residual* Certificate::find(std::string_view name) const {
  for (const Residual& residual : residuals) {
    if (residual.name == name) return &residual;
  }
  return nullptr;
}

void Certificate::add(Residual residual) {
  if (std::isnan(residual.relative)) residual.relative = std::numeric_limits<double>::infinity();
  if (residual.relative > worst) worst = residual.relative;
  residuals.push_back(std::move(residual));
}

}  // namespace tribo
