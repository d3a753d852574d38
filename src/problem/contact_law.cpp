#include "tribo/problem/contact_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tribo {

namespace {

constexpr std::array kMaterials = {
    Material{"steel", 2.0e11, 0.30, 7850.0, 1e-6},   Material{"aluminium", 7.0e10, 0.33, 2700.0, 1e-6},
    Material{"brass", 1.0e11, 0.34, 8500.0, 1e-6},   Material{"titanium", 1.1e11, 0.34, 4500.0, 1e-6},
    Material{"glass", 7.0e10, 0.22, 2500.0, 1e-6},   Material{"concrete", 3.0e10, 0.20, 2400.0, 1e-5},
    Material{"brick", 1.5e10, 0.20, 1900.0, 1e-5},   Material{"ice", 9.0e9, 0.33, 917.0, 1e-5},
    Material{"wood", 1.0e10, 0.35, 600.0, 1e-5},     Material{"acrylic", 3.0e9, 0.37, 1190.0, 1e-5},
    Material{"nylon", 2.5e9, 0.40, 1150.0, 1e-5},    Material{"polyethylene", 8.0e8, 0.42, 950.0, 1e-4},
    Material{"cork", 3.0e7, 0.0, 240.0, 1e-3},       Material{"rubber", 5.0e6, 0.49, 1100.0, 1e-3},
    Material{"silicone", 1.0e6, 0.49, 1100.0, 1e-3},
};

}  // namespace

std::span<const Material> materials() { return kMaterials; }

Expected<Material> find_material(std::string_view name) {
  std::string names;
  for (const Material& material : kMaterials) {
    if (material.name == name) return material;
    names += (names.empty() ? "" : ", ") + std::string(material.name);
  }
  return fail("there is no material \"" + std::string(name) + "\"", "", "give one of " + names);
}

double calc_effective_modulus(const Material& a, const Material& b) {
  return 1.0 / ((1.0 - a.poisson * a.poisson) / a.young + (1.0 - b.poisson * b.poisson) / b.young);
}

ForceLaw ForceLaw::linear(double stiffness) { return power(stiffness, 1.0); }

ForceLaw ForceLaw::power(double coefficient, double exponent) {
  ForceLaw law;
  law.coefficient_ = coefficient;
  law.exponent_ = exponent;
  return law;
}

ForceLaw ForceLaw::hertz(double effective_modulus, double radius) {
  return power(4.0 / 3.0 * effective_modulus * std::sqrt(radius), 1.5);
}

ForceLaw ForceLaw::punch(double effective_modulus, double radius) { return linear(2.0 * effective_modulus * radius); }

ForceLaw ForceLaw::foundation(double young, double area, double thickness) { return linear(young * area / thickness); }

Expected<ForceLaw> ForceLaw::table(std::vector<double> depths, std::vector<double> forces) {
  const std::string where = "force law";
  if (depths.size() != forces.size() || depths.size() < 2)
    return fail(
        "the table has " + std::to_string(depths.size()) + " depths and " + std::to_string(forces.size()) + " forces",
        where, "give as many of both, two at least");
  if (depths[0] != 0.0 || forces[0] != 0.0) return fail("the table does not begin at 0", where, "begin with 0 and 0");
  double last = 0.0;
  for (std::size_t k = 1; k < depths.size(); ++k) {
    const std::string entry = where + ", entry " + std::to_string(k);
    const double slope = (forces[k] - forces[k - 1]) / (depths[k] - depths[k - 1]);
    if (!(depths[k] > depths[k - 1]) || !std::isfinite(depths[k]) || !std::isfinite(forces[k]))
      return fail("depths do not ascend, or a number is not finite", entry, "give finite numbers in ascending order");
    if (!(slope >= last * (1.0 - 1e-12)))
      return fail("the slope falls", entry, "give a convex law: each slope at least the one before it");
    last = slope;
  }
  ForceLaw law;
  law.depths_ = std::move(depths);
  law.forces_ = std::move(forces);
  return law;
}

ForceLaw::Point ForceLaw::at(double depth) const {
  if (!(depth > 0.0)) return {};
  if (depths_.empty()) {
    if (exponent_ == 1.0) return {coefficient_ * depth, coefficient_};
    const double below = coefficient_ * std::pow(depth, exponent_ - 1.0);
    return {below * depth, exponent_ * below};
  }
  auto k = static_cast<std::size_t>(std::upper_bound(depths_.begin(), depths_.end(), depth) - depths_.begin());
  k = std::min(k, depths_.size() - 1);
  const double slope = (forces_[k] - forces_[k - 1]) / (depths_[k] - depths_[k - 1]);
  return {forces_[k - 1] + slope * (depth - depths_[k - 1]), slope};
}

double ForceLaw::depth_of(double force) const {
  if (!(force > 0.0)) return 0.0;
  if (depths_.empty()) return std::pow(force / coefficient_, 1.0 / exponent_);
  auto k = static_cast<std::size_t>(std::upper_bound(forces_.begin(), forces_.end(), force) - forces_.begin());
  k = std::min(k, forces_.size() - 1);
  const double slope = (forces_[k] - forces_[k - 1]) / (depths_[k] - depths_[k - 1]);
  if (!(slope > 0.0)) return std::numeric_limits<double>::infinity();
  return depths_[k - 1] + (force - forces_[k - 1]) / slope;
}

LawRow linearize(const ForceLaw& law, double gap, double floor, double relaxation, double crossley) {
  const double depth = -gap;
  const double slope = law.at(std::max(depth, floor)).slope;
  if (!(depth > 0.0)) return {slope, 0.0, gap};
  const double force = law.at(depth).force;
  return {slope, relaxation * slope + crossley * force, slope > 0.0 ? -force / slope : gap};
}

}  // namespace tribo
