// The true cone from matrices: W in blocks, and W from M and H whatever M looks like.
#include "tribo/core/random.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/problem/friction_problem.hpp"

#include <numeric>

#include "formulation/cone_mass.hpp"
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

SparseMatrix sparse(const MatrixXd& dense) { return dense.sparseView(); }

MatrixXd random_dense(Index rows, Index cols, Random& random) {
  MatrixXd A(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; ++i) A(i, j) = random.uniform(-1.0, 1.0);
  }
  return A;
}

// Bodies of the given sizes, their unknowns shuffled; contacts between two of them at random.
struct Masses {
  std::vector<Index> sizes;
  bool symmetric = true;
};
GlobalFriction random_global(const Masses& masses, int d, Index contacts, Index bilateral, Random& random) {
  const Index m = std::accumulate(masses.sizes.begin(), masses.sizes.end(), Index{0});
  std::vector<Index> place(static_cast<std::size_t>(m));
  std::iota(place.begin(), place.end(), Index{0});
  for (Index i = m - 1; i > 0; --i) std::swap(place[i], place[random.integer(0, i)]);
  MatrixXd M = MatrixXd::Zero(m, m), H = MatrixXd::Zero(m, d * contacts), G = MatrixXd::Zero(m, bilateral);
  std::vector<Index> start;
  Index at = 0;
  for (const Index size : masses.sizes) {
    MatrixXd block = random_dense(size, size, random);
    block = MatrixXd(block * block.transpose()) + MatrixXd::Identity(size, size);
    if (!masses.symmetric) block += 0.1 * random_dense(size, size, random);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) M(place[at + i], place[at + j]) = block(i, j);
    }
    start.push_back(at);
    at += size;
  }
  const auto fill = [&](MatrixXd& A, Index column, Index count) {
    for (int side = 0; side < 2; ++side) {
      const auto body = static_cast<std::size_t>(random.integer(0, static_cast<Index>(masses.sizes.size()) - 1));
      for (Index k = 0; k < count; ++k) {
        for (Index i = 0; i < masses.sizes[body]; ++i)
          A(place[start[body] + i], column + k) = random.uniform(-1.0, 1.0);
      }
    }
  };
  for (Index i = 0; i < contacts; ++i) fill(H, d * i, d);
  for (Index i = 0; i < bilateral; ++i) fill(G, i, 1);
  GlobalFriction problem;
  problem.dimension = d;
  problem.M = sparse(M);
  problem.H = sparse(H);
  problem.f = random_dense(m, 1, random);
  problem.w = random_dense(d * contacts, 1, random);
  problem.G = sparse(G);
  problem.b = random_dense(bilateral, 1, random);
  problem.mu = VectorXd::Constant(contacts, 0.5);
  return problem;
}

// One after another: two small bodies and more, a diagonal mass, a tree and a body with a sparse factor beside small
// ones, a mass without symmetry.
std::vector<Masses> all_masses() {
  return {{{6, 6, 6, 3, 1}},   {std::vector<Index>(24, 1)},
          {{40, 6, 2}},        {{ConeMass::kMostDense + 5, 6, 2}},
          {{6, 12, 6}, false}, {{30, 6}, false}};
}

// W and q are Hᵀ M⁻¹ H and Hᵀ M⁻¹ f + w, contacts first, then the columns of G.
TEST(GlobalCone, HasTheMatrixOfItsDefinition) {
  Random random(7);
  for (const Masses& masses : all_masses()) {
    for (const int d : {2, 3}) {
      const GlobalFriction problem = random_global(masses, d, 9, 0, random);
      ASSERT_TRUE(validate(problem).has_value());
      ConeFormulation formulation;
      ASSERT_TRUE(formulation.update(problem, ConeForm::kContacts).has_value());
      const ConeProblem& cone = formulation.problem();
      ASSERT_TRUE(validate(cone).has_value());
      const MatrixXd H(problem.H), M(problem.M);
      const MatrixXd W = H.transpose() * M.inverse() * H;
      const VectorXd q = H.transpose() * (M.inverse() * problem.f) + problem.w;
      EXPECT_LE((cone.W.to_dense() - W).norm(), 1e-11 * W.norm());
      EXPECT_LE((cone.q - q).norm(), 1e-11 * q.norm());
    }
  }
}

// The velocity that comes back obeys M v = H r + G λ + f, and u belongs to it.
TEST(GlobalCone, LiftGivesTheVelocity) {
  Random random(8);
  for (const Masses& masses : all_masses()) {
    const GlobalFriction problem = random_global(masses, 3, 5, 4, random);
    ConeFormulation formulation;
    ASSERT_TRUE(formulation.update(problem).has_value());
    const ConeProblem& cone = formulation.problem();
    ConeSolution solution;
    solution.r = random_dense(cone.q.size(), 1, random);
    for (Index i = 15; i < cone.q.size(); ++i) solution.r(i) = cone.q(i) == 0.0 ? 0.0 : solution.r(i);  // filled up
    FrictionSolution out;
    formulation.lift(solution, out);
    const VectorXd rest = problem.M * out.v - problem.H * out.r - problem.f;  // = G λ
    const MatrixXd G(problem.G);
    const VectorXd lambda = G.fullPivLu().solve(rest);
    EXPECT_LE((G * lambda - rest).norm(), 1e-11 * rest.norm());
    EXPECT_LE((problem.H.transpose() * out.v + problem.w - out.u).norm(), 1e-12 * out.u.norm());
    const VectorXd u = cone.W.to_dense() * solution.r + cone.q;
    EXPECT_LE((u.head(15) - out.u).norm(), 1e-11 * out.u.norm());
    // What W says of the bilateral blocks is Gᵀ v + b.
    const VectorXd gap = problem.G.transpose() * out.v + problem.b;
    for (Index j = 0; j < gap.size(); ++j) {
      EXPECT_LE((u.tail(u.size() - 15).array() - gap(j)).abs().minCoeff(), 1e-11 * (1.0 + gap.norm()));
    }
  }
}

// By bodies or by contacts, the problem is the same; also for a diagonal mass, whose unknowns share columns, and for
// trees and sparse factors with more unknowns than rows, or fewer.
TEST(GlobalCone, BothFormsAreTheSameProblem) {
  Random random(9);
  struct Case {
    Masses masses;
    Index contacts = 7;
  };
  for (const auto& [masses, n] :
       {Case{{{6, 6, 6, 3, 1}}}, Case{{std::vector<Index>(24, 1)}}, Case{{{12, 7, 6}}}, Case{{{13}}}, Case{{{40, 6}}},
        Case{{{40, 6}}, 30}, Case{{{ConeMass::kMostDense + 10, 20}}}, Case{{{ConeMass::kMostDense + 10}}, 90}}) {
    const GlobalFriction problem = random_global(masses, 3, n, 5, random);
    ConeFormulation contacts, bodies;
    ASSERT_TRUE(contacts.update(problem, ConeForm::kContacts).has_value());
    ASSERT_TRUE(bodies.update(problem, ConeForm::kBodies).has_value());
    ASSERT_TRUE(validate(bodies.problem()).has_value());
    const MatrixXd H = bodies.problem().H.to_dense(), W = contacts.problem().W.to_dense();
    MatrixXd other = H * H.transpose();
    other.diagonal() += bodies.problem().R;
    EXPECT_LE((other - W).norm(), 1e-12 * W.norm());
    EXPECT_EQ(contacts.problem().q, bodies.problem().q);
  }
}

// Unknowns of a diagonal mass that have the same contacts are one body: six of them share a column of blocks.
TEST(GlobalCone, ADiagonalMassHasBodies) {
  GlobalFriction problem;
  MatrixXd M = MatrixXd::Identity(12, 12), H = MatrixXd::Zero(12, 6);
  Random random(10);
  H.block(0, 0, 6, 3) = random_dense(6, 3, random);
  H.block(6, 0, 6, 6) = random_dense(6, 6, random);
  problem.M = sparse(M);
  problem.H = sparse(H);
  problem.f = VectorXd::Zero(12);
  problem.w = VectorXd::Zero(6);
  problem.mu = VectorXd::Zero(2);
  problem.b.resize(0);
  ConeFormulation formulation;
  ASSERT_TRUE(formulation.update(problem, ConeForm::kBodies).has_value());
  EXPECT_EQ(formulation.problem().H.block_cols, 2);
  EXPECT_EQ(formulation.problem().H.blocks(), 3);
}

// Many contacts on one tree: W would be dense over all of them, and is not formed.
TEST(GlobalCone, ManyContactsOnATreeAreLeftByBodies) {
  Random random(16);
  for (const Index size : {Index{12}, Index{13}, Index{100}, ConeMass::kMostDense + 10}) {
    const GlobalFriction problem = random_global({{size}}, 3, 2 * size, 0, random);
    ConeFormulation formulation;
    ASSERT_TRUE(formulation.update(problem).has_value());
    EXPECT_TRUE(formulation.problem().by_bodies()) << size;
    EXPECT_EQ(formulation.problem().H.block_cols, (size + 5) / 6);
  }
}

// A large body with few contacts is a small one by bodies: it takes no more numbers than it has rows, so contacts
// elsewhere decide.
TEST(GlobalCone, FewContactsMakeALargeBodySmall) {
  Random random(17);
  const Index size = ConeMass::kMostDense + 100, n = 100;
  GlobalFriction problem = random_global({{size, 6}}, 3, n, 0, random);
  MatrixXd H(problem.H);
  const SparseMatrix& M = problem.M;
  for (Index i = 0; i < H.rows(); ++i) {
    if (M.col(i).nonZeros() > 6) H.row(i).tail(3 * (n - 2)).setZero();
  }
  H.leftCols(6) = random_dense(H.rows(), 6, random);  // contacts 0 and 1 touch both
  problem.H = sparse(H);
  ConeFormulation formulation;
  ASSERT_TRUE(formulation.update(problem).has_value());
  ASSERT_TRUE(formulation.problem().by_bodies());
  EXPECT_EQ(formulation.problem().H.block_cols, 2);
}

// Bilateral columns that depend on one another have an answer when their b do, and none otherwise; the error names G.
TEST(GlobalCone, RefusesBilateralColumnsThatContradictOneAnother) {
  Random random(18);
  for (const Masses& masses : all_masses()) {
    const GlobalFriction free = random_global(masses, 3, 3, 3, random);
    const auto refused = [&](const MatrixXd& columns, const VectorXd& b) {
      GlobalFriction problem = free;
      problem.G = sparse(columns);
      problem.b = b;
      ConeFormulation formulation;
      const Checked checked = formulation.update(problem);
      if (!checked) {
        EXPECT_EQ(checked.error().where.front(), 'G') << checked.error().text();
      }
      return !checked.has_value();
    };
    const MatrixXd G(free.G);
    EXPECT_FALSE(refused(G, free.b));
    MatrixXd with_zero(G.rows(), 4), twice(G.rows(), 4), combined(G.rows(), 5);
    const VectorXd sum = Eigen::Vector3d(1.0, -2.0, 1e3);
    with_zero << G, VectorXd::Zero(G.rows());
    twice << G.col(0), G;
    combined << G * sum, G, G * sum * 1e-3;
    const auto joined = [](const auto&... parts) {
      VectorXd b((Index{0} + ... + parts.size()));
      Index at = 0;
      ((b.segment(at, parts.size()) = parts, at += parts.size()), ...);
      return b;
    };
    const auto one = [](double x) { return VectorXd::Constant(1, x).eval(); };
    const double agreed = sum.dot(free.b);
    EXPECT_FALSE(refused(with_zero, joined(free.b, one(0.0))));
    EXPECT_TRUE(refused(with_zero, joined(free.b, one(1e-3))));
    EXPECT_FALSE(refused(twice, joined(one(free.b(0)), free.b)));
    EXPECT_TRUE(refused(twice, joined(one(free.b(0) + 1e-3), free.b)));
    EXPECT_FALSE(refused(combined, joined(one(agreed), free.b, one(1e-3 * agreed))));
    EXPECT_TRUE(refused(combined, joined(one(agreed), free.b, one(2e-3 * agreed))));
    // More columns than unknowns.
    const MatrixXd wide = random_dense(G.rows(), G.rows() + 2, random);
    EXPECT_FALSE(refused(wide, wide.transpose() * random_dense(G.rows(), 1, random)));
    EXPECT_TRUE(refused(wide, random_dense(wide.cols(), 1, random)));
  }
}

// Without contacts v is M⁻¹ f, and there is nothing to solve.
TEST(GlobalCone, NoContactsMoveFreely) {
  Random random(11);
  const GlobalFriction problem = random_global({{6, 3}}, 3, 0, 0, random);
  ConeFormulation formulation;
  ASSERT_TRUE(formulation.update(problem).has_value());
  EXPECT_EQ(formulation.problem().contacts(), 0);
  FrictionSolution out;
  formulation.lift(ConeSolution{}, out);
  EXPECT_LE((problem.M * out.v - problem.f).norm(), 1e-14 * problem.f.norm());
}

// A mass that cannot be inverted is named, small or large, symmetric or not.
TEST(GlobalCone, RefusesASingularMass) {
  Random random(12);
  for (const Masses& masses :
       {Masses{{6, 3}}, Masses{{30}}, Masses{{ConeMass::kMostDense + 1}}, Masses{{6}, false}, Masses{{30}, false}}) {
    GlobalFriction problem = random_global(masses, 3, 2, 0, random);
    MatrixXd M(problem.M);
    const Index last = M.cols() - 1;
    M.row(last) = M.row(0);
    M.col(last) = M.col(0);
    M(last, last) = M(0, 0);
    problem.M = sparse(M);
    ConeFormulation formulation;
    const Checked checked = formulation.update(problem);
    ASSERT_FALSE(checked.has_value()) << masses.sizes.front();
    EXPECT_NE(checked.error().where.find("M"), std::string::npos);
  }
}

// By bodies needs rows that can be whitened; asked for where they cannot, it says so.
TEST(GlobalCone, RefusesBodiesThatCannotBeWhitened) {
  Random random(13);
  for (const Masses& masses : {Masses{{40, 6}, false}, Masses{{6, 6}, false}}) {
    ConeFormulation formulation;
    EXPECT_FALSE(formulation.update(random_global(masses, 3, 3, 0, random), ConeForm::kBodies).has_value());
  }
}

// Every entry of W is there, blocks of zeros are not, diagonal blocks always are; both triangles are kept.
TEST(LocalCone, HasTheEntriesOfTheMatrix) {
  Random random(14);
  for (const int d : {2, 3}) {
    const Index n = 6;
    MatrixXd W = MatrixXd::Zero(d * n, d * n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (random.uniform() < 0.4 && i != 2) W.block(d * i, d * j, d, d) = random_dense(d, d, random);
      }
    }
    LocalFriction problem;
    problem.dimension = d;
    problem.W = sparse(W);
    problem.W.coeffRef(0, d * n - 1) += 0.0;  // a zero that is stored
    problem.q = random_dense(d * n, 1, random);
    problem.mu = VectorXd::Constant(n, 0.3);
    ConeFormulation formulation;
    ASSERT_TRUE(formulation.update(problem).has_value());
    const ConeProblem& cone = formulation.problem();
    ASSERT_TRUE(validate(cone).has_value());
    EXPECT_EQ(cone.W.to_dense(), W);
    EXPECT_EQ(cone.q, problem.q);
    for (Index i = 0; i < n; ++i) {
      for (Index k = cone.W.start[i]; k < cone.W.start[i + 1]; ++k) {
        const bool zero = Eigen::Map<const VectorXd>(cone.W.block(k), d * d).isZero(0.0);
        EXPECT_TRUE(!zero || cone.W.column[k] == i);
      }
    }
  }
}

// Products by blocks are those of the dense matrix.
TEST(BlockSparse, MultipliesAsTheDenseMatrix) {
  Random random(15);
  for (const auto& [height, width] : {std::pair{3, 3}, {3, 6}, {2, 2}, {2, 3}, {4, 4}, {6, 6}, {4, 6}}) {
    BlockSparse A;
    A.clear(height, width, 4);
    const std::vector<std::int32_t> some{0, 2}, none, last{3};
    for (const auto& columns : {some, none, last}) A.add_row(columns);
    for (double& value : A.values) value = random.uniform(-1.0, 1.0);
    const MatrixXd full = A.to_dense();
    const VectorXd x = random_dense(A.cols(), 1, random), y = random_dense(A.rows(), 1, random);
    VectorXd forward = y, backward = x;
    A.add_product(x, forward);
    A.add_transposed_product(y, backward);
    EXPECT_LE((forward - y - full * x).norm(), 1e-14 * x.norm() * full.norm());
    EXPECT_LE((backward - x - full.transpose() * y).norm(), 1e-14 * y.norm() * full.norm());
  }
}

}  // namespace
}  // namespace tribo
