// The kept pipeline: same answers as one-shot, starts that save work, memory that changes nothing, a history that tells what happened.
#include "tribo/contact/pipeline.hpp"

#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <cmath>

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

// A start at the answer of the last step costs fewer pivots than none, for every model; and finds the same motion.
TEST(Pipeline, StartsWarm) {
  for (const ContactModel& model : kModels) {
    ContactPipeline cold(model), warm(model);
    ContactStart start;
    ContactProblem problem = make_sliding_box(1.0);
    int cold_work = 0, warm_work = 0;
    for (int step = 0; step < 50; ++step) {
      const ContactAnswer& without = cold.solve(problem);
      ASSERT_TRUE(is_solved(without.status)) << to_string(model);
      if (step > 0) cold_work += without.report.pivots + without.report.sweeps;
      const ContactAnswer& with = warm.solve(problem, start);
      ASSERT_TRUE(is_solved(with.status)) << to_string(model);
      if (step > 0) warm_work += with.report.pivots + with.report.sweeps;
      EXPECT_LT((with.v_next - without.v_next).norm(), 1e-9) << to_string(model) << ", step " << step;
      start = with.start(problem);
      problem.v = with.v_next;
    }
    EXPECT_LT(warm_work, cold_work) << to_string(model);
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

// A start of parts joined is the start of the whole; restricted to bodies it is that of the part.
TEST(ContactStart, IsRestrictedAndJoined) {
  ContactBuilder builder;
  for (int k = 0; k < 2; ++k) {
    const Index box = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.2}), {1.0 * k, 0.0, 0.1});
    const Index contact =
        builder.add_contact(box, ContactBuilder::kWorld, {1.0 * k, 0.0, 0.0}, {0.0, 0.0, 1.0}, {.mu = 0.5});
    static_cast<void>(contact);
  }
  builder.add_gravity({0.0, 0.0, -9.81});
  ContactProblem problem = builder.build();
  problem.contacts[0].key = {0, 1, 0};
  problem.contacts[1].key = {0, 2, 0};
  const ContactAnswer answer = solve(problem, CoulombCone{});
  const ContactStart whole = answer.start(problem);
  const Index first[] = {0}, second[] = {1};
  const ContactStart a = whole.restricted(problem, first), b = whole.restricted(problem, second);
  ASSERT_EQ(a.contacts().size(), 1U);
  EXPECT_EQ(a.contacts()[0].key, problem.contacts[0].key);
  ASSERT_EQ(b.contacts().size(), 1U);
  const ContactStart joined = b.joined(a);
  ASSERT_EQ(joined.contacts().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(joined.contacts()[i].key, whole.contacts()[i].key);
    EXPECT_EQ(joined.contacts()[i].impulse, whole.contacts()[i].impulse);
  }
}

}  // namespace
}  // namespace tribo
