// Random cone problems of rigid bodies for tests: whitened rows of contacts between a few bodies and the world, W by
// contacts and by bodies. Every one has an answer: the velocity that undoes u0 is always allowed.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/cone_problem.hpp"

#include <cmath>
#include <vector>

#include <Eigen/Geometry>

namespace tribo {

struct RandomCone {
  ConeProblem by_contacts, by_bodies;
  MatrixXd H;  // D n × 6 bodies
};

inline Vector3d random_direction(Random& random) {
  Vector3d v;
  do {
    for (int k = 0; k < 3; ++k) v(k) = random.uniform(-1.0, 1.0);
  } while (v.norm() > 1.0 || v.norm() < 0.1);
  return v.normalized();
}

inline ConeProblem make_by_contacts(int D, const MatrixXd& W, const VectorXd& q, const VectorXd& mu) {
  ConeProblem problem;
  const Index n = mu.size();
  problem.dimension = D;
  problem.q = q;
  problem.mu = mu;
  problem.W.clear(D, D, n);
  std::vector<std::int32_t> columns;
  for (Index i = 0; i < n; ++i) {
    columns.clear();
    for (Index j = 0; j < n; ++j) {
      if (i == j || !W.block(i * D, j * D, D, D).isZero(0.0)) columns.push_back(static_cast<std::int32_t>(j));
    }
    problem.W.add_row(columns);
    for (Index k = problem.W.start[i]; k < problem.W.start[i + 1]; ++k) {
      const Index j = problem.W.column[k];
      for (int b = 0; b < D; ++b) {
        for (int a = 0; a < D; ++a) problem.W.block(k)[b * D + a] = W(i * D + a, j * D + b);
      }
    }
  }
  return problem;
}

inline ConeProblem make_by_bodies(int D, const MatrixXd& H, const VectorXd& q, const VectorXd& mu) {
  ConeProblem problem;
  const Index n = mu.size(), bodies = H.cols() / 6;
  problem.dimension = D;
  problem.q = q;
  problem.mu = mu;
  problem.R.setZero(D * n);
  problem.H.clear(D, 6, bodies);
  std::vector<std::int32_t> columns;
  for (Index i = 0; i < n; ++i) {
    columns.clear();
    for (Index b = 0; b < bodies; ++b) {
      if (!H.block(i * D, b * 6, D, 6).isZero(0.0)) columns.push_back(static_cast<std::int32_t>(b));
    }
    problem.H.add_row(columns);
    for (Index k = problem.H.start[i]; k < problem.H.start[i + 1]; ++k) {
      const Index b = problem.H.column[k];
      for (int c = 0; c < 6; ++c) {
        for (int a = 0; a < D; ++a) problem.H.block(k)[c * D + a] = H(i * D + a, b * 6 + c);
      }
    }
  }
  return problem;
}

// D = 3, 4 (spin) or 6 (rolling).
inline RandomCone make_random_cone(std::uint64_t seed, int D, Index bodies, Index contacts, double mu) {
  Random random(seed);
  RandomCone out;
  out.H.setZero(D * contacts, 6 * bodies);
  for (Index i = 0; i < contacts; ++i) {
    const Index a = static_cast<Index>(random.uniform(0.0, 0.999) * static_cast<double>(bodies));
    const Index b = static_cast<Index>(random.uniform(0.0, 0.999) * static_cast<double>(bodies + 1)) - 1;
    const Vector3d normal = (Vector3d(0.0, 0.0, 1.0) + 0.7 * random_direction(random)).normalized();
    const Vector3d s = normal.unitOrthogonal(), t = normal.cross(s);
    const Vector3d arm = -normal + 0.5 * random_direction(random);
    const Vector3d axes[3] = {normal, s, t};
    const auto put = [&](Index body, double sign) {
      for (int k = 0; k < 3; ++k) {
        out.H.block(i * D + k, 6 * body, 1, 3) = sign * axes[k].transpose();
        out.H.block(i * D + k, 6 * body + 3, 1, 3) = sign * 1.5 * arm.cross(axes[k]).transpose();
      }
      for (int k = 3; k < D; ++k) out.H.block(i * D + k, 6 * body + 3, 1, 3) = sign * 0.2 * axes[k - 3].transpose();
    };
    put(a, 1.0);
    if (b >= 0 && b != a) put(b, -1.0);
  }
  VectorXd v(6 * bodies);
  for (Index k = 0; k < v.size(); ++k) v(k) = random.uniform(-1.0, 1.0) - (k % 6 == 2 ? 0.5 : 0.0);
  const VectorXd q = out.H * v;
  VectorXd coefficients = VectorXd::Constant(contacts, mu);
  out.by_contacts = make_by_contacts(D, out.H * out.H.transpose(), q, coefficients);
  out.by_bodies = make_by_bodies(D, out.H, q, coefficients);
  return out;
}

}  // namespace tribo
