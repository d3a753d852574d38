#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/equality.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

namespace tribo {

// Newton's method, every step the shortest in the metric of M:  dq = −L⁻ᵀ (J L⁻ᵀ)⁺ g,  M = L Lᵀ.
Checked close_loops(const Model& model, State& state, const CloseOptions& options) {
  Data data(model);
  EqualityRows rows;
  State at = state;
  double before = std::numeric_limits<double>::infinity();
  for (int step = 0;; ++step) {
    calc_positions(model, at, data);
    calc_velocities(model, at, data);
    calc_equalities(model, at, data, rows);
    double worst = 0.0;
    for (const double g : rows.error) worst = std::max(worst, std::abs(g));
    // Round-off may stop just above a very small tolerance: the last step must have halved the error at least.
    if (worst <= options.tolerance || (worst <= 1e3 * options.tolerance && !(worst < 0.5 * before))) {
      state.q = at.q;
      return ok();
    }
    if (step == options.max_steps || !std::isfinite(worst)) {
      return fail("the loops do not close: " + std::to_string(worst) + " m or rad remain",
                  "model '" + model.description().name + "'",
                  "start nearer to a closed position, or look for equalities that contradict one another");
    }
    if (model.nv() == 0)
      return fail("a loop is open and nothing can move", "model '" + model.description().name + "'",
                  "give joints to the bodies, or remove the equality");
    before = worst;
    calc_mass_matrix(model, data);
    const MatrixXd M = make_dense_mass(model, data);
    const Eigen::LLT<MatrixXd> factor(M);
    if (factor.info() != Eigen::Success)
      return fail("the mass matrix is not positive definite", "model '" + model.description().name + "'",
                  "give mass and inertia to what the joints move");
    const MatrixXd J = rows.J.to_dense();
    const MatrixXd whitened = factor.matrixL().solve(J.transpose()).transpose();
    const VectorXd g = Eigen::Map<const VectorXd>(rows.error.data(), static_cast<Index>(rows.error.size()));
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> system(whitened);
    system.setThreshold(1e-9);  // rows that repeat others (planar loops in space) are dependent but for round-off
    VectorXd move = factor.matrixU().solve(-system.solve(g));
    // Far away a full step may leap over; no coordinate moves by more than half a radian or metre.
    const double longest = move.cwiseAbs().maxCoeff();
    if (longest > 0.5) move *= 0.5 / longest;
    integrate(model, move, 1.0, at.q);
  }
}

}  // namespace tribo
