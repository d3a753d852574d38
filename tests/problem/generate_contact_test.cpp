#include "tribo/core/assert.hpp"
#include "tribo/problem/generate.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace tribo {
namespace {

struct Named {
  std::string name;
  std::function<ContactProblem(Random&)> make;
};

std::vector<Named> all_generators() {
  return {{"peg 0", [](Random& r) { return peg_in_hole(0, r); }},
          {"peg 1", [](Random& r) { return peg_in_hole(1, r); }},
          {"peg 16", [](Random& r) { return peg_in_hole(16, r); }},
          {"stack 1", [](Random& r) { return box_stack(1, 4, r); }},
          {"stack 5", [](Random& r) { return box_stack(5, 11, r); }},
          {"face 3", [](Random& r) { return block_on_face(3, 0.3, r); }},
          {"face 500", [](Random& r) { return block_on_face(500, 0.0, r); }},
          {"jam", [](Random&) { return jam(false); }},
          {"near jam", [](Random&) { return jam(false, 1e-7); }},
          {"overlapping jam", [](Random&) { return jam(true); }},
          {"grasp 2", [](Random&) { return grasp_row(2); }},
          {"grasp 7", [](Random&) { return grasp_row(7, 12); }},
          {"sphere", [](Random&) { return sphere_on_plane(); }},
          {"rod", [](Random&) { return painleve_rod(); }},
          {"bodies", [](Random& r) { return random_bodies(r); }},
          {"trees", [](Random& r) {
             return random_bodies({3, 15, 0.6, 2, true}, r);
           }}};
}

// Every generator makes a problem that validate() accepts, with tangents and coefficients, so that every model applies.
TEST(GenerateContact, AllAreValidForEveryModel) {
  Random random(1);
  for (const Named& generator : all_generators()) {
    for (int k = 0; k < 5; ++k) {
      const ContactProblem problem = generator.make(random);
      const Checked valid = validate(problem);
      ASSERT_TRUE(valid.has_value()) << generator.name << ": " << valid.error().text();
      EXPECT_EQ(problem.S.rows(), problem.size()) << generator.name;
      EXPECT_EQ(problem.T.rows(), problem.size()) << generator.name;
      EXPECT_FALSE(problem.name.empty());
      for (const Contact& contact : problem.contacts) {
        EXPECT_GT(contact.mu, 0.0) << generator.name;
        EXPECT_GT(contact.mu_v, 0.0) << generator.name;
        EXPECT_GE(contact.friction_bound, 0.0) << generator.name;
        EXPECT_TRUE(contact.has_frame) << generator.name;
      }
      EXPECT_EQ(problem.b_J.norm(), 0.0) << generator.name;
      if (generator.name != "overlapping jam") {
        EXPECT_EQ(problem.b_N.norm(), 0.0) << generator.name;
      }
    }
  }
}

// A seed is a name for a problem.
TEST(GenerateContact, SameSeedSameBits) {
  for (const Named& generator : all_generators()) {
    Random a(9), b(9);
    EXPECT_TRUE(equal(generator.make(a), generator.make(b))) << generator.name;
    EXPECT_EQ(a.bits(), b.bits()) << generator.name;
  }
  Random a(9), c(10);
  EXPECT_FALSE(equal(random_bodies(a), random_bodies(c)));
}

// The peg of the spec: two rings, normals towards the axis, mass and size as stated.
TEST(PegInHole, IsThePegOfTheSpec) {
  Random random(2);
  const ContactProblem problem = peg_in_hole(8, random);
  ASSERT_EQ(problem.size(), 8);
  EXPECT_EQ(problem.h, 0.01);
  EXPECT_EQ(problem.mass.block(0)(0, 0), 1.0);
  EXPECT_NEAR(problem.mass.block(0)(3, 3), 0.003958333333333334, 1e-17);
  EXPECT_NEAR(problem.mass.block(0)(5, 5), 0.00125, 1e-17);
  int low = 0;
  for (const Contact& contact : problem.contacts) {
    const Vector3d outward(contact.point.x(), contact.point.y(), 0.0);
    EXPECT_NEAR(outward.norm(), 0.05, 1e-16);
    EXPECT_LE((contact.frame.col(2) + outward / 0.05).norm(), 1e-14);
    EXPECT_NEAR(std::abs(contact.point.z()), 0.1, 1e-16);
    low += contact.point.z() < 0.0;
    EXPECT_GE(contact.mu, 0.2);
    EXPECT_LE(contact.mu, 0.3);
  }
  EXPECT_EQ(low, 4);
  EXPECT_EQ(problem.v.norm(), 0.0);
  EXPECT_GT(problem.f.norm(), 0.0);
}

// Each block rests on the one below, inside both faces; only the top one is pushed sideways.
TEST(BoxStack, BlocksRestOnOneAnother) {
  Random random(3);
  const ContactProblem problem = box_stack(4, 8, random);
  ASSERT_EQ(problem.mass.blocks(), 4);
  ASSERT_EQ(problem.size(), 32);
  for (Index i = 0; i < problem.size(); ++i) {
    const auto row = problem.N.row(i);
    EXPECT_EQ(row[0].block, i / 8);
    EXPECT_EQ(row[1].block, i / 8 - 1);  // -1: the ground
    const auto& upper = row[0].values;
    EXPECT_EQ(upper[2], 1.0);
    EXPECT_LE(std::abs(upper[3]), 0.1 + 1e-15);  // arms stay on the face
    EXPECT_LE(std::abs(upper[4]), 0.1 + 1e-15);
    if (row[1].block < 0) continue;
    EXPECT_EQ(row[1].values[2], -1.0);
    EXPECT_LE(std::abs(row[1].values[3]), 0.1 + 1e-15);
    EXPECT_LE(std::abs(row[1].values[4]), 0.1 + 1e-15);
  }
  for (Index block = 0; block < 3; ++block) {
    EXPECT_EQ(problem.f(6 * block), 0.0);
    EXPECT_NEAR(problem.f(6 * block + 2), -9.81, 1e-15);
  }
  EXPECT_NE(problem.f(18), 0.0);
}

// Any number of coplanar contacts on one face has normal rank three: redundancy as the normal case.
TEST(BlockOnFace, NormalsHaveRankThree) {
  Random random(4);
  const ContactProblem problem = block_on_face(50, 0.3, random);
  const MatrixXd N = problem.N.to_dense();
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(N.transpose() * N).eigenvalues();
  EXPECT_EQ((values.array() > 1e-12 * values.maxCoeff()).count(), 3);
  EXPECT_NEAR(problem.f(0), 9.81 * std::sin(0.3), 1e-15);
  EXPECT_NEAR(problem.f(2), -9.81 * std::cos(0.3), 1e-15);
  EXPECT_LE(problem.v(2), 0.0);
}

// With overlap on both sides y = (1, 1) proves infeasibility: Nᵀ y = 0 and y·b_N < 0 (fr06). Without, b_N = 0 is feasible.
TEST(Jam, OverlapOnBothSidesIsInfeasible) {
  const ContactProblem problem = jam(true);
  EXPECT_LE(problem.N.multiply_transposed(VectorXd::Ones(2)).norm(), 1e-15);
  EXPECT_LT(problem.b_N.sum(), 0.0);
  EXPECT_EQ(jam(false).b_N.norm(), 0.0);
}

// The normals meet at the stated angle and gravity presses into the wedge, not out of it.
TEST(Jam, NormalsAreNearlyOpposed) {
  const double angle = 1e-5;
  const ContactProblem problem = jam(false, angle);
  const Vector3d n0 = problem.contacts[0].frame.col(2), n1 = problem.contacts[1].frame.col(2);
  EXPECT_NEAR((n0 + n1).norm(), angle, 1e-14);
  EXPECT_LT(problem.f.head<3>().dot(n0 + n1), 0.0);
}

// Grippers slide along x only, press from both sides, and each neighbour pair has its contacts.
TEST(GraspRow, IsTheGraspOfTheSpec) {
  const ContactProblem problem = grasp_row(2, 12);
  ASSERT_EQ(problem.mass.blocks(), 4);
  EXPECT_EQ(problem.size(), 36);
  EXPECT_EQ(problem.bilateral(), 10);
  VectorXd slide = VectorXd::Zero(24);
  slide(0) = 1.0;
  slide(6) = -2.0;
  EXPECT_EQ(problem.J.multiply(slide).norm(), 0.0);
  EXPECT_EQ(problem.f(0), 200.0);
  EXPECT_EQ(problem.f(6), -200.0);
  EXPECT_EQ(problem.f(2), 0.0);
  EXPECT_NEAR(problem.f(14), -9.81, 1e-15);
  // Squeezing (left gripper moves right) closes the first contacts and leaves the others alone.
  const VectorXd closing = problem.N.multiply(VectorXd::Unit(24, 0));
  EXPECT_EQ(closing.head(12), VectorXd::Constant(12, -1.0));
  EXPECT_EQ(closing.tail(24).norm(), 0.0);
  for (const Contact& contact : problem.contacts) {
    EXPECT_LE(std::abs(contact.point.y()), 0.05);
    EXPECT_LE(std::abs(contact.point.z()), 0.05);
  }
}

// Restitution asks for N v⁺ ≥ −e N v through b_N; without it b_N is zero.
TEST(SphereOnPlane, BouncesWhenAsked) {
  SphereSettings settings;
  settings.restitution = 0.6;
  settings.velocity = {0.0, 0.0, -2.0};
  const ContactProblem problem = sphere_on_plane(settings);
  EXPECT_DOUBLE_EQ(problem.b_N(0), -1.2);
  EXPECT_NEAR(problem.mass.block(0)(3, 3), 0.004, 1e-17);
}

// The rod of the spec: along the sliding contact the effective mass is negative, A = −0.85, which is Painlevé's paradox.
TEST(PainleveRod, HasANegativeEffectiveMassAtTheContact) {
  const ContactProblem problem = painleve_rod(2.0, 1.0);
  EXPECT_LT(problem.S.dot(0, problem.v), 0.0);
  // Sliding towards −s: friction is +mu along s.
  const BlockCholesky factor = BlockCholesky::factor(problem.mass).value();
  VectorXd force = VectorXd::Zero(6);
  problem.N.add_scaled(0, 1.0, force);
  problem.S.add_scaled(0, 2.0, force);
  factor.solve(force);
  EXPECT_NEAR(problem.N.dot(0, force), -0.852, 1e-3);
}

// The counts are those asked for, and the share of redundant contacts leaves fewer places than contacts.
TEST(RandomBodies, HasTheCountsAskedFor) {
  Random random(6);
  const ContactProblem problem = random_bodies({5, 60, 0.6, 3, false}, random);
  EXPECT_EQ(problem.mass.blocks(), 5);
  EXPECT_EQ(problem.size(), 60);
  EXPECT_EQ(problem.bilateral(), 3);
  int repeated = 0;
  const MatrixXd N = problem.N.to_dense();
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < i; ++j) {
      if (N.row(i) == N.row(j)) {
        ++repeated;
        break;
      }
    }
  }
  EXPECT_GE(repeated, 9);  // 18 are expected
  const ContactProblem distinct = random_bodies({5, 60, 0.0, 0, false}, random);
  for (Index i = 1; i < 60; ++i) EXPECT_NE(distinct.N.dot(i, distinct.v), distinct.N.dot(0, distinct.v));
}

// Trees are dense blocks; a contact acts on them through a twist, so its rows lie in a space of at most six dimensions.
TEST(RandomBodies, TreesAreDenseBlocks) {
  Random random(7);
  const ContactProblem problem = random_bodies({1, 40, 0.0, 0, true}, random);
  const MatrixXd& block = problem.mass.block(0);
  EXPECT_GE(block.rows(), 3);
  EXPECT_LE(block.rows(), 9);
  EXPECT_EQ((block.array() == 0.0).count(), 0);
  const MatrixXd N = problem.N.to_dense();
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(N.transpose() * N).eigenvalues();
  EXPECT_LE((values.array() > 1e-12 * values.maxCoeff()).count(), 6);
}

// Counts that make no sense are a mistake of the caller.
TEST(GenerateContact, RefusesImpossibleCounts) {
  Random random(8);
  EXPECT_THROW(peg_in_hole(-1, random), ContractError);
  EXPECT_THROW(box_stack(0, 4, random), ContractError);
  EXPECT_THROW(grasp_row(0), ContractError);
  EXPECT_THROW(random_bodies({0, 1, 0.0, 0, false}, random), ContractError);
}

}  // namespace
}  // namespace tribo
