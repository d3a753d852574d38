// A block that is pushed over a table under Coulomb friction and comes to rest: formulation and solver are kept, the contacts
// that carried load start the next solve, and where a step could stick as well as move, it sticks. Prints how far the block
// slid, what mu g says, and the pivots of the first and of the later steps.
#include "tribo/certify/certify.hpp"
#include "tribo/contact/stick.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"

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

  const tribo::CoulombPyramid model{.sides = 8, .aligned = true};
  tribo::PyramidFormulation formulation;
  tribo::StructuredLemkeSolver solver;
  tribo::PyramidSolution impulses;
  tribo::ContactSolution answer;
  tribo::SolveReport ignored;
  double slid = 0.0, worst = 0.0;
  int first = 0, later = 0;
  for (int step = 0; step < 500; ++step) {
    if (const auto made = formulation.update(problem, model); !made) {
      std::printf("%s\n", made.error().text().c_str());
      return 2;
    }
    if (!formulation.consistent()) return 1;  // bilateral rows that contradict one another
    const tribo::SolveReport report = solver.solve(formulation.problem(), impulses.loaded, impulses);
    if (report.status != tribo::Status::kSolved) return 1;
    formulation.lift(impulses, answer);
    tribo::prefer_sticking(problem, formulation, answer, ignored);
    worst = std::max(worst, tribo::certify(problem, model, answer).worst);
    problem.v = answer.v_next;
    slid += problem.h * std::hypot(problem.v(0), problem.v(1));
    (step == 0 ? first : later) += report.pivots;
  }
  const double expected = kSpeed * kSpeed / (2.0 * kMu * kGravity);
  const double speed = problem.v.norm();
  std::printf("slid %.4f m (v²/2 mu g = %.4f m), now at %.1e m/s; pivots: %d in the first step, %d later; worst %.1e\n",
              slid, expected, speed, first, later, worst);
  return speed < 1e-12 && std::abs(slid - expected) < 0.001 && worst < 1e-9 ? 0 : 1;
}
