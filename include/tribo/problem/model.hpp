// Contact models: which physical law a ContactProblem is to obey. A model is a small value; formulations turn it into
// equations and certify checks an answer against it, each on its own.
#pragma once

#include "tribo/core/expected.hpp"

#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace tribo {

// Signorini alone: no tangential force.
struct Frictionless {
  bool operator==(const Frictionless&) const = default;
};

// Tangential velocity zero at every listed contact, by unbounded tangential impulses (spec B.1: also where f_n = 0), but for
// those marked Contact::released, which are frictionless.
struct NoSlip {
  bool operator==(const NoSlip&) const = default;
};

// Tangential force −mu_v · slip. Velocity level: impulse h · force, slip taken before (explicit) or after (implicit) the
// step; acceleration level: slip of the given velocity (spec A.4, B.8). A force of finite size has no impulse in an impact,
// which takes no time; there the law is an impulse −impact_damping · slip after the impact, whatever h is.
struct Viscous {
  bool implicit = true;
  bool impact = false;  // velocity level only; always implicit
  bool operator==(const Viscous&) const = default;
};

inline constexpr int kMostSides = 1024;  // of a pyramid: beyond, the polygon is a circle to six digits

// Coulomb's law with the friction circle replaced by a polygon with `sides` corners (even, 4 … kMostSides):
// direction k of contact i is cos(2πk/d) S_i + sin(2πk/d) T_i. Planar problems use the two directions ±S. Aligned polygons
// are turned so that direction 0 is that of the slip predicted without contact forces (predict_slip_directions): a contact
// that slides straight on then meets the friction of the circle.
struct CoulombPyramid {
  int sides = 8;
  bool aligned = false;
  bool operator==(const CoulombPyramid&) const = default;
};

// |f_s|, |f_t| ≤ bound given beforehand (Contact::friction_bound), maximal dissipation inside the box.
struct FrictionBox {
  bool operator==(const FrictionBox&) const = default;
};

// Signorini and Coulomb with the true cone: with û the velocity at the contact after the step (Contact::compliance included),
//     0 ≤ f_n ⟂ û_n ≥ 0,   |(f_s, f_t)| ≤ mu f_n,   (f_s, f_t) opposes the slip and is mu f_n while there is one.
// With rows against turning the cone is elliptic, (f_s² + f_t²)/mu² + f_spin²/mu_spin² + (f_roll_s² + f_roll_t²)/mu_roll²
// ≤ f_n², and friction is what dissipates most in it; a component whose coefficient is zero carries nothing.
struct CoulombCone {
  bool operator==(const CoulombCone&) const = default;
};

using ContactModel = std::variant<Frictionless, NoSlip, Viscous, CoulombPyramid, FrictionBox, CoulombCone>;

// Names of the command line: "frictionless", "no-slip", "viscous", "viscous/explicit", "viscous/impact",
// "coulomb-pyramid:8", "coulomb-pyramid:8/aligned", "friction-box", "cone".
std::string to_string(const ContactModel& model);
Expected<ContactModel> parse_model(const std::string& name);

// One row per name that parse_model takes; "coulomb-pyramid" may be followed by ":SIDES" and "/aligned".
struct ModelInfo {
  std::string_view name;
  std::string_view summary;  // one line
};
std::span<const ModelInfo> models();

}  // namespace tribo
