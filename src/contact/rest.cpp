#include "contact/rest.hpp"

#include <algorithm>

namespace tribo {

namespace {

// Of what the forces of a step do to a body: slow enough to be solved to the last digit; the second, where all have been at rest.
constexpr double kNearRest = 1e-5, kFromRest = 1e-3;
// Certificate that impulses found while something moved must have to hold what rests now: they balance a little less well.
constexpr double kHoldsTolerance = 1e-13;

enum class Unit { kVelocity, kImpulse };

// Whether x (velocities: weighed by M; impulses: by 1/M) is within the tolerance of what its own forces do to each body in a step.
template <Unit unit>
bool is_negligible(const ContactProblem& problem, const VectorXd& x, double tolerance) {
  const BlockLayout& layout = problem.mass.layout();
  const auto calc_gain = [&](Index b) {
    double gain = 0.0;
    for (Index k = 0; k < layout.size(b); ++k) {
      const double p = problem.h * problem.f(layout.start(b) + k);
      gain = std::max(gain, p * p / problem.mass.block(b)(k, k));
    }
    return gain;
  };
  double largest = 0.0;  // for bodies on which contacts alone act
  for (Index b = 0; b < layout.blocks(); ++b) largest = std::max(largest, calc_gain(b));
  for (Index b = 0; b < layout.blocks(); ++b) {
    const double own = calc_gain(b), gain = own > 0.0 ? own : largest;
    for (Index k = 0; k < layout.size(b); ++k) {
      const double m = problem.mass.block(b)(k, k), value = x(layout.start(b) + k);
      if (!(value * value * (unit == Unit::kVelocity ? m : 1.0 / m) <= tolerance * tolerance * gain)) return false;
    }
  }
  return true;
}

// h f + Nᵀ f_n + …: the momentum that a body at rest would gain.
void calc_unbalanced(const ContactProblem& problem, const ContactSolution& answer, VectorXd& p) {
  p = problem.h * problem.f;
  const auto add = [&](const BlockRows& rows, const VectorXd& f) {
    for (Index i = 0; i < f.size(); ++i) {
      if (f(i) != 0.0) rows.add_scaled(i, f(i), p);
    }
  };
  add(problem.J, answer.f_j);
  add(problem.D, answer.f_d);
  add(problem.N, answer.f_n);
  add(problem.S, answer.f_s);
  add(problem.T, answer.f_t);
  add(problem.spin, answer.f_spin);
  add(problem.roll_s, answer.f_roll_s);
  add(problem.roll_t, answer.f_roll_t);
}

}  // namespace

bool is_nearly_at_rest(const ContactProblem& problem, const VectorXd& v_next, double tolerance) {
  const double slow = problem.v.isZero(0.0) ? kFromRest : kNearRest;
  return is_negligible<Unit::kVelocity>(problem, v_next, slow) &&
         !is_negligible<Unit::kVelocity>(problem, v_next, tolerance);
}

// v⁺ = 0 with the impulses of `out`; where its certificate does not pass, v⁺ stays as it was.
bool RestRule::certifies(const ContactProblem& problem, const ContactModel& model, double tolerance,
                         ContactCertifier& certifier, ContactSolution& out) {
  v_next_ = out.v_next;
  out.v_next.setZero(problem.dof());
  certificate_ = &certifier.island(problem, model, out);
  if (certificate_->passes(tolerance)) return true;
  out.v_next = v_next_;
  return false;
}

bool RestRule::holds(const ContactProblem& problem, const ContactModel& model, const StartValues& start,
                     double tolerance, ContactCertifier& certifier, ContactSolution& out) {
  if (start.impulses.f_n.size() != problem.size() || start.impulses.f_d.size() != problem.dry() ||
      !problem.v.isZero(0.0)) {
    return false;
  }
  for (VectorXd ContactSolution::*f :
       {&ContactSolution::f_n, &ContactSolution::f_s, &ContactSolution::f_t, &ContactSolution::f_spin,
        &ContactSolution::f_roll_s, &ContactSolution::f_roll_t, &ContactSolution::f_j, &ContactSolution::f_d})
    out.*f = start.impulses.*f;
  out.y_n.resize(0);
  out.y_e.resize(0);
  calc_unbalanced(problem, out, unbalanced_);
  return is_negligible<Unit::kImpulse>(problem, unbalanced_, tolerance) &&
         certifies(
             problem, model,
             start.was_found_at_rest(problem.size() + problem.dry()) ? tolerance : std::min(tolerance, kHoldsTolerance),
             certifier, out);
}

bool RestRule::brings_to_rest(const ContactProblem& problem, const ContactModel& model, double tolerance,
                              ContactCertifier& certifier, ContactSolution& out) {
  return out.v_next.size() == problem.dof() && is_negligible<Unit::kVelocity>(problem, out.v_next, tolerance) &&
         certifies(problem, model, tolerance, certifier, out);
}

}  // namespace tribo
