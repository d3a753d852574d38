// A machine of 40 kg on a rubber mat, 0.6 m × 0.4 m and 10 mm thick, while 300 N walk from its middle outwards: how deep it sinks,
// how far it tilts, how much of the mat still carries. 5,400 springs, one certificate per step; small turns.
#include "tribo/certify/compliant.hpp"
#include "tribo/problem/contact_law.hpp"
#include "tribo/problem/foundation.hpp"
#include "tribo/solve/compliant/foundation_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

int main() {
  const tribo::Material rubber = tribo::find_material("rubber").value();
  const double stiffness = rubber.young / 0.010;  // N/m³
  const auto mat = std::make_shared<tribo::ElasticLayer>(
      tribo::make_rectangular_layer(0.6, 0.4, 90, 60, stiffness, rubber.relaxation * stiffness));

  tribo::FoundationProblem step;
  step.h = 0.01;
  tribo::MatrixXd mass = 40.0 * tribo::MatrixXd::Identity(6, 6);
  mass.bottomRightCorner(3, 3).diagonal() << 1.5, 2.0, 2.5;
  step.mass.append(mass);
  step.v = step.f = tribo::VectorXd::Zero(6);
  step.layer = mat;
  step.T = tribo::BlockRows(step.mass.layout());  // gap at (x, y): z − x θ_y + y θ_x
  step.T.add_row({0, std::array{0.0, 0.0, 1.0, 0.0, 0.0, 0.0}});
  step.T.add_row({0, std::array{0.0, 0.0, 0.0, 0.0, -1.0, 0.0}});
  step.T.add_row({0, std::array{0.0, 0.0, 0.0, 1.0, 0.0, 0.0}});

  tribo::FoundationSolver solver;
  tribo::CompliantSolution solution;
  double worst = 0.0;
  for (int k = 0; k <= 300; ++k) {
    const double out = 0.3 * k / 300.0;  // m: where the load stands
    step.f << 0.0, 0.0, -40.0 * 9.81 - 300.0, 0.0, 300.0 * out, 0.0;
    if (solver.solve(step, solution).status != tribo::Status::kSolved) return 1;
    worst = std::max(worst, tribo::certify(step, solution).worst);
    step.v = solution.v1;
    step.gap += step.h * step.T.multiply(solution.v1);
    if (k % 60 == 0) {
      std::printf("load at %.2f m: sinks %.1f um, tilts %.1f urad, %3.0f %% of the mat carries, up to %.1f kPa\n", out,
                  -1e6 * step.gap(0), 1e6 * std::abs(step.gap(1)),
                  100.0 * static_cast<double>((solution.lambda_u.array() > 0.0).count()) / 5400.0,
                  1e-3 * (solution.lambda_u.array() / mat->area.array()).maxCoeff());
    }
  }
  std::printf("certified: worst residual %.1e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
