// The problems of data/regression, and rows of zeros in S or T.
#include "tribo/contact/solve.hpp"
#include "tribo/io/problem_file.hpp"
#include "tribo/problem/contact_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "contact/law_point.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::LawPoint;

constexpr double kJudge = 1e-7;  // tolerance of the second opinion; certificates pass at 1e-8

ContactProblem regression(const std::string& name) {
  auto file = read_problem(testing::source_dir() + "/data/regression/" + name + ".json");
  EXPECT_TRUE(file.has_value()) << name;
  return std::get<ContactFile>(file->problem).problem;
}

// The velocity before the step from which v⁺ follows with these impulses.
void balance(const ContactSolution& answer, ContactProblem& problem) {
  VectorXd impulse =
      problem.h * problem.f + problem.N.multiply_transposed(answer.f_n) + problem.S.multiply_transposed(answer.f_s) +
      problem.T.multiply_transposed(answer.f_t) + problem.spin.multiply_transposed(answer.f_spin) +
      problem.roll_s.multiply_transposed(answer.f_roll_s) + problem.roll_t.multiply_transposed(answer.f_roll_t);
  BlockCholesky::factor(problem.mass).value().solve(impulse);
  problem.v = answer.v_next - impulse;
}

TEST(Regression, CoupleBesideTinyFrictionIsSolved) {
  const ContactProblem problem = regression("certificate_couples");
  const ContactAnswer answer = solve(problem, CoulombCone{});
  ASSERT_EQ(answer.status, Status::kSolved) << answer.report.detail;
  EXPECT_EQ(LawPoint(problem, CoulombCone{}, answer.solution, kJudge).violation(), "");
}

// An answer of the same contacts without friction against turning is none of this problem.
TEST(Regression, AnswerWithoutCouplesIsRefused) {
  const ContactProblem problem = regression("certificate_couples");
  ContactProblem plain = problem;
  for (Contact& contact : plain.contacts) contact.mu_spin = contact.mu_roll = 0.0;
  const ContactAnswer answer = solve(plain, CoulombCone{});
  ASSERT_EQ(answer.status, Status::kSolved);
  EXPECT_NE(LawPoint(problem, CoulombCone{}, answer.solution, 1e-4).violation(), "");
  EXPECT_GT(certify(problem, CoulombCone{}, answer.solution).find("friction law")->relative, 1e-4);
}

// One couple of a right answer halved or left out, and the velocities before the step changed so that all else holds.
TEST(Regression, MissingCoupleIsRefused) {
  const ContactProblem problem = regression("certificate_couples");
  const ContactAnswer answer = solve(problem, CoulombCone{});
  int refused = 0;
  for (VectorXd ContactSolution::*couple :
       {&ContactSolution::f_spin, &ContactSolution::f_roll_s, &ContactSolution::f_roll_t}) {
    for (Index i = 0; i < problem.size(); ++i) {
      for (const double share : {0.5, 0.0}) {
        ContactProblem changed = problem;
        ContactSolution wrong = answer.solution;
        (wrong.*couple)(i) *= share;
        balance(wrong, changed);
        const Certificate certificate = certify(changed, CoulombCone{}, wrong);
        EXPECT_LT(certificate.find("momentum")->relative, 1e-12);
        if (LawPoint(changed, CoulombCone{}, wrong, kJudge).violation().empty()) continue;  // no couple, or no turning
        EXPECT_GT(certificate.find("friction law")->relative, 1e-8) << "contact " << i << ", share " << share;
        ++refused;
      }
    }
  }
  EXPECT_GE(refused, 6);
}

struct Rail {
  const char* name;
  bool s_is_zero;
};
constexpr Rail kRails[] = {{"rail_s_zero_slide", true}, {"rail_t_zero_slide", false}};

// Largest component of a corner of the polygon along the row that is not zero.
double reach(const CoulombPyramid& model, bool s_is_zero) {
  if (model.aligned || !s_is_zero) return 1.0;
  double most = 0.0;
  for (int k = 0; k < model.sides; ++k) most = std::max(most, std::sin(2.0 * std::numbers::pi * k / model.sides));
  return most;
}

// Friction acts along the row that is left, whichever it is.
TEST(Regression, PolygonsBrakeOnRails) {
  for (const Rail& rail : kRails) {
    const ContactProblem problem = regression(rail.name);
    for (const int sides : {4, 6, 8, 10, 32, 128}) {
      for (const bool aligned : {false, true}) {
        for (const char* solver : {"auto", "lemke/standard", "lemke/structural", "lemke/reduced"}) {
          const CoulombPyramid model{sides, aligned};
          const std::string what = std::string(rail.name) + ", " + to_string(model) + ", " + solver;
          const ContactAnswer answer = solve(problem, model, {.solver = solver});
          ASSERT_EQ(answer.status, Status::kSolved) << what << ": " << answer.report.detail;
          EXPECT_NEAR(answer.v_next(0), 1.0 - 0.5 * 1.0981 * reach(model, rail.s_is_zero), 1e-14) << what;
          EXPECT_NEAR(answer.v_next(1), 0.0, 1e-14) << what;
          EXPECT_EQ(answer.states[0], ContactState::kSlide) << what;
          if (!aligned) {
            EXPECT_EQ(LawPoint(problem, model, answer.solution, kJudge).violation(), "") << what;
          }
        }
      }
    }
  }
}

TEST(Regression, PolygonsStickOnRails) {
  for (const Rail& rail : kRails) {
    ContactProblem problem = regression(rail.name);
    problem.v = Eigen::Vector2d(0.04, -1.0);
    for (const int sides : {4, 6, 8, 128}) {
      for (const char* solver : {"auto", "lemke/standard", "lemke/structural", "lemke/reduced"}) {
        const std::string what = std::string(rail.name) + ", " + std::to_string(sides) + " sides, " + solver;
        const ContactAnswer answer = solve(problem, CoulombPyramid{sides}, {.solver = solver});
        ASSERT_EQ(answer.status, Status::kSolved) << what;
        EXPECT_LT(answer.v_next.norm(), 1e-14) << what;
        EXPECT_EQ(answer.states[0], ContactState::kStick) << what;
      }
    }
  }
}

// A particle on smooth ground between two walls may slide along them, or stick by a load that nothing asks for: `auto` chooses the
// latter where the load is no more than twice that of the ground.
TEST(Regression, StickingRuleKnowsRowsOfZeros) {
  for (const bool s_is_zero : {true, false}) {
    for (const int sides : {4, 8, 32}) {
      ContactBuilder builder;
      const Index body = builder.add_tree(MatrixXd::Identity(3, 3));
      builder.set_force(body, Vector3d(0.0, 1.0, -98.1));
      Contact contact;
      contact.mu = 2.0;
      const std::vector<ContactBuilder::Part> along = {{body, Vector3d(0.0, 1.0, 0.0)}}, zeros = {};
      for (const double side : {1.0, -1.0}) {
        const std::vector<ContactBuilder::Part> normal = {{body, Vector3d(side, 0.0, 0.0)}};
        builder.add_contact_rows({normal, s_is_zero ? zeros : along, s_is_zero ? along : zeros}, contact);
      }
      contact.mu = 0.0;
      builder.add_contact_rows({{{body, Vector3d(0.0, 0.0, 1.0)}}, zeros, zeros}, contact);
      const ContactProblem problem = builder.build();
      const ContactAnswer free = solve(problem, CoulombPyramid{sides}, {.selection = {.sticking = false}});
      ASSERT_EQ(free.status, Status::kSolved);
      EXPECT_NEAR(free.v_next(1), 0.01, 1e-15);
      const ContactAnswer stuck = solve(problem, CoulombPyramid{sides});
      ASSERT_EQ(stuck.status, Status::kSolved) << sides;
      EXPECT_LT(stuck.v_next.norm(), 1e-12) << sides << (s_is_zero ? " S" : " T");
    }
  }
}

// In the plane S is the only tangent: friction along a row of zeros moves nothing.
TEST(Regression, PlanarRowOfZerosIsFrictionless) {
  ContactBuilder builder;
  const Index body = builder.add_tree(MatrixXd::Identity(2, 2));
  builder.set_velocity(body, Eigen::Vector2d(1.0, -1.0));
  Contact contact;
  contact.mu = 0.5;
  builder.add_contact_rows({{{body, Eigen::Vector2d(0.0, 1.0)}}, {}}, contact);
  const ContactProblem problem = builder.build();
  for (const char* solver : {"auto", "lemke/standard", "lemke/structural", "lemke/reduced"}) {
    const ContactAnswer answer = solve(problem, CoulombPyramid{8}, {.solver = solver});
    ASSERT_EQ(answer.status, Status::kSolved) << solver;
    EXPECT_LT((answer.v_next - Eigen::Vector2d(1.0, 0.0)).norm(), 1e-14) << solver;
  }
}

// Rows of one contact that act on different bodies: s on one of the two, t on both, and the other way round.
TEST(Regression, TangentsOfDifferentBodies) {
  for (const bool s_on_both : {true, false}) {
    for (const Index size : {6, 4}) {
      ContactBuilder builder;
      std::vector<Index> bodies;
      for (int b = 0; b < 2; ++b) {
        bodies.push_back(builder.add_tree(MatrixXd::Identity(size, size) * (1.0 + b)));
        VectorXd v = VectorXd::Constant(size, 0.3 - 0.5 * b);
        v(2) = b == 0 ? -1.0 : 1.0;
        builder.set_velocity(bodies.back(), v);
      }
      const auto part = [&](int b, Index axis, double sign) {
        return ContactBuilder::Part{bodies[static_cast<std::size_t>(b)], sign * VectorXd::Unit(size, axis)};
      };
      Contact contact;
      contact.mu = 0.4;
      const std::vector<ContactBuilder::Part> normal = {part(0, 2, 1.0), part(1, 2, -1.0)};
      const std::vector<ContactBuilder::Part> both = {part(0, 0, 1.0), part(1, 0, -1.0)}, first = {part(0, 1, 1.0)};
      builder.add_contact_rows({normal, s_on_both ? both : first, s_on_both ? first : both}, contact);
      const ContactProblem problem = builder.build();
      for (const char* solver : {"auto", "lemke/standard", "lemke/structural", "lemke/reduced"}) {
        const ContactAnswer answer = solve(problem, CoulombPyramid{8}, {.solver = solver});
        ASSERT_EQ(answer.status, Status::kSolved) << solver << ", " << size << ": " << answer.certificate.worst;
        EXPECT_EQ(LawPoint(problem, CoulombPyramid{8}, answer.solution, kJudge).violation(), "") << solver;
      }
    }
  }
}

}  // namespace
}  // namespace tribo
