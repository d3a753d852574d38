// Random contact problems whose coefficients lie up to twelve decades apart within one problem: mu, mu_spin and mu_roll from
// 1e-9 to 1e3, zeros among them, on 1 to 4 bodies with 1 to 8 contacts; some contacts compliant, some rows bilateral.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_builder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tribo::testing {

// Uniform in the logarithm.
inline double spread(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

inline Vector3d random_vector(Random& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}

inline double mixed_coefficient(Random& random) { return random.chance(0.2) ? 0.0 : spread(random, 1e-9, 1e3); }

// The problem is made from (seed, index) alone. One body in three stands on corners in one plane, where impulses are not unique.
inline ContactProblem mixed_coefficients(std::uint64_t seed, std::uint64_t index) {
  Random random(seed * 0x9E3779B97F4A7C15u + index);
  ContactBuilder builder;
  builder.set_step(0.01);
  const Index bodies = random.integer(1, 4), contacts = random.integer(1, 8);
  std::vector<Vector3d> centres;
  for (Index b = 0; b < bodies; ++b) {
    const double mass = spread(random, 0.1, 10.0), size = spread(random, 0.05, 0.3);
    centres.push_back(Vector3d(0.0, 0.0, 0.2 * static_cast<double>(b)) + 0.02 * random_vector(random));
    const Matrix3d skew = random_vector(random) * random_vector(random).transpose();
    const Matrix3d inertia =
        mass * size * size * (Matrix3d::Identity() + 0.1 * (skew + skew.transpose()) / (skew.norm() + 1.0));
    builder.add_body(mass, inertia, centres.back());
  }
  builder.add_gravity({0.0, 0.0, -9.81});
  for (Index b = 0; b < bodies; ++b) {
    VectorXd v(6), f = VectorXd::Zero(6);
    const double speed = random.chance(0.3) ? 0.0 : spread(random, 1e-3, 1.0);
    v << speed * random_vector(random), 5.0 * speed * random_vector(random);
    builder.set_velocity(b, v);
    if (random.chance(0.5)) f.head(3) = 5.0 * random_vector(random);
    builder.add_force(b, f);
  }
  const bool level = random.chance(1.0 / 3.0), alike = random.chance(0.25), turning = random.chance(0.85);
  const double alike_mu = mixed_coefficient(random);
  for (Index i = 0; i < contacts; ++i) {
    const Index upper = i < bodies ? i : random.integer(0, bodies - 1);
    const Index lower = upper > 0 && random.chance(0.7) ? upper - 1 : ContactBuilder::kWorld;
    Contact contact;
    contact.mu = alike ? alike_mu : mixed_coefficient(random);
    if (turning && random.chance(0.8)) contact.mu_spin = mixed_coefficient(random);
    if (turning && random.chance(0.8)) contact.mu_roll = mixed_coefficient(random);
    contact.friction_bound = random.chance(0.2) ? 0.0 : spread(random, 1e-9, 1e3);
    if (random.chance(0.15)) contact.compliance = spread(random, 1e-9, 1e-1);
    if (random.chance(0.15)) {
      contact.tangential_compliance = spread(random, 1e-9, 1e-1);
      if (random.chance(0.5)) contact.held_s = random.uniform(-0.1, 0.1);
    }
    const Vector3d centre = centres[static_cast<std::size_t>(upper)];
    const double reach = spread(random, 0.02, 0.1);
    const Vector3d point =
        level ? Vector3d(centre + Vector3d((i & 1) != 0 ? 0.05 : -0.05, (i & 2) != 0 ? 0.05 : -0.05, -0.1))
              : Vector3d(centre + reach * random_vector(random) - Vector3d(0.0, 0.0, reach));
    const Vector3d normal =
        level ? Vector3d(Vector3d::UnitZ()) : Vector3d(Vector3d::UnitZ() + 0.5 * random_vector(random));
    builder.add_contact(upper, lower, point, normal, contact);
    if (random.chance(0.15))
      builder.set_normal_offset(i, random.chance(0.5) ? spread(random, 1e-4, 1e-1) : -spread(random, 1e-4, 1e-1));
  }
  const Index bilateral = random.chance(0.2) ? random.integer(1, 2) : 0;
  for (Index k = 0; k < bilateral; ++k) {
    const Index body = random.integer(0, bodies - 1);
    builder.add_direction(body, ContactBuilder::kWorld, centres[static_cast<std::size_t>(body)],
                          random_vector(random) + Vector3d(0.0, 1e-3, 0.0));
  }
  return builder.build();
}

}  // namespace tribo::testing
