#include "formulation/brake_pads.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

namespace {

// v² M + (h f)²/M of one degree of freedom, the largest: us² of (1).
double squared_speed(const ContactProblem& problem) {
  const BlockLayout& layout = problem.mass.layout();
  double largest = 0.0;
  for (Index b = 0; b < layout.blocks(); ++b) {
    for (Index k = 0; k < layout.size(b); ++k) {
      const Index at = layout.start(b) + k;
      const double mass = problem.mass.block(b)(k, k), push = problem.h * problem.f(at);
      largest = std::max({largest, mass * problem.v(at) * problem.v(at), push * push / mass});
    }
  }
  return largest;
}

// Σ D_k²/M_kk.
double squared_norm(const ContactProblem& problem, Index row) {
  double sum = 0.0;
  for (const BlockRows::Segment& part : problem.D.row(row)) {
    for (std::size_t k = 0; k < part.values.size(); ++k) {
      const auto at = static_cast<Index>(k);
      sum += part.values[k] * part.values[k] / problem.mass.block(part.block)(at, at);
    }
  }
  return sum;
}

double power_of_four(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent / 2 * 2);
}

void copy_rows(const BlockRows& from, BlockRows& to) {
  for (Index i = 0; i < from.rows(); ++i) {
    const auto parts = from.row(i);
    to.add_row(parts[0], parts[1]);
  }
}

}  // namespace

void BrakePads::set_mass(const ContactProblem& problem) {
  const BlockLayout& own = problem.mass.layout();
  layout_.clear();
  for (Index b = 0; b < own.blocks(); ++b) layout_.append(own.size(b));
  for (Index i = 0; i < problem.dry(); ++i) layout_.append(1);
  if (layout_ != padded_.mass.layout()) {
    padded_.mass = BlockDiagonal();
    for (Index b = 0; b < own.blocks(); ++b) padded_.mass.append(problem.mass.block(b));
    for (Index i = 0; i < problem.dry(); ++i) padded_.mass.append(MatrixXd::Identity(1, 1));
    for (BlockRows* rows : {&padded_.J, &padded_.N, &padded_.S, &padded_.T}) *rows = BlockRows(layout_);
  } else {
    for (Index b = 0; b < own.blocks(); ++b) padded_.mass.block(b) = problem.mass.block(b);
  }
  for (Index i = 0; i < problem.dry(); ++i)
    padded_.mass.block(own.blocks() + i)(0, 0) = mass_[static_cast<std::size_t>(i)];
}

const ContactProblem& BrakePads::update(const ContactProblem& problem) {
  constexpr double kMostTimes = 1e16;  // the mass of what it brakes: beyond, mu of the whitened problem leaves doubles
  const Index n = problem.size(), d = problem.dry(), m = problem.dof(), blocks = problem.mass.blocks();
  const double speed = squared_speed(problem);
  mass_.resize(static_cast<std::size_t>(d));
  for (Index i = 0; i < d; ++i) {
    const double norm = squared_norm(problem, i), bound = problem.bound(i);
    double mass = 1.0;
    if (norm > 0.0) mass = 1.0 / norm;
    if (speed > 0.0) mass = std::max(mass, std::min(bound * bound / speed, kMostTimes * mass));
    mass_[static_cast<std::size_t>(i)] = power_of_four(mass);
  }
  set_mass(problem);
  padded_.level = problem.level;
  padded_.h = problem.h;
  padded_.v.resize(m + d);
  padded_.v.head(m) = problem.v;
  padded_.f.setZero(m + d);
  padded_.f.head(m) = problem.f;
  padded_.b_N.setZero(n + d);
  padded_.b_N.head(n) = problem.b_N;
  padded_.a_N.setZero(n + d);
  padded_.b_J = problem.b_J;
  padded_.a_J = problem.a_J;
  for (BlockRows* rows : {&padded_.J, &padded_.N, &padded_.S, &padded_.T}) rows->clear();
  copy_rows(problem.J, padded_.J);
  copy_rows(problem.N, padded_.N);
  copy_rows(problem.S, padded_.S);
  copy_rows(problem.T, padded_.T);
  padded_.contacts.assign(problem.contacts.begin(), problem.contacts.end());
  Contact pad;
  pad.mu = 1.0;
  padded_.contacts.resize(static_cast<std::size_t>(n + d), pad);
  const double one = 1.0;
  for (Index i = 0; i < d; ++i) {
    const auto parts = problem.D.row(i);
    const bool moves = squared_norm(problem, i) > 0.0;  // a row of zeros brakes nothing
    padded_.v(m + i) = moves ? -problem.bound(i) / mass_[static_cast<std::size_t>(i)] : 0.0;
    padded_.N.add_row({blocks + i, {&one, 1}});
    padded_.S.add_row(parts[0], parts[1]);
    if (problem.T.rows() > 0) padded_.T.add_row({});
  }
  return padded_;
}

}  // namespace tribo
