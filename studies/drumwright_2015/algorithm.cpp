// What the paper says of its matrices and of its algorithm, beside numbers: matrix classes, termination, the size of
// the active set, Theorem 1 (spec lcp-contact, table 0 and B.5).
#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>

#include "cycling_problem.hpp"
#include "parts.hpp"
#include "pivoting.hpp"
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>

namespace tribo {
namespace {

// The matrix of the friction LCP of one contact with four directions:
//     [N; D] M⁻¹ [N; D]ᵀ,  a column of ones beside D,  a last row (mu, −1, −1, −1, −1, 0).
MatrixXd friction_matrix(const ContactProblem& problem) {
  const MatrixXd N = problem.N.to_dense(), S = problem.S.to_dense(), T = problem.T.to_dense();
  MatrixXd rows(5, problem.dof());
  rows << N, S, T, -S, -T;
  MatrixXd M = MatrixXd::Zero(6, 6);
  M.topLeftCorner(5, 5) = rows * problem.mass.to_dense().inverse() * rows.transpose();
  M.col(5).segment(1, 4).setOnes();
  M.row(5).segment(1, 4).setConstant(-1.0);
  M(5, 0) = problem.contacts.front().mu;
  return M;
}

void report_matrix_classes(StudyOutput& output) {
  Random random(1);
  const ContactProblem block = block_on_face(8, 0.0, random);
  const MatrixXd N = block.N.to_dense();
  const MatrixXd F = N * block.mass.to_dense().inverse() * N.transpose();
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(F).eigenvalues();
  const auto rank = (values.array() > 1e-10 * values.maxCoeff()).count();
  const MatrixXd corners = F.topLeftCorner(4, 4);
  const double minor = std::abs(corners.determinant()) / corners.diagonal().prod();
  output.claim(
      "the LCP matrix is a P-matrix, for which PPM I is finite", "PSD matrices are among the P-matrices",
      fmt::format("8 contacts on a face: rank {}; the principal minor of the four corners is {:.0e} of the product "
                  "of its diagonal",
                  rank, minor),
      differs_if(minor < 1e-12,
                 "a P-matrix has positive principal minors; PSD matrices are P0, and the proof of "
                 "finiteness does not cover them"));

  const MatrixXd M = friction_matrix(sphere_on_plane());
  const VectorXd z = VectorXd::Unit(6, 5);
  const double energy = z.dot(M * z), gradient = ((M + M.transpose()) * z).cwiseAbs().maxCoeff();
  output.claim("the LCP with Coulomb friction is copositive-plus", "copositive-plus, hence solvable",
               fmt::format("one sphere, mu = 0.4, z = (0, 0, 1): zᵀM z = {:.1f}, largest entry of (M + Mᵀ) z = {:.1f}",
                           energy, gradient),
               differs_if(energy == 0.0 && gradient > 0.0,
                          "it is copositive only; that there is an answer follows from a condition on q"));
  output.promise("the counterexamples to the matrix classes hold", minor < 1e-12 && energy == 0.0 && gradient > 0.0,
                 fmt::format("minor {:.0e}, zᵀM z = {:.1f}, (M + Mᵀ) z = {:.1f}", minor, energy, gradient));
}

void report_termination(StudyOutput& output) {
  const Pivoting small = pivot(cycling_problem(), Frictionless{});
  output.claim(
      "the changes to PPM I do not affect its termination", "finite",
      fmt::format("one body, 10 contacts: the printed rule ends after {} iterations ({}); with the dual active set "
                  "behind it {} and {}",
                  small.printed.iterations, small.printed.detail, to_string(small.guarded.status),
                  small.certified ? "certified" : "not certified"),
      differs_if(small.printed_rule_cycled(),
                 "finiteness is proved for P-matrices, and redundant contacts give singular ones"));
  output.promise("a cycle of the printed rule is caught and the problem solved",
                 small.printed_rule_cycled() && small.guarded.fallback && small.certified,
                 std::string("reference fr09: ") + small.guarded.detail);

  const int count = output.quick() ? 400 : 2000;
  int cycled = 0, dependent = 0, unsolved = 0, refused = 0, too_large = 0;
  Index most_active = 0;
  for (int i = 0; i < count; ++i) {
    if (i % 100 == 0) output.progress(fmt::format("random problems: {} of {}", i, count));
    Random random(static_cast<std::uint64_t>(i) + 1);
    const Pivoting one = pivot(random_bodies(random), Frictionless{});
    cycled += one.printed_rule_cycled() ? 1 : 0;
    dependent += one.printed_rule_met_dependent_row() ? 1 : 0;
    unsolved += is_solved(one.printed.status) ? 0 : 1;
    refused += one.certified ? 0 : 1;
    too_large += one.active > one.bound ? 1 : 0;
    most_active = std::max(most_active, one.active);
  }
  output.claim(
      "PPM I solves what contact gives it", "no failure reported",
      fmt::format("{} random frictionless problems: {} cycle, {} meet a dependent row, {} are left unsolved for "
                  "other reasons; with the fallback {} are not certified",
                  count, cycled, dependent, unsolved - cycled - dependent, refused),
      differs_if(unsolved > 0,
                 "the rule cycles now and then on singular matrices; a repeated active set is noticed, and "
                 "the dual active set method finishes"));
  output.promise("every random frictionless problem is certified", refused == 0,
                 fmt::format("{} of {}", count - refused, count));

  const Pivoting held = pivot(grasp_row(2, 12), NoSlip{});
  output.claim("at most rank(A) forces are positive", fmt::format("rank(A) = {} for the grasp", held.rank_A),
               fmt::format("m − rank E = {}, and {} contacts carry force; in {} random problems {} exceed m − rank E",
                           held.bound, held.active, count, too_large),
               differs_if(held.bound < held.rank_A && too_large == 0,
                          "the argument of Lemma 1 gives rank(F) ≤ m − rank E, the smaller and useful bound"));
  output.promise("the active set is never larger than m − rank E", too_large == 0 && held.active <= held.bound,
                 fmt::format("largest active set {}", most_active));
}

// A ball of 1 kg that moves along x with speed v, and contacts with normals ±x: one independent row.
ContactProblem ball_on_walls(double v, const std::vector<double>& normals, const std::vector<double>& b_N) {
  ContactBuilder builder;
  const double radius = 0.1;
  const Index ball = builder.add_body(1.0, sphere_inertia(1.0, radius), Vector3d::Zero());
  builder.set_velocity(ball, v * VectorXd::Unit(6, 0));
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const Vector3d normal = normals[i] * Vector3d::UnitX();
    builder.set_normal_offset(builder.add_contact(ball, ContactBuilder::kWorld, -radius * normal, normal), b_N[i]);
  }
  return builder.build();
}

// Solves the first row alone and evaluates the second, which depends on it, at that answer.
double dependent_w(double v, double second_normal, double second_b_N) {
  const ContactAnswer alone = solve(ball_on_walls(v, {1.0}, {0.0}), Frictionless{});
  const ContactProblem both = ball_on_walls(v, {1.0, second_normal}, {0.0, second_b_N});
  return both.N.dot(1, alone.v_next) + both.b_N(1);
}

// A block that lands on its four corners with some spin; one corner overlaps. Three of the four rows are independent.
ContactProblem landing_block(Random& random) {
  ContactBuilder builder;
  const Vector3d edges(0.2, 0.2, 0.1);
  const Index block = builder.add_body(1.0, box_inertia(1.0, edges), Vector3d(0.0, 0.0, 0.5 * edges.z()));
  VectorXd velocity(6);
  velocity << 0.0, 0.0, -1.0, random.uniform(-5.0, 5.0), random.uniform(-5.0, 5.0), 0.0;
  builder.set_velocity(block, velocity);
  Index corner = 0;
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) {
      corner = builder.add_contact(block, ContactBuilder::kWorld, {x, y, 0.0}, Vector3d::UnitZ());
    }
  }
  builder.set_normal_offset(corner, -0.1);
  return builder.build();
}

void report_theorem_one(StudyOutput& output) {
  const double overlap = dependent_w(-1.0, 1.0, -0.1), leaving = dependent_w(1.0, -1.0, 0.0);
  constexpr int kLandings = 200;
  int dependent = 0, refused = 0;
  Random random(1);
  for (int i = 0; i < kLandings; ++i) {
    const Pivoting landing = pivot(landing_block(random), Frictionless{});
    dependent += landing.printed_rule_met_dependent_row() ? 1 : 0;
    refused += landing.certified ? 0 : 1;
  }
  output.claim(
      "Theorem 1: an answer for independent rows is one for all rows", "for any solution",
      fmt::format("a repeated row with b_N = −0.1: w = {:.1f} m/s; an opposed row while w_I = 1: w = {:.1f} m/s; a "
                  "dependent row is selected in {} of {} landings of a block with one overlapping corner",
                  overlap, leaving, dependent, kLandings),
      differs_if(overlap < 0.0 || leaving < 0.0,
                 "it needs b_N = 0 and w_I = 0 for all of I; with a gap, an overlap or restitution a "
                 "dependent row can be violated, and is selected"));
  output.promise("the counterexamples to Theorem 1 hold, and what they ask is solved",
                 overlap < 0.0 && leaving < 0.0 && dependent > 0 && refused == 0,
                 fmt::format("{} of {} landings certified", kLandings - refused, kLandings));
}

}  // namespace

void report_algorithm(StudyOutput& output) {
  output.heading("What the paper says of its matrices and its algorithm");
  report_matrix_classes(output);
  report_termination(output);
  report_theorem_one(output);
}

}  // namespace tribo
