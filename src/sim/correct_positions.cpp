// Positions alone, after the step:  minimize ½ dqᵀ M dq  such that  N dq ≥ −(gap + allowed)  and
// J dq = −g. Velocities stay what they are, so no kinetic energy comes from it.
// Contacts are where they are at the beginning: a correction must be small against the shapes, or it opens what is listed and closes
// what is not. A contact asks for a small part of its shapes' size at most, and bodies that still turn far (jammed between contacts
// that lie close together) go a part of the way: with dq also t dq, 0 < t ≤ 1, makes no contact deeper.
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "sim/implementation.hpp"

namespace tribo {

namespace {

constexpr double kMostOfSize = 1e-2;     // of the smaller shape, per step and contact
constexpr double kMostCorrected = 2e-2;  // rad per step
constexpr double kLimitShare = 0.5;      // of a limit that is passed, per step

double calc_largest_turn(const Model& model, const VectorXd& dq) {
  double largest = 0.0;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Index at = model.v_start(static_cast<Index>(j));
    switch (model.joints()[j].type) {
      case JointType::kFree:
        largest = std::max(largest, dq.segment<3>(at + 3).norm());
        break;
      case JointType::kBall:
        largest = std::max(largest, dq.segment<3>(at).norm());
        break;
      case JointType::kHinge:
        largest = std::max(largest, std::abs(dq(at)));
        break;
      case JointType::kPlanar:
        largest = std::max(largest, std::abs(dq(at + 2)));
        break;
      case JointType::kSlide:
        break;
    }
  }
  return largest;
}

// A contact between bodies that turn leaves the plane that the step kept it to by (h v_t)² over the size of the bodies.
bool may_overlap(const ContactRecord& record, const CollisionModel& collision, double h, double allowed) {
  if (-record.gap > allowed) return true;
  if (record.shape_a < 0 || !(record.impulse(2) > 0.0)) return false;
  const double size = std::min(collision.radius(record.shape_a), collision.radius(record.shape_b));
  return h * h * record.velocity.head<2>().squaredNorm() > allowed * size;
}

}  // namespace

void Simulation::Implementation::correct_positions() {
  // What the step itself failed of, if it did, is told first.
  const auto give_up = [&](const std::string& why) {
    report.fallback = true;
    report.corrected = false;
    report.detail += (report.detail.empty() ? "" : "; ") + ("positions could not be corrected: " + why);
  };
  double loop_error = 0.0;
  const bool loops = !model.description().equalities.empty();
  if (loops) {
    calc_positions(model, state, data);
    calc_velocities(model, state, data);
    EqualityRows rows;
    calc_equalities(model, state, data, rows);
    for (const double g : rows.error) loop_error = std::max(loop_error, std::abs(g));
  }
  report.loop_error = loop_error;
  // Bodies that overlapped before the step, or turned about a contact in it, may overlap now. Where nothing slides fast, a contact
  // that the step itself closes does not overlap.
  bool look = false, needed = loop_error > options.loop_tolerance;
  for (const ContactRecord& record : records) {
    look = look || (!options.compliant && may_overlap(record, collision, h, options.allowed_overlap));
    needed = needed || (record.shape_a < 0 && -record.gap > options.allowed_overlap);
  }
  if (look) {
    calc_positions(model, state, data);
    collide();
    if (static_cast<Index>(found.size()) > options.most_contacts) {
      give_up("more contacts than SimulationOptions::most_contacts");
      return;
    }
    for (const FoundContact& contact : found) needed = needed || -contact.gap > options.allowed_overlap;
  }
  if (!needed) return;
  // Positions move, time does not: what is welded to a body that is moved by hand is not carried along.
  carried = state.kinematic;
  for (KinematicState& motion : state.kinematic) motion.velocity = motion.angular_velocity = Vector3d::Zero();
  calc_dynamics(model, state, data);
  ContactProblem moves;
  AssemblyOptions plain = assembly;
  plain.h = 1.0;
  plain.implicit = plain.dry_friction = plain.turning = false;
  plain.loop_share = 1.0;
  plain.limit_share = kLimitShare;
  plain.reach_speed = 1e-2;
  assembler.begin(state, data, control, applied, plain, moves);
  if (look) {
    const std::vector<Geom>& geoms = model.description().geoms;
    for (const FoundContact& contact : found) {
      ContactPoint point;
      point.body_a = geoms[contact.shape_a].body;
      point.body_b = geoms[contact.shape_b].body;
      point.point = contact.point;
      point.frame.col(2) = contact.normal;
      point.frame.col(0) = contact.normal.unitOrthogonal();
      point.frame.col(1) = contact.normal.cross(point.frame.col(0));
      point.gap = contact.gap;
      const double room = contact.gap + options.allowed_overlap;
      const double most = kMostOfSize * std::min(collision.radius(contact.shape_a), collision.radius(contact.shape_b));
      assembler.add(data, point, Contact{}, std::max(room, -most), moves);
    }
  }
  assembler.end(moves);
  std::swap(carried, state.kinematic);
  moves.v.setZero();
  moves.f.setZero();
  if (const Checked valid = validate(moves); !valid) {
    give_up(valid.error().where + ": " + valid.error().what);
    return;
  }
  SolveOptions solve_options;
  solve_options.relax = true;
  solve_options.tolerance = 1e-6;
  const ContactAnswer answer = tribo::solve(moves, Frictionless{}, solve_options);
  if (!is_solved(answer.status)) {
    give_up(std::string(answer.report.detail));
    return;
  }
  VectorXd dq = answer.v_next.head(model.nv());
  if (const double turn = calc_largest_turn(model, dq); look && turn > kMostCorrected) dq *= kMostCorrected / turn;
  report.correction = dq.size() > 0 ? dq.cwiseAbs().maxCoeff() : 0.0;
  integrate(model, dq, 1.0, state.q);
  if (!loops) return;
  calc_positions(model, state, data);
  calc_velocities(model, state, data);
  EqualityRows rows;
  calc_equalities(model, state, data, rows);
  report.loop_error = 0.0;
  for (const double g : rows.error) report.loop_error = std::max(report.loop_error, std::abs(g));
}

}  // namespace tribo
