// Faces on elastic layers: their rows, and what validate() refuses.
#include "tribo/problem/foundation.hpp"

#include "tribo/core/assert.hpp"

#include <array>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

namespace tribo {
namespace {

FoundationProblem make_plate() {
  FoundationProblem problem;
  problem.name = "plate";
  problem.h = 0.02;
  problem.mass.append(2.0 * MatrixXd::Identity(3, 3));
  problem.v = Vector3d(0.0, 0.1, -0.2);
  problem.f = Vector3d(-3.0, 0.0, 0.0);
  problem.layer = std::make_shared<ElasticLayer>(make_rectangular_layer(0.4, 0.2, 2, 2, 1e5, 40.0));
  problem.gap = {-0.001, 0.02, 0.0};
  problem.T = BlockRows(problem.mass.layout());
  for (int i = 0; i < 3; ++i) {
    const Vector3d row = Vector3d::Unit(i);
    problem.T.add_row({0, {row.data(), 3}});
  }
  return problem;
}

// Each row by hand: (1) of foundation.hpp.
TEST(FoundationProblem, RowsAreThoseOfItsElements) {
  const FoundationProblem problem = make_plate();
  const CompliantProblem rows = to_rows(problem);
  ASSERT_TRUE(validate(rows));
  ASSERT_EQ(rows.unilateral.rows(), 4);
  EXPECT_EQ(rows.name, "plate");
  EXPECT_EQ(rows.h, 0.02);
  const double x[] = {-0.1, 0.1, -0.1, 0.1}, y[] = {-0.05, -0.05, 0.05, 0.05};
  const MatrixXd G = rows.unilateral.G.to_dense();
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(rows.unilateral.phi(i), -0.001 + 0.02 * x[i], 1e-18);
    EXPECT_NEAR(rows.unilateral.K(i), 1e5 * 0.02, 1e-10);
    EXPECT_NEAR(rows.unilateral.B(i), x[i] > 0.0 ? 0.0 : 40.0 * 0.02, 1e-15);
    EXPECT_NEAR(G(i, 0), 1.0, 1e-18);
    EXPECT_NEAR(G(i, 1), x[i], 1e-17);
    EXPECT_NEAR(G(i, 2), y[i], 1e-17);
  }
}

// Rows written into what another problem left there are the same.
TEST(FoundationProblem, RowsForgetWhatWasThere) {
  const FoundationProblem problem = make_plate();
  FoundationProblem larger = problem;
  larger.layer = std::make_shared<ElasticLayer>(make_rectangular_layer(1.0, 1.0, 9, 9, 1.0, 1.0));
  CompliantProblem rows = to_rows(larger);
  rows.normal = rows.bilateral = rows.unilateral;
  rows.unilateral.drift.setOnes(81);
  rows.product = VelocityProduct::kSpring;
  rows.mu = rows.rate_scale = VectorXd::Ones(81);
  rows.zeta = 3.0;
  to_rows(problem, rows);
  const CompliantProblem fresh = to_rows(problem);
  EXPECT_TRUE(validate(rows));
  EXPECT_EQ(rows.unilateral.G.to_dense(), fresh.unilateral.G.to_dense());
  EXPECT_EQ(rows.bilateral.rows() + rows.normal.rows() + rows.mu.size(), 0);
  EXPECT_EQ(rows.product, VelocityProduct::kNone);
  EXPECT_FALSE(rows.zeta);
  EXPECT_EQ(rows.unilateral.K, fresh.unilateral.K);
  EXPECT_EQ(rows.unilateral.drift.size(), 0);
  EXPECT_EQ(rows.unilateral.phi, fresh.unilateral.phi);
}

void expect_refused(const FoundationProblem& problem, const std::string& word) {
  const Checked checked = validate(problem);
  ASSERT_FALSE(checked) << word;
  EXPECT_NE(checked.error().text().find(word), std::string::npos) << checked.error().text();
}

// The error names what is wrong.
TEST(FoundationProblem, RefusesWhatMakesNoSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(validate(make_plate()));
  const auto with_layer = [](auto change) {
    FoundationProblem problem = make_plate();
    ElasticLayer layer = *problem.layer;
    change(layer);
    problem.layer = std::make_shared<ElasticLayer>(layer);
    problem.h = 10.0;
    return problem;
  };
  expect_refused(with_layer([&](ElasticLayer& layer) { layer.x(2) = nan; }), "layer.x(2)");
  expect_refused(with_layer([](ElasticLayer& layer) { layer.y.conservativeResize(3); }), "layer.y");
  expect_refused(with_layer([](ElasticLayer& layer) { layer.area(1) = 0.0; }), "layer.area(1)");
  expect_refused(with_layer([](ElasticLayer& layer) { layer.stiffness = -1.0; }), "stiffness");
  expect_refused(with_layer([&](ElasticLayer& layer) { layer.damping = nan; }), "damping");
  expect_refused(with_layer([](ElasticLayer& layer) {
                   layer.area.setConstant(1e100);
                   layer.damping = 9e207;
                 }),
                 "softer");
  FoundationProblem problem = make_plate();
  problem.layer.reset();
  expect_refused(problem, "layer");
  EXPECT_THROW(static_cast<void>(to_rows(problem)), ContractError);
  EXPECT_THROW(static_cast<void>(make_rectangular_layer(1.0, 1.0, -3, 8, 1.0, 0.0)), ContractError);
  problem = make_plate();
  problem.gap(1) = nan;
  expect_refused(problem, "gap");
  problem = make_plate();
  problem.T = BlockRows(problem.mass.layout());
  expect_refused(problem, "T");
  problem = make_plate();
  problem.T.values(1, 0)[2] = nan;
  expect_refused(problem, "T(1, 2)");
  problem = make_plate();
  problem.h = 0.0;
  expect_refused(problem, "h");
  problem = make_plate();
  problem.mass.block(0)(1, 1) = -1.0;
  expect_refused(problem, "M");
  problem = make_plate();
  for (int i = 0; i < 2; ++i) problem.mass.append(MatrixXd::Identity(1, 1));
  problem.v = problem.f = VectorXd::Zero(5);
  problem.T = BlockRows(problem.mass.layout());
  const std::array<double, 3> row = {1.0, 0.0, 0.0};
  const std::array<double, 1> one = {1.0};
  problem.T.add_row({0, row});
  problem.T.add_row({1, one});
  problem.T.add_row({2, one});
  expect_refused(problem, "two blocks");
}

}  // namespace
}  // namespace tribo
