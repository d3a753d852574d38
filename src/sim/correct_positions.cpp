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

double calc_turn(const Model& model, const VectorXd& dq, Index joint) {
  const Index at = model.v_start(joint);
  switch (model.joints()[joint].type) {
    case JointType::kFree:
      return dq.segment<3>(at + 3).norm();
    case JointType::kBall:
      return dq.segment<3>(at).norm();
    case JointType::kHinge:
      return std::abs(dq(at));
    case JointType::kPlanar:
      return std::abs(dq(at + 2));
    case JointType::kSlide:
      break;
  }
  return 0.0;
}

// A contact between bodies that turn leaves the plane that the step kept it to by (h v_t)² over the size of the bodies.
bool may_overlap(const ContactRecord& record, const CollisionModel& collision, double h, double allowed) {
  if (-record.gap > allowed) return true;
  if (!(record.impulse(2) > 0.0)) return false;
  const double size = std::min(collision.radius(record.shape_a), collision.radius(record.shape_b));
  return h * h * record.velocity.head<2>().squaredNorm() > allowed * size;
}

}  // namespace

// The most that a loop is open, now.
double Simulation::Implementation::calc_loop_error() {
  calc_positions(model, state, data);
  calc_velocities(model, state, data);
  calc_equalities(model, state, data, loops);
  double largest = 0.0;
  for (const double g : loops.error) largest = std::max(largest, std::abs(g));
  return largest;
}

// Where a body of an island turns too far, the whole island goes a part of the way.
void Simulation::Implementation::limit_turns(const IslandMap& islands) {
  turned.assign(static_cast<std::size_t>(islands.islands), 0.0);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    double& most = turned[islands.of_block[model.tree(model.joints()[j].body)]];
    most = std::max(most, calc_turn(model, dq, static_cast<Index>(j)));
  }
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    const double turn = turned[islands.of_block[t]];
    if (turn > kMostCorrected) dq.segment(model.trees().start(t), model.trees().size(t)) *= kMostCorrected / turn;
  }
}

void Simulation::Implementation::correct_positions() {
  // What the step itself failed of, if it did, is told first.
  const auto give_up = [&](const std::string& why) {
    report.fallback = true;
    report.corrected = false;
    report.detail += (report.detail.empty() ? "" : "; ") + ("positions could not be corrected: " + why);
  };
  const bool looped = !model.description().equalities.empty();
  if (looped) report.loop_error = calc_loop_error();
  // Bodies that overlapped before the step, or turned about a contact in it, may overlap now. Where nothing slides fast, a contact
  // that the step itself closes does not overlap.
  const std::vector<Geom>& geoms = model.description().geoms;
  const auto mark = [&](Index geom) {
    if (const Index tree = model.tree(geoms[geom].body); tree >= 0) looks[tree] = 1;
  };
  looks.assign(static_cast<std::size_t>(model.trees().blocks()), 0);
  bool look = false, needed = report.loop_error > options.loop_tolerance;
  const auto is_passed = [&](const JointRowRecord& record) { return -record.gap > options.allowed_overlap; };
  if (std::any_of(joint_records.begin(), joint_records.end(), is_passed)) {
    needed = true;
    look = !options.compliant;
  }
  for (const ContactRecord& record : records) {
    if (options.compliant || !may_overlap(record, collision, h, options.allowed_overlap)) continue;
    look = true;
    mark(record.shape_a);
    mark(record.shape_b);
  }
  // A body that did not look by itself is not corrected because another did, far away.
  const auto asks = [&](const FoundContact& contact) {
    const Index a = model.tree(geoms[contact.shape_a].body), b = model.tree(geoms[contact.shape_b].body);
    return -contact.gap > options.allowed_overlap && ((a >= 0 && looks[a] != 0) || (b >= 0 && looks[b] != 0));
  };
  if (look) {
    calc_positions(model, state, data);
    collide();
    if (static_cast<Index>(found.size()) > options.most_contacts) {
      give_up("more contacts than SimulationOptions::most_contacts");
      return;
    }
    needed = needed || std::any_of(found.begin(), found.end(), asks);
  }
  if (!needed) return;
  // Positions move, time does not: what is welded to a body that is moved by hand is not carried along.
  carried = state.kinematic;
  for (KinematicState& motion : state.kinematic) motion.velocity = motion.angular_velocity = Vector3d::Zero();
  calc_dynamics(model, state, data);
  AssemblyOptions plain = assembly;
  plain.h = 1.0;
  plain.implicit = plain.dry_friction = plain.turning = false;
  plain.loop_share = 1.0;
  plain.limit_share = kLimitShare;
  plain.reach_speed = 1e-2;
  assembler.begin(state, data, control, applied, plain, moves);
  asking.clear();
  for (const Contact& limit : moves.contacts) asking.push_back(-limit.gap > options.allowed_overlap ? 1 : 0);
  for (std::size_t i = 0; look && i < found.size(); ++i) {
    const FoundContact& contact = found[i];
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
    asking.push_back(asks(contact) ? 1 : 0);
  }
  assembler.end(moves);
  for (const double open : moves.b_J) asking.push_back(std::abs(open) > options.loop_tolerance ? 1 : 0);
  std::swap(carried, state.kinematic);
  moves.v.setZero();
  moves.f.setZero();
  if (const Checked done = position_solver.solve(moves, asking, dq); !done) {
    give_up(done.error().where + ": " + done.error().what);
    return;
  }
  if (look) limit_turns(position_solver.islands());
  report.correction = model.nv() > 0 ? dq.head(model.nv()).cwiseAbs().maxCoeff() : 0.0;
  integrate(model, dq.head(model.nv()), 1.0, state.q);
  if (looped) report.loop_error = calc_loop_error();
}

}  // namespace tribo
