// One body in few contacts by the short way: the same answers as the general one, and no others.
#include "tribo/contact/one_body.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/contact/solve.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace tribo {
namespace {

struct Found {
  bool answered = false;
  ContactSolution solution;
  SolveReport report;
};

Found short_way(const ContactProblem& problem, const ContactModel& model) {
  Found found;
  found.answered = OneBody().solve(problem, model, found.solution, found.report);
  return found;
}

Found general_way(const ContactProblem& problem, const ContactModel& model) {
  Found found;
  NormalFormulation formulation;
  EXPECT_TRUE(formulation.update(problem, model).has_value());
  LcpSolution normals;
  found.report = DualActiveSetSolver().solve(formulation.problem(), {}, normals);
  found.answered = found.report.status == Status::kSolved;
  formulation.lift(normals.z, found.solution);
  return found;
}

// |a − b|_M over the largest of |a|_M and |v + h M⁻¹f|_M.
double relative_change(const ContactProblem& problem, const VectorXd& a, const VectorXd& b) {
  const MatrixXd& M = problem.mass.block(0);
  const VectorXd free = problem.v + problem.h * M.llt().solve(problem.f);
  const auto norm = [&M](const VectorXd& x) { return std::sqrt(x.dot(M * x)); };
  const double scale = std::max(norm(a), norm(free));
  return scale > 0.0 ? norm(a - b) / scale : norm(a - b);
}

VectorXd normal_vector(Index size, Random& random) {
  VectorXd x(size);
  for (Index i = 0; i < size; ++i) x(i) = random.normal();
  return x;
}

// A robot of one to eight degrees of freedom, with any rows; `planar`: only N and S.
ContactProblem random_tree(Index m, Index n, bool planar, Random& random) {
  MatrixXd A(m, m);
  for (Index j = 0; j < m; ++j) A.col(j) = normal_vector(m, random);
  ContactBuilder builder;
  const Index tree = builder.add_tree(A * A.transpose() + MatrixXd::Identity(m, m));
  builder.set_velocity(tree, normal_vector(m, random));
  builder.set_force(tree, 10.0 * normal_vector(m, random));
  for (Index i = 0; i < n; ++i) {
    std::vector<std::vector<ContactBuilder::Part>> rows;
    for (int k = 0; k < (planar ? 2 : 3); ++k) rows.push_back({{tree, normal_vector(m, random)}});
    builder.add_contact_rows(rows);
  }
  return builder.build();
}

// A body in the plane with contacts on the ground and at a wall.
ContactProblem planar_body(Index n, Random& random) {
  ContactBuilder builder;
  const Index body = builder.add_planar_body(2.0, 0.3, {0.0, 0.5});
  builder.set_velocity(body, normal_vector(3, random));
  builder.add_gravity({0.0, -9.81, 0.0});
  for (Index i = 0; i < n; ++i) {
    const bool wall = i > 2 && random.chance(0.3);
    const double along = random.uniform(-0.5, 0.5);
    builder.add_planar_contact(body, ContactBuilder::kWorld,
                               wall ? Eigen::Vector2d(-0.5, along) : Eigen::Vector2d(along, 0.0),
                               wall ? Eigen::Vector2d(1.0, 0.0) : Eigen::Vector2d(0.0, 1.0));
  }
  return builder.build();
}

ContactProblem random_problem(int kind, Random& random) {
  const Index n = random.integer(1, OneBody::kContacts);
  switch (kind) {
    case 0:
      return block_on_face(n, 0.3, random);
    case 1:
      return random_bodies({.bodies = 1, .contacts = n, .redundant = 0.6}, random);
    case 2:
      return peg_in_hole(2 * random.integer(1, OneBody::kContacts / 2), random);
    case 3:
      return planar_body(n, random);
    default:
      return random_tree(random.integer(1, OneBody::kDof), n, random.chance(0.3), random);
  }
}
constexpr int kKinds = 5;

// Touching, apart, bouncing or overlapping, and some contacts released.
void vary(ContactProblem& problem, int variation, Random& random) {
  const Index n = problem.size();
  const VectorXd approach = problem.N.multiply(problem.v);
  for (Index i = 0; i < n; ++i) {
    if (variation == 1) problem.b_N(i) = random.chance(0.5) ? random.uniform(0.0, 1.0) : 0.0;
    if (variation == 2) problem.b_N(i) = 0.5 * std::min(0.0, approach(i));
    if (variation == 3) problem.contacts[static_cast<std::size_t>(i)].released = random.chance(0.4);
    if (variation == 4 && i > 0 && random.chance(0.3)) problem.b_N(i) = -random.uniform(0.0, 0.1);
  }
}
constexpr int kVariations = 5;

// The short way claims to give what the general one gives: every answer is certified, has the same v⁺, and there is
// none where the general way finds none. It is worth having only if it answers nearly all problems that have an answer.
TEST(OneBody, AgreesWithTheGeneralWay) {
  int ordinary = 0, answered = 0, left = 0;
  double worst = 0.0, most = 0.0;
  for (int k = 0; k < 2000; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1);
    const int kind = k % kKinds, variation = k / kKinds % kVariations;
    ContactProblem problem = random_problem(kind, random);
    vary(problem, variation, random);
    ASSERT_TRUE(validate(problem).has_value()) << k;
    for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(NoSlip{})}) {
      const Found general = general_way(problem, model), found = short_way(problem, model);
      ordinary += general.answered ? 1 : 0;
      if (!found.answered) continue;
      ++answered;
      ASSERT_TRUE(general.answered) << k << " " << to_string(model);
      const double certificate = certify(problem, model, found.solution).worst;
      const double change = relative_change(problem, general.solution.v_next, found.solution.v_next);
      ASSERT_LE(certificate, 1e-9) << k << " " << to_string(model);
      ASSERT_LE(change, 1e-12) << k << " " << to_string(model);
      worst = std::max(worst, certificate);
      most = std::max(most, change);
      left += found.report.pivots > (found.solution.f_n.array() > 0.0).count() ? 1 : 0;
      EXPECT_EQ(found.report.status, Status::kSolved);
      EXPECT_EQ(found.report.iterations, found.report.pivots);
    }
  }
  std::printf("answered %d of %d; %d with a contact that was loaded on the way; certificates %.1e, v+ %.1e\n", answered,
              ordinary, left, worst, most);
  EXPECT_GE(answered, ordinary * 9 / 10);
  EXPECT_GT(left, 100);  // rows that leave A are among them
}

// Users see no difference in what is reported: a block on a face takes the same steps either way.
TEST(OneBody, TakesTheStepsOfTheGeneralWay) {
  for (Index n = 1; n <= OneBody::kContacts; ++n) {
    Random random(static_cast<std::uint64_t>(n));
    const ContactProblem problem = block_on_face(n, 0.3, random);
    const Found general = general_way(problem, NoSlip{}), found = short_way(problem, NoSlip{});
    ASSERT_TRUE(found.answered) << n;
    EXPECT_EQ(found.report.pivots, general.report.pivots) << n;
    EXPECT_EQ(found.report.iterations, general.report.iterations) << n;
  }
}

// The sphere of spec B.1 leaves the plane and is set rolling at 5/7 of its speed; released, it flies on untouched.
TEST(OneBody, ReleasedContactsHoldNothing) {
  SphereSettings settings;
  settings.velocity = Vector3d(1.0, 0.0, 0.5);
  ContactProblem problem = sphere_on_plane(settings);
  problem.f.setZero();
  const Found held = short_way(problem, NoSlip{});
  ASSERT_TRUE(held.answered);
  EXPECT_LT((held.solution.v_next.head<3>() - Vector3d(5.0 / 7.0, 0.0, 0.5)).norm(), 1e-12);
  problem.contacts[0].released = true;
  const Found free = short_way(problem, NoSlip{});
  ASSERT_TRUE(free.answered);
  EXPECT_LT((free.solution.v_next - problem.v).norm(), 1e-14);
  EXPECT_EQ(free.solution.f_s(0), 0.0);
  EXPECT_EQ(free.solution.f_t(0), 0.0);
}

// At rest and unloaded every number is zero, and there is no scale to compare with.
TEST(OneBody, AnswersABodyAtRest) {
  Random random(3);
  ContactProblem problem = block_on_face(4, 0.0, random);
  problem.v.setZero();
  problem.f.setZero();
  for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(NoSlip{})}) {
    const Found found = short_way(problem, model);
    ASSERT_TRUE(found.answered);
    EXPECT_EQ(found.report.pivots, 0);
    EXPECT_EQ(found.solution.v_next, VectorXd::Zero(6));
    EXPECT_EQ(found.solution.f_n, VectorXd::Zero(4));
  }
}

// What it was not made for it must leave alone.
TEST(OneBody, RefusesOtherProblems) {
  Random random(4);
  const ContactProblem block = block_on_face(4, 0.3, random);
  EXPECT_TRUE(short_way(block, NoSlip{}).answered);
  EXPECT_FALSE(short_way(block, Viscous{}).answered);
  EXPECT_FALSE(short_way(block, CoulombPyramid{}).answered);
  EXPECT_FALSE(short_way(box_stack(2, 4, random), Frictionless{}).answered);
  EXPECT_FALSE(short_way(block_on_face(OneBody::kContacts + 1, 0.3, random), Frictionless{}).answered);
  EXPECT_FALSE(short_way(random_tree(OneBody::kDof + 1, 2, false, random), Frictionless{}).answered);
  EXPECT_FALSE(short_way(random_bodies({.bodies = 1, .contacts = 3, .bilateral = 1}, random), Frictionless{}).answered);
  ContactProblem other = block;
  other.level = Level::kAcceleration;
  EXPECT_FALSE(short_way(other, Frictionless{}).answered);
  other = block;
  other.S = other.T = BlockRows(block.mass.layout());
  EXPECT_TRUE(short_way(other, Frictionless{}).answered);
  EXPECT_FALSE(short_way(other, NoSlip{}).answered);
}

// A number that is not finite, wherever it is, must not come out as an answer.
TEST(OneBody, RefusesWhatIsNotFinite) {
  Random random(5);
  const ContactProblem block = block_on_face(5, 0.3, random);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(), 1e200}) {
    for (int place = 0; place < 4; ++place) {
      ContactProblem problem = block;
      MatrixXd mass = problem.mass.block(0), rows = problem.T.to_dense();
      if (place == 0) problem.v(4) = bad;
      if (place == 1) problem.b_N(2) = bad;
      if (place == 2) {
        rows(3, 2) = bad;
        problem.T = BlockRows::from_dense(rows, problem.mass.layout()).value();
      }
      if (place == 3) {
        mass(4, 4) = bad == 1e200 ? -1.0 : bad;
        problem.mass = BlockDiagonal({mass});
      }
      if (place == 1 && bad == 1e200) continue;  // a gap that wide is as good as none
      EXPECT_FALSE(short_way(problem, NoSlip{}).answered) << bad << " at " << place;
    }
  }
}

// Rows that contradict one another have no answer; the proof is the general way's business.
TEST(OneBody, RefusesWhatHasNoAnswer) {
  const ContactProblem problem = jam(true);
  EXPECT_FALSE(short_way(problem, Frictionless{}).answered);
  EXPECT_FALSE(short_way(problem, NoSlip{}).answered);
  EXPECT_EQ(solve(problem, Frictionless{}).status, Status::kInfeasible);
}

// Of such tangents the order of B.2 matters: not a choice for the short way.
TEST(OneBody, LeavesDoubtfulTangentsToTheGeneralWay) {
  for (const double angle : {1e-7, 1e-5, 1e-3}) {
    ContactBuilder builder;
    const Index tree = builder.add_tree(MatrixXd::Identity(4, 4));
    builder.set_velocity(tree, VectorXd::Constant(4, -1.0));
    builder.add_contact_rows({{{tree, VectorXd::Unit(4, 0)}}, {{tree, VectorXd::Unit(4, 1)}}});
    const VectorXd turned = VectorXd::Unit(4, 1) + angle * VectorXd::Unit(4, 2);
    builder.add_contact_rows({{{tree, VectorXd::Unit(4, 3)}}, {{tree, turned}}});
    const ContactProblem problem = builder.build();
    EXPECT_FALSE(short_way(problem, NoSlip{}).answered) << angle;
    EXPECT_EQ(solve(problem, NoSlip{}).status, Status::kSolved) << angle;
  }
}

// solve() says the same of a problem whichever way it took, and another solver that is asked for is the one that
// answers.
TEST(OneBody, IsNotSeenFromOutside) {
  Random random(6);
  const ContactProblem problem = block_on_face(6, 0.3, random);
  const ContactAnswer answer = solve(problem, NoSlip{}),
                      named = solve(problem, NoSlip{}, {.solver = "dual-active-set"});
  EXPECT_EQ(answer.solver, "dual-active-set");
  ASSERT_EQ(answer.history.size(), 1U);
  EXPECT_EQ(to_string(answer.history[0]), "dual-active-set: solved");
  EXPECT_EQ(answer.v_next, short_way(problem, NoSlip{}).solution.v_next);
  EXPECT_EQ(answer.v_next, named.v_next);
  const ContactAnswer other = solve(problem, NoSlip{}, {.solver = "ppm"});
  EXPECT_EQ(other.solver, "ppm");
  EXPECT_LT(relative_change(problem, answer.v_next, other.v_next), 1e-12);
}

}  // namespace
}  // namespace tribo
