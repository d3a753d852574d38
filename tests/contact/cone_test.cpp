// The true Coulomb cone through the user call: closed forms, invariances, and honesty where there is no answer.
#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kGravity = 9.81;

// A point-like block of 2 kg on level ground, pushed by f along a direction that no polygon of few sides has.
ContactProblem pushed_block(double mu, double force, double angle) {
  ContactBuilder builder;
  const Index body = builder.add_body(2.0, box_inertia(2.0, {0.2, 0.2, 0.2}), {0.0, 0.0, 0.0});
  Contact contact;
  contact.mu = mu;
  builder.add_contact(body, ContactBuilder::kWorld, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, contact);
  builder.add_gravity({0.0, 0.0, -kGravity});
  builder.add_force(body, (VectorXd(6) << force * std::cos(angle), force * std::sin(angle), 0, 0, 0, 0).finished());
  return builder.build();
}

ContactAnswer solved(const ContactProblem& problem, const SolveOptions& options = {}) {
  ContactAnswer answer = solve(problem, CoulombCone{}, options);
  EXPECT_EQ(answer.status, Status::kSolved) << answer.report.detail;
  EXPECT_LE(answer.certificate.worst, options.tolerance);
  return answer;
}

// Below mu m g the block sticks; above it slides straight along the push with what friction leaves, in any direction.
TEST(CoulombCone, StickAndSlipOfAPushedBlock) {
  const double limit = 0.5 * 2.0 * kGravity;
  for (const double angle : {0.0, 0.3, 1.234, 3.0}) {
    const ContactProblem sticks = pushed_block(0.5, 0.99 * limit, angle),
                         slides = pushed_block(0.5, 1.5 * limit, angle);
    const ContactAnswer rest = solved(sticks), slip = solved(slides);
    EXPECT_LE(rest.v_next.norm(), 1e-9);
    ASSERT_EQ(rest.states.size(), 1u);
    EXPECT_EQ(rest.states[0], ContactState::kStick);
    EXPECT_EQ(slip.states[0], ContactState::kSlide);
    const double speed = slides.h * 0.5 * limit / 2.0;
    EXPECT_NEAR(slip.v_next(0), speed * std::cos(angle), 1e-9);
    EXPECT_NEAR(slip.v_next(1), speed * std::sin(angle), 1e-9);
    const Vector3d impulse = slip.contacts[0].impulse, velocity = slip.contacts[0].velocity;
    EXPECT_NEAR(impulse.head<2>().norm(), 0.5 * impulse(2), 1e-9);
    EXPECT_LE((impulse.head<2>().normalized() + velocity.head<2>().normalized()).norm(), 1e-6);
  }
}

// A contact that opens carries nothing.
TEST(CoulombCone, OpensWhatIsPulledApart) {
  ContactProblem problem = pushed_block(0.5, 0.0, 0.0);
  problem.f(2) = 30.0;
  const ContactAnswer answer = solved(problem);
  EXPECT_EQ(answer.states[0], ContactState::kOpen);
  EXPECT_EQ(answer.solution.f_n(0), 0.0);
  EXPECT_NEAR(answer.v_next(2), problem.h * 30.0 / 2.0, 1e-12);
}

// mu = 0 is the frictionless model, number by number of the velocity.
TEST(CoulombCone, WithoutFrictionIsFrictionless) {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    ContactProblem problem = random_bodies({.bodies = 3, .contacts = 10}, random);
    for (Contact& contact : problem.contacts) contact.mu = 0.0;
    const ContactAnswer cone = solve(problem, CoulombCone{}), plain = solve(problem, Frictionless{});
    ASSERT_EQ(cone.status, plain.status) << k;
    if (is_solved(cone.status)) {
      EXPECT_LE((cone.v_next - plain.v_next).norm(), 1e-6 * (1.0 + plain.v_next.norm())) << k;
    }
  }
}

// Stacks, pegs, bodies at random with joints and trees, mu from nothing to a million: certified, one and all.
TEST(CoulombCone, SolvesTheGeneratedProblems) {
  int failed = 0;
  for (int k = 0; k < 120; ++k) {
    Random random(static_cast<std::uint64_t>(k));
    ContactProblem problem = k % 3 == 0   ? peg_in_hole(2 * random.integer(1, 10), random)
                             : k % 3 == 1 ? box_stack(random.integer(1, 6), random.integer(4, 8), random)
                                          : random_bodies(random);
    if (k % 5 == 0) {
      for (Contact& contact : problem.contacts) contact.mu = std::pow(10.0, random.uniform(-3.0, 6.0));
    }
    const ContactAnswer answer = solve(problem, CoulombCone{});
    const bool ended = is_solved(answer.status) || answer.status == Status::kInfeasible;
    failed += ended ? 0 : 1;
    EXPECT_TRUE(ended) << k << ": " << to_string(answer.status) << ", " << to_string(answer.history.back()) << ", "
                       << answer.certificate.worst;
  }
  EXPECT_EQ(failed, 0);
}

// Lengths and masses in other units are the same physics: impulses and velocities follow their units.
TEST(CoulombCone, DoesNotDependOnUnits) {
  const ContactProblem metres = pushed_block(0.5, 20.0, 0.7);
  ContactBuilder builder;  // millimetres and grams
  const Index body = builder.add_body(2000.0, box_inertia(2000.0, {200.0, 200.0, 200.0}), {0.0, 0.0, 0.0});
  builder.add_contact(body, ContactBuilder::kWorld, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, metres.contacts[0]);
  builder.set_force(body, 1e6 * metres.f);
  const ContactAnswer a = solved(metres), b = solved(builder.build());
  EXPECT_LE((1e3 * a.v_next - b.v_next).norm(), 1e-9 * b.v_next.norm());
}

// Friction takes energy out and never puts any in.
TEST(CoulombCone, NeverAddsEnergy) {
  for (int k = 0; k < 40; ++k) {
    Random random(static_cast<std::uint64_t>(100 + k));
    ContactProblem problem = random_bodies({.bodies = 4, .contacts = 12}, random);
    problem.f.setZero();
    problem.b_N.setZero();
    const ContactAnswer answer = solved(problem);
    const double before = problem.v.dot(problem.mass.multiply(problem.v));
    const double after = answer.v_next.dot(problem.mass.multiply(answer.v_next));
    EXPECT_LE(after, before * (1.0 + 1e-9)) << k;
  }
}

// A spinning sphere on a plane slows down by mu_spin times the load, and by nothing without a coefficient.
TEST(CoulombCone, SpinIsBraked) {
  for (const double mu_spin : {0.0, 0.002, 0.5}) {
    ContactBuilder builder;
    const Index body = builder.add_body(1.0, sphere_inertia(1.0, 0.1), {0.0, 0.0, 0.1});
    Contact contact;
    contact.mu = 0.4;
    contact.mu_spin = mu_spin;
    builder.add_contact(body, ContactBuilder::kWorld, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, contact);
    builder.add_gravity({0.0, 0.0, -kGravity});
    builder.set_velocity(body, (VectorXd(6) << 0, 0, 0, 0, 0, 3.0).finished());
    const ContactProblem problem = builder.build();
    const ContactAnswer answer = solved(problem);
    const double inertia = 0.4 * 0.01, load = problem.h * kGravity;
    EXPECT_NEAR(answer.v_next(5), std::max(0.0, 3.0 - mu_spin * load / inertia), 1e-8) << mu_spin;
    if (mu_spin > 0.0) {
      EXPECT_NEAR(answer.solution.f_spin(0), -std::min(mu_spin * load, 3.0 * inertia), 1e-9) << mu_spin;
    }
  }
}

// Without friction along the surface a turning sphere is braked by the couple mu_roll f_n alone, about its axis; its centre
// goes on as before.
TEST(CoulombCone, RollingIsBraked) {
  ContactBuilder builder;
  const Index body = builder.add_body(1.0, sphere_inertia(1.0, 0.1), {0.0, 0.0, 0.1});
  Contact contact;
  contact.mu_roll = 0.001;
  builder.add_contact(body, ContactBuilder::kWorld, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, contact);
  builder.add_gravity({0.0, 0.0, -kGravity});
  builder.set_velocity(body, (VectorXd(6) << 0.3, 0.4, 0, -4.0, 3.0, 0).finished());  // ω = (−v_y, v_x)/radius
  const ContactProblem problem = builder.build();
  const ContactAnswer answer = solved(problem);
  const double change = contact.mu_roll * problem.h * kGravity / (0.4 * 0.01);
  EXPECT_NEAR(answer.v_next(3), -4.0 * (1.0 - change / 5.0), 1e-9);
  EXPECT_NEAR(answer.v_next(4), 3.0 * (1.0 - change / 5.0), 1e-9);
  EXPECT_NEAR(answer.v_next(0), 0.3, 1e-12);
  EXPECT_NEAR(answer.v_next(1), 0.4, 1e-12);
}

// A soft contact gives way by compliance times the load; friction obeys the velocity with it.
TEST(CoulombCone, ComplianceGivesWay) {
  ContactProblem problem = pushed_block(0.5, 0.0, 0.0);
  problem.contacts[0].compliance = 0.7;
  const ContactAnswer answer = solved(problem);
  // v_n = h g (load/(m h g) − 1), v_n + c load = 0.
  const double load = problem.h * kGravity / (1.0 / 2.0 + 0.7);
  EXPECT_NEAR(answer.solution.f_n(0), load, 1e-9);
  EXPECT_NEAR(answer.v_next(2), -0.7 * load, 1e-9);
}

// Joints hold while contacts slide: a bar on a slider, pressed down by its weight.
TEST(CoulombCone, BilateralRowsHold) {
  Random random(3);
  for (int k = 0; k < 30; ++k) {
    const ContactProblem problem =
        random_bodies({.bodies = 4, .contacts = 10, .bilateral = 3, .trees = k % 2 == 1}, random);
    const ContactAnswer answer = solve(problem, CoulombCone{});
    if (answer.status == Status::kInfeasible) continue;
    ASSERT_EQ(answer.status, Status::kSolved) << k << ": " << answer.report.detail;
    EXPECT_LE((problem.J.multiply(answer.v_next) + problem.b_J).norm(), 1e-7 * (1.0 + problem.v.norm())) << k;
  }
}

// Solved apart or as a whole, bodies that do not touch move the same; the states come back in the problem's order.
TEST(CoulombCone, IslandsAreSolvedApart) {
  ContactBuilder builder;
  for (int k = 0; k < 3; ++k) {
    const Index body = builder.add_body(1.0 + k, sphere_inertia(1.0 + k, 0.1), {1.0 * k, 0.0, 0.1});
    Contact contact;
    contact.mu = 0.2;
    builder.add_contact(body, ContactBuilder::kWorld, {1.0 * k, 0.0, 0.0}, {0.0, 0.0, 1.0}, contact);
    builder.set_velocity(body, (VectorXd(6) << 0.5 * k, 0, k == 2 ? 1.0 : 0.0, 0, 0, 0).finished());
  }
  builder.add_gravity({0.0, 0.0, -kGravity});
  const ContactProblem problem = builder.build();
  SolveOptions whole;
  whole.islands = false;
  const ContactAnswer apart = solved(problem), together = solved(problem, whole);
  EXPECT_EQ(apart.islands, 3);
  EXPECT_LE((apart.v_next - together.v_next).norm(), 1e-9);
  EXPECT_EQ(apart.states, (std::vector{ContactState::kStick, ContactState::kSlide, ContactState::kOpen}));
  EXPECT_EQ(together.states, apart.states);
}

// Walls that both push a body into one another cannot both be satisfied: a proof, and an eased problem when asked for.
TEST(CoulombCone, ContradictoryNormalsAreProved) {
  const ContactProblem problem = jam(true);
  const ContactAnswer answer = solve(problem, CoulombCone{});
  EXPECT_EQ(answer.status, Status::kInfeasible);
  EXPECT_EQ(answer.infeasibility.verdict, Verdict::kInfeasible);
  SolveOptions options;
  options.relax = true;
  const ContactAnswer eased = solve(problem, CoulombCone{}, options);
  EXPECT_EQ(eased.status, Status::kSolvedReduced) << eased.report.detail;
  EXPECT_GT(eased.eased.maxCoeff(), 0.0);
}

// Joints that contradict one another end the solve at once, with their combination as the proof.
TEST(CoulombCone, ContradictoryJointsAreProved) {
  ContactBuilder builder;
  const Index body = builder.add_body(1.0, sphere_inertia(1.0, 0.1), {0.0, 0.0, 0.1});
  builder.add_contact(body, ContactBuilder::kWorld, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  builder.add_direction(body, ContactBuilder::kWorld, {0.0, 0.0, 0.1}, {1.0, 0.0, 0.0});
  const Index row = builder.add_direction(body, ContactBuilder::kWorld, {0.0, 0.0, 0.1}, {1.0, 0.0, 0.0});
  builder.set_bilateral_offset(row, 1.0);
  const ContactAnswer answer = solve(builder.build(), CoulombCone{});
  EXPECT_EQ(answer.status, Status::kInconsistentEqualities);
}

// Every stage of the portfolio is a solver of its own, and solvers of other forms are refused with those that suit.
TEST(CoulombCone, SolversByName) {
  const ContactProblem problem = pushed_block(0.5, 20.0, 0.4);
  for (const char* name : {"cone", "cone/newton", "cone/gauss-seidel", "cone/proximal"}) {
    SolveOptions options;
    options.solver = name;
    EXPECT_EQ(solved(problem, options).solver, name);
  }
  const Checked refused = check_solver(problem, CoulombCone{}, "lemke/standard");
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().remedy.find("cone/proximal"), std::string::npos);
  EXPECT_FALSE(check_solver(problem, CoulombPyramid{}, "cone").has_value());
  EXPECT_FALSE(check_solver(problem, NoSlip{}, "cone").has_value());
  ContactProblem accelerations = problem;
  accelerations.level = Level::kAcceleration;
  EXPECT_THROW(solve(accelerations, CoulombCone{}), ContractError);
}

// A tighter tolerance is reached, not only promised.
TEST(CoulombCone, ReachesTheToleranceAskedFor) {
  Random random(9);
  SolveOptions options;
  options.tolerance = 1e-12;
  for (int k = 0; k < 10; ++k) solved(box_stack(3, 4, random), options);
}

}  // namespace
}  // namespace tribo
