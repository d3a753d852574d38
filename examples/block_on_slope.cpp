// A block of 1 kg on a slope of 30 degrees, touching it at four corners. Does it slide?
#include <tribo/contact/solve.hpp>
#include <tribo/problem/contact_builder.hpp>

#include <cmath>
#include <iostream>

int main() {
  tribo::ContactBuilder builder;  // axes of the slope: x downhill, z its normal; SI units
  const auto block = builder.add_body(1.0, tribo::box_inertia(1.0, {0.2, 0.2, 0.1}), {0.0, 0.0, 0.05});
  builder.add_gravity({4.905, 0.0, -8.496});
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) builder.add_contact(block, builder.kWorld, {x, y, 0}, {0, 0, 1}, {.mu = 0.7});
  }
  const auto answer = tribo::solve(builder.build(), tribo::CoulombPyramid{.sides = 8});
  std::cout << to_string(answer.status) << " by " << answer.solver << ", velocity downhill " << answer.v_next(0)
            << " m/s, worst residual " << answer.certificate.worst << "\n";
  return answer.status == tribo::Status::kSolved && std::abs(answer.v_next(0)) < 1e-12 ? 0 : 1;  // tan 30° < 0.7
}
