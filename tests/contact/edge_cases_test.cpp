// Table G of the specification, row by row: the edge cases every solver must pass.
#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/registry.hpp"

#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace tribo {
namespace {

const ContactModel kAllModels[] = {Frictionless{},    NoSlip{},          Viscous{},
                                   CoulombPyramid{4}, CoulombPyramid{8}, FrictionBox{}};
const ContactModel kQpModels[] = {Frictionless{}, NoSlip{}, Viscous{}};

double whitened_distance(const ContactProblem& problem, const VectorXd& a, const VectorXd& b) {
  const VectorXd difference = a - b;
  return std::sqrt(difference.dot(problem.mass.multiply(difference)));
}

double momentum_scale(const ContactProblem& problem) {
  const VectorXd impulse = problem.mass.multiply(problem.v) + problem.h * problem.f;
  return 1.0 + impulse.norm();
}

ContactAnswer solved(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options = {}) {
  ContactAnswer answer = solve(problem, model, options);
  EXPECT_EQ(answer.status, Status::kSolved) << to_string(model) << " " << problem.name << ": " << answer.report.detail;
  EXPECT_LE(answer.certificate.worst, 1e-9) << to_string(model) << " " << problem.name;
  return answer;
}

// Every contact listed `copies` times.
ContactProblem duplicated(const ContactProblem& problem, int copies) {
  ContactProblem many = problem;
  const BlockLayout& layout = problem.mass.layout();
  many.N = BlockRows(layout);
  many.S = BlockRows(layout);
  many.T = BlockRows(layout);
  many.contacts.clear();
  many.b_N.resize(problem.size() * copies);
  many.a_N.resize(problem.size() * copies);
  Index row = 0;
  for (int copy = 0; copy < copies; ++copy) {
    for (Index i = 0; i < problem.size(); ++i, ++row) {
      many.N.add_row(problem.N.row(i)[0], problem.N.row(i)[1]);
      many.S.add_row(problem.S.row(i)[0], problem.S.row(i)[1]);
      many.T.add_row(problem.T.row(i)[0], problem.T.row(i)[1]);
      many.contacts.push_back(problem.contacts[i]);
      many.contacts.back().mu_v /= copies;  // the same viscosity, shared
      many.b_N(row) = problem.b_N(i);
      many.a_N(row) = problem.a_N(i);
    }
  }
  return many;
}

Index active_rows(const ContactAnswer& answer) { return (answer.solution.f_n.array() > 0.0).count(); }

// n = 0; n = 1 separating; all q ≥ 0: zero forces, zero pivots, v⁺ = v_p.
TEST(EdgeCases, NothingTouching) {
  ContactBuilder builder;
  builder.add_body(2.0, sphere_inertia(2.0, 0.1), Vector3d::Zero());
  builder.set_velocity(0, (VectorXd(6) << 1.0, 2.0, 3.0, 0.1, 0.2, 0.3).finished());
  builder.add_gravity(Vector3d(0.0, 0.0, -9.81));
  const ContactProblem alone = builder.build();
  SphereSettings leaving;
  leaving.velocity = Vector3d(1.0, 0.0, 0.5);
  ContactProblem separating = sphere_on_plane(leaving);
  separating.contacts[0].friction_bound = 0.0;  // a box does not ask whether the contact is closed
  for (const ContactModel& model : kAllModels) {
    const ContactAnswer free = solved(alone, model);
    EXPECT_NEAR(free.v_next(2), 3.0 - 9.81 * alone.h, 1e-14);
    EXPECT_EQ(free.report.pivots, 0);
    if (std::holds_alternative<NoSlip>(model)) continue;  // sticks also where it separates: see below
    const ContactAnswer apart = solved(separating, model);
    EXPECT_EQ(apart.report.pivots, 0) << to_string(model);
    EXPECT_EQ(apart.solution.f_n(0), 0.0) << to_string(model);
  }
}

// n = 1 approaching: closed form f_n = −e/F.
TEST(EdgeCases, OneContactHasAClosedForm) {
  SphereSettings settings;
  settings.velocity = Vector3d(0.0, 0.0, -1.0);
  const ContactProblem problem = sphere_on_plane(settings);
  const double expected = settings.mass * (1.0 + 9.81 * settings.h);
  for (const ContactModel& model : kAllModels) {
    EXPECT_NEAR(solved(problem, model).solution.f_n(0), expected, 1e-12 * expected) << to_string(model);
  }
}

// A sphere that slides keeps |f_t| = mu f_n against the slip; one that can stick rolls.
TEST(EdgeCases, SphereSlidesOrSticks) {
  SphereSettings settings;
  settings.velocity = Vector3d(1.0, 0.0, -0.1);
  settings.mu = 0.05;
  const ContactProblem sliding = sphere_on_plane(settings);
  const ContactAnswer slides = solved(sliding, CoulombPyramid{8});
  const Vector3d f = slides.contacts[0].impulse;
  EXPECT_NEAR(std::hypot(f(0), f(1)), 0.05 * f(2), 1e-12);
  EXPECT_LT(f.head<2>().dot(slides.contacts[0].velocity.head<2>()), 0.0);
  settings.mu = 5.0;
  const ContactAnswer sticks = solved(sphere_on_plane(settings), CoulombPyramid{8});
  EXPECT_LT(sticks.contacts[0].velocity.norm(), 1e-12);
}

// Exact duplicates (2 … 20 copies), 8 coplanar contacts on one face: same v⁺, |A| ≤ m − rank E, finite forces.
TEST(EdgeCases, DuplicatesChangeNothing) {
  Random random(3);
  const ContactProblem face = block_on_face(8, 0.2, random);
  for (const int copies : {2, 5, 20}) {
    const ContactProblem many = duplicated(face, copies);
    for (const ContactModel& model : kQpModels) {
      const ContactAnswer one = solved(face, model), all = solved(many, model);
      EXPECT_LT(whitened_distance(face, one.v_next, all.v_next), 1e-12) << to_string(model) << " " << copies;
      NormalFormulation formulation;
      ASSERT_TRUE(formulation.update(many, model).has_value());
      EXPECT_LE(active_rows(all), many.dof() - formulation.equality_rank()) << to_string(model);
      EXPECT_TRUE(all.solution.f_n.allFinite());
    }
  }
  const ContactProblem twice = duplicated(face, 2);
  solved(twice, CoulombPyramid{8});
  solved(twice, FrictionBox{});
}

// n = 500 on one body: the QP models need about ten iterations.
TEST(EdgeCases, ManyContactsOnOneBodyNeedFewPivots) {
  Random random(5);
  for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(NoSlip{})}) {
    EXPECT_LE(solved(peg_in_hole(500, random), model).report.pivots, 15) << to_string(model);
    EXPECT_LE(solved(block_on_face(500, 0.3, random), model).report.pivots, 15) << to_string(model);
  }
}

// mu = 0 equals frictionless to 1e-12.
TEST(EdgeCases, ZeroFrictionIsFrictionless) {
  Random random(7);
  for (int k = 0; k < 10; ++k) {
    ContactProblem problem = random_bodies({.bodies = 2, .contacts = 6}, random);
    for (Contact& contact : problem.contacts) contact.mu = contact.mu_v = contact.friction_bound = 0.0;
    const VectorXd frictionless = solved(problem, Frictionless{}).v_next;
    for (const ContactModel& model :
         {ContactModel(CoulombPyramid{8}), ContactModel(FrictionBox{}), ContactModel(Viscous{})}) {
      EXPECT_LT(whitened_distance(problem, solved(problem, model).v_next, frictionless),
                1e-12 * momentum_scale(problem))
          << to_string(model);
    }
  }
}

// mu = 1e3, 1e6, 1e20: no NaN; equals no-slip when every contact stays loaded.
TEST(EdgeCases, HugeFriction) {
  for (const double mu : {1e3, 1e6, 1e20}) {
    const ContactProblem grasp = grasp_row(2, 4, mu);
    const ContactAnswer answer = solve(grasp, CoulombPyramid{4});
    ASSERT_TRUE(answer.v_next.allFinite()) << mu;
    EXPECT_EQ(answer.status, Status::kSolved) << mu << ": " << answer.report.detail;
    EXPECT_LT((answer.v_next - solved(grasp, NoSlip{}).v_next).norm(), 1e-9) << mu;
  }
}

// At rest under gravity, on a slope inside and outside the cone: v⁺ = 0 within 1e-12, or it slides; no cycling.
TEST(EdgeCases, RestAndSlope) {
  Random random(9);
  const double mu = 0.5;
  for (const double slope : {0.0, std::atan(mu) - 0.01, std::atan(mu) + 0.01, 1.0}) {
    ContactProblem problem = block_on_face(4, slope, random);
    problem.v.setZero();
    for (Contact& contact : problem.contacts) contact.mu = mu;
    // The polygon is exact along its directions: gravity's pull down the slope is along an axis of the contact frame.
    const ContactAnswer answer = solved(problem, CoulombPyramid{8});
    if (slope < std::atan(mu)) {
      EXPECT_LT(answer.v_next.norm(), 1e-12) << slope;
    } else {
      EXPECT_GT(answer.v_next.head<3>().norm(), 1e-5) << slope;
    }
    EXPECT_LT(solved(problem, NoSlip{}).v_next.norm(), 1e-12) << slope;
  }
}

// Mass ratio 1e6 and 1e-6: residual below 1e-9 relative to momentum.
TEST(EdgeCases, MassRatios) {
  for (const double top : {1e-6, 1.0, 1e6}) {
    ContactBuilder builder;
    const Vector3d edges(0.2, 0.2, 0.1);
    builder.add_body(1.0, box_inertia(1.0, edges), Vector3d(0.0, 0.0, 0.05));
    builder.add_body(top, box_inertia(top, edges), Vector3d(0.0, 0.0, 0.15));
    builder.add_gravity(Vector3d(0.0, 0.0, -9.81));
    Contact properties;
    properties.mu = 0.5;
    properties.friction_bound = 1e6;
    for (const double z : {0.0, 0.1}) {
      for (const double x : {-0.1, 0.1}) {
        for (const double y : {-0.1, 0.1}) {
          const Index below = z == 0.0 ? ContactBuilder::kWorld : 0;
          builder.add_contact(below + 1, below, Vector3d(x, y, z), Vector3d::UnitZ(), properties);
        }
      }
    }
    const ContactProblem stack = builder.build();
    for (const ContactModel& model : kAllModels) {
      const ContactAnswer answer = solved(stack, model);
      EXPECT_LT(answer.v_next.norm(), 1e-9) << to_string(model) << " " << top;
    }
  }
}

// Opposing normals without overlap are a jam that holds; with overlap there is no answer, and that is proved.
TEST(EdgeCases, Jams) {
  for (const ContactModel& model : kAllModels) {
    const ContactAnswer holds = solved(jam(false), model);
    EXPECT_TRUE(holds.solution.f_n.allFinite());
    const ContactAnswer squeezed = solve(jam(true), model);
    EXPECT_FALSE(is_solved(squeezed.status)) << to_string(model);
    if (std::holds_alternative<CoulombPyramid>(model)) {
      EXPECT_TRUE(squeezed.status == Status::kRay || squeezed.status == Status::kInfeasible)
          << to_string(squeezed.status);
    } else {
      EXPECT_EQ(squeezed.status, Status::kInfeasible) << to_string(model);
      EXPECT_EQ(squeezed.infeasibility.verdict, Verdict::kInfeasible) << to_string(model);
    }
  }
}

// The relaxed policy (spec A.5) eases both walls by what they overlap: the sphere stays, and the answer says so.
TEST(EdgeCases, RelaxedJams) {
  const ContactProblem squeezed = jam(true);
  for (const ContactModel& model : kAllModels) {
    SolveOptions options;
    options.relax = true;
    const ContactAnswer answer = solve(squeezed, model, options);
    ASSERT_EQ(answer.status, Status::kSolvedReduced) << to_string(model) << " " << answer.report.detail;
    EXPECT_LT((answer.eased - VectorXd::Constant(2, 0.1)).norm(), 1e-6) << to_string(model);
    for (Index i = 0; i < 2; ++i) EXPECT_LT(std::abs(squeezed.N.dot(i, answer.v_next)), 1e-6) << to_string(model);
    options.relax = false;
    EXPECT_EQ(solve(squeezed, model, options).eased.size(), 0);
  }
  SolveOptions options;
  options.relax = true;
  EXPECT_EQ(solve(jam(false), Frictionless{}, options).status, Status::kSolved);
}

// Nearly opposing normals (angle 1e-5 … 1e-7): the QR path keeps the error of w below 1e-9.
TEST(EdgeCases, NearJams) {
  for (const double angle : {1e-5, 1e-6, 1e-7}) {
    const ContactProblem problem = jam(false, angle);
    for (const char* solver : {"dual-active-set", "ppm"}) {
      const ContactAnswer answer = solved(problem, Frictionless{}, {.solver = solver});
      for (const auto& contact : answer.contacts) EXPECT_GT(contact.velocity(2), -1e-9) << angle;
    }
  }
}

// Three orthogonal walls, no-slip: pure projection; an offset that asks for motion is infeasible.
TEST(EdgeCases, NoSlipInACorner) {
  ContactBuilder builder;
  builder.add_body(1.0, box_inertia(1.0, Vector3d(0.2, 0.2, 0.2)), Vector3d::Zero());
  builder.set_velocity(0, (VectorXd(6) << -1.0, -1.0, -1.0, 0.5, 0.0, 0.0).finished());
  builder.add_contact(0, ContactBuilder::kWorld, Vector3d(-0.1, 0.0, 0.0), Vector3d::UnitX());
  builder.add_contact(0, ContactBuilder::kWorld, Vector3d(0.0, -0.1, 0.0), Vector3d::UnitY());
  builder.add_contact(0, ContactBuilder::kWorld, Vector3d(0.0, 0.0, -0.1), Vector3d::UnitZ());
  const ContactAnswer held = solved(builder.build(), NoSlip{});
  EXPECT_LT(held.v_next.norm(), 1e-12);
  EXPECT_EQ(held.report.pivots, 0);
  builder.set_normal_offset(0, -0.1);
  EXPECT_EQ(solve(builder.build(), NoSlip{}).status, Status::kInfeasible);
}

// No-slip with a separating contact sticks all the same: documented behaviour B.1, with its number.
TEST(EdgeCases, NoSlipSticksWhereItSeparates) {
  SphereSettings settings;
  settings.velocity = Vector3d(1.0, 0.0, 0.5);
  ContactProblem problem = sphere_on_plane(settings);
  problem.f.setZero();
  const VectorXd v = solved(problem, NoSlip{}).v_next;
  EXPECT_NEAR(v(0), 1.0 / 1.4, 1e-12);  // 5/7 of the speed stays, the rest becomes spin
  EXPECT_NEAR(v(2), 0.5, 1e-15);
  EXPECT_NEAR(v.tail<3>().norm(), v(0) / settings.radius, 1e-10);
  for (Contact& contact : problem.contacts) contact.mu = 1e6;
  EXPECT_LT((solved(problem, CoulombPyramid{8}).v_next - problem.v).norm(), 1e-15);
}

// Redundant consistent J rows: same v⁺ as with the rank-reduced J; contradictory ones are reported with proof.
TEST(EdgeCases, RedundantAndContradictoryBilateralRows) {
  Random random(11);
  for (int k = 0; k < 20; ++k) {
    ContactProblem problem = random_bodies({.bodies = 3, .contacts = 6, .bilateral = 2}, random);
    ContactProblem redundant = problem;
    redundant.J.add_row(problem.J.row(0)[0], problem.J.row(0)[1]);
    redundant.b_J.conservativeResize(3);
    redundant.a_J.conservativeResize(3);
    redundant.b_J(2) = problem.b_J(0);
    redundant.a_J(2) = problem.a_J(0);
    for (const ContactModel& model : kAllModels) {
      if (std::holds_alternative<NoSlip>(model)) continue;  // S and T rows may contradict a random b_J (spec A.5)
      const ContactAnswer one = solve(problem, model), two = solve(redundant, model);
      EXPECT_EQ(one.status, two.status) << to_string(model);
      if (is_solved(one.status) && !std::holds_alternative<CoulombPyramid>(model)) {
        EXPECT_LT(whitened_distance(problem, one.v_next, two.v_next), 1e-9 * momentum_scale(problem))
            << to_string(model);
      }
    }
    redundant.b_J(2) += 0.3;
    const ContactAnswer contradiction = solve(redundant, Frictionless{});
    EXPECT_EQ(contradiction.status, Status::kInconsistentEqualities);
    EXPECT_EQ(contradiction.infeasibility.verdict, Verdict::kInfeasible);
  }
}

// b_J ≠ 0: in the friction models the offset also enters the tangential rows (b_s of spec C.1).
TEST(EdgeCases, BilateralRowsThatMove) {
  Random random(37);
  int solved_count = 0;
  for (int k = 0; k < 100; ++k) {
    ContactProblem problem = random_bodies({.bodies = 3, .contacts = 6, .bilateral = 2}, random);
    for (Index i = 0; i < problem.bilateral(); ++i) problem.b_J(i) = random.uniform(-0.5, 0.5);
    for (const ContactModel& model : kAllModels) {
      if (std::holds_alternative<NoSlip>(model)) continue;  // easily contradictory (spec A.5)
      const ContactAnswer answer = solve(problem, model);
      solved_count += is_solved(answer.status) ? 1 : 0;
      EXPECT_TRUE(is_solved(answer.status) || answer.infeasibility.verdict != Verdict::kRejected)
          << k << " " << to_string(model) << " " << answer.report.detail;
    }
  }
  EXPECT_GT(solved_count, 450);
}

// All degrees of freedom fixed by J: v⁺ from J alone, w = e.
TEST(EdgeCases, EverythingFixedByBilateralRows) {
  SphereSettings settings;
  ContactProblem problem = sphere_on_plane(settings);
  for (Index i = 0; i < 6; ++i) {
    const VectorXd unit = VectorXd::Unit(6, i);
    problem.J.add_row({0, std::span<const double>(unit.data(), 6)});
  }
  problem.b_J = VectorXd::Zero(6);
  problem.a_J = VectorXd::Zero(6);
  problem.b_J(2) = -0.25;  // moves up with 0.25 m/s
  for (const ContactModel& model : kAllModels) {
    if (std::holds_alternative<NoSlip>(model)) continue;
    const ContactAnswer answer = solved(problem, model);
    EXPECT_NEAR(answer.v_next(2), 0.25, 1e-14) << to_string(model);
    EXPECT_NEAR(answer.contacts[0].velocity(2), 0.25, 1e-14) << to_string(model);
  }
}

// Painlevé rod, mu = 2, theta = 1 rad: no answer at acceleration level (effective A = −0.85), one at velocity level.
TEST(EdgeCases, PainleveRod) {
  const ContactProblem rod = painleve_rod(2.0, 1.0);
  solved(rod, CoulombPyramid{4});
  // Sliding contact at acceleration level: one row, f_n times (N + mu-weighted friction) in F.
  const MatrixXd N = rod.N.to_dense();
  const MatrixXd S = rod.S.to_dense(), T = rod.T.to_dense();
  const Eigen::Vector2d slip(S.row(0).dot(rod.v), T.row(0).dot(rod.v));
  const VectorXd direction = N.transpose() - 2.0 * (S.transpose() * slip(0) + T.transpose() * slip(1)) / slip.norm();
  const MatrixXd mass = rod.mass.to_dense();
  const VectorXd acceleration = mass.diagonal().cwiseInverse().cwiseProduct(direction);
  const double A = N.row(0).dot(acceleration);
  EXPECT_NEAR(A, -0.85, 0.01);
  const VectorXd free = mass.diagonal().cwiseInverse().cwiseProduct(rod.f);
  const LcpAnswer answer = solve(Lcp{MatrixXd::Constant(1, 1, A), VectorXd::Constant(1, N.row(0).dot(free))});
  EXPECT_EQ(answer.status, Status::kInfeasible);
}

// Restitution 0.6 and 1: N v⁺ = −e N v for a single contact, and kinetic energy does not grow.
TEST(EdgeCases, Restitution) {
  for (const double e : {0.6, 1.0}) {
    SphereSettings settings;
    settings.restitution = e;
    ContactProblem problem = sphere_on_plane(settings);
    problem.f.setZero();
    const double before = problem.v.dot(problem.mass.multiply(problem.v));
    for (const ContactModel& model : kAllModels) {
      const ContactAnswer answer = solved(problem, model);
      EXPECT_NEAR(problem.N.dot(0, answer.v_next), -e * problem.N.dot(0, problem.v), 1e-12) << to_string(model);
      EXPECT_LE(answer.v_next.dot(problem.mass.multiply(answer.v_next)), before * (1.0 + 1e-12)) << to_string(model);
    }
  }
}

// mu_v = 0, 5, 1e6, implicit and explicit: frictionless; dissipative and near no-slip; refused beyond the bound.
TEST(EdgeCases, ViscousFriction) {
  Random random(13);
  ContactProblem problem = block_on_face(4, 0.1, random);
  const auto with = [&](double mu_v) {
    for (Contact& contact : problem.contacts) contact.mu_v = mu_v;
    return problem;
  };
  const VectorXd frictionless = solved(problem, Frictionless{}).v_next;
  for (const bool implicit : {true, false}) {
    EXPECT_LT(whitened_distance(problem, solved(with(0.0), Viscous{implicit}).v_next, frictionless), 1e-12);
  }
  const ContactAnswer damped = solved(with(5.0), Viscous{true});
  const VectorXd free =
      problem.v + problem.h * (problem.mass.to_dense().diagonal().cwiseInverse().cwiseProduct(problem.f));
  EXPECT_LE(damped.v_next.dot(problem.mass.multiply(damped.v_next)), free.dot(problem.mass.multiply(free)));
  solved(with(5.0), Viscous{false});
  const ContactAnswer stiff = solve(with(1e6), Viscous{true});
  EXPECT_EQ(stiff.status, Status::kSolved);
  EXPECT_LT((stiff.v_next - solved(problem, NoSlip{}).v_next).norm(), 1e-3);
  EXPECT_THROW(static_cast<void>(solve(with(1e6), Viscous{false})), ContractError);
  NormalFormulation formulation;
  const auto refused = formulation.update(with(1e6), Viscous{false});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text().find("bound is 2"), std::string::npos) << refused.error().text();
}

// Unit change, lengths × 1000 and masses × 1000: same v⁺ (scaled), same pivots.
TEST(EdgeCases, UnitsDoNotMatter) {
  Random random(17);
  for (int k = 0; k < 20; ++k) {
    // Without redundant contacts: at exact ties rounding decides, and it depends on the units.
    const ContactProblem metres = random_bodies({.bodies = 2, .contacts = 8, .redundant = 0.0}, random);
    ContactProblem other = metres;
    const double length = 1000.0, mass = 1000.0;
    // Linear velocities grow with the unit of length, angular ones do not: v' = D v, rows r' = length · r D⁻¹.
    VectorXd D(12);
    D << length, length, length, 1, 1, 1, length, length, length, 1, 1, 1;
    std::vector<MatrixXd> blocks;
    for (Index b = 0; b < 2; ++b) {
      const VectorXd d = D.segment(6 * b, 6).cwiseInverse() * length;
      blocks.push_back(mass * d.asDiagonal() * metres.mass.block(b) * d.asDiagonal());
    }
    other.mass = BlockDiagonal(blocks);
    const MatrixXd rescale = (length * D.cwiseInverse()).asDiagonal();
    other.v = D.cwiseProduct(metres.v);
    other.f = mass * length * length * D.cwiseInverse().cwiseProduct(metres.f);
    const BlockLayout& layout = metres.mass.layout();
    other.N = BlockRows::from_dense(metres.N.to_dense() * rescale, layout).value();
    other.S = BlockRows::from_dense(metres.S.to_dense() * rescale, layout).value();
    other.T = BlockRows::from_dense(metres.T.to_dense() * rescale, layout).value();
    other.J = BlockRows(layout);
    other.b_N = length * metres.b_N;
    for (const ContactModel& model :
         {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(CoulombPyramid{4})}) {
      const ContactAnswer a = solved(metres, model), b = solved(other, model);
      EXPECT_EQ(a.report.pivots, b.report.pivots) << to_string(model) << " " << k;
      if (std::holds_alternative<CoulombPyramid>(model)) continue;  // v⁺ need not be unique
      EXPECT_LT((D.cwiseInverse().cwiseProduct(b.v_next) - a.v_next).norm(), 1e-9 * (1.0 + a.v_next.norm()))
          << to_string(model) << " " << k;
    }
  }
}

// Row permutation and body permutation: same v⁺ for the QP models.
TEST(EdgeCases, OrderDoesNotMatter) {
  Random random(19);
  for (int k = 0; k < 10; ++k) {
    const ContactProblem problem = random_bodies({.bodies = 3, .contacts = 10}, random);
    ContactProblem shuffled = problem;
    // Bodies in reverse, contacts in reverse.
    const Index m = problem.dof(), n = problem.size();
    MatrixXd swap = MatrixXd::Zero(m, m);
    for (Index b = 0; b < 3; ++b) swap.block(6 * b, 6 * (2 - b), 6, 6).setIdentity();
    const MatrixXd reverse = MatrixXd::Identity(n, n).rowwise().reverse();
    shuffled.mass = BlockDiagonal({problem.mass.block(2), problem.mass.block(1), problem.mass.block(0)});
    shuffled.v = swap * problem.v;
    shuffled.f = swap * problem.f;
    const BlockLayout& layout = problem.mass.layout();
    for (const auto member : {&ContactProblem::N, &ContactProblem::S, &ContactProblem::T}) {
      shuffled.*member =
          BlockRows::from_dense(reverse * (problem.*member).to_dense() * swap.transpose(), layout).value();
    }
    shuffled.b_N = problem.b_N.reverse();
    std::reverse(shuffled.contacts.begin(), shuffled.contacts.end());
    for (const ContactModel& model : kQpModels) {
      const VectorXd v = swap.transpose() * solved(shuffled, model).v_next;
      EXPECT_LT(whitened_distance(problem, v, solved(problem, model).v_next), 1e-10 * momentum_scale(problem))
          << to_string(model);
    }
  }
}

// NaN and Inf, M not positive definite, negative mu, an odd polygon: an error, never a loop.
TEST(EdgeCases, BadInputIsRefused) {
  const auto refuses = [](const std::function<void(ContactProblem&)>& spoil, const ContactModel& model) {
    ContactProblem problem = sphere_on_plane();
    spoil(problem);
    EXPECT_THROW(static_cast<void>(solve(problem, model)), ContractError);
  };
  refuses([](ContactProblem& p) { p.v(1) = std::nan(""); }, NoSlip{});
  refuses([](ContactProblem& p) { p.f(1) = std::numeric_limits<double>::infinity(); }, NoSlip{});
  refuses([](ContactProblem& p) { p.b_N(0) = std::nan(""); }, Frictionless{});
  refuses([](ContactProblem& p) { p.mass = BlockDiagonal({MatrixXd(-MatrixXd::Identity(6, 6))}); }, NoSlip{});
  refuses([](ContactProblem& p) { p.contacts[0].mu = -0.1; }, CoulombPyramid{8});
  refuses([](ContactProblem& p) { p.h = 0.0; }, CoulombPyramid{8});
  EXPECT_FALSE(parse_model("coulomb-pyramid:7").has_value());
  for (const int sides : {7, 0, -4, 2}) refuses([](ContactProblem&) {}, CoulombPyramid{sides});
}

// Random: 1–8 bodies, 1–80 contacts, 60 % redundant, 0–3 J rows, dense and block M: all certified to 1e-8 or refuted.
TEST(EdgeCases, RandomBodies) {
  Random random(23);
  int solved_count = 0, refuted = 0;
  for (int k = 0; k < 9000; ++k) {
    const ContactProblem problem = random_bodies(random);
    const ContactModel model = kQpModels[k % 3];
    const ContactAnswer answer = solve(problem, model);
    if (is_solved(answer.status)) {
      ++solved_count;
      EXPECT_LE(answer.certificate.worst, 1e-8) << k;
    } else {
      ++refuted;
      EXPECT_EQ(answer.infeasibility.verdict, Verdict::kInfeasible) << k << " " << to_string(model);
    }
  }
  EXPECT_GT(solved_count, 8900);
}

TEST(EdgeCases, RandomBodiesWithFriction) {
  Random random(29);
  for (int k = 0; k < 1000; ++k) {
    RandomBodies settings;
    settings.bodies = random.integer(1, 4);
    settings.contacts = random.integer(1, 12);
    const ContactProblem problem = random_bodies(settings, random);
    EXPECT_LE(solved(problem, CoulombPyramid{4}).certificate.worst, 1e-8) << k;
    EXPECT_LE(solved(problem, FrictionBox{}).certificate.worst, 1e-8) << k;
  }
}

}  // namespace
}  // namespace tribo
