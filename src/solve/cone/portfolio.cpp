#include "solve/cone/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo::cone {

namespace {
constexpr int kStarts = 4;
}

template <int D>
struct Portfolio<D>::Task {
  const ConeProblem& problem;
  const ConeWarmStart& warm;
  const ConeSettings& settings;
  ConeSolution& solution;
  double tolerance, polish;  // of the residual, in the caller's unit of velocity
  bool warm_r;               // solution.r is a guess
  bool warm_states;
  double most_mu = std::numeric_limits<double>::infinity();  // larger coefficients count as this
  bool unbounded = false, jammed = false, too_many = false;
  bool brief = false;  // there is another problem to try
  int first_start = 0,
      last_start = kStarts - 1;  // of islands with more than a few contacts: kFewAttempts, kManyAttempts
  MethodSet methods = {};
  SolveReport report = {};

  double enough() const { return polish > 0.0 ? polish : tolerance; }  // of a start, to be left as it is
};

namespace {

constexpr int kMaxSmallSteps = 20;
constexpr int kFewContacts = 24, kFewOuter = 200;  // islands that small need few proximal steps or another start
constexpr double kModerateMu = 3.0, kMuStep = 10.0;
constexpr int kAloneLimit = 100000;  // sweeps
// Newton's steps of the first start before the energy is asked. Dry friction, loops and turning rows are what it is bad at.
constexpr int kBriefSteps = 60, kBriefestSteps = 10;

// The normal force of a block by bodies that moves nothing: the bound of dry friction, kept by a spring.
bool is_held_by_spring(const ConeProblem& problem, std::int32_t i) {
  const Index first = Index{i} * problem.dimension;
  if (!(problem.R(first) > 0.0)) return false;
  for (Index k = problem.H.start[i]; k < problem.H.start[i + 1]; ++k) {
    for (int c = 0; c < problem.H.width; ++c) {
      if (problem.H.block(k)[c * problem.dimension] != 0.0) return false;
    }
  }
  return true;
}

template <int D>
void project_all(const ConeProblem& problem, VectorXd& r) {
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (!problem.is_bilateral(i)) project<D>(r.data() + i * D, problem.mu(i));
  }
}

// Contacts with three components and nothing else.
bool is_plain(const ConeProblem& problem, std::span<const std::int32_t> members) {
  return problem.dimension <= 3 && std::ranges::none_of(members, [&](std::int32_t i) {
           return problem.is_bilateral(i) || (problem.by_bodies() && is_held_by_spring(problem, i));
         });
}

struct Attempt {
  int sweeps, fewest;  // at most; before they may be called slow
  ProximalStart start;
};

}  // namespace

// The diagonal block of a contact, in lanes.
template <int D>
void Portfolio<D>::full_diagonal(const ConeProblem& problem, std::int32_t contact, double* block) const {
  std::fill(block, block + kBlock<D>, 0.0);
  if (!problem.by_bodies()) {
    const auto columns = problem.W.columns(contact);
    const auto found = std::lower_bound(columns.begin(), columns.end(), contact);
    if (found == columns.end() || *found != contact) return;
    const double* in = problem.W.block(problem.W.start[contact] + (found - columns.begin()));
    for (int b = 0; b < D; ++b) {
      for (int a = 0; a < D; ++a) block[b * kLanes<D> + a] = in[b * D + a];
    }
    return;
  }
  const int width = problem.H.width;
  for (Index k = problem.H.start[contact]; k < problem.H.start[contact + 1]; ++k) {
    const double* in = problem.H.block(k);
    for (int c = 0; c < width; ++c) {
      for (int b = 0; b < D; ++b) {
        for (int a = 0; a < D; ++a) block[b * kLanes<D> + a] += in[c * D + a] * in[c * D + b];
      }
    }
  }
  for (int a = 0; a < D; ++a) block[a * kLanes<D> + a] += problem.R(Index{contact} * D + a);
}

template <int D>
void Portfolio<D>::calc_scales(const ConeProblem& problem) {
  const Index n = problem.contacts();
  scale_.resize(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    double block[kBlock<D>], trace = 0.0;
    full_diagonal(problem, static_cast<std::int32_t>(i), block);
    for (int a = 0; a < D; ++a) trace += block[a * kLanes<D> + a];
    scale_[i] = trace > 0.0 ? std::sqrt(D / trace) : 1.0;
  }
}

// What the residual of each contact is compared with.
template <int D>
void Portfolio<D>::calc_sizes(const ConeProblem& problem) {
  const Index n = problem.contacts();
  double largest = 0.0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, problem.q.segment(i * D, D).norm());
  largest = std::max(largest, 1e-10);
  size_.assign(static_cast<std::size_t>(n), largest);
  if (problem.speed.size() != n || problem.norm.size() != n) return;
  for (std::size_t k = 0; k < islands_.count(); ++k) {
    double speed = 0.0;
    for (const std::int32_t i : islands_.members(k)) speed = std::max(speed, problem.speed(i));
    for (const std::int32_t i : islands_.members(k)) {
      if (const double size = speed * problem.norm(i); size > 0.0) size_[i] = size;
    }
  }
}

template <int D>
bool Portfolio<D>::solve_one(Task& task, std::int32_t contact) {
  alignas(64) double block[kBlock<D>], b[kLanes<D>] = {}, r[kLanes<D>] = {}, u[kLanes<D>];
  full_diagonal(task.problem, contact, block);
  const double mu = std::min(task.problem.mu(contact), task.most_mu);
  const bool bilateral = task.problem.is_bilateral(contact);
  double* out = task.solution.r.data() + Index{contact} * D;
  for (int k = 0; k < D; ++k) b[k] = task.problem.q(Index{contact} * D + k);
  const auto calc_residual = [&] {
    store<D>(u, load<D>(b) + times<D>(block, r));
    double scaled_r[D], scaled_u[D];
    for (int k = 0; k < D; ++k) {
      scaled_r[k] = r[k] / scale_[contact];
      scaled_u[k] = u[k] * scale_[contact];
    }
    return residual_at<D>(scaled_r, scaled_u, mu, bilateral) / (scale_[contact] * size_[contact]);
  };
  if (task.warm_r) {
    for (int k = 0; k < D; ++k) r[k] = out[k];
    if (calc_residual() <= task.enough()) return true;
  }
  task.methods.add(Method::kOneContact);
  ++task.report.sweeps;
  bool found = true;
  if (bilateral) {
    solve_free_block<D>(block, b, r);
  } else {
    found = solve_one_contact<D>(block, b, mu, r);
  }
  for (int k = 0; k < D; ++k) out[k] = r[k];
  if (!found || D <= 3) return found;  // blocks of more rows may be singular in most directions
  return calc_residual() <= task.tolerance;
}

// Block (i, j) of Ĥ Ĥᵀ + diag(R), column by column; false: the contacts share no body.
template <int D>
bool Portfolio<D>::calc_block(const ConeProblem& problem, std::int32_t i, std::int32_t j, double* block) const {
  const BlockSparse& H = problem.H;
  bool shared = false;
  std::fill(block, block + D * D, 0.0);
  for (Index k = H.start[i]; k < H.start[i + 1]; ++k) {
    for (Index l = H.start[j]; l < H.start[j + 1]; ++l) {
      if (H.column[k] != H.column[l]) continue;
      shared = true;
      for (int c = 0; c < H.width; ++c) {
        for (int b = 0; b < D; ++b) {
          for (int a = 0; a < D; ++a) block[b * D + a] += H.block(k)[c * D + a] * H.block(l)[c * D + b];
        }
      }
    }
  }
  for (int a = 0; i == j && a < D; ++a) block[a * D + a] += problem.R(Index{i} * D + a);
  return shared || i == j;
}

template <int D>
bool Portfolio<D>::solve_small(Task& task, std::span<const std::int32_t> members) {
  const ConeProblem& problem = task.problem;
  const int n = static_cast<int>(members.size());
  small_.start(n);
  for (int i = 0; i < n; ++i) {
    const std::int32_t row = members[i];
    if (problem.by_bodies()) {
      for (int j = 0; j < n; ++j) {
        double block[D * D];
        if (calc_block(problem, row, members[j], block))
          small_.set_block(i, j, block, scale_[row] * scale_[members[j]]);
      }
    } else {
      for (Index k = problem.W.start[row]; k < problem.W.start[row + 1]; ++k) {
        const std::int32_t other = problem.W.column[k];
        small_.set_block(i, islands_.places()[other], problem.W.block(k), scale_[row] * scale_[other]);
      }
    }
    double* q = small_.q(i);
    double* r = small_.r(i);
    for (int k = 0; k < D; ++k) q[k] = scale_[row] * problem.q(Index{row} * D + k);
    if (task.warm_r) {
      for (int k = 0; k < D; ++k) r[k] = task.solution.r(Index{row} * D + k) / scale_[row];
    }
    small_.set_law(i, std::min(problem.mu(row), task.most_mu), problem.is_bilateral(row),
                   1.0 / (scale_[row] * size_[row]));
  }
  typename SmallNewton<D>::Counts counts;
  const bool solved = small_.solve(task.tolerance, kMaxSmallSteps, !task.warm_r, counts);
  if (solved && task.polish > 0.0) small_.polish(task.polish, counts);
  if (counts.sweeps + counts.newton > 0) task.methods.add(Method::kSmallNewton);
  task.report.sweeps += counts.sweeps;
  task.report.pivots += counts.newton;
  if (!solved) return false;  // the next method starts from where this one did
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < D; ++k) task.solution.r(Index{members[i]} * D + k) = small_.r(i)[k] * scale_[members[i]];
  }
  return solved;
}

template <int D>
template <typename Operator>
void Portfolio<D>::gather(const Task& task, std::span<const std::int32_t> members, IslandSolver<D, Operator>& island) {
  constexpr int L = kLanes<D>;
  const ConeProblem& problem = task.problem;
  const auto n = static_cast<Index>(members.size());
  island.resize(n);
  island.op.assign(problem, members, islands_.places(), scale_);
  for (Index i = 0; i < n; ++i) {
    const std::int32_t row = members[i];
    for (int k = 0; k < D; ++k) {
      island.q[i * L + k] = scale_[row] * problem.q(Index{row} * D + k);
      island.r[i * L + k] = task.solution.r(Index{row} * D + k) / scale_[row];
    }
    island.mu[i] = std::min(problem.mu(row), task.most_mu);
    island.inverse_scale[i] = 1.0 / (scale_[row] * size_[row]);
    island.bilateral[i] = problem.is_bilateral(row) ? 1 : 0;
  }
}

template <int D>
template <typename Operator>
void Portfolio<D>::start_from_states(Task& task, std::span<const std::int32_t> members,
                                     IslandSolver<D, Operator>& island) {
  gather(task, members, island);
  states_.clear();
  for (const std::int32_t i : members) {
    const auto known = static_cast<std::size_t>(i) < task.warm.states.size();
    states_.push_back(known ? task.warm.states[i] : ContactState::kStick);  // bilateral blocks may be left out
  }
  if (!island.start_from(states_.data(), task.report.pivots)) return;
  task.warm_r = true;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (int k = 0; k < D; ++k) {
      task.solution.r(Index{members[i]} * D + k) = island.r[i * kLanes<D> + k] * scale_[members[i]];
    }
  }
}

// By approach speed, the fastest first: sweeps know an order, and this one does not depend on how the contacts are listed or
// how their tangents are turned. Where there are several answers the same one is found.
template <int D>
std::span<const std::int32_t> Portfolio<D>::sort_members(const ConeProblem& problem,
                                                         std::span<const std::int32_t> members) {
  sorted_.assign(members.begin(), members.end());
  const auto less = [&](std::int32_t a, std::int32_t b) {
    const double q_a = problem.q(Index{a} * D), q_b = problem.q(Index{b} * D);
    if (q_a != q_b) return q_a < q_b;
    return problem.mu(a) != problem.mu(b) ? problem.mu(a) < problem.mu(b) : a < b;
  };
  std::sort(sorted_.begin(), sorted_.end(), less);
  islands_.set_places(sorted_);
  return sorted_;
}

// Islands with few degrees of freedom: dense, by an energy that falls. True: the answer is in island.r.
template <int D>
template <typename Operator>
bool Portfolio<D>::solve_by_energy(Task& task, std::span<const std::int32_t> members, IslandSolver<D, Operator>& island,
                                   IslandCounts& counts) {
  task.methods.add(Method::kEnergy);
  // Of loops that nearly repeat one another: rows left out are violated by so much, those left in have impulses of its inverse.
  static constexpr double kRedundant[] = {1e-8, 1e-7, 1e-10};
  VectorXd& r = task.solution.r;
  for (const double redundant : kRedundant) {
    if (reduced_.assign(task.problem, members, scale_, size_, task.most_mu, redundant, task.tolerance)) {
      given_r_ = r;
      const bool solved = (task.warm_r && reduced_.solve(true, task.tolerance, r, counts)) ||
                          reduced_.solve(false, task.tolerance, r, counts);
      if (!solved) return false;
      for (std::size_t i = 0; i < members.size(); ++i) {
        for (int k = 0; k < D; ++k) island.r[i * kLanes<D> + k] = r(Index{members[i]} * D + k) / scale_[members[i]];
      }
      if (island.evaluate() <= task.tolerance) return true;
      r = given_r_;
    }
    if (!reduced_.has_bilateral()) break;
  }
  return false;
}

template <int D>
template <typename Operator>
bool Portfolio<D>::solve_large(Task& task, std::span<const std::int32_t> given, IslandSolver<D, Operator>& island) {
  constexpr int L = kLanes<D>;
  const std::span<const std::int32_t> members = sort_members(task.problem, given);
  const auto n = static_cast<Index>(members.size());
  gather(task, members, island);
  IslandCounts counts;
  bool solved = false;
  if (task.settings.method == ConeMethod::kGaussSeidel) {
    const int limit = task.settings.max_sweeps > 0 ? task.settings.max_sweeps : kAloneLimit;
    solved = island.sweeps(task.tolerance, limit, limit, counts);
    task.methods.add(Method::kSweeps);
  } else {
    // The iteration is chaotic on hard problems: another start succeeds where the first did not. Sweeps know an order, so the
    // first start does without them.
    static constexpr Attempt kFewAttempts[kStarts] = {{0, 0, {1e-3, 0.0, 0, false}},
                                                      {100, 3, {1e-3, 0.0, 0, false}},
                                                      {300, 300, {0.1, 0.0, 0, false}},
                                                      {0, 0, {1.0, 0.0, 0, false}}};
    static constexpr Attempt kManyAttempts[kStarts] = {{0, 0, {0.1, 0.02, 80, false}},
                                                       {0, 0, {0.1, 0.02, 400, true}},
                                                       {100, 3, {1e-3, 0.1, 400, true}},
                                                       {300, 300, {0.1, 0.05, 600, true}}};
    const std::span<const Attempt> attempts = n <= kFewContacts ? kFewAttempts : kManyAttempts;
    const int outer = n <= kFewContacts ? std::min(kFewOuter, task.settings.max_outer) : task.settings.max_outer;
    solved = island.evaluate() <= task.tolerance;
    double best = std::numeric_limits<double>::infinity();
    constexpr int kAnyNumber = std::numeric_limits<int>::max();
    if (!solved && task.first_start == 0 && task.settings.method == ConeMethod::kAuto &&
        reduced_.suits(task.problem, members)) {
      task.methods.add(Method::kProximal);
      solved = island.proximal(task.tolerance, outer, is_plain(task.problem, members) ? kBriefSteps : kBriefestSteps,
                               attempts[0].start, counts);
      if (!solved && !counts.unbounded) solved = solve_by_energy(task, members, island, counts);
      if (!solved) gather(task, members, island);  // as it was given
      counts.unbounded = false;
    }
    for (int start = task.first_start; start <= task.last_start && !solved && !counts.unbounded; ++start) {
      const Attempt& attempt = attempts[start];
      if (start > 0) {
        task.report.fallback = true;
        std::fill(island.r.begin(), island.r.end(), 0.0);
      }
      if (attempt.sweeps > 0 && task.settings.method != ConeMethod::kProximal) {
        solved = island.sweeps(task.tolerance, attempt.sweeps, attempt.fewest, counts);
        if (counts.sweeps > 0) task.methods.add(Method::kSweeps);
        if (solved) break;
      }
      task.methods.add(Method::kProximal);
      solved = island.proximal(task.tolerance, outer, kAnyNumber, attempt.start, counts);
      if (solved || task.settings.method == ConeMethod::kProximal) break;
      if (const double reached = island.evaluate(); reached < best) {
        best = reached;
        best_ = island.r;
      }
    }
    if (!solved && std::isfinite(best)) island.r = best_;
  }
  if (solved && task.polish > 0.0 && n <= task.settings.most_polished) island.polish(task.polish, counts);
  task.unbounded = counts.unbounded;
  task.report.sweeps += counts.sweeps;
  task.report.pivots += counts.newton;
  for (Index i = 0; i < n; ++i) {
    for (int k = 0; k < D; ++k) task.solution.r(Index{members[i]} * D + k) = island.r[i * L + k] * scale_[members[i]];
  }
  islands_.set_places(given);
  return solved;
}

// By the velocities of the last finish().
template <int D>
bool Portfolio<D>::is_solved(const Task& task, std::span<const std::int32_t> members) const {
  return std::ranges::all_of(members, [&](std::int32_t i) {
    double r[D], u[D];
    for (int k = 0; k < D; ++k) {
      r[k] = task.solution.r(Index{i} * D + k) / scale_[i];
      u[k] = task.solution.u(Index{i} * D + k) * scale_[i];
    }
    return residual_at<D>(r, u, task.problem.mu(i), task.problem.is_bilateral(i)) <=
           task.tolerance * scale_[i] * size_[i];
  });
}

template <int D>
bool Portfolio<D>::solve_island(Task& task, std::span<const std::int32_t> members) {
  double most = 0.0;
  for (const std::int32_t i : members) {
    if (!task.problem.is_bilateral(i)) most = std::max(most, task.problem.mu(i));
  }
  task.most_mu = std::numeric_limits<double>::infinity();
  const bool warm = task.warm_r;
  bool again = false;
  if (task.first_start > 0) {
    if (is_solved(task, members)) return true;  // by an earlier start
    for (const std::int32_t i : members) task.solution.r.segment(Index{i} * D, D).setZero();
    task.warm_r = false;
  } else if (!warm && task.warm_states && members.size() > SmallNewton<D>::kMost) {  // few contacts are as fast without
    task.methods.add(Method::kStates);
    if (task.problem.by_bodies()) {
      start_from_states(task, members, by_bodies_);
    } else {
      start_from_states(task, members, by_contacts_);
    }
  }
  if (task.warm_r) {
    const bool found = solve_capped(task, members);
    if (found || task.brief || task.settings.method != ConeMethod::kAuto) {
      task.warm_r = warm;
      return found;
    }
    for (const std::int32_t i : members)
      task.solution.r.segment(Index{i} * D, D).setZero();  // as if nothing were known
    task.warm_r = false;
    task.report.fallback = true;
    again = true;
  }
  const int first = task.first_start, last = task.last_start;
  const bool moderate = most <= kModerateMu || task.settings.method != ConeMethod::kAuto;
  if (!moderate) task.first_start = 0;                            // goes on from coefficient to coefficient
  if (moderate && again && !task.unbounded) task.last_start = 0;  // the others knew nothing before
  const bool solved = moderate ? solve_capped(task, members) : solve_by_mu(task, members, most);
  task.first_start = first;
  task.last_start = last;
  task.warm_r = warm;
  return solved;
}

// Large coefficients by steps: contacts that stick with a moderate one mostly stick with any larger one, and where they do not
// the answer is near.
template <int D>
bool Portfolio<D>::solve_by_mu(Task& task, std::span<const std::int32_t> members, double most) {
  bool solved = false;
  for (double cap = kModerateMu;; cap *= kMuStep) {
    task.most_mu = cap < most ? cap : std::numeric_limits<double>::infinity();
    solved = solve_capped(task, members);
    task.warm_r = true;
    if (cap >= most) break;
    if (task.unbounded) {  // no place to go on from
      for (const std::int32_t i : members) task.solution.r.segment(Index{i} * D, D).setZero();
      task.warm_r = false;
    }
    for (const std::int32_t i : members) {
      // What slides goes on with the same friction: the normal force is a smaller part of it.
      const double mu = std::min(task.problem.mu(i), cap), next = std::min(task.problem.mu(i), cap * kMuStep);
      double* r = task.solution.r.data() + Index{i} * D;
      if (next > mu && tangent_norm<D>(r) >= (1.0 - 1e-6) * mu * r[0]) r[0] *= mu / next;
    }
  }
  return solved;
}

template <int D>
bool Portfolio<D>::solve_capped(Task& task, std::span<const std::int32_t> members) {
  task.unbounded = false;
  const ConeMethod method = task.settings.method;
  if (members.size() == 1 && (method == ConeMethod::kAuto || method == ConeMethod::kNewton)) {
    if (solve_one(task, members[0])) return true;
    if (method != ConeMethod::kAuto) return false;
  } else if (members.size() <= SmallNewton<D>::kMost &&
             (method == ConeMethod::kAuto || method == ConeMethod::kNewton)) {
    if (solve_small(task, members)) return true;
  }
  if (method == ConeMethod::kNewton) {
    task.too_many = task.too_many || members.size() > SmallNewton<D>::kMost;
    return false;
  }
  return task.problem.by_bodies() ? solve_large(task, members, by_bodies_) : solve_large(task, members, by_contacts_);
}

// As cone_problem.hpp says; `small` is what counts as zero, of impulses and velocities alike (they are scaled).
template <int D>
ContactState Portfolio<D>::calc_state(const double* r, const double* u, double mu, bool bilateral, double small) {
  if (bilateral) return ContactState::kStick;
  if (!(r[0] > small) && !(tangent_norm<D>(r) > small)) return ContactState::kOpen;
  return mu > 0.0 && tangent_norm<D>(u) <= small ? ContactState::kStick : ContactState::kSlide;
}

// u, states and the residual of the whole, from the caller's data.
template <int D>
double Portfolio<D>::finish(const ConeProblem& problem, double tolerance, ConeSolution& solution) const {
  const Index n = problem.contacts();
  solution.u = problem.q;
  if (problem.by_bodies()) {
    body_velocity_.assign(static_cast<std::size_t>(problem.H.cols()), 0.0);
    Eigen::Map<VectorXd> v(body_velocity_.data(), problem.H.cols());
    problem.H.add_transposed_product(solution.r, v);
    problem.H.add_product(v, solution.u);
    solution.u.array() += problem.R.array() * solution.r.array();
  } else {
    problem.W.add_product(solution.r, solution.u);
  }
  solution.states.resize(static_cast<std::size_t>(n));
  double worst = 0.0;
  for (Index i = 0; i < n; ++i) {
    double r[D], u[D];
    for (int k = 0; k < D; ++k) {
      r[k] = solution.r(i * D + k) / scale_[i];
      u[k] = solution.u(i * D + k) * scale_[i];
    }
    const bool bilateral = problem.is_bilateral(i);
    const double at = residual_at<D>(r, u, problem.mu(i), bilateral) / (scale_[i] * size_[i]);
    worst = std::isnan(at) ? std::numeric_limits<double>::infinity() : std::max(worst, at);
    solution.states[i] = calc_state(r, u, problem.mu(i), bilateral, tolerance * size_[i] * scale_[i]);
  }
  return worst;
}

template <int D>
void Portfolio<D>::reserve(const ConeProblem& problem) {
  const Index n = problem.contacts();
  ConeSolution nothing;
  nothing.r.setZero(n * D);
  const Task task{.problem = problem,
                  .warm = {},
                  .settings = {},
                  .solution = nothing,
                  .tolerance = 0.0,
                  .polish = 0.0,
                  .warm_r = false,
                  .warm_states = false};
  calc_scales(problem);
  islands_.split(problem);
  calc_sizes(problem);
  states_.reserve(static_cast<std::size_t>(n));
  best_.reserve(static_cast<std::size_t>(n) * kLanes<D>);
  listed_.reserve(static_cast<std::size_t>(n));
  if (problem.by_bodies()) body_velocity_.resize(static_cast<std::size_t>(problem.H.cols()));
  reduced_.reserve(problem);
  for (std::size_t k = 0; k < islands_.count(); ++k) {
    const std::span<const std::int32_t> members = islands_.members(k);
    sort_members(problem, members);
    islands_.set_places(members);
    if (problem.by_bodies()) {
      gather(task, members, by_bodies_);
      by_bodies_.op.reserve();
    } else {
      gather(task, members, by_contacts_);
      by_contacts_.op.reserve();
    }
  }
}

template <int D>
bool Portfolio<D>::solve_islands(Task& task) {
  bool solved = true;
  for (std::size_t k = 0; k < islands_.count(); ++k) {
    const std::span<const std::int32_t> members = islands_.members(k);
    if (solve_island(task, members)) continue;
    solved = false;
    task.jammed = task.jammed || task.unbounded;
    if (task.report.index < 0) task.report.index = members[0];
  }
  return solved;
}

// Contacts that carry nothing and move apart faster than any of their island approaches will hardly close. False: there are none.
template <int D>
bool Portfolio<D>::leave_out(const ConeProblem& problem, const VectorXd& r) {
  bool any = false;
  listed_.assign(static_cast<std::size_t>(problem.contacts()), 1);
  for (std::size_t k = 0; k < islands_.count(); ++k) {
    double fastest = 0.0;
    for (const std::int32_t i : islands_.members(k)) {
      if (!problem.is_bilateral(i)) fastest = std::max(fastest, -scale_[i] * problem.q(Index{i} * D));
    }
    for (const std::int32_t i : islands_.members(k)) {
      if (problem.is_bilateral(i) || !(scale_[i] * problem.q(Index{i} * D) > fastest)) continue;
      if (!r.segment(Index{i} * D, D).isZero(0.0)) continue;
      listed_[i] = 0;
      any = true;
    }
  }
  return any;
}

// Those left out that the answer of the others closes are listed from now on. False: there are none.
template <int D>
bool Portfolio<D>::list_closed(const ConeProblem& problem, double tolerance, const ConeSolution& solution) {
  bool any = false;
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (listed_[i] != 0 || solution.u(i * D) >= -tolerance * size_[i]) continue;
    listed_[i] = 1;
    any = true;
  }
  return any;
}

// By bodies, pairs of bodies that only open contacts join still cost fill: in a heap with a margin of a centimetre more than half
// of it, and what they join would otherwise be several islands. So they come in only when the answer of the others closes them;
// with the last answer nothing is left out that closes, so it is an answer of the whole.
template <int D>
bool Portfolio<D>::solve_listed(Task& task) {
  const ConeProblem& problem = task.problem;
  constexpr int kRounds = 8, kListedStarts = 2;
  const bool alone = !problem.by_bodies() || problem.contacts() <= kFewContacts ||
                     task.settings.method == ConeMethod::kGaussSeidel || !leave_out(problem, task.solution.r);
  if (alone) return solve_islands(task);
  const bool warm = task.warm_r;
  const int starts = task.settings.method == ConeMethod::kAuto ? kListedStarts : 1;
  int start = 0;
  for (int round = 0; round < kRounds && start < starts; ++round) {
    islands_.split(problem, listed_);
    task.brief = true;
    task.jammed = false;
    task.report.index = -1;
    task.first_start = task.last_start = start;
    const bool solved = solve_islands(task);
    task.brief = false;
    finish(problem, task.tolerance, task.solution);
    // Without them there may be no answer; where it comes to then shows which are missing.
    if (list_closed(problem, task.tolerance, task.solution)) {
      task.warm_r = true;  // from where it is
      start = 0;
      continue;
    }
    if (solved) return true;
    ++start;
  }
  task.first_start = 0;
  task.last_start = kStarts - 1;
  task.warm_r = warm;
  task.jammed = false;
  task.report.index = -1;
  task.report.fallback = true;
  if (warm) {
    task.solution.r = task.warm.r;
    project_all<D>(problem, task.solution.r);
  } else {
    task.solution.r.setZero();
  }
  islands_.split(problem);
  return solve_islands(task);
}

template <int D>
SolveReport Portfolio<D>::solve(const ConeProblem& problem, const ConeWarmStart& warm, const ConeSettings& settings,
                                ConeSolution& solution) {
  const Index n = problem.contacts();
  Index named = static_cast<Index>(warm.states.size());  // contacts whose state is known; the rest must be bilateral
  while (named < n && named > 0 && problem.is_bilateral(named)) ++named;
  Task task{.problem = problem,
            .warm = warm,
            .settings = settings,
            .solution = solution,
            .tolerance = settings.tolerance,
            .polish = settings.polish,
            .warm_r = n > 0 && warm.r.size() == n * D && warm.r.allFinite(),
            .warm_states = n > 0 && named == n};
  calc_scales(problem);
  if (n > 0) {
    islands_.split(problem);
    calc_sizes(problem);
  }
  if (task.warm_r) {
    solution.r = warm.r;
  } else {
    solution.r.setZero(n * D);
  }
  bool solved = true;
  // Few contacts test their start themselves.
  const bool test = task.warm_r || n > SmallNewton<D>::kMost;
  if (n > 0 && !(test && finish(problem, task.tolerance, solution) <= task.enough())) {
    if (task.warm_r) project_all<D>(problem, solution.r);
    solved = solve_listed(task);
  }
  const double residual = finish(problem, task.tolerance, solution);
  SolveReport& report = task.report;
  report.iterations = report.sweeps + report.pivots;
  report.status = residual <= task.tolerance ? Status::kSolved : Status::kIterationLimit;
  report.methods = task.methods;
  if (report.status == Status::kSolved) {
    report.index = -1;
  } else if (!solved && task.jammed) {
    report.status = Status::kBreakdown;
    report.detail = "the contacts jam: their impulses grow without bound, and there may be no answer";
  } else if (!std::isfinite(residual)) {
    report.status = Status::kBreakdown;
    report.detail = "a number is not finite";
  } else if (task.too_many) {
    report.detail = "an island has more than 24 rows, the most that the dense method takes";
  } else {
    report.detail = "no point with a small enough residual was met, and there may be none";
  }
  return report;
}

template class Portfolio<2>;
template class Portfolio<3>;
template class Portfolio<4>;
template class Portfolio<6>;

}  // namespace tribo::cone
