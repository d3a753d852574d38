#include "tribo/linalg/block_diagonal.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/random.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linalg/random_testing.hpp"
#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::random_matrix;
using testing::random_vector;

MatrixXd random_spd(Index n, Random& random) {
  const MatrixXd B = random_matrix(n, n + 2, random);
  return B * B.transpose() + 0.1 * MatrixXd::Identity(n, n);
}

BlockDiagonal random_mass(Random& random) {
  return BlockDiagonal({random_spd(6, random), random_spd(3, random), random_spd(1, random), random_spd(9, random)});
}

// Starts are running sums of the sizes.
TEST(BlockLayout, KnowsStartsAndSizes) {
  const BlockLayout layout({6, 3, 0, 2});
  EXPECT_EQ(layout.blocks(), 4);
  EXPECT_EQ(layout.size(), 11);
  EXPECT_EQ(layout.start(0), 0);
  EXPECT_EQ(layout.start(1), 6);
  EXPECT_EQ(layout.start(3), 9);
  EXPECT_EQ(layout.size(1), 3);
  EXPECT_EQ(layout.sizes(), (std::vector<Index>{6, 3, 0, 2}));
}

// No blocks is a world without bodies, not an error.
TEST(BlockLayout, EmptyHasNoBlocks) {
  const BlockLayout layout;
  EXPECT_EQ(layout.blocks(), 0);
  EXPECT_EQ(layout.size(), 0);
  EXPECT_TRUE(layout.sizes().empty());
}

// Whoever asks for the factor of a factorized matrix gets a copy with the same bits, also of chosen blocks; a changed block ends
// that.
TEST(BlockDiagonal, KeepsItsFactorUntilABlockIsChanged) {
  Random random(7);
  BlockDiagonal mass = random_mass(random);
  EXPECT_EQ(mass.factor(), nullptr);
  const BlockCholesky computed = BlockCholesky::factor(mass).value();
  ASSERT_TRUE(mass.factorize());
  ASSERT_NE(mass.factor(), nullptr);
  const std::vector<Index> chosen = {3, 1};
  BlockDiagonal part;
  part.assign(mass, chosen);
  ASSERT_NE(part.factor(), nullptr);
  const VectorXd y = random_vector(19, random), y_part = random_vector(12, random);
  BlockDiagonal plain;
  for (const Index i : chosen) plain.append(std::as_const(mass).block(i));
  VectorXd x = y, x_part = y_part, expected = y, expected_part = y_part;
  BlockCholesky::factor(mass).value().solve(x);
  computed.solve(expected);
  EXPECT_EQ(x, expected);
  BlockCholesky::factor(part).value().solve(x_part);
  BlockCholesky::factor(plain).value().solve(expected_part);
  EXPECT_EQ(x_part, expected_part);
  mass.block(2)(0, 0) *= 2.0;
  EXPECT_EQ(mass.factor(), nullptr);
  EXPECT_NEAR(BlockCholesky::factor(mass).value().block(2)(0, 0), std::sqrt(2.0) * computed.block(2)(0, 0), 1e-14);
  ASSERT_TRUE(mass.factorize());
  mass.append(MatrixXd::Identity(1, 1));
  EXPECT_EQ(mass.factor(), nullptr);
}

// A matrix without a factor says so each time, and keeps none.
TEST(BlockDiagonal, HasNoFactorWhereItIsNotPositiveDefinite) {
  BlockDiagonal matrix({MatrixXd::Identity(2, 2), -MatrixXd::Identity(3, 3)});
  EXPECT_FALSE(matrix.factorize());
  EXPECT_EQ(matrix.factor(), nullptr);
  EXPECT_FALSE(BlockCholesky::factor(matrix));
}

// Each row belongs to the block that holds it; a block without rows holds none.
TEST(BlockLayout, FindsTheBlockOfEachRow) {
  const BlockLayout layout({2, 0, 3});
  EXPECT_EQ(layout.block_of(0), 0);
  EXPECT_EQ(layout.block_of(1), 0);
  EXPECT_EQ(layout.block_of(2), 2);
  EXPECT_EQ(layout.block_of(4), 2);
  EXPECT_THROW(layout.block_of(5), ContractError);
  EXPECT_THROW(layout.block_of(-1), ContractError);
}

// A negative size can only be a mistake of the caller.
TEST(BlockLayout, RefusesNegativeSizes) { EXPECT_THROW(BlockLayout({3, -1}), ContractError); }

// Dense and block form are two writings of one matrix.
TEST(BlockDiagonal, RoundTripsThroughDense) {
  Random random(1);
  const BlockDiagonal mass = random_mass(random);
  const MatrixXd dense = mass.to_dense();
  const BlockDiagonal again = BlockDiagonal::from_dense(dense, mass.layout());
  ASSERT_EQ(again.layout(), mass.layout());
  for (Index i = 0; i < mass.blocks(); ++i) EXPECT_EQ(again.block(i), mass.block(i));
  EXPECT_EQ(again.to_dense(), dense);
  EXPECT_EQ(dense(0, 6), 0.0);
}

// The product must not depend on how the matrix is stored.
TEST(BlockDiagonal, MultipliesAsTheDenseMatrix) {
  Random random(2);
  const BlockDiagonal mass = random_mass(random);
  const VectorXd x = random_vector(mass.size(), random);
  EXPECT_LE((mass.multiply(x) - mass.to_dense() * x).cwiseAbs().maxCoeff(), 1e-14 * 19);
  EXPECT_THROW(mass.multiply(VectorXd::Zero(3)), ContractError);
}

// A block that is not square has no place on the diagonal.
TEST(BlockDiagonal, RefusesBlocksThatAreNotSquare) {
  BlockDiagonal mass;
  EXPECT_THROW(mass.append(MatrixXd::Zero(2, 3)), ContractError);
}

// (1): the factor times its transpose is the matrix, and the factor is lower triangular.
TEST(BlockCholesky, FactorReproducesTheMatrix) {
  Random random(3);
  const BlockDiagonal mass = random_mass(random);
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  ASSERT_EQ(factor.layout(), mass.layout());
  for (Index i = 0; i < mass.blocks(); ++i) {
    const MatrixXd& L = factor.block(i);
    EXPECT_LE((L * L.transpose() - mass.block(i)).cwiseAbs().maxCoeff(), 1e-14 * mass.block(i).cwiseAbs().maxCoeff());
    for (Index c = 1; c < L.cols(); ++c) EXPECT_EQ(L.col(c).head(c).cwiseAbs().maxCoeff(), 0.0);
  }
}

// Substitutions multiply with 1/L_jj instead of dividing; it must be there for free bodies, small blocks and large ones.
TEST(BlockCholesky, KeepsTheInverseOfItsDiagonal) {
  Random random(33);
  const BlockDiagonal mass({random_spd(4, random), random_spd(6, random), random_spd(40, random)});
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  for (Index i = 0; i < mass.blocks(); ++i) {
    for (Index j = 0; j < mass.block(i).rows(); ++j) {
      EXPECT_NEAR(factor.inverse_diagonal(i)[j] * factor.block(i)(j, j), 1.0, 1e-15);
    }
    VectorXd y = random_vector(mass.block(i).rows(), random), divided = y;
    factor.whiten_row(i, y.data());
    whiten_row(factor.block(i), divided.data());
    EXPECT_LE((y - divided).norm(), 1e-13 * divided.norm());
  }
}

// What whitening is for: energy becomes half the square, and power y·x is kept.
TEST(BlockCholesky, WhiteningKeepsEnergyAndPower) {
  Random random(4);
  const BlockDiagonal mass = random_mass(random);
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  const VectorXd x = random_vector(mass.size(), random), y = random_vector(mass.size(), random);
  VectorXd x_hat = x, y_hat = y;
  factor.whiten_velocity(x_hat);
  factor.whiten_force(y_hat);
  EXPECT_NEAR(x_hat.squaredNorm(), x.dot(mass.multiply(x)), 1e-13 * x_hat.squaredNorm());
  EXPECT_NEAR(y_hat.dot(x_hat), y.dot(x), 1e-13 * x_hat.norm() * y_hat.norm());
  EXPECT_NEAR(y_hat.squaredNorm(), y.dot(mass.to_dense().llt().solve(y)), 1e-12 * y_hat.squaredNorm());
}

// Each of the four maps against the dense triangular product or solve that defines it.
TEST(BlockCholesky, MapsEqualTheirDefinitions) {
  Random random(5);
  const BlockDiagonal mass = random_mass(random);
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  MatrixXd L = MatrixXd::Zero(mass.size(), mass.size());
  for (Index i = 0; i < mass.blocks(); ++i) {
    const Index at = mass.layout().start(i), size = mass.layout().size(i);
    L.block(at, at, size, size) = factor.block(i);
  }
  const VectorXd x = random_vector(mass.size(), random);
  const auto lower = L.triangularView<Eigen::Lower>();
  const auto apply = [&](void (BlockCholesky::*map)(Eigen::Ref<VectorXd>) const) {
    VectorXd y = x;
    (factor.*map)(y);
    return y;
  };
  EXPECT_LE((apply(&BlockCholesky::whiten_velocity) - L.transpose() * x).norm(), 1e-13);
  EXPECT_LE((apply(&BlockCholesky::unwhiten_force) - L * x).norm(), 1e-13);
  const VectorXd forward = lower.solve(x), backward = L.transpose().triangularView<Eigen::Upper>().solve(x);
  EXPECT_LE((apply(&BlockCholesky::whiten_force) - forward).norm(), 1e-13 * forward.norm());
  EXPECT_LE((apply(&BlockCholesky::unwhiten_velocity) - backward).norm(), 1e-13 * backward.norm());
  EXPECT_LE((mass.multiply(apply(&BlockCholesky::solve)) - x).norm(), 1e-12 * x.norm());
}

// The error must say which body is at fault: "block 2", not "the matrix".
TEST(BlockCholesky, NamesTheBlockThatIsNotPositiveDefinite) {
  Random random(6);
  const MatrixXd good = random_spd(3, random);
  MatrixXd indefinite = good;
  indefinite(1, 1) = -1.0;
  const auto result = BlockCholesky::factor(BlockDiagonal({good, good, indefinite, indefinite}));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().where, "block 2");
  EXPECT_FALSE(result.error().remedy.empty());
}

// A singular block may pass the square roots by rounding alone; NaN passes every "<" test. Both must be
// refused.
TEST(BlockCholesky, RefusesSingularAndNonFiniteBlocks) {
  const Eigen::Vector3d u(1.0, 1.0 / 3.0, 0.7);
  EXPECT_FALSE(BlockCholesky::factor(BlockDiagonal({u * u.transpose()})).has_value());
  EXPECT_FALSE(BlockCholesky::factor(BlockDiagonal({MatrixXd::Zero(2, 2)})).has_value());
  MatrixXd not_a_number = MatrixXd::Identity(3, 3);
  not_a_number(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(BlockCholesky::factor(BlockDiagonal({not_a_number})).has_value());
  not_a_number(2, 1) = 0.0;
  not_a_number(2, 2) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(BlockCholesky::factor(BlockDiagonal({not_a_number})).has_value());
}

// Masses of 1 kg and 1e12 kg in one tree are far apart but definite: the test of singularity must be
// relative.
TEST(BlockCholesky, AcceptsLargeMassRatios) {
  const MatrixXd block = Eigen::Vector3d(1e12, 1.0, 1e-12).asDiagonal();
  EXPECT_TRUE(BlockCholesky::factor(BlockDiagonal({block})).has_value());
}

// A world without bodies has an empty factor.
TEST(BlockCholesky, FactorsTheEmptyMatrix) {
  const auto factor = BlockCholesky::factor(BlockDiagonal{});
  ASSERT_TRUE(factor.has_value());
  VectorXd nothing(0);
  factor->solve(nothing);
  EXPECT_EQ(nothing.size(), 0);
}

}  // namespace
}  // namespace tribo
