// Certificates of the compliant paper's programs: right answers of the reference files pass, wrong ones do not.
#include "certify/compliant_program.hpp"

#include "tribo/io/problem_file.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "support/paths.hpp"
#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace tribo {
namespace {

const Compliant kLeastNormModel{UnilateralLaw::kLeastNorm, FrictionLaw::kCoulomb};
const Compliant kWeightedModel{UnilateralLaw::kComplementarity, FrictionLaw::kWeighted};

struct ProgramCase {
  CompliantProblem problem;
  Compliant model;
  CompliantSolution answer, law;  // of the program, and of the law that is not the program's
};

// Files whose multipliers are those of all rows, or of none.
ProgramCase read_case(const std::string& name) {
  const auto file = read_problem(testing::source_dir() + "/data/reference-first-order/" + name + ".json");
  const CompliantFile step = std::get<CompliantFile>(file.value().problem);
  ProgramCase result;
  result.problem = step.problem;
  result.model = step.problem.contacts() > 0 ? kWeightedModel : kLeastNormModel;
  const Index rows = step.problem.unilateral.rows() + step.problem.contacts();
  for (const CompliantReference& reference : step.solutions) {
    if (reference.model == "qp" || reference.model == "paper_qcqp") {
      result.answer = reference.solution;
      result.answer.row_multipliers =
          reference.row_multipliers.size() == rows ? reference.row_multipliers : VectorXd(VectorXd::Zero(rows));
    }
    if (reference.model == "lcp" || reference.model == "coulomb") {
      result.law = reference.solution;
      result.law.row_multipliers.setZero(rows);
    }
  }
  return result;
}

// v1 that these forces really make, so that momentum is not what refuses them.
void follow_forces(const CompliantProblem& problem, CompliantSolution& answer) {
  VectorXd impulse = problem.f;
  const auto add = [&](const CompliantRows& rows, const VectorXd& forces) {
    if (rows.rows() > 0) impulse += rows.G.multiply_transposed(forces);
  };
  add(problem.bilateral, answer.lambda_b);
  add(problem.unilateral, answer.lambda_u);
  add(problem.normal, answer.lambda_n);
  add(problem.r, answer.lambda_r);
  add(problem.s, answer.lambda_s);
  answer.v1 = problem.v + problem.h * Eigen::LLT<MatrixXd>(problem.mass.to_dense()).solve(impulse);
}

const std::vector<std::string> kProgramFiles = {"u1_particle",
                                                "u2_open_spring_qp_differs",
                                                "u3_squeezed",
                                                "u4_tilted_plate",
                                                "u6_uniform_ray_infeasible",
                                                "u7_with_bilateral",
                                                "f1_2d_particle_stick",
                                                "f2_2d_particle_slide",
                                                "f3_2d_frictionless",
                                                "f5_3d_particle_slide",
                                                "f6_3d_anisotropic",
                                                "f7_3d_stick_slide_open",
                                                "f9_3d_hertz_three_feet",
                                                "f10_3d_separating_while_sliding"};

// The files' answers are right to fifty digits and rounded once.
TEST(CompliantProgram, AcceptsTheReferenceAnswers) {
  for (const std::string& name : kProgramFiles) {
    const ProgramCase c = read_case(name);
    const Certificate certificate = certify_program(c.problem, c.model, c.answer);
    EXPECT_TRUE(certificate.passes(1e-12)) << name << " " << certificate.worst;
  }
}

// No force at all is right where every row stays open; its certificate has nothing to divide by.
TEST(CompliantProgram, AcceptsNoForceWhereAllRowsAreOpen) {
  const ProgramCase c = read_case("u5_all_open");
  EXPECT_TRUE(certify_program(c.problem, c.model, c.answer).passes(1e-14));
}

// A millionth more or less of any force is another answer, also when the velocity follows it.
TEST(CompliantProgram, RefusesForcesOffByAMillionth) {
  for (const std::string& name : kProgramFiles) {
    const ProgramCase c = read_case(name);
    for (const double factor : {1.0 - 1e-6, 1.0 + 1e-6}) {
      CompliantSolution wrong = c.answer;
      for (VectorXd* forces : {&wrong.lambda_u, &wrong.lambda_n, &wrong.lambda_r, &wrong.lambda_s}) *forces *= factor;
      follow_forces(c.problem, wrong);
      EXPECT_GT(certify_program(c.problem, c.model, wrong).worst, 1e-8) << name;
    }
    for (Index i = 0; i < c.answer.lambda_n.size(); ++i) {
      CompliantSolution wrong = c.answer;
      wrong.lambda_n(i) += 1e-6 * c.answer.lambda_n.maxCoeff();
      follow_forces(c.problem, wrong);
      EXPECT_GT(certify_program(c.problem, c.model, wrong).worst, 1e-8) << name << " " << i;
    }
  }
}

// The complementarity law and Coulomb's law are other models; the program must not take their answers for its own.
TEST(CompliantProgram, RefusesAnswersOfOtherModels) {
  for (const char* name : {"u2_open_spring_qp_differs", "u4_tilted_plate", "u7_with_bilateral", "f2_2d_particle_slide",
                           "f5_3d_particle_slide", "f6_3d_anisotropic", "f7_3d_stick_slide_open",
                           "f9_3d_hertz_three_feet", "f10_3d_separating_while_sliding"}) {
    ProgramCase c = read_case(name);
    EXPECT_GT(certify_program(c.problem, c.model, c.law).worst, 1e-4) << name;
    c.law.row_multipliers = c.answer.row_multipliers;
    EXPECT_GT(certify_program(c.problem, c.model, c.law).worst, 1e-4) << name;
  }
}

// v1 is part of the answer: momentum is checked with it.
TEST(CompliantProgram, RefusesAVelocityTheForcesDoNotMake) {
  ProgramCase c = read_case("f6_3d_anisotropic");
  c.answer.v1(0) += 1e-6;
  EXPECT_GT(certify_program(c.problem, c.model, c.answer).find("momentum")->relative, 1e-8);
}

// Multipliers are the proof that no other forces cost less: none, wrong signs or numbers prove nothing.
TEST(CompliantProgram, RefusesProofsThatAreNone) {
  const ProgramCase c = read_case("u4_tilted_plate");
  CompliantSolution wrong = c.answer;
  wrong.row_multipliers.resize(0);
  EXPECT_FALSE(certify_program(c.problem, c.model, wrong).passes(1e300));
  wrong.row_multipliers = VectorXd::Constant(c.answer.row_multipliers.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(certify_program(c.problem, c.model, wrong).passes(1e300));
  wrong.row_multipliers = VectorXd::Zero(c.answer.row_multipliers.size());
  EXPECT_GT(certify_program(c.problem, c.model, wrong).worst, 1e-3);
  wrong.row_multipliers = -c.answer.row_multipliers;
  EXPECT_GT(certify_program(c.problem, c.model, wrong).worst, 1e-3);
}

// Without friction there is no tangential force, whatever it would do for the objective.
TEST(CompliantProgram, RefusesTangentialForceWhereMuIsZero) {
  ProgramCase c = read_case("f3_2d_frictionless");
  c.answer.lambda_r(0) = 1e-3;
  follow_forces(c.problem, c.answer);
  EXPECT_GT(certify_program(c.problem, c.model, c.answer).find("idle rows")->relative, 1e-8);
}

}  // namespace
}  // namespace tribo
