// Columns of boxes in the no-slip model. The contacts of two faces lie in a plane up to their gaps alone; what their tangents hold must not
// depend on that.
#include "tribo/sim/simulation.hpp"

#include <cmath>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

Simulation make_column(int boxes, const Vector3d& half, double slope, double step) {
  constexpr double kGap =
      1e-4;  // m: the boxes fall onto one another, and none of their faces is parallel to the last digit
  ModelDescription d;
  add_floor(d, 0.5, slope);
  const Quaterniond turn(Eigen::AngleAxisd(slope, Vector3d::UnitY()));
  for (int k = 0; k < boxes; ++k) {
    add_box(d, half, 1.0, 0.5, {.p = turn * Vector3d(0.0, 0.0, half.z() * (2 * k + 1) + kGap * (k + 1)), .q = turn});
  }
  return make_simulation(std::move(d), {.model = NoSlip{}, .step = step});
}

// Every step certifies, and friction is of the size of the weights. Tangents of points that are coplanar up to 1e-9 m held such columns
// with 1e8 times their weight; the rounding of those forces was 7e-8 of the momentum.
TEST(NoSlipColumns, AreHeldByForcesOfTheSizeOfTheirWeight) {
  for (const double step : {1e-3, 5e-3}) {
    for (const int boxes : {2, 5, 7, 8, 11}) {
      for (const double slope : {0.1, 0.3}) {
        Simulation simulation = make_column(boxes, Vector3d(0.3, 0.2, 0.1), slope, step);
        for (int k = 0; k < 200; ++k) {
          const StepReport& report = simulation.step();
          ASSERT_TRUE(is_solved(report.status))
              << boxes << " boxes, slope " << slope << ", step " << k << ": " << report.detail;
        }
        for (const ContactRecord& contact : simulation.contacts()) {
          EXPECT_LT(contact.impulse.norm() / step, 10.0 * 9.81 * boxes) << boxes << " boxes, slope " << slope;
        }
      }
    }
  }
}

// A box whose centre of mass lies beyond its lower edge tips over it: theta'' = g (c sin(slope) - b cos(slope)) / (4/3 (b² + c²)) as it
// begins, b and c its half width and half height. Its upper corners stay listed while they part, and must not hold it.
TEST(NoSlipColumns, TipOverTheirLowerEdge) {
  constexpr double kWidth = 0.05, kHeight = 0.2, kSlope = 0.5, kStep = 1e-3;
  constexpr int kTipping = 50;
  Simulation simulation = make_column(1, Vector3d(kWidth, kWidth, kHeight), kSlope, kStep);
  double begin = 0.0;  // rad/s, as it has landed
  for (int k = 0; k < 20 + kTipping; ++k) {
    ASSERT_TRUE(is_solved(simulation.step().status));
    if (k + 1 == 20) begin = simulation.state().v.tail<3>().norm();
  }
  const double acceleration = 9.81 * (kHeight * std::sin(kSlope) - kWidth * std::cos(kSlope)) /
                              (4.0 / 3.0 * (kWidth * kWidth + kHeight * kHeight));
  const double gained = simulation.state().v.tail<3>().norm() - begin;
  EXPECT_GT(gained, acceleration * kTipping * kStep);
  EXPECT_LT(gained, 1.2 * acceleration * kTipping * kStep);  // it grows with the angle
}

}  // namespace
}  // namespace tribo::testing
