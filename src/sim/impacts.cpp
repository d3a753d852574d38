#include "sim/impacts.hpp"

#include <algorithm>

namespace tribo {

namespace {

constexpr int kMostImpacts = 100;
constexpr double kFar = 1e4;          // m/s: an offset that no motion reaches
constexpr double kRounding = 1e-12;   // of an energy
constexpr double kLeastShare = 0.05;  // of the restitution, before none is left

// All impulses along the rows of contacts, and all impulses.
constexpr VectorXd ContactSolution::*kContactImpulses[] = {&ContactSolution::f_n,      &ContactSolution::f_s,
                                                           &ContactSolution::f_t,      &ContactSolution::f_spin,
                                                           &ContactSolution::f_roll_s, &ContactSolution::f_roll_t};
constexpr VectorXd ContactSolution::*kImpulses[] = {
    &ContactSolution::f_n,      &ContactSolution::f_s,      &ContactSolution::f_t, &ContactSolution::f_spin,
    &ContactSolution::f_roll_s, &ContactSolution::f_roll_t, &ContactSolution::f_j, &ContactSolution::f_d};

double calc_kinetic(const ContactProblem& problem, const VectorXd& v) { return 0.5 * v.dot(problem.mass.multiply(v)); }

bool has_prescribed_speed(const ContactProblem& problem) { return !problem.b_J.isZero(0.0); }

}  // namespace

ImpactStage::ImpactStage(const StepSetup& setup)
    : setup_(setup), solver_(setup.options.model, setup.options.solver, setup.options.tolerance, 1) {}

// A contact that would bounce was held back (it carries an impulse, and was apart and not closing before), or bouncing under
// friction gave more than it took.
bool ImpactStage::needs_impacts(const ContactProblem& problem, const ContactSolution& solution) {
  if (solution.f_n.size() != problem.size() || solution.v_next.size() != problem.dof()) return false;
  bool bounces = false;
  double rest = 0.0;
  for (Index i = 0; i < problem.size(); ++i) {
    if (!(rows_[i].restitution > 0.0)) continue;
    if (problem.b_N(i) > 0.0 && solution.f_n(i) > 0.0 && !rows_[i].bounces) return true;
    if (!rows_[i].bounces) continue;
    bounces = true;
    rest = rows_[i].rest;
  }
  if (!bounces || has_prescribed_speed(problem) || !mass_factor_.assign(problem.mass)) return false;
  free_ = problem.f * problem.h;
  mass_factor_.solve(free_);
  free_ += problem.v;
  // What the forces give without contacts, or, where they lead away from a surface, on the way there and back.
  const VectorXd& v_next = solution.v_next;
  const double worked = problem.f.dot((problem.h - rest) * problem.v + rest * v_next);
  const double most = std::max(calc_kinetic(problem, free_), calc_kinetic(problem, problem.v) + worked);
  return calc_kinetic(problem, v_next) > most * (1.0 + kRounding);
}

// Bounces are those of v; false: there are none.
bool ImpactStage::set_bounces(double share) {
  bool any = false;
  for (Index i = 0; i < problem_.size(); ++i) {
    const double e = rows_[i].restitution, gap = std::max(0.0, rows_[i].gap);
    problem_.b_N(i) = offsets_(i);
    if (!(e > 0.0)) continue;
    const double closing = -problem_.N.dot(i, problem_.v), approach = closing - pressed_(i);
    const bool hits = approach > setup_.bounce_speed && gap <= rows_[i].rest * closing;
    any = any || hits;
    problem_.b_N(i) = hits ? -share * e * approach : gap > setup_.options.touching ? kFar : 0.0;
  }
  return any;
}

void ImpactStage::add_part(const ContactSolution& part) {
  sum_.v_next = part.v_next;
  for (VectorXd ContactSolution::*f : kImpulses) {
    if ((sum_.*f).size() == (part.*f).size()) sum_.*f += part.*f;
  }
}

// Solves problem_ into part_; false: v⁺ is not usable. The worst certificate and the last failure of all impacts are kept.
bool ImpactStage::solve_part() {
  solver_.run({problem_, no_load_}, part_);
  worst_.worst = std::max(worst_.worst, part_.worst);
  pivots_ += part_.pivots;
  sweeps_ += part_.sweeps;
  fallback_ = fallback_ || part_.fallback;
  seconds_certify_ += part_.seconds_certify;
  if (!part_.islands.empty()) worst_.solver = part_.islands[0].solver;
  if (!is_solved(part_.status)) {
    worst_.status = part_.status;
    worst_.detail = part_.detail;
  }
  return part_.is_usable(problem_.dof());
}

// From problem_, as the step's own solve had it, to sum_.
void ImpactStage::solve_impacts() {
  const Index n = problem_.size();
  no_load_.clear();
  for (VectorXd* f : {&no_load_.impulses.f_n, &no_load_.impulses.f_s, &no_load_.impulses.f_t}) f->setZero(n);
  no_load_.impulses.f_d.setZero(problem_.dry());
  no_load_.at_rest.assign(static_cast<std::size_t>(n + problem_.dry()), 0);
  offsets_ = problem_.b_N;
  // The forces, and what stands in the way without bouncing: also what touches and was not hit.
  pressed_.resize(n);
  for (Index i = 0; i < n; ++i) {
    if (rows_[i].restitution > 0.0) offsets_(i) = std::max(0.0, rows_[i].gap) / rows_[i].look;
    pressed_(i) = -problem_.N.dot(i, problem_.v);
    const bool bounces =
        rows_[i].restitution > 0.0 && (rows_[i].gap > setup_.options.touching || pressed_(i) > setup_.bounce_speed);
    problem_.b_N(i) = bounces ? kFar : offsets_(i);
  }
  const bool usable = solve_part();
  sum_ = part_.solution;
  if (!usable) return;
  problem_.f.setZero();
  problem_.bound.setZero();
  const bool by_hand = has_prescribed_speed(problem_);
  for (Index i = 0; i < n; ++i)
    pressed_(i) = std::max(0.0, -problem_.N.dot(i, sum_.v_next) - std::max(0.0, pressed_(i)));
  for (int k = 0; k < kMostImpacts; ++k) {
    problem_.v = sum_.v_next;
    const double before = calc_kinetic(problem_, problem_.v);
    if (!set_bounces(1.0)) break;
    for (double share = 1.0; share >= 0.0; share = share > kLeastShare ? 0.5 * share : share > 0.0 ? 0.0 : -1.0) {
      (void)set_bounces(share);
      if (!solve_part()) return;
      const ContactSolution& part = part_.solution;
      if (share > 0.0 && !by_hand && calc_kinetic(problem_, part.v_next) > before * (1.0 + kRounding)) continue;
      add_part(part);
      break;
    }
  }
  problem_.v = sum_.v_next;
  problem_.b_N = offsets_;
  if (solve_part()) add_part(part_.solution);
}

// sum_ and its verdicts into the answer of all. `own`: the island as the step's own solve had it.
void ImpactStage::take_over(const ContactProblem& own, const Island& island, const BlockLayout& layout,
                            StepAnswer& answer) {
  Index at = 0;
  for (const Index block : island.blocks) {
    answer.solution.v_next.segment(layout.start(block), layout.size(block)) =
        sum_.v_next.segment(at, layout.size(block));
    at += layout.size(block);
  }
  const auto put = [&](VectorXd ContactSolution::*f, const IndexList& places) {
    VectorXd& all = answer.solution.*f;
    if ((sum_.*f).size() != std::ssize(places) || all.size() == 0) return;
    for (std::size_t i = 0; i < places.size(); ++i) all(places[i]) = (sum_.*f)(static_cast<Index>(i));
  };
  for (VectorXd ContactSolution::*f : kContactImpulses) put(f, island.contacts);
  put(&ContactSolution::f_j, island.bilateral);
  put(&ContactSolution::f_d, island.dry);
  classifier_.classify(own, setup_.options.model, sum_, setup_.options.tolerance, states_);
  classifier_.classify_dry(setup_.options.tolerance, dry_states_);
  const std::size_t n = answer.at_rest.size() - answer.dry_states.size();
  const bool judged = states_.size() == island.contacts.size() && dry_states_.size() == island.dry.size();
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const auto row = static_cast<std::size_t>(island.contacts[i]);
    answer.at_rest[row] = 0;
    if (judged && !answer.states.empty()) answer.states[row] = states_[i];
  }
  for (std::size_t i = 0; i < island.dry.size(); ++i) {
    const auto row = static_cast<std::size_t>(island.dry[i]);
    if (answer.dry_states.empty()) break;
    answer.at_rest[n + row] = 0;
    if (judged) answer.dry_states[row] = dry_states_[i];
  }
  if (!judged) answer.states.clear();
}

void ImpactStage::run(const ImpactInput& input, StepAnswer& answer) {
  const ContactProblem& problem = input.rows.problem;
  const std::vector<RowLaw>& laws = input.rows.laws;
  const ContactSolution& straight = answer.solution;
  if (straight.f_n.size() != problem.size() || straight.v_next.size() != problem.dof()) return;
  const auto may_bounce = [&](Index i) {
    const RowLaw& law = laws[static_cast<std::size_t>(i)];
    return law.restitution > 0.0 && (law.bounces || (problem.b_N(i) > 0.0 && straight.f_n(i) > 0.0));
  };
  bool changed = false;
  for (Index k = 0; k < input.islands.islands(); ++k) {
    const Island& island = input.islands[k];
    if (std::none_of(island.contacts.begin(), island.contacts.end(), may_bounce)) continue;
    rows_.clear();
    for (const Index i : island.contacts) {
      const StepRule rule = input.rows.times.of(problem.N, i);
      const RowLaw& law = laws[static_cast<std::size_t>(i)];
      rows_.push_back({law.restitution, law.bounces, input.rows.gap(i), rule.rest(), rule.look()});
    }
    const ContactProblem& own = input.islands.whole() ? problem : island.problem;
    input.islands.cut(k, problem, straight, single_);
    if (!needs_impacts(own, single_)) continue;
    problem_ = own;
    worst_ = {};
    pivots_ = sweeps_ = 0;
    fallback_ = false;
    seconds_certify_ = 0.0;
    solve_impacts();
    answer.pivots += pivots_;
    answer.sweeps += sweeps_;
    answer.fallback = answer.fallback || fallback_ || !sum_.v_next.allFinite();
    answer.seconds_certify += seconds_certify_;
    if (sum_.v_next.size() != own.dof() || !sum_.v_next.allFinite()) continue;
    take_over(own, island, problem.mass.layout(), answer);
    IslandReport& report = answer.islands[static_cast<std::size_t>(k)];
    report.status = worst_.status;
    report.worst = worst_.worst;
    report.solver = worst_.solver;
    report.detail = worst_.detail;
    changed = true;
  }
  if (changed) answer.judge_islands();
}

}  // namespace tribo
