#include "tribo/problem/friction_problem.hpp"
#include "tribo/problem/lcp.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "problem/problem_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::expect_refused;
using testing::kInf;
using testing::kNan;
using testing::Spoiled;

// A solver given numbers that are not numbers may loop for ever: they are refused, with the entry, before.
TEST(ValidateLcp, NamesTheEntry) {
  expect_refused<Lcp>(Lcp{MatrixXd::Identity(3, 3), VectorXd::Ones(3)},
                      {{[](Lcp& p) { p.M.resize(3, 2); }, "M", "is 3 x 2 instead of 3 x 3"},
                       {[](Lcp& p) { p.q.conservativeResize(2); }, "M", "is 3 x 3 instead of 2 x 2"},
                       {[](Lcp& p) { p.M(1, 2) = kNan; }, "M(1, 2)", "not finite (nan)"},
                       {[](Lcp& p) { p.M(2, 0) = -kInf; }, "M(2, 0)", "not finite (-inf)"},
                       {[](Lcp& p) { p.q(1) = kInf; }, "q(1)", "not finite (inf)"}});
}

// Nothing to solve is not an error.
TEST(ValidateLcp, AcceptsEmptyProblems) {
  EXPECT_TRUE(validate(Lcp{MatrixXd(0, 0), VectorXd(0)}).has_value());
  EXPECT_TRUE(validate(Qp{}).has_value());
  EXPECT_TRUE(validate(LocalFriction{}).has_value());
  EXPECT_TRUE(validate(GlobalFriction{}).has_value());
}

// The number of free rows splits the problem: it must lie between none and all.
TEST(ValidateMixedLcp, NamesTheEntry) {
  const MixedLcp good{MatrixXd::Identity(3, 3), VectorXd::Ones(3), 2};
  expect_refused<MixedLcp>(good, {{[](MixedLcp& p) { p.free = 4; }, "free", "is 4 for 3 rows"},
                                  {[](MixedLcp& p) { p.free = -1; }, "free", "is -1"},
                                  {[](MixedLcp& p) { p.M.resize(2, 3); }, "M", "is 2 x 3"},
                                  {[](MixedLcp& p) { p.M(0, 0) = kInf; }, "M(0, 0)", "not finite"},
                                  {[](MixedLcp& p) { p.q(2) = kNan; }, "q(2)", "not finite"}});
}

// Bounds may be infinite outwards only, and must leave room for a number between them.
TEST(ValidateBoxLcp, NamesTheEntry) {
  BoxLcp good{MatrixXd::Identity(3, 3), VectorXd::Ones(3), VectorXd::Zero(3), VectorXd::Ones(3)};
  good.lo(0) = -kInf;
  good.hi(0) = kInf;
  good.lo(1) = good.hi(1) = 0.5;
  expect_refused<BoxLcp>(good, {{[](BoxLcp& p) { p.lo(2) = 2.0; }, "lo(2)", "above the upper bound (2 > 1)"},
                                {[](BoxLcp& p) { p.lo(2) = kNan; }, "lo(2)", "no lower bound (nan)"},
                                {[](BoxLcp& p) { p.hi(1) = kNan; }, "hi(1)", "no upper bound (nan)"},
                                {[](BoxLcp& p) { p.lo(0) = kInf; }, "lo(0)", "no lower bound (inf)"},
                                {[](BoxLcp& p) { p.hi(0) = -kInf; }, "hi(0)", "no upper bound (-inf)"},
                                {[](BoxLcp& p) { p.lo.conservativeResize(2); }, "lo", "has 2 entries instead of 3"},
                                {[](BoxLcp& p) { p.hi.resize(4); }, "hi", "has 4 entries instead of 3"},
                                {[](BoxLcp& p) { p.M(0, 1) = kNan; }, "M(0, 1)", "not finite"},
                                {[](BoxLcp& p) { p.q(0) = kNan; }, "q(0)", "not finite"}});
}

// The scales of a factored problem are part of its data.
TEST(ValidateFactoredLcp, NamesTheEntry) {
  const FactoredLcp good = make_factored(MatrixXd::Identity(3, 2), VectorXd::Ones(3));
  expect_refused<FactoredLcp>(good,
                              {{[](FactoredLcp& p) { p.G.resize(2, 2); }, "G", "is 2 x 2 instead of 3 x 2"},
                               {[](FactoredLcp& p) { p.row_norm.resize(1); }, "row_norm", "has 1 entries instead of 3"},
                               {[](FactoredLcp& p) { p.G(2, 1) = kNan; }, "G(2, 1)", "not finite"},
                               {[](FactoredLcp& p) { p.q(1) = kInf; }, "q(1)", "not finite"},
                               {[](FactoredLcp& p) { p.row_norm(1) = -1.0; }, "row_norm(1)", "is negative (-1)"},
                               {[](FactoredLcp& p) { p.row_norm(1) = kNan; }, "row_norm(1)", "not finite"},
                               {[](FactoredLcp& p) { p.speed = -0.5; }, "", "speed is negative (-0.5)"},
                               {[](FactoredLcp& p) { p.speed = kInf; }, "", "speed is not finite (inf)"}});
}

// H must be symmetric positive definite: only then is the minimiser unique, as the type promises.
TEST(ValidateQp, NamesTheEntry) {
  Qp good;
  good.H = 2.0 * MatrixXd::Identity(3, 3);
  good.g = VectorXd::Ones(3);
  good.E = MatrixXd::Ones(1, 3);
  good.b = VectorXd::Ones(1);
  good.G = MatrixXd::Ones(2, 3);
  good.d = VectorXd::Ones(2);
  expect_refused<Qp>(good, {{[](Qp& p) { p.H.resize(2, 2); }, "H", "is 2 x 2 instead of 3 x 3"},
                            {[](Qp& p) { p.H(0, 1) = kNan; }, "H(0, 1)", "not finite"},
                            {[](Qp& p) { p.H(1, 0) = 1e-6; }, "H(1, 0)", "not symmetric (1e-06, mirrored entry 0)"},
                            {[](Qp& p) { p.H(1, 1) = -2.0; }, "H(1, 1)", "not positive (-2)"},
                            {[](Qp& p) { p.H.setConstant(1.0); }, "H", "not positive definite"},
                            {[](Qp& p) { p.g(2) = kInf; }, "g(2)", "not finite"},
                            {[](Qp& p) { p.E.resize(1, 2); }, "E", "is 1 x 2 instead of 1 x 3"},
                            {[](Qp& p) { p.b.resize(2); }, "b", "has 2 entries instead of 1"},
                            {[](Qp& p) { p.E(0, 2) = kNan; }, "E(0, 2)", "not finite"},
                            {[](Qp& p) { p.b(0) = kNan; }, "b(0)", "not finite"},
                            {[](Qp& p) { p.G.resize(2, 4); }, "G", "is 2 x 4 instead of 2 x 3"},
                            {[](Qp& p) { p.d.resize(1); }, "d", "has 1 entries instead of 2"},
                            {[](Qp& p) { p.G(1, 0) = -kInf; }, "G(1, 0)", "not finite"},
                            {[](Qp& p) { p.d(1) = kNan; }, "d(1)", "not finite"}});
}

// Symmetry is judged on the scale of the two diagonals, so that a change of units changes nothing.
TEST(ValidateQp, JudgesSymmetryRelativeToTheDiagonals) {
  Qp qp;
  qp.g = VectorXd::Zero(2);
  qp.H = MatrixXd{{1e12, 0.0}, {0.0, 1e-12}};
  qp.H(1, 0) = 0.9e-9;
  EXPECT_TRUE(validate(qp).has_value());
  qp.H(1, 0) = 1.1e-9;
  EXPECT_FALSE(validate(qp).has_value());
}

SparseMatrix sparse(const MatrixXd& dense) { return dense.sparseView(); }

// Dumps of simulators come with broken headers: each size is compared with what mu and dimension say.
TEST(ValidateLocalFriction, NamesTheEntry) {
  LocalFriction good;
  good.dimension = 3;
  good.mu = VectorXd::Constant(2, 0.5);
  good.W = sparse(MatrixXd::Identity(6, 6));
  good.q = VectorXd::Ones(6);
  expect_refused<LocalFriction>(
      good, {{[](LocalFriction& p) { p.dimension = 4; }, "dimension", "is 4"},
             {[](LocalFriction& p) { p.dimension = 2; }, "W", "is 6 x 6 instead of 4 x 4"},
             {[](LocalFriction& p) { p.W = sparse(MatrixXd::Identity(6, 5)); }, "W", "is 6 x 5 instead of 6 x 6"},
             {[](LocalFriction& p) { p.W.coeffRef(4, 1) = kNan; }, "W(4, 1)", "not finite"},
             {[](LocalFriction& p) { p.q.resize(5); }, "q", "has 5 entries instead of 6"},
             {[](LocalFriction& p) { p.q(3) = kInf; }, "q(3)", "not finite"},
             {[](LocalFriction& p) { p.mu(1) = -0.3; }, "mu(1)", "is negative (-0.3)"},
             {[](LocalFriction& p) { p.mu(0) = kNan; }, "mu(0)", "not finite"}});
}

// The same for the global form, where M and f give the number of velocities and G, b the bilateral rows.
TEST(ValidateGlobalFriction, NamesTheEntry) {
  GlobalFriction good;
  good.dimension = 2;
  good.mu = VectorXd::Constant(1, 0.5);
  good.M = sparse(MatrixXd::Identity(3, 3));
  good.H = sparse(MatrixXd::Ones(3, 2));
  good.f = VectorXd::Ones(3);
  good.w = VectorXd::Ones(2);
  good.G = sparse(MatrixXd::Ones(3, 1));
  good.b = VectorXd::Ones(1);
  expect_refused<GlobalFriction>(
      good, {{[](GlobalFriction& p) { p.dimension = 1; }, "dimension", "is 1"},
             {[](GlobalFriction& p) { p.M = sparse(MatrixXd::Identity(3, 2)); }, "M", "is 3 x 2 instead of 3 x 3"},
             {[](GlobalFriction& p) { p.H = sparse(MatrixXd::Ones(3, 3)); }, "H", "is 3 x 3 instead of 3 x 2"},
             {[](GlobalFriction& p) { p.w.resize(3); }, "w", "has 3 entries instead of 2"},
             {[](GlobalFriction& p) { p.G = sparse(MatrixXd::Ones(2, 1)); }, "G", "is 2 x 1 instead of 3 x 1"},
             {[](GlobalFriction& p) { p.b.resize(2); }, "b", "has 2 entries instead of 1"},
             {[](GlobalFriction& p) { p.M.coeffRef(1, 1) = kNan; }, "M(1, 1)", "not finite"},
             {[](GlobalFriction& p) { p.H.coeffRef(2, 0) = kInf; }, "H(2, 0)", "not finite"},
             {[](GlobalFriction& p) { p.f(1) = kNan; }, "f(1)", "not finite"},
             {[](GlobalFriction& p) { p.w(1) = kNan; }, "w(1)", "not finite"},
             {[](GlobalFriction& p) { p.G.coeffRef(0, 0) = kNan; }, "G(0, 0)", "not finite"},
             {[](GlobalFriction& p) { p.b(0) = kNan; }, "b(0)", "not finite"},
             {[](GlobalFriction& p) { p.mu(0) = -1.0; }, "mu(0)", "is negative (-1)"}});
}

}  // namespace
}  // namespace tribo
