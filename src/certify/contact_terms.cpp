#include "certify/contact_terms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tribo {

namespace {

bool rows_fit(const BlockRows& rows, const ContactProblem& problem) {
  return rows.rows() == 0 || rows.layout() == problem.mass.layout();
}

// The speed an offset asks for. A normal row with b > 0, a gap, asks for none: it only lets bodies approach, and taken as a
// scale it would excuse every other row.
double asked_speed(double offset, double norm, bool normal) {
  if (!(norm > 0.0) || (normal && offset > 0.0)) return 0.0;
  return std::abs(offset) / norm;
}

// f − Sᵀ mu_v S v − Tᵀ mu_v T v (spec A.4).
void add_viscous_force(const ContactProblem& problem, VectorXd& force) {
  for (const BlockRows* rows : {&problem.S, &problem.T}) {
    for (Index i = 0; i < rows->rows(); ++i) {
      const double mu_v = problem.contacts[static_cast<std::size_t>(i)].mu_v;
      if (mu_v != 0.0) rows->add_scaled(i, -mu_v * rows->dot(i, problem.v), force);
    }
  }
}

// The velocities that us is made of: v and u0, at acceleration level M⁻¹ f without and with the viscous force. Each is
// handed to `visit` in turn.
template <typename Visit>
void for_scale_velocities(const ContactProblem& problem, const BlockCholesky& factor, VectorXd& u0, Visit visit) {
  u0 = problem.f;
  if (problem.level == Level::kVelocity) {
    visit(problem.v);
    factor.solve(u0);
    u0 = problem.v + problem.h * u0;
    visit(u0);
    return;
  }
  factor.solve(u0);
  visit(u0);
  u0 = problem.f;
  add_viscous_force(problem, u0);
  factor.solve(u0);
  visit(u0);
}

// The speeds that the offsets ask for.
void include_offsets(ContactTerms& terms) {
  const auto grow = [&](const VectorXd& offset, const VectorXd& norm, bool normal, const IndexList* island) {
    for (Index i = 0; i < offset.size(); ++i) {
      double& speed = island == nullptr ? terms.speed : terms.island_speed((*island)[static_cast<std::size_t>(i)]);
      speed = std::max(speed, asked_speed(offset(i), norm(i), normal));
    }
  };
  grow(terms.offset_N(), terms.norm_N, true, terms.islands == nullptr ? nullptr : &terms.islands->of_contact);
  grow(terms.offset_J(), terms.norm_J, false, terms.islands == nullptr ? nullptr : &terms.islands->of_bilateral);
}

}  // namespace

double ContactTerms::mass_norm(VectorXd velocity) const {
  factor.whiten_velocity(velocity);
  return velocity.norm();
}

double ContactTerms::inverse_mass_norm(VectorXd impulse) const {
  factor.whiten_force(impulse);
  return impulse.norm();
}

void ContactTerms::include(const VectorXd& velocity) {
  whitened = velocity;
  factor.whiten_velocity(whitened);
  if (islands == nullptr) {
    speed = std::max(speed, whitened.norm());
    return;
  }
  const BlockLayout& layout = factor.layout();
  local.setZero(islands->islands);
  for (Index b = 0; b < layout.blocks(); ++b) {
    local(island_of_block(b)) += whitened.segment(layout.start(b), layout.size(b)).squaredNorm();
  }
  for (Index k = 0; k < islands->islands; ++k) island_speed(k) = std::max(island_speed(k), std::sqrt(local(k)));
}

bool shapes_fit(const ContactProblem& problem) {
  const Index n = problem.size();
  const bool acceleration = problem.level == Level::kAcceleration;
  const VectorXd& offset_N = acceleration ? problem.a_N : problem.b_N;
  const VectorXd& offset_J = acceleration ? problem.a_J : problem.b_J;
  for (const BlockRows* rows : {&problem.S, &problem.T, &problem.spin, &problem.roll_s, &problem.roll_t}) {
    if ((rows->rows() != 0 && rows->rows() != n) || !rows_fit(*rows, problem)) return false;
  }
  return problem.v.size() == problem.dof() && problem.f.size() == problem.dof() && offset_N.size() == n &&
         offset_J.size() == problem.J.rows() && static_cast<Index>(problem.contacts.size()) == n &&
         problem.T.rows() <= problem.S.rows() && problem.roll_s.rows() == problem.roll_t.rows() &&
         problem.bound.size() == problem.D.rows() && rows_fit(problem.N, problem) && rows_fit(problem.J, problem) &&
         rows_fit(problem.D, problem);
}

bool calc_terms(const ContactProblem& problem, const IslandMap* islands, ContactTerms& terms) {
  terms.problem = &problem;
  terms.islands = islands;
  if (!terms.factor.assign(problem.mass)) return false;
  row_norms(problem, terms);
  terms.speed = 0.0;
  terms.island_speed.setZero(islands == nullptr ? 0 : islands->islands);
  for_scale_velocities(problem, terms.factor, terms.u0, [&](const VectorXd& velocity) { terms.include(velocity); });
  include_offsets(terms);
  return true;
}

std::optional<ContactTerms> calc_terms(const ContactProblem& problem) {
  std::optional<ContactTerms> terms(std::in_place);
  if (!calc_terms(problem, nullptr, *terms)) terms.reset();
  return terms;
}

double local_speed(ContactTerms& terms, const std::vector<bool>& blocks) {
  const BlockLayout& layout = terms.problem->mass.layout();
  double speed = 0.0;
  for_scale_velocities(*terms.problem, terms.factor, terms.u0, [&](VectorXd velocity) {
    for (Index b = 0; b < layout.blocks(); ++b) {
      if (!blocks[static_cast<std::size_t>(b)]) velocity.segment(layout.start(b), layout.size(b)).setZero();
    }
    speed = std::max(speed, terms.mass_norm(std::move(velocity)));
  });
  const auto grow_by = [&](const BlockRows& rows, const VectorXd& offset, const VectorXd& norm, bool normal) {
    for (Index i = 0; i < offset.size(); ++i) {
      bool near = false;
      for (const BlockRows::Segment& part : rows.row(i)) {
        near = near || (part.block >= 0 && blocks[static_cast<std::size_t>(part.block)]);
      }
      if (near) speed = std::max(speed, asked_speed(offset(i), norm(i), normal));
    }
  };
  grow_by(terms.problem->N, terms.offset_N(), terms.norm_N, true);
  grow_by(terms.problem->J, terms.offset_J(), terms.norm_J, false);
  return speed;
}

}  // namespace tribo
