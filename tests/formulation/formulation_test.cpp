// Formulations: exact reformulations and the way back.
#include "tribo/certify/certify.hpp"
#include "tribo/formulation/box.hpp"
#include "tribo/formulation/friction_box.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/formulation/qp.hpp"
#include "tribo/problem/generate.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

// An answer of the box problem, written in the mixed problem's unknowns and lifted again, must be the same answer.
TEST(BoxAsMixed, HasTheBoxsAnswersAndNoOthers) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    BoxLcpSolution truth;
    const BoxLcp box = solvable_box_lcp(random.integer(1, 10), random, &truth);
    const BoxAsMixed formulation(box);
    const MixedLcp& mixed = formulation.problem();
    ASSERT_TRUE(validate(mixed).has_value());
    // The mixed unknowns from the truth: free z, distance from the finite bound, multiplier of the upper bound.
    VectorXd unknowns = VectorXd::Zero(mixed.size());
    Index free = 0, bounded = mixed.free, both = mixed.size();
    for (Index i = 0; i < box.size(); ++i) {
      both -= std::isfinite(box.lo(i)) && std::isfinite(box.hi(i)) && box.lo(i) < box.hi(i) ? 1 : 0;
    }
    for (Index i = 0; i < box.size(); ++i) {
      const bool low = std::isfinite(box.lo(i)), high = std::isfinite(box.hi(i));
      if (box.lo(i) == box.hi(i)) continue;
      if (!low && !high) {
        unknowns(free++) = truth.z(i);
      } else {
        unknowns(bounded++) = low ? truth.z(i) - box.lo(i) : box.hi(i) - truth.z(i);
      }
      if (low && high) unknowns(both++) = std::max(0.0, -truth.w(i));
    }
    MixedLcpSolution solution;
    solution.u = unknowns.head(mixed.free);
    solution.z = unknowns.tail(mixed.complementary());
    solution.w = (mixed.M * unknowns + mixed.q).tail(mixed.complementary());
    EXPECT_LE(certify(mixed, solution).find("natural")->relative, 1e-9) << k;
    EXPECT_LT((formulation.lift(solution).z - truth.z).norm(), 1e-12 * (1.0 + truth.z.norm())) << k;
  }
}

// Without active inequalities the QP's answer is a linear system: the reduction alone must give it.
TEST(QpFormulation, SolvesEqualitiesByItself) {
  Random random(5);
  Qp qp = random_qp(5, 2, 0, random);
  const auto formulation = QpFormulation::make(qp);
  ASSERT_TRUE(formulation.has_value());
  ASSERT_TRUE(formulation->consistent());
  const QpSolution solution = formulation->lift(VectorXd(0));
  EXPECT_LE(certify(qp, solution).worst, 1e-12);
}

TEST(QpFormulation, SeesContradictoryEqualities) {
  Random random(7);
  Qp qp = random_qp(4, 2, 1, random);
  qp.E.row(1) = 2.0 * qp.E.row(0);
  qp.b(1) = 2.0 * qp.b(0) + 1.0;
  const auto formulation = QpFormulation::make(qp);
  ASSERT_TRUE(formulation.has_value());
  EXPECT_FALSE(formulation->consistent());
  EXPECT_EQ(formulation->inconsistency().size(), 3);
}

// A friction model cannot act along rows that are not there, and Coulomb's law is not posed at acceleration level.
TEST(PyramidFormulation, RefusesWhatItCannotFormulate) {
  ContactProblem problem = sphere_on_plane();
  problem.S = BlockRows(problem.mass.layout());
  problem.T = BlockRows(problem.mass.layout());
  PyramidFormulation pyramid;
  EXPECT_FALSE(pyramid.update(problem, CoulombPyramid{}).has_value());
  EXPECT_FALSE(BoxFormulation().update(problem, FrictionBox{}).has_value());
  ContactProblem accelerations = sphere_on_plane();
  accelerations.level = Level::kAcceleration;
  EXPECT_FALSE(BoxFormulation().update(accelerations, FrictionBox{}).has_value());
  const auto refused = pyramid.update(accelerations, CoulombPyramid{});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text().find("acceleration level"), std::string::npos);
}

}  // namespace
}  // namespace tribo
