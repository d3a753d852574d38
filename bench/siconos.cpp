#include "siconos.hpp"

#include <cstdio>
#include <iostream>
#include <vector>

#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SiconosConfig.h>
#include <SolverOptions.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <lcp_cst.h>
#include <setjmp.h>
#include <sn_error_handling.h>
#include <unistd.h>

namespace tribo {
namespace {

constexpr int kAborted = -1000;

struct Choice {
  int id;
  int max_iterations;
};

Choice choose(SiconosMethod method, Index n) {
  switch (method) {
    case SiconosMethod::kLemke:
      return {SICONOS_LCP_LEMKE, 1000 + 50 * static_cast<int>(n)};
    case SiconosMethod::kPgs:
      return {SICONOS_LCP_PGS, 20000};
    case SiconosMethod::kNewtonMin:
      return {SICONOS_LCP_NEWTONMIN, 100};
    case SiconosMethod::kNewtonFb:
      return {SICONOS_LCP_NEWTON_FB_FBLSA, 100};
  }
  return {SICONOS_LCP_LEMKE, 0};
}

// The comparison is thread against thread.
void use_one_blas_thread() {
  using Setter = void (*)(int);
  if (void* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<Setter>(symbol)(1);
}

// Siconos 4.4 empties the options and keeps their shell, against its own documentation. Freeing it here would be wrong with
// a version that keeps its word, so the shells (120 bytes per problem) stay reachable until the process ends.
void discard(SolverOptions* options) {
  static auto* const shells = new std::vector<SolverOptions*>;
  solver_options_delete(options);
  shells->push_back(options);
}

// Siconos reports fatal errors with longjmp to here; without it, it would end the process. No object with a
// destructor may live in this frame.
int guarded_driver(LinearComplementarityProblem* problem, double* z, double* w, SolverOptions* options) {
  volatile int info = kAborted;
  if (setjmp(*sn_get_jmp_buf()) == 0) info = linearComplementarity_driver(problem, z, w, options);
  sn_release_jmp_buf();
  return info;
}

}  // namespace

bool has_siconos() { return true; }

Silence::Silence() {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  saved_out_ = dup(STDOUT_FILENO);
  saved_error_ = dup(STDERR_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

Silence::~Silence() {
  std::fflush(nullptr);
  if (saved_out_ >= 0) dup2(saved_out_, STDOUT_FILENO);
  if (saved_error_ >= 0) dup2(saved_error_, STDERR_FILENO);
  close(saved_out_);
  close(saved_error_);
}

struct SiconosLcp::Parts {
  MatrixXd M;
  VectorXd q;
  LcpSolution solution;
  LinearComplementarityProblem problem{};
  SolverOptions* options = nullptr;
  int info = kAborted;
};

SiconosLcp::SiconosLcp(const Lcp& lcp, SiconosMethod method, double tolerance) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  const int n = static_cast<int>(lcp.size());
  numerics_set_verbose(0);
  use_one_blas_thread();
  p.M = lcp.M;
  p.q = lcp.q;
  p.problem.size = n;
  p.problem.M = NM_create_from_data(NM_DENSE, n, n, p.M.data());
  p.problem.q = p.q.data();
  const Choice choice = choose(method, lcp.size());
  p.options = solver_options_create(choice.id);
  p.options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  p.options->iparam[SICONOS_IPARAM_MAX_ITER] = choice.max_iterations;
  p.options->filterOn = false;
  p.solution.z.setZero(n);
  p.solution.w.setZero(n);
}

SiconosLcp::~SiconosLcp() {
  discard(parts_->options);
  NM_free_not_dense(parts_->problem.M);  // the numbers are ours
}

void SiconosLcp::solve() {
  Parts& p = *parts_;
  p.solution.z.setZero();
  p.solution.w.setZero();
  p.info = guarded_driver(&p.problem, p.solution.z.data(), p.solution.w.data(), p.options);
}

void SiconosLcp::solve_checked() {
  parts_->options->filterOn = true;
  solve();
  parts_->options->filterOn = false;
}

std::string SiconosLcp::status() const {
  if (parts_->info == kAborted) return "aborted";
  if (parts_->info == 0) return "solved";
  return parts_->info == 1 ? "limit" : "failed (" + std::to_string(parts_->info) + ")";
}

bool SiconosLcp::solved() const { return parts_->info == 0; }
int SiconosLcp::iterations() const { return parts_->options->iparam[SICONOS_IPARAM_ITER_DONE]; }
const LcpSolution& SiconosLcp::solution() const { return parts_->solution; }

}  // namespace tribo
