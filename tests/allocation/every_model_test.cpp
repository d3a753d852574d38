// A steady step takes no memory and one attempt, in every contact model, of the simulator and of a kept pipeline.
#include "contact/every_model.hpp"

#include "tribo/contact/pipeline.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

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

// They predict the slip by a solve of their own.
TEST(AlignedPolygons, StepsInMotionTakeNoMemory) {
  const ModelCase aligned{.name = "aligned", .model = CoulombPyramid{8, true}};
  Simulation simulation = testing::make_motion(aligned);
  expect_steady(simulation, 50, 50);
  EXPECT_GT(simulation.state().v.norm(), 0.1);
}

class EveryPipelineAllocation : public ::testing::TestWithParam<testing::PipelineCase> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryPipelineAllocation, ::testing::ValuesIn(testing::every_pipeline()),
                         testing::NameOfPipeline());

// Solve, start of the next step, its velocities: one island or several, with dry friction or without, by one attempt each.
TEST_P(EveryPipelineAllocation, SlidingStepsTakeNoMemory) {
  for (const std::vector<int>& heights : {std::vector{1}, std::vector{2}, std::vector{6}, std::vector{1, 2, 1},
                                          std::vector{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}) {
    for (const int dry : {0, 1}) {
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

// Bytes that what `make` returns holds.
template <typename Make>
std::size_t count_bytes(const Make& make) {
  const std::size_t before = testing::live_bytes();
  const auto kept = make();
  return testing::live_bytes() - before;
}

std::unique_ptr<ContactPipeline> make_used(const ContactModel& model, const std::vector<ContactProblem>& problems) {
  auto pipeline = std::make_unique<ContactPipeline>(model);
  for (const ContactProblem& problem : problems) static_cast<void>(pipeline->solve(problem));
  return pipeline;
}

// A pipeline keeps memory for sixteen sizes: after 135 it holds no more than sixteen of the largest would, twice over for vectors
// that grow by doubling.
TEST_P(EveryPipelineAllocation, ManySizesKeepBoundedMemory) {
  std::vector<ContactProblem> problems;
  for (int height = 12; height >= 4; --height) {
    for (int dry = 14; dry >= 0; --dry)
      problems.push_back(testing::make_stacks(GetParam(), {.heights = {height}, .dry = dry}));
  }
  const std::size_t largest = count_bytes([&] { return make_used(GetParam().model, {problems.front()}); });
  const std::size_t many = count_bytes([&] { return make_used(GetParam().model, problems); });
  std::cout << "  one size: " << largest / 1024 << " KiB; " << problems.size() << " sizes: " << many / 1024 << " KiB\n";
  EXPECT_GT(largest, 1000U);
  EXPECT_LT(many, 32 * largest);
}

// Bytes of one island more: two boxes on a slope. With Euler, with which all models go.
std::size_t count_island_bytes(const ModelCase& model) {
  const auto make_boxes = [&](int count) {
    ModelDescription d;
    testing::add_floor(d, 0.1, testing::kSlope);
    for (int k = 0; k < count; ++k) testing::add_stack(d, 2, 0.1, testing::kSlope, 0.0, 1.0 * k);
    testing::set_viscous(d);
    Simulation simulation =
        testing::make_simulation(std::move(d), model.with({.step = 1e-3, .integrator = Integrator::kEuler}));
    for (int n = 0; n < 3; ++n) EXPECT_TRUE(is_solved(simulation.step().status)) << simulation.report().detail;
    return simulation;
  };
  const std::size_t few = count_bytes([&] { return make_boxes(20); }),
                    many = count_bytes([&] { return make_boxes(60); });
  return (many - few) / 40;
}

// Islands share the pipelines of the workers: one more costs its numbers in the scene, the same in every model, though pipelines of
// the models differ by far more.
TEST_P(EveryModelAllocation, IslandsKeepNoPipelinesOfTheirOwn) {
  const testing::PipelineCase same{"", GetParam().model, GetParam().compliant ? 1e-3 : 0.0};
  const std::size_t pipeline =
      count_bytes([&] { return make_used(same.model, {testing::make_stacks(same, {.heights = {2}})}); });
  const std::size_t plain = count_island_bytes({"", Frictionless{}, false}), here = count_island_bytes(GetParam());
  std::cout << "  one pipeline: " << pipeline << " bytes; one island more: " << here << " bytes\n";
  EXPECT_GT(pipeline, 30'000U);
  EXPECT_LT(std::max(here, plain) - std::min(here, plain), 1'000U);
}

}  // namespace
}  // namespace tribo
