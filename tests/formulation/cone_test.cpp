// The true cone from contact problems: both forms are the same matrix, and impulses come back as momentum.
#include "tribo/formulation/cone.hpp"

#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace tribo {
namespace {

MatrixXd delassus(const ConeProblem& problem) {
  if (!problem.by_bodies()) return problem.W.to_dense();
  const MatrixXd H = problem.H.to_dense();
  MatrixXd W = H * H.transpose();
  W.diagonal() += problem.R;
  return W;
}

VectorXd random_vector(Index size, Random& random) {
  VectorXd x(size);
  for (Index i = 0; i < size; ++i) x(i) = random.uniform(-1.0, 1.0);
  return x;
}

// A box that touches the ground and another box, with friction of every kind.
ContactProblem turning_boxes(double mu, double mu_spin, double mu_roll) {
  ContactBuilder builder;
  const Index lower = builder.add_body(2.0, box_inertia(2.0, {0.2, 0.3, 0.1}), {0.0, 0.0, 0.05});
  const Index upper = builder.add_body(0.5, box_inertia(0.5, {0.1, 0.1, 0.1}), {0.02, 0.0, 0.15});
  Contact contact;
  contact.mu = mu;
  contact.mu_spin = mu_spin;
  contact.mu_roll = mu_roll;
  contact.compliance = 1e-3;
  contact.tangential_compliance = 2e-3;
  contact.held_s = 0.3;
  contact.held_t = -0.2;
  builder.add_contact(lower, ContactBuilder::kWorld, {0.1, 0.1, 0.0}, {0.0, 0.0, 1.0}, contact);
  builder.add_contact(upper, lower, {0.03, 0.01, 0.1}, {0.1, 0.0, 1.0}, contact);
  contact.mu_spin = contact.mu_roll = 0.0;
  builder.add_contact(upper, lower, {-0.02, 0.03, 0.1}, {0.0, 0.0, 1.0}, contact);
  builder.set_velocity(upper, VectorXd::LinSpaced(6, -1.0, 2.0));
  builder.add_gravity({0.0, 0.0, -9.81});
  return builder.build();
}

ConeProblem formulate(const ContactProblem& problem, ConeForm form) {
  ConeFormulation formulation;
  EXPECT_TRUE(formulation.update(problem, form).has_value());
  EXPECT_TRUE(validate(formulation.problem()).has_value());
  return formulation.problem();
}

// Which form is taken is a matter of cost: the problem must not depend on it.
TEST(ConeFormulation, BothFormsAreTheSameProblem) {
  Random random(1);
  for (int k = 0; k < 60; ++k) {
    const ContactProblem problem = random_bodies(random);
    const ConeProblem contacts = formulate(problem, ConeForm::kContacts),
                      bodies = formulate(problem, ConeForm::kBodies);
    ASSERT_TRUE(bodies.by_bodies() && !contacts.by_bodies());
    const MatrixXd W = delassus(contacts);
    EXPECT_LE((W - delassus(bodies)).norm(), 1e-13 * W.norm()) << k;
    EXPECT_EQ(contacts.q, bodies.q) << k;
    EXPECT_EQ(contacts.mu, bodies.mu) << k;
    EXPECT_EQ(contacts.bilateral, bodies.bilateral) << k;
  }
}

// W is rows M⁻¹ rowsᵀ and q the velocity without contact forces, by their definitions on dense matrices.
TEST(ConeFormulation, HasTheMatrixOfItsDefinition) {
  Random random(2);
  for (int k = 0; k < 30; ++k) {
    RandomBodies settings;
    settings.trees = k % 2 == 1;
    const ContactProblem problem = random_bodies(settings, random);
    const Index n = problem.size();
    MatrixXd rows(3 * n, problem.dof());
    VectorXd offset = VectorXd::Zero(3 * n);
    const MatrixXd N = problem.N.to_dense(), S = problem.S.to_dense(), T = problem.T.to_dense();
    for (Index i = 0; i < n; ++i) {
      rows.row(3 * i) = N.row(i);
      rows.row(3 * i + 1) = S.row(i);
      rows.row(3 * i + 2) = T.row(i);
      offset(3 * i) = problem.b_N(i);
    }
    const Eigen::LLT<MatrixXd> mass(problem.mass.to_dense());
    const MatrixXd W = rows * mass.solve(rows.transpose());
    const VectorXd q = rows * (problem.v + problem.h * mass.solve(problem.f)) + offset;
    const ConeProblem cone = formulate(problem, ConeForm::kAuto);
    EXPECT_LE((delassus(cone) - W).norm(), 1e-11 * W.norm()) << k;
    EXPECT_LE((cone.q - q).norm(), 1e-11 * (q.norm() + rows.norm() * problem.v.norm())) << k;
  }
}

// The momentum after the step is the one before plus all impulses, whatever impulses a solver found.
TEST(ConeFormulation, LiftConservesMomentum) {
  Random random(3);
  for (int k = 0; k < 40; ++k) {
    const ContactProblem problem = k == 0 ? turning_boxes(0.4, 0.01, 0.002) : random_bodies(random);
    ConeFormulation formulation;
    ASSERT_TRUE(formulation.update(problem).has_value());
    ConeSolution solution;
    solution.r = random_vector(formulation.problem().q.size(), random);
    ContactSolution out;
    formulation.lift(solution, out);
    VectorXd impulse = problem.h * problem.f + problem.N.multiply_transposed(out.f_n) +
                       problem.S.multiply_transposed(out.f_s) + problem.T.multiply_transposed(out.f_t) +
                       problem.J.multiply_transposed(out.f_j);
    if (problem.spin.rows() > 0) impulse += problem.spin.multiply_transposed(out.f_spin);
    if (problem.roll_s.rows() > 0) {
      impulse += problem.roll_s.multiply_transposed(out.f_roll_s) + problem.roll_t.multiply_transposed(out.f_roll_t);
    }
    const VectorXd change = problem.mass.multiply(out.v_next - problem.v);
    EXPECT_LE((change - impulse).norm(), 1e-11 * impulse.norm()) << k;
  }
}

// The impulses of an answer, given as a start, are that answer: nothing is lost on the way there and back.
TEST(ConeFormulation, StartsWhereAnAnswerEnded) {
  Random random(4);
  RandomBodies settings;
  settings.bilateral = 3;
  for (const ContactProblem& problem : {turning_boxes(0.4, 0.01, 0.002), random_bodies(settings, random)}) {
    ConeFormulation formulation;
    ASSERT_TRUE(formulation.update(problem).has_value());
    ConeSolution solution;
    solution.r = random_vector(formulation.problem().q.size(), random);
    ContactSolution out, again;
    formulation.lift(solution, out);
    ConeWarmStart warm;
    formulation.warm_start(out, warm);
    solution.r = warm.r;
    formulation.lift(solution, again);
    EXPECT_LE((again.f_n - out.f_n).norm() + (again.f_s - out.f_s).norm(), 1e-15 * out.f_n.norm());
    EXPECT_LE((again.f_j - out.f_j).norm(), 1e-15 * out.f_j.norm());
    EXPECT_LE((again.f_spin - out.f_spin).norm(), 1e-15 * out.f_spin.norm());
    EXPECT_EQ(warm.r.size(), formulation.problem().q.size());
  }
}

// Scaling rows makes an elliptic cone round; r on the round one is an impulse on the elliptic one, and does the same work.
TEST(ConeFormulation, RoundConesAreTheEllipticOnes) {
  Random random(5);
  for (const double mu : {0.0, 0.02, 0.5}) {
    const ContactProblem problem = turning_boxes(mu, 0.03, 0.01);
    ConeFormulation formulation;
    ASSERT_TRUE(formulation.update(problem).has_value());
    const ConeProblem& cone = formulation.problem();
    ASSERT_EQ(cone.dimension, 6);
    ConeSolution solution;
    solution.r = random_vector(cone.q.size(), random);
    for (Index i = 0; i < cone.contacts(); ++i) {
      auto r = solution.r.segment(6 * i, 6);
      if (mu == 0.0 && i < 2) r.segment(1, 2).setZero();  // filled up
      if (i == 2) r.tail(3).setZero();
      r(0) = cone.mu(i) > 0.0 ? r.tail(5).norm() / cone.mu(i) : 1.0;
      if (cone.mu(i) == 0.0) r.tail(5).setZero();
    }
    solution.u = delassus(cone) * solution.r + cone.q;
    ContactSolution out;
    formulation.lift(solution, out);
    for (Index i = 0; i < 3; ++i) {
      const Contact& contact = problem.contacts[i];
      const auto share = [](double f, double coefficient) { return coefficient > 0.0 ? f / coefficient : f; };
      const double used = std::hypot(share(out.f_s(i), contact.mu), share(out.f_t(i), contact.mu),
                                     share(out.f_spin(i), contact.mu_spin)) +
                          0.0;
      const double rolling =
          std::hypot(share(out.f_roll_s(i), contact.mu_roll), share(out.f_roll_t(i), contact.mu_roll));
      const bool friction = cone.mu(i) > 0.0;
      EXPECT_NEAR(std::hypot(used, rolling), friction ? out.f_n(i) : 0.0, 1e-12 * out.f_n(i)) << mu << ", " << i;
      const double work =
          out.f_n(i) * (problem.N.dot(i, out.v_next) + problem.b_N(i) + contact.compliance * out.f_n(i)) +
          out.f_s(i) * (problem.S.dot(i, out.v_next) + contact.tangential_compliance * (out.f_s(i) - contact.held_s)) +
          out.f_t(i) * (problem.T.dot(i, out.v_next) + contact.tangential_compliance * (out.f_t(i) - contact.held_t)) +
          out.f_spin(i) * problem.spin.dot(i, out.v_next) + out.f_roll_s(i) * problem.roll_s.dot(i, out.v_next) +
          out.f_roll_t(i) * problem.roll_t.dot(i, out.v_next);
      const double expected = solution.r.segment(6 * i, 6).dot(solution.u.segment(6 * i, 6));
      EXPECT_NEAR(work, expected, 1e-11 * (1.0 + std::abs(expected))) << mu << ", " << i;
    }
  }
}

// A block is filled up with rows of zeros that do not change its scale.
TEST(ConeFormulation, FillsUpWithTheMeanDiagonal) {
  const ConeProblem cone = formulate(turning_boxes(0.5, 0.01, 0.0), ConeForm::kContacts);
  ASSERT_EQ(cone.dimension, 4);
  const MatrixXd W = cone.W.to_dense();
  for (Index j = 0; j < W.cols(); ++j) {
    if (j != 11) {
      EXPECT_EQ(W(11, j), 0.0) << j;  // the last contact does not resist spinning
    }
  }
  EXPECT_NEAR(W(11, 11), (W(8, 8) + W(9, 9) + W(10, 10)) / 3.0, 1e-12 * W(11, 11));
}

// Friction against turning that no contact has costs nothing; in the plane a contact has two numbers.
TEST(ConeFormulation, TakesTheSmallestBlock) {
  EXPECT_EQ(formulate(turning_boxes(0.5, 0.0, 0.0), ConeForm::kAuto).dimension, 3);
  ContactBuilder builder;
  const Index body = builder.add_planar_body(1.0, 0.1, {0.0, 1.0});
  builder.add_planar_contact(body, ContactBuilder::kWorld, {0.0, 0.0}, {0.0, 1.0});
  const ConeProblem planar = formulate(builder.build(), ConeForm::kBodies);
  EXPECT_EQ(planar.dimension, 2);
  EXPECT_EQ(planar.H.width, 3);
}

// What the model does not cover is refused with a reason, not solved as something else.
TEST(ConeFormulation, RefusesAccelerationsAndMissingTangents) {
  ContactProblem problem = sphere_on_plane();
  ConeFormulation formulation;
  problem.level = Level::kAcceleration;
  Checked checked = formulation.update(problem);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().where, "level");
  problem.level = Level::kVelocity;
  problem.S = problem.T = BlockRows(problem.mass.layout());
  checked = formulation.update(problem);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().where, "S");
}

// Two rows that ask the same of a body and different speeds cannot both hold.
TEST(ConeFormulation, SeesContradictoryJoints) {
  ContactBuilder builder;
  const Index body = builder.add_body(1.0, sphere_inertia(1.0, 0.1), {0.0, 0.0, 0.1});
  builder.add_contact(body, ContactBuilder::kWorld, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  builder.add_direction(body, ContactBuilder::kWorld, {0.0, 0.0, 0.1}, {1.0, 0.0, 0.0});
  const Index row = builder.add_direction(body, ContactBuilder::kWorld, {0.0, 0.0, 0.1}, {1.0, 0.0, 0.0});
  ConeFormulation formulation;
  const ContactProblem agreeing = builder.build();
  ASSERT_TRUE(formulation.update(agreeing).has_value());
  EXPECT_TRUE(formulation.consistent());
  builder.set_bilateral_offset(row, 1.0);
  const ContactProblem contradicting = builder.build();
  ASSERT_TRUE(formulation.update(contradicting).has_value());
  EXPECT_FALSE(formulation.consistent());
  EXPECT_EQ(formulation.inconsistency().y_e.size(), 2);
}

}  // namespace
}  // namespace tribo
