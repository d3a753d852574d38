#include "certify/contact_terms.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tribo {

namespace {

VectorXd row_norms(const BlockRows& rows, const BlockCholesky& factor) {
  VectorXd norms(rows.rows()), part;
  for (Index i = 0; i < rows.rows(); ++i) {
    double squared = 0.0;
    for (const BlockRows::Segment& segment : rows.row(i)) {
      if (segment.block < 0) continue;
      part = Eigen::Map<const VectorXd>(segment.values.data(), static_cast<Index>(segment.values.size()));
      factor.block(segment.block).triangularView<Eigen::Lower>().solveInPlace(part);
      squared += part.squaredNorm();
    }
    norms(i) = std::sqrt(squared);
  }
  return norms;
}

// f − Sᵀ mu_v S v − Tᵀ mu_v T v (spec A.4).
VectorXd viscous_force(const ContactProblem& problem) {
  VectorXd force = problem.f;
  for (const BlockRows* rows : {&problem.S, &problem.T}) {
    for (Index i = 0; i < rows->rows(); ++i) {
      const double mu_v = problem.contacts[static_cast<std::size_t>(i)].mu_v;
      if (mu_v != 0.0) rows->add_scaled(i, -mu_v * rows->dot(i, problem.v), force);
    }
  }
  return force;
}

// The velocities that us is made of: v and u0, at acceleration level M⁻¹ f without and with the viscous force.
std::array<VectorXd, 2> scale_velocities(const ContactProblem& problem, const BlockCholesky& factor) {
  VectorXd u0 = problem.f;
  factor.solve(u0);
  if (problem.level == Level::kVelocity) return {problem.v, problem.v + problem.h * u0};
  VectorXd damped = viscous_force(problem);
  factor.solve(damped);
  return {u0, damped};
}

// The speed an offset asks for. A normal row with b > 0, a gap, asks for none: it only lets bodies approach, and taken as a
// scale it would excuse every other row.
double asked_speed(double offset, double norm, bool normal) {
  if (!(norm > 0.0) || (normal && offset > 0.0)) return 0.0;
  return std::abs(offset) / norm;
}

void grow(double& speed, const VectorXd& offset, const VectorXd& norm, bool normal) {
  for (Index i = 0; i < offset.size(); ++i) speed = std::max(speed, asked_speed(offset(i), norm(i), normal));
}

bool rows_fit(const BlockRows& rows, const ContactProblem& problem) {
  return rows.rows() == 0 || rows.layout() == problem.mass.layout();
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

void ContactTerms::include(const VectorXd& velocity) { speed = std::max(speed, mass_norm(velocity)); }

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
         rows_fit(problem.N, problem) && rows_fit(problem.J, problem);
}

std::optional<ContactTerms> calc_terms(const ContactProblem& problem) {
  Expected<BlockCholesky> factor = BlockCholesky::factor(problem.mass);
  if (!factor) return std::nullopt;
  ContactTerms terms{problem, std::move(factor).value(), {}, {}, {}, {}, {}, {}, {}, {}, {}, 0.0};
  terms.norm_N = row_norms(problem.N, terms.factor);
  terms.norm_S = row_norms(problem.S, terms.factor);
  terms.norm_T = row_norms(problem.T, terms.factor);
  terms.norm_J = row_norms(problem.J, terms.factor);
  terms.norm_spin = row_norms(problem.spin, terms.factor);
  terms.norm_roll_s = row_norms(problem.roll_s, terms.factor);
  terms.norm_roll_t = row_norms(problem.roll_t, terms.factor);
  terms.offset_N = terms.acceleration() ? problem.a_N : problem.b_N;
  terms.offset_J = terms.acceleration() ? problem.a_J : problem.b_J;
  for (const VectorXd& velocity : scale_velocities(problem, terms.factor)) terms.include(velocity);
  grow(terms.speed, terms.offset_N, terms.norm_N, true);
  grow(terms.speed, terms.offset_J, terms.norm_J, false);
  return terms;
}

double local_speed(const ContactTerms& terms, const std::vector<bool>& blocks) {
  const BlockLayout& layout = terms.problem.mass.layout();
  double speed = 0.0;
  for (VectorXd velocity : scale_velocities(terms.problem, terms.factor)) {
    for (Index b = 0; b < layout.blocks(); ++b) {
      if (!blocks[static_cast<std::size_t>(b)]) velocity.segment(layout.start(b), layout.size(b)).setZero();
    }
    speed = std::max(speed, terms.mass_norm(velocity));
  }
  const auto grow_by = [&](const BlockRows& rows, const VectorXd& offset, const VectorXd& norm, bool normal) {
    for (Index i = 0; i < offset.size(); ++i) {
      bool near = false;
      for (const BlockRows::Segment& part : rows.row(i)) {
        near = near || (part.block >= 0 && blocks[static_cast<std::size_t>(part.block)]);
      }
      if (near) speed = std::max(speed, asked_speed(offset(i), norm(i), normal));
    }
  };
  grow_by(terms.problem.N, terms.offset_N, terms.norm_N, true);
  grow_by(terms.problem.J, terms.offset_J, terms.norm_J, false);
  return speed;
}

double accurate_row(const BlockRows& rows, Index i, const VectorIn& x, double offset) {
  AccurateSum sum(offset);
  for (const BlockRows::Segment& segment : rows.row(i)) {
    if (segment.block < 0) continue;
    const Index start = rows.layout().start(segment.block);
    for (std::size_t k = 0; k < segment.values.size(); ++k) {
      sum.add_product(segment.values[k], x(start + static_cast<Index>(k)));
    }
  }
  return sum.value();
}

void add_mass_product(MomentumSums& sums, const BlockDiagonal& mass, double sign, const VectorIn& x) {
  for (Index b = 0; b < mass.blocks(); ++b) {
    const Index start = mass.layout().start(b);
    const MatrixXd& block = mass.block(b);
    for (Index i = 0; i < block.rows(); ++i) {
      for (Index j = 0; j < block.cols(); ++j) {
        sums[static_cast<std::size_t>(start + i)].add_product(sign * block(i, j), x(start + j));
      }
    }
  }
}

void add_rows_transposed(MomentumSums& sums, const BlockRows& rows, double sign, const VectorIn& f) {
  for (Index i = 0; i < rows.rows(); ++i) {
    if (f(i) == 0.0) continue;
    for (const BlockRows::Segment& segment : rows.row(i)) {
      if (segment.block < 0) continue;
      const Index start = rows.layout().start(segment.block);
      for (std::size_t k = 0; k < segment.values.size(); ++k) {
        sums[static_cast<std::size_t>(start) + k].add_product(sign * segment.values[k], f(i));
      }
    }
  }
}

VectorXd values(const MomentumSums& sums) {
  VectorXd result(static_cast<Index>(sums.size()));
  for (std::size_t i = 0; i < sums.size(); ++i) result(static_cast<Index>(i)) = sums[i].value();
  return result;
}

}  // namespace tribo
