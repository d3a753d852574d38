// The problems of the study lloyd-2005: their sizes and their geometry.
#include "tribo/problem/contact_problem.hpp"

#include <cmath>
#include <set>

#include "studies/lloyd_2005/cases.hpp"
#include "studies/lloyd_2005/situations.hpp"
#include "studies/lloyd_2005/stack.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace tribo {
namespace {

// Ten situations with 1 to 16 contacts are what the paper measures; a table that says another n than it builds would
// put times in the wrong place.
TEST(LloydSituations, HaveTheStatedContacts) {
  const auto table = situations();
  ASSERT_EQ(table.size(), 10U);
  EXPECT_EQ(table.front().contacts, 1);
  EXPECT_EQ(table.back().contacts, 16);
  std::set<std::string> names;
  for (const Situation& situation : table) {
    Random random(3);
    const ContactProblem problem = situation.make(random);
    EXPECT_EQ(problem.size(), situation.contacts) << situation.name;
    EXPECT_EQ(problem.dof(), 6) << situation.name;
    EXPECT_TRUE(validate(problem).has_value()) << situation.name;
    EXPECT_TRUE(names.insert(situation.name).second) << situation.name;
  }
}

// The paper's friction coefficients, and another wrench for every seed: otherwise twenty solves would be one.
TEST(LloydSituations, AreUnderRandomWrenches) {
  for (const Situation& situation : situations()) {
    Random one(1), other(2);
    const ContactProblem problem = situation.make(one);
    EXPECT_NE(problem.f, situation.make(other).f) << situation.name;
    for (const Contact& contact : problem.contacts) {
      EXPECT_GE(contact.mu, 0.2) << situation.name;
      EXPECT_LE(contact.mu, 0.3) << situation.name;
    }
  }
}

// A contact pushes its body: the centre of the body is in front of every normal. And no contact is listed twice.
TEST(LloydSituations, NormalsPointIntoTheBody) {
  for (const Situation& situation : situations()) {
    Random random(3);
    const ContactProblem problem = situation.make(random);
    for (Index i = 0; i < problem.size(); ++i) {
      // Row S of a contact on the world is [s, r × s], r from the centre to the point: s × (r × s) is r but for its
      // part along s, so its part along n is that of r.
      const VectorXd row_N = problem.N.to_dense().row(i), row_S = problem.S.to_dense().row(i);
      const Vector3d normal = row_N.head<3>(), tangent = row_S.head<3>(), turning = row_S.tail<3>();
      EXPECT_LT(normal.dot(tangent.cross(turning)), -0.01) << situation.name << " " << i;
      for (Index k = 0; k < i; ++k) {
        const Contact &a = problem.contacts[static_cast<std::size_t>(i)],
                      &b = problem.contacts[static_cast<std::size_t>(k)];
        EXPECT_GT((a.point - b.point).norm() + (a.frame.col(2) - b.frame.col(2)).norm(), 1e-3) << situation.name;
      }
    }
  }
}

// Faces are flush: the contacts of one normal lie in one plane, or the body could not touch at all of them.
TEST(LloydSituations, ContactsOfOneNormalLieInOnePlane) {
  for (const Situation& situation : situations()) {
    Random random(3);
    const ContactProblem problem = situation.make(random);
    for (const Contact& a : problem.contacts) {
      for (const Contact& b : problem.contacts) {
        if ((a.frame.col(2) - b.frame.col(2)).norm() > 1e-9) continue;
        EXPECT_NEAR(a.frame.col(2).dot(a.point - b.point), 0.0, 1e-12) << situation.name;
      }
    }
  }
}

// Blocks square on one another share four corners, turned ones eight: n follows from the geometry, it is not set.
TEST(LloydStacks, HaveTheContactsOfTheirFaces) {
  const auto table = stacks();
  ASSERT_EQ(table.size(), 10U);
  EXPECT_EQ(table.front().contacts(), 4);
  EXPECT_EQ(table.back().contacts(), 32);
  EXPECT_EQ(table.back().blocks, 5);
  for (const Stack& stack : table) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Random random(seed);
      const ContactProblem problem = make_stack(stack, random);
      EXPECT_EQ(problem.size(), stack.contacts()) << stack.blocks << " blocks, " << stack.turned << " turned";
      EXPECT_EQ(problem.dof(), 6 * stack.blocks);
      EXPECT_TRUE(validate(problem).has_value());
    }
  }
}

// A corner of the common face lies on both blocks: within half a diagonal of 0.2 m squares of the two centres.
TEST(LloydStacks, CornersLieOnBothBlocks) {
  Random random(5);
  const ContactProblem problem = make_stack({3, 2}, random);
  const double reach = 0.1 * std::sqrt(2.0) + 1e-12;
  for (Index i = 0; i < problem.size(); ++i) {
    // [r × n] of a block whose normal is z is (r_y, −r_x, 0): the distance from its axis.
    const VectorXd row = problem.N.to_dense().row(i);
    for (Index body = 0; body < 3; ++body) EXPECT_LE(row.segment<2>(6 * body + 3).norm(), reach) << i;
  }
}

// A full run takes the paper's sizes and its twenty wrenches; a quick one has the sizes that the claims name.
TEST(LloydCases, CoverThePaper) {
  const Cases full = make_cases(false), quick = make_cases(true);
  ASSERT_EQ(full.pegs.size(), 7U);
  for (const std::vector<Case>* group : {&full.pegs, &full.large_pegs, &full.situations, &full.stacks}) {
    for (const Case& one : *group) {
      EXPECT_EQ(one.problems.size(), 20U) << one.name;
      for (const ContactProblem& problem : one.problems) EXPECT_EQ(problem.size(), one.contacts) << one.name;
    }
  }
  EXPECT_EQ(full.pegs.front().contacts, 8);
  EXPECT_EQ(full.pegs.back().contacts, 32);
  EXPECT_EQ(full.large_pegs.back().contacts, 512);
  EXPECT_EQ(quick.pegs.back().contacts, 32);
  EXPECT_EQ(quick.situations.size(), 10U);
  EXPECT_EQ(quick.stacks.size(), 10U);
}

}  // namespace
}  // namespace tribo
