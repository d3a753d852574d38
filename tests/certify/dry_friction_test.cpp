// The certificate of rows of dry friction: |f_d| ≤ bound, and the full bound against any motion.
#include "tribo/certify/certify.hpp"
#include "tribo/certify/contact_certifier.hpp"
#include "tribo/certify/infeasibility.hpp"

#include <cmath>
#include <vector>

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::expect_refused_by;
using testing::relative;
using testing::rows_of;
using testing::vec;

const std::vector<ContactModel> kModels = {Frictionless{}, NoSlip{},         Viscous{},     Viscous{.implicit = false},
                                           FrictionBox{},  CoulombPyramid{}, CoulombCone{}, Viscous{.impact = true}};

// A slider of 2 kg at 3 m/s on a rail that rubs with at most `bound` N·s per step; its row is 2, not 1.
ContactProblem slider(double bound, double speed = 3.0) {
  ContactProblem problem;
  problem.mass = BlockDiagonal({MatrixXd::Constant(1, 1, 2.0)});
  const BlockLayout& layout = problem.mass.layout();
  problem.v = vec({speed});
  problem.f = vec({0.0});
  problem.N = problem.S = problem.T = problem.J = BlockRows(layout);
  problem.D = rows_of(MatrixXd::Constant(1, 1, 2.0), layout);
  problem.bound = vec({bound});
  return problem;
}

ContactSolution answer(double v_next, double f_d) {
  ContactSolution solution;
  solution.v_next = vec({v_next});
  solution.f_d = vec({f_d});
  return solution;
}

// Sliding: v⁺ = 3 − 2·1/2; stopped: the impulse that it takes, 2 v⁺ = 0 = 6 + 2 f_d. In every model.
TEST(CertifyDryFriction, AcceptsSlidingAndSticking) {
  for (const ContactModel& model : kModels) {
    const Certificate slides = certify(slider(1.0), model, answer(2.0, -1.0));
    EXPECT_EQ(slides.worst, 0.0) << to_string(model);
    EXPECT_NE(slides.find("dry friction"), nullptr);
    EXPECT_EQ(certify(slider(4.0), model, answer(0.0, -3.0)).worst, 0.0) << to_string(model);
    EXPECT_EQ(certify(slider(1.0, -3.0), model, answer(-2.0, 1.0)).worst, 0.0) << to_string(model);
    EXPECT_EQ(certify(slider(0.0), model, answer(3.0, 0.0)).worst, 0.0) << to_string(model);
  }
}

// Momentum is in order in all of these; only the law is broken.
TEST(CertifyDryFriction, RefusesWhatBreaksTheLaw) {
  for (const ContactModel& model : kModels) {
    const auto judge = [&](double bound, double v_next, double f_d) {
      return certify(slider(bound), model, answer(v_next, f_d));
    };
    expect_refused_by(judge(1.0, 0.0, -3.0), {"dry friction"});                      // too large
    expect_refused_by(judge(1.0, 2.0 - 1e-6, -1.0 - 1e-6), {"dry friction"});        // a little too large
    expect_refused_by(judge(1.0, 3.0, 0.0), {"dry friction"});                       // none although it slides
    expect_refused_by(judge(1.0, 2.0 + 1e-6, -1.0 + 1e-6), {"dry friction"});        // a little too small
    expect_refused_by(judge(4.0, 1.0, -2.0), {"dry friction"});                      // slides with less than the bound
    expect_refused_by(judge(1.0, 4.0, 1.0), {"dry friction", "dry friction work"});  // along the motion
    expect_refused_by(judge(4.0, -1.0, -4.0), {"dry friction", "dry friction work"});  // pushes back
    EXPECT_EQ(relative(judge(1.0, 3.0, -1.0), "dry friction"), 0.0);
    expect_refused_by(judge(1.0, 3.0, -1.0), {"momentum"});  // the impulse is not in the motion
  }
}

// An answer that does not know of the row is no answer, whatever else it gets right.
TEST(CertifyDryFriction, RefusesAnAnswerWithoutIt) {
  ContactSolution without = answer(2.0, -1.0);
  without.f_d.resize(0);
  expect_refused_by(certify(slider(1.0), CoulombCone{}, without), {"size"});
  without.f_d = vec({std::nan("")});
  expect_refused_by(certify(slider(1.0), CoulombCone{}, without), {"finite"});
  ContactProblem plain = slider(1.0);
  plain.D.clear();
  plain.bound.resize(0);
  expect_refused_by(certify(plain, CoulombCone{}, answer(2.0, -1.0)), {"size"});
  EXPECT_EQ(certify(plain, CoulombCone{},
                    [] {
                      ContactSolution s = answer(3.0, 0.0);
                      s.f_d.resize(0);
                      return s;
                    }())
                .find("dry friction"),
            nullptr);
}

// A row of zeros moves nothing: any impulse within the bound is as good as another, and none beyond it.
TEST(CertifyDryFriction, RowsOfZerosKnowTheirBoundAlone) {
  ContactProblem problem = slider(1.0);
  problem.D.values(0, 0)[0] = 0.0;
  EXPECT_EQ(certify(problem, CoulombCone{}, answer(3.0, 0.7)).worst, 0.0);
  expect_refused_by(certify(problem, CoulombCone{}, answer(3.0, 1.1)), {"dry friction"});
}

// Islands are judged on their own scales: a fast slider does not excuse a slow one, unless a tendon ties them.
TEST(CertifyDryFriction, JudgesIslandsApart) {
  ContactProblem problem;
  problem.mass = BlockDiagonal({MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1)});
  const BlockLayout& layout = problem.mass.layout();
  problem.v = vec({1e9, 1.0});
  problem.f = vec({0.0, 0.0});
  problem.N = problem.S = problem.T = problem.J = BlockRows(layout);
  problem.D = rows_of(MatrixXd::Identity(2, 2), layout);
  problem.bound = vec({1.0, 0.5});
  ContactSolution wrong;
  wrong.v_next = vec({1e9 - 1.0, 0.6});
  wrong.f_d = vec({-1.0, -0.4});
  expect_refused_by(certify(problem, CoulombCone{}, wrong), {"dry friction"});
  problem.D = rows_of((MatrixXd(2, 2) << 1, 0, 1e-30, 1).finished(), layout);
  EXPECT_LT(certify(problem, CoulombCone{}, wrong).worst, 1e-9);
}

// Friction with bounds cannot hold what the normal rows forbid: the proof needs no word about it.
TEST(CertifyDryFriction, DoesNotChangeProofs) {
  ContactProblem problem = slider(1e9);
  problem.N = rows_of((MatrixXd(2, 1) << 1, -1).finished(), problem.mass.layout());
  problem.b_N = vec({-1.0, -1.0});
  problem.a_N = vec({0.0, 0.0});
  problem.contacts.resize(2);
  ContactSolution proof;
  proof.y_n = vec({1.0, 1.0});
  EXPECT_EQ(certify_infeasible(problem, Frictionless{}, proof).verdict, Verdict::kInfeasible);
}

}  // namespace
}  // namespace tribo
