// Where stiffness comes from: materials from engineering tables, and force laws F(d) over the depth d ≥ 0 of an overlap. All SI.
//     linear      F = K d
//     Hertz       F = (4/3) E* √r d^{3/2}                 a sphere of radius r; two: 1/r = 1/r_a + 1/r_b
//     punch       F = 2 E* a d                            a flat face of radius a
//     foundation  F = E A d / thickness                   one element of an elastic foundation (Winkler), area A
//     table       any convex law through given points
//     1/E* = (1 − ν_a²)/E_a + (1 − ν_b²)/E_b                                                                       (1)
// A step sees a law by its tangent (spec C.6): force F(d), stiffness F'(d), the force along the unit normal. A row that says so is
//     K = F'(d̃),   φ = −F(d)/K  for d > 0,   φ = the gap and no damping where it is open (spec B.4),                   (2)
// d̃ the larger of d and a floor: laws that begin without stiffness would let the first step sink in. The tangent of a convex law
// is below it elsewhere, so one step may sink too deep and the next ones mend it.
// Damping    B = relaxation time · K (Kelvin and Voigt), and Hunt and Crossley's F (1 + c d'): B = c F(d), none at touch-down.
// Source     spec/first-order-solver C.6, erratum 13 ([Drumwright 2018] (121) lacks the 4/3).
#pragma once

#include "tribo/core/expected.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tribo {

// Values of handbooks, rounded, at room temperature; the spread within a name is 5 % for metals and a factor of two or more for
// rubber, wood and cork.
struct Material {
  std::string_view name;
  double young = 0.0;       // Pa
  double poisson = 0.0;     // 1
  double density = 0.0;     // kg/m³
  double relaxation = 0.0;  // s: damping over stiffness
};
std::span<const Material> materials();
// The error lists the names.
Expected<Material> find_material(std::string_view name);
// (1), Pa.
double calc_effective_modulus(const Material& a, const Material& b);

class ForceLaw {
 public:
  // Force and slope at a depth; both zero at d <= 0.
  struct Point {
    double force = 0.0;  // N
    double slope = 0.0;  // N/m
  };

  static ForceLaw linear(double stiffness);                        // N/m, >= 0
  static ForceLaw power(double coefficient, double exponent);      // c dᵖ: c >= 0, p >= 1
  static ForceLaw hertz(double effective_modulus, double radius);  // Pa, m, > 0
  static ForceLaw punch(double effective_modulus, double radius);
  static ForceLaw foundation(double young, double area, double thickness);
  // Depths ascending from 0, forces from 0 with slopes that do not fall; straight between them, the last slope beyond.
  static Expected<ForceLaw> table(std::vector<double> depths, std::vector<double> forces);

  Point at(double depth) const;
  // The depth at which the force is reached; 0 for forces <= 0, infinite where no depth reaches it.
  double depth_of(double force) const;

 private:
  double coefficient_ = 0.0, exponent_ = 1.0;
  std::vector<double> depths_, forces_;
};

// (2). `floor`: m, >= 0, of the tangent. `relaxation` in s, `crossley` in s/m, both >= 0.
struct LawRow {
  double K = 0.0, B = 0.0, phi = 0.0;
};
LawRow linearize(const ForceLaw& law, double gap, double floor, double relaxation = 0.0, double crossley = 0.0);

}  // namespace tribo
