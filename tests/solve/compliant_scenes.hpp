// Compliant problems for tests: rows given as dense lists, and random bodies with rows of every kind.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/compliant_problem.hpp"

#include <cmath>

#include <Eigen/Geometry>

namespace tribo::testing {

struct CompliantLaw {
  double K = 0.0, B = 0.0, phi = 0.0;
};

// One body with the given mass matrix; rows are added by the functions below.
inline CompliantProblem make_compliant(const MatrixXd& M, const VectorXd& v, const VectorXd& f, double h) {
  CompliantProblem problem;
  problem.h = h;
  problem.mass = BlockDiagonal({M});
  problem.v = v;
  problem.f = f;
  for (CompliantRows* rows : {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s}) {
    rows->G = BlockRows(problem.mass.layout());
  }
  return problem;
}

inline void append_number(VectorXd& x, double value) {
  x.conservativeResize(x.size() + 1);
  x(x.size() - 1) = value;
}

inline void add_compliant_row(CompliantRows& rows, const VectorXd& G, const CompliantLaw& law) {
  rows.G.add_row({0, {G.data(), static_cast<std::size_t>(G.size())}});
  append_number(rows.K, law.K);
  append_number(rows.B, law.B);
  append_number(rows.phi, law.phi);
}

// A particle of mass m in space, under gravity, with speed v.
inline CompliantProblem make_particle(double m, const Vector3d& v, double h) {
  return make_compliant(m * MatrixXd::Identity(3, 3), v, Vector3d(0.0, 0.0, -9.81 * m), h);
}

inline void add_particle_contact(CompliantProblem& problem, const CompliantLaw& normal, double B_t, double mu) {
  add_compliant_row(problem.normal, Vector3d::UnitZ(), normal);
  add_compliant_row(problem.r, Vector3d::UnitX(), {0.0, B_t, 0.0});
  add_compliant_row(problem.s, Vector3d::UnitY(), {0.0, B_t, 0.0});
  append_number(problem.mu, mu);
}

// h Σ Gᵀ λ over all rows.
inline VectorXd calc_impulses(const CompliantProblem& problem, const CompliantSolution& solution) {
  VectorXd sum = VectorXd::Zero(problem.dof());
  const auto add = [&](const CompliantRows& rows, const VectorXd& lambda) {
    for (Index i = 0; i < rows.rows(); ++i) rows.G.add_scaled(i, problem.h * lambda(i), sum);
  };
  add(problem.bilateral, solution.lambda_b);
  add(problem.unilateral, solution.lambda_u);
  add(problem.normal, solution.lambda_n);
  add(problem.r, solution.lambda_r);
  add(problem.s, solution.lambda_s);
  return sum;
}

inline VectorXd calc_free_velocity(const CompliantProblem& problem) {
  VectorXd v_star = problem.h * problem.f;
  BlockCholesky::factor(problem.mass).value().solve(v_star);
  return v_star + problem.v;
}

// |M (v1 − v*) − h Gᵀ λ| over the largest of momentum and impulses, all in coordinates where the mass is I.
inline double calc_momentum_error(const CompliantProblem& problem, const CompliantSolution& solution) {
  const BlockCholesky mass = BlockCholesky::factor(problem.mass).value();
  const VectorXd v_star = calc_free_velocity(problem);
  VectorXd error = problem.mass.multiply(solution.v1 - v_star) - calc_impulses(problem, solution);
  mass.whiten_force(error);
  VectorXd momentum = v_star;
  mass.whiten_velocity(momentum);
  double scale = momentum.norm();
  VectorXd row(problem.dof());
  const auto visit = [&](const CompliantRows& rows, const VectorXd& lambda) {
    for (Index i = 0; i < rows.rows(); ++i) {
      row.setZero();
      rows.G.whiten(i, mass, row.data());
      scale = std::max(scale, problem.h * std::abs(lambda(i)) * row.norm());
    }
  };
  visit(problem.bilateral, solution.lambda_b);
  visit(problem.unilateral, solution.lambda_u);
  visit(problem.normal, solution.lambda_n);
  visit(problem.r, solution.lambda_r);
  visit(problem.s, solution.lambda_s);
  return scale > 0.0 ? error.norm() / scale : error.norm();
}

// Kinetic energy of v and the springs' at φ0 + h G v_spring; springs of pushing rows where they are pressed.
inline double calc_energy(const CompliantProblem& problem, const VectorXd& v, const VectorXd& v_spring) {
  double energy = 0.5 * v.dot(problem.mass.multiply(v));
  const auto add = [&](const CompliantRows& rows, bool pushing) {
    for (Index i = 0; i < rows.rows(); ++i) {
      double phi = rows.phi(i) + problem.h * rows.G.dot(i, v_spring);
      if (pushing) phi = std::min(phi, 0.0);
      energy += 0.5 * rows.K(i) * phi * phi;
    }
  };
  add(problem.bilateral, false);
  add(problem.unilateral, true);
  add(problem.normal, true);
  add(problem.r, false);
  add(problem.s, false);
  return energy;
}

// One to three free bodies (mass ratio to 1e6), up to forty contacts, rows of every kind; h 1e-5 … 0.1, K 1e3 … 1e13,
// B 0 … 1e6. `spread`: of the normals.
inline CompliantProblem make_random_compliant(std::uint64_t seed, double spread) {
  Random random(seed);
  const auto log_uniform = [&](double low, double high) {
    return std::exp(random.uniform(std::log(low), std::log(high)));
  };
  const auto vector = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  const auto pick = [&](Index below) {
    return std::min<Index>(below - 1, static_cast<Index>(random.uniform(0, 1) * static_cast<double>(below)));
  };
  const Index bodies = 1 + pick(3);
  CompliantProblem problem;
  problem.h = log_uniform(1e-5, 0.1);
  for (Index b = 0; b < bodies; ++b) {
    const double m = log_uniform(1e-3, 1e3);
    Matrix3d A;
    for (int i = 0; i < 3; ++i) A.col(i) = vector();
    MatrixXd M = MatrixXd::Zero(6, 6);
    M.topLeftCorner(3, 3) = m * Matrix3d::Identity();
    M.bottomRightCorner(3, 3) = 0.01 * m * (A * A.transpose() + 0.1 * Matrix3d::Identity());
    problem.mass.append(M);
  }
  const Index n = problem.dof();
  problem.v.resize(n);
  problem.f.resize(n);
  for (Index i = 0; i < n; ++i) {
    problem.v(i) = random.uniform(-1, 1) * log_uniform(1e-3, 10.0);
    problem.f(i) = random.uniform(-10, 10) * problem.mass.block(i / 6)(i % 6, i % 6);
  }
  for (CompliantRows* rows : {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s}) {
    rows->G = BlockRows(problem.mass.layout());
  }
  const auto add = [&](CompliantRows& rows, const Vector3d& direction, const Vector3d& p, const Vector3d& q, Index a,
                       Index b, const CompliantLaw& law) {
    double on_a[6], on_b[6];
    const Vector3d turn_a = p.cross(direction), turn_b = q.cross(direction);
    for (int i = 0; i < 3; ++i) {
      on_a[i] = direction(i);
      on_a[3 + i] = turn_a(i);
      on_b[i] = -direction(i);
      on_b[3 + i] = -turn_b(i);
    }
    if (b < 0 || b == a) {
      rows.G.add_row({a, {on_a, 6}});
    } else {
      rows.G.add_row({a, {on_a, 6}}, {b, {on_b, 6}});
    }
    append_number(rows.K, law.K);
    append_number(rows.B, law.B);
    append_number(rows.phi, law.phi);
  };
  const auto law = [&] {
    CompliantLaw made{log_uniform(1e3, 1e13), random.uniform(0, 1) < 0.5 ? 0.0 : log_uniform(1.0, 1e6),
                      random.uniform(-1, 1) * log_uniform(1e-9, 1e-2)};
    if (random.uniform(0, 1) < 0.05) made.K = 0.0;
    if (random.uniform(0, 1) < 0.02) made.K = made.B = 0.0;
    return made;
  };
  const Index held = pick(4), pushing = random.uniform(0, 1) < 0.1 ? 60 : pick(4);
  const Index contacts = random.uniform(0, 1) < 0.3 ? 0 : random.uniform(0, 1) < 0.1 ? 40 : pick(9);
  for (Index i = 0; i < held + pushing; ++i) {
    add(i < held ? problem.bilateral : problem.unilateral, vector().normalized(), 0.2 * vector(), 0.2 * vector(),
        pick(bodies), pick(bodies + 1) - 1, law());
  }
  const bool planar = random.uniform(0, 1) < 0.3;
  for (Index i = 0; i < contacts; ++i) {
    const Vector3d normal = (Vector3d::UnitZ() + spread * vector()).normalized();
    const Vector3d t = normal.cross(vector()).normalized(), p = 0.2 * vector(), q = 0.2 * vector();
    const Index a = pick(bodies), b = pick(bodies + 1) - 1;
    CompliantLaw along{0.0, random.uniform(0, 1) < 0.02 ? 0.0 : log_uniform(1e2, 1e8), 0.0};
    add(problem.normal, normal, p, q, a, b, law());
    add(problem.r, t, p, q, a, b, along);
    if (random.uniform(0, 1) < 0.1) along.B = log_uniform(1e2, 1e8);
    if (!planar) add(problem.s, normal.cross(t), p, q, a, b, along);
    append_number(problem.mu, random.uniform(0, 1) < 0.1 ? 0.0 : random.uniform(0.05, 1.2));
  }
  return problem;
}

}  // namespace tribo::testing
