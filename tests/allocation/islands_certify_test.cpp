// Taking a step's problem apart, putting its answers together and judging them takes no memory the second time.
#include "tribo/certify/contact_certifier.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/problem/islands.hpp"

#include "guard.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::count_allocations;

// Stacks side by side that do not touch one another, one over the other in the order of their bodies.
ContactProblem stacks_apart(Index stacks) {
  Random random(5);
  const ContactProblem one = box_stack(3, 4, random);
  const Index blocks = one.mass.blocks();
  ContactProblem all;
  all.h = one.h;
  for (Index k = 0; k < stacks * blocks; ++k) all.mass.append(one.mass.block(k % blocks));
  all.v = one.v.replicate(stacks, 1);
  all.f = one.f.replicate(stacks, 1);
  all.b_N = all.a_N = one.b_N.replicate(stacks, 1);
  const auto repeat = [&](const BlockRows& rows) {
    BlockRows result(all.mass.layout());
    for (Index k = 0; k < stacks; ++k) {
      for (Index i = 0; i < rows.rows(); ++i) {
        std::array<BlockRows::Segment, 2> parts = rows.row(i);
        for (BlockRows::Segment& part : parts) part.block += part.block < 0 ? 0 : k * blocks;
        result.add_row(parts[0], parts[1]);
      }
    }
    return result;
  };
  all.N = repeat(one.N);
  all.S = repeat(one.S);
  all.T = repeat(one.T);
  all.J = BlockRows(all.mass.layout());
  for (Index k = 0; k < stacks; ++k) all.contacts.insert(all.contacts.end(), one.contacts.begin(), one.contacts.end());
  return all;
}

ContactSolution some_answer(const ContactProblem& problem) {
  ContactSolution answer;
  answer.v_next = 0.1 * problem.v + VectorXd::Constant(problem.dof(), 0.01);
  answer.f_n = VectorXd::Constant(problem.size(), 1.0);
  answer.f_s = answer.f_t = VectorXd::Constant(problem.size(), 0.2);
  answer.f_j = VectorXd::Zero(problem.bilateral());
  return answer;
}

// A step loop asks this of every step; only the first may make room.
TEST(Allocation, SplittingIntoIslandsAgainTakesNoMemory) {
  for (const Index stacks : {1, 4}) {
    const ContactProblem problem = stacks_apart(stacks);
    const ContactSolution answer = some_answer(problem);
    IslandSplitter splitter;
    std::vector<ContactSolution> parts(static_cast<std::size_t>(stacks));
    ContactSolution merged;
    const auto step = [&] {
      splitter.split(problem);
      for (Index k = 0; k < splitter.islands(); ++k) {
        splitter.cut(k, problem, answer, parts[static_cast<std::size_t>(k)]);
      }
      splitter.merge(problem, CoulombCone{}, parts, merged);
    };
    step();
    ASSERT_EQ(splitter.islands(), stacks);
    EXPECT_EQ(merged.v_next, answer.v_next);
    EXPECT_EQ(count_allocations(step), 0) << stacks;
  }
}

// The judge of a step must cost no memory either, whatever the model, for one island and for many.
TEST(Allocation, CertifyingAgainTakesNoMemory) {
  const ContactModel models[] = {CoulombCone{}, NoSlip{}, Frictionless{}, CoulombPyramid{}, Viscous{}, FrictionBox{}};
  for (const Index stacks : {1, 4}) {
    const ContactProblem problem = stacks_apart(stacks);
    const ContactSolution answer = some_answer(problem);
    for (const ContactModel& model : models) {
      ContactCertifier certifier;
      double worst = certifier(problem, model, answer).worst;
      EXPECT_EQ(count_allocations([&] { worst -= certifier(problem, model, answer).worst; }), 0) << to_string(model);
      EXPECT_EQ(worst, 0.0);
      if (stacks > 1) continue;
      EXPECT_EQ(count_allocations([&] { worst = certifier.island(problem, model, answer).worst; }), 0);
    }
  }
}

}  // namespace
}  // namespace tribo
