// A steady step takes no memory and one attempt, in every contact model, of the simulator and of a kept pipeline.
#include "contact/every_model.hpp"

#include "tribo/contact/pipeline.hpp"

#include "guard.hpp"
#include "sim/every_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::count_allocations;
using testing::ModelCase;

class EveryModelAllocation : public ::testing::TestWithParam<ModelCase> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModelAllocation, ::testing::ValuesIn(testing::every_model()),
                         testing::NameOfModel());

// Nothing is allocated in `steps` steps, and the first attempt is the only one.
void expect_steady(Simulation& simulation, int warm_up, int steps) {
  for (int k = 0; k < warm_up; ++k) ASSERT_TRUE(is_solved(simulation.step().status)) << simulation.report().detail;
  for (int k = 0; k < steps; ++k) {
    const int allocated = count_allocations([&] { simulation.step(); });
    EXPECT_EQ(allocated, 0) << "step " << k;
    EXPECT_TRUE(is_solved(simulation.report().status)) << simulation.report().detail;
    EXPECT_FALSE(simulation.report().fallback) << "step " << k;
  }
}

// Boxes and a ball on a slope, a box on a swinging tray.
TEST_P(EveryModelAllocation, StepsInMotionTakeNoMemory) {
  Simulation simulation = testing::make_motion(GetParam());
  expect_steady(simulation, 50, 50);
  EXPECT_GT(simulation.state().v.norm(), 0.1);
}

TEST_P(EveryModelAllocation, StepsAtRestTakeNoMemory) {
  Simulation simulation = testing::make_rest(GetParam());
  expect_steady(simulation, 200, 50);
}

// A door that swings from limit to limit against dry friction.
TEST_P(EveryModelAllocation, StepsOfAMechanismTakeNoMemory) {
  ModelDescription d;
  testing::add_door(d, Vector3d(0.0, 0.0, 1.0), 0.1, 0.05);
  Simulation simulation = testing::make_simulation(std::move(d), GetParam().with({.step = 1e-3}));
  State state = simulation.state();
  state.v(0) = 1.0;
  simulation.set_state(state);
  expect_steady(simulation, 100, 100);
}

class EveryPipelineAllocation : public ::testing::TestWithParam<testing::PipelineCase> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryPipelineAllocation, ::testing::ValuesIn(testing::every_pipeline()),
                         testing::NameOfPipeline());

// Solve, start of the next step, its velocities: one island or several, with dry friction or without, by one attempt each.
TEST_P(EveryPipelineAllocation, SlidingStepsTakeNoMemory) {
  for (const std::vector<int>& heights : {std::vector{1}, std::vector{2}, std::vector{6}, std::vector{1, 2, 1}}) {
    for (const bool dry : {false, true}) {
      ContactProblem problem = testing::make_stacks(GetParam(), {.heights = heights, .dry = dry});
      ContactPipeline pipeline(GetParam().model);
      ContactStart start;
      const auto step = [&] {
        const ContactAnswer& answer = pipeline.solve(problem, start);
        answer.start(problem, start);
        problem.v = answer.v_next;
        return &answer;
      };
      for (int k = 0; k < 20; ++k) step();
      for (int k = 0; k < 20; ++k) {
        const ContactAnswer* answer = nullptr;
        EXPECT_EQ(count_allocations([&] { answer = step(); }), 0)
            << "step " << k << ", " << heights.size() << " stacks, the first of " << heights[0] << ", dry " << dry;
        EXPECT_EQ(answer->status, Status::kSolved);
        EXPECT_EQ(answer->history.size(), heights.size());
        EXPECT_EQ(answer->states.size(), problem.contacts.size());
      }
    }
  }
}

}  // namespace
}  // namespace tribo
