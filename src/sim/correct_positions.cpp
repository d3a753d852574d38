// Positions alone, after the step:  minimize ½ dqᵀ M dq  such that  N dq ≥ −(gap + left)  and
// J dq = −g. Velocities stay what they are, so no kinetic energy comes from it.
// Ends       An island is corrected when one of its contacts overlaps by more than `allowed`, and then to `left` = allowed / 2.
//            With one number for both, rounding left contacts above it, and scenes at rest were corrected in every step.
//            Where rows contradict each other and none that asks gains anything, nothing moves. While positions keep their bits
//            after such an attempt it is not made again.
// Linear     Contacts are where they are at the beginning: a correction must be small against the shapes, or it opens what is
//            listed and closes what is not. A contact asks for a small part of its shapes' size at most, and bodies that still
//            turn far (jammed between contacts that lie close together) go a part of the way: with dq also t dq, 0 < t ≤ 1,
//            makes no contact deeper.
#include "tribo/core/same_bits.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/implementation.hpp"

namespace tribo {

namespace {

constexpr double kMostOfSize = 1e-2;     // of the smaller shape, per step and contact
constexpr double kMostCorrected = 2e-2;  // rad per step
constexpr double kLimitShare = 0.5;      // of a limit that is passed, per step
constexpr double kLeftShare = 0.5;       // of the allowed overlap: what a correction leaves
constexpr double kLeastGain = 1e-2;      // of what a row asks for: below it the row gains nothing
constexpr double kLeastProgress = 1e-2;  // of what an island has left to correct, squared, per step
// Of the coordinates of a contact: an overlap below this is rounding. CorrectionsEnd.AlsoWhereNoOverlapIsAllowed needs it.
constexpr double kPointRounding = 64.0 * std::numeric_limits<double>::epsilon();

constexpr const char* kNoWayOut = "what overlaps or is open has no way out";

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

// The overlap that a contact at this point may have. What doubles do not resolve there cannot be corrected.
double calc_allowed(const Vector3d& point, double allowed) {
  return std::max(allowed, kPointRounding * point.cwiseAbs().maxCoeff());
}

// A contact between bodies that turn leaves the plane that the step kept it to by (h v_t)² over the size of the bodies.
bool may_overlap(const ContactRecord& record, const CollisionModel& collision, double h, double allowed) {
  if (-record.gap > calc_allowed(record.point, allowed)) return true;
  if (!(record.impulse(2) > 0.0)) return false;
  const double size = std::min(collision.radius(record.shape_a), collision.radius(record.shape_b));
  return h * h * record.velocity.head<2>().squaredNorm() > allowed * size;
}

bool is_open(const EqualityRows& loops, std::size_t row, double tolerance) {
  return std::abs(loops.error[row]) > std::max(tolerance, loops.rounding[row]);
}

}  // namespace

// The most that a loop is open, now, and whether one of them can be closed better.
bool Simulation::Implementation::measure_loops() {
  calc_positions(model, state, data);
  calc_velocities(model, state, data);
  calc_equalities(model, state, data, loops);
  report.loop_error = 0.0;
  bool open = false;
  for (std::size_t i = 0; i < loops.error.size(); ++i) {
    report.loop_error = std::max(report.loop_error, std::abs(loops.error[i]));
    open = open || is_open(loops, i, options.loop_tolerance);
  }
  return open;
}

// Where a body of an island turns too far, the whole island goes a part of the way, and its move is doubtful.
void Simulation::Implementation::limit_turns(const IslandMap& islands) {
  turned.assign(static_cast<std::size_t>(islands.islands), 0.0);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    double& most = turned[islands.of_block[model.tree(model.joints()[j].body)]];
    most = std::max(most, calc_turn(model, dq, static_cast<Index>(j)));
  }
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    const double turn = turned[islands.of_block[t]];
    if (turn > kMostCorrected) dq.segment(model.trees().start(t), model.trees().size(t)) *= kMostCorrected / turn;
    if (turn > kMostCorrected) doubtful[islands.of_block[t]] = 1;
  }
}

// Zeros where no row of an island gains what it asks for. True: something asked in vain. Where a row gains a part, the move is
// doubtful.
bool Simulation::Implementation::drop_useless_moves(const IslandMap& islands) {
  gains.assign(static_cast<std::size_t>(islands.islands), 0);
  doubtful = gains;
  const Index n = moves.size();
  const auto calc_gain_share = [&](Index row) {
    const double open = row < n ? moves.b_N(row) : moves.b_J(row - n);
    const double closed = row < n ? moves.N.dot(row, dq) : moves.J.dot(row - n, dq);
    return -closed / open;
  };
  const auto island_of = [&](Index row) { return row < n ? islands.of_contact[row] : islands.of_bilateral[row - n]; };
  for (Index row = 0; row < std::ssize(asking); ++row) {
    if (asking[row] == 0) continue;
    const double share = calc_gain_share(row);
    if (share >= kLeastGain) gains[island_of(row)] = 1;
    if (!(share >= 1.0 - kLeastGain)) doubtful[island_of(row)] = 1;
  }
  bool in_vain = false;
  for (Index row = 0; row < std::ssize(asking); ++row)
    in_vain = in_vain || (asking[row] != 0 && gains[island_of(row)] == 0);
  stop_islands(islands, gains);
  return in_vain;
}

// Zeros in the islands that do not go on.
void Simulation::Implementation::stop_islands(const IslandMap& islands, const std::vector<std::uint8_t>& goes_on) {
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    if (goes_on[islands.of_block[t]] == 0) dq.segment(model.trees().start(t), model.trees().size(t)).setZero();
  }
}

// Per island: the sum of squares of overlaps (the deepest of a pair), open loops and passed limits, m² and rad², where
// positions are now. `moved`: they have moved by dq.
void Simulation::Implementation::measure_left(const IslandMap& islands, bool moved, std::vector<double>& left) const {
  left.assign(static_cast<std::size_t>(islands.islands), 0.0);
  const Index limits = std::ssize(assembler.joint_rows());
  for (Index i = 0; i < limits; ++i) {
    const double passed = -moves.contacts[i].gap - (moved ? moves.N.dot(i, dq) : 0.0);
    if (passed > 0.0) left[islands.of_contact[i]] += passed * passed;
  }
  for (std::size_t i = 0; i < loops.error.size(); ++i) left[islands.of_bilateral[i]] += loops.error[i] * loops.error[i];
  const std::vector<Geom>& geoms = model.description().geoms;
  for (std::size_t first = 0, last = 0; moves.size() > limits && first < found.size(); first = last) {
    double deepest = 0.0;
    for (; last < found.size() && found[last].shape_a == found[first].shape_a &&
           found[last].shape_b == found[first].shape_b;
         ++last)
      deepest = std::max(deepest, -found[last].gap);
    const Index a = model.tree(geoms[found[first].shape_a].body), b = model.tree(geoms[found[first].shape_b].body);
    if (a >= 0) left[islands.of_block[a]] += deepest * deepest;
    if (b >= 0 && (a < 0 || islands.of_block[a] != islands.of_block[b])) left[islands.of_block[b]] += deepest * deepest;
  }
}

// Rows that contradict each other, and turns that were cut short, may lead in circles: what is doubtful is measured where it
// leads, and stays where it was when that is no better. True: something stays.
bool Simulation::Implementation::take_back_circles(const IslandMap& islands) {
  if (std::none_of(doubtful.begin(), doubtful.end(), [](std::uint8_t d) { return d != 0; })) return false;
  const bool looped = !model.description().equalities.empty();
  if (looped) measure_loops();
  measure_left(islands, false, left_before);
  integrate(model, dq.head(model.nv()), 1.0, state.q);
  calc_positions(model, state, data);
  if (looped) measure_loops();
  found_again = found;
  collide();
  measure_left(islands, true, left_after);
  std::swap(found, found_again);
  bool taken_back = false;
  for (std::size_t k = 0; k < doubtful.size(); ++k) {
    const bool better = left_after[k] <= (1.0 - kLeastProgress) * left_before[k];
    taken_back = taken_back || (doubtful[k] != 0 && !better);
    gains[k] = doubtful[k] == 0 || better ? 1 : 0;
  }
  stop_islands(islands, gains);
  state.q = last_q;
  return taken_back;
}

bool Simulation::Implementation::VainAttempt::is_of(const Implementation& all) const {
  const auto numbers = [](const VectorXd& x, const VectorXd& y) {
    return x.size() == y.size() && same_bits(x.data(), y.data(), static_cast<std::size_t>(x.size()));
  };
  return holds && numbers(q, all.state.q) && numbers(v, all.state.v) && same_bits(looks, all.looks) &&
         same_bits(kinematic, all.state.kinematic) && same_bits(found, all.found);
}

void Simulation::Implementation::VainAttempt::remember(const Implementation& all, std::string cause, bool failed) {
  holds = true;
  fallback = failed;
  why = std::move(cause);
  q = all.state.q;
  v = all.state.v;
  kinematic = all.state.kinematic;
  looks = all.looks;
  found = all.found;
}

void Simulation::Implementation::correct_positions() {
  // After the cause of a failure of the step itself, if there was one.
  const auto give_up = [&](const std::string& why) {
    report.corrected = false;
    report.detail += (report.detail.empty() ? "" : "; ") + ("positions could not be corrected: " + why);
  };
  const bool looped = !model.description().equalities.empty();
  // Bodies that overlapped before the step, or turned about a contact in it, may overlap now. Where nothing slides fast, a contact
  // that the step itself closes does not overlap.
  const std::vector<Geom>& geoms = model.description().geoms;
  const auto mark = [&](Index geom) {
    if (const Index tree = model.tree(geoms[geom].body); tree >= 0) looks[tree] = 1;
  };
  looks.assign(static_cast<std::size_t>(model.trees().blocks()), 0);
  bool look = false, needed = looped && measure_loops();
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
    return -contact.gap > calc_allowed(contact.point, options.allowed_overlap) &&
           ((a >= 0 && looks[a] != 0) || (b >= 0 && looks[b] != 0));
  };
  if (look) {
    calc_positions(model, state, data);
    collide();
    if (static_cast<Index>(found.size()) > options.most_contacts) {
      report.fallback = true;
      give_up("more contacts than SimulationOptions::most_contacts");
      return;
    }
    needed = needed || std::any_of(found.begin(), found.end(), asks);
  }
  if (!needed) return;
  if (vain_attempt.is_of(*this)) {
    report.fallback = report.fallback || vain_attempt.fallback;
    return give_up(vain_attempt.why);
  }
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
    const double room = contact.gap + kLeftShare * calc_allowed(contact.point, options.allowed_overlap);
    const double most = kMostOfSize * std::min(collision.radius(contact.shape_a), collision.radius(contact.shape_b));
    assembler.add(data, point, Contact{}, std::max(room, -most), moves);
    asking.push_back(asks(contact) ? 1 : 0);
  }
  assembler.end(moves);
  const EqualityRows& closing = assembler.equalities();
  for (std::size_t i = 0; i < closing.error.size(); ++i)
    asking.push_back(is_open(closing, i, options.loop_tolerance) ? 1 : 0);
  asking.resize(static_cast<std::size_t>(moves.size() + moves.bilateral()), 0);  // kinematic bodies ask for nothing
  std::swap(carried, state.kinematic);
  moves.v.setZero();
  moves.f.setZero();
  vain_attempt.holds = false;
  if (const Checked done = position_solver.solve(moves, asking, dq); !done) {
    report.fallback = true;
    vain_attempt.remember(*this, done.error().where + ": " + done.error().what, true);
    return give_up(vain_attempt.why);
  }
  const IslandMap& islands = position_solver.islands();
  last_q = state.q;
  bool in_vain = drop_useless_moves(islands);
  if (look) limit_turns(islands);
  in_vain = take_back_circles(islands) || in_vain;
  integrate(model, dq.head(model.nv()), 1.0, state.q);
  const bool moved = !same_bits(state.q.data(), last_q.data(), static_cast<std::size_t>(last_q.size()));
  if (moved) report.correction = dq.head(model.nv()).cwiseAbs().maxCoeff();
  if (in_vain || !moved) give_up(kNoWayOut);
  if (!moved) vain_attempt.remember(*this, kNoWayOut, false);
  if (looped) measure_loops();
}

}  // namespace tribo
