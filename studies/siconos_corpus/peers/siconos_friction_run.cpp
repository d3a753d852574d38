#include "siconos_friction_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <NumericsVerbose.h>
#include <SiconosConfig.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <dlfcn.h>
#include <fc2d_Solvers.h>
#include <fc3d_Solvers.h>
#include <gfc3d_Solvers.h>
#include <setjmp.h>
#include <sn_error_handling.h>

namespace tribo {
namespace {

// The comparison is thread against thread.
void use_one_blas_thread() {
  using Setter = void (*)(int);
  if (void* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<Setter>(symbol)(1);
}

template <typename T>
T* allocate(std::size_t count) {
  return static_cast<T*>(std::calloc(std::max<std::size_t>(count, 1), sizeof(T)));
}

NumericsMatrix* make_dense(const SparseMatrix& A) {
  double* values = allocate<double>(static_cast<std::size_t>(A.rows() * A.cols()));
  Eigen::Map<MatrixXd>(values, A.rows(), A.cols()) = MatrixXd(A);
  return NM_create_from_data(NM_DENSE, static_cast<int>(A.rows()), static_cast<int>(A.cols()), values);
}

NumericsMatrix* make_sparse(const SparseMatrix& A) {
  NumericsMatrix* result = NM_create(NM_SPARSE, static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  NM_triplet_alloc(result, A.nonZeros());
  result->matrix2->origin = NSM_TRIPLET;
  for (int k = 0; k < A.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator it(A, k); it; ++it) {
      NM_zentry(result, static_cast<int>(it.row()), static_cast<int>(it.col()), it.value(), 0.0);
    }
  }
  return result;
}

// Square, blocks of d × d; diagonal blocks are always there, as its solvers expect.
NumericsMatrix* make_blocks(const SparseMatrix& A, int d) {
  const std::size_t n = static_cast<std::size_t>(A.rows()) / d;
  std::vector<std::set<std::size_t>> columns(n);
  for (std::size_t i = 0; i < n; ++i) columns[i].insert(i);
  for (int k = 0; k < A.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator it(A, k); it; ++it) columns[it.row() / d].insert(it.col() / d);
  }
  SparseBlockStructuredMatrix* blocks = SBM_new();
  std::size_t count = 0;
  for (const auto& row : columns) count += row.size();
  blocks->nbblocks = static_cast<unsigned>(count);
  blocks->blocknumber0 = blocks->blocknumber1 = static_cast<unsigned>(n);
  blocks->blocksize0 = allocate<unsigned>(n);
  blocks->blocksize1 = allocate<unsigned>(n);
  blocks->filled1 = n + 1;
  blocks->filled2 = count;
  blocks->index1_data = allocate<std::size_t>(n + 1);
  blocks->index2_data = allocate<std::size_t>(count);
  blocks->block = allocate<double*>(count);
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    blocks->blocksize0[i] = blocks->blocksize1[i] = static_cast<unsigned>(d * (i + 1));
    blocks->index1_data[i] = k;
    for (const std::size_t j : columns[i]) {
      blocks->index2_data[k] = j;
      blocks->block[k] = allocate<double>(d * d);
      Eigen::Map<MatrixXd>(blocks->block[k++], d, d) =
          MatrixXd(A.block(static_cast<Index>(d * i), static_cast<Index>(d * j), d, d));
    }
  }
  blocks->index1_data[n] = k;
  return NM_create_from_data(NM_SPARSE_BLOCK, static_cast<int>(A.rows()), static_cast<int>(A.cols()), blocks);
}

NumericsMatrix* make_matrix(const SparseMatrix& A, PeerStorage storage, int d) {
  switch (storage) {
    case PeerStorage::kDense:
      return make_dense(A);
    case PeerStorage::kBlocks:
      return make_blocks(A, d);
    case PeerStorage::kSparse:
      break;
  }
  return make_sparse(A);
}

// Siconos reports fatal errors with longjmp to here; without it, it would end the process. No object with a destructor
// may live in these frames.
using LocalDriver = int (*)(FrictionContactProblem*, double*, double*, SolverOptions*);
int guarded(LocalDriver driver, FrictionContactProblem* problem, double* r, double* u, SolverOptions* options) {
  volatile int info = SiconosFriction::kAborted;
  if (setjmp(*sn_get_jmp_buf()) == 0) info = driver(problem, r, u, options);
  sn_release_jmp_buf();
  return info;
}
int guarded(GlobalFrictionContactProblem* problem, double* r, double* u, double* v, SolverOptions* options) {
  volatile int info = SiconosFriction::kAborted;
  if (setjmp(*sn_get_jmp_buf()) == 0) info = gfc3d_driver(problem, r, u, v, options);
  sn_release_jmp_buf();
  return info;
}

}  // namespace

void OptionsKeeper::keep(SolverOptions* options) {
  kept_.push_back({options,
                   {options->iparam, options->iparam + options->iSize},
                   {options->dparam, options->dparam + options->dSize}});
  for (std::size_t i = 0; i < options->numberOfInternalSolvers; ++i) keep(options->internalSolvers[i]);
}

void OptionsKeeper::restore() const {
  for (const Kept& kept : kept_) {
    const int allocated = kept.options->iparam[SICONOS_FRICTION_3D_NSN_MEMORY_ALLOCATED];
    std::copy(kept.integers.begin(), kept.integers.end(), kept.options->iparam);
    std::copy(kept.reals.begin(), kept.reals.end(), kept.options->dparam);
    kept.options->iparam[SICONOS_FRICTION_3D_NSN_MEMORY_ALLOCATED] = allocated;
  }
}

SiconosFriction::SiconosFriction(const LocalFriction& problem, const PeerChoice& choice, PeerStorage storage)
    : dimension_(problem.dimension), storage_(storage), q_(problem.q), mu_(problem.mu) {
  local_.dimension = problem.dimension;
  local_.numberOfContacts = static_cast<int>(problem.contacts());
  local_.M = make_matrix(problem.W, storage, problem.dimension);
  local_.q = q_.data();
  local_.mu = mu_.data();
  r_.setZero(q_.size());
  u_.setZero(q_.size());
  make_options(choice);
}

SiconosFriction::SiconosFriction(const GlobalFriction& problem, const PeerChoice& choice, PeerStorage storage)
    : is_global_(true),
      dimension_(problem.dimension),
      global_source_(&problem),
      storage_(storage),
      q_(problem.f),
      b_(problem.w),
      mu_(problem.mu) {
  r_.setZero(b_.size());
  u_.setZero(b_.size());
  v_.setZero(q_.size());
  make_options(choice);
}

void SiconosFriction::make_options(const PeerChoice& choice) {
  numerics_set_verbose(0);
  use_one_blas_thread();
  options_ = solver_options_create(choice.id);
  if (choice.one_contact != 0) solver_options_update_internal(options_, 0, choice.one_contact);
  options_->iparam[SICONOS_IPARAM_MAX_ITER] = choice.max_iterations;
  if (choice.tune != nullptr) choice.tune(options_);
}

void SiconosFriction::set_tolerance(double tolerance) {
  if (!keeper_.empty()) keeper_.front().restore();
  options_->dparam[SICONOS_DPARAM_TOL] = tolerance;
  keeper_.assign(1, OptionsKeeper(options_));
}

void SiconosFriction::renew() {
  if (!is_global_) return;
  global_ = {};
  global_.dimension = dimension_;
  global_.numberOfContacts = static_cast<int>(mu_.size());
  global_.M = make_matrix(global_source_->M, storage_, dimension_);
  global_.H = make_matrix(global_source_->H, storage_, dimension_);
  global_.q = q_.data();
  global_.b = b_.data();
  global_.mu = mu_.data();
}

int SiconosFriction::run() {
  keeper_.front().restore();
  r_.setZero();
  u_.setZero();
  if (is_global_) {
    v_.setZero();
    return guarded(&global_, r_.data(), u_.data(), v_.data(), options_);
  }
  return guarded(dimension_ == 2 ? fc2d_driver : fc3d_driver, &local_, r_.data(), u_.data(), options_);
}

int SiconosFriction::iterations() const { return options_->iparam[SICONOS_IPARAM_ITER_DONE]; }

}  // namespace tribo
