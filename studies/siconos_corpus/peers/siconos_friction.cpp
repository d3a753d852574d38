#include "siconos_friction.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/core/clock.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <exception>

#include "least_seconds.hpp"
#include "siconos_friction_run.hpp"
#include "siconos_friction_table.hpp"
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tribo {
namespace {

constexpr long kSmallRows = 60;   // smaller matrices are not given to sparse factorizations
constexpr long kDenseRows = 200;  // larger ones not to dense

// What a solver's process sends, one at a time.
struct Message {
  int target = -1;  // -1: no target, only a residual
  PeerTime time;
};

void send(int pipe, const Message& message) {
  if (write(pipe, &message, sizeof message) != static_cast<ssize_t>(sizeof message)) _exit(4);
}

// Local: in batches. Global: matrices anew before every run, since some of its drivers keep factors in them.
double repeat(SiconosFriction& peer, double first, double budget) {
  if (!peer.is_global()) return std::min(first, least_seconds_of([&] { peer.run(); }, budget));
  double least = first;
  const Stopwatch total;
  do {
    peer.renew();
    const Stopwatch watch;
    peer.run();
    least = std::min(least, watch.seconds());
  } while (total.seconds() < budget);
  return least;
}

// Tolerance after tolerance until the last target is met. `local` is what answers are judged by.
void sweep(SiconosFriction& peer, const LocalFriction& local, const PeerLimits& limits, int pipe) {
  std::size_t next = 0;
  int failed = 0;
  double best = std::numeric_limits<double>::infinity();
  for (int digits = 2; digits <= 15 && next < limits.targets.size() && failed < 2; ++digits) {
    const double tolerance = std::pow(10.0, -digits);
    peer.set_tolerance(tolerance);
    peer.renew();
    const Stopwatch watch;
    const int info = peer.run();
    const double first = watch.seconds();
    Message message{-1, {true, first, certify(local, {peer.reaction(), {}, {}}).worst, tolerance, peer.iterations()}};
    failed = info == 0 || message.time.residual < 0.5 * best ? 0 : failed + 1;
    best = std::min(best, message.time.residual);
    send(pipe, message);
    if (message.time.residual > limits.targets[next]) continue;
    const double least = repeat(peer, first, limits.repeats);
    // A run that changes the problem it was given has one good run.
    const double again = certify(local, {peer.reaction(), {}, {}}).worst;
    for (; next < limits.targets.size() && message.time.residual <= limits.targets[next]; ++next) {
      message.target = static_cast<int>(next);
      message.time.seconds = again <= limits.targets[next] ? least : first;
      send(pipe, message);
    }
  }
}

template <typename Problem>
[[noreturn]] void work(const Problem& problem, const LocalFriction& local, const PeerChoice& choice,
                       PeerStorage storage, const PeerLimits& limits, int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  try {
    SiconosFriction peer(problem, choice, storage);
    sweep(peer, local, limits, pipe);
  } catch (const std::exception&) {
    _exit(3);
  }
  _exit(0);
}

// Few contacts need little.
double time_limit(const LocalFriction& problem, const PeerLimits& limits) {
  return std::min(limits.seconds, 0.25 + 0.05 * static_cast<double>(problem.contacts()));
}

// Reads until the process ends or its time is over.
void listen(int pipe, double seconds, PeerResult& result, bool& expired) {
  const Stopwatch watch;
  while (true) {
    const double left = seconds - watch.seconds();
    pollfd waiting{pipe, POLLIN, 0};
    if (left <= 0.0 || poll(&waiting, 1, static_cast<int>(std::ceil(1e3 * left))) == 0) {
      expired = true;
      return;
    }
    Message message;
    if (read(pipe, &message, sizeof message) != static_cast<ssize_t>(sizeof message)) return;
    result.best_residual = std::min(result.best_residual, message.time.residual);
    if (message.target >= 0) result.at[static_cast<std::size_t>(message.target)] = message.time;
  }
}

template <typename Problem>
PeerResult measure_one(const Problem& problem, const LocalFriction& local, const PeerChoice& choice,
                       PeerStorage storage, const PeerLimits& limits) {
  PeerResult result;
  result.solver = choice.name;
  result.storage = to_string(storage);
  result.at.resize(limits.targets.size());
  int ends[2];
  if (pipe(ends) != 0) return result;
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    result.ending = "no process";
    return result;
  }
  if (child == 0) {
    close(ends[0]);
    work(problem, local, choice, storage, limits, ends[1]);
  }
  close(ends[1]);
  bool expired = false;
  listen(ends[0], time_limit(local, limits), result, expired);
  close(ends[0]);
  if (expired) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (expired) {
    result.ending = "time limit";
  } else if (WIFSIGNALED(status)) {
    result.ending = "signal " + std::to_string(WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0) {
    result.ending = "error " + std::to_string(WEXITSTATUS(status));
  } else {
    result.ending = result.at.back().reached ? "met" : "no closer";
  }
  return result;
}

bool is_wanted(const PeerChoice& choice, const PeerLimits& limits) {
  return limits.solvers.empty() ||
         std::find(limits.solvers.begin(), limits.solvers.end(), choice.name) != limits.solvers.end();
}

template <typename Problem>
std::vector<PeerResult> measure_all(const Problem& problem, const LocalFriction& local,
                                    std::span<const PeerChoice> choices, long rows, const PeerLimits& limits,
                                    const PeerProgress& progress) {
  std::vector<PeerResult> results;
  for (const PeerChoice& choice : choices) {
    if (rows > choice.most_rows || !is_wanted(choice, limits)) continue;
    const auto measure = [&](PeerStorage storage) {
      if (progress) progress(std::string(choice.name) + ", " + to_string(storage));
      results.push_back(measure_one(problem, local, choice, storage, limits));
    };
    const bool only_dense = !choice.blocks && !choice.sparse;
    if (choice.dense && (rows <= kDenseRows || only_dense)) measure(PeerStorage::kDense);
    if (choice.dense && choice.factors && rows <= kSmallRows) continue;
    if (choice.blocks) measure(PeerStorage::kBlocks);
    if (choice.sparse) measure(PeerStorage::kSparse);
  }
  return results;
}

}  // namespace

bool has_siconos_friction() { return true; }

std::vector<PeerResult> measure_siconos(const LocalFriction& problem, const PeerLimits& limits,
                                        const PeerProgress& progress) {
  if (problem.contacts() == 0) return {};
  const auto choices = problem.dimension == 2 ? peers_local_2d() : peers_local_3d();
  return measure_all(problem, problem, choices, problem.q.size(), limits, progress);
}

std::vector<PeerResult> measure_siconos(const GlobalFriction& problem, const PeerLimits& limits,
                                        const PeerProgress& progress) {
  if (problem.contacts() == 0 || problem.dimension != 3 || problem.G.cols() > 0) return {};
  return measure_all(problem, condense(problem), peers_global_3d(), problem.f.size(), limits, progress);
}

}  // namespace tribo
