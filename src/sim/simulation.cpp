#include "tribo/sim/simulation.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>
#include <cmath>

#include "sim/implementation.hpp"
#include "sim/shapes.hpp"

namespace tribo {

namespace {

constexpr double kNoSpeed = 1e-100;  // m/s, rad/s
// A bounce rises at once, without the rest of the fall before it: below e/(1 − e²) of two steps' gravity it would gain energy.
constexpr double kFewSteps = 4.0;
constexpr int kMostListings = 4;  // of contacts in a step

// s, t, n: s turns with n alone, so that the same contact has the same axes from step to step.
Matrix3d make_frame(const Vector3d& n) {
  const Vector3d away = std::abs(n.x()) < 0.7 ? Vector3d::UnitX() : Vector3d::UnitY();
  Matrix3d frame;
  frame.col(0) = (away - away.dot(n) * n).normalized();
  frame.col(1) = n.cross(frame.col(0));
  frame.col(2) = n;
  return frame;
}

// The key of a joint's row in the memory: features 0 and 2 are limits, 3 and more the dry friction of its degrees of freedom.
ContactKey key_of(const JointRowRecord& record) {
  const int feature = record.kind == JointRowKind::kLimit ? record.place + 1 : record.place + 3;
  return {-1, record.joint, static_cast<std::uint64_t>(feature)};
}

ContactKey key_of(const ContactRecord& record) { return {record.shape_a, record.shape_b, record.feature}; }

double friction_loss(const Model& model, Index joint) {
  const auto joints = static_cast<Index>(model.joints().size());
  return joint < joints ? model.joints()[joint].friction_loss
                        : model.description().tendons[joint - joints].friction_loss;
}

bool is_finite(const State& state) {
  return state.q.allFinite() && std::all_of(state.kinematic.begin(), state.kinematic.end(), [](const auto& motion) {
           return motion.pose.p.allFinite() && motion.pose.q.coeffs().allFinite();
         });
}

}  // namespace

Simulation::Implementation::Implementation(Model the_model, SimulationOptions the_options, CollisionModel shapes,
                                           ContactStiffness springs)
    : model(std::move(the_model)),
      options(std::move(the_options)),
      h(options.step > 0.0 ? options.step : model.description().timestep),
      bounce_speed(std::max(options.bounce_speed, kFewSteps * h * model.description().gravity.norm())),
      collision(std::move(shapes)),
      collider(collision),
      stiffness(std::move(springs)),
      state(make_state(model)),
      control(VectorXd::Zero(model.nu())),
      applied(VectorXd::Zero(model.nv())),
      data(model),
      assembler(model),
      solver(options.model, options.solver, options.tolerance, options.threads),
      bounce_solver(options, bounce_speed),
      overlap_watch(collision),
      poses(static_cast<std::size_t>(model.nb())),
      arms(model.description().geoms.size(), Vector3d::Zero()),
      reach(model.description().geoms.size(), 0.0),
      gain(reach),
      fixed(static_cast<std::size_t>(model.nb()), 0),
      next_V(static_cast<std::size_t>(model.nb()), SpatialVector::Zero()) {
  data.keeps_trees = true;
  for (Index b = 0; b < model.nb(); ++b) fixed[static_cast<std::size_t>(b)] = model.tree(b) < 0 ? 1 : 0;
  const bool cone = std::holds_alternative<CoulombCone>(options.model);
  assembly.h = h;
  assembly.dry_friction = cone;
  assembly.turning = cone && needs_turning(model);
}

void Simulation::Implementation::assemble() {
  joint_records.clear();
  records.clear();
  bounce_rows.clear();
  spring_shares.clear();
  for (const JointRow& row : assembler.joint_rows()) {
    JointRowRecord record;
    record.joint = row.joint;
    if (row.kind < 2) {
      record.place = row.kind;
      record.gap = problem.contacts[joint_records.size()].gap;
    } else {
      record.kind = JointRowKind::kDryFriction;
      record.place = row.kind - 2;
      record.bound = h * friction_loss(model, row.joint);
    }
    joint_records.push_back(record);
    bounce_rows.push_back({.gap = record.gap, .dry_friction = record.kind == JointRowKind::kDryFriction});
    spring_shares.push_back(1.0);
  }
  report.joint_rows = static_cast<Index>(joint_records.size());
  const std::vector<Geom>& geoms = model.description().geoms;
  Index points = 0;  // of the pair at hand
  double tangential_ratio = 1.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const FoundContact& contact = found[i];
    const auto is_of_pair = [&](const FoundContact& other) {
      return other.shape_a == contact.shape_a && other.shape_b == contact.shape_b;
    };
    if (i == 0 || !is_of_pair(found[i - 1])) {
      const auto first = found.begin() + static_cast<std::ptrdiff_t>(i);
      points = std::find_if_not(first, found.end(), is_of_pair) - first;
      if (options.compliant) tangential_ratio = stiffness.tangential_ratio(contact.shape_a, contact.shape_b);
    }
    Contact law = calc_material(model, contact.shape_a, contact.shape_b, options.restitution);
    if (!assembly.turning) law.mu_spin = law.mu_roll = 0.0;
    ContactPoint point;
    point.body_a = geoms[contact.shape_a].body;
    point.body_b = geoms[contact.shape_b].body;
    point.point = contact.point;
    point.frame = make_frame(contact.normal);
    point.gap = contact.gap;
    double offset = contact.gap > options.touching ? contact.gap / h : 0.0, spring_share = 1.0;
    if (options.compliant) {
      const LawRow spring = stiffness.at(contact.shape_a, contact.shape_b, points, contact.gap,
                                         combine_surfaces(model, contact.shape_a, contact.shape_b));
      const double slope = h * spring.K + spring.B;
      offset = std::max(spring.K * spring.phi / slope, -options.push_out_speed);
      law.compliance = 1.0 / (h * slope);
      law.tangential_compliance = law.compliance / tangential_ratio;
      spring_share = h * spring.K / slope;
      law.restitution = 0.0;
    }
    if (law.restitution > 0.0) {
      const double approach = -contact.normal.dot(calc_velocity(data, point.body_a, contact.point).linear -
                                                  calc_velocity(data, point.body_b, contact.point).linear);
      if (approach > bounce_speed && contact.gap < h * approach) offset = -law.restitution * approach;
    }
    assembler.add(data, point, law, offset, problem);
    ContactRecord record;
    record.shape_a = contact.shape_a;
    record.shape_b = contact.shape_b;
    record.feature = contact.feature;
    record.point = contact.point;
    record.frame = point.frame;
    record.gap = contact.gap;
    record.mu = law.mu;
    record.mu_spin = law.mu_spin;
    record.mu_roll = law.mu_roll;
    records.push_back(record);
    bounce_rows.push_back({.restitution = law.restitution, .gap = contact.gap});
    spring_shares.push_back(spring_share);
    report.overlap = std::max(report.overlap, -contact.gap);
  }
  assembler.end(problem);
}

void Simulation::Implementation::start_from_memory() {
  const Index n = problem.size();
  for (VectorXd* f : {&known.impulses.f_n, &known.impulses.f_s, &known.impulses.f_t}) f->setZero(n);
  const bool turning = problem.spin.rows() > 0;
  for (VectorXd* f : {&known.impulses.f_spin, &known.impulses.f_roll_s, &known.impulses.f_roll_t})
    f->setZero(turning ? n : 0);
  if (known.impulses.f_j.size() != problem.bilateral()) known.impulses.f_j.setZero(problem.bilateral());
  of_rest.assign(static_cast<std::size_t>(n), 0);
  const auto recall = [&](Index i, const ContactKey& key, const Matrix3d& frame) {
    const KnownImpulse* last = memory.find(key);
    if (last == nullptr) return;
    if (problem.contacts[i].tangential_compliance > 0.0) {
      problem.contacts[i].held_s = frame.col(0).dot(last->held);
      problem.contacts[i].held_t = frame.col(1).dot(last->held);
    }
    if (!options.warm_start) return;
    const Vector3d local = frame.transpose() * last->impulse;
    known.impulses.f_s(i) = local(0);
    known.impulses.f_t(i) = local(1);
    known.impulses.f_n(i) = local(2);
    of_rest[i] = last->of_rest;
    if (!turning) return;
    const Vector3d couple = frame.transpose() * last->couple;
    known.impulses.f_roll_s(i) = couple(0);
    known.impulses.f_roll_t(i) = couple(1);
    known.impulses.f_spin(i) = couple(2);
  };
  if (options.warm_start || options.compliant) {
    Index i = 0;
    for (const JointRowRecord& record : joint_records) recall(i++, key_of(record), Matrix3d::Identity());
    for (const ContactRecord& record : records) recall(i++, key_of(record), record.frame);
  }
  if (!std::holds_alternative<FrictionBox>(options.model)) return;
  Index i = static_cast<Index>(joint_records.size());
  for (const ContactRecord& record : records) {  // what the last step's normal impulse allows
    problem.contacts[i].friction_bound = record.mu * std::max(0.0, known.impulses.f_n(i));
    ++i;
  }
}

void Simulation::Implementation::finish(const ContactSolution& solution) {
  const Index n = problem.size();
  memory.clear();
  const bool turning = solution.f_spin.size() == n && n > 0;
  const auto at = [&](const VectorXd& f, Index i) { return f.size() == n ? f(i) : 0.0; };
  // Along s, t, n.
  const auto impulse_of = [&](Index i) {
    return Vector3d(at(solution.f_s, i), at(solution.f_t, i), at(solution.f_n, i));
  };
  const auto couple_of = [&](Index i) -> Vector3d {
    if (!turning) return Vector3d::Zero();
    return {at(solution.f_roll_s, i), at(solution.f_roll_t, i), at(solution.f_spin, i)};
  };
  const auto velocity_of = [&](Index i) {
    return Vector3d(problem.S.dot(i, solution.v_next), problem.T.dot(i, solution.v_next),
                    problem.N.dot(i, solution.v_next));
  };
  classifier.classify(problem, options.model, solution, options.tolerance, states);
  const auto state_of = [&](Index row) {  // without states: the answer cannot be judged
    return states.empty() ? ContactState::kOpen : states[static_cast<std::size_t>(row)];
  };
  const auto remember = [&](Index i, const ContactKey& key, const Matrix3d& frame) {
    KnownImpulse kept;
    kept.key = key;
    const Vector3d impulse = impulse_of(i);
    kept.impulse = frame * impulse;
    kept.couple = frame * couple_of(i);
    // Kelvin and Voigt: of what the step has changed, the damper's part is gone when it ends. What opens is without tension.
    const Contact& law = problem.contacts[i];
    if (law.tangential_compliance > 0.0 && impulse(2) > 0.0) {
      const double s = law.held_s + spring_shares[i] * (impulse(0) - law.held_s);
      const double t = law.held_t + spring_shares[i] * (impulse(1) - law.held_t);
      kept.held = s * frame.col(0) + t * frame.col(1);
    }
    kept.of_rest = of_rest[i];
    memory.add(kept);
  };
  Index i = 0;
  for (JointRowRecord& record : joint_records) {
    const bool dry_friction = record.kind == JointRowKind::kDryFriction;
    const Vector3d impulse = impulse_of(i), velocity = velocity_of(i);
    record.impulse = dry_friction ? impulse(0) : impulse(2);
    record.velocity = dry_friction ? velocity(0) : velocity(2);
    const ContactState verdict = state_of(i);
    record.state = dry_friction ? (verdict == ContactState::kSlide ? verdict : ContactState::kStick)
                                : (verdict == ContactState::kOpen ? verdict : ContactState::kStick);
    remember(i++, key_of(record), Matrix3d::Identity());
  }
  for (ContactRecord& record : records) {
    record.impulse = impulse_of(i);
    record.couple = couple_of(i);
    record.velocity = velocity_of(i);
    record.state = state_of(i);
    remember(i++, key_of(record), record.frame);
  }
  memory.sort();
  known.impulses.f_j = solution.f_j;
  overlap_watch.look(records, collision, h, report.warnings);
  // Friction leaves a small part of a speed in every step; numbers below 1e-150 have no squares.
  for (Index dof = 0; dof < model.nv(); ++dof)
    state.v(dof) = std::abs(solution.v_next(dof)) < kNoSpeed ? 0.0 : solution.v_next(dof);
  integrate(model, state.v, h, state.q);
  for (KinematicState& motion : state.kinematic) {
    motion.pose.p += h * motion.velocity;
    const double angle = h * motion.angular_velocity.norm();
    if (angle > 0.0) {
      motion.pose.q = Quaterniond(Eigen::AngleAxisd(angle, motion.angular_velocity.normalized())) * motion.pose.q;
      motion.pose.q.normalize();
    }
  }
}

void Simulation::Implementation::refuse(const std::string& why) {
  report.status = Status::kBreakdown;
  if (report.detail.empty()) report.detail = why;
}

bool Simulation::Implementation::is_usable(const ContactSolution& solution) const {
  return solution.v_next.size() == problem.dof() && solution.v_next.allFinite();
}

// The answer with all contacts that it needs; null: there are too many.
const ContactSolution* Simulation::Implementation::solve_listed(const Stopwatch& watch) {
  for (;; ++report.listings) {
    report.contacts = static_cast<Index>(found.size());
    if (report.contacts > options.most_contacts) {
      joint_records.clear();
      records.clear();
      report.islands.clear();
      refuse(std::to_string(found.size()) + " contacts are more than SimulationOptions::most_contacts (" +
             std::to_string(options.most_contacts) + "): bodies that lie in one place touch each other all");
      return nullptr;
    }
    const double begun = watch.seconds(), certified = report.seconds_certify;
    assemble();
    start_from_memory();
    const double assembled = watch.seconds();
    const ContactSolution& straight = solver.solve(problem, known, of_rest, report);
    const ContactSolution& answer = bounce_solver.solve(problem, bounce_rows, straight, of_rest, report);
    const bool passes = is_usable(answer) && look_again(answer.v_next);
    report.seconds_dynamics += assembled - begun;
    report.seconds_solve += watch.seconds() - assembled - (report.seconds_certify - certified);
    if (!passes) return &answer;
    if (report.listings == kMostListings) {
      report.warnings.push_back("bodies that contacts set going may have passed others; take a smaller step");
      return &answer;
    }
    // The answer without those contacts is judged no more.
    report.status = Status::kSolved;
    report.detail.clear();
    report.fallback = false;
    report.worst = 0.0;
    assembler.begin(state, data, control, applied, assembly, problem);
  }
}

void Simulation::Implementation::step() {
  const Stopwatch all;
  const std::int64_t number = report.step + 1;
  std::vector<IslandReport> islands = std::move(report.islands);  // keeps its memory
  report = StepReport{};
  report.islands = std::move(islands);
  report.step = number;
  calc_dynamics(model, state, data);
  assembler.begin(state, data, control, applied, assembly, problem);
  push();
  for (Index b = 0; b < model.nb(); ++b)
    report.turn = std::max(report.turn, h * calc_velocity(data, b, data.origin[b]).angular.norm());
  report.seconds_dynamics = all.seconds();
  collide();
  report.seconds_collide = all.seconds() - report.seconds_dynamics;
  const ContactSolution* const solution = solve_listed(all);
  time += h;
  report.time = time;
  if (solution != nullptr && is_usable(*solution)) {
    last_state = state;
    finish(*solution);
    if (is_finite(state)) {
      correct_positions();
    } else {
      state = last_state;
      refuse("positions would not be finite any more");
    }
  } else {
    refuse("the velocity would not be finite any more");  // unless there were too many contacts to ask for it
  }
  report.seconds = all.seconds();
}

Simulation::Simulation(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Expected<Simulation> Simulation::make(Model model, SimulationOptions options) {
  const double step = options.step > 0.0 ? options.step : model.description().timestep;
  if (!(options.step >= 0.0) || !std::isfinite(options.step) || !(step > 0.0))
    return fail("the step is not positive (" + std::to_string(options.step) + " s)", "step", "give a step > 0");
  if (!(options.margin >= 0.0) || !(options.allowed_overlap >= 0.0) || !(options.loop_tolerance > 0.0))
    return fail("margin, allowed overlap or loop tolerance is negative", "options", "give lengths >= 0, in metres");
  if (options.most_contacts < 1) return fail("no contact is allowed", "most_contacts", "give a number >= 1");
  if (!(options.restitution >= 0.0 && options.restitution <= 1.0))
    return fail("restitution is not between 0 and 1", "options", "give a number between 0 and 1");
  if (options.threads < 1) return fail("there must be a thread", "threads", "give a number >= 1");
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0))
    return fail("the tolerance is not between 0 and 1", "tolerance", "give a number like 1e-8");
  if (!std::isfinite(options.margin) || !(options.touching >= 0.0) || !(options.bounce_speed >= 0.0))
    return fail("margin, touching or bounce speed is negative or not finite", "options", "give finite numbers >= 0");
  if (!(options.push_out_speed > 0.0)) return fail("nothing pushes out", "push_out_speed", "give a speed > 0 in m/s");
  if (options.compliant && !std::holds_alternative<CoulombCone>(options.model))
    return fail("compliant contacts obey the true cone alone", "model", "leave the model at cone");
  Expected<CollisionModel> collision = make_collision_model(model, options.exact_meshes);
  if (!collision) return Unexpected<Error>{collision.error()};
  Expected<ContactStiffness> springs = ContactStiffness::make(model, *collision, options.material);
  if (!springs) return Unexpected<Error>{springs.error()};
  return Simulation(std::make_unique<Implementation>(std::move(model), std::move(options), std::move(*collision),
                                                     std::move(*springs)));
}

std::string name_model(const SimulationOptions& options) {
  return options.compliant ? "compliant" : to_string(options.model);
}

const StepReport& Simulation::step() {
  implementation_->step();
  return implementation_->report;
}

bool Simulation::run(double seconds) {
  const auto steps = static_cast<std::int64_t>(std::llround(seconds / implementation_->h));
  for (std::int64_t i = 0; i < steps; ++i) {
    if (!is_solved(step().status)) return false;
  }
  return true;
}

const Model& Simulation::model() const { return implementation_->model; }
const SimulationOptions& Simulation::options() const { return implementation_->options; }
double Simulation::time() const { return implementation_->time; }
double Simulation::h() const { return implementation_->h; }
const State& Simulation::state() const { return implementation_->state; }
VectorXd& Simulation::control() { return implementation_->control; }
VectorXd& Simulation::applied() { return implementation_->applied; }
const StepReport& Simulation::report() const { return implementation_->report; }
const std::vector<ContactRecord>& Simulation::contacts() const { return implementation_->records; }
const std::vector<JointRowRecord>& Simulation::joint_rows() const { return implementation_->joint_records; }
const Data& Simulation::data() const { return implementation_->data; }

void Simulation::set_state(const State& state) {
  State checked = state;
  if (const Checked valid = validate(model(), checked); !valid) throw ContractError(valid.error().text());
  implementation_->state = std::move(checked);
  implementation_->memory.clear();
  implementation_->known = {};
  implementation_->joint_records.clear();
  implementation_->records.clear();
  implementation_->overlap_watch.forget();
  const std::int64_t step = implementation_->report.step;
  implementation_->report = StepReport{};
  implementation_->report.step = step;
  implementation_->report.time = implementation_->time;
}

double Simulation::calc_energy() {
  Implementation& all = *implementation_;
  calc_positions(all.model, all.state, all.data);
  calc_velocities(all.model, all.state, all.data);
  calc_mass_matrix(all.model, all.data);
  const Energy energy = tribo::calc_energy(all.model, all.state, all.data);
  return energy.kinetic + energy.potential;
}

}  // namespace tribo
