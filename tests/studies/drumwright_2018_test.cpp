// One quick run of the study, read as a program reads it; the rigs in closed form; and SUNDIALS, where it is installed,
// on equations with a known answer. No test looks at a time.
#include <cmath>
#include <numbers>
#include <set>

#include "quick_study.hpp"
#include "studies/drumwright_2018/foundation.hpp"
#include "studies/drumwright_2018/hertz_row.hpp"
#include "studies/drumwright_2018/incline.hpp"
#include "studies/drumwright_2018/range_limit.hpp"
#include "studies/drumwright_2018/spheres.hpp"
#include "studies/report_curve.hpp"
#include "studies/study.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::json;

const QuickStudy& compliant_run() {
  static const QuickStudy run(run_drumwright_2018);
  return run;
}

// What the study holds itself to must hold: every step solved and certified, and the bars E.1 to E.7 of the specification.
TEST(Drumwright2018, KeepsItsPromises) {
  for (const json& promise : compliant_run().of_kind("promise")) {
    EXPECT_TRUE(promise.at("held").get<bool>()) << promise.dump();
  }
  EXPECT_TRUE(compliant_run().held);
  EXPECT_GE(compliant_run().of_kind("promise").size(), 20U);
}

// A claim without a verdict, or with a verdict of another kind, would be a number without a meaning.
TEST(Drumwright2018, EveryClaimHasAVerdict) {
  const std::vector<json> claims = compliant_run().of_kind("claim");
  EXPECT_GE(claims.size(), 18U);
  std::set<std::string> names;
  for (const json& claim : claims) {
    EXPECT_EQ(claim.at("study"), "drumwright-2018");
    EXPECT_TRUE(names.insert(claim.at("claim")).second) << claim.dump();
    const std::string verdict = claim.at("verdict");
    EXPECT_TRUE(verdict == "reproduced" || verdict == "not reproduced" ||
                (verdict.starts_with("differs because ") && verdict.size() > 30))
        << verdict;
  }
}

// The study says so when there is no SUNDIALS, and only then.
TEST(Drumwright2018, SaysWhatIsLeftOut) {
  bool sundials = false;
  for (const json& line : compliant_run().of_kind("left-out")) sundials = sundials || line.at("what") == "SUNDIALS";
  EXPECT_EQ(sundials, !has_sundials());
}

// Nothing moves sideways in a stack that is symmetric, and the least offset is no symmetry: both to the last bit.
TEST(Drumwright2018, SymmetryIsExactAndAnOffsetIsSeen) {
  const Compliant cone{UnilateralLaw::kComplementarity, FrictionLaw::kConvexCone};
  StackSettings settings;
  settings.spheres = 3;
  settings.steps = 100;
  Stepper stepper(cone, 10);
  const StackRun straight = run_stack(settings, stepper);
  EXPECT_EQ(straight.lateral, 0.0);
  EXPECT_EQ(straight.tangential, 0.0);
  settings.offset = 1e-9;
  Stepper other(cone, 10);
  EXPECT_GT(run_stack(settings, other).lateral, 2e-9);
  EXPECT_TRUE(stepper.tally.held() && other.tally.held());
}

// The peers' law by general rows is the fused one, on a cube that tilts, turns and has lifted on one side.
TEST(Drumwright2018, TheLawByRowsIsTheSameLaw) {
  FoundationSettings settings;
  settings.elements = 100;
  const Foundation rig(settings);
  VectorXd y = rig.start();
  y(2) = -1e-5;
  y.segment(3, 4) << std::sqrt(1.0 - 3e-8), 1e-4, -1e-4, 1e-4;
  y.tail(6) << 0.1, -0.2, 0.003, 0.01, 0.02, 0.03;
  VectorXd fused(13), by_rows(13);
  rig.right_hand_side()(0.3, y.data(), fused.data());
  rig.right_hand_side_by_rows()(0.3, y.data(), by_rows.data());
  EXPECT_LE((fused - by_rows).cwiseAbs().maxCoeff(), 1e-11 * fused.cwiseAbs().maxCoeff());
  EXPECT_GT(std::abs(fused(9) + 9.81), 1.0);  // some elements carry load
}

// A rig takes any solver: one that pushes nothing lets the box fall, and the certificate refuses its answers.
TEST(Drumwright2018, ARigTakesAnySolverAndTheCertificateJudgesIt) {
  const StepSolver nothing = [](const CompliantProblem& problem, CompliantSolution& solution) {
    solution = {};
    solution.v1 = problem.v + problem.h * problem.f;
    solution.lambda_n = VectorXd::Zero(problem.contacts());
    solution.lambda_r = VectorXd::Zero(problem.r.rows());
    solution.lambda_s = VectorXd::Zero(problem.s.rows());
    SolveReport report;
    report.status = Status::kSolved;
    return report;
  };
  InclineSettings settings;
  settings.end = 0.1;
  Stepper stepper(Compliant{}, nothing, 1);
  const InclineRun run = run_incline(settings, stepper);
  EXPECT_GT(run.depth, 0.01);
  EXPECT_EQ(stepper.tally.unsolved, 0);
  EXPECT_EQ(stepper.tally.refused, 10);
  EXPECT_FALSE(stepper.tally.held());
}

// The tangent of the row is the derivative of F = K d^{3/2}, and the row itself is continuous where the gap closes.
TEST(Drumwright2018, HertzRowsHaveTheSlopeOfTheLaw) {
  const double d = 3e-7, step = 1e-12;
  const HertzRow row = make_hertz_row(-d, 1.0, 1e-9);
  EXPECT_NEAR(row.phi, -std::pow(d, 1.5), 1e-22);
  EXPECT_NEAR(row.rate_scale, (std::pow(d + step, 1.5) - std::pow(d - step, 1.5)) / (2.0 * step),
              1e-8 * row.rate_scale);
  EXPECT_EQ(make_hertz_row(1e-15, 1.0, 1e-9).B, 0.0);
  EXPECT_NEAR(make_hertz_row(1e-15, 1.0, 1e-9).phi, 0.0, 1e-18);
  EXPECT_NEAR(calc_hertz_depth(1e10 * std::pow(d, 1.5), 1e10), d, 1e-15 * d + 1e-21);
}

// Closed form: half a period of the discrete spring; small steps lose π w h/2 of the speed.
TEST(Drumwright2018, RestitutionFollowsTheStep) {
  EXPECT_NEAR(1.0 - calc_restitution(1e-6, 1e6), 0.5 * std::numbers::pi * 1e-3, 2e-6);
  EXPECT_NEAR(calc_restitution(1e-6, 1e12), 0.25, 1e-12);
  LimitSettings settings;
  settings.h = 1e-4;
  settings.K = 1e6;
  Stepper stepper(Compliant{});
  EXPECT_NEAR(run_limit(settings, stepper).restitution, calc_restitution(settings.h, settings.K), 0.02);
}

// The right hand side and the rows are one law: with all elements closed, one short step of either moves the cube alike.
TEST(Drumwright2018, FoundationStepsTowardsItsDifferentialEquation) {
  FoundationSettings settings;
  settings.h = settings.end = 1e-5;
  Foundation rig(settings);
  Stepper stepper(Compliant{});
  const FoundationRun run = rig.run(stepper);
  const VectorXd reference = rig.reference_pose(10);
  EXPECT_LT(reference(2), 0.0);
  EXPECT_NEAR(run.pose(2) / reference(2), 2.0, 0.01)
      << "implicit Euler moves h² g where the exact one moves half of it";
  EXPECT_EQ(stepper.tally.refused, 0);
}

// A peer that is handed another equation would be slandered: y' = −1000 (y − cos t) − sin t has the answer cos t.
TEST(Drumwright2018, SundialsSolvesAStiffEquationWithAKnownAnswer) {
  const OdeRightHandSide f = [](double t, const double* y, double* rate) {
    rate[0] = -1e3 * (y[0] - std::cos(t)) - std::sin(t);
  };
  OdeSettings settings;
  settings.relative = 1e-8;
  settings.absolute = VectorXd::Constant(1, 1e-10);
  for (const auto& integrate : {integrate_bdf, integrate_explicit}) {
    const OdeResult result = integrate(f, VectorXd::Ones(1), 1.0, settings);
    if (!has_sundials()) {
      EXPECT_FALSE(result.finished);
      continue;
    }
    ASSERT_TRUE(result.finished);
    EXPECT_NEAR(result.y(0), std::cos(1.0), 1e-6);
    EXPECT_GT(result.steps, 3);
    EXPECT_GE(result.evaluations, result.steps);
  }
}

// Curves may be negative and lie on one picture where they have one name; a line without two points is none.
TEST(ReportCurve, DrawsOnePicturePerFigure) {
  const auto row = [](const char* figure, const char* series, std::vector<double> xs, std::vector<double> ys) {
    return ReportRow{{"figure", figure}, {"series", series}, {"x_name", "t"}, {"y_name", "x"}, {"xs", xs}, {"ys", ys}};
  };
  const std::string html =
      make_curves({row("one", "a<b", {0.0, 1.0}, {-1.0, 1.0}), row("one", "c", {0.0, 1.0}, {0.0, 2.0}),
                   row("two", "d", {0.0}, {1.0}), row("three", "e", {2.0, 2.0}, {5.0, 5.0})});
  std::size_t figures = 0;
  for (std::size_t at = html.find("<figure>"); at != std::string::npos; at = html.find("<figure>", at + 1)) ++figures;
  EXPECT_EQ(figures, 2U);
  EXPECT_NE(html.find("a&lt;b"), std::string::npos);
  EXPECT_EQ(html.find("nan"), std::string::npos);
  EXPECT_EQ(html.find(">two"), std::string::npos);
  EXPECT_EQ(make_curves({}), "");
}

}  // namespace
}  // namespace tribo
