// Faces on elastic layers for tests.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/foundation.hpp"

#include <array>
#include <cmath>
#include <memory>

#include <Eigen/Geometry>

namespace tribo::testing {

// A free body whose face lies in the plane z = 0 of the world, with its centre at `centre`.
inline FoundationProblem make_foundation(const MatrixXd& mass, const Vector3d& centre, ElasticLayer layer) {
  FoundationProblem problem;
  problem.mass.append(mass);
  problem.v = problem.f = VectorXd::Zero(6);
  problem.layer = std::make_shared<ElasticLayer>(std::move(layer));
  problem.T = BlockRows(problem.mass.layout());
  const std::array<double, 6> lift = {0.0, 0.0, 1.0, -centre.y(), centre.x(), 0.0};
  const std::array<double, 6> along_x = {0.0, 0.0, 0.0, 0.0, -1.0, 0.0}, along_y = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  problem.T.add_row({0, lift});
  problem.T.add_row({0, along_x});
  problem.T.add_row({0, along_y});
  return problem;
}

// One body or two (mass ratio to 1e6), or a flap with one degree of freedom; up to 400 elements anywhere in a face of 0.1 mm to
// 10 m, which may be far from its origin; h 1e-5 … 0.1 s, k A 1e3 … 1e13 N/m, b A 0 … 1e6 N·s/m of all together.
inline FoundationProblem make_random_foundation(std::uint64_t seed) {
  Random random(seed);
  const auto log_uniform = [&](double low, double high) {
    return std::exp(random.uniform(std::log(low), std::log(high)));
  };
  const auto vector = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  FoundationProblem problem;
  problem.h = log_uniform(1e-5, 0.1);
  const double size = log_uniform(1e-4, 10.0);
  const bool flap = random.chance(0.1);
  const int bodies = flap ? 1 : random.chance(0.3) ? 2 : 1;
  for (int i = 0; i < bodies; ++i) {
    const double m = log_uniform(1e-3, 1e3);
    Matrix3d A;
    for (int k = 0; k < 3; ++k) A.col(k) = vector();
    MatrixXd M = MatrixXd::Zero(6, 6);
    M.topLeftCorner(3, 3) = m * Matrix3d::Identity();
    M.bottomRightCorner(3, 3) = size * size * m * (A * A.transpose() + 0.1 * Matrix3d::Identity());
    problem.mass.append(flap ? MatrixXd(M.bottomRightCorner(1, 1)) : M);
  }
  const Index n = problem.dof();
  problem.v.resize(n);
  problem.f.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double arm = flap || i % 6 >= 3 ? size : 1.0;
    problem.v(i) = random.uniform(-1, 1) * log_uniform(1e-3, 10.0) / arm;
    problem.f(i) = random.uniform(-10, 10) * problem.mass.block(flap ? 0 : i / 6)(i % 6, i % 6) / arm;
  }
  ElasticLayer layer;
  const Index count = random.chance(0.1) ? random.integer(0, 3) : random.integer(4, 400);
  for (VectorXd* entries : {&layer.x, &layer.y, &layer.area}) entries->resize(count);
  const Vector3d away = random.chance(0.3) ? Vector3d(100.0 * size * vector()) : Vector3d(Vector3d::Zero());
  for (Index i = 0; i < count; ++i) {
    layer.x(i) = away.x() + size * random.uniform(-0.5, 0.5);
    layer.y(i) = away.y() + size * random.uniform(-0.5, 0.5);
    layer.area(i) = size * size / static_cast<double>(count) * random.uniform(0.5, 1.5);
  }
  layer.stiffness = random.chance(0.05) ? 0.0 : log_uniform(1e3, 1e13) / (size * size);
  layer.damping = random.chance(0.5) ? 0.0 : log_uniform(1.0, 1e6) / (size * size);
  problem.layer = std::make_shared<ElasticLayer>(std::move(layer));
  // The gap: a plane over the middle of the face, brought to its origin.
  const double depth = log_uniform(1e-9, 1e-2) * size;
  problem.gap = {depth * random.uniform(-1, 1), depth / size * random.uniform(-2, 2),
                 depth / size * random.uniform(-2, 2)};
  problem.gap(0) -= problem.gap(1) * away.x() + problem.gap(2) * away.y();
  problem.T = BlockRows(problem.mass.layout());
  std::array<std::array<double, 6>, 3> on_one = {}, on_other = {};
  const Vector3d normal = vector().normalized(), s = normal.unitOrthogonal(), t = normal.cross(s);
  const std::array<Vector3d, 3> arms = {0.3 * size * vector() - away.x() * s - away.y() * t, s, t};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3d turn = arms[i].cross(normal);
    for (std::size_t k = 0; k < 3; ++k) {
      on_one[i][k] = i == 0 ? normal(static_cast<Index>(k)) : 0.0;
      on_one[i][3 + k] = turn(static_cast<Index>(k));
      on_other[i][k] = -on_one[i][k];
      on_other[i][3 + k] = -1.1 * turn(static_cast<Index>(k));
    }
    if (flap) {
      problem.T.add_row({0, {on_one[i].data() + 3, 1}});
    } else if (bodies == 1) {
      problem.T.add_row({0, on_one[i]});
    } else {
      problem.T.add_row({0, on_one[i]}, {1, on_other[i]});
    }
  }
  return problem;
}

}  // namespace tribo::testing
