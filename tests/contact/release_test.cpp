// Contacts that part may slip: the no-slip model with SolveOptions::release (spec B.1); impacts with viscous friction.
#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr Release kBoth[] = {Release::kPredicted, Release::kSolved};

ContactAnswer solved(const ContactProblem& problem, const ContactModel& model, Release release) {
  ContactAnswer answer = solve(problem, model, {.release = release});
  EXPECT_EQ(answer.status, Status::kSolved) << answer.report.detail;
  EXPECT_LE(answer.certificate.worst, 1e-9);
  return answer;
}

ContactProblem with_released(ContactProblem problem, const IndexList& contacts) {
  for (const Index i : contacts) problem.contacts[static_cast<std::size_t>(i)].released = true;
  return problem;
}

// A sphere (1, 0, 0.5) that leaves the plane, without gravity.
ContactProblem leaving_sphere() {
  SphereSettings settings;
  settings.velocity = Vector3d(1.0, 0.0, 0.5);
  ContactProblem problem = sphere_on_plane(settings);
  problem.f.setZero();
  return problem;
}

// Spec B.1: held, the sphere loses 2/7 of its speed to a surface it leaves, and spins; released, it flies on.
TEST(Release, ASphereLeavesAPlaneUntouched) {
  const ContactProblem problem = leaving_sphere();
  const ContactAnswer held = solved(problem, NoSlip{}, Release::kNever);
  EXPECT_LT((held.v_next.head<3>() - Vector3d(5.0 / 7.0, 0.0, 0.5)).norm(), 1e-12);
  EXPECT_NEAR(held.v_next.tail<3>().norm(), 50.0 / 7.0, 1e-11);
  EXPECT_TRUE(held.released.empty());
  for (const Release release : kBoth) {
    const ContactAnswer free = solved(problem, NoSlip{}, release);
    EXPECT_LT((free.v_next - problem.v).norm(), 1e-14);
    EXPECT_EQ(free.released, (IndexList{0}));
    EXPECT_EQ(free.contacts[0].impulse, Vector3d::Zero());
    EXPECT_EQ(free.contacts[0].velocity(2), 0.5);
  }
}

// A heavy block rests on the floor, a light sphere at its side leaves along and away from it: 0 … 3 hold, 4 parts.
ContactProblem block_and_leaving_sphere() {
  ContactBuilder builder;
  const Index block = builder.add_body(10.0, box_inertia(10.0, {0.2, 0.2, 0.2}), {0.0, 0.0, 0.1});
  const Index sphere = builder.add_body(0.1, sphere_inertia(0.1, 0.05), {0.15, 0.0, 0.1});
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) {
      builder.add_contact(block, ContactBuilder::kWorld, {x, y, 0.0}, Vector3d::UnitZ());
    }
  }
  builder.add_contact(sphere, block, {0.1, 0.0, 0.1}, Vector3d::UnitX());
  builder.set_velocity(sphere, (VectorXd(6) << 1.0, 1.0, 0.0, 0.0, 0.0, 0.0).finished());
  builder.add_gravity({0.0, 0.0, -9.81});
  return builder.build();
}

// Only what parts is released: the block stays where it is, the sphere falls freely.
TEST(Release, OnlyThePartingContactSlips) {
  const ContactProblem problem = block_and_leaving_sphere();
  VectorXd free = problem.v.tail(6);
  free(2) -= 9.81 * problem.h;
  const ContactAnswer held = solved(problem, NoSlip{}, Release::kNever);
  EXPECT_GT((held.v_next.tail(6) - free).norm(), 0.1);
  for (const Release release : kBoth) {
    const ContactAnswer answer = solved(problem, NoSlip{}, release);
    EXPECT_EQ(answer.released, (IndexList{4}));
    EXPECT_LT(answer.v_next.head(6).norm(), 1e-12);
    EXPECT_LT((answer.v_next.tail(6) - free).norm(), 1e-12);
    EXPECT_NEAR(answer.solution.f_n.head(4).sum(), 10.0 * 9.81 * problem.h, 1e-12);
    EXPECT_NE(answer.certificate.find("friction law"), nullptr);
  }
}

// A contact that closes within the step is predicted to be apart; released or not, it does not let the body through.
TEST(Release, ReleasedContactsDoNotPenetrate) {
  SphereSettings settings;
  settings.velocity = Vector3d(1.0, 0.0, -1.0);
  ContactProblem problem = sphere_on_plane(settings);
  problem.contacts[0].gap = 1e-3;
  problem.b_N(0) = 1e-3 / problem.h;
  const ContactAnswer answer = solved(problem, NoSlip{}, Release::kPredicted);
  EXPECT_EQ(answer.released, (IndexList{0}));
  EXPECT_NEAR(answer.v_next(2), -0.1, 1e-14);
  EXPECT_NEAR(answer.v_next(0), 1.0, 1e-14);
  EXPECT_GT(answer.solution.f_n(0), 0.5);
  EXPECT_EQ(answer.solution.f_s(0), 0.0);
  EXPECT_GE(answer.contacts[0].velocity(2), -1e-14);
}

// A mark of the caller's own needs no option, and is not reported as ours.
TEST(Release, ContactsMarkedByTheCallerSlip) {
  ContactProblem problem = leaving_sphere();
  problem.contacts[0].released = true;
  for (const Release release : {Release::kNever, Release::kPredicted, Release::kSolved}) {
    const ContactAnswer answer = solved(problem, NoSlip{}, release);
    EXPECT_LT((answer.v_next - problem.v).norm(), 1e-14);
    EXPECT_TRUE(answer.released.empty());
  }
}

// Redundant contacts without force touch all the same: rounding must not let them go.
TEST(Release, RedundantContactsHold) {
  Random random(3);
  const ContactProblem stack = box_stack(3, 8, random);
  const ContactAnswer held = solved(stack, NoSlip{}, Release::kNever);
  for (Index i = 0; i < stack.size(); ++i) ASSERT_LT(held.contacts[static_cast<std::size_t>(i)].velocity(2), 1e-9);
  EXPECT_TRUE(solved(stack, NoSlip{}, Release::kSolved).released.empty());
}

// The option is for the no-slip model; others have laws of their own for contacts that part.
TEST(Release, OtherModelsIgnoreTheOption) {
  const ContactProblem problem = leaving_sphere();
  for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(Viscous{}), ContactModel(FrictionBox{}),
                                    ContactModel(CoulombPyramid{})}) {
    const ContactAnswer without = solved(problem, model, Release::kNever);
    for (const Release release : kBoth) {
      const ContactAnswer with = solved(problem, model, release);
      EXPECT_EQ(with.v_next, without.v_next) << to_string(model);
      EXPECT_TRUE(with.released.empty()) << to_string(model);
    }
  }
}

// What is certified is the problem with the named contacts released, and no other.
TEST(Release, TheCertificateIsThatOfTheReleasedProblem) {
  Random random(17);
  int with_released_contacts = 0;
  for (int k = 0; k < 200; ++k) {
    const ContactProblem problem = random_bodies(random);
    if (solve(problem, NoSlip{}).status != Status::kSolved) continue;
    for (const Release release : kBoth) {
      const ContactAnswer answer = solved(problem, NoSlip{}, release);
      const ContactProblem released = with_released(problem, answer.released);
      EXPECT_EQ(certify(released, NoSlip{}, answer.solution).worst, answer.certificate.worst) << k;
      EXPECT_TRUE(std::is_sorted(answer.released.begin(), answer.released.end()));
      for (const Index i : answer.released) {
        EXPECT_EQ(answer.solution.f_s(i), 0.0) << k;
        EXPECT_EQ(answer.solution.f_t(i), 0.0) << k;
      }
      with_released_contacts += answer.released.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(with_released_contacts, 50);
}

// A particle of 2 kg, 4 kg of impact damping: 2 (v − 3) = −4 v, whatever the step is; mu_v plays no part.
TEST(ViscousImpact, StopsAShareOfTheSlipWhateverTheStepIs) {
  for (const double h : {1e-6, 0.01, 1.0}) {
    ContactBuilder builder;
    builder.set_step(h);
    builder.add_tree(2.0 * MatrixXd::Identity(3, 3));
    builder.set_velocity(0, Vector3d(3.0, 0.0, -1.0));
    Contact contact;
    contact.impact_damping = 4.0;
    contact.mu_v = 100.0;
    builder.add_contact_rows({{{0, Vector3d::UnitZ()}}, {{0, Vector3d::UnitX()}}, {{0, Vector3d::UnitY()}}}, contact);
    const ContactProblem problem = builder.build();
    const ContactAnswer answer = solved(problem, Viscous{.impact = true}, Release::kNever);
    EXPECT_LT((answer.v_next - Vector3d(1.0, 0.0, 0.0)).norm(), 1e-14) << h;
    EXPECT_LT((answer.contacts[0].impulse - Vector3d(-4.0, 0.0, 2.0)).norm(), 1e-14) << h;
  }
}

// An impact takes no time, so it has no acceleration.
TEST(ViscousImpact, IsRefusedAtAccelerationLevel) {
  ContactProblem problem = leaving_sphere();
  problem.level = Level::kAcceleration;
  problem.v.setZero();
  EXPECT_THROW(static_cast<void>(solve(problem, Viscous{.impact = true})), ContractError);
}

// Asked to be strict, solve() refuses an impact at acceleration level; otherwise it solves the equations it is given.
TEST(AccelerationLevel, StrictSolvesRefuseContactsThatMove) {
  ContactProblem problem = leaving_sphere();
  problem.level = Level::kAcceleration;
  EXPECT_EQ(solve(problem, Frictionless{}).status, Status::kSolved);
  EXPECT_THROW(static_cast<void>(solve(problem, Frictionless{}, {.strict = true})), ContractError);
  problem.v(2) = 0.0;
  EXPECT_EQ(solve(problem, Frictionless{}, {.strict = true}).status, Status::kSolved);
}

}  // namespace
}  // namespace tribo
