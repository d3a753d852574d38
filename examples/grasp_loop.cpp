// A grasp in a control loop under the no-slip model: the pipeline is kept, and each answer, certified, starts the next solve. Prints
// the pivots of the first and of the later steps, and how long a step takes.
#include "tribo/contact/pipeline.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <cstdio>

int main() {
  tribo::ContactProblem problem = tribo::grasp_row(2, 12);  // two grippers, two boxes, 36 contacts
  tribo::ContactPipeline pipeline{tribo::NoSlip{}};
  tribo::ContactStart start;
  double worst = 0.0;
  int first = 0, later = 0;
  constexpr int kSteps = 1000;
  const tribo::Stopwatch watch;
  for (int step = 0; step < kSteps; ++step) {
    const tribo::ContactAnswer& answer = pipeline.solve(problem, start);
    if (!tribo::is_solved(answer.status)) return 1;  // answer.history says what was attempted
    start = answer.start(problem);
    worst = std::max(worst, answer.certificate.worst);
    problem.v = answer.v_next;
    (step == 0 ? first : later) += answer.report.pivots;
  }
  std::printf("pivots: %d in the first step, %d in the other %d; %.1f us per step; worst residual %.1e\n", first, later,
              kSteps - 1, 1e6 * watch.seconds() / kSteps, worst);
  return worst < 1e-9 ? 0 : 1;
}
