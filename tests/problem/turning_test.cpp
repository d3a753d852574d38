// Rows against turning (spin, roll) and compliance: how they are built, judged, compared and taken apart.
#include "tribo/core/assert.hpp"
#include "tribo/core/random.hpp"
#include "tribo/problem/compliance.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/islands.hpp"
#include "tribo/problem/model.hpp"

#include <cmath>
#include <limits>

#include "problem/problem_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kWorld;

Contact coefficients(double mu_spin, double mu_roll) {
  Contact contact;
  contact.mu = 0.5;
  contact.mu_spin = mu_spin;
  contact.mu_roll = mu_roll;
  return contact;
}

// Two balls on the floor that touch one another; the second contact asks for friction against turning.
ContactBuilder two_balls(const Contact& second) {
  ContactBuilder builder;
  const Index a = builder.add_body(1.0, sphere_inertia(1.0, 0.1), {0, 0, 0.1});
  const Index b = builder.add_body(2.0, sphere_inertia(2.0, 0.1), {0.2, 0, 0.1});
  builder.add_contact(a, kWorld, {0, 0, 0}, Vector3d::UnitZ(), Contact{});
  builder.add_contact(a, b, {0.1, 0, 0.1}, -Vector3d::UnitX(), second);
  return builder;
}

// spin v, roll_s v and roll_t v are the angular velocity of a against b about n, s and t.
TEST(TurningRows, AreRelativeAngularVelocities) {
  ContactBuilder builder = two_balls(coefficients(0.01, 0.002));
  const Vector3d omega_a(1, 2, 3), omega_b(-4, 5, 7);
  builder.set_velocity(0, (VectorXd(6) << 9, 9, 9, omega_a).finished());
  builder.set_velocity(1, (VectorXd(6) << 8, 8, 8, omega_b).finished());
  const ContactProblem problem = builder.build();
  ASSERT_TRUE(validate(problem).has_value()) << validate(problem).error().text();
  ASSERT_EQ(problem.spin.rows(), 2);
  ASSERT_EQ(problem.roll_s.rows(), 2);
  ASSERT_EQ(problem.roll_t.rows(), 2);
  const Vector3d turning[] = {omega_a, omega_a - omega_b};
  for (Index i = 0; i < 2; ++i) {
    const Matrix3d& frame = problem.contacts[static_cast<std::size_t>(i)].frame;
    EXPECT_NEAR(problem.spin.dot(i, problem.v), frame.col(2).dot(turning[i]), 1e-14);
    EXPECT_NEAR(problem.roll_s.dot(i, problem.v), frame.col(0).dot(turning[i]), 1e-14);
    EXPECT_NEAR(problem.roll_t.dot(i, problem.v), frame.col(1).dot(turning[i]), 1e-14);
  }
}

// Rows that no contact asks for would cost every solver and mean nothing.
TEST(TurningRows, AreMadeOnlyWhereAsked) {
  EXPECT_EQ(two_balls(Contact{}).build().spin.rows(), 0);
  EXPECT_EQ(two_balls(Contact{}).build().roll_s.rows(), 0);
  EXPECT_EQ(two_balls(coefficients(0.01, 0)).build().spin.rows(), 2);
  EXPECT_EQ(two_balls(coefficients(0.01, 0)).build().roll_s.rows(), 0);
  EXPECT_EQ(two_balls(coefficients(0, 0.01)).build().spin.rows(), 0);
  EXPECT_EQ(two_balls(coefficients(0, 0.01)).build().roll_t.rows(), 2);
}

// In the plane there is neither a normal nor a tangent to turn about.
TEST(TurningRows, AreRefusedInThePlane) {
  ContactBuilder builder;
  const Index body = builder.add_planar_body(1.0, 0.1, {0, 0.1});
  EXPECT_THROW(builder.add_planar_contact(body, kWorld, {0, 0}, {0, 1}, coefficients(0.01, 0)), ContractError);
  EXPECT_THROW(builder.add_planar_contact(body, kWorld, {0, 0}, {0, 1}, coefficients(0, 0.01)), ContractError);
  builder.add_planar_contact(body, kWorld, {0, 0}, {0, 1}, coefficients(0, 0));
  EXPECT_TRUE(validate(builder.build()).has_value());
}

// Raw rows: four bring spin, six bring rolling; a coefficient without its rows is a broken promise.
TEST(TurningRows, ComeWithRawContacts) {
  ContactBuilder builder;
  const Index tree = builder.add_tree(MatrixXd::Identity(6, 6));
  const auto row = [&](Index k) { return std::vector<ContactBuilder::Part>{{tree, VectorXd::Unit(6, k)}}; };
  EXPECT_THROW(builder.add_contact_rows({row(0), row(1), row(2)}, coefficients(0.1, 0)), ContractError);
  EXPECT_THROW(builder.add_contact_rows({row(0), row(1), row(2), row(3)}, coefficients(0.1, 0.1)), ContractError);
  EXPECT_THROW(builder.add_contact_rows({row(0), row(1), row(2), row(3), row(4)}, {}), ContractError);
  builder.add_contact_rows({row(0), row(1), row(2), row(3), row(4), row(5)}, coefficients(0.1, 0.1));
  builder.add_contact_rows({row(0), row(1), row(2)}, coefficients(0, 0));
  const ContactProblem problem = builder.build();
  ASSERT_TRUE(validate(problem).has_value()) << validate(problem).error().text();
  EXPECT_EQ(problem.spin.to_dense(), (MatrixXd(2, 6) << 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0).finished());
  EXPECT_EQ(problem.roll_s.to_dense().row(0), VectorXd::Unit(6, 4).transpose());
  EXPECT_EQ(problem.roll_t.to_dense().row(0), VectorXd::Unit(6, 5).transpose());
}

// Ranges and shapes; the error names the place.
TEST(TurningRows, AreValidated) {
  const ContactProblem good = two_balls(coefficients(0.01, 0.002)).build();
  const auto where = [](const ContactProblem& problem) {
    const Checked checked = validate(problem);
    return checked ? std::string("valid") : checked.error().where + ": " + checked.error().what;
  };
  EXPECT_EQ(where(good), "valid");
  for (double Contact::*member :
       {&Contact::mu_spin, &Contact::mu_roll, &Contact::compliance, &Contact::tangential_compliance}) {
    for (const double value : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
      ContactProblem bad = good;
      bad.contacts[1].*member = value;
      EXPECT_EQ(where(bad).substr(0, 9), "contact 1") << where(bad);
    }
  }
  for (double Contact::*member : {&Contact::held_s, &Contact::held_t}) {
    ContactProblem bad = good;
    bad.contacts[1].*member = std::nan("");
    EXPECT_EQ(where(bad).substr(0, 9), "contact 1") << where(bad);
  }
  ContactProblem bad = good;
  bad.spin = BlockRows(good.mass.layout());
  EXPECT_EQ(where(bad), "contact 1: mu_spin is positive but there are no rows spin");
  bad = good;
  bad.roll_t = BlockRows();
  EXPECT_EQ(where(bad), "roll_s, roll_t: one has rows and the other has none");
  bad.roll_s = BlockRows();
  EXPECT_EQ(where(bad), "contact 1: mu_roll is positive but there are no rows roll_s and roll_t");
  bad = good;
  bad.spin.add_row(good.spin.row(0)[0]);
  EXPECT_EQ(where(bad), "spin: has 3 rows for 2 contacts");
  bad = good;
  bad.T = BlockRows(good.mass.layout());
  EXPECT_EQ(where(bad), "spin: has rows although T has none: in the plane nothing spins");
  bad = good;
  const std::vector<double> wrong(6, std::nan(""));
  bad.spin = BlockRows(good.mass.layout());
  for (int k = 0; k < 2; ++k) bad.spin.add_row({0, wrong});
  EXPECT_EQ(where(bad).substr(0, 4), "spin");
}

// Problems differ where only their rows against turning do; no rows are no rows, with or without a layout.
TEST(TurningRows, AreCompared) {
  const ContactProblem problem = two_balls(coefficients(0.01, 0.002)).build();
  EXPECT_TRUE(equal(problem, problem));
  for (BlockRows ContactProblem::*member : {&ContactProblem::spin, &ContactProblem::roll_s, &ContactProblem::roll_t}) {
    ContactProblem other = problem;
    other.*member = problem.N;
    EXPECT_FALSE(equal(problem, other));
  }
  ContactProblem plain = two_balls(Contact{}).build(), bare = plain;
  bare.spin = bare.roll_s = bare.roll_t = BlockRows();
  EXPECT_TRUE(equal(plain, bare));
}

// A row against turning ties bodies together as any other row of its contact does.
TEST(TurningRows, JoinIslands) {
  ContactBuilder builder;
  const Index a = builder.add_tree(MatrixXd::Identity(2, 2)), b = builder.add_tree(MatrixXd::Identity(2, 2));
  const VectorXd first = VectorXd::Unit(2, 0), second = VectorXd::Unit(2, 1), none = VectorXd::Zero(2);
  builder.add_contact_rows({{{a, first}}, {{a, none}}, {{a, none}}, {{a, second}, {b, second}}}, coefficients(0.1, 0));
  EXPECT_EQ(find_islands(builder.build()).islands, 1);
  ContactProblem cut = builder.build();
  cut.spin = BlockRows();
  EXPECT_EQ(find_islands(cut).islands, 2);
}

// Islands carry their rows and couples with them: put together again everything is where it was.
TEST(TurningRows, SurviveSplittingAndMerging) {
  ContactBuilder builder;
  for (Index k = 0; k < 4; ++k) {
    const double x = static_cast<double>(k);
    const Index body = builder.add_body(1.0 + x, sphere_inertia(1.0 + x, 0.1), {x, 0, 0.1});
    builder.add_contact(body, kWorld, {x, 0, 0}, Vector3d(0.1 * x, 0, 1), coefficients(0.01, k == 2 ? 0.002 : 0.0));
  }
  const ContactProblem whole = builder.build();
  const std::vector<Island> islands = split_islands(whole);
  ASSERT_EQ(islands.size(), 4u);
  ContactSolution answer;
  answer.v_next = VectorXd::LinSpaced(24, 0, 1);
  answer.f_n = VectorXd::LinSpaced(4, 1, 2);
  answer.f_s = answer.f_t = VectorXd::LinSpaced(4, 2, 3);
  answer.f_spin = VectorXd::LinSpaced(4, 3, 4);
  answer.f_roll_s = VectorXd::LinSpaced(4, 4, 5);
  answer.f_roll_t = VectorXd::LinSpaced(4, 5, 6);
  std::vector<ContactSolution> parts;
  for (std::size_t k = 0; k < islands.size(); ++k) {
    const ContactProblem& part = islands[k].problem;
    ASSERT_TRUE(validate(part).has_value()) << validate(part).error().text();
    ASSERT_EQ(part.spin.rows(), 1);
    ASSERT_EQ(part.roll_t.rows(), 1);
    const Index i = static_cast<Index>(k);
    EXPECT_EQ(part.spin.to_dense(), whole.spin.to_dense().block(i, 6 * i, 1, 6));
    EXPECT_EQ(part.roll_s.to_dense(), whole.roll_s.to_dense().block(i, 6 * i, 1, 6));
    parts.push_back(cut_island(whole, islands[k], answer));
    EXPECT_EQ(parts.back().f_spin(0), answer.f_spin(i));
  }
  const ContactSolution merged = merge_islands(whole, CoulombCone{}, islands, parts);
  EXPECT_EQ(merged.f_spin, answer.f_spin);
  EXPECT_EQ(merged.f_roll_s, answer.f_roll_s);
  EXPECT_EQ(merged.f_roll_t, answer.f_roll_t);
  for (ContactSolution& part : parts) part.f_spin.resize(0);
  EXPECT_EQ(merge_islands(whole, CoulombCone{}, islands, parts).f_spin.size(), 0);
}

// The law of an eased contact, solved by hand for one particle, is the implicit spring-damper it came from.
TEST(Compliance, IsTheImplicitSpringDamper) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    const double mass = random.uniform(0.1, 10.0), h = std::pow(10.0, random.uniform(-4.0, -1.0));
    Contact contact;
    contact.stiffness = std::pow(10.0, random.uniform(1.0, 9.0));
    contact.damping = k % 3 == 0 ? 0.0 : std::pow(10.0, random.uniform(0.0, 5.0));
    contact.gap = random.uniform(-1e-3, 1e-3);
    ContactBuilder builder;
    const Index body = builder.add_tree(MatrixXd::Constant(1, 1, mass));
    builder.add_contact_rows({{{body, VectorXd::Ones(1)}}}, contact);
    builder.set_step(h);
    ContactProblem problem = builder.build();
    soften_contacts(problem);
    EXPECT_EQ(problem.contacts[0].tangential_compliance, 0.0);
    const double v = random.uniform(-1.0, 1.0), compliance = problem.contacts[0].compliance;
    // 0 ≤ f ⟂ v + f/m + b_N + compliance f ≥ 0
    const double f = std::max(0.0, -(v + problem.b_N(0)) / (1.0 / mass + compliance));
    const double w = v + f / mass;
    const double spring = h * std::max(0.0, -contact.stiffness * (contact.gap + h * w) - contact.damping * w);
    const double terms = h * (contact.stiffness * (std::abs(contact.gap) + h) + contact.damping);
    EXPECT_NEAR(f, spring, 1e-13 * terms) << k;
  }
}

// Rigid contacts keep offset and compliance; soft tangents have the stiffness that the ratio gives them.
TEST(Compliance, LeavesRigidContactsAsTheyAre) {
  ContactProblem problem = two_balls(Contact{}).build();
  problem.contacts[0].compliance = 7.0;
  problem.b_N(0) = 0.3;
  problem.contacts[1].stiffness = 1e4;
  problem.contacts[1].gap = -1e-3;
  soften_contacts(problem, 0.5);
  EXPECT_EQ(problem.contacts[0].compliance, 7.0);
  EXPECT_EQ(problem.b_N(0), 0.3);
  EXPECT_DOUBLE_EQ(problem.contacts[1].compliance, 1.0 / (problem.h * problem.h * 1e4));
  EXPECT_DOUBLE_EQ(problem.contacts[1].tangential_compliance, 2.0 / (problem.h * problem.h * 1e4));
  EXPECT_DOUBLE_EQ(problem.b_N(1), -1e-3 / problem.h);
  EXPECT_TRUE(validate(problem).has_value());
}

// What makes no sense is a broken promise.
TEST(Compliance, RefusesNonsense) {
  ContactProblem problem = two_balls(Contact{}).build();
  EXPECT_THROW(soften_contacts(problem, 0.0), ContractError);
  EXPECT_THROW(soften_contacts(problem, -1.0), ContractError);
  ContactProblem loose = problem;
  loose.contacts[0].stiffness = 0.0;
  EXPECT_THROW(soften_contacts(loose), ContractError);
  ContactProblem level = problem;
  level.level = Level::kAcceleration;
  EXPECT_THROW(soften_contacts(level), ContractError);
}

}  // namespace
}  // namespace tribo
