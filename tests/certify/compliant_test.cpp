// The certificate of compliant problems takes the certified reference answers and refuses what is wrong.
#include "tribo/certify/compliant.hpp"

#include "tribo/core/random.hpp"
#include "tribo/io/problem_file.hpp"
#include "tribo/problem/compliant_builder.hpp"

#include <filesystem>
#include <optional>

#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kCompliantPass = 1e-8;

std::vector<CompliantFile> compliant_references() {
  std::vector<CompliantFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() + "/data/reference-first-order")) {
    if (entry.path().extension() != ".json") continue;
    files.push_back(std::get<CompliantFile>(read_problem(entry.path().string()).value().problem));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.problem.name < b.problem.name; });
  return files;
}

// The problem and model that an answer of a reference file belongs to; nothing for the programs of the paper.
struct Judged {
  CompliantProblem problem;
  Compliant model;
};
std::optional<Judged> judged_as(const CompliantFile& file, const std::string& model) {
  Judged result{file.problem, {}};
  if (model == "none") result.problem.product = VelocityProduct::kNone;
  if (model == "spring") result.problem.product = VelocityProduct::kSpring;
  if (model == "paper") result.problem.product = VelocityProduct::kPaper;
  if (model == "convex_cone") result.model.friction = FrictionLaw::kConvexCone;
  if (model == "qp" || model == "paper_qcqp") return std::nullopt;
  return result;
}

template <typename Visit>
void for_each_reference(Visit visit) {
  int seen = 0;
  for (const CompliantFile& file : compliant_references()) {
    for (const CompliantReference& reference : file.solutions) {
      if (const auto at = judged_as(file, reference.model)) {
        SCOPED_TRACE(file.problem.name + " " + reference.model);
        visit(*at, reference.solution);
        ++seen;
      }
    }
  }
  EXPECT_EQ(seen, 38);  // 11 bilateral, 7 unilateral, 20 of friction
}

std::string text_of(const Certificate& certificate) {
  std::string text;
  for (const Residual& residual : certificate.residuals) {
    text += std::string(residual.name) + " " + std::to_string(residual.value) + " " + std::string(residual.unit) +
            ", relative " + std::to_string(residual.relative * 1e12) + "e-12\n";
  }
  return text;
}

// The references were found in 50 digits and rounded once, so nothing but rounding is left.
TEST(CompliantCertificate, AcceptsTheReferences) {
  double worst = 0.0;
  for_each_reference([&](const Judged& at, const CompliantSolution& solution) {
    const Certificate certificate = certify(at.problem, at.model, solution);
    EXPECT_TRUE(certificate.passes(1e-12)) << text_of(certificate);
    worst = std::max(worst, certificate.worst);
  });
  ::testing::Test::RecordProperty("worst", std::to_string(worst * 1e15) + "e-15");
}

// A velocity or a force that is off by 1e-6 of the largest is no answer.
TEST(CompliantCertificate, RefusesPerturbedAnswers) {
  Random random(3);
  for_each_reference([&](const Judged& at, const CompliantSolution& solution) {
    CompliantSolution wrong = solution;
    const Index i = random.integer(0, wrong.v1.size() - 1);
    wrong.v1(i) += 1e-6 * std::max(wrong.v1.cwiseAbs().maxCoeff(), 1e-3);
    EXPECT_FALSE(certify(at.problem, at.model, wrong).passes(kCompliantPass));
    double largest = 0.0;
    for (const VectorXd* force :
         {&solution.lambda_b, &solution.lambda_u, &solution.lambda_n, &solution.lambda_r, &solution.lambda_s}) {
      if (force->size() > 0) largest = std::max(largest, force->cwiseAbs().maxCoeff());
    }
    for (VectorXd CompliantSolution::*force :
         {&CompliantSolution::lambda_b, &CompliantSolution::lambda_u, &CompliantSolution::lambda_n,
          &CompliantSolution::lambda_r, &CompliantSolution::lambda_s}) {
      for (Index k = 0; k < (solution.*force).size(); ++k) {
        wrong = solution;
        (wrong.*force)(k) += 1e-3 * std::max(largest, 1.0);
        EXPECT_FALSE(certify(at.problem, at.model, wrong).passes(kCompliantPass)) << k;
      }
    }
  });
}

const CompliantFile& named(const std::vector<CompliantFile>& files, const std::string& name) {
  for (const CompliantFile& file : files) {
    if (file.problem.name == name) return file;
  }
  throw std::runtime_error("no reference " + name);
}
const CompliantSolution& reference_answer(const CompliantFile& file, const std::string& model) {
  for (const CompliantReference& reference : file.solutions) {
    if (reference.model == model) return reference.solution;
  }
  throw std::runtime_error("no answer " + model);
}

// The least-norm program loads open springs where rows are coupled: it is not the law max(0, spring).
TEST(CompliantCertificate, RefusesTheLeastNormProgramAsTheLaw) {
  const auto files = compliant_references();
  for (const char* name : {"u2_open_spring_qp_differs", "u4_tilted_plate", "u7_with_bilateral"}) {
    const CompliantFile& file = named(files, name);
    const Certificate certificate = certify(file.problem, Compliant{}, reference_answer(file, "qp"));
    EXPECT_FALSE(certificate.passes(1e-3)) << name << "\n" << text_of(certificate);
    EXPECT_GT(certificate.find("unilateral")->relative, 1e-3) << name;
    EXPECT_LT(certificate.find("momentum")->relative, 1e-12) << name;
  }
}

// The relaxation lifts sliding contacts, and the weighted program inflates their normal forces: neither is Coulomb's law.
TEST(CompliantCertificate, TellsTheLawsOfFrictionApart) {
  const auto files = compliant_references();
  for (const char* name :
       {"f2_2d_particle_slide", "f4_2d_block_slide", "f5_3d_particle_slide", "f9_3d_hertz_three_feet"}) {
    const CompliantFile& file = named(files, name);
    const Compliant coulomb, cone{.unilateral = UnilateralLaw::kComplementarity, .friction = FrictionLaw::kConvexCone};
    EXPECT_GT(certify(file.problem, coulomb, reference_answer(file, "convex_cone")).worst, 1e-4) << name;
    EXPECT_GT(certify(file.problem, cone, reference_answer(file, "coulomb")).worst, 1e-4) << name;
    EXPECT_GT(certify(file.problem, coulomb, reference_answer(file, "paper_qcqp")).worst, 1e-4) << name;
    EXPECT_GT(certify(file.problem, cone, reference_answer(file, "paper_qcqp")).worst, 1e-4) << name;
  }
}

// The treatment of Ġ v0 changes the law, also where stiff rows make the answers equal to 1e-12 in v1.
TEST(CompliantCertificate, TellsTheVelocityProductsApart) {
  const auto files = compliant_references();
  CompliantProblem problem = named(files, "b3_pendulum_soft").problem;
  const CompliantFile& file = named(files, "b3_pendulum_soft");
  for (const auto product : {VelocityProduct::kNone, VelocityProduct::kSpring, VelocityProduct::kPaper}) {
    problem.product = product;
    int passing = 0;
    for (const char* model : {"none", "spring", "paper"}) {
      passing += certify(problem, Compliant{}, reference_answer(file, model)).passes(kCompliantPass);
    }
    EXPECT_EQ(passing, 1);
  }
}

// Forces in the null space of Gᵀ move nothing, so only the law of the springs can tell that they are wrong: however large
// they are, they must not become their own excuse.
TEST(CompliantCertificate, RefusesInternalForcesThatMoveNothing) {
  const auto files = compliant_references();
  const CompliantFile& file = named(files, "b4_redundant");
  CompliantProblem problem = file.problem;
  problem.product = VelocityProduct::kSpring;
  for (const double size : {0.1, 1.0, 1e3, 1e6, 1e10}) {
    CompliantSolution wrong = reference_answer(file, "spring");
    wrong.lambda_b += size * Eigen::Vector4d(1.0, 1.0, -1.0, 0.0);  // G3 = G1 + G2
    EXPECT_FALSE(certify(problem, Compliant{}, wrong).passes(kCompliantPass)) << size;
  }
}

// A particle of 1 kg on a spring, pushed by hand: the answer in closed form, and every way to miss it.
class OneSpring : public ::testing::Test {
 protected:
  OneSpring() {
    problem_.h = 0.01;
    problem_.mass = BlockDiagonal({MatrixXd::Identity(3, 3)});
    problem_.v = Vector3d(0.4, 0.0, -0.1);
    problem_.f = Vector3d(0.0, 0.0, -10.0);
    const auto row = [&](double x, double y, double z, double K, double B, double phi) {
      CompliantRows rows;
      rows.G = BlockRows(problem_.mass.layout());
      const double values[3] = {x, y, z};
      rows.G.add_row({0, values});
      rows.K = VectorXd::Constant(1, K);
      rows.B = VectorXd::Constant(1, B);
      rows.phi = VectorXd::Constant(1, phi);
      return rows;
    };
    problem_.normal = row(0, 0, 1, 1e6, 10.0, -1e-5);
    problem_.r = row(1, 0, 0, 0, 1e5, 0);
    problem_.s = row(0, 1, 0, 0, 1e5, 0);
    problem_.mu = VectorXd::Constant(1, 0.5);
    // Rows are orthogonal and the mass is one: π_n = −(v*_n + β)/(1 + R), friction on the edge against x.
    const double D = 0.01 * 1e6 + 10.0, beta = 1e6 * -1e-5 / D, R = 1.0 / (0.01 * D);
    const double pi = -(-0.2 + beta) / (1.0 + R);
    solution_.lambda_n = VectorXd::Constant(1, pi / 0.01);
    solution_.lambda_r = VectorXd::Constant(1, -0.5 * pi / 0.01);
    solution_.lambda_s = VectorXd::Zero(1);
    solution_.v1 = Vector3d(0.4 - 0.5 * pi, 0.0, -0.2 + pi);
  }
  bool passes(const CompliantSolution& s) { return certify(problem_, Compliant{}, s).passes(kCompliantPass); }

  CompliantProblem problem_;
  CompliantSolution solution_;
};

// The closed form passes: signs, scales and β are those of the law.
TEST_F(OneSpring, ClosedFormPasses) {
  const Certificate certificate = certify(problem_, Compliant{}, solution_);
  EXPECT_TRUE(certificate.passes(1e-13)) << text_of(certificate);
}

// Friction along the slip, beside it, or larger than the cone allows is refused even when momentum balances.
TEST_F(OneSpring, FrictionMustOpposeTheSlipWithinTheCone) {
  const auto with_friction = [&](double r, double s) {
    CompliantSolution wrong = solution_;
    wrong.lambda_r(0) = r * solution_.lambda_r(0);
    wrong.lambda_s(0) = s * solution_.lambda_r(0);
    wrong.v1(0) = 0.4 + 0.01 * wrong.lambda_r(0);
    wrong.v1(1) = 0.01 * wrong.lambda_s(0);
    return wrong;
  };
  EXPECT_TRUE(passes(with_friction(1.0, 0.0)));
  EXPECT_FALSE(passes(with_friction(-1.0, 0.0)));
  EXPECT_FALSE(passes(with_friction(0.0, 0.0)));
  EXPECT_FALSE(passes(with_friction(0.999, 0.0)));
  EXPECT_FALSE(passes(with_friction(std::cos(1e-3), std::sin(1e-3))));
  EXPECT_GT(certify(problem_, Compliant{}, with_friction(1.001, 0.0)).find("cone")->relative, 1e-5);
}

// A contact that opens may not be held, and one that presses may not be let go.
TEST_F(OneSpring, SignsOfTheNormalForceMatter) {
  problem_.normal.phi(0) = 1.0;  // far apart: nothing acts
  CompliantSolution open;
  open.lambda_n = open.lambda_r = open.lambda_s = VectorXd::Zero(1);
  open.v1 = Vector3d(0.4, 0.0, -0.2);
  EXPECT_TRUE(passes(open));
  for (const double force : {1e-3, -1e-3}) {
    CompliantSolution wrong = open;
    wrong.lambda_n(0) = force;
    wrong.v1(2) += 0.01 * force;
    EXPECT_FALSE(passes(wrong)) << force;
  }
  problem_.normal.phi(0) = -1e-5;
  EXPECT_FALSE(passes(open));
}

// A row without spring and damper carries nothing.
TEST_F(OneSpring, IdleRowsCarryNothing) {
  problem_.normal.K(0) = problem_.normal.B(0) = 0.0;
  CompliantSolution wrong = solution_;
  EXPECT_GT(certify(problem_, Compliant{}, wrong).find("idle rows")->relative, 1e-3);
  wrong.lambda_n.setZero();
  wrong.lambda_r.setZero();
  wrong.v1 = Vector3d(0.4, 0.0, -0.2);
  EXPECT_TRUE(passes(wrong));
}

// Other sizes, and numbers that are none, are refused before any arithmetic.
TEST_F(OneSpring, RefusesShapesAndNumbers) {
  CompliantSolution wrong = solution_;
  wrong.v1.resize(2);
  EXPECT_NE(certify(problem_, Compliant{}, wrong).find("size"), nullptr);
  wrong = solution_;
  wrong.lambda_s.resize(0);
  EXPECT_NE(certify(problem_, Compliant{}, wrong).find("size"), nullptr);
  wrong = solution_;
  wrong.lambda_n(0) = std::nan("");
  EXPECT_NE(certify(problem_, Compliant{}, wrong).find("finite"), nullptr);
  EXPECT_FALSE(passes(wrong));
  problem_.mu.resize(0);
  EXPECT_NE(certify(problem_, Compliant{}, solution_).find("size"), nullptr);
}

// A fast body far away is no excuse for a contact it has no part in.
TEST_F(OneSpring, IslandsHaveTheirOwnScales) {
  CompliantProblem two = problem_;
  two.mass.append(MatrixXd::Identity(3, 3));
  const auto widen = [&](CompliantRows& rows) {
    MatrixXd wide = MatrixXd::Zero(1, 6);
    wide.leftCols(3) = rows.G.to_dense();
    rows.G = BlockRows::from_dense(wide, two.mass.layout()).value();
  };
  widen(two.normal);
  widen(two.r);
  widen(two.s);
  two.v.conservativeResize(6);
  two.v.tail(3).setConstant(1e8);
  two.f.conservativeResize(6);
  two.f.tail(3).setZero();
  CompliantSolution wide = solution_;
  wide.v1.conservativeResize(6);
  wide.v1.tail(3).setConstant(1e8);
  EXPECT_TRUE(certify(two, Compliant{}, wide).passes(kCompliantPass));
  wide.v1(2) += 1e-5;
  EXPECT_FALSE(certify(two, Compliant{}, wide).passes(kCompliantPass));
}

// One kilogram in the plane, held by two springs along a direction.
CompliantBuilder make_held(const std::array<double, 3>& direction, double stiffness, double first, double second) {
  CompliantBuilder builder(BlockDiagonal(std::vector<MatrixXd>{MatrixXd::Identity(3, 3)}), 0.01);
  builder.problem().f = Vector3d(0.0, -9.81, 0.0);
  builder.add_spring({{0, direction}, {}}, stiffness, 0.0, first);
  builder.add_spring({{0, direction}, {}}, stiffness, 0.0, second);
  return builder;
}

CompliantSolution held_by(double first, double second) {
  CompliantSolution solution;
  solution.v1 = VectorXd::Zero(3);
  solution.lambda_b = Eigen::Vector2d(first, second);
  return solution;
}

// Springs that press against one another with 1e9 N are no excuse for leaving the weight out, across them.
TEST(CompliantCertificate, PrestressExcusesNoMissingWeight) {
  CompliantBuilder builder = make_held({1.0, 0.0, 0.0}, 1e12, 1e-3, -1e-3);
  const CompliantSolution resting = held_by(-1e9, 1e9);
  EXPECT_FALSE(certify(builder.problem(), Compliant{}, resting).passes(kCompliantPass));
  builder.problem().f.setZero();
  EXPECT_TRUE(certify(builder.problem(), Compliant{}, resting).passes(kCompliantPass));
}

// Two equal springs share a weight; that both together carry it is not enough, be they as stiff as steel or more.
TEST(CompliantCertificate, StiffRowsShareTheirLoad) {
  for (const double stiffness : {1e6, 1e10, 1e12}) {
    const double depth = -0.5 * 9.81 / stiffness;
    CompliantBuilder builder = make_held({0.0, 1.0, 0.0}, stiffness, depth, depth);
    EXPECT_TRUE(certify(builder.problem(), Compliant{}, held_by(4.905, 4.905)).passes(kCompliantPass));
    EXPECT_FALSE(certify(builder.problem(), Compliant{}, held_by(9.81, 0.0)).passes(kCompliantPass)) << stiffness;
  }
}

}  // namespace
}  // namespace tribo
