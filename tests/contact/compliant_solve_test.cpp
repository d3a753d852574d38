// solve(CompliantProblem): the references through the one call for users, and what happens where a law is not met.
#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/problem/compliant_name.hpp"

#include <limits>

#include "contact/compliant_testing.hpp"
#include "solve/foundation_scenes.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

double largest_force(const CompliantSolution& solution) {
  double result = 0.0;
  for (const VectorXd* force :
       {&solution.lambda_b, &solution.lambda_u, &solution.lambda_n, &solution.lambda_r, &solution.lambda_s}) {
    if (force->size() > 0) result = std::max(result, force->cwiseAbs().maxCoeff());
  }
  return result;
}

// Every answer of every file, to the bar of its README.
TEST(CompliantSolve, ReproducesTheReferences) {
  int seen = 0;
  for (const CompliantFile& file : testing::compliant_reference_files()) {
    for (const CompliantReference& reference : file.solutions) {
      SCOPED_TRACE(file.problem.name + " " + reference.model);
      CompliantProblem problem = file.problem;
      Compliant model;
      testing::choose_model(reference.model, problem, model);
      const CompliantAnswer answer = solve(problem, model);
      EXPECT_EQ(answer.status, Status::kSolved) << answer.report.detail;
      EXPECT_LE(answer.certificate.worst, 1e-8);
      EXPECT_EQ(answer.model, model);
      const CompliantSolution &found = answer.solution, &known = reference.solution;
      EXPECT_LE((found.v1 - known.v1).cwiseAbs().maxCoeff(), 1e-10);
      const double bar = 1e-8 * largest_force(known);
      const auto close = [&](const VectorXd& a, const VectorXd& b) {
        return b.size() == 0 || (a.size() == b.size() && (a - b).cwiseAbs().maxCoeff() <= bar);
      };
      EXPECT_TRUE(close(found.lambda_b, known.lambda_b));
      EXPECT_TRUE(close(found.lambda_u, known.lambda_u));
      EXPECT_TRUE(close(found.lambda_n, known.lambda_n));
      EXPECT_TRUE(close(found.lambda_r, known.lambda_r));
      EXPECT_TRUE(close(found.lambda_s, known.lambda_s));
      ++seen;
    }
  }
  EXPECT_EQ(seen, 11 + 14 + 30);
}

// The printed programs differ from the law where the spec says so, and agree where it says so.
TEST(CompliantSolve, LeastNormDiffersWhereItShould) {
  for (const auto& [name, differs] : {std::pair{"u1_particle", false},
                                      {"u2_open_spring_qp_differs", true},
                                      {"u3_squeezed", false},
                                      {"u4_tilted_plate", true},
                                      {"u5_all_open", false},
                                      {"u6_uniform_ray_infeasible", false},
                                      {"u7_with_bilateral", true}}) {
    const CompliantProblem problem = testing::compliant_reference(name).problem;
    const CompliantAnswer law = solve(problem, {});
    const CompliantAnswer program = solve(problem, {.unilateral = UnilateralLaw::kLeastNorm});
    const double distance = (law.solution.lambda_u - program.solution.lambda_u).cwiseAbs().maxCoeff();
    EXPECT_EQ(distance > 1e-3 * largest_force(law.solution), differs) << name << " " << distance;
  }
}

// A rod whose friction throws it into its own contact (Painlevé): Coulomb's law may have no answer. The status says so, the
// the history names what came back, and the relaxation answers when asked.
TEST(CompliantSolve, SaysWhenCoulombsLawIsNotMet) {
  Random random(9);
  int failed = 0, relaxed = 0;
  for (int k = 0; k < 2000; ++k) {
    CompliantProblem problem = testing::RandomStep({.contacts = 6}, random).make();
    problem.mu.setConstant(1.5);
    const CompliantAnswer answer = solve(problem, {});
    EXPECT_EQ(is_solved(answer.status), answer.certificate.passes(1e-8));
    if (is_solved(answer.status)) continue;
    ++failed;
    EXPECT_EQ(answer.status, Status::kIterationLimit);
    EXPECT_EQ(answer.history.size(), 1u);
    EXPECT_TRUE(answer.history.front().methods.has(Method::kDiscs)) << to_string(answer.history.front());
    EXPECT_TRUE(answer.solution.v1.allFinite());
    const CompliantAnswer other = solve(problem, {}, {.relax = true});
    if (other.status != Status::kSolvedReduced) continue;
    ++relaxed;
    EXPECT_EQ(other.model.friction, FrictionLaw::kConvexCone);
    EXPECT_EQ(other.history.size(), 2u);
    EXPECT_TRUE(certify(problem, other.model, other.solution).passes(1e-8));
  }
  EXPECT_GT(failed, 0);
  EXPECT_EQ(relaxed, failed);
}

// Nothing to solve: v1 = v*.
TEST(CompliantSolve, WithoutRowsTheBodyMovesFreely) {
  CompliantProblem problem;
  problem.h = 0.1;
  problem.mass = BlockDiagonal({2.0 * MatrixXd::Identity(2, 2)});
  problem.v = Eigen::Vector2d(1.0, 2.0);
  problem.f = Eigen::Vector2d(0.0, -20.0);
  const CompliantAnswer answer = solve(problem, {});
  EXPECT_EQ(answer.status, Status::kSolved);
  EXPECT_LE((answer.solution.v1 - Eigen::Vector2d(1.0, 1.0)).norm(), 1e-15);
}

// Bad problems, models that do not fit and solvers of other problems are refused with their reason.
TEST(CompliantSolve, RefusesWhatItCannotSolve) {
  CompliantProblem problem = testing::compliant_reference("f8_3d_full_system").problem;
  EXPECT_THROW(solve(problem, {.unilateral = UnilateralLaw::kLeastNorm}), ContractError);
  EXPECT_THROW(solve(problem, {}, {.solver = "lemke/standard"}), ContractError);
  EXPECT_THROW(solve(problem, {}, {.tolerance = 1.0}), ContractError);
  for (const double zeta : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    CompliantProblem weighted = problem;
    weighted.zeta = zeta;
    EXPECT_THROW(solve(weighted, {}), ContractError) << zeta;
  }
  problem.mu(0) = -0.1;
  EXPECT_THROW(solve(problem, {}), ContractError);
}

// Names put the part they speak of into effect, and refuse rows that are not there.
TEST(CompliantName, AppliesToTheRowsItSpeaksOf) {
  for (const ModelInfo& info : compliant_models()) {
    const auto name = parse_compliant_name(std::string(info.name));
    ASSERT_TRUE(name.has_value()) << info.name;
    EXPECT_TRUE(is_compliant_name(std::string(info.name)));
    CompliantProblem bilateral = testing::compliant_reference("b2_pendulum_stiff").problem;
    CompliantProblem unilateral = testing::compliant_reference("u1_particle").problem;
    CompliantProblem contacts = testing::compliant_reference("f1_2d_particle_stick").problem;
    Compliant a, b, c;
    EXPECT_EQ(apply(*name, bilateral, a).has_value(), !name->unilateral && !name->friction) << info.name;
    EXPECT_EQ(apply(*name, unilateral, b).has_value(), !name->friction) << info.name;
    EXPECT_EQ(apply(*name, contacts, c).has_value(), !name->unilateral) << info.name;
    if (name->product) {
      EXPECT_EQ(compliant_name(bilateral, a), info.name);
    }
    if (name->unilateral) {
      EXPECT_EQ(compliant_name(unilateral, b), info.name);
    }
    if (name->friction) {
      EXPECT_EQ(compliant_name(contacts, c), info.name);
    }
  }
  EXPECT_FALSE(parse_compliant_name("compliant/").has_value());
  EXPECT_FALSE(parse_compliant_name("compliant/cone").has_value());
  EXPECT_FALSE(parse_compliant_name("cone").has_value());
}

// A table on rubber that a load tilts: the same answer on the layer and on its rows, certified, and refused where it makes no sense.
TEST(CompliantSolve, FacesOnLayers) {
  FoundationProblem problem = testing::make_foundation(MatrixXd::Identity(6, 6), Vector3d::Zero(),
                                                       make_rectangular_layer(1.0, 1.0, 12, 12, 1e6, 100.0));
  problem.f << 0.0, 0.0, -20.0, 4.0, 6.0, 0.0;
  const CompliantAnswer answer = solve(problem), by_rows = solve(to_rows(problem), Compliant{});
  EXPECT_EQ(answer.status, Status::kSolved);
  EXPECT_EQ(answer.solver, "foundation");
  EXPECT_LE(answer.certificate.worst, 1e-12);
  EXPECT_TRUE((answer.solution.lambda_u.array() == 0.0).any());
  EXPECT_LE((answer.solution.v1 - by_rows.solution.v1).norm(), 1e-13);
  EXPECT_LE((answer.solution.lambda_u - by_rows.solution.lambda_u).cwiseAbs().maxCoeff(), 1e-10);
  SolveOptions options;
  options.solver = "lemke";
  EXPECT_THROW(static_cast<void>(solve(problem, options)), ContractError);
  problem.h = 0.0;
  EXPECT_THROW(static_cast<void>(solve(problem)), ContractError);
}

}  // namespace
}  // namespace tribo
