#include "tribo/linalg/block_rows.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/random.hpp"

#include <cmath>
#include <limits>

#include "linalg/random_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::random_vector;

using Segment = BlockRows::Segment;

// Rows of every kind: on one block, on two (in both orders), and of zeros.
BlockRows sample_rows(Random& random) {
  const BlockLayout layout({6, 3, 2, 7});
  BlockRows rows(layout);
  const auto values = [&](Index block) {
    std::vector<double> result;
    for (Index k = 0; k < layout.size(block); ++k) result.push_back(random.uniform(-1.0, 1.0));
    return result;
  };
  for (const auto& [a, b] : std::vector<std::pair<Index, Index>>{{0, 1}, {3, 0}, {2, -1}, {1, 3}, {-1, 2}}) {
    const std::vector<double> first = a < 0 ? std::vector<double>{} : values(a);
    const std::vector<double> second = b < 0 ? std::vector<double>{} : values(b);
    rows.add_row({a, first}, {b, second});
  }
  rows.add_row(Segment{});
  return rows;
}

// The first rows stay as they are, and others can follow.
TEST(BlockRows, KeepsTheFirstRows) {
  Random random(3);
  const BlockRows rows = sample_rows(random);
  const MatrixXd dense = rows.to_dense();
  for (Index count = 0; count <= rows.rows(); ++count) {
    BlockRows kept = rows;
    kept.keep(count);
    ASSERT_EQ(kept.rows(), count);
    EXPECT_EQ(kept.to_dense(), dense.topRows(count));
    const std::array<Segment, 2> last = rows.row(3);
    kept.add_row(last[0], last[1]);
    EXPECT_EQ(kept.to_dense().row(count), dense.row(3));
  }
}

// Dense and block form are two writings of one matrix.
TEST(BlockRows, RoundTripsThroughDense) {
  Random random(1);
  const BlockRows rows = sample_rows(random);
  const MatrixXd dense = rows.to_dense();
  ASSERT_EQ(dense.rows(), 6);
  ASSERT_EQ(dense.cols(), 18);
  const BlockRows again = BlockRows::from_dense(dense, rows.layout()).value();
  EXPECT_EQ(again.to_dense(), dense);
  EXPECT_EQ(again.rows(), rows.rows());
}

// Products must not depend on how the matrix is stored.
TEST(BlockRows, ProductsEqualTheDenseOnes) {
  Random random(2);
  const BlockRows rows = sample_rows(random);
  const MatrixXd dense = rows.to_dense();
  const VectorXd x = random_vector(rows.cols(), random), f = random_vector(rows.rows(), random);
  EXPECT_LE((rows.multiply(x) - dense * x).norm(), 1e-14);
  EXPECT_LE((rows.multiply_transposed(f) - dense.transpose() * f).norm(), 1e-14);
  for (Index i = 0; i < rows.rows(); ++i) {
    EXPECT_NEAR(rows.dot(i, x), dense.row(i).dot(x), 1e-14);
    VectorXd y = x;
    rows.add_scaled(i, -2.5, y);
    EXPECT_LE((y - (x - 2.5 * dense.row(i).transpose())).norm(), 1e-14);
  }
}

// A row is given back as it was put in: absent segments are marked, not invented.
TEST(BlockRows, GivesBackItsSegments) {
  Random random(3);
  const BlockRows rows = sample_rows(random);
  EXPECT_EQ(rows.row(1)[0].block, 3);
  EXPECT_EQ(rows.row(1)[1].block, 0);
  EXPECT_EQ(rows.row(1)[0].values.size(), 7u);
  EXPECT_EQ(rows.row(2)[1].block, -1);
  EXPECT_TRUE(rows.row(2)[1].values.empty());
  EXPECT_EQ(rows.row(4)[0].block, 2);  // the only segment comes first
  EXPECT_EQ(rows.row(5)[0].block, -1);
}

// Duplicating a contact copies a row from the object it is added to, whose memory may move meanwhile.
TEST(BlockRows, CanCopyItsOwnRows) {
  Random random(4);
  BlockRows rows = sample_rows(random);
  for (int k = 0; k < 100; ++k) {
    const auto segments = rows.row(1);
    rows.add_row(segments[0], segments[1]);
  }
  const MatrixXd dense = rows.to_dense();
  for (Index i = 6; i < rows.rows(); ++i) EXPECT_EQ(dense.row(i), dense.row(1)) << i;
}

// A row over three trees cannot be stored; the message must name the row.
TEST(BlockRows, FromDenseNamesARowOverThreeBlocks) {
  MatrixXd dense = MatrixXd::Zero(3, 6);
  dense(1, 0) = dense(1, 2) = dense(1, 5) = 1.0;
  const auto result = BlockRows::from_dense(dense, BlockLayout({2, 2, 2}));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().where, "row 1");
}

// Files may hold rows of the wrong width; that is bad data, not a broken promise.
TEST(BlockRows, FromDenseRefusesAWrongWidth) {
  const auto result = BlockRows::from_dense(MatrixXd::Zero(1, 5), BlockLayout({6}));
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().what.find("5 columns"), std::string::npos);
}

// NaN is not zero: it must survive the conversion, so that validate() can refuse it.
TEST(BlockRows, FromDenseKeepsNaN) {
  MatrixXd dense = MatrixXd::Zero(1, 4);
  dense(0, 3) = std::numeric_limits<double>::quiet_NaN();
  const BlockRows rows = BlockRows::from_dense(dense, BlockLayout({2, 2})).value();
  EXPECT_EQ(rows.row(0)[0].block, 1);
  EXPECT_TRUE(std::isnan(rows.to_dense()(0, 3)));
}

// Segments that do not fit are mistakes of the caller.
TEST(BlockRows, RefusesSegmentsThatDoNotFit) {
  BlockRows rows(BlockLayout({2, 3}));
  const std::vector<double> two{1.0, 2.0}, three{1.0, 2.0, 3.0};
  EXPECT_THROW(rows.add_row({0, three}), ContractError);
  EXPECT_THROW(rows.add_row({2, two}), ContractError);
  EXPECT_THROW(rows.add_row({0, two}, {0, two}), ContractError);
  EXPECT_EQ(rows.rows(), 0);
  rows.add_row({1, three}, {0, two});
  EXPECT_EQ(rows.rows(), 1);
}

// Whitened rows act on whitened velocities as the rows do on velocities, and their Gram matrix is J M⁻¹ Jᵀ.
TEST(BlockRows, WhitenedRowsActOnWhitenedVelocities) {
  Random random(5);
  const BlockRows rows = sample_rows(random);
  BlockDiagonal mass;
  for (const Index size : rows.layout().sizes()) {
    const MatrixXd B = MatrixXd::NullaryExpr(size, size + 2, [&] { return random.uniform(-1.0, 1.0); });
    mass.append(B * B.transpose() + 0.1 * MatrixXd::Identity(size, size));
  }
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  const BlockRows whitened = rows.whitened(factor);
  const VectorXd v = random_vector(rows.cols(), random);
  VectorXd v_hat = v;
  factor.whiten_velocity(v_hat);
  EXPECT_LE((whitened.multiply(v_hat) - rows.multiply(v)).norm(), 1e-13);
  MatrixXd inverse_times_rows = rows.to_dense().transpose();
  for (Index i = 0; i < rows.rows(); ++i) factor.solve(inverse_times_rows.col(i));
  const MatrixXd dense = whitened.to_dense(), W = rows.to_dense() * inverse_times_rows;
  EXPECT_LE((dense * dense.transpose() - W).norm(), 1e-12 * W.norm());
  EXPECT_THROW(rows.whitened(BlockCholesky{}), ContractError);
}

}  // namespace
}  // namespace tribo
