// Solving what has no contact apart: the same answer as the whole, for every model.
#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include "problem/combined.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::combined;
using testing::random_order;
using testing::reordered;

const ContactModel kIslandModels[] = {Frictionless{},    NoSlip{},          Viscous{},    Viscous{.implicit = false},
                                      CoulombPyramid{4}, CoulombPyramid{8}, FrictionBox{}};

double distance_in_energy(const ContactProblem& problem, const VectorXd& a, const VectorXd& b) {
  const VectorXd difference = a - b;
  return std::sqrt(difference.dot(problem.mass.multiply(difference)));
}

double energy_scale(const ContactProblem& problem) {
  return 1.0 + std::sqrt(problem.v.dot(problem.mass.multiply(problem.v)));
}

ContactProblem free_body() {
  ContactBuilder builder;
  builder.add_body(2.0, sphere_inertia(2.0, 0.1), Vector3d::Zero());
  builder.set_velocity(0, VectorXd::LinSpaced(6, 1.0, 2.0));
  builder.add_gravity({0.0, 0.0, -9.81});
  return builder.build();
}

// Two stacks that do not touch: solved together, each has the bits it has alone, and the velocity of one big solve.
TEST(SolveIslands, DistantStacksDoNotKnowOfEachOther) {
  Random random(5);
  const ContactProblem first = box_stack(3, 4, random), second = box_stack(2, 8, random);
  const ContactProblem both = combined({first, second});
  for (const ContactModel& model : kIslandModels) {
    const ContactAnswer together = solve(both, model), alone = solve(first, model), other = solve(second, model);
    ASSERT_EQ(together.status, Status::kSolved) << to_string(model);
    EXPECT_EQ(together.islands, 2) << to_string(model);
    EXPECT_EQ(together.v_next.head(first.dof()), alone.v_next) << to_string(model);
    EXPECT_EQ(together.v_next.tail(second.dof()), other.v_next) << to_string(model);
    EXPECT_EQ(together.solution.f_n.head(first.size()), alone.solution.f_n) << to_string(model);
    EXPECT_EQ(together.report.pivots, alone.report.pivots + other.report.pivots) << to_string(model);
    if (!std::holds_alternative<CoulombPyramid>(model)) {  // a polygon's v⁺ need not be unique
      const ContactAnswer whole = solve(both, model, {.islands = false});
      EXPECT_EQ(whole.islands, 1);
      EXPECT_LT(distance_in_energy(both, together.v_next, whole.v_next), 1e-12) << to_string(model);
    }
  }
}

// Stages say where they belong; a single island is not called one.
TEST(SolveIslands, StagesNameTheirIsland) {
  Random random(6);
  const ContactProblem stack = box_stack(2, 4, random);
  const ContactAnswer two = solve(combined({stack, stack}), NoSlip{});
  ASSERT_EQ(two.history.size(), 2u);
  EXPECT_EQ(two.history[0].island, 0);
  EXPECT_EQ(two.history[1].island, 1);
  const ContactAnswer one = solve(stack, NoSlip{});
  EXPECT_EQ(one.islands, 1);
  EXPECT_EQ(one.history.front().island, -1);
  EXPECT_EQ(two.solver, one.solver);
}

// Bodies, contacts and joints of several components mixed in any order: statuses and unique velocities are those of the
// whole, and of the same problem in another order.
TEST(SolveIslands, PartsAreTheWhole) {
  Random random(7);
  int infeasible = 0;
  for (int k = 0; k < 200; ++k) {
    std::vector<ContactProblem> parts;
    const Index components = random.integer(2, 4);
    for (Index c = 0; c < components; ++c) {
      RandomBodies settings;
      settings.bodies = random.integer(1, 3);
      settings.contacts = random.integer(1, 8);
      settings.bilateral = random.integer(0, 2);
      settings.trees = random.integer(0, 1) == 1;
      parts.push_back(random_bodies(settings, random));
      if (random.integer(0, 9) == 0) parts.back().b_N.setConstant(-0.5);    // some of these have no answer
      for (Contact& contact : parts.back().contacts) contact.mu_v *= 0.01;  // explicit viscosity is stable
    }
    parts.push_back(free_body());
    const ContactProblem ordered = combined(parts);
    const auto order = random_order(ordered, random);
    const ContactProblem problem = reordered(ordered, order);
    for (const ContactModel& model : kIslandModels) {
      const std::string what = std::to_string(k) + " " + to_string(model);
      const ContactAnswer apart = solve(problem, model), whole = solve(problem, model, {.islands = false});
      const ContactAnswer straight = solve(ordered, model);
      EXPECT_GE(apart.islands, components + 1) << what;
      ASSERT_EQ(apart.status, straight.status) << what;
      if (std::holds_alternative<CoulombPyramid>(model)) {
        ASSERT_EQ(is_solved(apart.status), is_solved(whole.status)) << what << " " << whole.report.detail;
      } else {
        ASSERT_EQ(apart.status, whole.status) << what << " " << apart.report.detail << whole.report.detail;
      }
      if (!is_solved(apart.status)) {
        ++infeasible;
        continue;
      }
      EXPECT_LE(apart.certificate.worst, 1e-9) << what;
      EXPECT_EQ(certify(problem, model, apart.solution).worst, apart.certificate.worst) << what;
      if (std::holds_alternative<CoulombPyramid>(model)) continue;
      const double scale = energy_scale(problem);
      EXPECT_LT(distance_in_energy(problem, apart.v_next, whole.v_next), 1e-9 * scale) << what;
      const VectorXd permuted = reordered(ordered, order.blocks, straight.v_next);
      EXPECT_LT(distance_in_energy(problem, apart.v_next, permuted), 1e-9 * scale) << what;
    }
  }
  EXPECT_GT(infeasible, 10);
}

// One island without an answer leaves the whole without one: its proof speaks of its own rows, and holds for the whole,
// however fast the others are.
TEST(SolveIslands, AnInfeasiblePartMakesTheWholeInfeasible) {
  Random random(8);
  const ContactProblem squeezed = jam(true);
  ContactProblem stack = box_stack(2, 4, random);
  for (const double speed : {1.0, 1e9}) {
    stack.v.setConstant(speed);
    const ContactProblem problem = combined({stack, squeezed, free_body()});
    for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(Viscous{})}) {
      const ContactAnswer answer = solve(problem, model);
      ASSERT_EQ(answer.status, Status::kInfeasible) << to_string(model) << answer.report.detail;
      EXPECT_EQ(answer.infeasibility.verdict, Verdict::kInfeasible);
      EXPECT_EQ(certify_infeasible(problem, model, answer.solution).verdict, Verdict::kInfeasible);
      EXPECT_TRUE(answer.solution.y_n.head(stack.size()).isZero(0.0));
      EXPECT_GT(answer.solution.y_n.tail(2).minCoeff(), 0.0);
      EXPECT_FALSE(answer.certificate.passes(1e-8));
      // The others have been solved all the same.
      EXPECT_EQ(answer.v_next.head(stack.dof()), solve(stack, model).v_next) << to_string(model);
    }
  }
}

// Only the island that needs it is eased, and what is certified is the whole with these offsets.
TEST(SolveIslands, EasesOnlyWhatContradictsItself) {
  Random random(9);
  const ContactProblem stack = box_stack(2, 4, random);
  const ContactProblem problem = combined({stack, jam(true)});
  const ContactAnswer answer = solve(problem, NoSlip{}, {.relax = true});
  ASSERT_EQ(answer.status, Status::kSolvedReduced) << answer.report.detail;
  ASSERT_EQ(answer.eased.size(), problem.size());
  EXPECT_TRUE(answer.eased.head(stack.size()).isZero(0.0));
  EXPECT_LT((answer.eased.tail(2) - VectorXd::Constant(2, 0.1)).norm(), 1e-6);
  EXPECT_TRUE(answer.certificate.passes(1e-9));
  EXPECT_EQ(answer.v_next.head(stack.dof()), solve(stack, NoSlip{}).v_next);
}

// Joints that contradict one another are reported as such, not as something that went wrong.
TEST(SolveIslands, InconsistentJointsOfOnePartAreReported) {
  Random random(10);
  ContactBuilder builder;
  builder.add_body(1.0, sphere_inertia(1.0, 0.1), Vector3d::Zero());
  const Index first = builder.add_direction(0, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d::UnitX());
  builder.set_bilateral_offset(first, 1.0);
  builder.add_direction(0, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d::UnitX());
  const ContactProblem problem = combined({box_stack(2, 4, random), builder.build()});
  const ContactAnswer answer = solve(problem, NoSlip{});
  EXPECT_EQ(answer.status, Status::kInconsistentEqualities);
  EXPECT_EQ(answer.solver, "find-indices");
  EXPECT_EQ(certify_infeasible(problem, NoSlip{}, answer.solution).verdict, Verdict::kInfeasible);
  EXPECT_EQ(answer.solution.y_e.size(), problem.bilateral() + 2 * problem.size());
}

// Nothing, and a body that nothing touches: the answer is known.
TEST(SolveIslands, EmptyProblemsAndFreeBodies) {
  for (const ContactModel& model : kIslandModels) {
    const ContactAnswer nothing = solve(ContactProblem{}, model);
    EXPECT_EQ(nothing.status, Status::kSolved) << to_string(model);
    EXPECT_EQ(nothing.v_next.size(), 0);
    const ContactProblem body = free_body();
    Random random(4);
    const ContactProblem block = block_on_face(4, 0.2, random);
    const ContactAnswer answer = solve(combined({body, block, body}), model);
    ASSERT_EQ(answer.status, Status::kSolved) << to_string(model);
    EXPECT_EQ(answer.islands, 2);
    for (const Index at : {Index{0}, Index{12}}) {
      EXPECT_NEAR(answer.v_next(at + 2), body.v(2) - 9.81 * body.h, 1e-14) << to_string(model);
      EXPECT_NEAR(answer.v_next(at), body.v(0), 1e-14) << to_string(model);
    }
  }
}

// A row of zeros that asks for the impossible is not lost between the islands.
TEST(SolveIslands, RowsOfZerosAreJudged) {
  Random random(12);
  const ContactProblem stack = box_stack(1, 4, random);
  ContactProblem problem = combined({stack, stack});
  for (BlockRows* rows : {&problem.N, &problem.S, &problem.T}) rows->add_row({});
  problem.contacts.emplace_back();
  for (const double offset : {1.0, -1.0}) {
    problem.b_N = (VectorXd(9) << stack.b_N, stack.b_N, offset).finished();
    problem.a_N = problem.b_N;
    const ContactAnswer answer = solve(problem, Frictionless{});
    EXPECT_EQ(answer.islands, 2);
    EXPECT_EQ(answer.status, offset > 0.0 ? Status::kSolved : Status::kInfeasible) << answer.report.detail;
  }
}

// Explicit viscosity beyond its bound is refused in whichever island it is, and only for that island's own rate.
TEST(SolveIslands, AnUnstablePartIsRefused) {
  Random random(13);
  const ContactProblem calm = block_on_face(4, 0.1, random);
  ContactProblem stiff = calm;
  for (Contact& contact : stiff.contacts) contact.mu_v = 1e5;
  const Viscous explicit_viscous{.implicit = false};
  EXPECT_EQ(solve(combined({calm, calm}), explicit_viscous).status, Status::kSolved);
  EXPECT_THROW(static_cast<void>(solve(combined({calm, stiff}), explicit_viscous)), ContractError);
}

}  // namespace
}  // namespace tribo
