#include "solve/compliant/contact_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo::compliant {
namespace {

double length_of(const double* t, int tangents) {
  return tangents == 2 ? std::hypot(t[0], t[1]) : tangents == 1 ? std::abs(t[0]) : 0.0;
}

// Of the tangents: γ_t, θ.
double apply_disc(int tangents, const double* y, const double* R, double radius, double* gamma) {
  const double length = length_of(y, tangents);
  if (length <= radius) {
    std::copy_n(y, tangents, gamma);
    return 0.0;
  }
  if (!(radius > 0.0)) {
    std::fill_n(gamma, tangents, 0.0);
    return std::numeric_limits<double>::infinity();
  }
  if (tangents == 2) return project_on_circle(y, R, radius, gamma);
  gamma[0] = std::copysign(radius, y[0]);
  return R[0] * (length / radius - 1.0);
}

enum class ConeZone { kOpen, kStick, kSlide };

// γ and θ of the projection on the cone.
ConeZone apply_cone(const Unit& unit, const double* y, const double* R, double* gamma, double& theta) {
  const int tangents = unit.tangents;
  const double mu = unit.mu;
  theta = 0.0;
  if (length_of(y + 1, tangents) <= mu * y[0]) {
    std::copy_n(y, unit.size(), gamma);
    return ConeZone::kStick;
  }
  double rate_t[2] = {0.0, 0.0};
  for (int k = 0; k < tangents; ++k) rate_t[k] = R[1 + k] * y[1 + k];
  const double slip = length_of(rate_t, tangents);
  if (!(R[0] * y[0] + mu * slip > 0.0)) {
    std::fill_n(gamma, unit.size(), 0.0);
    return ConeZone::kOpen;
  }
  // R_n (γ_n − y_n) = mu |R_t (y_t − γ_t)|, the right side falling in γ_n; equal compliances solve it at once.
  const auto isotropic = [&](double R_t) { return (R[0] * y[0] + mu * slip) / (R[0] + mu * mu * R_t); };
  if (tangents == 1 || R[1] == R[2]) {
    gamma[0] = isotropic(R[1]);
    theta = apply_disc(tangents, y + 1, R + 1, mu * gamma[0], gamma + 1);
    return ConeZone::kSlide;
  }
  double low = isotropic(std::max(R[1], R[2])), high = isotropic(std::min(R[1], R[2]));
  for (int k = 0; k < 200 && high - low > 1e-16 * high; ++k) {
    const double middle = k == 0 ? high : k == 1 ? low : 0.5 * (low + high);
    theta = apply_disc(tangents, y + 1, R + 1, mu * middle, gamma + 1);
    const double missing = R[0] * (middle - y[0]) - mu * theta * mu * middle;
    (missing > 0.0 ? high : low) = middle;
    if (middle == 0.5 * (low + high) || missing == 0.0) break;
  }
  gamma[0] = 0.5 * (low + high);
  theta = apply_disc(tangents, y + 1, R + 1, mu * gamma[0], gamma + 1);
  return ConeZone::kSlide;
}

void add_plain(Linearised& law, int row, double R) {
  LawRow& out = law.row[law.count++];
  out = LawRow{};
  out.measure[row] = out.force[row] = 1.0;
  out.inverse_compliance = 1.0 / R;
  out.plain = out.measured = row;
}

void add_stick(Linearised& law, int first, int count, const double* R) {
  for (int k = first; k < first + count; ++k) add_plain(law, k, R[k]);
}

// The row along e, for two tangents that slide with γ_t = |γ_t| t.
struct Slide {
  double t[2] = {0.0, 0.0}, e[2] = {0.0, 0.0};
  double rho_e = 0.0;  // e·R e + θ
  double mixed = 0.0;  // e·R t
  double along = 0.0;  // t·R t
};

Slide calc_slide(int tangents, const double* gamma_t, const double* R, double theta) {
  Slide slide;
  const double length = length_of(gamma_t, tangents);
  if (tangents == 1) {
    slide.t[0] = gamma_t[0] / length;
    slide.along = R[0];
    return slide;
  }
  slide.t[0] = gamma_t[0] / length;
  slide.t[1] = gamma_t[1] / length;
  slide.e[0] = -slide.t[1];
  slide.e[1] = slide.t[0];
  slide.rho_e = R[0] * slide.e[0] * slide.e[0] + R[1] * slide.e[1] * slide.e[1] + theta;
  slide.mixed = (R[1] - R[0]) * slide.t[0] * slide.t[1];
  slide.along = R[0] * slide.t[0] * slide.t[0] + R[1] * slide.t[1] * slide.t[1];
  return slide;
}

void add_turn(Linearised& law, const Slide& slide) {
  LawRow& out = law.row[law.count++];
  out = LawRow{};
  for (int k = 0; k < 2; ++k) out.measure[1 + k] = out.force[1 + k] = slide.e[k];
  out.inverse_compliance = 1.0 / slide.rho_e;
}

void linearise_cone(const Unit& unit, const double* y, const double* loads, const double* R, Linearised& law) {
  double gamma[3], theta = 0.0;
  const ConeZone zone = apply_cone(unit, y, R, gamma, theta);
  if (zone == ConeZone::kOpen) return;
  if (zone == ConeZone::kStick) return add_stick(law, 0, unit.size(), R);
  if (!(unit.mu * gamma[0] > 0.0)) return;  // underflow at the apex
  // A stiff row a little off its place asks for a load far from the true one; the load of the last system is near it.
  if (loads[0] > 0.0) theta *= gamma[0] / loads[0];
  const Slide slide = calc_slide(unit.tangents, gamma + 1, R + 1, theta);
  const double kappa = unit.tangents == 2 ? unit.mu * slide.mixed / slide.rho_e : 0.0;
  LawRow& out = law.row[law.count++];
  out = LawRow{};
  out.measure[0] = 1.0;
  for (int k = 0; k < unit.tangents; ++k) out.measure[1 + k] = unit.mu * slide.t[k] - kappa * slide.e[k];
  std::copy_n(out.measure, 3, out.force);
  const double rho = R[0] + unit.mu * unit.mu * slide.along - kappa * unit.mu * slide.mixed;
  out.inverse_compliance = 1.0 / rho;
  if (unit.tangents == 2) add_turn(law, slide);
}

void linearise_disc(const Unit& unit, Friction friction, const double* y, const double* R, Linearised& law) {
  const double normal = std::max(0.0, y[0]);
  if (normal > 0.0) add_plain(law, 0, R[0]);
  const bool frozen = friction == Friction::kDisc;
  const double radius = frozen ? unit.radius : unit.mu * normal;
  if (!(radius > 0.0) || unit.tangents == 0) return;
  if (length_of(y + 1, unit.tangents) <= radius) return add_stick(law, 1, unit.tangents, R);
  double gamma[2];
  const double theta = apply_disc(unit.tangents, y + 1, R + 1, radius, gamma);
  const Slide slide = calc_slide(unit.tangents, gamma, R + 1, theta);
  const double kappa = unit.tangents == 2 ? slide.mixed / slide.rho_e : 0.0;
  for (int k = 0; k < unit.tangents; ++k) {
    const double along = slide.t[k] - kappa * slide.e[k];
    if (frozen) {
      law.fixed[1 + k] = radius * along;
    } else {
      law.row[0].force[1 + k] = unit.mu * along;  // the normal row is the first of the list
      law.row[0].plain = -1;
    }
  }
  if (unit.tangents == 2) add_turn(law, slide);
}

}  // namespace

// |γ(θ)| = r for γ_k = R_k y_k/(R_k + θ): Newton's method on 1/|γ| from below rises to the root.
double project_on_circle(const double* y, const double* R, double radius, double* gamma) {
  const double length = std::hypot(y[0], y[1]);
  double theta = std::min(R[0], R[1]) * (length / radius - 1.0);
  if (R[0] != R[1]) {
    for (int k = 0; k < 60; ++k) {
      for (int i = 0; i < 2; ++i) gamma[i] = R[i] * y[i] / (R[i] + theta);
      const double size = std::hypot(gamma[0], gamma[1]);
      const double slope = gamma[0] * gamma[0] / (R[0] + theta) + gamma[1] * gamma[1] / (R[1] + theta);
      const double step = size * size / slope * (size - radius) / radius;
      if (!(step > 1e-16 * theta)) break;
      theta += step;
    }
  }
  double scaled[2];
  for (int i = 0; i < 2; ++i) scaled[i] = R[0] == R[1] ? y[i] : R[i] * y[i] / (R[i] + theta);
  const double size = std::hypot(scaled[0], scaled[1]);
  for (int i = 0; i < 2; ++i) gamma[i] = radius * (scaled[i] / size);
  return theta;
}

void apply_law(const Unit& unit, Friction friction, const double* y, const double* R, double* gamma) {
  if (unit.kind == UnitKind::kBilateral) {
    gamma[0] = y[0];
    return;
  }
  if (unit.tangents > 0 && friction == Friction::kCone) {
    double theta;
    apply_cone(unit, y, R, gamma, theta);
    return;
  }
  gamma[0] = std::max(0.0, y[0]);
  const double radius = friction == Friction::kDisc ? unit.radius : unit.mu * gamma[0];
  if (unit.tangents > 0) apply_disc(unit.tangents, y + 1, R + 1, radius, gamma + 1);
}

void linearise(const Unit& unit, Friction friction, const double* y, const double* loads, const double* R,
               Linearised& law) {
  law.count = 0;
  std::fill_n(law.fixed, 3, 0.0);
  if (unit.kind == UnitKind::kBilateral) return add_plain(law, 0, R[0]);
  if (unit.tangents > 0 && friction == Friction::kCone) return linearise_cone(unit, y, loads, R, law);
  linearise_disc(unit, friction, y, R, law);
}

Violation calc_violation(const Unit& unit, Friction friction, const double* gamma, const double* sigma, double noise) {
  Violation result;
  if (unit.kind == UnitKind::kBilateral) return result;
  const int tangents = unit.tangents;
  const double slip = length_of(sigma + 1, tangents);
  const double radius = friction == Friction::kDisc ? unit.radius : unit.mu * std::max(0.0, gamma[0]);
  result.impulse = std::max(0.0, -gamma[0]);
  result.rate = std::max(0.0, -sigma[0]);
  if (tangents == 0) return result;
  if (friction == Friction::kCone) {
    const double gap = sigma[0] - unit.mu * slip;
    result.rate = gamma[0] > 0.0 ? std::abs(gap) : std::max(0.0, -gap);
  }
  const double beyond = length_of(gamma + 1, tangents) - radius;
  result.impulse = std::max(result.impulse, beyond);
  if (slip > noise) {
    double off[2] = {0.0, 0.0};
    for (int k = 0; k < tangents; ++k) off[k] = gamma[1 + k] + radius * (sigma[1 + k] / slip);
    const double unsure = radius * (noise / slip);  // what rounding makes of the direction
    result.impulse = std::max({result.impulse, -beyond, length_of(off, tangents) - unsure});
  }
  return result;
}

}  // namespace tribo::compliant
