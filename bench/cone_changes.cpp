#include "tribo/core/assert.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "cone_problems.hpp"
#include <Eigen/Cholesky>

namespace tribo {
namespace {

// Row (d i + a) of the result takes part in column (d from[i] + b): Q with u_new = Q u_old, Qᵀ Q = I.
SparseMatrix matrix_of(const Reordering& order, int dimension) {
  const Index d = dimension;
  const auto n = static_cast<Index>(order.from.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    const Index row = d * i, column = d * order.from[i];
    entries.emplace_back(row, column, 1.0);
    entries.emplace_back(row + 1, column + 1, order.cos[i]);
    if (d == 2) continue;
    entries.emplace_back(row + 1, column + 2, order.sin[i]);
    entries.emplace_back(row + 2, column + 1, -order.sin[i]);
    entries.emplace_back(row + 2, column + 2, order.cos[i]);
  }
  SparseMatrix Q(d * n, d * n);
  Q.setFromTriplets(entries.begin(), entries.end());
  return Q;
}

VectorXd chosen(const VectorXd& x, const Reordering& order) {
  VectorXd result(x.size());
  for (Index i = 0; i < x.size(); ++i) result(i) = x(order.from[i]);
  return result;
}

}  // namespace

LocalFriction make_local(const ContactProblem& problem) {
  TRIBO_REQUIRE(problem.level == Level::kVelocity && problem.bilateral() == 0, "velocity level, no bilateral rows");
  TRIBO_REQUIRE(problem.S.rows() == problem.size(), "tangential rows are needed");
  const Index d = problem.T.rows() == problem.size() ? 3 : 2, n = problem.size(), m = problem.dof();
  MatrixXd A(d * n, m);
  const MatrixXd N = problem.N.to_dense(), S = problem.S.to_dense();
  const MatrixXd T = d == 3 ? problem.T.to_dense() : MatrixXd(0, m);
  LocalFriction local;
  local.dimension = static_cast<int>(d);
  local.mu.resize(n);
  VectorXd b = VectorXd::Zero(d * n);
  for (Index i = 0; i < n; ++i) {
    A.row(d * i) = N.row(i);
    A.row(d * i + 1) = S.row(i);
    if (d == 3) A.row(d * i + 2) = T.row(i);
    b(d * i) = problem.b_N(i);
    local.mu(i) = problem.contacts[i].mu;
  }
  MatrixXd mass = MatrixXd::Zero(m, m);
  for (Index k = 0; k < problem.mass.blocks(); ++k) {
    const Index start = problem.mass.layout().start(k), size = problem.mass.layout().size(k);
    mass.block(start, start, size, size) = problem.mass.block(k);
  }
  const Eigen::LLT<MatrixXd> factor(mass);
  local.W = MatrixXd(A * factor.solve(A.transpose())).sparseView();
  local.q = A * (problem.v + problem.h * factor.solve(problem.f)) + b;
  return local;
}

Reordering draw_reordering(Index contacts, int dimension, Random& random) {
  Reordering order;
  order.from.resize(static_cast<std::size_t>(contacts));
  std::iota(order.from.begin(), order.from.end(), Index{0});
  for (Index i = contacts - 1; i > 0; --i) std::swap(order.from[i], order.from[random.integer(0, i)]);
  for (Index i = 0; i < contacts; ++i) {
    const double angle = random.uniform(-std::numbers::pi, std::numbers::pi);
    order.cos.push_back(dimension == 2 ? (angle > 0.0 ? 1.0 : -1.0) : std::cos(angle));
    order.sin.push_back(dimension == 2 ? 0.0 : std::sin(angle));
  }
  return order;
}

LocalFriction reordered(const LocalFriction& problem, const Reordering& order) {
  const SparseMatrix Q = matrix_of(order, problem.dimension);
  LocalFriction result = problem;
  result.W = Q * problem.W * SparseMatrix(Q.transpose());
  result.q = Q * problem.q;
  result.mu = chosen(problem.mu, order);
  return result;
}

GlobalFriction reordered(const GlobalFriction& problem, const Reordering& order) {
  const SparseMatrix Q = matrix_of(order, problem.dimension);
  GlobalFriction result = problem;
  result.H = problem.H * SparseMatrix(Q.transpose());
  result.w = Q * problem.w;
  result.mu = chosen(problem.mu, order);
  return result;
}

VectorXd put_back(const VectorXd& x, int dimension, const Reordering& order) {
  return matrix_of(order, dimension).transpose() * x;
}

LocalFriction in_other_units(const LocalFriction& problem, double length, double mass) {
  LocalFriction result = problem;
  result.W *= 1.0 / mass;
  result.q *= length;
  return result;
}

GlobalFriction in_other_units(const GlobalFriction& problem, double length, double mass) {
  GlobalFriction result = problem;
  result.M *= mass;
  result.f *= mass * length;
  result.w *= length;
  result.b *= length;
  return result;
}

}  // namespace tribo
