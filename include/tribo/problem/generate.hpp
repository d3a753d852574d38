// Seeded problems for tests, benchmarks and studies. The same seed gives the same bits on every platform as far as
// + − · / and √ decide: products are plain sums in a fixed order, bell-shaped numbers are sums of uniform ones, scales are
// powers of two. (Only the angles of peg_in_hole, block_on_face, jam and painleve_rod go through sin and cos.)
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"

namespace tribo {

// --- Complementarity problems ---

enum class MatrixClass {
  kSpd,            // symmetric positive definite
  kPsd,            // symmetric positive semidefinite, about a quarter of the rank missing
  kRankDeficient,  // symmetric positive semidefinite of rank n/3 with rows repeated, exactly and nearly
  kP,              // unsymmetric, all principal minors positive: diagonally dominant, triangular, or definite + skew
  kCopositive,  // zᵀ M z ≥ 0 for z ≥ 0: non-negative, or a friction LCP [[NNᵀ, NDᵀ, 0], [DNᵀ, DDᵀ, E], [μ,
                // −Eᵀ, 0]]
};

MatrixXd random_matrix(MatrixClass matrix_class, Index n, Random& random);

// q without regard to M: for the singular classes there may be no solution.
Lcp random_lcp(MatrixClass matrix_class, Index n, Random& random);

// Built backwards: q = w − M z from a chosen complementary pair, about a fifth of it degenerate (z_i = w_i =
// 0). The pair is one solution; only for kSpd and kP it is the only one.
Lcp solvable_lcp(MatrixClass matrix_class, Index n, Random& random, LcpSolution* answer = nullptr);

// Rows and columns scaled by powers of two up to about 10^±6, by the same factors on both sides (they keep
// every class), or by different ones for kP. `answer` is scaled along, without rounding.
Lcp badly_scaled(const Lcp& lcp, MatrixClass matrix_class, Random& random, LcpSolution* answer = nullptr);

// M symmetric positive semidefinite; bounds of every kind: none, one finite, both finite, equal.
BoxLcp random_box_lcp(Index n, Random& random);
BoxLcp solvable_box_lcp(Index n, Random& random, BoxLcpSolution* answer = nullptr);

// M = [H −Gᵀ; G B], H positive definite, B positive semidefinite or zero: the conditions of a convex QP.
MixedLcp random_mixed_lcp(Index free, Index complementary, Random& random);
MixedLcp solvable_mixed_lcp(Index free, Index complementary, Random& random, MixedLcpSolution* answer = nullptr);

// Feasible by construction; some inequalities are repeated and some are tight at the point they were built
// around.
Qp random_qp(Index n, Index equalities, Index inequalities, Random& random);

// --- Contact problems ---
// SI units, gravity 9.81 m/s² along −z. All have rows S and T and mu, mu_v and friction_bound set, so that every model
// can be applied; b_N = 0 unless the comment says otherwise.

// Spec F (Lloyd): a peg along z, rings of n/2 contacts at z = ±depth/2, a random wrench, at rest.
struct PegSettings {
  double radius = 0.05;  // m
  double depth = 0.2;    // m
  double mass = 1.0;     // kg
  double h = 0.01;       // s
  double mu_low = 0.2;   // each contact draws its own coefficient
  double mu_high = 0.3;
};
ContactProblem peg_in_hole(Index n, Random& random, const PegSettings& settings = {});

// Spec F (Lloyd): blocks of 0.2 × 0.2 × 0.1 m and 1 kg, each shifted by up to 0.03 m, on the ground and at
// rest; a random wrench on the top one. Contacts: corners of the common face, then middles of its edges, then
// random points.
ContactProblem box_stack(Index blocks, Index contacts_per_interface, Random& random);

// One such block with n coplanar contacts on a slope (gravity turned by `incline`, rad), moving and turning.
ContactProblem block_on_face(Index n, double incline, Random& random);

// A sphere between two walls whose normals are opposed but for `angle` (rad); gravity presses it into the
// wedge, so that forces grow like 1/sin(angle). With `overlap` both walls push: b_N = −0.1, infeasible when
// angle = 0 (spec A.5).
ContactProblem jam(bool overlap, double angle = 0.0);

// Spec F (Drumwright): a row of boxes (0.1 m, 1 kg) held between two grippers that slide along x and press
// with 200 N. Bodies: left gripper, right gripper, boxes from left to right. 12 contacts per face are the
// paper's, 4 the reference's.
ContactProblem grasp_row(Index boxes, Index contacts_per_face = 4, double mu = 100.0);

struct SphereSettings {
  double mass = 1.0;    // kg
  double radius = 0.1;  // m
  double h = 0.01;      // s
  double mu = 0.4;
  double restitution = 0.0;           // > 0: b_N = e N v for an approaching sphere
  Vector3d velocity{1.0, 0.3, -1.0};  // m/s
  Vector3d spin = Vector3d::Zero();   // rad/s
};
ContactProblem sphere_on_plane(const SphereSettings& settings = {});

// A rod of 1 m and 1 kg at `theta` (rad) to the ground, its lower end sliding with 1 m/s. With mu = 2, theta
// = 1 there is no answer at acceleration level (Painlevé).
ContactProblem painleve_rod(double mu = 2.0, double theta = 1.0);

// Bodies and contacts at random; `redundant` is the share of contacts that repeat an earlier one exactly or
// lie in its plane.
struct RandomBodies {
  Index bodies = 4;
  Index contacts = 20;
  double redundant = 0.6;  // 0 … 1
  Index bilateral = 0;     // rows
  bool trees = false;      // every other body is a dense block of 3 to 9 degrees of freedom
};
ContactProblem random_bodies(const RandomBodies& settings, Random& random);
// Spec G: 1–8 bodies, 1–80 contacts, 60 % redundant, 0–3 bilateral rows, trees or not.
ContactProblem random_bodies(Random& random);

}  // namespace tribo
