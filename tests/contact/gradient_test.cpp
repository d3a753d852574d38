// Derivatives of a step against closed forms and against differences of certified solves.
#include "tribo/contact/gradient.hpp"

#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "problem/dry_rows.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kEarthGravity = 9.81;

VectorXd random_vector(Index size, Random& random) {
  VectorXd x(size);
  for (Index i = 0; i < size; ++i) x(i) = random.uniform(-1.0, 1.0);
  return x;
}

BlockRows random_rows(const BlockRows& pattern, Random& random) {
  BlockRows result(pattern.layout());
  for (Index i = 0; i < pattern.rows(); ++i) {
    auto parts = pattern.row(i);
    std::array<VectorXd, 2> values;
    for (std::size_t k = 0; k < 2; ++k) {
      values[k] = random_vector(static_cast<Index>(parts[k].values.size()), random);
      if (std::ranges::all_of(parts[k].values, [](double x) { return x == 0.0; })) values[k].setZero();
      parts[k].values = {values[k].data(), parts[k].values.size()};
    }
    result.add_row(parts[0], parts[1]);
  }
  return result;
}

// Every datum changes.
ContactChange random_change(const ContactProblem& problem, Random& random) {
  ContactChange change;
  const Index m = problem.dof(), n = problem.size();
  change.v = random_vector(m, random);
  change.f = random_vector(m, random) / problem.h;
  change.h = 0.1 * random.uniform(-1.0, 1.0) * problem.h;
  change.b_N = random_vector(n, random);
  change.b_J = random_vector(problem.bilateral(), random);
  const auto share = [&](auto coefficient) {
    VectorXd x = random_vector(n, random);
    for (Index i = 0; i < n; ++i) x(i) *= coefficient(problem.contacts[static_cast<std::size_t>(i)]);
    return x;
  };
  change.mu = share([](const Contact& c) { return c.mu; });
  change.mu_spin = share([](const Contact& c) { return c.mu_spin; });
  change.mu_roll = share([](const Contact& c) { return c.mu_roll; });
  change.compliance = share([](const Contact& c) { return c.compliance; });
  change.tangential_compliance = share([](const Contact& c) { return c.tangential_compliance; });
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    MatrixXd part(problem.mass.block(b).rows(), problem.mass.block(b).cols());
    for (Index j = 0; j < part.cols(); ++j) part.col(j) = random_vector(part.rows(), random);
    const VectorXd size = problem.mass.block(b).diagonal().cwiseSqrt();
    change.mass.append(size.asDiagonal() * (part + part.transpose()) * size.asDiagonal() * 0.1);
  }
  change.N = random_rows(problem.N, random);
  change.S = random_rows(problem.S, random);
  change.T = random_rows(problem.T, random);
  change.J = random_rows(problem.J, random);
  change.spin = random_rows(problem.spin, random);
  change.roll_s = random_rows(problem.roll_s, random);
  change.roll_t = random_rows(problem.roll_t, random);
  change.D = random_rows(problem.D, random);
  change.bound = random_vector(problem.dry(), random).cwiseProduct(problem.bound);
  return change;
}

void add_rows(const BlockRows& change, double step, BlockRows& rows) {
  if (change.rows() == 0) return;
  const MatrixXd sum = rows.to_dense() + step * change.to_dense();
  rows = BlockRows::from_dense(sum, rows.layout()).value();
}

ContactProblem changed(ContactProblem problem, const ContactChange& change, double step) {
  const auto add = [&](const VectorXd& x, VectorXd& y) {
    if (x.size() > 0) y += step * x;
  };
  add(change.v, problem.v);
  add(change.f, problem.f);
  add(change.b_N, problem.b_N);
  add(change.b_J, problem.b_J);
  add(change.bound, problem.bound);
  problem.h += step * change.h;
  for (Index i = 0; i < problem.size(); ++i) {
    Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    if (change.mu.size() > 0) contact.mu += step * change.mu(i);
    if (change.mu_spin.size() > 0) contact.mu_spin += step * change.mu_spin(i);
    if (change.mu_roll.size() > 0) contact.mu_roll += step * change.mu_roll(i);
    if (change.compliance.size() > 0) contact.compliance += step * change.compliance(i);
    if (change.tangential_compliance.size() > 0)
      contact.tangential_compliance += step * change.tangential_compliance(i);
  }
  if (change.mass.size() > 0) {
    BlockDiagonal mass;
    for (Index b = 0; b < problem.mass.blocks(); ++b) {
      mass.append(problem.mass.block(b) + step * change.mass.block(b));
    }
    problem.mass = mass;
  }
  add_rows(change.N, step, problem.N);
  add_rows(change.S, step, problem.S);
  add_rows(change.T, step, problem.T);
  add_rows(change.J, step, problem.J);
  add_rows(change.D, step, problem.D);
  add_rows(change.spin, step, problem.spin);
  add_rows(change.roll_s, step, problem.roll_s);
  add_rows(change.roll_t, step, problem.roll_t);
  return problem;
}

ContactAnswer solve_well(const ContactProblem& problem) {
  SolveOptions options;
  options.tolerance = 1e-12;
  ContactAnswer answer = solve(problem, CoulombCone{}, options);
  EXPECT_EQ(answer.status, Status::kSolved) << answer.certificate.worst;
  return answer;
}

ContactGradient gradient_of(const ContactProblem& problem, const ContactAnswer& answer) {
  return std::move(ContactGradient::make(problem, answer.solution)).value();
}

// Central differences of v⁺ over two steps, extrapolated; no contact may change its state on the way.
VectorXd differences(const ContactProblem& problem, const ContactAnswer& at, const ContactChange& change, double step) {
  const auto central = [&](double h) {
    const ContactAnswer plus = solve_well(changed(problem, change, h)),
                        minus = solve_well(changed(problem, change, -h));
    EXPECT_EQ(plus.states, at.states);
    EXPECT_EQ(minus.states, at.states);
    return VectorXd((plus.v_next - minus.v_next) / (2.0 * h));
  };
  return (4.0 * central(step / 2.0) - central(step)) / 3.0;
}

constexpr double kStep = 1e-5;

void expect_limit_of_differences(const ContactProblem& problem, Random& random, const std::string& name,
                                 std::array<int, 3>* seen = nullptr) {
  const ContactAnswer answer = solve_well(problem);
  const ContactGradient gradient = gradient_of(problem, answer);
  EXPECT_FALSE(gradient.set_valued()) << name;
  EXPECT_EQ(gradient.states(), answer.states) << name;
  for (int k = 0; k < 2; ++k) {
    const ContactChange change = random_change(problem, random);
    double contradiction = 1.0;
    const VectorXd found = gradient.forward(change, &contradiction);
    const VectorXd expected = differences(problem, answer, change, kStep);
    EXPECT_LE((found - expected).norm(), 1e-5 * (1.0 + expected.norm())) << name;
    EXPECT_LE(contradiction, 1e-8) << name;
    const VectorXd g = random_vector(problem.dof(), random);
    const ContactChange over = gradient.adjoint(g);
    EXPECT_NEAR(dot(over, change), g.dot(found), 1e-11 * g.norm() * (1.0 + found.norm())) << name;
  }
  for (const ContactState state : answer.states) {
    if (seen != nullptr) ++(*seen)[static_cast<std::size_t>(state)];
  }
}

// Bodies in space that fly into one another and into the world: three rows per contact, few enough to be independent.
ContactProblem flying_bodies(Index joints, double mu_spin, double mu_roll, Random& random) {
  ContactBuilder builder;
  builder.set_step(0.05);
  const auto direction = [&] { return Vector3d(random_vector(3, random).normalized()); };
  for (Index b = 0; b < 4; ++b) {
    const Vector3d centre = random_vector(3, random);
    const Index body = builder.add_body(random.uniform(0.5, 2.0), box_inertia(1.0, {0.5, 0.7, 0.9}), centre);
    builder.set_velocity(body, random_vector(6, random));
  }
  builder.add_gravity({0.0, 0.0, -kEarthGravity});
  for (Index k = 0; k < 4; ++k) {
    Contact contact;
    contact.mu = random.uniform(0.2, 2.0);
    if (k % 2 == 0) {
      contact.mu_spin = mu_spin;
      contact.mu_roll = mu_roll;
      contact.compliance = 0.03;
    }
    contact.tangential_compliance = k == 3 ? 0.02 : 0.0;
    contact.held_s = k == 3 ? 0.05 : 0.0;
    const Index contact_number =
        builder.add_contact(k, k == 0 ? ContactBuilder::kWorld : k - 1, random_vector(3, random), direction(), contact);
    builder.set_normal_offset(contact_number, random.uniform(-1.5, 0.2));
  }
  for (Index k = 0; k < joints; ++k) {
    const Index row = builder.add_direction(k, k + 1, random_vector(3, random), direction());
    builder.set_bilateral_offset(row, random.uniform(-0.1, 0.1));
  }
  return builder.build();
}

// dv⁺ is what differences of certified solves converge to, whatever changes: state, forces, step, offsets,
// coefficients, masses and rows, in problems with contacts in every state.
TEST(ContactGradient, IsTheLimitOfDifferencesInSpace) {
  std::array<int, 3> seen{};
  for (int k = 0; k < 30; ++k) {
    Random random(static_cast<std::uint64_t>(k));
    expect_limit_of_differences(flying_bodies(k % 3, 0.0, 0.0, random), random, "problem " + std::to_string(k), &seen);
  }
  for (const int count : seen) EXPECT_GE(count, 4);
}

// The same with friction against spinning and rolling: elliptic cones.
TEST(ContactGradient, IsTheLimitOfDifferencesWithTurning) {
  std::array<int, 3> seen{};
  for (int k = 0; k < 30; ++k) {
    Random random(static_cast<std::uint64_t>(200 + k));
    const double mu_spin = 0.3, mu_roll = k % 2 == 0 ? 0.2 : 0.0;
    expect_limit_of_differences(flying_bodies(k % 2, mu_spin, mu_roll, random), random, "problem " + std::to_string(k),
                                &seen);
  }
  for (const int count : seen) EXPECT_GE(count, 4);
}

// The same with rows of dry friction, stuck and sliding, between limits and contacts in the cone problem.
TEST(ContactGradient, IsTheLimitOfDifferencesWithDryFriction) {
  std::array<int, 3> seen{};
  int stuck = 0, slid = 0;
  for (int k = 0; k < 20; ++k) {
    Random random(static_cast<std::uint64_t>(400 + k));
    ContactProblem problem = flying_bodies(k % 2, k % 3 == 0 ? 0.3 : 0.0, 0.0, random);
    if (k % 2 == 0) {  // the first contact as a limit, out of reach: in the cone problem rows D stand behind it
      problem.b_N(0) = 5.0;
      Contact limit;
      limit.kind = RowKind::kLimit;
      limit.gap = problem.contacts[0].gap;
      problem.contacts[0] = limit;
      for (BlockRows* rows : {&problem.S, &problem.T, &problem.spin, &problem.roll_s, &problem.roll_t}) {
        for (int side = 0; side < 2 && rows->rows() > 0; ++side) {
          const Index block = rows->block(0, side);
          if (block >= 0) std::fill_n(rows->values(0, side), rows->layout().size(block), 0.0);
        }
      }
    }
    testing::add_dry_rows(problem, 3, random, 0.1, 10.0);
    const ContactSolution solution = solve_well(problem).solution;
    for (Index i = 0; i < 3; ++i) (std::abs(solution.f_d(i)) < 0.999999 * problem.bound(i) ? stuck : slid) += 1;
    expect_limit_of_differences(problem, random, "problem " + std::to_string(k), &seen);
  }
  for (const int count : seen) EXPECT_GE(count, 4);
  EXPECT_GE(stuck, 10);
  EXPECT_GE(slid, 10);
}

// A slider with a brake: v⁺ = v + (h f − bound)/m where it slides, and 0 where it sticks; on the edge both are right.
TEST(ContactGradient, OfABrakedSlider) {
  const auto gradient_at = [](double bound) {
    ContactBuilder builder;
    builder.add_tree(MatrixXd::Constant(1, 1, 2.0));
    builder.set_velocity(0, VectorXd::Constant(1, 3.0));
    builder.add_dry_friction({{0, VectorXd::Constant(1, 1.0)}}, bound);
    const ContactProblem problem = builder.build();
    return gradient_of(problem, solve_well(problem));
  };
  const ContactGradient slides = gradient_at(1.0), sticks = gradient_at(7.0), edge = gradient_at(6.0);
  EXPECT_FALSE(slides.set_valued());
  EXPECT_NEAR(slides.adjoint(VectorXd::Ones(1)).bound(0), -0.5, 1e-12);
  EXPECT_NEAR(slides.adjoint(VectorXd::Ones(1)).v(0), 1.0, 1e-12);
  ContactChange change;
  change.bound = VectorXd::Constant(1, 0.1);
  EXPECT_NEAR(slides.forward(change)(0), -0.05, 1e-13);
  EXPECT_FALSE(sticks.set_valued());
  EXPECT_NEAR(sticks.adjoint(VectorXd::Ones(1)).bound(0), 0.0, 1e-12);
  EXPECT_NEAR(sticks.over_v()(0, 0), 0.0, 1e-12);
  EXPECT_TRUE(edge.set_valued());
  EXPECT_EQ(edge.undecided_dry(), (IndexList{0}));
}

// The same in the plane.
TEST(ContactGradient, IsTheLimitOfDifferencesInThePlane) {
  std::array<int, 3> seen{};
  for (int k = 0; k < 12; ++k) {
    Random random(static_cast<std::uint64_t>(300 + k));
    ContactBuilder builder;
    builder.set_step(0.05);
    for (Index b = 0; b < 3; ++b) {
      const VectorXd centre = random_vector(2, random);
      const Index body = builder.add_planar_body(random.uniform(0.5, 2.0), random.uniform(0.2, 0.5), centre);
      builder.set_velocity(body, random_vector(3, random));
      Contact contact;
      contact.mu = random.uniform(0.2, 0.9);
      builder.add_planar_contact(body, b == 0 ? ContactBuilder::kWorld : b - 1, random_vector(2, random),
                                 random_vector(2, random).normalized(), contact);
    }
    builder.add_gravity({0.0, -kEarthGravity, 0.0});
    expect_limit_of_differences(builder.build(), random, "problem " + std::to_string(k), &seen);
  }
  for (const int count : seen) EXPECT_GE(count, 4);
}

// A block of 2 kg on four points.
ContactProblem pushed_block(double mu, double force) {
  ContactBuilder builder;
  const Index body = builder.add_body(2.0, box_inertia(2.0, {0.4, 0.4, 0.1}), {0.0, 0.0, 0.05});
  for (const double x : {-0.2, 0.2}) {
    for (const double y : {-0.2, 0.2}) {
      builder.add_contact(body, ContactBuilder::kWorld, {x, y, 0.0}, {0.0, 0.0, 1.0}, {.mu = mu});
    }
  }
  builder.add_gravity({0.0, 0.0, -kEarthGravity});
  builder.add_force(body, (VectorXd(6) << force, 0, 0, 0, 0, 0).finished());
  return builder.build();
}

// Pushed along x it slides with v⁺ = h (f − mu m g)/m, of which every derivative is known.
TEST(ContactGradient, OfASlidingBlock) {
  const ContactProblem problem = pushed_block(0.5, 20.0);
  const ContactAnswer answer = solve_well(problem);
  const ContactGradient gradient = gradient_of(problem, answer);
  EXPECT_FALSE(gradient.set_valued());
  EXPECT_NEAR(gradient.over_v()(0, 0), 1.0, 1e-9);
  EXPECT_NEAR(gradient.over_f()(0, 0), problem.h / 2.0, 1e-9);
  EXPECT_NEAR(gradient.over_f()(0, 2), 0.5 * problem.h / 2.0, 1e-9);  // lifting it takes load off
  EXPECT_NEAR(gradient.over_mu().row(0).sum(), -problem.h * kEarthGravity, 1e-9);
  // The gradient of the speed over everything, at once.
  const ContactChange over = gradient.adjoint(VectorXd::Unit(6, 0));
  EXPECT_NEAR(over.f(0), problem.h / 2.0, 1e-9);
  EXPECT_NEAR(over.h, 20.0 / 2.0 - 0.5 * kEarthGravity, 1e-9);
  EXPECT_NEAR(over.mu.sum(), -problem.h * kEarthGravity, 1e-9);
  EXPECT_NEAR(over.mass.block(0)(0, 0), -answer.v_next(0) / 2.0, 1e-9);
}

// Four points carry a block that slides straight on. Who carries how much is open; the motion is not.
TEST(ContactGradient, RedundantContactsHaveOneMotion) {
  ContactProblem problem = pushed_block(0.5, 20.0);
  problem.f(1) = 3.0;
  const ContactAnswer answer = solve_well(problem);
  const ContactGradient gradient = gradient_of(problem, answer);
  EXPECT_FALSE(gradient.set_valued());
  Random random(5);
  ContactChange change;  // what lets it slide straight on
  change.v = random_vector(6, random);
  change.f = 100.0 * random_vector(6, random);
  change.v.tail(3).setZero();
  change.f.tail(3).setZero();
  change.mu = VectorXd::Constant(4, 0.3);
  const VectorXd found = gradient.forward(change), expected = differences(problem, answer, change, 1e-6);
  EXPECT_LE((found - expected).norm(), 1e-5 * (1.0 + expected.norm()));
}

// A joint that is there twice: its rows are redundant, v⁺ does not notice.
TEST(ContactGradient, RedundantJointsHaveOneMotion) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(600 + k));
    const ContactProblem once = flying_bodies(2, 0.0, 0.0, random);
    ContactProblem twice = once;
    for (Index i = 0; i < 2; ++i) twice.J.add_row(once.J.row(i)[0], once.J.row(i)[1]);
    twice.b_J = once.b_J.replicate(2, 1);
    twice.a_J = once.a_J.replicate(2, 1);
    const ContactAnswer answer = solve_well(twice);
    const ContactGradient gradient = gradient_of(twice, answer);
    EXPECT_FALSE(gradient.set_valued()) << k;
    ContactChange change;
    change.v = random_vector(once.dof(), random);
    change.f = 10.0 * random_vector(once.dof(), random);
    change.mu = 0.1 * random_vector(once.size(), random);
    const VectorXd found = gradient.forward(change), expected = differences(twice, answer, change, kStep);
    EXPECT_LE((found - expected).norm(), 1e-5 * (1.0 + expected.norm())) << k;
    EXPECT_LE((found - gradient_of(once, solve_well(once)).forward(change)).norm(), 1e-8 * (1.0 + found.norm())) << k;
  }
}

// What sticks does not follow small pushes; at the limit of friction it may, and the flag says so.
TEST(ContactGradient, KnowsTheStickSlipBoundary) {
  const double limit = 0.5 * 2.0 * kEarthGravity;
  const auto gradient_at = [](double force) {
    const ContactProblem problem = pushed_block(0.5, force);
    return gradient_of(problem, solve_well(problem));
  };
  const ContactGradient sticks = gradient_at(0.9 * limit), slides = gradient_at(1.1 * limit), edge = gradient_at(limit);
  EXPECT_LE(sticks.over_f().norm(), 1e-9);
  EXPECT_FALSE(sticks.set_valued());
  EXPECT_FALSE(slides.set_valued());
  EXPECT_TRUE(edge.set_valued());
  EXPECT_FALSE(edge.undecided().empty());
}

// A step without friction: the derivative over mu is that of friction that begins.
TEST(ContactGradient, AtZeroFriction) {
  ContactProblem problem = pushed_block(0.0, 20.0);
  problem.v(0) = 1.0;
  const ContactGradient gradient = gradient_of(problem, solve_well(problem));
  EXPECT_FALSE(gradient.set_valued());
  EXPECT_NEAR(gradient.over_mu().row(0).sum(), -problem.h * kEarthGravity, 1e-9);
  EXPECT_NEAR(gradient.over_v()(0, 0), 1.0, 1e-9);
}

// Columns of the matrices are what forward() gives; the one over b_N is the transpose of what the adjoint gives.
TEST(ContactGradient, MatricesAgreeWithTheAdjoint) {
  Random random(7);
  const ContactProblem problem = flying_bodies(2, 0.0, 0.0, random);
  const ContactGradient gradient = gradient_of(problem, solve_well(problem));
  const MatrixXd over_v = gradient.over_v(), over_f = gradient.over_f(), over_mu = gradient.over_mu(),
                 over_b_N = gradient.over_b_N();
  for (Index i = 0; i < problem.dof(); ++i) {
    const ContactChange row = gradient.adjoint(VectorXd::Unit(problem.dof(), i));
    EXPECT_LE((over_v.row(i).transpose() - row.v).norm(), 1e-11 * over_v.norm());
    EXPECT_LE((over_f.row(i).transpose() - row.f).norm(), 1e-11 * over_f.norm());
    EXPECT_LE((over_mu.row(i).transpose() - row.mu).norm(), 1e-11 * (1.0 + over_mu.norm()));
    EXPECT_LE((over_b_N.row(i).transpose() - row.b_N).norm(), 1e-11 * over_b_N.norm());
  }
}

// Only answers have derivatives.
TEST(ContactGradient, RefusesWhatIsNoAnswer) {
  const ContactProblem problem = pushed_block(0.5, 20.0);
  ContactSolution wrong = solve_well(problem).solution;
  wrong.f_s *= 0.9;
  const Expected<ContactGradient> made = ContactGradient::make(problem, wrong);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().where, "solution");
  ContactProblem accelerations = problem;
  accelerations.level = Level::kAcceleration;
  EXPECT_FALSE(ContactGradient::make(accelerations, wrong).has_value());
}

// --- Matrices ---

// The matrices of a contact problem: M, Hᵀ = rows, f = M v + h f.
GlobalFriction as_global(const ContactProblem& problem) {
  GlobalFriction result;
  const Index n = problem.size(), m = problem.dof();
  const MatrixXd N = problem.N.to_dense(), S = problem.S.to_dense(), T = problem.T.to_dense();
  MatrixXd H(m, 3 * n);
  result.w = VectorXd::Zero(3 * n);
  result.mu.resize(n);
  for (Index i = 0; i < n; ++i) {
    H.col(3 * i) = N.row(i).transpose();
    H.col(3 * i + 1) = S.row(i).transpose();
    H.col(3 * i + 2) = T.row(i).transpose();
    result.w(3 * i) = problem.b_N(i);
    result.mu(i) = problem.contacts[static_cast<std::size_t>(i)].mu;
  }
  result.M = problem.mass.to_dense().sparseView();
  result.H = H.sparseView();
  result.f = problem.mass.multiply(problem.v) + problem.h * problem.f;
  result.G = MatrixXd(problem.J.to_dense().transpose()).sparseView();
  result.b = problem.b_J;
  return result;
}

template <typename Problem>
FrictionAnswer solve_matrices_well(const Problem& problem) {
  SolveOptions options;
  options.tolerance = 1e-12;
  FrictionAnswer answer = solve(problem, options);
  EXPECT_EQ(answer.status, Status::kSolved) << answer.certificate.worst;
  return answer;
}

// u and v of a global problem follow f, w, b and mu, with joints and without.
TEST(FrictionGradient, OfGlobalProblems) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(400 + k));
    ContactProblem bodies = flying_bodies(k % 3, 0.0, 0.0, random);
    for (Contact& contact : bodies.contacts) contact.compliance = contact.tangential_compliance = 0.0;
    const GlobalFriction problem = as_global(bodies);
    const FrictionAnswer answer = solve_matrices_well(problem);
    const FrictionGradient gradient = std::move(FrictionGradient::make(problem, answer.solution)).value();
    EXPECT_FALSE(gradient.set_valued()) << k;
    EXPECT_EQ(gradient.states(), answer.states) << k;
    FrictionChange change;
    change.f = random_vector(problem.f.size(), random);
    change.w = random_vector(problem.w.size(), random);
    change.b = random_vector(problem.b.size(), random);
    change.mu = 0.1 * random_vector(problem.mu.size(), random);
    const auto moved = [&](double step) {
      GlobalFriction other = problem;
      other.f += step * change.f;
      other.w += step * change.w;
      other.b += step * change.b;
      other.mu += step * change.mu;
      return solve_matrices_well(other).solution;
    };
    const FrictionSolution plus = moved(kStep), minus = moved(-kStep);
    const VectorXd u = (plus.u - minus.u) / (2.0 * kStep), v = (plus.v - minus.v) / (2.0 * kStep);
    const FrictionGradient::Tangent found = gradient.forward(change);
    EXPECT_LE((found.u - u).norm(), 1e-5 * (1.0 + u.norm())) << k;
    EXPECT_LE((found.v - v).norm(), 1e-5 * (1.0 + v.norm())) << k;
    const VectorXd g_u = random_vector(u.size(), random), g_v = random_vector(v.size(), random);
    const FrictionChange over = gradient.adjoint(g_u, g_v);
    double sum = over.f.dot(change.f) + over.w.dot(change.w) + over.mu.dot(change.mu);
    if (problem.b.size() > 0) sum += over.b.dot(change.b);
    EXPECT_NEAR(sum, g_u.dot(found.u) + g_v.dot(found.v), 1e-11 * (1.0 + u.norm() + v.norm())) << k;
  }
}

// u of a local problem follows W, q and mu.
TEST(FrictionGradient, OfLocalProblems) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(500 + k));
    LocalFriction problem;
    const Index n = 4, rows = 3 * n;
    MatrixXd H(rows, 2 * rows);
    for (Index j = 0; j < H.cols(); ++j) H.col(j) = random_vector(rows, random);
    const MatrixXd W = H * H.transpose() / static_cast<double>(rows);
    problem.W = W.sparseView();
    problem.q = random_vector(rows, random);
    for (Index i = 0; i < n; ++i) problem.q(3 * i) -= 0.4;
    problem.mu = VectorXd::Constant(n, 0.4);
    const FrictionAnswer answer = solve_matrices_well(problem);
    const FrictionGradient gradient = std::move(FrictionGradient::make(problem, answer.solution)).value();
    FrictionChange change;
    MatrixXd dW(rows, rows);
    for (Index j = 0; j < rows; ++j) dW.col(j) = random_vector(rows, random);
    change.W = dW.sparseView();
    change.q = random_vector(rows, random);
    change.mu = random_vector(n, random);
    const auto moved = [&](double step) {
      LocalFriction other = problem;
      other.W = MatrixXd(W + step * dW).sparseView();
      other.q += step * change.q;
      other.mu += step * change.mu;
      return solve_matrices_well(other).solution.u;
    };
    const VectorXd u = (moved(kStep) - moved(-kStep)) / (2.0 * kStep);
    const FrictionGradient::Tangent found = gradient.forward(change);
    EXPECT_LE((found.u - u).norm(), 1e-5 * (1.0 + u.norm())) << k;
    const VectorXd g = random_vector(rows, random);
    const FrictionChange over = gradient.adjoint(g);
    const double sum = MatrixXd(over.W).cwiseProduct(dW).sum() + over.q.dot(change.q) + over.mu.dot(change.mu);
    EXPECT_NEAR(sum, g.dot(found.u), 1e-11 * (1.0 + u.norm())) << k;
  }
}

}  // namespace
}  // namespace tribo
