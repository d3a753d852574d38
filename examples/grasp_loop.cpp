// A grasp in a control loop: formulation and solver are kept, the last active set starts the next solve, and the certificate is
// asked for at the end. Prints the pivots of the first and of the later steps, and how long a step takes.
#include "tribo/certify/certify.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/registry.hpp"

#include <cstdio>

int main() {
  tribo::ContactProblem problem = tribo::grasp_row(2, 12);  // two grippers, two boxes, 36 contacts
  tribo::NormalFormulation formulation;
  tribo::DualActiveSetSolver solver;
  tribo::LcpSolution normals;
  tribo::ContactSolution answer;
  tribo::WarmStart warm;
  int first = 0, later = 0;
  constexpr int kSteps = 1000;
  const tribo::Stopwatch watch;
  for (int step = 0; step < kSteps; ++step) {
    if (step > 0) problem.v = answer.v_next;
    if (const auto made = formulation.update(problem, tribo::NoSlip{}); !made) {
      std::printf("%s\n", made.error().text().c_str());
      return 2;
    }
    if (!formulation.consistent()) return 1;
    const tribo::SolveReport report = solver.solve(formulation.problem(), warm, normals);
    if (report.status != tribo::Status::kSolved) return 1;
    formulation.lift(normals.z, answer);
    warm = tribo::warm_start_at(normals);
    (step == 0 ? first : later) += report.pivots;
  }
  const double microseconds = 1e6 * watch.seconds() / kSteps;
  const tribo::Certificate certificate = tribo::certify(problem, tribo::NoSlip{}, answer);
  std::printf("pivots: %d in the first step, %d in the other %d; %.1f us per step; worst residual %.1e\n", first, later,
              kSteps - 1, microseconds, certificate.worst);
  return certificate.worst < 1e-9 ? 0 : 1;
}
