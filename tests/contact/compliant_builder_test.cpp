// Problems put together row by row, beside what is known in closed form.
#include "tribo/problem/compliant_builder.hpp"

#include "tribo/contact/solve.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr std::array<double, 3> kAlong{1.0, 0.0, 0.0}, kUp{0.0, 1.0, 0.0};

BlockDiagonal planar_mass(double mass) {
  return BlockDiagonal(std::vector<MatrixXd>{Vector3d(mass, mass, 0.1).asDiagonal().toDenseMatrix()});
}

VectorXd solve_built(CompliantBuilder& builder, CompliantAnswer* whole = nullptr) {
  EXPECT_TRUE(validate(builder.problem()).has_value());
  CompliantAnswer answer = solve(builder.problem(), Compliant{});
  EXPECT_EQ(answer.status, Status::kSolved);
  if (whole != nullptr) *whole = answer;
  return answer.solution.v1;
}

// A servo of any gains is implicit Euler: (m + h kd + h² kp) v1 = m v0 + h kp (target − q).
TEST(CompliantBuilder, ServosAreImplicitEuler) {
  for (const double kp : {10.0, 1e6, 1e12}) {
    CompliantBuilder builder(planar_mass(2.0), 0.01);
    builder.problem().v(0) = 0.3;
    builder.add_servo(0, kp, 0.1 * kp, 0.2, 0.5);
    const double expected = (2.0 * 0.3 + 0.01 * kp * 0.3) / (2.0 + 0.01 * 0.1 * kp + 1e-4 * kp);
    EXPECT_NEAR(solve_built(builder)(0), expected, 1e-12 * std::abs(expected));
  }
}

// A buffer stops a coordinate at its limit and lets it go away from it; across the gap it does nothing.
TEST(CompliantBuilder, LimitsPushOnly) {
  const auto run = [](double speed) {
    CompliantBuilder builder(planar_mass(2.0), 0.01);
    builder.problem().v(0) = speed;
    builder.add_limit(0, true, 0.495, 0.5, 1e9, 1e3);
    return solve_built(builder)(0);
  };
  EXPECT_NEAR(run(3.0), 0.5, 1e-4);  // 5 mm left for 10 ms
  EXPECT_DOUBLE_EQ(run(0.4), 0.4);
  EXPECT_DOUBLE_EQ(run(-3.0), -3.0);
}

// A bushing holds all six directions, each by its own stiffness: at rest under a load it is displaced by load over stiffness.
TEST(CompliantBuilder, BushingsHoldSixDirections) {
  const std::array<double, 6> K{1e3, 2e3, 3e3, 40.0, 50.0, 60.0}, B{};
  VectorXd load(6);
  load << 1.0, -2.0, 3.0, 0.4, 0.5, -0.6;
  std::array<double, 6> phi{};
  for (std::size_t k = 0; k < 6; ++k) phi[k] = load(static_cast<Index>(k)) / K[k];
  CompliantBuilder builder(BlockDiagonal(std::vector<MatrixXd>{MatrixXd::Identity(6, 6)}), 0.01);
  builder.problem().f = load;
  std::array<std::array<double, 6>, 6> axes{};
  std::array<RowEnds, 6> ends;
  for (std::size_t k = 0; k < 6; ++k) {
    axes[k][k] = 1.0;
    ends[k] = {{0, axes[k]}, {}};
  }
  builder.add_bushing(ends, K, B, phi);
  EXPECT_LT(solve_built(builder).cwiseAbs().maxCoeff(), 1e-15);
}

// A block that rests on a foundation carries its weight by the law, and friction holds it up to mu times that.
TEST(CompliantBuilder, ContactsFollowTheirLaw) {
  const auto push = [](double force, CompliantAnswer& answer) {
    CompliantBuilder builder(planar_mass(2.0), 0.01);
    builder.problem().f = Vector3d(force, -19.62, 0.0);
    const ForceLaw law = ForceLaw::foundation(1e7, 0.01, 0.5);
    const std::array<RowEnds, 1> tangent{RowEnds{{0, kAlong}, {}}};
    builder.add_contact({{0, kUp}, {}}, tangent, linearize(law, -law.depth_of(19.62), 0.0), 0.5, 1e8);
    return solve_built(builder, &answer)(0);
  };
  CompliantAnswer answer;
  EXPECT_NEAR(push(9.0, answer), 9.0 / 1e8, 1e-12);  // it creeps at friction over damping
  EXPECT_NEAR(answer.solution.lambda_n(0), 19.62, 1e-9);
  EXPECT_NEAR(push(12.0, answer), 0.01 * (12.0 - 9.81) / 2.0, 1e-9);
  EXPECT_EQ(answer.solution.states[0], ContactState::kSlide);
}

}  // namespace
}  // namespace tribo
