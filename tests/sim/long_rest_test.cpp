// 100,000 steps at rest in every contact model.
#include <iostream>

#include "sim/every_model.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

constexpr int kSteps = 100'000;

class LongRest : public ::testing::TestWithParam<ModelCase> {};
INSTANTIATE_TEST_SUITE_P(Models, LongRest, ::testing::ValuesIn(every_model()), NameOfModel());

// Runs to rest, then 100,000 steps on: no pivot, no sweep, no bit of the state moves.
void expect_rest(Simulation& simulation, int settling) {
  for (int k = 0; k < settling; ++k) ASSERT_TRUE(is_solved(simulation.step().status)) << simulation.report().detail;
  const VectorXd q = simulation.state().q;
  std::int64_t work = 0;
  for (int k = 0; k < kSteps; ++k) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, Status::kSolved) << "step " << k << ": " << report.detail;
    work += report.pivots + report.sweeps;
  }
  EXPECT_EQ(work, 0);
  EXPECT_TRUE(simulation.state().v.isZero(0.0));
  EXPECT_TRUE(simulation.state().q == q) << (simulation.state().q - q).cwiseAbs().maxCoeff();
}

// Where friction holds, one on a slope below the angle of friction.
TEST_P(LongRest, OfTwoBoxesOnOneAnother) {
  const double slope = GetParam().holds ? kSlope : 0.0;
  ModelDescription d;
  add_floor(d, 0.5, slope);
  add_stack(d, 2, 0.5, slope, 0.7, 0.3);
  set_viscous(d);
  Simulation simulation = make_simulation(std::move(d), GetParam().with({.step = 1e-3}));
  const VectorXd q = simulation.state().q;
  expect_rest(simulation, 300);
  std::cout << "moved " << (simulation.state().q - q).cwiseAbs().maxCoeff() << " m while it settled\n";
}

}  // namespace
}  // namespace tribo::testing
