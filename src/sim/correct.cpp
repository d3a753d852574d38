#include "sim/correct.hpp"

#include "tribo/core/same_bits.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo {

namespace {

constexpr double kMostOfSize = 1e-2;     // of the smaller shape, per step and contact
constexpr double kMostCorrected = 2e-2;  // rad per step
constexpr double kLimitShare = 0.5;      // of a limit that is passed, per step
constexpr double kTargetShare = 0.5;     // of the allowed overlap: the target of a correction
constexpr double kLeastGain = 1e-2;      // of what a row asks for: below it the row gains nothing
constexpr double kLeastProgress = 1e-2;  // of what an island has left to correct, squared, per step
// Of the coordinates of a contact: an overlap below this is rounding. CorrectionsEnd.AlsoWhereNoOverlapIsAllowed needs
// it.
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

CorrectStage::CorrectStage(const StepSetup& setup)
    : setup_(setup), assembler_(setup.model), detector_(setup), solver_(setup.options.allowed_overlap) {}

// The most that a loop is open, now.
void CorrectStage::measure_loops(const State& state, Data& data, Correction& out) {
  calc_positions(setup_.model, state, data);
  calc_velocities(setup_.model, state, data);
  calc_equalities(setup_.model, state, data, loops_);
  out.loop_error = 0.0;
  for (const double error : loops_.error) out.loop_error = std::max(out.loop_error, std::abs(error));
}

// A loop that can be closed better.
bool CorrectStage::has_open_loop() const {
  for (std::size_t i = 0; i < loops_.error.size(); ++i) {
    if (is_open(loops_, i, setup_.options.loop_tolerance)) return true;
  }
  return false;
}

// Where a body of an island turns too far, the whole island goes a part of the way, and its move is doubtful.
void CorrectStage::limit_turns(const IslandMap& islands) {
  const Model& model = setup_.model;
  turned_.assign(static_cast<std::size_t>(islands.islands), 0.0);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    double& most = turned_[islands.of_block[model.tree(model.joints()[j].body)]];
    most = std::max(most, calc_turn(model, dq_, static_cast<Index>(j)));
  }
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    const double turn = turned_[islands.of_block[t]];
    if (turn > kMostCorrected) dq_.segment(model.trees().start(t), model.trees().size(t)) *= kMostCorrected / turn;
    if (turn > kMostCorrected) doubtful_[islands.of_block[t]] = 1;
  }
}

// Zeros where no row of an island gains what it asks for. True: something asked in vain. Where a row gains a part, the
// move is doubtful.
bool CorrectStage::drop_useless_moves(const IslandMap& islands) {
  gains_.assign(static_cast<std::size_t>(islands.islands), 0);
  doubtful_ = gains_;
  const Index n = moves_.size();
  const VectorXd& closable = solver_.closable();
  closes_ = gains_;
  shares_.assign(asking_.size(), 0.0);
  const auto calc_gain_share = [&](Index row) {
    const double open = row < n ? moves_.b_N(row) : closable(row - n);
    const double closed = row < n ? moves_.N.dot(row, dq_) : moves_.J.dot(row - n, dq_);
    return -closed / open;
  };
  const auto island_of = [&](Index row) { return row < n ? islands.of_contact[row] : islands.of_bilateral[row - n]; };
  for (Index row = 0; row < std::ssize(asking_); ++row) {
    if (asking_[row] == 0) continue;
    if (row >= n) closes_[island_of(row)] = 1;
    const double share = calc_gain_share(row);
    shares_[row] = share;
    if (share >= kLeastGain) gains_[island_of(row)] = 1;
    if (!(share >= 1.0 - kLeastGain)) doubtful_[island_of(row)] = 1;
  }
  bool in_vain = false;
  for (Index row = 0; row < std::ssize(asking_); ++row)
    in_vain = in_vain || (asking_[row] != 0 && gains_[island_of(row)] == 0);
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    doubtful_[k] = doubtful_[k] != 0 && gains_[k] != 0 ? 1 : 0;
    closes_[k] = closes_[k] != 0 && gains_[k] != 0 ? 1 : 0;
  }
  stop_islands(islands, gains_);
  return in_vain;
}

// Zeros in the islands that do not go on.
void CorrectStage::stop_islands(const IslandMap& islands, const std::vector<std::uint8_t>& goes_on) {
  const BlockLayout& trees = setup_.model.trees();
  for (Index t = 0; t < trees.blocks(); ++t) {
    if (goes_on[islands.of_block[t]] == 0) dq_.segment(trees.start(t), trees.size(t)).setZero();
  }
}

// Per island: the sum of squares of overlaps (the deepest of a pair) and passed limits beyond what is allowed, and of
// open loops, m² and rad², where positions are now. `moved`: they have moved by dq.
void CorrectStage::measure_left(const IslandMap& islands, const std::vector<FoundContact>& found, bool moved,
                                std::vector<double>& left) const {
  const Model& model = setup_.model;
  const double allowed = setup_.options.allowed_overlap;
  left.assign(static_cast<std::size_t>(islands.islands), 0.0);
  const Index limits = std::ssize(assembler_.joint_rows());
  for (Index i = 0; i < limits; ++i) {
    const double passed = -moves_.contacts[i].gap - (moved ? moves_.N.dot(i, dq_) : 0.0) - allowed;
    if (passed > 0.0) left[islands.of_contact[i]] += passed * passed;
  }
  for (std::size_t i = 0; i < loops_.error.size(); ++i)
    left[islands.of_bilateral[i]] += loops_.error[i] * loops_.error[i];
  for (std::size_t first = 0, last = 0; moves_.size() > limits && first < found.size(); first = last) {
    double deepest = 0.0;
    const bool stuck = is_stuck(found[first].shape_a, found[first].shape_b);
    for (; last < found.size() && found[last].shape_a == found[first].shape_a &&
           found[last].shape_b == found[first].shape_b;
         ++last)
      deepest = stuck ? 0.0 : std::max(deepest, -found[last].gap - calc_allowed(found[last].point, allowed));
    const Index a = model.tree(setup_.geom(found[first].shape_a).body);
    const Index b = model.tree(setup_.geom(found[first].shape_b).body);
    if (a >= 0) left[islands.of_block[a]] += deepest * deepest;
    if (b >= 0 && (a < 0 || islands.of_block[a] != islands.of_block[b])) left[islands.of_block[b]] += deepest * deepest;
  }
}

// Rows that contradict each other, and turns that were cut short, may lead in circles: what is doubtful is measured
// where it leads, and stays where it was when that is no better. A move that closes loops may follow rows that nearly
// repeat one another far from where they hold: it stays where it was when loops are wider open. `state` is moved. True:
// something stays.
bool CorrectStage::move_where_useful(const IslandMap& islands, bool look, State& state, Data& data, Correction& out) {
  const Index nv = setup_.model.nv();
  const bool looped = !setup_.model.description().equalities.empty();
  const auto is_set = [](std::uint8_t flag) { return flag != 0; };
  const bool measured =
      std::any_of(doubtful_.begin(), doubtful_.end(), is_set) || std::any_of(closes_.begin(), closes_.end(), is_set);
  const auto move = [&] {
    integrate(setup_.model, dq_.head(nv), 1.0, state.q);
    if (looped)
      measure_loops(state, data, out);
    else
      calc_positions(setup_.model, state, data);
  };
  if (measured) measure_left(islands, found_, false, left_before_);
  move();
  if (!measured) return false;
  found_after_.clear();
  if (look) find_contacts(data, found_after_, out);
  measure_left(islands, found_after_, true, left_after_);
  const double tolerance = setup_.options.loop_tolerance;
  const double rounding = tolerance * tolerance * static_cast<double>(loops_.error.size());
  bool taken_back = false;
  for (std::size_t k = 0; k < doubtful_.size(); ++k) {
    const bool better = left_after_[k] <= (1.0 - kLeastProgress) * left_before_[k];
    const bool worse = left_after_[k] > (1.0 + kLeastProgress) * left_before_[k] + rounding;
    gains_[k] = (doubtful_[k] != 0 && !better) || (closes_[k] != 0 && worse) ? 0 : 1;
    taken_back = taken_back || gains_[k] == 0;
  }
  if (!taken_back) return false;
  stop_islands(islands, gains_);
  state.q = last_q_;
  move();
  return true;
}

void CorrectStage::find_contacts(const Data& data, std::vector<FoundContact>& found, Correction& out) {
  detector_.find_near(data, found);
  out.counts += detector_.counts();
  for (FoundContact& contact : found) contact.gap -= setup_.rest_distance(contact.shape_a, contact.shape_b);
}

bool CorrectStage::failed_before(const State& state) const {
  const auto numbers = [](const VectorXd& x, const VectorXd& y) {
    return x.size() == y.size() && same_bits(x.data(), y.data(), static_cast<std::size_t>(x.size()));
  };
  return failed_.holds && numbers(failed_.q, state.q) && numbers(failed_.v, state.v) &&
         same_bits(failed_.suspects, suspects_) && same_bits(failed_.kinematic, state.kinematic) &&
         same_bits(failed_.found, found_);
}

void CorrectStage::remember_failure(const State& state, const std::string& why, bool fallback) {
  failed_.holds = true;
  failed_.fallback = fallback;
  failed_.why = why;
  failed_.q = state.q;
  failed_.v = state.v;
  failed_.kinematic = state.kinematic;
  failed_.suspects = suspects_;
  failed_.found = found_;
}

// Marks the trees that may overlap now: those that overlapped before the step, or turned about a contact in it. Where
// nothing slides fast, a contact that the step itself closes does not overlap. True: collision must be asked. in_vain:
// a stuck pair overlaps.
bool CorrectStage::find_suspects(const StepRows& rows, bool& needed, bool& in_vain) {
  const Model& model = setup_.model;
  const SimulationOptions& options = setup_.options;
  const auto mark = [&](Index shape) {
    if (const Index tree = model.tree(setup_.geom(shape).body); tree >= 0) suspects_[tree] = 1;
  };
  suspects_.assign(static_cast<std::size_t>(model.trees().blocks()), 0);
  bool look = false;
  const auto is_passed = [&](const JointRowRecord& record) { return -record.gap > options.allowed_overlap; };
  if (std::any_of(rows.joint_rows.begin(), rows.joint_rows.end(), is_passed)) {
    needed = true;
    look = !options.compliant;
  }
  for (const ContactRecord& record : rows.contacts) {
    if (options.compliant || !may_overlap(record, setup_.collision, setup_.h, options.allowed_overlap)) continue;
    if (is_stuck(record.shape_a, record.shape_b)) {
      in_vain = true;
      continue;
    }
    look = true;
    mark(record.shape_a);
    mark(record.shape_b);
  }
  return look;
}

// A body that is not suspected itself is not corrected because another is, far away.
bool CorrectStage::asks(const FoundContact& contact) const {
  const Index a = setup_.model.tree(setup_.geom(contact.shape_a).body);
  const Index b = setup_.model.tree(setup_.geom(contact.shape_b).body);
  return -contact.gap > calc_allowed(contact.point, setup_.options.allowed_overlap) &&
         !is_stuck(contact.shape_a, contact.shape_b) &&
         ((a >= 0 && suspects_[a] != 0) || (b >= 0 && suspects_[b] != 0));
}

// The rows of the moves, and which of them ask.
void CorrectStage::assemble(const CorrectInput& input, const State& state, Data& data, bool with_contacts) {
  const SimulationOptions& options = setup_.options;
  AssemblyOptions plain = setup_.assembly;
  plain.h = 1.0;
  plain.integrator = Integrator::kEuler;
  plain.implicit = plain.dry_friction = plain.turning = false;
  plain.loop_share = 1.0;
  plain.limit_share = kLimitShare;
  plain.reach_speed = 1e-2;
  calc_dynamics(setup_.model, state, data);
  assembler_.begin(state, data, input.control, input.applied, plain, moves_);
  asking_.clear();
  for (const Contact& limit : moves_.contacts) asking_.push_back(-limit.gap > options.allowed_overlap ? 1 : 0);
  for (std::size_t i = 0; with_contacts && i < found_.size(); ++i) {
    const FoundContact& contact = found_[i];
    ContactPoint point;
    point.body_a = setup_.geom(contact.shape_a).body;
    point.body_b = setup_.geom(contact.shape_b).body;
    point.point = contact.point;
    point.frame.col(2) = contact.normal;
    point.frame.col(0) = contact.normal.unitOrthogonal();
    point.frame.col(1) = contact.normal.cross(point.frame.col(0));
    point.gap = contact.gap;
    const double room = contact.gap + kTargetShare * calc_allowed(contact.point, options.allowed_overlap);
    const CollisionModel& collision = setup_.collision;
    const double most = kMostOfSize * std::min(collision.radius(contact.shape_a), collision.radius(contact.shape_b));
    const double offset = is_stuck(contact.shape_a, contact.shape_b) ? std::max(room, 0.0) : std::max(room, -most);
    assembler_.add(data, point, Contact{}, offset, moves_);
    asking_.push_back(asks(contact) ? 1 : 0);
  }
  assembler_.end(moves_);
  const EqualityRows& closing = assembler_.equalities();
  for (std::size_t i = 0; i < closing.error.size(); ++i)
    asking_.push_back(is_open(closing, i, options.loop_tolerance) ? 1 : 0);
  asking_.resize(static_cast<std::size_t>(moves_.size() + moves_.bilateral()), 0);  // kinematic bodies ask for nothing
  moves_.v.setZero();
  moves_.f.setZero();
}

// Loops that the geometry does not close (redundant rows of a linkage whose anchors are rounded in the file) keep what
// is left of their error: they ask for the part that can be closed. CorrectionsEnd.OfLoopsThatCloseInPartAlone fails
// without it.
void CorrectStage::ask_for_what_closes() {
  const EqualityRows& closing = assembler_.equalities();
  const VectorXd& closable = solver_.closable();
  stays_open_ = 0.0;
  for (std::size_t i = 0; i < closing.error.size(); ++i) {
    std::uint8_t& asks = asking_[static_cast<std::size_t>(moves_.size()) + i];
    if (asks == 0) continue;
    const auto row = static_cast<Index>(i);
    stays_open_ = std::max(stays_open_, std::abs(moves_.b_J(row) - closable(row)));
    const double most = std::max(setup_.options.loop_tolerance, closing.rounding[i]);
    asks = std::abs(closable(row)) > most ? 1 : 0;
  }
}

Pose CorrectStage::calc_relative_pose(const StuckPair& pair, const Data& data) const {
  const Index a = setup_.geom(pair.shape_a).body, b = setup_.geom(pair.shape_b).body;
  const Quaterniond back = data.quat[a].conjugate();
  return {back * (data.p[b] - data.p[a]), back * data.quat[b]};
}

// A hash of the pairs of shapes, each with contacts that the step listed, of which one is of the trees of this pair.
std::uint64_t CorrectStage::calc_neighbours(const StuckPair& pair, const StepRows& rows) const {
  const auto tree_of = [&](Index shape) { return setup_.model.tree(setup_.geom(shape).body); };
  const Index a = tree_of(pair.shape_a), b = tree_of(pair.shape_b);
  const auto is_near = [&](Index shape) {
    const Index tree = tree_of(shape);
    return tree >= 0 && (tree == a || tree == b);
  };
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  Index last_a = -1, last_b = -1;
  for (const ContactRecord& record : rows.contacts) {  // sorted by shapes
    if (record.shape_a == last_a && record.shape_b == last_b) continue;
    last_a = record.shape_a;
    last_b = record.shape_b;
    if (!is_near(last_a) && !is_near(last_b)) continue;
    for (const Index shape : {last_a, last_b}) {
      hash ^= static_cast<std::uint64_t>(shape);
      hash *= 1099511628211ULL;
    }
  }
  return hash;
}

// Positions are those after the step.
void CorrectStage::release_stuck(const StepRows& rows, const Data& data) {
  std::erase_if(stuck_, [&](const StuckPair& pair) {
    if (calc_neighbours(pair, rows) != pair.neighbours) return true;
    const Pose now = calc_relative_pose(pair, data);
    const double size = std::min(setup_.collision.radius(pair.shape_a), setup_.collision.radius(pair.shape_b));
    return !((now.p - pair.pose.p).norm() <= kMostOfSize * size) ||
           !(now.q.angularDistance(pair.pose.q) <= kMostCorrected);
  });
}

bool CorrectStage::is_stuck(Index shape_a, Index shape_b) const {
  return std::any_of(stuck_.begin(), stuck_.end(),
                     [&](const StuckPair& pair) { return pair.shape_a == shape_a && pair.shape_b == shape_b; });
}

// Of islands that do not go on, the pairs that asked and gained nothing: all that asked, where each gained and it came
// to nothing. Positions are those after the step, which these islands have not left.
void CorrectStage::hold_stuck(const IslandMap& islands, const StepRows& rows, const Data& data) {
  const std::size_t limits = assembler_.joint_rows().size();
  blocked_.assign(gains_.size(), 0);
  const auto asks_in_vain = [&](std::size_t row) { return asking_[row] != 0 && gains_[islands.of_contact[row]] == 0; };
  for (std::size_t row = limits; row < limits + found_.size(); ++row) {
    if (asks_in_vain(row) && !(shares_[row] >= kLeastGain)) blocked_[islands.of_contact[row]] = 1;
  }
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const std::size_t row = limits + i;
    const FoundContact& contact = found_[i];
    if (!asks_in_vain(row) || is_stuck(contact.shape_a, contact.shape_b)) continue;
    if (blocked_[islands.of_contact[row]] != 0 && shares_[row] >= kLeastGain) continue;
    StuckPair pair;
    pair.shape_a = contact.shape_a;
    pair.shape_b = contact.shape_b;
    pair.pose = calc_relative_pose(pair, data);
    pair.neighbours = calc_neighbours(pair, rows);
    stuck_.push_back(pair);
  }
}

void CorrectStage::find_near(const State& state, Data& data, Correction& out) {
  calc_positions(setup_.model, state, data);
  find_contacts(data, found_, out);
}

// dq_ of the rows as they are at `state`.
bool CorrectStage::solve(const CorrectInput& input, State& state, Data& data, bool look) {
  // Positions move, time does not: what is welded to a body that is moved by hand is not carried along.
  carried_ = state.kinematic;
  for (KinematicState& motion : state.kinematic) motion.velocity = motion.angular_velocity = Vector3d::Zero();
  assemble(input, state, data, look);
  std::swap(carried_, state.kinematic);
  solver_.solve(moves_, asking_, dq_);
  ask_for_what_closes();
  return std::any_of(asking_.begin(), asking_.end(), [](std::uint8_t asks) { return asks != 0; });
}

void CorrectStage::run(const CorrectInput& input, State& state, Data& data, Correction& out) {
  out = {};
  const auto give_up = [&](const std::string& why) {
    out.corrected = false;
    out.why = why;
  };
  const double allowed = setup_.options.allowed_overlap;
  const bool looped = !setup_.model.description().equalities.empty();
  if (looped) measure_loops(state, data, out);
  if (!stuck_.empty()) {
    if (!looped) calc_positions(setup_.model, state, data);
    release_stuck(input.rows, data);
  }
  bool needed = looped && has_open_loop();
  bool in_vain = false;
  bool look = find_suspects(input.rows, needed, in_vain);
  const auto has_too_many = [&] { return std::ssize(found_) > setup_.options.most_contacts; };
  const char* const too_many = "more contacts than SimulationOptions::most_contacts";
  found_.clear();
  if (look) {
    find_near(state, data, out);
    if (has_too_many()) {
      out.fallback = true;
      return give_up(too_many);
    }
    needed =
        needed || std::any_of(found_.begin(), found_.end(), [&](const FoundContact& contact) { return asks(contact); });
  }
  if (in_vain) give_up(kNoWayOut);
  if (!needed) return;
  if (failed_before(state)) {
    out.fallback = failed_.fallback;
    return give_up(failed_.why);
  }
  failed_.holds = false;
  bool wanted = solve(input, state, data, look);
  if (wanted && !look && !setup_.options.compliant && dq_.cwiseAbs().maxCoeff() > allowed) {
    look = true;
    find_near(state, data, out);
    if (has_too_many()) {
      out.fallback = true;
      return give_up(too_many);
    }
    wanted = solve(input, state, data, look);
  }
  if (stays_open_ > allowed)
    give_up("loops contradict one another: " + std::to_string(1e3 * stays_open_) + " mm or mrad stay open");
  if (!wanted) return;
  const IslandMap& islands = solver_.islands();
  const bool uncertified =
      std::any_of(solver_.failed().begin(), solver_.failed().end(), [](std::uint8_t failed) { return failed != 0; });
  last_q_ = state.q;
  const double before = calc_potential(setup_.model, state, data);
  const std::size_t stuck = stuck_.size();
  const bool dropped = drop_useless_moves(islands);
  if (dropped) hold_stuck(islands, input.rows, data);
  if (look) limit_turns(islands);
  const bool taken_back = move_where_useful(islands, look, state, data, out);
  const Index nv = setup_.model.nv();
  const bool moved = !same_bits(state.q.data(), last_q_.data(), static_cast<std::size_t>(last_q_.size()));
  if (taken_back) hold_stuck(islands, input.rows, data);
  if (moved) {
    out.moved = dq_.head(nv).cwiseAbs().maxCoeff();
    out.energy = calc_potential(setup_.model, state, data) - before;
  }
  out.fallback = uncertified;
  if (uncertified)
    give_up(solver_.why());
  else if (dropped || taken_back || !moved)
    give_up(kNoWayOut);
  if (!moved && stuck_.size() == stuck) remember_failure(state, out.why, uncertified);
}

}  // namespace tribo
