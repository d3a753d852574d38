// A block that slides over a table under Coulomb friction with the true cone and comes to rest: the pipeline is kept, and each
// answer starts the next solve. Prints how far the block slid, what mu g says, by how much it left its line, and the Newton steps
// of the first and of the later steps.
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
  const tribo::Vector3d direction(std::cos(0.2), std::sin(0.2), 0.0);
  problem.v.head(3) = kSpeed * direction;

  tribo::ContactPipeline pipeline{tribo::CoulombCone{}, {.tolerance = 1e-12}};
  tribo::ContactStart start;
  tribo::Vector3d slid = tribo::Vector3d::Zero();
  double worst = 0.0;
  int first = 0, later = 0;
  for (int step = 0; step < 500; ++step) {
    const tribo::ContactAnswer& answer = pipeline.solve(problem, start);
    if (!tribo::is_solved(answer.status)) return 1;  // answer.history says what was attempted
    start = answer.start(problem);
    worst = std::max(worst, answer.certificate.worst);
    problem.v = answer.v_next;
    slid += problem.h * problem.v.head(3);
    (step == 0 ? first : later) += answer.report.pivots;
  }
  const double expected = kSpeed * kSpeed / (2.0 * kMu * kGravity);
  const double aside = std::abs(slid(0) * direction(1) - slid(1) * direction(0)), speed = problem.v.norm();
  std::printf(
      "slid %.4f m (v²/2 mu g = %.4f m), %.0e m off its line, now at %.0e m/s; Newton steps: %d in the first step, "
      "%d later; worst %.0e\n",
      slid.norm(), expected, aside, speed, first, later, worst);
  return speed < 1e-9 && std::abs(slid.norm() - expected) < 0.001 && aside < 1e-9 && worst < 1e-9 ? 0 : 1;
}
