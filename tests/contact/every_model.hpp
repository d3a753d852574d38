// The seven contact models as pipelines see them (compliant: the cone with Contact::compliance), and problems of a step loop for all.
#pragma once

#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/model.hpp"

#include <ostream>
#include <vector>

namespace tribo::testing {

struct PipelineCase {
  const char* name;
  ContactModel model;
  double compliance = 0.0;  // m/s per N·s
};

inline void PrintTo(const PipelineCase& model, std::ostream* out) { *out << model.name; }

inline const std::vector<PipelineCase>& every_pipeline() {
  static const std::vector<PipelineCase> cases = {
      {"frictionless", Frictionless{}},   {"no_slip", NoSlip{}},  {"viscous", Viscous{}},
      {"pyramid", CoulombPyramid{}},      {"box", FrictionBox{}}, {"cone", CoulombCone{}},
      {"compliant", CoulombCone{}, 1e-3},
  };
  return cases;
}

struct NameOfPipeline {
  template <typename Info>
  std::string operator()(const Info& info) const {
    return info.param.name;
  }
};

struct StackProblem {
  std::vector<int> heights{1};  // boxes, per stack; stacks do not touch one another
  double speed = 1.0;           // m/s, along x
  double mu = 0.3;
  int dry = 0;  // rows of dry friction on the lowest box of each stack, 6 at most
};

// Stacks of boxes of 1 kg that slide on the ground, four contacts between two of them, a step of 1 ms. Keys are {below, above, corner}.
inline ContactProblem make_stacks(const PipelineCase& model, const StackProblem& settings = {}) {
  ContactBuilder builder;
  builder.set_step(1e-3);
  const Contact law{.mu = settings.mu, .mu_v = 0.5, .friction_bound = 2e-3, .compliance = model.compliance};
  std::vector<ContactKey> keys;
  double x = 0.0;
  for (const int height : settings.heights) {
    Index below = ContactBuilder::kWorld;
    for (int k = 0; k < height; ++k) {
      const Index box = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.1}), {x, 0.0, 0.05 + 0.1 * k});
      builder.set_velocity(box, (VectorXd(6) << settings.speed, 0.0, 0.0, 0.0, 0.0, 0.0).finished());
      for (int corner = 0; corner < 4; ++corner) {
        const Vector3d point(x + (corner % 2 == 0 ? -0.1 : 0.1), corner < 2 ? -0.1 : 0.1, 0.1 * k);
        builder.add_contact(box, below, point, Vector3d::UnitZ(), law);
        keys.push_back({below, box, static_cast<std::uint64_t>(corner)});
      }
      for (int row = 0; row < settings.dry && k == 0; ++row)
        builder.add_dry_friction({{box, VectorXd::Unit(6, row)}}, 5e-4);
      below = box;
    }
    x += 1.0;
  }
  builder.add_gravity({0.0, 0.0, -9.81});
  ContactProblem problem = builder.build();
  for (std::size_t i = 0; i < keys.size(); ++i) problem.contacts[i].key = keys[i];
  return problem;
}

}  // namespace tribo::testing
