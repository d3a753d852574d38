// Rows of dry friction in every model: closed forms, enumeration, one answer for all models where friction plays no part.
#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/friction_box.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/pivot/dantzig.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"
#include "tribo/solve/registry.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "problem/combined.hpp"
#include "problem/dry_rows.hpp"
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::add_dry_rows;
constexpr Index kWorld = ContactBuilder::kWorld;

const std::vector<ContactModel> kDryModels = {
    Frictionless{},          NoSlip{},          Viscous{},         Viscous{.implicit = false},
    Viscous{.impact = true}, CoulombPyramid{4}, CoulombPyramid{8}, CoulombPyramid{8, true},
    FrictionBox{},           CoulombCone{}};

VectorXd number(double x) { return VectorXd::Constant(1, x); }

constexpr double kDigits = 1e-11;  // of impulses about 1; what the solvers ask of themselves at a tolerance of 1e-8

// A slider of 2 kg that `force` pushes.
ContactProblem slider(double bound, double speed, double force) {
  ContactBuilder builder;
  builder.add_tree(MatrixXd::Constant(1, 1, 2.0));
  builder.set_velocity(0, number(speed));
  builder.set_force(0, number(force));
  builder.set_step(0.01);
  builder.add_dry_friction({{0, number(1.0)}}, bound);
  return builder.build();
}

// m v⁺ = m v + h f + clip(−(m v + h f), ±bound): from stuck to sliding, both ways, at any strength of the brake.
TEST(DryFrictionSolve, SliderSticksBelowTheBoundAndSlidesAboveIt) {
  for (const ContactModel& model : kDryModels) {
    for (const double bound : {0.0, 1e-9, 1e-3, 0.5, 0.999, 1.0, 1.001, 4.0, 1e3, 1e9}) {
      for (const double speed : {0.5, -0.5, 0.0}) {
        for (const double force : {0.0, 37.0, -100.0}) {
          const ContactAnswer answer = solve(slider(bound, speed, force), model);
          const double momentum = 2.0 * speed + 0.01 * force, impulse = std::clamp(-momentum, -bound, bound);
          ASSERT_TRUE(is_solved(answer.status)) << to_string(model) << " " << bound << " " << speed << " " << force;
          ASSERT_EQ(answer.solution.f_d.size(), 1);
          EXPECT_NEAR(answer.solution.f_d(0), impulse, kDigits) << to_string(model) << " " << bound;
          EXPECT_LE(std::abs(answer.solution.f_d(0)), bound);
          EXPECT_NEAR(answer.v_next(0), 0.5 * (momentum + impulse), kDigits) << to_string(model) << " " << bound;
        }
      }
    }
  }
}

// A pendulum with a brake on its hinge, m L² φ'' = −m g L sin φ, |torque| ≤ F: it holds up to sin φ = F/(m g L).
TEST(DryFrictionSolve, PendulumHoldsUpToTheAngleOfItsBrake) {
  const double inertia = 0.75, weight = 1.5 * 9.81 * 0.7, brake = 4.0, h = 1e-3;
  for (const ContactModel& model : kDryModels) {
    for (const double share : {0.5, 0.999, 1.001, 2.0}) {
      ContactBuilder builder;
      builder.add_tree(MatrixXd::Constant(1, 1, inertia));
      const double torque = std::min(share * brake, weight);
      builder.set_force(0, number(-torque));
      builder.set_step(h);
      builder.add_dry_friction({{0, number(1.0)}}, h * brake);
      const ContactAnswer answer = solve(builder.build(), model);
      ASSERT_TRUE(is_solved(answer.status));
      EXPECT_NEAR(answer.v_next(0), 0.0, share < 1.0 ? h * kDigits : 1.0) << to_string(model) << " " << share;
      EXPECT_NEAR(answer.v_next(0), -h * std::max(0.0, torque - brake) / inertia, h * kDigits) << to_string(model);
    }
  }
}

// The one answer among all choices of stuck and sliding rows, from dense algebra alone.
VectorXd enumerate_rows(const ContactProblem& problem) {
  const MatrixXd M = problem.mass.to_dense(), D = problem.D.to_dense();
  const VectorXd free = problem.v + problem.h * M.llt().solve(problem.f);
  const Index d = problem.dry();
  VectorXd best;
  double least = std::numeric_limits<double>::infinity();
  const auto patterns = static_cast<Index>(std::lround(std::pow(3.0, static_cast<double>(d))));
  for (Index code = 0; code < patterns; ++code) {
    VectorXd f = VectorXd::Zero(d);
    IndexList stuck;
    Index rest = code;
    for (Index i = 0; i < d; ++i, rest /= 3) {
      if (rest % 3 == 2) stuck.push_back(i);
      if (rest % 3 < 2) f(i) = (rest % 3 == 0 ? 1.0 : -1.0) * problem.bound(i);
    }
    const VectorXd slid = free + M.llt().solve(D.transpose() * f);
    MatrixXd E(static_cast<Index>(stuck.size()), problem.dof());
    for (std::size_t k = 0; k < stuck.size(); ++k) E.row(static_cast<Index>(k)) = D.row(stuck[k]);
    VectorXd v = slid;
    if (!stuck.empty()) {
      const MatrixXd W = E * M.llt().solve(E.transpose());
      const VectorXd held = W.completeOrthogonalDecomposition().solve(-E * slid);
      for (std::size_t k = 0; k < stuck.size(); ++k) f(stuck[k]) = held(static_cast<Index>(k));
      v += M.llt().solve(E.transpose() * held);
    }
    double violation = 0.0;
    for (Index i = 0; i < d; ++i) {
      violation = std::max(violation, std::abs(f(i)) - problem.bound(i));
      const double along = D.row(i).dot(v);
      violation = std::max(violation, std::abs(f(i)) < problem.bound(i) ? std::abs(along) : f(i) * along);
    }
    if (violation < least) {
      least = violation;
      best = v;
    }
  }
  return best;
}

ContactProblem random_trees(Random& random, Index blocks, Index rows) {
  ContactBuilder builder;
  for (Index b = 0; b < blocks; ++b) {
    const Index size = random.integer(1, 4);
    MatrixXd A(size, size);
    for (Index i = 0; i < size * size; ++i) A.data()[i] = random.uniform(-1.0, 1.0);
    builder.add_tree(A * A.transpose() + 0.1 * MatrixXd::Identity(size, size));
    VectorXd v(size), f(size);
    for (Index i = 0; i < size; ++i) {
      v(i) = random.uniform(-1.0, 1.0);
      f(i) = random.uniform(-50.0, 50.0);
    }
    builder.set_velocity(b, v);
    builder.set_force(b, f);
  }
  builder.set_step(0.01);
  ContactProblem problem = builder.build();
  add_dry_rows(problem, rows, random);
  return problem;
}

// Several rows on one tree, and rows over two trees as tendons have them.
TEST(DryFrictionSolve, AgreesWithEnumerationInEveryModel) {
  Random random(5);
  for (int k = 0; k < 60; ++k) {
    const ContactProblem problem = random_trees(random, random.integer(1, 2), random.integer(1, 4));
    const VectorXd expected = enumerate_rows(problem);
    for (const ContactModel& model : kDryModels) {
      const ContactAnswer answer = solve(problem, model);
      ASSERT_TRUE(is_solved(answer.status)) << k << " " << to_string(model);
      EXPECT_LT((answer.v_next - expected).norm(), 1e-9 * (1.0 + expected.norm())) << k << " " << to_string(model);
    }
  }
}

// A tendon over two sliders, v1 − v2 braked: the pair keeps its momentum.
TEST(DryFrictionSolve, ATendonBrakesTwoTreesAgainstOneAnother) {
  ContactBuilder builder;
  builder.add_tree(MatrixXd::Constant(1, 1, 1.0));
  builder.add_tree(MatrixXd::Constant(1, 1, 3.0));
  builder.set_velocity(0, number(4.0));
  builder.add_dry_friction({{0, number(1.0)}, {1, number(-1.0)}}, 2.0);
  for (const ContactModel& model : kDryModels) {
    const ContactAnswer slides = solve(builder.build(), model);
    ASSERT_TRUE(is_solved(slides.status));
    EXPECT_NEAR(slides.v_next(0), 2.0, kDigits) << to_string(model);
    EXPECT_NEAR(slides.v_next(1), 2.0 / 3.0, kDigits) << to_string(model);
    ContactProblem strong = builder.build();
    strong.bound(0) = 10.0;
    const ContactAnswer sticks = solve(strong, model);
    EXPECT_NEAR(sticks.v_next(0), 1.0, kDigits) << to_string(model);
    EXPECT_NEAR(sticks.v_next(1), 1.0, kDigits) << to_string(model);
    EXPECT_NEAR(sticks.solution.f_d(0), -3.0, kDigits) << to_string(model);
  }
}

// Contacts without any friction are the same in every model, and their problem is convex: one answer for all.
TEST(DryFrictionSolve, AllModelsAgreeWhereContactsHaveNoFriction) {
  Random random(6);
  int stuck = 0, slid = 0;
  for (int k = 0; k < 60; ++k) {
    ContactProblem problem = random_bodies({.bodies = random.integer(1, 3),
                                            .contacts = random.integer(1, 8),
                                            .redundant = 0.3,
                                            .bilateral = random.integer(0, 2),
                                            .trees = random.chance(0.5)},
                                           random);
    add_dry_rows(problem, random.integer(1, 5), random);
    for (Contact& contact : problem.contacts) {
      contact.mu = contact.mu_v = contact.friction_bound = contact.impact_damping = 0.0;
      contact.released = true;
    }
    const ContactAnswer first = solve(problem, Frictionless{});
    if (!is_solved(first.status)) continue;
    for (Index i = 0; i < problem.dry(); ++i) {
      (std::abs(first.solution.f_d(i)) < problem.bound(i) ? stuck : slid) += 1;
    }
    for (const ContactModel& model : kDryModels) {
      const ContactAnswer answer = solve(problem, model);
      ASSERT_TRUE(is_solved(answer.status)) << k << " " << to_string(model) << " " << answer.report.detail;
      EXPECT_LT((answer.v_next - first.v_next).norm(), 1e-6 * (1.0 + first.v_next.norm())) << k << to_string(model);
    }
  }
  EXPECT_GT(stuck, 20);
  EXPECT_GT(slid, 30);
}

// The box of two-sided bounds by enumeration of its mixed problem, and by every solver that takes it.
TEST(DryFrictionSolve, EverySolverOfTheBoxFindsTheMotion) {
  Random random(7);
  for (int k = 0; k < 20; ++k) {
    ContactProblem problem = random_bodies({.bodies = 2, .contacts = 3, .redundant = 0.3}, random);
    add_dry_rows(problem, 2, random);
    for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(Viscous{})}) {
      const ContactAnswer truth = solve(problem, model, {.solver = "enumerate", .islands = false});
      if (!is_solved(truth.status)) continue;
      for (const char* solver : {"auto", "dantzig", "pgs", "pgs-sm", "lemke/standard"}) {
        const ContactAnswer answer = solve(problem, model, {.solver = solver, .islands = false});
        if (!is_solved(answer.status) && std::string(solver).starts_with("pgs")) continue;  // they promise nothing
        ASSERT_TRUE(is_solved(answer.status)) << k << " " << to_string(model) << " " << solver;
        EXPECT_LT((answer.v_next - truth.v_next).norm(), 1e-6 * (1.0 + truth.v_next.norm()))
            << k << " " << to_string(model) << " " << solver;
      }
    }
  }
  const ContactProblem problem = slider(1.0, 1.0, 0.0);
  EXPECT_FALSE(check_solver(problem, Frictionless{}, "dual-active-set").has_value());
  EXPECT_FALSE(check_solver(problem, NoSlip{}, "ppm").has_value());
  EXPECT_TRUE(check_solver(problem, NoSlip{}, "dantzig").has_value());
  EXPECT_FALSE(check_solver(problem, CoulombCone{}, "dantzig").has_value());
  EXPECT_TRUE(check_solver(problem, CoulombPyramid{}, "lemke/structural").has_value());
}

// Brakes of any strength beside contacts of any kind: every model answers, and what is called solved is certified by solve().
TEST(DryFrictionSolve, EveryModelSolvesRandomProblems) {
  for (const ContactModel& model : kDryModels) {
    Random random(8);
    int unsolved = 0, total = 0;
    for (int k = 0; k < 150; ++k) {
      ContactProblem problem = random_bodies({.bodies = random.integer(1, 4),
                                              .contacts = random.integer(1, 16),
                                              .redundant = 0.6,
                                              .bilateral = random.integer(0, 3),
                                              .trees = random.chance(0.5)},
                                             random);
      add_dry_rows(problem, random.integer(1, 6), random, 1e-6, 1e6);
      const auto* viscous = std::get_if<Viscous>(&model);
      if (viscous != nullptr && !viscous->implicit) {  // within its stability bound
        for (Contact& contact : problem.contacts) contact.mu_v *= 1e-3;
      }
      const ContactAnswer answer = solve(problem, model, {.relax = true});
      ++total;
      if (!is_solved(answer.status)) ++unsolved;
    }
    EXPECT_EQ(unsolved, 0) << to_string(model) << " of " << total;
  }
}

// The disguise that the cone had before: a contact without normal row, its normal impulse held at the bound.
TEST(DryFrictionSolve, IsTheDisguisedContactOfOldInTheCone) {
  Random random(9);
  for (int k = 0; k < 40; ++k) {
    ContactProblem problem = random_bodies({.bodies = 2, .contacts = 4, .redundant = 0.3}, random);
    add_dry_rows(problem, 2, random);
    ContactProblem disguised = problem;
    disguised.D.clear();
    disguised.bound.resize(0);
    VectorXd offsets(problem.size() + problem.dry());
    offsets.head(problem.size()) = problem.b_N;
    for (Index i = 0; i < problem.dry(); ++i) {
      const auto parts = problem.D.row(i);
      disguised.N.add_row({});
      disguised.S.add_row(parts[0], parts[1]);
      disguised.T.add_row({});
      Contact law;
      law.mu = 1.0;
      law.compliance = 0.5;
      disguised.contacts.push_back(law);
      offsets(problem.size() + i) = -0.5 * problem.bound(i);
    }
    disguised.b_N = offsets;
    disguised.a_N.setZero(offsets.size());
    const ContactAnswer one = solve(problem, CoulombCone{}, {.tolerance = 1e-11});
    const ContactAnswer other = solve(disguised, CoulombCone{}, {.tolerance = 1e-11});
    if (!is_solved(one.status) || !is_solved(other.status)) continue;
    const MatrixXd S = disguised.S.to_dense();
    // Friction of contacts may have several answers; each must be one of the other problem.
    ContactSolution carried = other.solution;
    carried.f_d = other.solution.f_s.tail(problem.dry());
    for (VectorXd* f : {&carried.f_n, &carried.f_s, &carried.f_t}) f->conservativeResize(problem.size());
    EXPECT_TRUE(certify(problem, CoulombCone{}, carried).passes(1e-8)) << k;
    EXPECT_LE((carried.f_d.cwiseAbs() - problem.bound).maxCoeff(), 1e-9 * problem.bound.maxCoeff()) << k;
  }
}

// States belong to contacts, whatever stands between them in the cone problem.
TEST(DryFrictionSolve, StatesAreThoseOfTheContacts) {
  ContactBuilder builder;
  const Index box = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.2}), {0, 0, 0.1});
  builder.add_contact_rows({{{box, -VectorXd::Unit(6, 0)}}, {}, {}}, {.kind = RowKind::kLimit});
  builder.add_contact(box, kWorld, {0, 0, 0}, Vector3d::UnitZ(), {.mu = 0.3});
  builder.add_contact(box, kWorld, {0, 0, 0.3}, -Vector3d::UnitZ(), {.mu = 0.3});
  for (Index k = 3; k < 6; ++k) builder.add_dry_friction({{box, VectorXd::Unit(6, k)}}, 10.0);
  builder.set_velocity(box, (VectorXd(6) << -1, 0, 0, 0, 0, 0).finished());
  builder.add_gravity({0, 0, -9.81});
  const ContactAnswer answer = solve(builder.build(), CoulombCone{});
  ASSERT_TRUE(is_solved(answer.status));
  EXPECT_EQ(answer.states, (std::vector<ContactState>{ContactState::kOpen, ContactState::kSlide, ContactState::kOpen}));
  EXPECT_NEAR(answer.v_next(0), -1.0 + 0.3 * 9.81 * 0.01, 1e-12);
  ASSERT_EQ(answer.contacts.size(), 3u);
}

// A body that a brake holds while a contact drags at it: mu N below the bound sticks, above slips through the brake.
TEST(DryFrictionSolve, FrictionOfContactsDrivesABrake) {
  for (const double bound : {0.02, 0.2}) {
    ContactBuilder builder;
    const Index belt = builder.add_tree(MatrixXd::Identity(1, 1));  // on the ground, with a brake
    const Index box = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.2}), {0, 0, 0.1});
    builder.set_velocity(box, (VectorXd(6) << 5, 0, 0, 0, 0, 0).finished());
    builder.add_gravity({0, 0, -9.81});
    for (const double x : {-0.1, 0.1}) {
      for (const double y : {-0.1, 0.1}) {
        const Vector3d arm(x, y, -0.1);
        const auto row = [&](const Vector3d& d) { return (VectorXd(6) << d, arm.cross(d)).finished(); };
        builder.add_contact_rows({{{box, row(Vector3d::UnitZ())}},
                                  {{box, row(Vector3d::UnitX())}, {belt, number(-1.0)}},
                                  {{box, row(Vector3d::UnitY())}}},
                                 {.mu = 0.5});
      }
    }
    builder.add_dry_friction({{belt, number(1.0)}}, bound);
    const double drag = 0.5 * 9.81 * 0.01, belt_speed = std::max(0.0, drag - bound);
    for (const ContactModel& model : {ContactModel(CoulombPyramid{8, true}), ContactModel(CoulombCone{})}) {
      const ContactAnswer answer = solve(builder.build(), model);
      ASSERT_TRUE(is_solved(answer.status)) << to_string(model);
      EXPECT_NEAR(answer.v_next(belt), belt_speed, 1e-12) << to_string(model) << " " << bound;
      EXPECT_NEAR(answer.solution.f_d(0), -std::min(bound, drag), 1e-12) << to_string(model) << " " << bound;
    }
  }
}

// Impossible normals stay impossible, impossible joints as well; `relax` eases the first.
TEST(DryFrictionSolve, ProofsHoldBesideDryFriction) {
  ContactProblem jammed = jam(true);
  Random random(3);
  add_dry_rows(jammed, 2, random);
  for (const ContactModel& model : kDryModels) {
    const ContactAnswer answer = solve(jammed, model);
    EXPECT_EQ(answer.status, Status::kInfeasible) << to_string(model);
    EXPECT_EQ(answer.infeasibility.verdict, Verdict::kInfeasible);
    const ContactAnswer eased = solve(jammed, model, {.relax = true});
    EXPECT_EQ(eased.status, Status::kSolvedReduced) << to_string(model);
  }
  ContactProblem torn = slider(1.0, 1.0, 0.0);
  const double one = 1.0;
  for (int k = 0; k < 2; ++k) torn.J.add_row({0, {&one, 1}});
  torn.b_J = Eigen::Vector2d(1.0, 2.0);
  torn.a_J = Eigen::Vector2d::Zero();
  for (const ContactModel& model : kDryModels) {
    EXPECT_EQ(solve(torn, model).status, Status::kInconsistentEqualities) << to_string(model);
  }
}

// A joint that is held needs no brake: no impulse appears out of rounding.
TEST(DryFrictionSolve, RowsThatJointsHoldCarryNothing) {
  ContactProblem held = slider(5.0, 1.0, 10.0);
  const double one = 1.0;
  held.J.add_row({0, {&one, 1}});
  held.b_J = held.a_J = number(0.0);
  for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(FrictionBox{})}) {
    const ContactAnswer answer = solve(held, model);
    ASSERT_TRUE(is_solved(answer.status));
    EXPECT_EQ(answer.solution.f_d(0), 0.0) << to_string(model);
    EXPECT_NEAR(answer.solution.f_j(0), -2.1, 1e-12);
  }
  for (const ContactModel& model : kDryModels) EXPECT_TRUE(is_solved(solve(held, model).status)) << to_string(model);
}

// Parts solved apart are the whole.
TEST(DryFrictionSolve, IslandsApartAreTheWhole) {
  Random random(12);
  for (int k = 0; k < 10; ++k) {
    std::vector<ContactProblem> parts;
    for (int p = 0; p < 3; ++p) {
      parts.push_back(random_bodies({.bodies = 2, .contacts = 4, .redundant = 0.3}, random));
      for (Contact& contact : parts.back().contacts) contact.mu = contact.friction_bound = contact.mu_v = 0.0;
      add_dry_rows(parts.back(), 2, random);
      parts.back().h = 0.01;
    }
    const ContactProblem whole = testing::combined(parts);
    for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(CoulombPyramid{8}),
                                      ContactModel(FrictionBox{}), ContactModel(CoulombCone{})}) {
      const ContactAnswer apart = solve(whole, model), together = solve(whole, model, {.islands = false});
      if (!is_solved(apart.status) || !is_solved(together.status)) continue;
      EXPECT_GE(apart.islands, 3);
      EXPECT_LT((apart.v_next - together.v_next).norm(), 1e-7 * (1.0 + apart.v_next.norm())) << k << to_string(model);
      EXPECT_EQ(apart.solution.f_d.size(), whole.dry());
    }
  }
}

// Kept formulations start where the last answer ended: no pivot at an answer.
TEST(DryFrictionSolve, WarmStartsCostNothingAtTheAnswer) {
  Random random(13);
  for (int k = 0; k < 30; ++k) {
    ContactProblem problem = random_bodies({.bodies = 2, .contacts = 4, .redundant = 0.0}, random);
    add_dry_rows(problem, 3, random);
    PyramidFormulation pyramid;
    ASSERT_TRUE(pyramid.update(problem, CoulombPyramid{8}).has_value());
    StructuredLemkeSolver lemke;
    PyramidSolution impulses;
    if (lemke.solve(pyramid.problem(), {}, impulses).status == Status::kSolved) {
      EXPECT_EQ(lemke.solve(pyramid.problem(), impulses.loaded, impulses).pivots, 0) << k;
    }
    BoxFormulation box;
    ASSERT_TRUE(box.update(problem, NoSlip{}).has_value());
    DantzigSolver dantzig;
    BoxLcpSolution found;
    if (dantzig.solve(box.problem(), {}, found).status != Status::kSolved) continue;
    EXPECT_EQ(dantzig.solve(box.problem(), warm_start_at(box.problem(), found), found).pivots, 0) << k;
  }
}

// A formulation that was used for a problem with dry friction serves one without, and the other way round.
TEST(DryFrictionSolve, FormulationsForgetTheProblemBefore) {
  Random random(14);
  ContactProblem with = random_bodies({.bodies = 2, .contacts = 4, .redundant = 0.0}, random), without = with;
  add_dry_rows(with, 3, random);
  NormalFormulation normal;
  EXPECT_FALSE(normal.update(with, Frictionless{}).has_value());
  EXPECT_TRUE(normal.update(without, Frictionless{}).has_value());
  PyramidFormulation pyramid;
  BoxFormulation box;
  ContactSolution answer;
  for (const ContactProblem* problem : {&with, &without, &with}) {
    ASSERT_TRUE(pyramid.update(*problem, CoulombPyramid{8}).has_value());
    EXPECT_EQ(pyramid.problem().size(), problem->size() + problem->dry());
    PyramidSolution impulses;
    ASSERT_EQ(StructuredLemkeSolver().solve(pyramid.problem(), {}, impulses).status, Status::kSolved);
    pyramid.lift(impulses, answer);
    EXPECT_TRUE(certify(*problem, CoulombPyramid{8}, answer).passes(1e-9));
    ASSERT_TRUE(box.update(*problem, Frictionless{}).has_value());
    BoxLcpSolution found;
    ASSERT_EQ(DantzigSolver().solve(box.problem(), {}, found).status, Status::kSolved);
    box.lift(found.z, answer);
    EXPECT_TRUE(certify(*problem, Frictionless{}, answer).passes(1e-9));
  }
}

// A slider that a row of J moves at a given speed: the brake cannot change it, and takes its bound against it.
TEST(DryFrictionSolve, WhatIsMovedByHandTakesTheBound) {
  for (const ContactModel& model : kDryModels) {
    for (const double speed : {1.0, -1.0, 1e-6, 0.0}) {
      ContactBuilder builder;
      builder.add_tree(MatrixXd::Constant(1, 1, 2.0));
      builder.set_velocity(0, number(0.5));
      builder.set_step(0.01);
      builder.add_bilateral({{0, number(1.0)}}, -speed);
      builder.add_dry_friction({{0, number(1.0)}}, 0.3);
      const ContactAnswer answer = solve(builder.build(), model);
      ASSERT_TRUE(is_solved(answer.status)) << to_string(model) << " " << speed;
      EXPECT_NEAR(answer.v_next(0), speed, kDigits);
      const double brake = answer.solution.f_d(0);
      const double against = speed == 0.0 ? -0.3 : 0.3 - kDigits;  // what it takes at least
      EXPECT_GE(-brake * (speed < 0.0 ? -1.0 : 1.0), against) << to_string(model) << " " << speed;
      EXPECT_LE(std::abs(brake), 0.3);
      EXPECT_NEAR(brake + answer.solution.f_j(0), 2.0 * (speed - 0.5), kDigits);
    }
  }
}

}  // namespace
}  // namespace tribo
