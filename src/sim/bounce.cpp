#include "sim/bounce.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

namespace tribo {

namespace {

constexpr int kMostImpacts = 100;
constexpr double kFar = 1e4;          // m/s: an offset that no motion reaches
constexpr double kRounding = 1e-12;   // of an energy
constexpr double kLeastShare = 0.05;  // of the restitution, before none is left

// All impulses along the rows of contacts.
constexpr VectorXd ContactSolution::*kContactImpulses[] = {&ContactSolution::f_n,      &ContactSolution::f_s,
                                                           &ContactSolution::f_t,      &ContactSolution::f_spin,
                                                           &ContactSolution::f_roll_s, &ContactSolution::f_roll_t};

double calc_kinetic(const ContactProblem& problem, const VectorXd& v) { return 0.5 * v.dot(problem.mass.multiply(v)); }

bool is_moved_by_hand(const ContactProblem& problem) { return !problem.b_J.isZero(0.0); }

}  // namespace

BounceSolver::BounceSolver(const SimulationOptions& options, double bounce_speed)
    : touching_(options.touching),
      bounce_speed_(bounce_speed),
      model_(options.model),
      solver_(options.model, options.solver, options.tolerance, 1) {}

// A contact that would bounce was held back (it carries an impulse, and was apart and not closing before), or bouncing under
// friction gave more than it took.
bool BounceSolver::needs_impacts(const ContactProblem& problem, const ContactSolution& solution) const {
  if (solution.f_n.size() != problem.size() || solution.v_next.size() != problem.dof()) return false;
  bool bounces = false;
  for (Index i = 0; i < problem.size(); ++i) {
    if (!(rows_[i].restitution > 0.0)) continue;
    if (problem.b_N(i) > 0.0 && solution.f_n(i) > 0.0) return true;
    bounces = bounces || problem.b_N(i) < 0.0;
  }
  if (!bounces || is_moved_by_hand(problem)) return false;
  VectorXd free = problem.f * problem.h;
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    auto part = free.segment(problem.mass.layout().start(b), problem.mass.layout().size(b));
    part = problem.mass.block(b).llt().solve(part).eval();
  }
  free += problem.v;
  return calc_kinetic(problem, solution.v_next) > calc_kinetic(problem, free) * (1.0 + kRounding);
}

bool BounceSolver::is_usable(const ContactSolution& solution) const {
  return solution.v_next.size() == problem_.dof() && solution.v_next.allFinite();
}

// Bounces are those of v; false: there are none.
bool BounceSolver::set_bounces(double share) {
  bool any = false;
  for (Index i = 0; i < problem_.size(); ++i) {
    const double e = rows_[i].restitution, gap = std::max(0.0, rows_[i].gap);
    problem_.b_N(i) = offsets_(i);
    if (!(e > 0.0)) continue;
    const double closing = -problem_.N.dot(i, problem_.v), approach = closing - pressed_(i);
    const bool hits = approach > bounce_speed_ && gap <= problem_.h * closing;
    any = any || hits;
    problem_.b_N(i) = hits ? -share * e * approach : gap > touching_ ? kFar : 0.0;
  }
  return any;
}

void BounceSolver::add_part(const ContactSolution& part) {
  sum_.v_next = part.v_next;
  for (VectorXd ContactSolution::*f : kContactImpulses) {
    if ((sum_.*f).size() == (part.*f).size()) sum_.*f += part.*f;
  }
  if (sum_.f_j.size() == part.f_j.size()) sum_.f_j += part.f_j;
}

// From problem_, as the step's own solve had it, to sum_.
void BounceSolver::solve_impacts() {
  const Index n = problem_.size();
  nothing_.clear();
  for (VectorXd* f : {&nothing_.impulses.f_n, &nothing_.impulses.f_s, &nothing_.impulses.f_t}) f->setZero(n);
  of_rest_.assign(static_cast<std::size_t>(n), 0);
  offsets_ = problem_.b_N;
  // The forces, and what stands in the way without bouncing: also what touches and was not hit.
  pressed_.resize(n);
  for (Index i = 0; i < n; ++i) {
    if (rows_[i].restitution > 0.0) offsets_(i) = std::max(0.0, rows_[i].gap) / problem_.h;
    pressed_(i) = -problem_.N.dot(i, problem_.v);
    const bool bounces = rows_[i].restitution > 0.0 && (rows_[i].gap > touching_ || pressed_(i) > bounce_speed_);
    problem_.b_N(i) = bounces ? kFar : offsets_(i);
  }
  sum_ = solver_.solve(problem_, nothing_, of_rest_, report_);
  problem_.f.setZero();
  const bool by_hand = is_moved_by_hand(problem_);
  for (Index i = 0; i < n && is_usable(sum_); ++i) {
    pressed_(i) = std::max(0.0, -problem_.N.dot(i, sum_.v_next) - std::max(0.0, pressed_(i)));
    if (rows_[i].dry_friction) offsets_(i) = 0.0;
  }
  for (int k = 0; k < kMostImpacts && is_usable(sum_); ++k) {
    problem_.v = sum_.v_next;
    const double before = calc_kinetic(problem_, problem_.v);
    if (!set_bounces(1.0)) break;
    for (double share = 1.0; share >= 0.0; share = share > kLeastShare ? 0.5 * share : share > 0.0 ? 0.0 : -1.0) {
      (void)set_bounces(share);
      const ContactSolution& part = solver_.solve(problem_, nothing_, of_rest_, report_);
      if (!is_usable(part)) return;
      if (share > 0.0 && !by_hand && calc_kinetic(problem_, part.v_next) > before * (1.0 + kRounding)) continue;
      add_part(part);
      break;
    }
  }
  if (!is_usable(sum_)) return;
  problem_.v = sum_.v_next;
  problem_.b_N = offsets_;
  const ContactSolution& last = solver_.solve(problem_, nothing_, of_rest_, report_);
  if (is_usable(last)) add_part(last);
}

// sum_ into the answer of all.
void BounceSolver::take_over(const BlockLayout& layout, const Island& island, std::vector<std::uint8_t>& of_rest,
                             IslandReport& report) {
  Index at = 0;
  for (const Index block : island.blocks) {
    solution_.v_next.segment(layout.start(block), layout.size(block)) = sum_.v_next.segment(at, layout.size(block));
    at += layout.size(block);
  }
  const auto put = [&](VectorXd ContactSolution::*f, const IndexList& places) {
    if ((sum_.*f).size() != static_cast<Index>(places.size()) || (solution_.*f).size() == 0) return;
    for (std::size_t i = 0; i < places.size(); ++i) (solution_.*f)(places[i]) = (sum_.*f)(static_cast<Index>(i));
  };
  for (VectorXd ContactSolution::*f : kContactImpulses) put(f, island.contacts);
  put(&ContactSolution::f_j, island.bilateral);
  for (const Index i : island.contacts) of_rest[static_cast<std::size_t>(i)] = 0;
  report.status = report_.status;
  report.worst = report_.worst;
  if (!report_.islands.empty()) report.solver = report_.islands[0].solver;
}

const ContactSolution& BounceSolver::solve(const ContactProblem& problem, const std::vector<BounceRow>& rows,
                                           const ContactSolution& straight, std::vector<std::uint8_t>& of_rest,
                                           StepReport& report) {
  const Index n = problem.size();
  if (straight.f_n.size() != n || straight.v_next.size() != problem.dof()) return straight;
  const auto may_bounce = [&](Index i) {
    return rows[i].restitution > 0.0 && (problem.b_N(i) < 0.0 || (problem.b_N(i) > 0.0 && straight.f_n(i) > 0.0));
  };
  Index first = 0;
  while (first < n && !may_bounce(first)) ++first;
  if (first == n) return straight;
  islands_.split(problem);
  solution_ = straight;
  bool changed = false;
  for (Index k = 0; k < islands_.islands(); ++k) {
    const Island& island = islands_[k];
    if (std::none_of(island.contacts.begin(), island.contacts.end(), may_bounce)) continue;
    rows_.clear();
    for (const Index i : island.contacts) rows_.push_back(rows[i]);
    const ContactProblem& own = islands_.whole() ? problem : island.problem;
    islands_.cut(k, problem, straight, straight_);
    if (!needs_impacts(own, straight_)) continue;
    problem_ = own;
    report_ = StepReport{};
    solve_impacts();
    report.pivots += report_.pivots;
    report.sweeps += report_.sweeps;
    report.fallback = report.fallback || report_.fallback || !is_usable(sum_);
    report.seconds_certify += report_.seconds_certify;
    if (!is_usable(sum_)) continue;
    if (!report_.detail.empty()) report.detail = report_.detail;
    take_over(problem.mass.layout(), island, of_rest, report.islands[static_cast<std::size_t>(k)]);
    changed = true;
  }
  if (!changed) return straight;
  // Answers that were replaced are judged no more.
  report.status = Status::kSolved;
  report.worst = 0.0;
  for (const IslandReport& island : report.islands) {
    report.worst = std::max(report.worst, island.worst);
    if (!is_solved(island.status)) report.status = island.status;
  }
  if (is_solved(report.status)) report.detail.clear();
  return solution_;
}

}  // namespace tribo
