#include "contact/compliant_bodies.hpp"

#include <cmath>

namespace tribo {

namespace {

constexpr double kInsideCone = 1.0 - 1e-9;  // what is further in sticks

void add_rows(const BlockRows& from, BlockRows& to) {
  for (Index i = 0; i < from.rows(); ++i) to.add_row(from.row(i)[0], from.row(i)[1]);
}

}  // namespace

bool as_contact_problem(const CompliantProblem& problem, ContactProblem& out) {
  const Index unilateral = problem.unilateral.rows(), n = problem.contacts();
  if (problem.bilateral.rows() > 0) return false;
  const bool friction = problem.r.rows() == n && n > 0, spatial = problem.s.rows() == n && n > 0;
  out = ContactProblem{};
  out.name = problem.name;
  out.h = problem.h;
  out.mass = problem.mass;
  out.v = problem.v;
  out.f = problem.f;
  const BlockLayout& layout = problem.mass.layout();
  out.J = out.N = out.S = out.T = BlockRows(layout);
  out.b_J = out.a_J = VectorXd(0);
  out.b_N.resize(unilateral + n);
  out.a_N.setZero(unilateral + n);
  out.contacts.resize(static_cast<std::size_t>(unilateral + n));
  add_rows(problem.unilateral.G, out.N);
  add_rows(problem.normal.G, out.N);
  for (Index i = 0; i < unilateral; ++i) {
    out.S.add_row({});
    if (spatial || !friction) out.T.add_row({});
  }
  for (Index i = 0; i < n; ++i) {
    if (!friction) out.S.add_row({});
    if (!friction) out.T.add_row({});
  }
  if (friction) add_rows(problem.r.G, out.S);
  if (spatial) add_rows(problem.s.G, out.T);
  for (Index i = 0; i < unilateral + n; ++i) {
    const bool own = i < unilateral;
    const Index k = own ? i : i - unilateral;
    Contact& contact = out.contacts[static_cast<std::size_t>(i)];
    const double scale = !own && problem.rate_scale.size() == n ? problem.rate_scale(k) : 1.0;
    const CompliantRow row = calc_row(own ? problem.unilateral : problem.normal, k, problem.h, problem.product, scale);
    if (!row.acts) return false;
    out.b_N(i) = row.offset;
    contact.compliance = row.compliance;
    contact.mu = own || !friction ? 0.0 : problem.mu(k);
    if (!(contact.mu > 0.0)) continue;
    const CompliantRow r = calc_row(problem.r, k, problem.h, problem.product);
    const CompliantRow s = spatial ? calc_row(problem.s, k, problem.h, problem.product) : r;
    if (!r.acts || !s.acts || r.offset != 0.0 || s.offset != 0.0 || r.compliance != s.compliance) return false;
    contact.tangential_compliance = r.compliance;
  }
  return true;
}

void lift_forces(const CompliantProblem& problem, const ContactSolution& impulses, CompliantSolution& out) {
  const Index unilateral = problem.unilateral.rows(), n = problem.contacts();
  out.v1 = impulses.v_next;
  out.lambda_b.resize(0);
  out.lambda_u = impulses.f_n.head(unilateral) / problem.h;
  out.lambda_n = impulses.f_n.tail(n) / problem.h;
  const auto tangent = [&](const CompliantRows& rows, const VectorXd& f) -> VectorXd {
    if (rows.rows() != n || f.size() != unilateral + n) return VectorXd::Zero(rows.rows());
    return f.tail(n) / problem.h;
  };
  out.lambda_r = tangent(problem.r, impulses.f_s);
  out.lambda_s = tangent(problem.s, impulses.f_t);
  out.states.resize(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const double along = out.lambda_r.size() == n ? out.lambda_r(i) : 0.0;
    const double across = out.lambda_s.size() == n ? out.lambda_s(i) : 0.0;
    const double mu = problem.mu.size() == n ? problem.mu(i) : 0.0;
    out.states[static_cast<std::size_t>(i)] = !(out.lambda_n(i) > 0.0) ? ContactState::kOpen
                                              : std::hypot(along, across) < kInsideCone * mu * out.lambda_n(i)
                                                  ? ContactState::kStick
                                                  : ContactState::kSlide;
  }
}

}  // namespace tribo
