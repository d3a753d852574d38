// A rigid body, or a mechanism, that stands with one flat face on an elastic layer (Winkler's foundation): many springs side by
// side, each a unilateral row of compliant_problem.hpp, which differ only by where they stand. With s_i = (1, x_i, y_i), x and y
// in axes of the face,
//     φ_i = gap·s_i,    G_i = s_iᵀ T,    K_i = k A_i,    B_i = b A_i where φ_i ≤ 0, none across a gap (spec B.4)            (1)
//     λ_i = max(0, −K_i φ1_i − B_i φ1_i'),    M v1 = M v + h (f + Tᵀ Σ λ_i s_i)                                     (2)
// so that 3 rows of dof numbers say what else n rows would, and a step costs little more than writing n forces
// (solve/compliant/foundation_solver.hpp). to_rows() writes (1) out: for certificates, gradients, files, and for layers beside
// other rows.
// Source    [Drumwright 2018] §5.5, spec/first-order-solver E.4.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/block_rows.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/compliant_problem.hpp"

#include <memory>
#include <string>

namespace tribo {

// The elements of a layer. Constant: problems of many steps share one, and solvers know it again by its address.
struct ElasticLayer {
  VectorXd x, y;           // m, in axes of the face
  VectorXd area;           // m², > 0
  double stiffness = 0.0;  // k, N/m³, >= 0: Young's modulus over the thickness
  double damping = 0.0;    // b, N·s/m³, >= 0

  Index elements() const { return x.size(); }
};
Checked validate(const ElasticLayer& layer);
// A rectangle about the origin, cut into columns × rows equal cells; elements stand in their middles, row by row.
ElasticLayer make_rectangular_layer(double length_x, double length_y, Index columns, Index rows, double stiffness,
                                    double damping);

struct FoundationProblem {
  std::string name;
  double h = 0.01;     // s, > 0
  BlockDiagonal mass;  // M
  VectorXd v, f;
  std::shared_ptr<const ElasticLayer> layer;
  // The plane of the gaps over the coordinates of the face, > 0 apart: its value at the origin, m, and its slopes along x and y.
  Vector3d gap = Vector3d::Zero();
  BlockRows T;  // d gap/dt = T v: three rows

  Index dof() const { return mass.size(); }
};

// Sizes, finite numbers, M symmetric positive definite, h > 0, and what the layer asks for.
Checked validate(const FoundationProblem& problem);

// (1), the rows in the order of the elements. The forces of its answer are CompliantSolution::lambda_u.
CompliantProblem to_rows(const FoundationProblem& problem);
// In the memory of another problem, of which nothing is kept.
void to_rows(const FoundationProblem& problem, CompliantProblem& rows);

}  // namespace tribo
