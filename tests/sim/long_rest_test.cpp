// 100,000 steps at rest in every contact model.
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include "sim/every_model.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

constexpr int kSteps = 100'000;

class LongRest : public ::testing::TestWithParam<ModelCase> {};
INSTANTIATE_TEST_SUITE_P(Models, LongRest, ::testing::ValuesIn(every_model()), NameOfModel());

std::vector<ModelCase> models_that_hold() {
  std::vector<ModelCase> models = every_model();
  std::erase_if(models, [](const ModelCase& model) { return !model.holds; });
  return models;
}

class LongCreep : public ::testing::TestWithParam<ModelCase> {};
INSTANTIATE_TEST_SUITE_P(Models, LongCreep, ::testing::ValuesIn(models_that_hold()), NameOfModel());

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

// One stack for all; on a slope below the angle of friction where that holds.
TEST_P(LongRest, OfTwoBoxesOnOneAnother) {
  const double slope = GetParam().holds ? kSlope : 0.0;
  ModelDescription d;
  add_floor(d, 0.5, slope);
  add_stack(d, 2, 0.5, slope, 0.7, 0.3);
  set_viscous(d);
  Simulation simulation = make_simulation(std::move(d), GetParam().with({.step = 1e-3}));
  expect_rest(simulation, 300);
}

// A load that changes in every step leaves nothing to keep: each step is solved anew. What the tolerance leaves of a velocity is
// tolerance · h g, and h of it per step: 1e-8 · 1e-3 · 9.81 · 1e-3 · 100,000 m in all. Springs (compliant) follow the load and come back.
TEST_P(LongCreep, OfABlockOnASlopeUnderAChangingLoad) {
  ModelDescription d;
  add_floor(d, 0.5, kSlope);
  add_stack(d, 1, 0.5, kSlope, 0.7, 0.3);
  Simulation simulation = make_simulation(std::move(d), GetParam().with({.step = 1e-3}));
  const auto load = [&](int k) {  // N; 100 steps per period, below a tenth of the weight
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k % 100) / 100.0;
    simulation.applied()(0) = 0.5 * std::cos(angle);
    simulation.applied()(1) = 0.7 * std::sin(angle);
    simulation.applied()(2) = 0.3 * std::sin(2.0 * angle);
  };
  const auto run = [&](int steps) {
    std::int64_t work = 0;
    for (int k = 0; k < steps; ++k) {
      load(k);
      const StepReport& report = simulation.step();
      EXPECT_EQ(report.status, Status::kSolved) << "step " << k << ": " << report.detail;
      work += report.pivots + report.sweeps;
    }
    return work;
  };
  run(1000);
  const VectorXd q = simulation.state().q;
  const std::int64_t work = run(kSteps);
  const double drift = (simulation.state().q - q).cwiseAbs().maxCoeff();
  std::cout << "  drift " << drift << " m, " << work << " pivots and sweeps\n";
  EXPECT_LT(drift, 1e-8 * 1e-3 * 9.81 * 1e-3 * kSteps);
}

// h mu_v of four corners on 1 kg: v⁺ = v/(1 + 4 h mu_v), so it goes v/(4 mu_v) = 0.5 m, h v/2 more since positions go with the mean of
// v and v⁺, and stops.
TEST(LongRestViscous, ABlockThatSlidesComesToRest) {
  ModelDescription d;
  add_floor(d, 0.0);
  add_stack(d, 1, 0.0, 0.0, 0.0, 0.0);
  set_viscous(d);
  Simulation simulation = make_simulation(std::move(d), {.model = Viscous{}, .step = 1e-3});
  State state = simulation.state();
  state.v(0) = 1.0;
  simulation.set_state(state);
  expect_rest(simulation, 15'000);
  EXPECT_NEAR(simulation.state().q(0), 1.0 / (4.0 * kMuViscous) + 0.5e-3, 1e-8);
}

}  // namespace
}  // namespace tribo::testing
