// The kept pipeline: same answers as one-shot, starts that save work, memory that changes nothing, a history that tells what happened.
#include "tribo/contact/pipeline.hpp"

#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <cmath>
#include <iostream>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "contact/every_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

const ContactModel kModels[] = {Frictionless{}, NoSlip{}, Viscous{}, CoulombPyramid{}, FrictionBox{}, CoulombCone{}};

// A box on the floor, pushed sideways.
ContactProblem make_sliding_box(double speed, double mu = 0.3) {
  ContactBuilder builder;
  builder.set_step(1e-3);
  const Index box = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.1}), {0.0, 0.0, 0.05});
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1})
      builder.add_contact(box, ContactBuilder::kWorld, {x, y, 0.0}, {0.0, 0.0, 1.0}, {.mu = mu, .mu_v = 0.5});
  }
  builder.add_gravity({0.0, 0.0, -9.81});
  ContactProblem problem = builder.build();
  problem.v(0) = speed;
  for (Contact& contact : problem.contacts) contact.friction_bound = 1e-3;
  return problem;
}

bool has_same_bits(const ContactAnswer& a, const ContactAnswer& b) {
  return a.status == b.status && a.solution.v_next == b.solution.v_next && a.solution.f_n == b.solution.f_n &&
         a.solution.f_s == b.solution.f_s && a.solution.f_t == b.solution.f_t && a.states == b.states &&
         a.certificate.worst == b.certificate.worst;
}

// One-shot solve() is a pipeline used once, so both give the same bits.
TEST(Pipeline, GivesTheAnswersOfSolve) {
  for (const ContactModel& model : kModels) {
    ContactPipeline pipeline(model);
    for (const double speed : {0.0, 0.5, 2.0}) {
      const ContactProblem problem = make_sliding_box(speed);
      EXPECT_TRUE(has_same_bits(pipeline.solve(problem), solve(problem, model))) << to_string(model) << ", " << speed;
    }
  }
}

// What a pipeline solved before changes no bit: otherwise results would depend on which worker took which island.
TEST(Pipeline, ForgetsEarlierProblems) {
  for (const ContactModel& model : kModels) {
    ContactPipeline used(model);
    Random random(5);
    for (int k = 0; k < 20; ++k) {  // of more sizes than a pipeline keeps memory for
      const ContactProblem other = random_bodies({.bodies = 1 + k % 10, .contacts = 1 + k % 12}, random);
      static_cast<void>(used.solve(other));
    }
    for (int k = 0; k < 10; ++k) {
      Random own(100 + k);
      const ContactProblem problem = random_bodies({.bodies = 1 + k % 4, .contacts = 2 + k}, own);
      EXPECT_TRUE(has_same_bits(used.solve(problem), solve(problem, model))) << to_string(model) << ", " << k;
    }
  }
}

// The history lists every attempt with its status and residual; the first one that certifies ends it.
TEST(Pipeline, KeepsAHistory) {
  for (const ContactModel& model : kModels) {
    const ContactAnswer answer = solve(make_sliding_box(1.0), model);
    ASSERT_EQ(answer.history.size(), 1U) << to_string(model);
    EXPECT_EQ(answer.history[0].status, Status::kSolved);
    EXPECT_EQ(answer.history[0].worst, answer.certificate.worst);
    EXPECT_EQ(answer.history[0].pivots, answer.report.pivots);
    EXPECT_GT(answer.history[0].seconds, 0.0);
    EXPECT_EQ(answer.history[0].island, -1);
  }
}

// Contacts are found again by their keys, whatever their places are.
TEST(ContactStart, FollowsKeysAndNotPlaces) {
  ContactProblem problem = make_sliding_box(0.0);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    problem.contacts[i].key = {1, 2, 7 * (problem.contacts.size() - i)};
  const ContactAnswer answer = solve(problem, CoulombCone{});
  const ContactStart start = answer.start(problem);
  ContactProblem moved = problem;
  std::swap(moved.contacts[0].key, moved.contacts[3].key);
  moved.contacts[1].key = {5, 5, 5};
  StartValues values;
  start.align(moved, values);
  EXPECT_NEAR(values.impulses.f_n(0), answer.solution.f_n(3), 1e-15);
  EXPECT_NEAR(values.impulses.f_n(3), answer.solution.f_n(0), 1e-15);
  EXPECT_NEAR(values.impulses.f_n(2), answer.solution.f_n(2), 1e-15);
  EXPECT_EQ(values.impulses.f_n(1), 0.0);
  EXPECT_EQ(values.states[1], ContactState::kOpen);
}

// With a frame impulses are kept in world axes: a turned frame gets its own components of the same impulse.
TEST(ContactStart, KeepsImpulsesInWorldAxes) {
  ContactProblem problem = make_sliding_box(0.0);
  ASSERT_TRUE(problem.contacts[0].has_frame);
  ContactSolution known;
  known.f_n = VectorXd::Constant(4, 3.0);
  known.f_s = VectorXd::Constant(4, 1.0);
  known.f_t = VectorXd::Constant(4, 2.0);
  const ContactStart start(problem, known);
  ContactProblem turned = problem;
  turned.contacts[0].frame.col(0) = problem.contacts[0].frame.col(1);
  turned.contacts[0].frame.col(1) = -problem.contacts[0].frame.col(0);
  StartValues values;
  start.align(turned, values);
  EXPECT_NEAR(values.impulses.f_s(0), 2.0, 1e-15);
  EXPECT_NEAR(values.impulses.f_t(0), -1.0, 1e-15);
  EXPECT_NEAR(values.impulses.f_n(0), 3.0, 1e-15);
}

class EveryPipeline : public ::testing::TestWithParam<testing::PipelineCase> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryPipeline, ::testing::ValuesIn(testing::every_pipeline()),
                         testing::NameOfPipeline());

int count_work(const ContactAnswer& answer) {
  return answer.report.pivots + answer.report.sweeps + answer.report.iterations;
}

// The largest difference of the velocities at a contact, m/s.
double calc_difference(const ContactAnswer& a, const ContactAnswer& b) {
  if (a.contacts.size() != b.contacts.size()) return std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (std::size_t i = 0; i < a.contacts.size(); ++i)
    most = std::max(most, (a.contacts[i].velocity - b.contacts[i].velocity).norm());
  return most;
}

// Of two answers that are certified to 1e-8 of the speeds of a problem, which are 1 to 2 m/s here, over a few contacts.
constexpr double kSameMotion = 1e-7;  // m/s

// Two stacks and a box that slide, each against dry friction too.
ContactProblem make_sliding_stacks(const testing::PipelineCase& model, double speed = 1.0) {
  return testing::make_stacks(model, {.heights = {1, 3, 2}, .speed = speed, .dry = 1});
}

// From the answer nothing is left to do, and parts of it that are joined are as good: the same bits.
TEST_P(EveryPipeline, AnswersAreStartsThatCostNothing) {
  for (const double speed : {0.0, 1.0}) {
    const ContactProblem problem = make_sliding_stacks(GetParam(), speed);
    ContactPipeline pipeline(GetParam().model);
    const ContactAnswer cold = pipeline.solve(problem);
    ASSERT_EQ(cold.status, Status::kSolved);
    const ContactStart whole = cold.start(problem);
    const Index boxes[] = {0, 1, 2, 3, 4, 5};
    const std::span<const Index> all(boxes);
    const ContactStart joined = whole.restricted(problem, all.subspan(1, 3))
                                    .joined(whole.restricted(problem, all.subspan(0, 1)))
                                    .joined(whole.restricted(problem, all.subspan(4)));
    const ContactAnswer warm = pipeline.solve(problem, whole);
    EXPECT_EQ(warm.status, Status::kSolved);
    EXPECT_EQ(warm.report.pivots, 0) << speed;
    EXPECT_EQ(warm.report.sweeps, 0) << speed;
    EXPECT_LT(calc_difference(warm, cold), kSameMotion) << speed;
    EXPECT_TRUE(has_same_bits(pipeline.solve(problem, joined), warm)) << speed;
    // A start that knows one of the stacks saves its work.
    const ContactAnswer part = pipeline.solve(problem, whole.restricted(problem, all.subspan(1, 3)));
    EXPECT_EQ(part.status, Status::kSolved);
    EXPECT_LE(count_work(part), count_work(cold)) << speed;
    EXPECT_LT(calc_difference(part, cold), kSameMotion) << speed;
  }
}

// Over 50 steps of sliding: fewer pivots, sweeps and iterations from the last step than from nothing, and the same motion.
TEST_P(EveryPipeline, StepsFromTheLastCostLess) {
  ContactPipeline cold(GetParam().model), warm(GetParam().model);
  ContactStart start;
  ContactProblem problem = make_sliding_stacks(GetParam());
  int cold_work = 0, warm_work = 0;
  for (int step = 0; step < 50; ++step) {
    const ContactAnswer& without = cold.solve(problem);
    const ContactAnswer& with = warm.solve(problem, start);
    ASSERT_EQ(without.status, Status::kSolved);
    ASSERT_EQ(with.status, Status::kSolved);
    EXPECT_EQ(with.history.size(), 3U);
    EXPECT_LT(calc_difference(with, without), kSameMotion) << step;
    if (step > 0) cold_work += count_work(without);
    if (step > 0) warm_work += count_work(with);
    with.start(problem, start);
    problem.v = with.v_next;
  }
  std::cout << "  pivots, sweeps and iterations of 49 steps: warm " << warm_work << ", cold " << cold_work << "\n";
  EXPECT_LT(2 * warm_work, cold_work);
}

// Start values change the work and never the answer: others' contacts, wrong states, numbers far off or none at all.
TEST_P(EveryPipeline, AnyStartEndsInTheSameMotion) {
  const ContactProblem problem = make_sliding_stacks(GetParam());
  ContactPipeline pipeline(GetParam().model);
  const ContactAnswer cold = pipeline.solve(problem);
  ASSERT_EQ(cold.status, Status::kSolved);
  const auto expect_same_motion = [&](const ContactStart& start, const std::string& what) {
    const ContactAnswer& answer = pipeline.solve(problem, start);
    EXPECT_EQ(answer.status, Status::kSolved) << what;
    EXPECT_LT(calc_difference(answer, cold), kSameMotion) << what;
  };
  Random random(3);
  for (const double size : {1e-300, 1e-9, 1e-3, 1.0, 1e9, 1e100, 1e300}) {
    for (const ContactState state : {ContactState::kOpen, ContactState::kStick, ContactState::kSlide}) {
      ContactSolution wild = cold.solution;
      for (VectorXd* f : {&wild.f_n, &wild.f_s, &wild.f_t, &wild.f_d}) {
        for (double& x : *f) x = size * random.uniform(-1.0, 1.0);
      }
      const std::vector<ContactState> states(problem.contacts.size(), state);
      expect_same_motion(ContactStart(problem, wild, states), "size " + std::to_string(size));
    }
  }
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    ContactSolution none = cold.solution;
    for (VectorXd* f : {&none.f_n, &none.f_s, &none.f_t, &none.f_d}) f->setConstant(bad);
    expect_same_motion(ContactStart(problem, none, cold.states), "numbers that are none");
    none = cold.solution;
    none.f_n(1) = none.f_s(5) = none.f_t(9) = none.f_d(0) = bad;
    expect_same_motion(ContactStart(problem, none, cold.states), "some numbers that are none");
  }
  ContactProblem named = problem;
  for (Contact& contact : named.contacts) contact.key.feature += 100;
  expect_same_motion(ContactStart(named, cold.solution, cold.states), "others' contacts");
  for (Contact& contact : named.contacts) contact.key = {1, 2, 3};
  expect_same_motion(ContactStart(named, cold.solution, cold.states), "equal keys");
  ContactSolution few = cold.solution;
  few.f_s.resize(0);
  few.f_j = VectorXd::Ones(7);
  few.f_d = VectorXd::Ones(1);
  expect_same_motion(ContactStart(problem, few, cold.states), "vectors of other sizes");
}

// The order in which a worker takes islands must not show: of sizes that are kept and of sizes that push others out.
TEST_P(EveryPipeline, WhatWasSolvedBeforeChangesNoBit) {
  std::vector<ContactProblem> problems;
  for (int k = 0; k < 12; ++k)
    problems.push_back(testing::make_stacks(
        GetParam(), {.heights = {1 + k % 5, 1 + k % 2}, .speed = 0.2 * (k % 3), .mu = 0.1 * (k % 4), .dry = k % 3}));
  std::vector<ContactAnswer> fresh;
  for (const ContactProblem& problem : problems) fresh.push_back(solve(problem, GetParam().model));
  ContactPipeline used(GetParam().model);
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const auto k = static_cast<std::size_t>(random.integer(0, std::ssize(problems) - 1));
    EXPECT_TRUE(has_same_bits(used.solve(problems[k]), fresh[k])) << "problem " << k << ", round " << round;
    // And from a start.
    const ContactStart start = fresh[k].start(problems[k]);
    if (round % 3 == 0) {
      EXPECT_TRUE(
          has_same_bits(used.solve(problems[k], start), ContactPipeline(GetParam().model).solve(problems[k], start)))
          << "problem " << k << ", round " << round;
    }
  }
}

}  // namespace
}  // namespace tribo
