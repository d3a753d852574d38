#include "tribo/multibody/integrator.hpp"

#include <cmath>

namespace tribo {

namespace {

// 1/(1 − exp(−x)) − 1/x, whose terms cancel where x is small: 1/2 + x/12 − …
double calc_damper_share(double x) {
  if (x < 1e-3) return 0.5 + x / 12.0;
  return -1.0 / std::expm1(-x) - 1.0 / x;
}

}  // namespace

std::string to_string(Integrator integrator) { return integrator == Integrator::kEuler ? "euler" : "midpoint"; }

Expected<Integrator> parse_integrator(const std::string& name) {
  for (const Integrator known : {Integrator::kEuler, Integrator::kMidpoint}) {
    if (name == to_string(known)) return known;
  }
  return fail("'" + name + "' is no integrator", "integrator", "use euler or midpoint");
}

ImplicitShares calc_implicit_shares(const StepRule& rule, double mass, double stiffness, double damping) {
  if (rule.integrator == Integrator::kEuler) return {};
  ImplicitShares shares;
  const double zeta = rule.h * damping / mass;
  shares.w = calc_damper_share(zeta);
  // What is damped heavily does not ring.
  const double z = rule.h * rule.h * stiffness / (mass * (1.0 + shares.w * zeta));
  const double rho = z > 1e6 ? 1.0 : z * z / (1.0 + z * z), further = 0.5 * (0.5 - rule.lead);
  shares.a = 0.25 * (1.0 + rho) * (1.0 + rho) + further;
  shares.b = 0.25 * (1.0 - rho) * (1.0 - rho) - further;
  return shares;
}

}  // namespace tribo
