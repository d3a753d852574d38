// Any basis of Lemke's path, solved by its structure (spec C.3), against the dense matrix of the same equations.
#include "solve/pivot/pyramid_basis.hpp"

#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/generate.hpp"

#include <vector>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <gtest/gtest.h>

namespace tribo {
namespace {

using Kind = PyramidVariable::Kind;

// w = A z + c z₀ + q over the rows ν, σ_1 … σ_d, γ of every slot, with everything in the slots' units.
struct Dense {
  Index per = 0;
  MatrixXd A;
  VectorXd q, c;
  std::vector<char> exists;  // contacts without friction have ν alone

  template <typename Basis>
  Dense(const PyramidProblem& problem, Basis& basis, const std::vector<std::int32_t>& slots) {
    const Index d = problem.directions, m = problem.dof();
    per = d + 2;
    const Index size = per * static_cast<Index>(slots.size());
    MatrixXd rows = MatrixXd::Zero(size, m);
    A = MatrixXd::Zero(size, size);
    q = c = VectorXd::Zero(size);
    exists.assign(static_cast<std::size_t>(size), 1);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto& slot = basis.slot(slots[i]);
      const Index nu = per * static_cast<Index>(i), gamma = nu + d + 1;
      VectorXd n = VectorXd::Zero(m), s = n, t = n;
      problem.normals->rows.add_scaled(slot.position, slot.per_normal, n.data());
      rows.row(nu) = n;
      q(nu) = slot.offset;
      c(nu) = slot.cover_nu;
      if (!slot.friction) {
        for (Index row = nu + 1; row <= gamma; ++row) exists[row] = 0;
        continue;
      }
      problem.whiten_tangents(slot.contact, s.data(), t.data());
      for (Index k = 0; k < d; ++k) {
        rows.row(nu + 1 + k) = slot.per_tangent * (problem.cosine[k] * s + problem.sine[k] * t);
        c(nu + 1 + k) = basis.cover_sigma(slots[i])[k];
        A(nu + 1 + k, gamma) = 1.0;
        A(gamma, nu + 1 + k) = -1.0;
      }
      A(gamma, nu) = problem.mu[slot.contact] * slot.per_normal / slot.per_tangent;
      c(gamma) = slot.cover_gamma;
    }
    const auto Q = problem.normals->Q();
    const MatrixXd projected = rows - (rows * Q) * Q.transpose();
    A += rows * projected.transpose();
    q += rows * Eigen::Map<const VectorXd>(problem.normals->start.data(), m);
  }
};

// Random bases of random problems, every kind of driving variable, with and without bilateral rows.
template <int Dof>
void compare_random_bases(Index bodies, Index bilateral) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    ContactProblem problem =
        random_bodies({.bodies = bodies, .contacts = 8, .redundant = 0.0, .bilateral = bilateral}, random);
    for (Index i = 0; i < problem.bilateral(); ++i) problem.b_J(i) = 0.1 * random.normal();
    for (Index i = 0; i < problem.size(); ++i) problem.b_N(i) = 0.1 * random.normal();
    PyramidFormulation formulation;
    ASSERT_TRUE(formulation.update(problem, CoulombPyramid{random.chance(0.5) ? 8 : 4, random.chance(0.5)}));
    if (!formulation.consistent()) continue;
    const PyramidProblem& pyramid = formulation.problem();
    const Index d = pyramid.directions;
    PyramidBasis<Dof> basis;
    ASSERT_TRUE(basis.start(pyramid, problem.size()));
    std::vector<std::int32_t> slots;
    for (Index i = 0; i < random.integer(1, 4); ++i) {
      Index position = 0;
      while (pyramid.normals->rows.row(position) != i) ++position;
      slots.push_back(basis.add(position, i, random.uniform(1.0, 1.5)));
      if (!basis.slot(slots.back()).friction) continue;
      for (Index k = 0; k < d; ++k) basis.cover_sigma(slots.back())[k] = random.uniform();
      basis.slot(slots.back()).cover_gamma = random.uniform();
    }
    const Dense dense(pyramid, basis, slots);
    const Index size = dense.q.size();
    const auto variable = [&](Index row, bool z) {
      PyramidVariable v;
      v.slot = slots[static_cast<std::size_t>(row / dense.per)];
      const Index k = row % dense.per;
      v.kind = k == 0   ? (z ? Kind::kTheta : Kind::kNu)
               : k <= d ? (z ? Kind::kPhi : Kind::kSigma)
               : z      ? Kind::kLambda
                        : Kind::kGamma;
      v.k = static_cast<std::int32_t>(k > 0 && k <= d ? k - 1 : 0);
      return v;
    };
    std::vector<int> basic(static_cast<std::size_t>(size), 0);  // 0: w, 1: z, 2: neither
    for (Index row = 0; row < size; ++row) {
      const Index k = row % dense.per;
      if (dense.exists[row] != 0) basic[row] = random.chance(k == 0 ? 0.8 : k > d ? 0.5 : 1.0 / static_cast<double>(d));
    }
    basis.z0_basic = random.chance(0.7);
    Index pair = 0;
    while (dense.exists[pair] == 0) ++pair;
    if (basis.z0_basic) {
      do {
        pair = random.integer(0, size - 1);
      } while (dense.exists[pair] == 0);
      basic[pair] = 2;
    }
    for (Index row = 0; row < size; ++row) {
      if (basic[row] == 0) continue;
      basis.set_basic(variable(row, false), false);
      if (basic[row] == 1) basis.set_basic(variable(row, true), true);
    }
    const bool by_z = random.chance(0.5);
    PyramidVariable driving;
    VectorXd column = dense.c;
    if (basis.z0_basic) {
      driving = variable(pair, by_z);
      column = by_z ? VectorXd(dense.A.col(pair)) : VectorXd(-VectorXd::Unit(size, pair));
    } else {
      driving.kind = Kind::kZ0;
    }
    // Unknown: the basic variable of every row that exists, and z₀.
    IndexList rows, columns;
    for (Index row = 0; row < size; ++row) {
      if (dense.exists[row] == 0) continue;
      rows.push_back(row);
      if (basic[row] != 2) columns.push_back(row);
    }
    if (basis.z0_basic) columns.push_back(-1);
    const auto count = static_cast<Index>(rows.size());
    MatrixXd M(count, count), rhs(count, 2);
    for (Index a = 0; a < count; ++a) {
      const Index row = rows[a];
      rhs(a, 0) = dense.q(row);
      rhs(a, 1) = column(row);
      for (Index b = 0; b < count; ++b) {
        const Index of = columns[b];
        M(a, b) = of < 0 ? -dense.c(row) : basic[of] == 0 ? (of == row ? 1.0 : 0.0) : -dense.A(row, of);
      }
    }
    const VectorXd singular = Eigen::JacobiSVD<MatrixXd>(M).singularValues();
    const double condition = singular(0) / singular(count - 1);
    if (!(condition < 1e8)) continue;
    ASSERT_TRUE(basis.solve(driving)) << seed;
    const MatrixXd x = M.partialPivLu().solve(rhs);
    const auto check = [&](int lanes) {
      for (Index b = 0; b < count; ++b) {
        PyramidVariable v{Kind::kZ0, -1, 0, -1};
        if (columns[b] >= 0) v = variable(columns[b], basic[columns[b]] == 1);
        for (int lane = 0; lane < lanes; ++lane) {
          const double scale = 1.0 + x.col(lane).cwiseAbs().maxCoeff();
          EXPECT_NEAR(basis.value(v, lane), x(b, lane), 1e-14 * condition * scale) << seed;
        }
      }
    };
    check(2);
    ++compared;
    if (basis.z0_basic) continue;
    ASSERT_TRUE(basis.solve({}) && basis.refine());
    check(1);
  }
  EXPECT_GT(compared, 150);
}

TEST(PyramidBasis, OneBodyAgreesWithTheDenseMatrix) { compare_random_bases<6>(1, 0); }
TEST(PyramidBasis, TwoBodiesAgreeWithTheDenseMatrix) { compare_random_bases<12>(2, 2); }
TEST(PyramidBasis, FiveBodiesAgreeWithTheDenseMatrix) { compare_random_bases<30>(5, 0); }
TEST(PyramidBasis, AnyNumberOfBodiesAgreesWithTheDenseMatrix) { compare_random_bases<0>(3, 2); }

}  // namespace
}  // namespace tribo
