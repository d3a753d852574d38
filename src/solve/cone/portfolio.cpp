#include "solve/cone/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tribo::cone {

template <int D>
struct Portfolio<D>::Task {
  const ConeProblem& problem;
  const ConeWarmStart& warm;
  const ConeSettings& settings;
  ConeSolution& solution;
  double tolerance, polish;                                  // of the residual, in the caller's unit of velocity
  bool warm_r;                                               // solution.r is a guess
  double most_mu = std::numeric_limits<double>::infinity();  // larger coefficients count as this
  bool unbounded = false, jammed = false;
  unsigned stages = 0;
  SolveReport report = {};
};

namespace {

constexpr int kMaxSmallSteps = 20;
constexpr int kFewContacts = 24, kFewOuter = 200;  // islands that small need few proximal steps or another start
constexpr double kModerateMu = 3.0, kMuStep = 10.0;
constexpr int kSweepLimit = 100, kFewestSweeps = 3, kAloneLimit = 100000;

struct Attempt {
  int sweeps, fewest;  // at most; before they may be called slow
  double alpha;        // of the first proximal step
};

std::int32_t find_root(std::vector<std::int32_t>& root, std::int32_t i) {
  while (root[i] != i) {
    root[i] = root[root[i]];
    i = root[i];
  }
  return i;
}

void join(std::vector<std::int32_t>& root, std::int32_t a, std::int32_t b) {
  a = find_root(root, a);
  b = find_root(root, b);
  if (a != b) root[std::max(a, b)] = std::min(a, b);
}

}  // namespace

template <int D>
const char* Portfolio<D>::describe(unsigned stages) {
  static constexpr const char* kNames[16] = {"nothing to do",
                                             "one contact",
                                             "small newton",
                                             "one contact, small newton",
                                             "sweeps",
                                             "one contact, sweeps",
                                             "small newton, sweeps",
                                             "one contact, small newton, sweeps",
                                             "proximal newton",
                                             "one contact, proximal newton",
                                             "small newton, proximal newton",
                                             "one contact, small newton, proximal newton",
                                             "sweeps, proximal newton",
                                             "one contact, sweeps, proximal newton",
                                             "small newton, sweeps, proximal newton",
                                             "one contact, small newton, sweeps, proximal newton"};
  return kNames[stages & 15U];
}

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
  weight_.resize(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    double block[kBlock<D>], trace = 0.0;
    full_diagonal(problem, static_cast<std::int32_t>(i), block);
    for (int a = 0; a < D; ++a) trace += block[a * kLanes<D> + a];
    weight_[i] = trace > 0.0 ? trace / D : 1.0;
    scale_[i] = 1.0 / std::sqrt(weight_[i]);
  }
}

// Contacts that W joins, or that share a body, are solved together.
template <int D>
void Portfolio<D>::split(const ConeProblem& problem) {
  const auto n = static_cast<std::int32_t>(problem.contacts());
  if (!problem.by_bodies() && problem.W.blocks() == Index{n} * n) {
    members_.resize(n);
    local_.resize(n);
    std::iota(members_.begin(), members_.end(), 0);
    std::iota(local_.begin(), local_.end(), 0);
    island_start_.assign(1, 0);
    island_start_.push_back(n);
    return;
  }
  root_.resize(n);
  std::iota(root_.begin(), root_.end(), 0);
  if (problem.by_bodies()) {
    first_of_body_.assign(static_cast<std::size_t>(problem.H.block_cols), -1);
    for (std::int32_t i = 0; i < n; ++i) {
      for (const std::int32_t body : problem.H.columns(i)) {
        if (first_of_body_[body] < 0) first_of_body_[body] = i;
        join(root_, i, first_of_body_[body]);
      }
    }
  } else {
    for (std::int32_t i = 0; i < n; ++i) {
      for (const std::int32_t j : problem.W.columns(i)) {
        if (j != i) join(root_, i, j);
      }
    }
  }
  // Roots are the smallest members, so islands come in their order, and what is inside keeps its own.
  island_start_.assign(1, 0);
  local_.resize(n);
  members_.resize(n);
  std::int32_t islands = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t root = find_root(root_, i);
    if (root == i) {
      local_[i] = islands++;
      island_start_.push_back(0);
    }
    ++island_start_[(root == i ? local_[i] : local_[root]) + 1];
  }
  for (std::int32_t k = 0; k < islands; ++k) island_start_[k + 1] += island_start_[k];
  first_of_body_.assign(island_start_.begin(), island_start_.end());  // the next free place of each island
  for (std::int32_t i = 0; i < n; ++i) members_[first_of_body_[local_[find_root(root_, i)]]++] = i;
  for (std::int32_t k = 0; k < islands; ++k) {
    for (std::int32_t e = island_start_[k]; e < island_start_[k + 1]; ++e) local_[members_[e]] = e - island_start_[k];
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
  if (task.warm_r) {
    for (int k = 0; k < D; ++k) r[k] = out[k];
    store<D>(u, load<D>(b) + times<D>(block, r));
    double scaled_r[D], scaled_u[D];
    for (int k = 0; k < D; ++k) {
      scaled_r[k] = r[k] / scale_[contact];
      scaled_u[k] = u[k] * scale_[contact];
    }
    if (residual_at<D>(scaled_r, scaled_u, mu, bilateral) / scale_[contact] <= task.tolerance) return true;
  }
  task.stages |= kOne;
  ++task.report.sweeps;
  bool found = true;
  if (bilateral) {
    solve_free_block<D>(block, b, r);
  } else {
    found = solve_one_contact<D>(block, b, mu, r);
  }
  for (int k = 0; k < D; ++k) out[k] = r[k];
  return found;
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
        small_.set_block(i, local_[other], problem.W.block(k), scale_[row] * scale_[other]);
      }
    }
    double* q = small_.q(i);
    double* r = small_.r(i);
    for (int k = 0; k < D; ++k) q[k] = scale_[row] * problem.q(Index{row} * D + k);
    if (task.warm_r) {
      for (int k = 0; k < D; ++k) r[k] = task.solution.r(Index{row} * D + k) / scale_[row];
    }
    small_.set_law(i, std::min(problem.mu(row), task.most_mu), problem.is_bilateral(row), 1.0 / scale_[row]);
  }
  typename SmallNewton<D>::Counts counts;
  const bool solved = small_.solve(task.tolerance, kMaxSmallSteps, !task.warm_r, counts);
  if (solved && task.polish > 0.0 && counts.newton > 0) small_.polish(task.polish, counts);
  if (counts.sweeps + counts.newton > 0) task.stages |= kSmall;
  task.report.sweeps += counts.sweeps;
  task.report.pivots += counts.newton;
  if (!solved && !task.warm_r) return false;  // the next method starts from where this one did
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
  island.op.assign(problem, members, local_, scale_);
  for (Index i = 0; i < n; ++i) {
    const std::int32_t row = members[i];
    for (int k = 0; k < D; ++k) {
      island.q[i * L + k] = scale_[row] * problem.q(Index{row} * D + k);
      island.r[i * L + k] = task.solution.r(Index{row} * D + k) / scale_[row];
    }
    island.mu[i] = std::min(problem.mu(row), task.most_mu);
    island.inverse_scale[i] = 1.0 / scale_[row];
    island.bilateral[i] = problem.is_bilateral(row) ? 1 : 0;
  }
}

template <int D>
template <typename Operator>
void Portfolio<D>::start_from_states(Task& task, std::span<const std::int32_t> members,
                                     IslandSolver<D, Operator>& island) {
  gather(task, members, island);
  states_.clear();
  for (const std::int32_t i : members) states_.push_back(task.warm.states[i]);
  ++task.report.pivots;
  if (!island.start_from(states_.data())) return;
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
  for (std::size_t k = 0; k < sorted_.size(); ++k) local_[sorted_[k]] = static_cast<std::int32_t>(k);
  return sorted_;
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
    task.stages |= kSweeps;
  } else {
    // The iteration is chaotic on hard problems: another start succeeds where the first did not.
    static constexpr Attempt kAttempts[] = {
        {kSweepLimit, kFewestSweeps, 1e-3}, {0, 0, 1e-3}, {300, 300, 0.1}, {0, 0, 1.0}};
    const int outer = n <= kFewContacts ? std::min(kFewOuter, task.settings.max_outer) : task.settings.max_outer;
    double best = std::numeric_limits<double>::infinity();
    for (const Attempt& attempt : kAttempts) {
      if (attempt.sweeps > 0 && task.settings.method != ConeMethod::kProximal) {
        solved = island.sweeps(task.tolerance, attempt.sweeps, attempt.fewest, counts);
        if (counts.sweeps > 0) task.stages |= kSweeps;
        if (solved) break;
      }
      task.stages |= kProximal;
      solved = island.proximal(task.tolerance, outer, attempt.alpha, counts);
      if (solved || counts.unbounded || task.settings.method == ConeMethod::kProximal) break;
      if (const double reached = island.evaluate(); reached < best) {
        best = reached;
        best_ = island.r;
      }
      std::fill(island.r.begin(), island.r.end(), 0.0);
    }
    if (!solved && std::isfinite(best)) island.r = best_;
  }
  if (solved && task.polish > 0.0 && counts.newton + counts.sweeps > 0) island.polish(task.polish, counts);
  task.unbounded = counts.unbounded;
  task.report.sweeps += counts.sweeps;
  task.report.pivots += counts.newton;
  for (Index i = 0; i < n; ++i) {
    for (int k = 0; k < D; ++k) task.solution.r(Index{members[i]} * D + k) = island.r[i * L + k] * scale_[members[i]];
  }
  for (std::size_t k = 0; k < given.size(); ++k) local_[given[k]] = static_cast<std::int32_t>(k);
  return solved;
}

// Large coefficients by steps: contacts that stick with a moderate one mostly stick with any larger one, and where they do not
// the answer is near.
template <int D>
bool Portfolio<D>::solve_island(Task& task, std::span<const std::int32_t> members) {
  double most = 0.0;
  for (const std::int32_t i : members) {
    if (!task.problem.is_bilateral(i)) most = std::max(most, task.problem.mu(i));
  }
  task.most_mu = std::numeric_limits<double>::infinity();
  const bool warm = task.warm_r;
  if (!warm && task.warm.states.size() == static_cast<std::size_t>(task.problem.contacts())) {
    if (task.problem.by_bodies()) {
      start_from_states(task, members, by_bodies_);
    } else {
      start_from_states(task, members, by_contacts_);
    }
  }
  if (most <= kModerateMu || task.settings.method != ConeMethod::kAuto || task.warm_r) {
    const bool found = solve_capped(task, members);
    task.warm_r = warm;
    return found;
  }
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
  task.warm_r = warm;
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
  if (method == ConeMethod::kNewton) return false;
  return task.problem.by_bodies() ? solve_large(task, members, by_bodies_) : solve_large(task, members, by_contacts_);
}

// u, states and the residual of the whole, from the caller's data.
template <int D>
double Portfolio<D>::finish(const ConeProblem& problem, ConeSolution& solution) const {
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
    const double at = residual_at<D>(r, u, problem.mu(i), bilateral) / scale_[i];
    if (!(at <= worst)) worst = at;
    solution.states[i] = state_of(classify<D>(r, u, problem.mu(i), bilateral).kind);
  }
  return worst;
}

template <int D>
void Portfolio<D>::reserve(const ConeProblem& problem) {
  ConeSolution unused;
  (void)solve(problem, {}, {}, unused);
}

template <int D>
SolveReport Portfolio<D>::solve(const ConeProblem& problem, const ConeWarmStart& warm, const ConeSettings& settings,
                                ConeSolution& solution) {
  const Index n = problem.contacts();
  double size = 0.0;
  for (Index i = 0; i < n; ++i) size = std::max(size, problem.q.segment(i * D, D).norm());
  Task task{.problem = problem,
            .warm = warm,
            .settings = settings,
            .solution = solution,
            .tolerance = settings.tolerance * std::max(size, 1e-10),
            .polish = settings.polish * std::max(size, 1e-10),
            .warm_r = warm.r.size() == n * D};
  calc_scales(problem);
  if (task.warm_r) {
    solution.r = warm.r;
    for (Index i = 0; i < n; ++i) {
      if (!problem.is_bilateral(i)) project<D>(solution.r.data() + i * D, problem.mu(i));
    }
  } else {
    solution.r.setZero(n * D);
  }
  bool solved = true;
  if (n == 1) {
    const std::int32_t only = 0;
    local_.assign(1, 0);
    solved = solve_island(task, {&only, 1});
    task.jammed = task.unbounded;
    if (!solved) task.report.index = 0;
  } else if (n > 1 && !((task.warm_r || n > SmallNewton<D>::kMost) && finish(problem, solution) <= task.tolerance)) {
    split(problem);
    for (std::size_t k = 0; k + 1 < island_start_.size(); ++k) {
      const std::span<const std::int32_t> members(members_.data() + island_start_[k],
                                                  static_cast<std::size_t>(island_start_[k + 1] - island_start_[k]));
      if (!solve_island(task, members)) {
        solved = false;
        task.jammed = task.jammed || task.unbounded;
        if (task.report.index < 0) task.report.index = members[0];
      }
    }
  }
  const double residual = finish(problem, solution);
  SolveReport& report = task.report;
  report.iterations = report.sweeps + report.pivots;
  report.status = residual <= task.tolerance ? Status::kSolved : Status::kIterationLimit;
  report.detail = describe(task.stages);
  if (report.status == Status::kSolved) {
    report.index = -1;
  } else if (!solved && task.jammed) {
    report.status = Status::kBreakdown;
    report.detail = "the contacts jam: their impulses grow without bound, and there may be no answer";
  } else if (!std::isfinite(residual)) {
    report.status = Status::kBreakdown;
    report.detail = "a number is not finite";
  }
  return report;
}

template class Portfolio<2>;
template class Portfolio<3>;
template class Portfolio<4>;
template class Portfolio<6>;

}  // namespace tribo::cone
