// No velocity satisfies the rows of a contact problem: with E = J (NoSlip: the rows J, then all of S, then
// all of T, the last two with offset zero)
//     Nᵀ y_n + Eᵀ y_e = 0,   y_n ≥ 0,   y_n·b_N + y_e·b_E < 0                                             (1)
// contradicts N v + b_N ≥ 0, E v + b_E = 0 for every v, whatever friction does. y_n = 0: the equalities alone
// contradict one another. The tangent rows of a released contact are no equalities: y_e vanishes there. A contact with
// compliance (CoulombCone) gives way to any velocity: y_n vanishes there.
// Scales as in spec B.6, over all rows: |…|_{M⁻¹} ≤ 1e-9 Y and margin > 1e-8 us Y with Y = Σ |row|_{M⁻¹} |y|; us of
// contact_terms.hpp without v⁺, over the islands that rows with y ≠ 0 belong to. So a proof about one island is as good
// in the presence of others, however fast they are.
#include "tribo/problem/islands.hpp"

#include <variant>
#include <vector>

#include "certify/contact_terms.hpp"
#include "certify/proof.hpp"

namespace tribo {

namespace {

// The blocks of all islands that a row with y ≠ 0 belongs to.
std::vector<bool> blocks_of_proof(const ContactProblem& problem, const VectorXd& y_n, const VectorXd& y_e) {
  const IslandMap map = find_islands(problem);
  std::vector<bool> islands(static_cast<std::size_t>(map.islands), false);
  const Index n = problem.size(), j = problem.J.rows();
  const auto mark = [&](Index island) { islands[static_cast<std::size_t>(island)] = true; };
  for (Index i = 0; i < n; ++i) {
    if (y_n(i) != 0.0) mark(map.of_contact[static_cast<std::size_t>(i)]);
  }
  for (Index row = 0; row < y_e.size(); ++row) {
    if (y_e(row) == 0.0) continue;
    mark(row < j ? map.of_bilateral[static_cast<std::size_t>(row)]
                 : map.of_contact[static_cast<std::size_t>((row - j) % n)]);
  }
  std::vector<bool> blocks(static_cast<std::size_t>(problem.mass.blocks()));
  for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b] = islands[static_cast<std::size_t>(map.of_block[b])];
  return blocks;
}

}  // namespace

InfeasibilityCertificate certify_infeasible(const ContactProblem& problem, const ContactModel& model,
                                            const ContactSolution& solution) {
  if (!shapes_fit(problem)) return rejected("size");
  const bool no_slip = std::holds_alternative<NoSlip>(model);
  const Index n = problem.size(), j = problem.J.rows();
  const Index s = no_slip ? problem.S.rows() : 0, t = no_slip ? problem.T.rows() : 0;
  const bool normals = solution.y_n.size() > 0, equalities = solution.y_e.size() > 0;
  if ((normals && solution.y_n.size() != n) || (equalities && solution.y_e.size() != j + s + t))
    return rejected("size");
  if (!all_finite(solution.y_n, solution.y_e)) return rejected("finite");
  std::optional<ContactTerms> terms = calc_terms(problem);
  if (!terms) return rejected("mass");

  VectorXd y_n = normals ? solution.y_n : VectorXd::Zero(n);
  VectorXd y_e = equalities ? solution.y_e : VectorXd::Zero(j + s + t);
  Worst sign, released, compliant;
  const double largest_y = std::max(largest(y_n), largest(y_e));
  for (Index i = 0; i < n; ++i) {
    if (y_n(i) >= 0.0) continue;
    sign.consider(y_n(i), kRoundingOfSign * largest_y);
    y_n(i) = 0.0;
  }

  bool any_compliant = false;
  for (Index i = 0; i < n && std::holds_alternative<CoulombCone>(model); ++i) {
    if (!(problem.contacts[static_cast<std::size_t>(i)].compliance > 0.0)) continue;
    any_compliant = true;
    compliant.consider(y_n(i), kRoundingOfSign * largest_y);
    y_n(i) = 0.0;
  }

  bool any_released = false;
  for (Index row = j; row < j + s + t; ++row) {
    if (!problem.contacts[static_cast<std::size_t>((row - j) % n)].released) continue;
    any_released = true;
    released.consider(y_e(row), kRoundingOfSign * largest_y);
    y_e(row) = 0.0;
  }

  MomentumSums sums;
  sums.reset(problem.dof());
  add_rows_transposed(sums, problem.N, 1.0, y_n);
  add_rows_transposed(sums, problem.J, 1.0, y_e.head(j));
  double size = terms->norm_N.dot(y_n) + terms->norm_J.dot(y_e.head(j).cwiseAbs());
  if (s > 0) {
    add_rows_transposed(sums, problem.S, 1.0, y_e.segment(j, s));
    size += terms->norm_S.dot(y_e.segment(j, s).cwiseAbs());
  }
  if (t > 0) {
    add_rows_transposed(sums, problem.T, 1.0, y_e.tail(t));
    size += terms->norm_T.dot(y_e.tail(t).cwiseAbs());
  }
  const double balance = terms->inverse_mass_norm(sums.value());
  const double margin = -accurate_dot(terms->offset_J(), y_e.head(j), accurate_dot(terms->offset_N(), y_n));
  const double needed = 1e-8 * size * local_speed(*terms, blocks_of_proof(problem, y_n, y_e));

  Certificate checks;
  checks.add(sign.residual("sign", "1"));
  if (any_released) checks.add(released.residual("released", "1"));
  if (any_compliant) checks.add(compliant.residual("compliant", "1"));
  checks.add({"balance", "1", balance, 1e-9 * size, ratio(balance, 1e-9 * size)});
  checks.add({"margin", terms->velocity_unit(), margin, needed, margin > 0.0 ? needed / margin : kInfinity});
  return judged(std::move(checks), Verdict::kInfeasible);
}

}  // namespace tribo
