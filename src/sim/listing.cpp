// What may touch within the step.
//     before the solve   how far a body goes with the velocity it has and what the forces of the step add: its reach
//     after it           contacts may have made it faster (a rod that is hit at one end swings its other end) or turned it aside.
//                        Where v⁺ takes a shape farther than its reach, pairs are listed again with that reach. If v⁺ would pass
//                        a contact that was not listed, or was left out as it was not closing, the step is solved again with it;
//                        otherwise v⁺ is the answer with those rows as well: they hold, and carry nothing.
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "sim/implementation.hpp"

namespace tribo {

namespace {

constexpr double kMostReach = 1e3;   // m per step: nothing that is faster is looked after
constexpr double kMostRadius = 1e3;  // m: of what turns; planes have none

bool is_before(const FoundContact& x, const FoundContact& y) {
  return std::tie(x.shape_a, x.shape_b, x.feature) < std::tie(y.shape_a, y.shape_b, y.feature);
}

}  // namespace

// What the forces of the step make of the speed of a body around a point, at most; gravity aside, which all bodies have.
double Simulation::Implementation::calc_gain(Index body, const Vector3d& point, double radius) const {
  double sum = 0.0;
  for (Index dof = driven && pushed.size() > 0 ? model.last_dof(body) : -1; dof >= 0; dof = model.parent_dof(dof)) {
    const Vector3d turn = data.S[dof].head<3>(), way = data.S[dof].tail<3>() + turn.cross(point - data.origin[body]);
    sum += (way.norm() + turn.norm() * radius) * std::abs(pushed(dof));
  }
  return sum;
}

// h M⁻¹ f, where there is more in f than weight.
void Simulation::Implementation::push() {
  driven = model.nu() > 0 || !applied.isZero(0.0);
  if (!driven || !mass_factor.assign(problem.mass)) return;
  pushed = h * problem.f;
  mass_factor.solve(pushed);
}

// How fast the two surfaces of a contact come nearer under the motions `V` of all bodies.
double Simulation::Implementation::calc_approach(const FoundContact& contact,
                                                 const std::vector<SpatialVector>& V) const {
  const std::vector<Geom>& geoms = model.description().geoms;
  const auto velocity_of = [&](Index body) -> Vector3d {
    const SpatialVector& motion = V[body];
    return motion.tail<3>() + motion.head<3>().cross(contact.point - data.origin[body]);
  };
  return contact.normal.dot(velocity_of(geoms[contact.shape_b].body) - velocity_of(geoms[contact.shape_a].body));
}

bool Simulation::Implementation::is_idle(const FoundContact& contact) const {
  const std::vector<Geom>& geoms = model.description().geoms;
  if (fixed[geoms[contact.shape_a].body] != 0 && fixed[geoms[contact.shape_b].body] != 0) return true;
  if (contact.gap <= options.margin) return false;
  const double approach = calc_approach(contact, data.V);
  return contact.gap - h * (approach + gain[contact.shape_a] + gain[contact.shape_b]) > options.margin;
}

// The way of a shape in the step beyond half the margin, under the motion `V` of its body and with `more` speed.
double Simulation::Implementation::calc_reach(Index shape, const SpatialVector& V, double more) const {
  const Vector3d turn = V.head<3>(), linear = V.tail<3>() + turn.cross(arms[shape]);
  const double speed = linear.norm() + turn.norm() * std::min(collision.radius(shape), kMostRadius) + more;
  return std::clamp(h * speed - 0.5 * options.margin, 0.0, kMostReach);
}

// What is fast must see farther than the margin, or it passes through what is thin.
void Simulation::Implementation::collide() {
  for (std::size_t b = 0; b < poses.size(); ++b) poses[b] = {data.p[b], data.quat[b]};
  const std::vector<Geom>& geoms = model.description().geoms;
  const double fall = h * model.description().gravity.norm();
  for (std::size_t s = 0; s < reach.size(); ++s) {
    const auto shape = static_cast<Index>(s);
    const Geom& geom = geoms[s];
    const Vector3d centre = poses[geom.body].p + poses[geom.body].q * geom.pose.p;
    arms[s] = centre - data.origin[geom.body];
    const double radius = std::min(collision.radius(shape), kMostRadius);
    gain[s] = fixed[geom.body] != 0 ? 0.0 : std::max(fall, calc_gain(geom.body, centre, radius));
    reach[s] = calc_reach(shape, data.V[geom.body], gain[s]);
  }
  collider.find(poses, options.margin, found, reach);
  idle.clear();
  std::erase_if(found, [&](const FoundContact& contact) {
    if (!is_idle(contact)) return false;
    if (fixed[geoms[contact.shape_a].body] == 0 || fixed[geoms[contact.shape_b].body] == 0) idle.push_back(contact);
    return true;
  });
}

// True: v⁺ would pass contacts that were not listed; now they are.
bool Simulation::Implementation::look_again(const VectorXd& v_next) {
  const std::vector<Geom>& geoms = model.description().geoms;
  for (Index b = 0; b < model.nb(); ++b) {  // the motions of a tree add up about its origin
    next_V[b] = data.V[b];
    if (fixed[b] != 0) continue;
    const Index parent = model.bodies()[b].parent;
    next_V[b] += next_V[parent] - data.V[parent];
    for (Index dof = model.last_dof(b); dof >= 0 && model.dof_body(dof) == b; dof = model.parent_dof(dof))
      next_V[b] += data.S[dof] * (v_next(dof) - problem.v(dof));
  }
  bool farther = false;
  for (std::size_t s = 0; s < reach.size(); ++s) {
    if (fixed[geoms[s].body] != 0) continue;
    const double way = calc_reach(static_cast<Index>(s), next_V[geoms[s].body], 0.0);
    if (!(way > reach[s] + options.allowed_overlap)) continue;
    reach[s] = way;
    farther = true;
  }
  const auto gap_after = [&](const FoundContact& contact) { return contact.gap - h * calc_approach(contact, next_V); };
  const auto is_passed = [&](const FoundContact& contact) { return gap_after(contact) < -options.allowed_overlap; };
  // What a contact turns aside is no faster, but goes where nothing was closing.
  if (!farther && std::none_of(idle.begin(), idle.end(), is_passed)) return false;
  collider.find(poses, options.margin, found_again, reach);
  // Only pairs that are passed are added: what is fast far away must not add rows here.
  const auto listed = static_cast<std::ptrdiff_t>(found.size());
  const auto is_new = [&](const FoundContact& contact) {
    return !std::binary_search(found.begin(), found.begin() + listed, contact, is_before);
  };
  for (auto first = found_again.begin(), last = first; first != found_again.end(); first = last) {
    last = std::find_if(first, found_again.end(), [&](const FoundContact& contact) {
      return contact.shape_a != first->shape_a || contact.shape_b != first->shape_b;
    });
    if (fixed[geoms[first->shape_a].body] != 0 && fixed[geoms[first->shape_b].body] != 0) continue;
    const bool passed =
        std::any_of(first, last, [&](const FoundContact& contact) { return is_passed(contact) && is_new(contact); });
    if (!passed) continue;
    std::copy_if(first, last, std::back_inserter(found), [&](const FoundContact& contact) {
      return is_new(contact) && (gap_after(contact) <= options.margin || !is_idle(contact));
    });
  }
  std::sort(found.begin(), found.end(), is_before);
  return std::ssize(found) > listed;
}

}  // namespace tribo
