#include "tribo/linalg/pair_rows.hpp"

#include "tribo/core/random.hpp"

#include "linalg/random_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::random_vector;

BlockDiagonal random_mass(const std::vector<Index>& sizes, Random& random) {
  std::vector<MatrixXd> blocks;
  for (const Index size : sizes) {
    MatrixXd G(size, size);
    for (Index j = 0; j < size; ++j) G.col(j) = random_vector(size, random);
    blocks.push_back(G * G.transpose() + MatrixXd::Identity(size, size));
  }
  return BlockDiagonal(blocks);
}

std::span<const double> part(const VectorXd& x, Index start, Index size) {
  return {x.data() + start, static_cast<std::size_t>(size)};
}

// Rows between blocks a and b that are combinations of `directions` random ones.
void add_rows(BlockRows& rows, Index a, Index b, Index count, Index directions, Random& random) {
  const Index size_a = a < 0 ? 0 : rows.layout().size(a), size_b = b < 0 ? 0 : rows.layout().size(b);
  MatrixXd T(directions, size_a + size_b);
  for (Index j = 0; j < T.cols(); ++j) T.col(j) = random_vector(directions, random);
  for (Index i = 0; i < count; ++i) {
    const VectorXd row = T.transpose() * random_vector(directions, random);
    BlockRows::Segment first{a, part(row, 0, size_a)}, second{b, part(row, size_a, size_b)};
    if (a < 0) first = {};
    if (b < 0) second = {};
    rows.add_row(first, second);
  }
}

// All that PairRows promises, against dense arithmetic: every row of the source is at exactly one position with the
// whitened row's numbers and norm, and positions without a row are empty.
void expect_same_rows(const BlockRows& source, const BlockCholesky& factor, const MatrixXd* coupling,
                      const PairRows& rows) {
  const MatrixXd dense = source.to_dense();
  const Index m = source.cols();
  std::vector<int> seen(static_cast<std::size_t>(source.rows()), 0);
  Random random(5);
  const VectorXd u = random_vector(m, random);
  std::vector<double> twists(static_cast<std::size_t>(rows.maps().twist_size()));
  rows.maps().twists(u, twists.data());
  std::vector<double> b(static_cast<std::size_t>(rows.positions()), 0.25), w(b.size()), least(rows.chunks().size());
  rows.multiply(twists.data(), b.data(), w.data(), least.data());
  double smallest = 0.0;
  for (Index i = 0; i < rows.positions(); ++i) {
    const Index row = rows.row(i);
    if (row < 0) {
      EXPECT_EQ(rows.norm(i), 0.0);
      EXPECT_EQ(rows.weights()[i], 0.0);
      EXPECT_EQ(w[static_cast<std::size_t>(i)], 0.25);
      continue;
    }
    ++seen[static_cast<std::size_t>(row)];
    VectorXd whitened = dense.row(row);
    factor.whiten_force(whitened);
    if (coupling != nullptr) coupling->triangularView<Eigen::Lower>().solveInPlace(whitened);
    VectorXd x = VectorXd::Zero(m);
    rows.add_scaled(i, 1.0, x.data());
    EXPECT_LT((x - whitened).norm(), 1e-12 * (1.0 + whitened.norm()));
    EXPECT_NEAR(rows.norm(i), whitened.norm(), 1e-12 * (1.0 + whitened.norm()));
    const double value = whitened.dot(u);
    EXPECT_NEAR(w[static_cast<std::size_t>(i)], value + 0.25, 1e-12 * (1.0 + whitened.norm()));
    EXPECT_NEAR(rows.dot(i, twists.data() + rows.maps()[rows.pair(i)].twist), value, 1e-12 * (1.0 + whitened.norm()));
    smallest = std::min(smallest, PairRows::score(w[static_cast<std::size_t>(i)], rows.weights()[i]));
    const Index chunk = rows.chunk(i);
    EXPECT_LE(least[static_cast<std::size_t>(chunk)],
              PairRows::score(w[static_cast<std::size_t>(i)], rows.weights()[i]));
  }
  for (const int count : seen) EXPECT_EQ(count, 1);
  EXPECT_EQ(smallest, least.empty() ? 0.0 : std::min(0.0, *std::min_element(least.begin(), least.end())));
}

// Whatever mixture of bodies, trees and world, interleaved or not: the same rows as dense whitening gives.
TEST(PairRows, HoldTheWhitenedRows) {
  PairRows rows;  // kept, so that what an earlier problem left behind would be seen
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const BlockDiagonal mass = random_mass({6, 3, 9, 6, 6}, random);
    const BlockCholesky factor = BlockCholesky::factor(mass).value();
    BlockRows source(mass.layout());
    for (int group = 0; group < 8; ++group) {
      const Index a = random.integer(0, 4), b = random.integer(-1, 4);
      add_rows(source, a, a == b ? -1 : b, random.integer(1, seed % 2 == 0 ? 5 : 700), random.integer(1, 9), random);
    }
    rows.assign({&source}, factor);
    expect_same_rows(source, factor, nullptr, rows);
  }
}

// Many rows between two bodies cost six numbers each, and fewer where fewer directions are there; two directions more than
// the sample shows are found when the rows are read.
TEST(PairRows, StoreAsManyNumbersAsThereAreDirections) {
  Random random(3);
  const BlockDiagonal mass = random_mass({6, 6, 18}, random);
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  for (const Index directions : {1, 3, 6, 7}) {
    BlockRows source(mass.layout());
    add_rows(source, 0, 1, 600, directions, random);
    PairRows rows;
    rows.assign({&source}, factor);
    EXPECT_EQ(rows.maps()[0].width, directions <= 6 ? directions : 12);
    expect_same_rows(source, factor, nullptr, rows);
  }
  BlockRows tree(mass.layout());
  add_rows(tree, 2, -1, 600, 6, random);
  PairRows rows;
  rows.assign({&tree}, factor);
  EXPECT_EQ(rows.maps()[0].width, 6);
  expect_same_rows(tree, factor, nullptr, rows);

  BlockRows late(mass.layout());
  add_rows(late, 0, 1, 601, 2, random);
  const VectorXd odd = random_vector(12, random);
  late.add_row({0, part(odd, 0, 6)}, {1, part(odd, 6, 6)});
  rows.assign({&late}, factor);
  EXPECT_EQ(rows.maps()[0].width, 3);
  expect_same_rows(late, factor, nullptr, rows);
}

// A mass that is not block diagonal, as implicit viscous friction makes it.
TEST(PairRows, WhitenWithACoupledMass) {
  Random random(9);
  const BlockDiagonal mass = random_mass({6, 6, 3}, random);
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  const BlockDiagonal other = random_mass({15}, random);
  const MatrixXd C = BlockCholesky::factor(other).value().block(0);
  BlockRows source(mass.layout());
  add_rows(source, 0, 1, 600, 6, random);
  add_rows(source, 2, 0, 20, 4, random);
  add_rows(source, 1, -1, 5, 6, random);
  PairRows rows;
  rows.assign({&source}, factor, &C);
  expect_same_rows(source, factor, &C, rows);
}

// Two sources (tangents S and T) are numbered row by row, and empty ones are left out.
TEST(PairRows, NumberTheRowsOfSeveralSources) {
  Random random(4);
  const BlockDiagonal mass = random_mass({6, 6}, random);
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  BlockRows S(mass.layout()), T(mass.layout()), none(mass.layout()), both(mass.layout());
  for (int i = 0; i < 20; ++i)
    add_rows(i % 3 == 0 ? S : S, i % 3 == 0 ? 0 : 1, i % 2 == 0 ? -1 : (i % 3 == 0 ? 1 : 0), 1, 6, random);
  for (int i = 0; i < 20; ++i) add_rows(T, i % 4 == 0 ? 1 : 0, -1, 1, 6, random);
  for (Index i = 0; i < 20; ++i) {
    both.add_row(S.row(i)[0], S.row(i)[1]);
    both.add_row(T.row(i)[0], T.row(i)[1]);
  }
  PairRows rows;
  rows.assign({&S, &none, &T}, factor);
  EXPECT_EQ(rows.rows(), 40);
  expect_same_rows(both, factor, nullptr, rows);
  rows.assign({&none}, factor);
  EXPECT_EQ(rows.positions(), 0);
}

// Of a sample every number is that of the row it says it is: rows are then read at a distance.
TEST(PairRows, SampleOfARunIsSpreadOverIt) {
  Random random(6);
  const BlockDiagonal mass = random_mass({6, 3}, random);
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  BlockRows source(mass.layout());
  add_rows(source, 0, -1, 100, 6, random);
  add_rows(source, 0, 1, 50, 5, random);
  add_rows(source, 1, -1, 4, 3, random);
  PairRows rows;
  rows.assign({&source}, factor, nullptr, 11);
  const MatrixXd dense = source.to_dense();
  Index taken = 0, last = -1;
  for (Index i = 0; i < rows.positions(); ++i) {
    const Index row = rows.row(i);
    if (row < 0) continue;
    ++taken;
    EXPECT_LE(row - last, 10);
    last = row;
    VectorXd whitened = dense.row(row), x = VectorXd::Zero(mass.size());
    factor.whiten_force(whitened);
    rows.add_scaled(i, 1.0, x.data());
    EXPECT_LT((x - whitened).norm(), 1e-12 * (1.0 + whitened.norm()));
  }
  EXPECT_EQ(taken, 10 + 10 + 4);
  EXPECT_GE(last, 150);
}

// A number that is not finite is seen in the weight of its own row alone, not in those read with it, nor where no row is.
TEST(PairRows, OneRowThatIsNotFiniteDoesNotTouchOthers) {
  Random random(7);
  const BlockDiagonal mass = random_mass({6, 6, 3}, random);
  const BlockCholesky factor = BlockCholesky::factor(mass).value();
  for (const Index a : {0, 2}) {
    for (const Index b : {-1, 1}) {
      for (Index bad = 0; bad < 11; ++bad) {
        BlockRows source(mass.layout());
        const Index size_a = mass.layout().size(a), size_b = b < 0 ? 0 : mass.layout().size(b);
        for (Index i = 0; i < 11; ++i) {
          VectorXd row = random_vector(size_a + size_b, random);
          if (i == bad) row(size_a - 1) = std::nan("");
          BlockRows::Segment second;
          if (b >= 0) second = {b, part(row, size_a, size_b)};
          source.add_row({a, part(row, 0, size_a)}, second);
        }
        PairRows rows;
        rows.assign({&source}, factor);
        for (Index i = 0; i < rows.positions(); ++i) {
          const double weight = rows.weights()[i];
          EXPECT_EQ(std::isnan(weight), i == bad);
          if (i >= 11) {
            EXPECT_EQ(weight, 0.0);
            EXPECT_EQ(rows.norm(i), 0.0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tribo
