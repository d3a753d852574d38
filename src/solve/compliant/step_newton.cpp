#include "solve/compliant/step_newton.hpp"

#include <algorithm>
#include <cmath>

#include "solve/compliant/line_search.hpp"
#include "solve/compliant/step_tolerance.hpp"

namespace tribo::compliant {
namespace {

constexpr int kPeriod = 25;  // full and shortened steps, in turn

}  // namespace

// Everything at its full size, so that no later iterate allocates.
void StepNewton::reserve(const StepRows& rows) {
  const Index n = rows.dof(), m = rows.rows();
  for (StepPoint* point : {&at_, &next_, &kept_, &marked_}) {
    point->u.resize(n);
    point->gamma.resize(m);
    point->sigma.resize(m);
  }
  for (VectorXd* x : {&y_, &law_}) x->resize(m);
  for (VectorXd* x : {&F_, &direction_}) x->resize(n);
  system_.reserve(rows);
  fresh_ = true;
}

void StepNewton::start(const StepRows& rows) {
  reserve(rows);
  at_.u.setZero(rows.dof());
  at_.gamma.setZero(rows.rows());
  at_.refined = false;
  rows.calc_rates(at_.u, at_.sigma);
}

void StepNewton::start(const StepRows& rows, Friction friction, const VectorXd& u, const VectorXd& impulses,
                       const std::vector<ContactState>& states) {
  reserve(rows);
  at_.u = u;
  at_.gamma = impulses;
  at_.refined = false;
  rows.calc_rates(at_.u, at_.sigma);
  const double* R = rows.R();
  for (Index i = 0; i < rows.rows(); ++i) at_.sigma(i) += R[i] * at_.gamma(i);
  for (const Unit& unit : rows.units()) {
    const double* gamma = at_.gamma.data() + unit.first;
    double* sigma = at_.sigma.data() + unit.first;
    const bool loaded = gamma[0] > 0.0;
    const auto contact = static_cast<std::size_t>(rows.source(unit.first).index);
    const bool sticks = loaded && unit.tangents > 0 && states[contact] == ContactState::kStick;
    const bool cone_slides = friction == Friction::kCone && unit.tangents > 0 && !sticks;
    if (unit.kind == UnitKind::kBilateral || (loaded && !cone_slides)) sigma[0] = 0.0;
    if (sticks) std::fill_n(sigma + 1, unit.tangents, 0.0);
  }
}

void StepNewton::calc_y(const StepRows& rows, double t) {
  const Index m = rows.rows();
  const double* R = rows.R();
  y_.resize(m);
  for (Index i = 0; i < m; ++i) {
    const double gamma = t == 0.0   ? at_.gamma(i)
                         : t == 1.0 ? next_.gamma(i)
                                    : (1.0 - t) * at_.gamma(i) + t * next_.gamma(i);
    const double sigma = t == 0.0   ? at_.sigma(i)
                         : t == 1.0 ? next_.sigma(i)
                                    : (1.0 - t) * at_.sigma(i) + t * next_.sigma(i);
    y_(i) = sigma == 0.0 ? gamma : gamma - sigma / R[i];
  }
}

bool StepNewton::solve_linearised(const StepRows& rows, Friction friction) {
  ++systems_;
  calc_y(rows, 0.0);
  return system_.solve(rows, friction, y_, at_.gamma, next_);
}

bool StepNewton::fulfils(const StepRows& rows, Friction friction, const StepPoint& point, double tolerance) {
  const double* R = rows.R();
  const double scale = calc_scale(rows, point);
  rows.calc_block_speeds(point.u, speeds_);
  for (const Unit& unit : rows.units()) {
    const Index i = unit.first;
    double noise = calc_noise(rows, i, scale), size = rows.size(i);
    for (int k = 1; k < unit.size(); ++k) {
      noise = std::max(noise, calc_noise(rows, i + k, scale));
      size = std::max(size, rows.size(i + k));
    }
    const double rounding = kImpulseDigits * std::max(scale, std::abs(point.gamma(i)) * size);
    const double allowed = std::max(tolerance * rows.speed(i, speeds_), rounding);
    const Violation off = calc_violation(unit, friction, point.gamma.data() + i, point.sigma.data() + i, noise);
    if (!(off.impulse * size <= allowed)) return false;
    if (off.rate <= (1.0 + (friction == Friction::kCone ? unit.mu : 0.0)) * noise) continue;
    if (!(off.rate * size <= allowed * R[i])) return false;
  }
  return true;
}

// next_ fulfils the laws, or both points nearly do and rounding allows no more. `near`: whether at_ does, where that is known;
// then whether next_ does.
bool StepNewton::is_end(const StepRows& rows, Friction friction, double tolerance, std::optional<bool>& near) {
  if (fulfils(rows, friction, next_, tolerance)) return true;
  const bool near_next = fulfils(rows, friction, next_, kAccepted);
  bool stays = near_next && (next_.u - at_.u).norm() <= kAccepted * calc_scale(rows, next_);
  if (stays) stays = near ? *near : fulfils(rows, friction, at_, kAccepted);
  near = near_next;
  return stays;
}

bool StepNewton::fulfils_coulomb(const StepRows& rows, double tolerance) {
  return fulfils(rows, Friction::kCoulomb, at_, tolerance);
}

double StepNewton::calc_F(const StepRows& rows, Friction friction, double t) {
  calc_y(rows, t);
  law_.resize(rows.rows());
  const double* R = rows.R();
  for (const Unit& unit : rows.units()) {
    apply_law(unit, friction, y_.data() + unit.first, R + unit.first, law_.data() + unit.first);
  }
  rows.calc_impulse(law_, F_);
  F_ = (1.0 - t) * at_.u + t * next_.u - F_;
  return F_.norm();
}

void StepNewton::move(double t) {
  if (t == 1.0) {
    std::swap(at_, next_);
  } else {
    at_.u = (1.0 - t) * at_.u + t * next_.u;
    at_.gamma = (1.0 - t) * at_.gamma + t * next_.gamma;
    at_.sigma = (1.0 - t) * at_.sigma + t * next_.sigma;
    at_.refined = at_.refined && next_.refined;
  }
  fresh_ = false;
}

// The step along a convex function: 1, or where its derivative F·d along the line is nearly zero, on the falling side.
double StepNewton::search_line(const StepRows& rows, Friction friction) {
  direction_ = next_.u - at_.u;
  const double scale = std::max({rows.momentum(), at_.u.norm(), next_.u.norm()});
  if (direction_.norm() <= 1e-10 * scale) return 1.0;  // rounding decides below
  calc_F(rows, friction, 0.0);
  const double slope = F_.dot(direction_);
  if (!(slope < 0.0)) return 1.0;
  calc_F(rows, friction, 1.0);
  const double right = F_.dot(direction_);
  if (!(right > -kFlat * slope)) return 1.0;
  return find_step(slope, right, [&](double t) {
    calc_F(rows, friction, t);
    return F_.dot(direction_);
  });
}

StepNewton::End StepNewton::solve_convex(const StepRows& rows, Friction friction, double tolerance, int max_iterations,
                                         int full_steps) {
  if (!rows.has_friction()) {
    friction = Friction::kDisc;
    full_steps = 0;
  }
  std::optional<bool> near;
  for (int k = 0; k < max_iterations; ++k) {
    if (!solve_linearised(rows, friction)) return End::kBreakdown;
    if (is_end(rows, friction, tolerance, near)) {
      move(1.0);
      return End::kSolved;
    }
    const double t = fresh_ || (k % kPeriod < full_steps) ? 1.0 : search_line(rows, friction);
    if (t != 1.0) near.reset();  // it is known of next_, not of a point on the way
    move(t);
  }
  return End::kIterationLimit;
}

StepNewton::End StepNewton::solve_coulomb(const StepRows& rows, double tolerance, int max_iterations) {
  constexpr int kHalvings = 12;
  std::optional<bool> near;
  for (int k = 0; k < max_iterations; ++k) {
    if (!solve_linearised(rows, Friction::kCoulomb)) return End::kIterationLimit;  // singular: Painlevé
    if (is_end(rows, Friction::kCoulomb, tolerance, near)) {
      move(1.0);
      return End::kSolved;
    }
    const double before = calc_F(rows, Friction::kCoulomb, 0.0);
    double t = 1.0;
    int halvings = 0;
    while (!(calc_F(rows, Friction::kCoulomb, t) <= (1.0 - 1e-4 * t) * before) && halvings < kHalvings) {
      t *= 0.5;
      ++halvings;
    }
    if (halvings == kHalvings) return End::kIterationLimit;
    if (halvings > 0) near.reset();
    move(t);
  }
  return End::kIterationLimit;
}

}  // namespace tribo::compliant
