#include "sim/correct.hpp"

#include "tribo/core/same_bits.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>

namespace tribo {

namespace {

constexpr double kMostOfSize = 1e-2;     // of the smaller shape, per step and contact
constexpr double kMostCorrected = 2e-2;  // rad per step
constexpr double kLimitShare = 0.5;      // of a limit that is passed, per step
constexpr double kTargetShare = 0.5;     // of the allowed overlap: the target of a correction
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

CorrectStage::CorrectStage(const StepSetup& setup) : setup_(setup), assembler_(setup.model), detector_(setup) {}

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

// Zeros where no row of an island gains what it asks for. True: something asked in vain. Where a row gains a part, the move is
// doubtful.
bool CorrectStage::drop_useless_moves(const IslandMap& islands) {
  gains_.assign(static_cast<std::size_t>(islands.islands), 0);
  doubtful_ = gains_;
  const Index n = moves_.size();
  const auto calc_gain_share = [&](Index row) {
    const double open = row < n ? moves_.b_N(row) : moves_.b_J(row - n);
    const double closed = row < n ? moves_.N.dot(row, dq_) : moves_.J.dot(row - n, dq_);
    return -closed / open;
  };
  const auto island_of = [&](Index row) { return row < n ? islands.of_contact[row] : islands.of_bilateral[row - n]; };
  for (Index row = 0; row < std::ssize(asking_); ++row) {
    if (asking_[row] == 0) continue;
    const double share = calc_gain_share(row);
    if (share >= kLeastGain) gains_[island_of(row)] = 1;
    if (!(share >= 1.0 - kLeastGain)) doubtful_[island_of(row)] = 1;
  }
  bool in_vain = false;
  for (Index row = 0; row < std::ssize(asking_); ++row)
    in_vain = in_vain || (asking_[row] != 0 && gains_[island_of(row)] == 0);
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

// Per island: the sum of squares of overlaps (the deepest of a pair), open loops and passed limits, m² and rad², where
// positions are now. `moved`: they have moved by dq.
void CorrectStage::measure_left(const IslandMap& islands, const std::vector<FoundContact>& found, bool moved,
                                std::vector<double>& left) const {
  const Model& model = setup_.model;
  left.assign(static_cast<std::size_t>(islands.islands), 0.0);
  const Index limits = std::ssize(assembler_.joint_rows());
  for (Index i = 0; i < limits; ++i) {
    const double passed = -moves_.contacts[i].gap - (moved ? moves_.N.dot(i, dq_) : 0.0);
    if (passed > 0.0) left[islands.of_contact[i]] += passed * passed;
  }
  for (std::size_t i = 0; i < loops_.error.size(); ++i)
    left[islands.of_bilateral[i]] += loops_.error[i] * loops_.error[i];
  for (std::size_t first = 0, last = 0; moves_.size() > limits && first < found.size(); first = last) {
    double deepest = 0.0;
    for (; last < found.size() && found[last].shape_a == found[first].shape_a &&
           found[last].shape_b == found[first].shape_b;
         ++last)
      deepest = std::max(deepest, -found[last].gap);
    const Index a = model.tree(setup_.geom(found[first].shape_a).body);
    const Index b = model.tree(setup_.geom(found[first].shape_b).body);
    if (a >= 0) left[islands.of_block[a]] += deepest * deepest;
    if (b >= 0 && (a < 0 || islands.of_block[a] != islands.of_block[b])) left[islands.of_block[b]] += deepest * deepest;
  }
}

// Rows that contradict each other, and turns that were cut short, may lead in circles: what is doubtful is measured where it
// leads, and stays where it was when that is no better. True: something stays.
bool CorrectStage::take_back_useless_moves(const IslandMap& islands, State& state, Data& data, Correction& out) {
  if (std::none_of(doubtful_.begin(), doubtful_.end(), [](std::uint8_t d) { return d != 0; })) return false;
  const bool looped = !setup_.model.description().equalities.empty();
  if (looped) measure_loops(state, data, out);
  measure_left(islands, found_, false, left_before_);
  integrate(setup_.model, dq_.head(setup_.model.nv()), 1.0, state.q);
  calc_positions(setup_.model, state, data);
  if (looped) measure_loops(state, data, out);
  find_contacts(data, found_after_, out);
  measure_left(islands, found_after_, true, left_after_);
  bool taken_back = false;
  for (std::size_t k = 0; k < doubtful_.size(); ++k) {
    const bool better = left_after_[k] <= (1.0 - kLeastProgress) * left_before_[k];
    taken_back = taken_back || (doubtful_[k] != 0 && !better);
    gains_[k] = doubtful_[k] == 0 || better ? 1 : 0;
  }
  stop_islands(islands, gains_);
  state.q = last_q_;
  return taken_back;
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

// Marks the trees that may overlap now: those that overlapped before the step, or turned about a contact in it. Where nothing slides
// fast, a contact that the step itself closes does not overlap. True: collision must be asked.
bool CorrectStage::find_suspects(const StepRows& rows, bool& needed) {
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
    assembler_.add(data, point, Contact{}, std::max(room, -most), moves_);
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

// Loops that the geometry does not close (redundant rows of a linkage whose anchors are rounded in the file) keep what is left of
// their error: b_J becomes the nearest vector, in the norm of its entries, that the rows of J can give.
// CorrectionsEnd.OfLoopsThatCloseInPartAlone fails without it.
void CorrectStage::leave_what_stays_open() {
  constexpr double kDependent = 1e-6;  // of the largest whitened row: below it rows of J repeat one another
  const Index rows = moves_.bilateral();
  BlockCholesky factor;
  if (rows == 0 || !factor.assign(moves_.mass)) return;
  MatrixXd A(moves_.dof(), rows);
  for (Index i = 0; i < rows; ++i) {
    VectorXd x = VectorXd::Zero(moves_.dof());
    moves_.J.add_scaled(i, 1.0, x);
    factor.whiten_force(x);
    A.col(i) = x;
  }
  Eigen::ColPivHouseholderQR<MatrixXd> qr;  // A P = Q R: the rows of J give what R₁ᵀ y, y of its rank, can be
  qr.setThreshold(kDependent);
  qr.compute(A);
  const MatrixXd reached = qr.matrixR().topRows(qr.rank()).template triangularView<Eigen::Upper>();
  const VectorXd wanted = qr.colsPermutation().transpose() * moves_.b_J;
  const VectorXd y = reached.transpose().colPivHouseholderQr().solve(wanted);
  moves_.b_J = qr.colsPermutation() * (reached.transpose() * y);
  const EqualityRows& closing = assembler_.equalities();
  for (std::size_t i = 0; i < closing.error.size(); ++i) {
    const double most = std::max(setup_.options.loop_tolerance, closing.rounding[i]);
    asking_[static_cast<std::size_t>(moves_.size()) + i] = std::abs(moves_.b_J(static_cast<Index>(i))) > most ? 1 : 0;
  }
}

void CorrectStage::run(const CorrectInput& input, State& state, Data& data, Correction& out) {
  out = {};
  const auto give_up = [&](const std::string& why) {
    out.corrected = false;
    out.why = why;
  };
  const bool looped = !setup_.model.description().equalities.empty();
  if (looped) measure_loops(state, data, out);
  bool needed = looped && has_open_loop();
  const bool look = find_suspects(input.rows, needed);
  if (look) {
    calc_positions(setup_.model, state, data);
    find_contacts(data, found_, out);
    if (std::ssize(found_) > setup_.options.most_contacts) {
      out.fallback = true;
      return give_up("more contacts than SimulationOptions::most_contacts");
    }
    needed =
        needed || std::any_of(found_.begin(), found_.end(), [&](const FoundContact& contact) { return asks(contact); });
  } else {
    found_.clear();
  }
  if (!needed) return;
  if (failed_before(state)) {
    out.fallback = failed_.fallback;
    return give_up(failed_.why);
  }
  // Positions move, time does not: what is welded to a body that is moved by hand is not carried along.
  carried_ = state.kinematic;
  for (KinematicState& motion : state.kinematic) motion.velocity = motion.angular_velocity = Vector3d::Zero();
  assemble(input, state, data, look);
  std::swap(carried_, state.kinematic);
  failed_.holds = false;
  Checked done = solver_.solve(moves_, asking_, dq_);
  if (!done && looped) {
    leave_what_stays_open();
    if (std::none_of(asking_.begin(), asking_.end(), [](std::uint8_t asks) { return asks != 0; })) return;
    done = solver_.solve(moves_, asking_, dq_);
  }
  if (!done) {
    out.fallback = true;
    give_up(done.error().where + ": " + done.error().what);
    return remember_failure(state, out.why, true);
  }
  const IslandMap& islands = solver_.islands();
  last_q_ = state.q;
  const double before = calc_potential(setup_.model, state, data);
  bool in_vain = drop_useless_moves(islands);
  if (look) limit_turns(islands);
  in_vain = take_back_useless_moves(islands, state, data, out) || in_vain;
  const Index nv = setup_.model.nv();
  integrate(setup_.model, dq_.head(nv), 1.0, state.q);
  const bool moved = !same_bits(state.q.data(), last_q_.data(), static_cast<std::size_t>(last_q_.size()));
  if (moved) {
    out.moved = dq_.head(nv).cwiseAbs().maxCoeff();
    calc_positions(setup_.model, state, data);
    out.energy = calc_potential(setup_.model, state, data) - before;
  }
  if (in_vain || !moved) give_up(kNoWayOut);
  if (!moved) remember_failure(state, kNoWayOut, false);
  if (looped) measure_loops(state, data, out);
}

}  // namespace tribo
