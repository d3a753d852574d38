#include "sim/assemble.hpp"

#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <variant>

#include "sim/shapes.hpp"

namespace tribo {

namespace {

// s, t, n: s turns with n alone, so that the same contact has the same axes from step to step.
Matrix3d make_frame(const Vector3d& n) {
  const Vector3d away = std::abs(n.x()) < 0.7 ? Vector3d::UnitX() : Vector3d::UnitY();
  Matrix3d frame;
  frame.col(0) = (away - away.dot(n) * n).normalized();
  frame.col(1) = n.cross(frame.col(0));
  frame.col(2) = n;
  return frame;
}

using Contacts = std::span<const FoundContact>;

// Where the tangents of a no-slip contact act. A contact is placed halfway between two surfaces, so the contacts of two
// flat faces lie in one plane up to their gaps alone, and tangents of points that are not coplanar hold the faces
// against every turn: at 1e-9 m with 1e8 times the load, and also while a body tips over an edge. All contacts of a
// pair with the same normal are therefore moved along it into the plane of the nearest one, about which the body turns.
// That leaves their rows N as they are.
Vector3d place_in_plane(const FoundContact& contact, Contacts pair) {
  const FoundContact* nearest = &contact;
  for (const FoundContact& other : pair) {
    if (other.normal == contact.normal && other.gap < nearest->gap) nearest = &other;
  }
  return contact.point + contact.normal.dot(nearest->point - contact.point) * contact.normal;
}

}  // namespace

const AssembleStage::PairLaw& AssembleStage::law_of(Index a, Index b) {
  while (next_ < last_pairs_.size() && std::tie(last_pairs_[next_].a, last_pairs_[next_].b) < std::tie(a, b)) ++next_;
  if (next_ < last_pairs_.size() && last_pairs_[next_].a == a && last_pairs_[next_].b == b)
    return pairs_.emplace_back(last_pairs_[next_]);
  PairLaw& pair = pairs_.emplace_back();
  pair.a = a;
  pair.b = b;
  pair.law = calc_material(setup_.model, a, b, setup_.options.restitution);
  pair.rest_distance = setup_.rest_distance(a, b);
  if (!setup_.assembly.turning) pair.law.mu_spin = pair.law.mu_roll = 0.0;
  if (setup_.options.compliant) {
    pair.law.restitution = 0.0;
    pair.surface = combine_surfaces(setup_.model, a, b);
    pair.tangential_ratio = setup_.stiffness.tangential_ratio(a, b);
  }
  return pair;
}

// The springs and dampers of a compliant contact; `points`: how many the pair has.
void AssembleStage::apply_compliance(const FoundContact& contact, double gap, Index points, const PairLaw& pair,
                                     Contact& law, RowLaw& row, double& offset) const {
  const double h = setup_.h;
  const LawRow spring = setup_.stiffness.at(contact.shape_a, contact.shape_b, points, gap, pair.surface);
  const double slope = h * spring.K + spring.B;
  offset = std::max(spring.K * spring.phi / slope, -setup_.options.push_out_speed);
  law.compliance = 1.0 / (h * slope);
  law.tangential_compliance = law.compliance / pair.tangential_ratio;
  row.spring_share = h * spring.K / slope;
}

// Bodies that turn with ω change the speed of a point by ω² r, and of a normal that turns with them by ω u, in
// every second. Where the place or the normal of a contact jumps, N v may change by more: that is no motion.
double AssembleStage::calc_most_turn(const Data& data, const ContactPoint& point) const {
  const double turns = data.V[point.body_a].head<3>().norm() + data.V[point.body_b].head<3>().norm();
  if (turns == 0.0) return 0.0;
  double goes = 0.0;
  for (const Index body : {point.body_a, point.body_b})
    goes +=
        calc_velocity(data, body, point.point).linear.norm() + calc_velocity(data, body, data.p[body]).linear.norm();
  return setup_.h * turns * goes;
}

void AssembleStage::run(const AssembleInput& input, StepRows& rows) {
  const SimulationOptions& options = setup_.options;
  const StepTimes& times = rows.times;
  const bool no_slip = std::holds_alternative<NoSlip>(options.model);
  assembler_.drop_contacts(rows.problem);
  rows.contacts.clear();
  rows.laws.assign(static_cast<std::size_t>(rows.limits()), {});
  std::swap(pairs_, last_pairs_);
  pairs_.clear();
  next_ = 0;
  const auto end = input.contacts.end();
  for (auto first = input.contacts.begin(), last = first; first != end; first = last) {
    last = std::find_if(first, end, [&](const FoundContact& other) {
      return other.shape_a != first->shape_a || other.shape_b != first->shape_b;
    });
    const PairLaw& pair = law_of(first->shape_a, first->shape_b);
    for (auto contact = first; contact != last; ++contact) {
      const double gap = contact->gap - pair.rest_distance;
      ContactPoint point;
      point.body_a = setup_.geom(contact->shape_a).body;
      point.body_b = setup_.geom(contact->shape_b).body;
      point.point = no_slip ? place_in_plane(*contact, Contacts(first, last)) : contact->point;
      point.frame = make_frame(contact->normal);
      point.gap = gap;
      Contact law = pair.law;
      law.key = {contact->shape_a, contact->shape_b, contact->feature};
      RowLaw row;
      row.restitution = law.restitution;
      double offset = gap > options.touching
                          ? gap / times.of(setup_.block_of(point.body_a), setup_.block_of(point.body_b)).look()
                          : 0.0;
      if (options.compliant) apply_compliance(*contact, gap, last - first, pair, law, row, offset);
      assembler_.add(input.data, point, law, offset, rows.problem);
      ContactRecord& record = rows.contacts.emplace_back();
      record.shape_a = contact->shape_a;
      record.shape_b = contact->shape_b;
      record.feature = contact->feature;
      record.point = point.point;
      record.frame = point.frame;
      record.gap = gap;
      record.mu = law.mu;
      record.mu_spin = law.mu_spin;
      record.mu_roll = law.mu_roll;
      row.most_turn = calc_most_turn(input.data, point);
      rows.laws.push_back(row);
    }
  }
  assembler_.end(rows.problem);
  if (setup_.may_bounce) set_bounces(input.gain, rows);
}

// A bounce that the forces of the step lead on to the surface, which throws it back, and lead away from it, as on a
// parabola:
//     u² = c² − 2 a d,   u' = e u,   v⁺² − 2 a (gap + (1 − lead) h v⁺) = u'²
// c and d: approach and distance at the beginning of the step, a = N g/h. What arrives keeps e² of its energy, to
// rounding.
void AssembleStage::set_bounces(const VectorXd& gain, StepRows& rows) const {
  ContactProblem& problem = rows.problem;
  for (Index i = rows.limits(); i < problem.size(); ++i) {
    RowLaw& law = rows.laws[static_cast<std::size_t>(i)];
    const double e = law.restitution, gap = std::max(0.0, rows.gap(i));
    if (!(e > 0.0)) continue;
    const StepRule rule = rows.times.of(problem.N, i);
    const double rest = rule.rest(), closing = -problem.N.dot(i, problem.v);
    const double gained = gain.size() > 0 ? problem.N.dot(i, gain) : 0.0;  // by the forces of the whole step
    const double away = gained / rule.h, distance = std::max(0.0, gap + rule.lead * rule.h * closing);
    const double arrival = closing * closing - 2.0 * away * distance;
    if (!(arrival > setup_.bounce_speed * setup_.bounce_speed)) continue;
    if (gap < rest * (closing - gained)) {
      const double half = away * rest, square = half * half + 2.0 * away * gap + e * e * arrival;
      law.bounces = true;
      problem.b_N(i) = gap / rule.look();
      if (square > 0.0) problem.b_N(i) = std::min(problem.b_N(i), -(half + std::sqrt(square)));
    } else if (closing - gained > setup_.bounce_speed) {
      problem.b_N(i) =
          gap / rest;  // it may come as near as it likes: the next step begins where it touches (drift.hpp)
    }
  }
}

}  // namespace tribo
