// Frictionless, no-slip and viscous contact as the distance of a point from a polyhedron.
#include "tribo/formulation/normal.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

// Spec A.3: N X Nᵀ of the definition, with X from the inverse of the KKT matrix, against the factored rows.
TEST(NormalFormulation, MatchesTheKktInverse) {
  Random random(9);
  NormalFormulation formulation;
  for (int k = 0; k < 20; ++k) {
    const ContactProblem problem =
        random_bodies({.bodies = 3, .contacts = 7, .redundant = 0.3, .bilateral = 2}, random);
    ASSERT_TRUE(formulation.update(problem, Frictionless{}).has_value());
    const FactoredLcp lcp = as_factored(formulation.problem());
    const Index m = problem.dof(), j = problem.bilateral();
    const MatrixXd M = problem.mass.to_dense(), J = problem.J.to_dense(), N = problem.N.to_dense();
    MatrixXd kkt = MatrixXd::Zero(m + j, m + j);
    kkt.topLeftCorner(m, m) = M;
    kkt.topRightCorner(m, j) = -J.transpose();
    kkt.bottomLeftCorner(j, m) = J;
    const MatrixXd inverse = kkt.inverse();
    const MatrixXd F = N * inverse.topLeftCorner(m, m) * N.transpose();
    EXPECT_LT((lcp.G * lcp.G.transpose() - F).norm(), 1e-9 * (1.0 + F.norm()));
    VectorXd rhs(m + j);
    rhs << M * problem.v + problem.h * problem.f, -problem.b_J;
    const VectorXd e = N * (inverse * rhs).head(m) + problem.b_N;
    EXPECT_LT((lcp.q - e).norm(), 1e-9 * (1.0 + e.norm()));
    EXPECT_EQ(formulation.equality_rank(), j);
  }
}

// The velocity without contact forces solves the equality-constrained problem: E v + b_E = 0 and momentum by E's forces
// alone, for every model, whatever is redundant. Checked through lift(0) by certify's own momentum and equality residuals.
TEST(NormalFormulation, LiftsMomentumAndEqualitiesExactly) {
  NormalFormulation formulation;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const ContactProblem problem = random_bodies(random);
    for (const ContactModel& model :
         {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(Viscous{true})}) {
      ASSERT_TRUE(formulation.update(problem, model).has_value());
      VectorXd z(problem.size());
      for (Index i = 0; i < z.size(); ++i) z(i) = random.uniform();
      const Certificate certificate = certify(problem, model, formulation.lift(z));
      for (const char* name : {"momentum", "bilateral", "friction law"}) {
        const Residual* residual = certificate.find(name);
        if (residual == nullptr) continue;
        EXPECT_LT(residual->relative, 1e-9) << name << " " << to_string(model) << " seed " << seed;
      }
    }
  }
}

// FIND-INDICES keeps as many rows as the rank of [J; S; T], which Eigen finds from the dense whitened rows.
TEST(NormalFormulation, FindsTheRankOfTheEqualityRows) {
  NormalFormulation formulation;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const ContactProblem problem = random_bodies(random);
    ASSERT_TRUE(formulation.update(problem, NoSlip{}).has_value());
    MatrixXd E(problem.bilateral() + 2 * problem.size(), problem.dof());
    E << problem.J.to_dense(), problem.S.to_dense(), problem.T.to_dense();
    const BlockCholesky factor = BlockCholesky::factor(problem.mass).value();
    for (Index i = 0; i < E.rows(); ++i) {
      VectorXd row = E.row(i);
      factor.whiten_force(row);
      E.row(i) = row.normalized();
    }
    Eigen::FullPivLU<MatrixXd> lu(E);
    lu.setThreshold(1e-9);
    EXPECT_EQ(formulation.equality_rank(), lu.rank()) << seed;
  }
}

// Of thousands of contacts a sample is looked at first. It decides only where it fixes everything: a single contact on
// another face must not be overlooked.
TEST(NormalFormulation, FindsTheOneContactThatMatters) {
  NormalFormulation formulation;
  Random random(2);
  ASSERT_TRUE(formulation.update(peg_in_hole(3000, random), NoSlip{}).has_value());
  EXPECT_EQ(formulation.equality_rank(), 6);
  for (const Index odd : {Index{-1}, Index{0}, Index{1234}, Index{2999}}) {
    ContactBuilder builder;
    const Index body = builder.add_body(1.0, box_inertia(1.0, Vector3d(0.2, 0.2, 0.2)), Vector3d(0, 0, 0.1));
    for (Index i = 0; i < 3000; ++i) {
      const Vector3d floor(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.0), wall(-0.1, 0.02, 0.13);
      builder.add_contact(body, ContactBuilder::kWorld, i == odd ? wall : floor,
                          i == odd ? Vector3d::UnitX() : Vector3d::UnitZ());
    }
    const ContactProblem problem = builder.build();
    ASSERT_TRUE(formulation.update(problem, NoSlip{}).has_value());
    EXPECT_EQ(formulation.equality_rank(), odd < 0 ? 3 : 5) << odd;
  }
}

// A released contact puts no tangential row among the equalities.
TEST(NormalFormulation, LeavesReleasedContactsOut) {
  ContactProblem problem = sphere_on_plane();
  NormalFormulation formulation;
  ASSERT_TRUE(formulation.update(problem, NoSlip{}).has_value());
  EXPECT_EQ(formulation.equality_rank(), 2);
  problem.contacts[0].released = true;
  ASSERT_TRUE(formulation.update(problem, NoSlip{}).has_value());
  EXPECT_EQ(formulation.equality_rank(), 0);
}

// Viscous impacts: M (v⁺ − u₀) = −c S v⁺ along a free tangent, closed form for a sphere that slides without spinning up
// (its point of contact is made the centre by a huge inertia).
TEST(NormalFormulation, ImpactDampingIsAnImpulsePerSlipSpeed) {
  ContactBuilder builder;
  const Index body = builder.add_body(2.0, Matrix3d::Identity() * 1e12, Vector3d(0, 0, 0.1));
  builder.set_velocity(body, (VectorXd(6) << 3, 0, -1, 0, 0, 0).finished());
  Contact contact;
  contact.impact_damping = 4.0;  // kg
  contact.mu_v = 1e9;            // must not matter
  builder.add_contact(body, ContactBuilder::kWorld, Vector3d::Zero(), Vector3d::UnitZ(), contact);
  const ContactProblem problem = builder.build();
  NormalFormulation formulation;
  const ContactModel model = Viscous{.implicit = true, .impact = true};
  ASSERT_TRUE(formulation.update(problem, model).has_value());
  const ContactSolution solution = formulation.lift(VectorXd::Constant(1, 2.0));  // stops the fall: 2 kg · 1 m/s
  EXPECT_NEAR(solution.v_next(0), 1.0, 1e-9);                                     // 2 (v − 3) = −4 v
  EXPECT_NEAR(solution.f_s(0), -4.0, 1e-8);
  EXPECT_LT(certify(problem, model, solution).worst, 1e-9);
}

// A friction model cannot act along rows that are not there; no-slip and impacts are not posed at acceleration level.
TEST(NormalFormulation, RefusesWhatItCannotFormulate) {
  ContactProblem problem = sphere_on_plane();
  problem.S = BlockRows(problem.mass.layout());
  problem.T = BlockRows(problem.mass.layout());
  NormalFormulation formulation;
  EXPECT_TRUE(formulation.update(problem, Frictionless{}).has_value());
  EXPECT_FALSE(formulation.update(problem, NoSlip{}).has_value());
  EXPECT_FALSE(formulation.update(problem, Viscous{}).has_value());
  ContactProblem accelerations = sphere_on_plane();
  accelerations.level = Level::kAcceleration;
  EXPECT_TRUE(formulation.update(accelerations, Viscous{}).has_value());
  EXPECT_TRUE(formulation.update(accelerations, Frictionless{}).has_value());
  for (const ContactModel& model : {ContactModel(NoSlip{}), ContactModel(Viscous{.impact = true})}) {
    const auto refused = formulation.update(accelerations, model);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("acceleration level"), std::string::npos);
  }
}

// Bilateral rows that move against rows that hold (a driven joint against a no-slip contact) are a contradiction, and its
// combination of rows is one: Eᵀ y = 0, y·b < 0.
TEST(NormalFormulation, FindsContradictionsBetweenJointsAndTangents) {
  ContactBuilder builder;
  const Index body = builder.add_body(1.0, box_inertia(1.0, Vector3d(0.1, 0.1, 0.1)), Vector3d(0, 0, 0.05));
  for (const double x : {-0.05, 0.05}) {
    for (const double y : {-0.05, 0.05}) {
      builder.add_contact(body, ContactBuilder::kWorld, Vector3d(x, y, 0), Vector3d::UnitZ());
    }
  }
  const Index row = builder.add_direction(body, ContactBuilder::kWorld, Vector3d(0.02, 0.01, 0), Vector3d::UnitX());
  builder.set_bilateral_offset(row, -0.3);
  const ContactProblem problem = builder.build();
  NormalFormulation formulation;
  ASSERT_TRUE(formulation.update(problem, Frictionless{}).has_value());
  EXPECT_TRUE(formulation.consistent());
  ASSERT_TRUE(formulation.update(problem, NoSlip{}).has_value());
  ASSERT_FALSE(formulation.consistent());
  const VectorXd y = formulation.inconsistency().y_e;
  ASSERT_EQ(y.size(), 1 + 2 * problem.size());
  const VectorXd sum = problem.J.multiply_transposed(y.head(1)) +
                       problem.S.multiply_transposed(y.segment(1, problem.size())) +
                       problem.T.multiply_transposed(y.tail(problem.size()));
  EXPECT_LT(sum.norm(), 1e-12 * y.norm());
  EXPECT_LT(y(0) * problem.b_J(0), 0.0);
}

}  // namespace
}  // namespace tribo
