#include "tribo/problem/contact_builder.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/random.hpp"

#include <cmath>

#include "problem/problem_testing.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kWorld;

Vector3d random_point(Random& random) {
  return Vector3d::NullaryExpr([&] { return random.uniform(-1.0, 1.0); });
}

VectorXd random_velocity(Index n, Random& random) {
  return VectorXd::NullaryExpr(n, [&] { return random.uniform(-1.0, 1.0); });
}

// Velocity of the point of a moving body that is at p, from the kinematics of rigid bodies alone.
Vector3d point_velocity(const VectorXd& velocity, const Vector3d& centre, const Vector3d& p) {
  const Vector3d linear = velocity.head<3>(), spin = velocity.tail<3>();
  return linear + spin.cross(p - centre);
}

struct TwoBodies {
  Random random{11};
  ContactBuilder builder;
  Vector3d x_a = random_point(random), x_b = random_point(random);
  VectorXd v_a = random_velocity(6, random), v_b = random_velocity(6, random);
  Index a = builder.add_body(1.0, sphere_inertia(1.0, 0.3), x_a);
  Index b = builder.add_body(2.0, sphere_inertia(2.0, 0.4), x_b);

  TwoBodies() {
    builder.set_velocity(a, v_a);
    builder.set_velocity(b, v_b);
  }
  Vector3d relative_velocity(const Vector3d& p) const {
    return point_velocity(v_a, x_a, p) - point_velocity(v_b, x_b, p);
  }
};

// N v, S v, T v are the components of the relative velocity of the touching points: spec A.1.
TEST(ContactBuilder, RowsMeasureTheRelativeVelocityOfTheTouchingPoints) {
  TwoBodies two;
  for (int k = 0; k < 20; ++k) {
    two.builder.add_contact(two.a, two.b, random_point(two.random), random_point(two.random));
  }
  const ContactProblem problem = two.builder.build();
  ASSERT_TRUE(validate(problem).has_value()) << validate(problem).error().text();
  for (Index i = 0; i < problem.size(); ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const Vector3d relative = two.relative_velocity(contact.point);
    EXPECT_NEAR(problem.S.dot(i, problem.v), contact.frame.col(0).dot(relative), 1e-14);
    EXPECT_NEAR(problem.T.dot(i, problem.v), contact.frame.col(1).dot(relative), 1e-14);
    EXPECT_NEAR(problem.N.dot(i, problem.v), contact.frame.col(2).dot(relative), 1e-14);
  }
}

// Exchanging the bodies and turning the normal round is the same contact seen from the other side.
TEST(ContactBuilder, ContactIsTheSameFromBothSides) {
  TwoBodies two;
  const Vector3d p = random_point(two.random), n = random_point(two.random);
  two.builder.add_contact(two.a, two.b, p, n);
  two.builder.add_contact(two.b, two.a, p, -n);
  const MatrixXd N = two.builder.build().N.to_dense();
  EXPECT_EQ(N.row(0), N.row(1));
}

// The world does not move: it has no entries, whichever side it is on.
TEST(ContactBuilder, WorldHasNoEntries) {
  TwoBodies two;
  two.builder.add_contact(two.a, kWorld, Vector3d::Zero(), Vector3d::UnitZ());
  two.builder.add_contact(kWorld, two.b, Vector3d::Zero(), Vector3d::UnitZ());
  const ContactProblem problem = two.builder.build();
  const MatrixXd N = problem.N.to_dense();
  EXPECT_EQ(N.row(0).tail(6).norm(), 0.0);
  EXPECT_EQ(N.row(1).head(6).norm(), 0.0);
  EXPECT_EQ(N(0, 2), 1.0);
  EXPECT_EQ(N(1, 8), -1.0);
}

// Forces along the rows must act as equal and opposite forces at one point: no net force, no net moment.
TEST(ContactBuilder, ActionEqualsReaction) {
  TwoBodies two;
  two.builder.add_contact(two.a, two.b, random_point(two.random), random_point(two.random));
  const ContactProblem problem = two.builder.build();
  const VectorXd one = VectorXd::Ones(1);
  for (const BlockRows* rows : {&problem.N, &problem.S, &problem.T}) {
    const VectorXd wrench = rows->multiply_transposed(one);
    const Vector3d force_a = wrench.segment<3>(0), force_b = wrench.segment<3>(6);
    const Vector3d moment =
        wrench.segment<3>(3) + two.x_a.cross(force_a) + wrench.segment<3>(9) + two.x_b.cross(force_b);
    EXPECT_LE((force_a + force_b).norm(), 1e-15);
    EXPECT_LE(moment.norm(), 1e-14);
  }
}

// Frames are right-handed and orthonormal for every normal, also along axes and of any length.
TEST(ContactBuilder, FramesAreRightHandedAndOrthonormal) {
  TwoBodies two;
  for (int k = 0; k < 50; ++k) {
    two.builder.add_contact(two.a, two.b, Vector3d::Zero(),
                            std::ldexp(1.0, 20 * (k % 5) - 40) * random_point(two.random));
  }
  for (Index axis = 0; axis < 3; ++axis) {
    two.builder.add_contact(two.a, two.b, Vector3d::Zero(), Vector3d::Unit(axis));
    two.builder.add_contact(two.a, two.b, Vector3d::Zero(), -1e-200 * Vector3d::Unit(axis));
  }
  for (const Contact& contact : two.builder.build().contacts) {
    EXPECT_LE((contact.frame.transpose() * contact.frame - Matrix3d::Identity()).norm(), 1e-15 * 10);
    EXPECT_LE((contact.frame.col(0).cross(contact.frame.col(1)) - contact.frame.col(2)).norm(), 1e-15 * 10);
  }
}

// The tangent follows a stated rule: on level ground s is the x axis, t the y axis.
TEST(ContactBuilder, TangentsOnLevelGroundAreTheAxes) {
  TwoBodies two;
  two.builder.add_contact(two.a, kWorld, Vector3d::Zero(), Vector3d::UnitZ());
  EXPECT_EQ(two.builder.build().contacts[0].frame, Matrix3d::Identity());
  EXPECT_EQ(calc_tangent(Vector3d::UnitX()), Vector3d::UnitY());
}

// A tangent that is given is kept as far as the normal allows.
TEST(ContactBuilder, KeepsTheGivenTangent) {
  TwoBodies two;
  two.builder.add_contact(two.a, two.b, Vector3d::Zero(), Vector3d::UnitZ(), Vector3d(0.0, 3.0, 5.0), Contact{});
  const Matrix3d frame = two.builder.build().contacts[0].frame;
  EXPECT_LE((frame.col(0) - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_LE((frame.col(1) + Vector3d::UnitX()).norm(), 1e-15);
}

// The properties of a contact arrive in the problem as they were given.
TEST(ContactBuilder, KeepsContactProperties) {
  TwoBodies two;
  Contact contact;
  contact.gap = 0.01;
  contact.mu = 0.3;
  contact.mu_v = 2.0;
  contact.restitution = 0.5;
  contact.stiffness = 1e5;
  two.builder.add_contact(two.a, two.b, {1.0, 2.0, 3.0}, Vector3d::UnitZ(), contact);
  two.builder.set_normal_offset(0, -0.25, 4.0);
  const ContactProblem problem = two.builder.build();
  contact.has_frame = true;
  contact.point = {1.0, 2.0, 3.0};
  EXPECT_EQ(problem.contacts[0], contact);
  EXPECT_EQ(problem.b_N(0), -0.25);
  EXPECT_EQ(problem.a_N(0), 4.0);
}

// Masses, velocities and forces go to the body's own block.
TEST(ContactBuilder, FillsMassVelocityAndForce) {
  TwoBodies two;
  const Index planar = two.builder.add_planar_body(3.0, 0.5, {0.0, 0.0});
  const Index tree = two.builder.add_tree(MatrixXd::Identity(4, 4));
  two.builder.add_gravity({1.0, 0.0, -10.0});
  two.builder.set_force(tree, VectorXd::Constant(4, 7.0));
  two.builder.add_force(tree, VectorXd::Ones(4));
  two.builder.set_name("four");
  two.builder.set_step(0.5);
  two.builder.set_level(Level::kAcceleration);
  const ContactProblem problem = two.builder.build();
  ASSERT_TRUE(validate(problem).has_value()) << validate(problem).error().text();
  EXPECT_EQ(problem.mass.layout(), BlockLayout({6, 6, 3, 4}));
  EXPECT_EQ(problem.mass.block(planar), MatrixXd(Vector3d(3.0, 3.0, 0.5).asDiagonal()));
  EXPECT_EQ(problem.v.head(6), two.v_a);
  EXPECT_EQ(problem.f.segment(6, 3), Vector3d(2.0, 0.0, -20.0));
  EXPECT_EQ(problem.f.segment(12, 3), Vector3d(3.0, 0.0, 0.0));
  EXPECT_EQ(problem.f.tail(4), VectorXd::Constant(4, 8.0));
  EXPECT_EQ(problem.name, "four");
  EXPECT_EQ(problem.h, 0.5);
  EXPECT_EQ(problem.level, Level::kAcceleration);
}

// The gyroscopic force does no work and turns the angular momentum back: −ω × I ω.
TEST(ContactBuilder, GyroscopicForceDoesNoWork) {
  ContactBuilder builder;
  const Index a = builder.add_body(1.0, Vector3d(1.0, 2.0, 4.0).asDiagonal(), Vector3d::Zero());
  VectorXd velocity = VectorXd::Zero(6);
  velocity.tail<3>() = Vector3d(1.0, 1.0, 0.0);
  builder.set_velocity(a, velocity);
  builder.add_gyroscopic_forces();
  const ContactProblem problem = builder.build();
  EXPECT_EQ(problem.f.tail(3), Vector3d(0.0, 0.0, -1.0));  // −(1,1,0) × (1,2,0)
  EXPECT_EQ(problem.f.dot(problem.v), 0.0);
}

// In the plane: the same rule with one tangent and a scalar spin.
TEST(ContactBuilder, PlanarRowsMeasureTheRelativeVelocity) {
  Random random(5);
  ContactBuilder builder;
  const Eigen::Vector2d x_a(0.3, 0.7), x_b(-0.2, 0.1), p(0.5, -0.4), n(0.6, 0.8);
  const Index a = builder.add_planar_body(1.0, 0.1, x_a), b = builder.add_planar_body(2.0, 0.2, x_b);
  const VectorXd v_a = random_velocity(3, random), v_b = random_velocity(3, random);
  builder.set_velocity(a, v_a);
  builder.set_velocity(b, v_b);
  builder.add_planar_contact(a, b, p, 5.0 * n);
  const ContactProblem problem = builder.build();
  ASSERT_TRUE(validate(problem).has_value());
  EXPECT_EQ(problem.T.rows(), 0);
  const auto at_point = [&](const VectorXd& v, const Eigen::Vector2d& x) {
    return Eigen::Vector2d(v(0) - v(2) * (p - x).y(), v(1) + v(2) * (p - x).x());
  };
  const Eigen::Vector2d relative = at_point(v_a, x_a) - at_point(v_b, x_b);
  EXPECT_NEAR(problem.N.dot(0, problem.v), n.dot(relative), 1e-15);
  EXPECT_NEAR(problem.S.dot(0, problem.v), Eigen::Vector2d(n.y(), -n.x()).dot(relative), 1e-15);
  EXPECT_NEAR(problem.contacts[0].frame.determinant(), 1.0, 1e-15);
}

// Joints: the motions they allow are exactly the null space of their rows.
TEST(ContactBuilder, JointRowsVanishOnTheAllowedMotions) {
  const Vector3d p(0.2, -0.3, 0.5), axis = Vector3d(1.0, 2.0, -2.0) / 3.0;
  const auto rows_of = [&](auto&& add) {
    TwoBodies two;
    add(two);
    const ContactProblem problem = two.builder.build();
    EXPECT_TRUE(validate(problem).has_value());
    return problem;
  };
  // b moves as it likes; a moves with it plus the relative twist (linear at p, spin) that the joint allows.
  const auto residual = [&](const ContactProblem& problem, const TwoBodies& two, const Vector3d& linear,
                            const Vector3d& spin) {
    const Vector3d omega_a = two.v_b.tail<3>() + spin;
    VectorXd v(12);
    v << point_velocity(two.v_b, two.x_b, p) + linear + omega_a.cross(two.x_a - p), omega_a, two.v_b;
    return problem.J.multiply(v).cwiseAbs().maxCoeff();
  };
  const TwoBodies two;
  const Vector3d zero = Vector3d::Zero(), across = calc_tangent(axis);

  const auto weld = rows_of([&](TwoBodies& t) { t.builder.add_weld(t.a, t.b, p); });
  EXPECT_EQ(weld.bilateral(), 6);
  EXPECT_LE(residual(weld, two, zero, zero), 1e-14);
  EXPECT_GE(residual(weld, two, axis, zero), 0.1);
  EXPECT_GE(residual(weld, two, zero, axis), 0.1);

  const auto ball = rows_of([&](TwoBodies& t) { t.builder.add_point_joint(t.a, t.b, p); });
  EXPECT_EQ(ball.bilateral(), 3);
  EXPECT_LE(residual(ball, two, zero, axis), 1e-14);
  EXPECT_GE(residual(ball, two, axis, zero), 0.1);

  const auto slider = rows_of([&](TwoBodies& t) { t.builder.add_prismatic(t.a, t.b, p, 3.0 * axis); });
  EXPECT_EQ(slider.bilateral(), 5);
  EXPECT_LE(residual(slider, two, axis, zero), 1e-14);
  EXPECT_GE(residual(slider, two, across, zero), 0.1);
  EXPECT_GE(residual(slider, two, zero, axis), 0.1);

  const auto hinge = rows_of([&](TwoBodies& t) { t.builder.add_revolute(t.a, t.b, p, 3.0 * axis); });
  EXPECT_EQ(hinge.bilateral(), 5);
  EXPECT_LE(residual(hinge, two, zero, axis), 1e-14);
  EXPECT_GE(residual(hinge, two, zero, across), 0.1);
  EXPECT_GE(residual(hinge, two, axis, zero), 0.1);
}

// Trees bring their own rows; they arrive unchanged, with their offsets.
TEST(ContactBuilder, RawRowsArriveUnchanged) {
  ContactBuilder builder;
  const Index tree = builder.add_tree(MatrixXd::Identity(3, 3));
  const Index body = builder.add_planar_body(1.0, 1.0, {0.0, 0.0});
  const VectorXd x = VectorXd::LinSpaced(3, 1.0, 3.0);
  builder.add_contact_rows({{{tree, x}, {body, -x}}, {{kWorld, {}}, {tree, 2.0 * x}}});
  const Index row = builder.add_bilateral({{body, x}}, 0.5, 0.25);
  builder.add_bilateral({{tree, x}});
  builder.set_bilateral_offset(1, 3.0, 4.0);
  const ContactProblem problem = builder.build();
  ASSERT_TRUE(validate(problem).has_value()) << validate(problem).error().text();
  EXPECT_EQ(row, 0);
  EXPECT_EQ(problem.N.to_dense(), (MatrixXd{{1.0, 2.0, 3.0, -1.0, -2.0, -3.0}}));
  EXPECT_EQ(problem.S.to_dense(), (MatrixXd{{2.0, 4.0, 6.0, 0.0, 0.0, 0.0}}));
  EXPECT_EQ(problem.J.to_dense(), (MatrixXd{{0.0, 0.0, 0.0, 1.0, 2.0, 3.0}, {1.0, 2.0, 3.0, 0.0, 0.0, 0.0}}));
  EXPECT_EQ(problem.b_J, (VectorXd{{0.5, 3.0}}));
  EXPECT_EQ(problem.a_J, (VectorXd{{0.25, 4.0}}));
}

// Mistakes of the caller are refused at once, where the line can still be found.
TEST(ContactBuilder, RefusesBrokenPromises) {
  TwoBodies two;
  ContactBuilder& builder = two.builder;
  const Index planar = builder.add_planar_body(1.0, 1.0, {0.0, 0.0});
  const Index tree = builder.add_tree(MatrixXd::Identity(2, 2));
  const Vector3d p = Vector3d::Zero(), z = Vector3d::UnitZ();
  EXPECT_THROW(builder.add_contact(two.a, two.a, p, z), ContractError);
  EXPECT_THROW(builder.add_contact(kWorld, kWorld, p, z), ContractError);
  EXPECT_THROW(builder.add_contact(two.a, 9, p, z), ContractError);
  EXPECT_THROW(builder.add_contact(-2, two.a, p, z), ContractError);
  EXPECT_THROW(builder.add_contact(two.a, two.b, p, p), ContractError);
  EXPECT_THROW(builder.add_contact(two.a, two.b, p, std::nan("") * z), ContractError);
  EXPECT_THROW(builder.add_contact(two.a, two.b, p, z, -2.0 * z, Contact{}), ContractError);
  EXPECT_THROW(builder.add_contact(planar, kWorld, p, z), ContractError);
  EXPECT_THROW(builder.add_contact(tree, kWorld, p, z), ContractError);
  EXPECT_THROW(builder.add_planar_contact(two.a, kWorld, {0.0, 0.0}, {0.0, 1.0}), ContractError);
  EXPECT_THROW(builder.add_planar_contact(planar, kWorld, {0.0, 0.0}, {0.0, 0.0}), ContractError);
  EXPECT_THROW(builder.set_velocity(tree, VectorXd::Zero(3)), ContractError);
  EXPECT_THROW(builder.set_force(9, VectorXd::Zero(3)), ContractError);
  EXPECT_THROW(builder.add_force(tree, VectorXd::Zero(1)), ContractError);
  EXPECT_THROW(builder.add_bilateral({{tree, VectorXd::Zero(3)}}), ContractError);
  EXPECT_THROW(builder.add_bilateral({{tree, VectorXd::Zero(2)}, {tree, VectorXd::Zero(2)}}), ContractError);
  EXPECT_THROW(builder.add_contact_rows({}), ContractError);
  EXPECT_THROW(builder.set_normal_offset(0, 1.0), ContractError);
  EXPECT_THROW(builder.set_bilateral_offset(0, 1.0), ContractError);
  EXPECT_THROW(builder.add_prismatic(two.a, two.b, p, p), ContractError);
  EXPECT_EQ(builder.contacts(), 0);
  builder.add_contact(two.a, two.b, p, z);
  EXPECT_THROW(builder.add_planar_contact(planar, kWorld, {0.0, 0.0}, {0.0, 1.0}), ContractError);  // N and S only
  EXPECT_EQ(builder.contacts(), 1);
}

// Masses are data: the builder takes them, validate() refuses them.
TEST(ContactBuilder, LeavesBadMassesToValidate) {
  ContactBuilder builder;
  builder.add_body(-1.0, Matrix3d::Identity(), Vector3d::Zero());
  EXPECT_FALSE(validate(builder.build()).has_value());
}

// Textbook values.
TEST(ContactBuilder, InertiasAreThoseOfTheTextbook) {
  EXPECT_LE((box_inertia(12.0, {1.0, 2.0, 3.0}) - Matrix3d(Vector3d(13.0, 10.0, 5.0).asDiagonal())).norm(), 1e-14);
  EXPECT_LE((sphere_inertia(10.0, 0.5) - Matrix3d::Identity()).norm(), 1e-15);
  EXPECT_LE((cylinder_inertia(12.0, 1.0, 2.0) - Matrix3d(Vector3d(7.0, 7.0, 6.0).asDiagonal())).norm(), 1e-14);
}

}  // namespace
}  // namespace tribo
