#include "tribo/problem/contact_problem.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "problem/problem_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::expect_refused;
using testing::kInf;
using testing::kNan;

// Two bodies on one another and on the ground, a joint, two contacts.
ContactProblem sample_contact() {
  ContactBuilder builder;
  builder.set_name("sample");
  const Index a = builder.add_body(1.0, sphere_inertia(1.0, 0.1), {0.0, 0.0, 0.1});
  const Index b = builder.add_body(2.0, sphere_inertia(2.0, 0.1), {0.0, 0.0, 0.3});
  Contact contact;
  contact.mu = 0.5;
  builder.add_contact(a, ContactBuilder::kWorld, {0.0, 0.0, 0.0}, Vector3d::UnitZ(), contact);
  builder.add_contact(b, a, {0.0, 0.0, 0.2}, Vector3d::UnitZ(), contact);
  builder.add_direction(a, b, {0.1, 0.0, 0.2}, Vector3d::UnitX());
  builder.add_gravity({0.0, 0.0, -9.81});
  VectorXd velocity = VectorXd::Zero(6);
  velocity(2) = -2.0;
  builder.set_velocity(a, velocity);
  return builder.build();
}

// The rows again with one number replaced.
BlockRows with_entry(const BlockRows& rows, Index i, Index j, double value) {
  MatrixXd dense = rows.to_dense();
  dense(i, j) = value;
  return BlockRows::from_dense(dense, rows.layout()).value();
}

// Every solver divides by masses: they must be positive definite, block by block.
TEST(ValidateContactProblem, RefusesMassMatricesThatAreNone) {
  const auto with_block = [](const std::function<void(MatrixXd&)>& change) {
    return [change](ContactProblem& p) {
      MatrixXd block = p.mass.block(1);
      change(block);
      p.mass = BlockDiagonal({p.mass.block(0), block});
    };
  };
  expect_refused(sample_contact(),
                 {{with_block([](MatrixXd& M) { M(2, 2) = -2.0; }), "M(8, 8)", "not positive (-2)"},
                  {with_block([](MatrixXd& M) { M(2, 2) = 0.0; }), "M(8, 8)", "not positive (0)"},
                  {with_block([](MatrixXd& M) { M(4, 3) = kNan; }), "M(10, 9)", "not finite (nan)"},
                  {with_block([](MatrixXd& M) { M(1, 0) = 0.1; }), "M(7, 6)", "not symmetric (0.1, mirrored entry 0)"},
                  {with_block([](MatrixXd& M) { M.topLeftCorner(3, 3).setConstant(2.0); }), "M, block 1",
                   "not positive definite"}});
}

// A step of no length, or of negative or unknown length, has no meaning.
TEST(ValidateContactProblem, RefusesStepsThatAreNotPositive) {
  expect_refused(sample_contact(), {{[](ContactProblem& p) { p.h = 0.0; }, "h", "(0)"},
                                    {[](ContactProblem& p) { p.h = -0.01; }, "h", "(-0.01)"},
                                    {[](ContactProblem& p) { p.h = kInf; }, "h", "(inf)"},
                                    {[](ContactProblem& p) { p.h = kNan; }, "h", "(nan)"}});
}

// Every vector has the length that masses and rows give it.
TEST(ValidateContactProblem, RefusesWrongSizes) {
  expect_refused(sample_contact(),
                 {{[](ContactProblem& p) { p.v.resize(11); }, "v", "has 11 entries instead of 12"},
                  {[](ContactProblem& p) { p.f.resize(6); }, "f", "has 6 entries instead of 12"},
                  {[](ContactProblem& p) { p.b_J.resize(0); }, "b_J", "has 0 entries instead of 1"},
                  {[](ContactProblem& p) { p.a_J.resize(2); }, "a_J", "has 2 entries instead of 1"},
                  {[](ContactProblem& p) { p.b_N.resize(1); }, "b_N", "has 1 entries instead of 2"},
                  {[](ContactProblem& p) { p.a_N.resize(3); }, "a_N", "has 3 entries instead of 2"},
                  {[](ContactProblem& p) { p.contacts.resize(1); }, "contacts", "has 1 entries instead of 2"}});
}

// NaN and infinity are refused wherever they hide, with the entry.
TEST(ValidateContactProblem, RefusesNumbersThatAreNotFinite) {
  expect_refused(sample_contact(),
                 {{[](ContactProblem& p) { p.v(3) = kNan; }, "v(3)", "not finite (nan)"},
                  {[](ContactProblem& p) { p.f(11) = kInf; }, "f(11)", "not finite (inf)"},
                  {[](ContactProblem& p) { p.b_J(0) = kNan; }, "b_J(0)", "not finite"},
                  {[](ContactProblem& p) { p.a_J(0) = kInf; }, "a_J(0)", "not finite"},
                  {[](ContactProblem& p) { p.b_N(1) = -kInf; }, "b_N(1)", "not finite"},
                  {[](ContactProblem& p) { p.a_N(0) = kNan; }, "a_N(0)", "not finite"},
                  {[](ContactProblem& p) { p.J = with_entry(p.J, 0, 7, kNan); }, "J(0, 7)", "not finite (nan)"},
                  {[](ContactProblem& p) { p.N = with_entry(p.N, 1, 2, kInf); }, "N(1, 2)", "not finite (inf)"},
                  {[](ContactProblem& p) { p.S = with_entry(p.S, 0, 5, kNan); }, "S(0, 5)", "not finite"},
                  {[](ContactProblem& p) { p.T = with_entry(p.T, 1, 11, kNan); }, "T(1, 11)", "not finite"}});
}

// Rows must speak of the same blocks as the masses, and tangents of the same contacts as the normals.
TEST(ValidateContactProblem, RefusesRowsThatDoNotBelong) {
  const auto other = [](Index rows) {
    BlockRows result(BlockLayout({12}));
    const std::vector<double> values(12, 1.0);
    for (Index i = 0; i < rows; ++i) result.add_row({0, values});
    return result;
  };
  const auto fewer = [](const BlockRows& rows) {
    return BlockRows::from_dense(rows.to_dense().topRows(1), rows.layout()).value();
  };
  const std::string layout = "blocks differ from those of the mass matrix";
  expect_refused(sample_contact(),
                 {{[&](ContactProblem& p) { p.J = other(1); }, "J", layout},
                  {[&](ContactProblem& p) { p.N = other(2); }, "N", layout},
                  {[&](ContactProblem& p) { p.S = other(2); }, "S", layout},
                  {[&](ContactProblem& p) { p.T = BlockRows(); }, "T", layout},
                  {[&](ContactProblem& p) { p.S = fewer(p.S); }, "S", "has 1 rows for 2 contacts"},
                  {[&](ContactProblem& p) { p.T = fewer(p.T); }, "T", "has 1 rows for 2 contacts"},
                  {[&](ContactProblem& p) { p.S = BlockRows(p.mass.layout()); }, "T", "has rows although S has none"}});
}

// Coefficients outside of their range have no physics behind them.
TEST(ValidateContactProblem, RefusesCoefficientsOutOfRange) {
  const auto with = [](double Contact::*field, double value) {
    return [field, value](ContactProblem& p) { p.contacts[1].*field = value; };
  };
  const std::string where = "contact 1";
  expect_refused(
      sample_contact(),
      {{with(&Contact::mu, -0.3), where, "mu is negative (-0.3)"},
       {with(&Contact::mu, kNan), where, "mu is not finite (nan)"},
       {with(&Contact::mu, kInf), where, "mu is not finite (inf)"},
       {with(&Contact::mu_v, -1.0), where, "mu_v is negative (-1)"},
       {with(&Contact::mu_v, kNan), where, "mu_v is not finite"},
       {with(&Contact::gap, kNan), where, "gap is not finite"},
       {with(&Contact::restitution, -0.1), where, "restitution is outside of [0, 1] (-0.1)"},
       {with(&Contact::restitution, 1.5), where, "restitution is outside of [0, 1] (1.5)"},
       {with(&Contact::restitution, kNan), where, "restitution is outside of [0, 1] (nan)"},
       {with(&Contact::stiffness, 0.0), where, "stiffness is not positive (0)"},
       {with(&Contact::stiffness, -kInf), where, "stiffness is not positive (-inf)"},
       {with(&Contact::stiffness, kNan), where, "stiffness is not positive (nan)"},
       {with(&Contact::damping, -2.0), where, "damping is negative (-2)"},
       {with(&Contact::damping, kInf), where, "damping is not finite"},
       {with(&Contact::friction_bound, -2.0), where, "friction_bound is negative (-2)"},
       {with(&Contact::friction_bound, kNan), where, "friction_bound is not finite"},
       {[](ContactProblem& p) { p.contacts[1].point.x() = kNan; }, where, "point or frame is not finite"},
       {[](ContactProblem& p) { p.contacts[1].frame(0, 2) = kInf; }, where, "point or frame is not finite"}});
}

// The whole message, as a user sees it.
TEST(ValidateContactProblem, SaysWhatWhereAndRemedy) {
  ContactProblem problem = sample_contact();
  problem.contacts[1].mu = -0.3;
  EXPECT_EQ(validate(problem).error().text(), "contact 1: mu is negative (-0.3); give a friction coefficient >= 0");
}

// Frictionless problems need no tangents, planar ones no second tangent, an empty world nothing at all.
TEST(ValidateContactProblem, AcceptsMissingTangentsAndEmptyWorlds) {
  ContactProblem problem = sample_contact();
  problem.T = BlockRows(problem.mass.layout());
  EXPECT_TRUE(validate(problem).has_value());
  problem.S = BlockRows(problem.mass.layout());
  EXPECT_TRUE(validate(problem).has_value());
  EXPECT_TRUE(validate(ContactProblem{}).has_value());
}

// Any single difference makes two problems different; without one they are equal.
TEST(EqualContactProblem, SeesEveryField) {
  const ContactProblem a = sample_contact();
  EXPECT_TRUE(equal(a, sample_contact()));
  const std::vector<std::function<void(ContactProblem&)>> changes{
      [](ContactProblem& p) { p.name += "!"; },
      [](ContactProblem& p) { p.level = Level::kAcceleration; },
      [](ContactProblem& p) { p.h = 0.02; },
      [](ContactProblem& p) {
        p.mass = BlockDiagonal({p.mass.block(0), 2.0 * p.mass.block(1)});
      },
      [](ContactProblem& p) { p.mass = BlockDiagonal({p.mass.to_dense()}); },
      [](ContactProblem& p) { p.v(0) += 1e-300; },
      [](ContactProblem& p) { p.f.conservativeResize(11); },
      [](ContactProblem& p) { p.J = with_entry(p.J, 0, 1, 1e-300); },
      [](ContactProblem& p) { p.N = with_entry(p.N, 1, 1, 1e-300); },
      [](ContactProblem& p) { p.S = with_entry(p.S, 1, 2, 1e-300); },
      [](ContactProblem& p) { p.T = BlockRows(p.mass.layout()); },
      [](ContactProblem& p) { p.b_J(0) = 1.0; },
      [](ContactProblem& p) { p.a_J(0) = 1.0; },
      [](ContactProblem& p) { p.b_N(1) = 1.0; },
      [](ContactProblem& p) { p.a_N(1) = 1.0; },
      [](ContactProblem& p) { p.contacts[0].gap = 1.0; },
      [](ContactProblem& p) { p.contacts.pop_back(); }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    ContactProblem b = sample_contact();
    changes[i](b);
    EXPECT_FALSE(equal(a, b)) << "change " << i;
  }
}

// How a row is stored (order of segments, stored zeros) is not part of the problem.
TEST(EqualContactProblem, IgnoresHowRowsAreStored) {
  const ContactProblem a = sample_contact();
  ContactProblem b = a;
  b.N = BlockRows(a.mass.layout());
  for (Index i = 0; i < a.size(); ++i) {
    const auto row = a.N.row(i);
    b.N.add_row(row[1], row[0]);
  }
  EXPECT_TRUE(equal(a, b));
}

// Spec A.2, case by case, for one contact of a sphere falling with 2 m/s.
TEST(NormalOffset, FollowsGapAndRestitution) {
  ContactProblem problem = sample_contact();
  ASSERT_DOUBLE_EQ(problem.N.dot(0, problem.v), -2.0);
  const auto offset = [&](double gap, double restitution, const Stabilization& stabilization) {
    problem.contacts[0].gap = gap;
    problem.contacts[0].restitution = restitution;
    return calc_normal_offset(problem, stabilization)(0);
  };
  const Stabilization none, half{.kappa = 0.5, .max_speed = 0.3, .bounce_threshold = 0.0};
  EXPECT_EQ(offset(0.0, 0.0, none), 0.0);                       // touching
  EXPECT_DOUBLE_EQ(offset(0.005, 0.0, none), 0.5);              // apart: may close the gap in this step
  EXPECT_DOUBLE_EQ(offset(0.005, 0.0, half), 0.5);              // kappa acts on overlap only
  EXPECT_EQ(offset(-0.001, 0.0, none), 0.0);                    // overlap left alone
  EXPECT_DOUBLE_EQ(offset(-0.001, 0.0, half), -0.05);           // half of it is removed
  EXPECT_DOUBLE_EQ(offset(-0.1, 0.0, half), -0.3);              // but not faster than max_speed
  EXPECT_DOUBLE_EQ(offset(0.0, 0.6, none), -1.2);               // e N v
  EXPECT_DOUBLE_EQ(offset(0.005, 0.6, none), -1.2);             // the smaller of the two
  EXPECT_DOUBLE_EQ(offset(-0.1, 0.1, half), -0.3);              // the other way round
  EXPECT_EQ(offset(0.0, 0.6, {.bounce_threshold = 2.0}), 0.0);  // N v = −threshold is not below it
  EXPECT_DOUBLE_EQ(offset(0.0, 0.6, {.bounce_threshold = 1.9}), -1.2);
}

// A separating contact does not bounce, whatever its restitution.
TEST(NormalOffset, SeparatingContactDoesNotBounce) {
  ContactProblem problem = sample_contact();
  problem.v = -problem.v;
  problem.contacts[0].restitution = 1.0;
  EXPECT_EQ(calc_normal_offset(problem, {})(0), 0.0);
}

// Contacts and rows that do not match are a mistake of the caller.
TEST(NormalOffset, NeedsOneContactPerRow) {
  ContactProblem problem = sample_contact();
  problem.contacts.pop_back();
  EXPECT_THROW(calc_normal_offset(problem, {}), ContractError);
}

}  // namespace
}  // namespace tribo
