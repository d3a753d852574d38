#include "tribo/problem/compliant_problem.hpp"

#include <cmath>
#include <string>

#include "problem/checks.hpp"

namespace tribo {

namespace {

// Layout, finite entries, one number per row, and h (h K + B) within the range of doubles.
Checked check_compliant_rows(const CompliantProblem& problem, const CompliantRows& rows, const std::string& field) {
  const BlockLayout& layout = problem.mass.layout();
  const Index m = rows.rows();
  if (m == 0 && rows.K.size() == 0 && rows.B.size() == 0 && rows.phi.size() == 0 && rows.drift.size() == 0) return ok();
  if (!(rows.G.layout() == layout)) {
    return fail("its blocks differ from those of the mass matrix", field + ".G",
                "construct the rows with mass.layout()");
  }
  for (Index i = 0; i < m; ++i) {
    for (const auto& part : rows.G.row(i)) {
      for (std::size_t k = 0; k < part.values.size(); ++k) {
        const Index column = layout.start(part.block) + static_cast<Index>(k);
        TRIBO_CHECK(check_finite(part.values[k], "the entry", entry_text(field + ".G", i, column)));
      }
    }
  }
  TRIBO_CHECK(check_size(rows.K, field + ".K", m, "one entry per row of G"));
  TRIBO_CHECK(check_size(rows.B, field + ".B", m, "one entry per row of G"));
  TRIBO_CHECK(check_size(rows.phi, field + ".phi", m, "one entry per row of G"));
  TRIBO_CHECK(check_non_negative(rows.K, field + ".K", "give a stiffness >= 0 in N/m"));
  TRIBO_CHECK(check_non_negative(rows.B, field + ".B", "give a damping >= 0 in N·s/m"));
  TRIBO_CHECK(check_finite(rows.phi, field + ".phi"));
  if (rows.drift.size() > 0) {
    TRIBO_CHECK(check_size(rows.drift, field + ".drift", m, "one entry per row of G, or none"));
    TRIBO_CHECK(check_finite(rows.drift, field + ".drift"));
  }
  const double h = problem.h;
  for (Index i = 0; i < m; ++i) {
    if (std::isfinite(h * (h * rows.K(i) + rows.B(i)))) continue;
    return fail("h (h K + B) exceeds the largest number", field + ", row " + std::to_string(i), "give a softer row");
  }
  return ok();
}

Checked check_compliant_tangents(const CompliantRows& rows, const std::string& field, Index contacts) {
  if (rows.rows() == contacts || rows.rows() == 0) return ok();
  return fail("has " + std::to_string(rows.rows()) + " rows for " + std::to_string(contacts) + " contacts", field,
              "give one row per contact, or none at all");
}

}  // namespace

Checked validate(const CompliantProblem& problem) {
  if (!(std::isfinite(problem.h) && problem.h > 0.0)) {
    return fail("is not a positive time (" + number_text(problem.h) + ")", "h", "give a step > 0 in seconds");
  }
  const BlockLayout& layout = problem.mass.layout();
  for (Index i = 0; i < problem.mass.blocks(); ++i) {
    TRIBO_CHECK(check_spd(problem.mass.block(i), "M", layout.start(i), "M, block " + std::to_string(i)));
  }
  TRIBO_CHECK(check_size(problem.v, "v", problem.dof(), "one velocity per degree of freedom"));
  TRIBO_CHECK(check_finite(problem.v, "v"));
  TRIBO_CHECK(check_size(problem.f, "f", problem.dof(), "one force per degree of freedom"));
  TRIBO_CHECK(check_finite(problem.f, "f"));
  TRIBO_CHECK(check_compliant_rows(problem, problem.bilateral, "bilateral"));
  TRIBO_CHECK(check_compliant_rows(problem, problem.unilateral, "unilateral"));
  TRIBO_CHECK(check_compliant_rows(problem, problem.normal, "normal"));
  TRIBO_CHECK(check_compliant_rows(problem, problem.r, "r"));
  TRIBO_CHECK(check_compliant_rows(problem, problem.s, "s"));
  const Index contacts = problem.contacts();
  TRIBO_CHECK(check_compliant_tangents(problem.r, "r", contacts));
  TRIBO_CHECK(check_compliant_tangents(problem.s, "s", contacts));
  if (problem.s.rows() > 0 && problem.r.rows() == 0) {
    return fail("has rows although r has none", "s", "give the first tangents as r");
  }
  TRIBO_CHECK(check_size(problem.mu, "mu", contacts, "one entry per contact"));
  TRIBO_CHECK(check_non_negative(problem.mu, "mu", "give a friction coefficient >= 0"));
  if (problem.rate_scale.size() > 0) {
    TRIBO_CHECK(check_size(problem.rate_scale, "rate_scale", contacts, "one entry per contact, or none"));
    for (Index i = 0; i < contacts; ++i) {
      const double S = problem.rate_scale(i), D = S * (problem.h * problem.normal.K(i) + problem.normal.B(i));
      if (std::isfinite(S) && S > 0.0 && std::isfinite(problem.h * D)) continue;
      return fail("is not a positive number (" + number_text(S) + "), or too large for the row",
                  entry_text("rate_scale", i), "give the slope of φ over the distance, > 0");
    }
  }
  if (problem.zeta && !(std::isfinite(*problem.zeta) && *problem.zeta > 0.0)) {
    return fail("is not a positive number (" + number_text(*problem.zeta) + ")", "zeta",
                "leave it out for 1/h, or give a weight > 0");
  }
  return ok();
}

// φ' = S G v: law = −K φ0 − S (h K + B) (G v1 + s h Ġ v0), so β = K φ0 / (S (h K + B)) + s h Ġ v0.
CompliantRow calc_row(const CompliantRows& rows, Index i, double h, VelocityProduct product, double rate_scale) {
  CompliantRow row;
  const double K = rows.K(i);
  row.D = rate_scale * (h * K + rows.B(i));
  const double L = h * row.D;
  row.compliance = 1.0 / L;
  row.acts = L > 0.0 && std::isfinite(row.compliance);  // L may vanish by underflow
  if (!row.acts) return CompliantRow{};
  row.offset = K / row.D * rows.phi(i);
  if (product != VelocityProduct::kNone && rows.drift.size() > 0) row.offset += h * rows.drift(i);
  return row;
}

}  // namespace tribo
