// What reviews and hostile inputs have shown, so that it does not come back.
#include "tribo/contact/solve.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/registry.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

VectorXd unit(Index size, Index k, double value = 1.0) {
  VectorXd x = VectorXd::Zero(size);
  x(k) = value;
  return x;
}

// A contact that is far away has a large b_N > 0. It asks for no speed, and as a scale it would excuse a body that falls
// through the floor.
TEST(Review, AGapElsewhereExcusesNothing) {
  for (const double offset : {1e3, 1e9, 1e15}) {
    ContactBuilder builder;
    const Index sphere = builder.add_body(1.0, sphere_inertia(1.0, 0.1), Vector3d(0, 0, 0.1));
    builder.set_velocity(sphere, (VectorXd(6) << 0, 0, -1, 0, 0, 0).finished());
    builder.add_contact(sphere, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d::UnitZ());
    const Index far = builder.add_contact(sphere, ContactBuilder::kWorld, Vector3d(0, 0, 0.2), -Vector3d::UnitZ());
    builder.set_normal_offset(far, offset);
    const ContactProblem problem = builder.build();
    const ContactAnswer answer = solve(problem, Frictionless{});
    EXPECT_EQ(answer.status, Status::kSolved);
    EXPECT_NEAR(answer.v_next(2), 0.0, 1e-9) << offset;
    ContactSolution falling;  // and the certificate says so of an answer that falls
    falling.v_next = problem.v;
    falling.f_n = falling.f_s = falling.f_t = VectorXd::Zero(2);
    falling.f_j = VectorXd(0);
    EXPECT_GT(certify(problem, Frictionless{}, falling).worst, 1e-3) << offset;
  }
}

// Three sliders, each on the ground and on its neighbours: h B has the eigenvalues 2 c, 3 c, 5 c for friction c between and 2 c
// to the ground, the largest for (1, −2, 1), which no smooth first guess contains. Stable up to 2, exactly.
TEST(Review, ExplicitViscousFrictionIsRefusedForTheWorstMode) {
  const auto sliders = [](double c) {
    ContactBuilder builder;
    for (int i = 0; i < 3; ++i) builder.add_tree(MatrixXd::Identity(2, 2));
    builder.set_step(1.0);
    const auto add = [&](Index a, Index b, double mu_v) {
      Contact contact;
      contact.mu_v = mu_v;
      std::vector<std::vector<ContactBuilder::Part>> rows(2);
      for (Index k = 0; k < 2; ++k) {
        const Index entry = k == 0 ? 1 : 0;  // normal along y, tangent along x
        rows[static_cast<std::size_t>(k)].push_back({a, unit(2, entry)});
        if (b >= 0) rows[static_cast<std::size_t>(k)].push_back({b, unit(2, entry, -1.0)});
      }
      builder.add_contact_rows(rows, contact);
    };
    for (Index i = 0; i < 3; ++i) add(i, -1, 2.0 * c);
    add(0, 1, c);
    add(1, 2, c);
    return builder.build();
  };
  NormalFormulation formulation;
  EXPECT_TRUE(formulation.update(sliders(0.3999), Viscous{false}).has_value());
  const auto refused = formulation.update(sliders(0.4001), Viscous{false});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text().find("2"), std::string::npos);
}

// Rows of a pair are read 64 at a time. A row that brings little must not take the place of one behind it that brings much.
TEST(Review, IndependentRowsAreFoundBehindManyOthers) {
  ContactBuilder builder;
  const Index tree = builder.add_tree(MatrixXd::Identity(6, 6));
  for (Index i = 0; i < 80; ++i) {
    VectorXd tangent = unit(6, 0);
    if (i == 35) tangent(1) = 1.1e-5;
    if (i == 75) tangent += unit(6, 1, 9e-3) + unit(6, 2, 5e-3);
    builder.add_contact_rows({{{tree, unit(6, 5)}}, {{tree, tangent}}});
  }
  builder.set_velocity(tree, VectorXd::LinSpaced(6, 1.0, 2.0));
  const ContactProblem problem = builder.build();
  NormalFormulation formulation;
  ASSERT_TRUE(formulation.update(problem, NoSlip{}).has_value());
  EXPECT_EQ(formulation.equality_rank(), 3);
  const ContactAnswer answer = solve(problem, NoSlip{});
  EXPECT_EQ(answer.status, Status::kSolved);
  EXPECT_LT(answer.certificate.worst, 1e-9);
}

// A copy of an active row that asks for a little more takes its place; it is not taken for rounding.
TEST(Review, AnActiveRowGivesWayToAStricterCopy) {
  ContactBuilder builder;
  const Index body = builder.add_body(1.0, sphere_inertia(1.0, 0.1), Vector3d(0, 0, 0.1));
  builder.set_velocity(body, (VectorXd(6) << 0, 0, -1, 0, 0, 0).finished());
  for (int i = 0; i < 2; ++i) builder.add_contact(body, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d::UnitZ());
  builder.set_normal_offset(1, -7e-9);
  const ContactProblem problem = builder.build();
  NormalFormulation formulation;
  ASSERT_TRUE(formulation.update(problem, Frictionless{}).has_value());
  WarmStart warm;
  warm.states = {IndexState::kActive, IndexState::kLower};
  LcpSolution normals;
  EXPECT_EQ(DualActiveSetSolver().solve(formulation.problem(), warm, normals).status, Status::kSolved);
  EXPECT_LT(certify(problem, Frictionless{}, formulation.lift(normals.z)).worst, 1e-12);
}

// The row that a refusal is about is named as the caller counts rows, whatever order the solver keeps them in.
TEST(Review, TheRowOfAContradictionIsTheCallers) {
  ContactProblem problem = jam(true);
  NormalFormulation formulation;
  ASSERT_TRUE(formulation.update(problem, Frictionless{}).has_value());
  LcpSolution normals;
  const SolveReport report = DualActiveSetSolver().solve(formulation.problem(), {}, normals);
  EXPECT_EQ(report.status, Status::kInfeasible);
  EXPECT_GE(report.index, 0);
  EXPECT_LT(report.index, problem.size());
}

// Numbers so small that they have lost bits: any status will do, a crash will not.
TEST(Review, SubnormalNumbersEndInAStatus) {
  ContactProblem problem = grasp_row(2, 4);
  problem.h = 1e-320;
  for (const ContactModel& model :
       {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(CoulombPyramid{4})}) {
    EXPECT_NE(solve(problem, model, {.solver = "lemke/standard"}).report.detail, nullptr);
  }
}

// A scale that overflows proves nothing.
TEST(Review, NothingIsCertifiedOnAnInfiniteScale) {
  ContactProblem problem = jam(true);
  problem.b_N *= 1e300;
  EXPECT_NE(solve(problem, Frictionless{}).status, Status::kSolved);
}

// Bodies without contacts cost their number, not its square.
TEST(Review, ManyFreeBodiesAreCheap) {
  ContactBuilder builder;
  for (int i = 0; i < 3000; ++i) {
    builder.add_body(1.0, sphere_inertia(1.0, 0.1), Vector3d(i, 0, 0));
  }
  builder.add_gravity(Vector3d(0, 0, -9.81));
  const ContactAnswer answer = solve(builder.build(), NoSlip{});
  EXPECT_EQ(answer.status, Status::kSolved);
  EXPECT_NEAR(answer.v_next(2), -0.0981, 1e-12);
}

}  // namespace
}  // namespace tribo
