// A block that is pushed over a table under Coulomb friction on a polygon and comes to rest: the pipeline is kept, and each answer
// starts the next solve. Where a step could stick as well as move, it sticks. Prints how far the block slid, what mu g says, and
// the pivots of the first and of the later steps.
#include "tribo/contact/pipeline.hpp"
#include "tribo/problem/contact_builder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
  constexpr double kMu = 0.3, kGravity = 9.81, kSpeed = 1.0;
  tribo::ContactBuilder builder;
  builder.set_step(0.001);
  const auto block = builder.add_body(1.0, tribo::box_inertia(1.0, {0.2, 0.2, 0.1}), {0.0, 0.0, 0.05});
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) {
      builder.add_contact(block, tribo::ContactBuilder::kWorld, {x, y, 0.0}, {0.0, 0.0, 1.0}, {.mu = kMu});
    }
  }
  builder.add_gravity({0.0, 0.0, -kGravity});
  tribo::ContactProblem problem = builder.build();
  problem.v(0) = kSpeed * std::cos(0.2);  // between two corners of the polygon: `aligned` turns one of them there
  problem.v(1) = kSpeed * std::sin(0.2);

  tribo::ContactPipeline pipeline{tribo::CoulombPyramid{.sides = 8, .aligned = true}};
  tribo::ContactStart start;
  double slid = 0.0, worst = 0.0;
  int first = 0, later = 0;
  for (int step = 0; step < 500; ++step) {
    const tribo::ContactAnswer& answer = pipeline.solve(problem, start);
    if (!tribo::is_solved(answer.status)) return 1;  // answer.history says what was attempted
    start = answer.start(problem);
    worst = std::max(worst, answer.certificate.worst);
    problem.v = answer.v_next;
    slid += problem.h * std::hypot(problem.v(0), problem.v(1));
    (step == 0 ? first : later) += answer.report.pivots;
  }
  const double expected = kSpeed * kSpeed / (2.0 * kMu * kGravity);
  const double speed = problem.v.norm();
  std::printf("slid %.4f m (v²/2 mu g = %.4f m), now at %.1e m/s; pivots: %d in the first step, %d later; worst %.1e\n",
              slid, expected, speed, first, later, worst);
  return speed < 1e-12 && std::abs(slid - expected) < 0.001 && worst < 1e-9 ? 0 : 1;
}
