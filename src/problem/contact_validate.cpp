#include "tribo/problem/contact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "problem/checks.hpp"

namespace tribo {

namespace {

bool is_range(double x) { return x >= 0.0 && x <= std::numeric_limits<double>::max(); }

// The product with zero is NaN for what is not finite; sums of zeros are zero.
bool is_finite(const double* x, Index count) {
  double sum = 0.0;
  for (Index i = 0; i < count; ++i) sum += 0.0 * x[i];
  return sum == 0.0;
}

// Whether check_contact() has nothing to say; without making the texts of what it might say.
bool is_sound(const Contact& c) {
  const bool coefficients = is_range(c.mu) && is_range(c.mu_v) && is_range(c.damping) && is_range(c.friction_bound) &&
                            is_range(c.impact_damping) && is_range(c.mu_spin) && is_range(c.mu_roll) &&
                            is_range(c.compliance) && is_range(c.tangential_compliance);
  return coefficients && c.restitution >= 0.0 && c.restitution <= 1.0 && c.stiffness > 0.0 && std::isfinite(c.gap) &&
         std::isfinite(c.held_s) && std::isfinite(c.held_t) &&
         (!c.has_frame || (is_finite(c.point.data(), 3) && is_finite(c.frame.data(), 9)));
}

// Whether check_spd() has nothing to say of a block: symmetric, and every pivot of its factor far from zero. Others are looked at
// there.
constexpr double kPivot = 1e-10, kMirrored = 1e-18;  // relative; the second squared

bool is_spd(const MatrixXd& A) {
  constexpr Index kLargest = 32;
  const Index n = A.rows();
  if (n > kLargest || A.cols() != n) return false;
  double L[kLargest * kLargest];
  for (Index j = 0; j < n; ++j) {
    double pivot = A(j, j);
    for (Index k = 0; k < j; ++k) pivot -= L[j * kLargest + k] * L[j * kLargest + k];
    if (!(A(j, j) > 0.0) || !(pivot > kPivot * A(j, j)) || !std::isfinite(A(j, j))) return false;
    const double root = std::sqrt(pivot);
    L[j * kLargest + j] = root;
    for (Index i = j + 1; i < n; ++i) {
      const double apart = A(i, j) - A(j, i);
      if (!(apart * apart <= kMirrored * (A(i, i) * A(j, j)))) return false;
      double sum = A(i, j);
      for (Index k = 0; k < j; ++k) sum -= L[i * kLargest + k] * L[j * kLargest + k];
      L[i * kLargest + j] = sum / root;
    }
  }
  return true;
}

// The same where the factor L is known.
bool is_spd(const MatrixXd& A, const MatrixXd& L) {
  for (Index j = 0; j < A.rows(); ++j) {
    if (!(L(j, j) * L(j, j) > kPivot * A(j, j)) || !std::isfinite(A(j, j))) return false;
    for (Index i = j + 1; i < A.rows(); ++i) {
      const double apart = A(i, j) - A(j, i);
      if (!(apart * apart <= kMirrored * (A(i, i) * A(j, j)))) return false;
    }
  }
  return true;
}

Checked check_contact(const Contact& contact, Index i) {
  const std::string where = "contact " + std::to_string(i);
  TRIBO_CHECK(check_finite(contact.gap, "gap", where));
  TRIBO_CHECK(check_non_negative(contact.mu, "mu", where, "give a friction coefficient >= 0"));
  TRIBO_CHECK(check_non_negative(contact.mu_v, "mu_v", where, "give a viscous coefficient >= 0 in N·s/m"));
  TRIBO_CHECK(check_non_negative(contact.damping, "damping", where, "give a damping >= 0 in N·s/m"));
  TRIBO_CHECK(check_non_negative(contact.friction_bound, "friction_bound", where, "give a bound >= 0 in N·s"));
  TRIBO_CHECK(check_non_negative(contact.impact_damping, "impact_damping", where, "give an impact damping >= 0 in kg"));
  TRIBO_CHECK(check_non_negative(contact.mu_spin, "mu_spin", where, "give a couple over normal force >= 0 in m"));
  TRIBO_CHECK(check_non_negative(contact.mu_roll, "mu_roll", where, "give a couple over normal force >= 0 in m"));
  const char* soft = "give 0 (rigid) or a compliance > 0 in m/s per N·s";
  TRIBO_CHECK(check_non_negative(contact.compliance, "compliance", where, soft));
  TRIBO_CHECK(check_non_negative(contact.tangential_compliance, "tangential_compliance", where, soft));
  TRIBO_CHECK(check_finite(contact.held_s, "held_s", where));
  TRIBO_CHECK(check_finite(contact.held_t, "held_t", where));
  if (!(contact.restitution >= 0.0 && contact.restitution <= 1.0)) {
    return fail("restitution is outside of [0, 1] (" + number_text(contact.restitution) + ")", where,
                "give 0 (no bounce) to 1 (no loss)");
  }
  if (!(contact.stiffness > 0.0)) {
    return fail("stiffness is not positive (" + number_text(contact.stiffness) + ")", where,
                "give a stiffness > 0 in N/m, or inf for a rigid contact");
  }
  if (contact.has_frame && !(contact.point.allFinite() && contact.frame.allFinite())) {
    return fail("point or frame is not finite", where, "give finite geometry, or leave has_frame false");
  }
  return ok();
}

Checked check_rows(const BlockRows& rows, const BlockLayout& layout, const std::string& field) {
  if (rows.layout() != layout) {
    return fail("its blocks differ from those of the mass matrix", field,
                "construct the rows, also when there are none, with mass.layout()");
  }
  if (rows.all_finite()) return ok();
  for (Index i = 0; i < rows.rows(); ++i) {
    for (const auto& part : rows.row(i)) {
      for (std::size_t k = 0; k < part.values.size(); ++k) {
        TRIBO_CHECK(check_finite(part.values[k], "the entry",
                                 entry_text(field, i, layout.start(part.block) + static_cast<Index>(k))));
      }
    }
  }
  return ok();
}

Checked check_vector(const VectorXd& x, const char* field, Index size, const char* meaning) {
  if (x.size() == size && is_finite(x.data(), size)) return ok();
  TRIBO_CHECK(check_size(x, field, size, meaning));
  return check_finite(x, field);
}

Checked check_tangents(const BlockRows& rows, const std::string& field, Index contacts) {
  if (rows.rows() == contacts || rows.rows() == 0) return ok();
  return fail("has " + std::to_string(rows.rows()) + " rows for " + std::to_string(contacts) + " contacts", field,
              "give one row per contact, or none at all");
}

// Rows against turning. A coefficient without a row to act along would be dropped in silence.
Checked check_turning(const ContactProblem& problem) {
  const Index n = problem.size();
  const struct {
    const BlockRows& rows;
    const char* name;
  } families[] = {{problem.spin, "spin"}, {problem.roll_s, "roll_s"}, {problem.roll_t, "roll_t"}};
  for (const auto& [rows, name] : families) {
    if (rows.rows() == 0) continue;
    TRIBO_CHECK(check_rows(rows, problem.mass.layout(), name));
    TRIBO_CHECK(check_tangents(rows, name, n));
    if (problem.T.rows() == 0) {
      return fail("has rows although T has none: in the plane nothing spins", name,
                  "give the tangents S and T as well");
    }
  }
  if (problem.roll_s.rows() != problem.roll_t.rows()) {
    return fail("one has rows and the other has none", "roll_s, roll_t", "give both, or neither");
  }
  for (Index i = 0; i < n; ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    if (!(contact.mu_spin > 0.0) && !(contact.mu_roll > 0.0)) continue;
    const std::string where = "contact " + std::to_string(i);
    const char* remedy = "give the rows of the relative angular velocity, or the coefficient 0";
    if (contact.mu_spin > 0.0 && problem.spin.rows() == 0) {
      return fail("mu_spin is positive but there are no rows spin", where, remedy);
    }
    if (contact.mu_roll > 0.0 && problem.roll_s.rows() == 0) {
      return fail("mu_roll is positive but there are no rows roll_s and roll_t", where, remedy);
    }
  }
  return ok();
}

// A limit stops a motion along its normal row and nothing else.
Checked check_limits(const ContactProblem& problem) {
  const std::pair<const BlockRows&, const char*> families[] = {{problem.S, "S"},
                                                               {problem.T, "T"},
                                                               {problem.spin, "spin"},
                                                               {problem.roll_s, "roll_s"},
                                                               {problem.roll_t, "roll_t"}};
  for (Index i = 0; i < problem.size(); ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    if (contact.kind != RowKind::kLimit) continue;
    if (contact.mu > 0.0 || contact.mu_v > 0.0 || contact.friction_bound > 0.0 || contact.impact_damping > 0.0 ||
        contact.mu_spin > 0.0 || contact.mu_roll > 0.0) {
      return fail("is a limit and has friction", "contact " + std::to_string(i),
                  "give coefficients of 0, or the kind contact");
    }
    for (const auto& [rows, name] : families) {
      if (rows.rows() == 0) continue;
      for (const BlockRows::Segment& part : rows.row(i)) {
        if (std::all_of(part.values.begin(), part.values.end(), [](double x) { return x == 0.0; })) continue;
        return fail("is not zero, and contact " + std::to_string(i) + " is a limit",
                    std::string(name) + ", row " + std::to_string(i), "give a row of zeros, or the kind contact");
      }
    }
  }
  return ok();
}

Checked check_dry_friction(const ContactProblem& problem) {
  TRIBO_CHECK(check_vector(problem.bound, "bound", problem.dry(), "one bound per row of D"));
  if (problem.dry() == 0) return ok();
  if (problem.level == Level::kAcceleration) {
    return fail("has rows at acceleration level", "D", "use velocity level, or leave dry friction out");
  }
  TRIBO_CHECK(check_rows(problem.D, problem.mass.layout(), "D"));
  for (Index i = 0; i < problem.dry(); ++i) {
    if (problem.bound(i) >= 0.0 && std::isfinite(problem.bound(i))) continue;  // without making texts
    TRIBO_CHECK(check_non_negative(problem.bound(i), "bound", "row " + std::to_string(i) + " of D",
                                   "give a bound >= 0 in N·s or N·m·s"));
  }
  return ok();
}

}  // namespace

Checked validate(const ContactProblem& problem) {
  const Index n = problem.size();
  if (!(std::isfinite(problem.h) && problem.h > 0.0)) {
    return fail("is not a positive time (" + number_text(problem.h) + ")", "h", "give a step > 0 in seconds");
  }
  const BlockLayout& layout = problem.mass.layout();
  const BlockCholesky* factor = problem.mass.factor();
  for (Index i = 0; i < problem.mass.blocks(); ++i) {
    const MatrixXd& block = problem.mass.block(i);
    if (factor != nullptr ? is_spd(block, factor->block(i)) : is_spd(block)) continue;
    TRIBO_CHECK(check_spd(problem.mass.block(i), "M", layout.start(i), "M, block " + std::to_string(i)));
  }
  TRIBO_CHECK(check_vector(problem.v, "v", problem.dof(), "one velocity per degree of freedom"));
  TRIBO_CHECK(check_vector(problem.f, "f", problem.dof(), "one force per degree of freedom"));
  TRIBO_CHECK(check_rows(problem.J, layout, "J"));
  TRIBO_CHECK(check_rows(problem.N, layout, "N"));
  TRIBO_CHECK(check_rows(problem.S, layout, "S"));
  TRIBO_CHECK(check_rows(problem.T, layout, "T"));
  TRIBO_CHECK(check_tangents(problem.S, "S", n));
  TRIBO_CHECK(check_tangents(problem.T, "T", n));
  if (problem.T.rows() > 0 && problem.S.rows() == 0) {
    return fail("has rows although S has none", "T", "give the first tangents as S");
  }
  TRIBO_CHECK(check_vector(problem.b_J, "b_J", problem.bilateral(), "one entry per row of J"));
  TRIBO_CHECK(check_vector(problem.a_J, "a_J", problem.bilateral(), "one entry per row of J"));
  TRIBO_CHECK(check_vector(problem.b_N, "b_N", n, "one entry per row of N"));
  TRIBO_CHECK(check_vector(problem.a_N, "a_N", n, "one entry per row of N"));
  if (static_cast<Index>(problem.contacts.size()) != n) {
    return fail("has " + std::to_string(problem.contacts.size()) + " entries instead of " + std::to_string(n),
                "contacts", "give one entry per row of N");
  }
  for (Index i = 0; i < n; ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    if (is_sound(contact)) continue;
    TRIBO_CHECK(check_contact(contact, i));
  }
  TRIBO_CHECK(check_limits(problem));
  TRIBO_CHECK(check_dry_friction(problem));
  return check_turning(problem);
}

}  // namespace tribo
