// Coulomb friction on a polygon: Lemke's method on the structure of the problem (spec C), against certificates.
#include "tribo/formulation/pyramid.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tribo {
namespace {

struct Outcome {
  SolveReport report;
  PyramidSolution impulses;
  ContactSolution solution;
  double worst = 0.0;
};

Outcome run(const ContactProblem& problem, const CoulombPyramid& model, StructuredLemkeSolver& solver,
            std::span<const LoadedContact> warm = {}) {
  Outcome out;
  PyramidFormulation formulation;
  EXPECT_TRUE(formulation.update(problem, model).has_value());
  out.report = solver.solve(formulation.problem(), warm, out.impulses);
  formulation.lift(out.impulses, out.solution);
  out.worst = certify(problem, model, out.solution).worst;
  return out;
}

// A problem of spec C.4's list: pegs, stacks moving and at rest, redundant contacts, mu up to 1e6, bilateral rows.
ContactProblem mixed_problem(int k) {
  Random random(static_cast<std::uint64_t>(1000 + k));
  switch (k % 6) {
    case 0:
      return peg_in_hole(2 * random.integer(1, 16), random);
    case 1:
      return box_stack(random.integer(1, 5), random.integer(4, 8), random);
    case 2:
      return random_bodies(random);
    case 3: {
      ContactProblem problem = random_bodies({.bodies = 3, .contacts = 20, .redundant = 0.8}, random);
      for (Contact& contact : problem.contacts) contact.mu = std::pow(10.0, random.uniform(-3.0, 6.0));
      return problem;
    }
    case 4: {
      ContactProblem problem = box_stack(random.integer(1, 4), 4, random);
      problem.v.setZero();
      problem.f.setZero();
      for (Index b = 0; b < problem.mass.layout().blocks(); ++b) problem.f(6 * b + 2) = -9.81;
      return problem;
    }
    default: {
      ContactProblem problem = random_bodies({.bodies = 4, .contacts = 16}, random);
      for (Contact& contact : problem.contacts) contact.mu = random.chance(0.3) ? 0.0 : contact.mu;
      return problem;
    }
  }
}

// An answer is claimed only where it is one, and there always is one when no row asks for motion (b_N ≥ 0, b_J = 0; spec A.5).
TEST(StructuredLemke, SolvesMixedProblems) {
  StructuredLemkeSolver reduced, second({.seed = 2}), structural({.form = LemkeForm::kStructural});
  int broken_down = 0;
  for (int k = 0; k < 600; ++k) {
    const ContactProblem problem = mixed_problem(k);
    const CoulombPyramid model{k % 4 == 0 ? 4 : k % 4 == 1 ? 8 : k % 4 == 2 ? 16 : 34};
    Outcome by_reduced = run(problem, model, reduced);
    if (by_reduced.report.status != Status::kSolved) {  // ties; another covering vector meets others
      ++broken_down;
      by_reduced = run(problem, model, second);
    }
    ASSERT_EQ(by_reduced.report.status, Status::kSolved) << k << ": " << by_reduced.report.detail;
    EXPECT_LE(by_reduced.worst, 1e-9) << k;
    if (k % 6 == 3 || problem.size() > 40) continue;  // thousands of pivots, each with all rows
    const Outcome by_structural = run(problem, model, structural);
    ASSERT_EQ(by_structural.report.status, Status::kSolved) << k << ": " << by_structural.report.detail;
    EXPECT_LE(by_structural.worst, 1e-9) << k;
  }
  EXPECT_LE(broken_down, 3);
}

// The point of the reduced method: pivots follow the degrees of freedom, not the contacts. In fixed-size and general form.
TEST(StructuredLemke, PivotsDoNotFollowTheContacts) {
  StructuredLemkeSolver solver;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const Index n : {8, 32, 128, 512}) {
    Random random(static_cast<std::uint64_t>(n));
    double pivots = 0.0;
    for (int k = 0; k < 20; ++k) {
      const Outcome answer = run(peg_in_hole(n, random), CoulombPyramid{8}, solver);
      ASSERT_EQ(answer.report.status, Status::kSolved);
      EXPECT_FALSE(answer.report.fallback);
      EXPECT_LE(answer.worst, 1e-12);
      EXPECT_LE(answer.impulses.loaded.size(), 7u);
      pivots += answer.report.pivots / 20.0;
    }
    least = std::min(least, pivots);
    most = std::max(most, pivots);
  }
  EXPECT_LE(most, 2.0 * least);
}

// From its own answer no pivot is needed; from the answer to a problem nearby a few; from nonsense the start is cold.
TEST(StructuredLemke, StartsFromLoadedContacts) {
  StructuredLemkeSolver solver;
  int cold_pivots = 0, warm_pivots = 0, broken_down = 0;
  for (int k = 0; k < 60; ++k) {
    ContactProblem problem = mixed_problem(k);
    Outcome cold = run(problem, CoulombPyramid{8}, solver);
    if (cold.report.status != Status::kSolved) {
      ++broken_down;
      continue;
    }
    const Outcome again = run(problem, CoulombPyramid{8}, solver, cold.impulses.loaded);
    EXPECT_EQ(again.report.pivots, 0) << k;
    EXPECT_LE(again.worst, 1e-9) << k;

    std::vector<LoadedContact> nonsense = cold.impulses.loaded;
    nonsense.push_back({.contact = problem.size()});
    const Outcome out_of_range = run(problem, CoulombPyramid{8}, solver, nonsense);
    EXPECT_EQ(out_of_range.report.status, Status::kSolved) << k;
    EXPECT_LE(out_of_range.worst, 1e-9) << k;
    for (LoadedContact& contact : nonsense) contact = {0, {7, 7, -5}, true};
    const Outcome repeated = run(problem, CoulombPyramid{8}, solver, nonsense);
    EXPECT_EQ(repeated.report.status, Status::kSolved) << k;
    EXPECT_LE(repeated.worst, 1e-9) << k;

    if (k % 6 == 3) continue;
    Random random(static_cast<std::uint64_t>(k));
    for (Index i = 0; i < problem.dof(); ++i) problem.f(i) += 0.01 * random.normal();
    cold = run(problem, CoulombPyramid{8}, solver);
    const Outcome warm = run(problem, CoulombPyramid{8}, solver, again.impulses.loaded);
    ASSERT_EQ(warm.report.status, Status::kSolved) << k;
    EXPECT_LE(warm.worst, 1e-9) << k;
    cold_pivots += cold.report.pivots;
    warm_pivots += warm.report.pivots;
  }
  EXPECT_LT(4 * warm_pivots, cold_pivots);
  EXPECT_LE(broken_down, 1);
}

// Spec C.1: offsets of bilateral rows act on the friction rows as well (b_s). Either an answer that certifies, or a ray.
TEST(StructuredLemke, KnowsOffsetsOfBilateralRows) {
  StructuredLemkeSolver solver;
  int solved = 0;
  for (int k = 0; k < 120; ++k) {
    Random random(static_cast<std::uint64_t>(k));
    ContactProblem problem = random_bodies({.bodies = 4, .contacts = 12, .redundant = 0.4, .bilateral = 2}, random);
    for (Index i = 0; i < problem.bilateral(); ++i) problem.b_J(i) = 0.1 * random.normal();
    const Outcome answer = run(problem, CoulombPyramid{8}, solver);
    if (answer.report.status != Status::kSolved) continue;
    ++solved;
    EXPECT_LE(answer.worst, 1e-9) << k;
  }
  EXPECT_GE(solved, 110);
}

// Twenty copies of every contact carry what one did: forces stay finite, and no more contacts are loaded than before.
TEST(StructuredLemke, CopiesOfContactsChangeNothing) {
  StructuredLemkeSolver solver;
  for (int k = 0; k < 10; ++k) {
    Random random(static_cast<std::uint64_t>(k));
    const ContactProblem single = block_on_face(5, 0.1 * k, random);
    ContactProblem copies = single;
    for (int copy = 1; copy < 20; ++copy) {
      for (Index i = 0; i < single.size(); ++i) {
        copies.N.add_row(single.N.row(i)[0]);
        copies.S.add_row(single.S.row(i)[0]);
        copies.T.add_row(single.T.row(i)[0]);
        copies.contacts.push_back(single.contacts[static_cast<std::size_t>(i)]);
      }
    }
    copies.b_N = VectorXd::Zero(copies.size());
    copies.a_N = VectorXd::Zero(copies.size());
    const Outcome answer = run(copies, CoulombPyramid{8}, solver);
    ASSERT_EQ(answer.report.status, Status::kSolved) << k;
    EXPECT_LE(answer.worst, 1e-10) << k;
    EXPECT_TRUE(answer.solution.f_n.allFinite());
    EXPECT_LE(answer.impulses.loaded.size(), 7u);
  }
}

// One run per call: a problem on which the first path fails is answered by another path, and the history says so.
TEST(StructuredLemke, OtherPathsAreAttemptsOfTheirOwn) {
  StructuredLemkeSolver alone;
  int helped = 0;
  for (int k = 4; k < 3000; k += 10) {
    Random random(1000003ULL * static_cast<std::uint64_t>(k) + 17);
    ContactProblem problem = random_bodies({.bodies = 3, .contacts = 20, .redundant = 0.8}, random);
    for (Contact& contact : problem.contacts) contact.mu = std::pow(10.0, random.uniform(-3.0, 6.0));
    const Outcome first = run(problem, CoulombPyramid{8}, alone);
    if (first.report.status == Status::kSolved) continue;
    const ContactAnswer answer = solve(problem, CoulombPyramid{8}, {.islands = false});
    ASSERT_EQ(answer.status, Status::kSolved) << k;
    EXPECT_GE(answer.history.size(), 2u) << k;
    EXPECT_TRUE(answer.report.fallback);
    EXPECT_LE(answer.certificate.worst, 1e-8);
    ++helped;
  }
  EXPECT_GT(helped, 0);
}

// Numbers that are none end in a breakdown, not in an answer.
TEST(StructuredLemke, RefusesNumbersThatAreNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (int where = 0; where < 3; ++where) {
      Random random(3);
      ContactProblem problem = peg_in_hole(8, random);
      if (where == 0) problem.v(2) = bad;
      if (where == 1) problem.b_N(5) = bad;
      if (where == 2) problem.f(0) = bad;
      PyramidFormulation formulation;
      ASSERT_TRUE(formulation.update(problem, CoulombPyramid{8}).has_value());
      for (const LemkeForm form : {LemkeForm::kReduced, LemkeForm::kStructural}) {
        StructuredLemkeSolver solver({.form = form});
        PyramidSolution solution;
        EXPECT_EQ(solver.solve(formulation.problem(), {}, solution).status, Status::kBreakdown) << where;
        EXPECT_TRUE(solution.theta.isZero(0.0));
      }
    }
  }
}

// Where bilateral rows hold all of a body, what projection leaves of its contacts is rounding, and no warm start may build
// on it.
TEST(StructuredLemke, BuildsNothingOnHeldDirections) {
  StructuredLemkeSolver solver;
  for (int k = 0; k < 300; ++k) {
    Random random(static_cast<std::uint64_t>(k));
    ContactProblem problem =
        random_bodies({.bodies = 1, .contacts = 6, .redundant = 0.0, .bilateral = 5 + k % 2}, random);
    for (Index i = 0; i < problem.size(); ++i) problem.b_N(i) = k % 4 < 2 ? 0.0 : 0.1 * random.normal();
    for (int start = 0; start < 6; ++start) {
      const LoadedContact warm{random.integer(0, 5), {static_cast<std::int32_t>(random.integer(0, 7)), -1, -1}, true};
      const Outcome answer = run(problem, CoulombPyramid{8}, solver, {&warm, 1});
      if (answer.report.status == Status::kSolved) {
        EXPECT_LE(answer.worst, 1e-9) << k;
      }
    }
  }
}

// Bodies jammed between walls that are opposed but for a small angle: never a wrong answer, and solve() finds one.
TEST(StructuredLemke, IsNeverWrongAboutNearJams) {
  StructuredLemkeSolver reduced, structural({.form = LemkeForm::kStructural});
  Random random(21);
  for (int k = 0; k < 300; ++k) {
    ContactProblem problem = jam(false, std::pow(10.0, random.uniform(-8.0, -1.0)));
    for (Contact& contact : problem.contacts) contact.mu = std::pow(10.0, random.uniform(-2.0, 1.0));
    for (StructuredLemkeSolver* solver : {&reduced, &structural}) {
      const Outcome answer = run(problem, CoulombPyramid{k % 2 == 0 ? 4 : 8}, *solver);
      if (answer.report.status == Status::kSolved) {
        EXPECT_LE(answer.worst, 1e-9) << k;
      }
    }
  }
}

// Friction coefficients without bound: one contact that slides is braked to a stop or turned round, at any mu.
TEST(StructuredLemke, KnowsNoLargestCoefficient) {
  for (const double mu : {1e6, 1e9, 1e12, 1e20}) {
    SphereSettings settings;
    settings.mu = mu;
    const ContactAnswer answer = solve(sphere_on_plane(settings), CoulombPyramid{8});
    EXPECT_EQ(answer.status, Status::kSolved) << mu;
    EXPECT_LE(answer.certificate.worst, 1e-12) << mu;
  }
}

// Normals that no motion satisfies are proved so, whatever friction there is, and eased on request.
TEST(CoulombPyramid, ProvesThatNormalsContradictOneAnother) {
  int infeasible = 0;
  for (int k = 0; k < 60; ++k) {
    Random random(static_cast<std::uint64_t>(k));
    ContactProblem problem = random_bodies({.bodies = 1, .contacts = 30, .redundant = 0.3}, random);
    for (Index i = 0; i < problem.size(); ++i) problem.b_N(i) = -random.uniform();
    if (solve(problem, Frictionless{}).status != Status::kInfeasible) continue;
    ++infeasible;
    const ContactAnswer answer = solve(problem, CoulombPyramid{8});
    EXPECT_EQ(answer.status, Status::kInfeasible) << k;
    EXPECT_EQ(answer.infeasibility.verdict, Verdict::kInfeasible) << k;
  }
  EXPECT_GT(infeasible, 10);
}

// A matrix of gigabytes is not formed: a solver that would need it is refused, and the default leaves it out.
TEST(CoulombPyramid, FormsNoHugeMatrix) {
  const ContactProblem one = jam(true);
  ContactProblem many = one;
  for (int copy = 0; copy < 7; ++copy) {
    for (Index i = 0; i < one.size(); ++i) {
      many.N.add_row(one.N.row(i)[0]);
      many.S.add_row(one.S.row(i)[0]);
      many.T.add_row(one.T.row(i)[0]);
      many.contacts.push_back(one.contacts[static_cast<std::size_t>(i)]);
    }
  }
  many.b_N = VectorXd::Constant(many.size(), one.b_N(0));
  many.a_N = VectorXd::Zero(many.size());
  EXPECT_FALSE(check_solver(many, CoulombPyramid{1024}, "lemke/standard").has_value());
  EXPECT_TRUE(check_solver(many, CoulombPyramid{1024}, "lemke/reduced").has_value());
  EXPECT_EQ(solve(many, CoulombPyramid{1024}).status, Status::kInfeasible);
}

// Both walls push and give way to nothing: no answer is claimed.
TEST(StructuredLemke, ClaimsNothingOfAnInfeasibleJam) {
  StructuredLemkeSolver solver;
  PyramidFormulation formulation;
  const ContactProblem problem = jam(true);
  ASSERT_TRUE(formulation.update(problem, CoulombPyramid{8}).has_value());
  PyramidSolution solution;
  EXPECT_NE(solver.solve(formulation.problem(), {}, solution).status, Status::kSolved);
  EXPECT_FALSE(is_solved(solve(problem, CoulombPyramid{8}).status));
}

// A polygon turned towards the slip has a corner where the circle's friction acts: a ball that slides straight on stops as
// under the true cone, whatever its direction; unturned, a square polygon brakes it elsewhere.
TEST(AlignedPyramid, BrakesAsTheCircleDoes) {
  for (const double angle : {0.3, 1.0, 2.5}) {
    SphereSettings settings;
    settings.velocity = Vector3d(std::cos(angle), std::sin(angle), -0.1);
    settings.mu = 0.3;
    const ContactProblem problem = sphere_on_plane(settings);
    const auto friction = [&](const CoulombPyramid& model) {
      const ContactAnswer answer = solve(problem, model);
      EXPECT_EQ(answer.status, Status::kSolved);
      EXPECT_LE(answer.certificate.worst, 1e-12);
      const Vector3d impulse = answer.contacts.front().impulse;
      const Vector3d slip(problem.S.dot(0, problem.v), problem.T.dot(0, problem.v), 0.0);
      if (model.aligned) {
        EXPECT_NEAR(impulse.head<2>().norm(), settings.mu * impulse(2), 1e-12 * impulse(2));
      }
      return -impulse.head<2>().dot(slip.head<2>()) / (impulse.head<2>().norm() * slip.head<2>().norm());
    };
    EXPECT_NEAR(friction({4, true}), 1.0, 1e-12);
    EXPECT_LT(friction({4, false}), 0.99);
  }
}

// Turned polygons are certified as such: an answer of one model does not pass for the other.
TEST(AlignedPyramid, HasItsOwnCertificate) {
  Random random(5);
  const ContactProblem problem = block_on_face(6, 0.5, random);
  const ContactAnswer aligned = solve(problem, CoulombPyramid{4, true});
  ASSERT_EQ(aligned.status, Status::kSolved);
  EXPECT_LE(certify(problem, CoulombPyramid{4, true}, aligned.solution).worst, 1e-12);
  EXPECT_GT(certify(problem, CoulombPyramid{4, false}, aligned.solution).worst, 1e-6);
  for (const char* solver : {"lemke/standard", "lemke/structural", "lemke/reduced"}) {
    EXPECT_EQ(solve(problem, CoulombPyramid{4, true}, {.solver = solver}).status, Status::kSolved) << solver;
  }
}

// Where sticking is an answer, it is the one that solve() gives: a grasp holds under any coefficient that can carry it.
TEST(Sticking, GraspsHold) {
  for (const Index boxes : {1, 2, 3}) {
    for (const Index contacts : {4, 8, 12}) {
      for (const double mu : {0.5, 1.0, 10.0, 1000.0}) {
        const ContactProblem grasp = grasp_row(boxes, contacts, mu);
        const ContactAnswer answer = solve(grasp, CoulombPyramid{8});
        ASSERT_EQ(answer.status, Status::kSolved);
        EXPECT_LT((answer.v_next - solve(grasp, NoSlip{}).v_next).norm(), 1e-11)
            << boxes << " " << contacts << " " << mu;
      }
    }
  }
}

// What slides keeps sliding: a box that falls between two walls which do not press it is not stopped by forces made up.
TEST(Sticking, StopsNothingThatMoves) {
  for (const double mu : {0.01, 0.5}) {
    ContactBuilder builder;
    const Index box = builder.add_body(1.0, box_inertia(1.0, Vector3d::Constant(0.1)), Vector3d::Zero());
    for (const double side : {-1.0, 1.0}) {
      for (const double y : {-0.05, 0.05}) {
        for (const double z : {-0.05, 0.05}) {
          builder.add_contact(box, ContactBuilder::kWorld, {0.05 * side, y, z}, {-side, 0.0, 0.0}, {.mu = mu});
        }
      }
    }
    builder.add_gravity({0.0, 0.0, -9.81});
    ContactProblem problem = builder.build();
    for (const double speed : {0.0, -10.0}) {
      problem.v(2) = speed;
      const ContactAnswer answer = solve(problem, CoulombPyramid{8});
      ASSERT_EQ(answer.status, Status::kSolved);
      EXPECT_NEAR(answer.v_next(2), speed - 9.81 * problem.h, 1e-12) << mu << " " << speed;
      EXPECT_LT(answer.solution.f_n.sum(), 1e-12);
    }
  }
}

// A peg that is pushed through a hole without play moves: it could hold itself only by squeezing the hole.
TEST(Sticking, DoesNotSqueeze) {
  Random random(12);
  ContactProblem peg = peg_in_hole(16, random);
  peg.v.setZero();
  peg.f.setZero();
  peg.f(2) = -10.0;
  const ContactAnswer answer = solve(peg, CoulombPyramid{8});
  ASSERT_EQ(answer.status, Status::kSolved);
  EXPECT_LT(answer.v_next(2), -0.09);
}

}  // namespace
}  // namespace tribo
