#include "contact/cone_steps.hpp"

namespace tribo {

Index find_immovable(const ConeProblem& problem) {
  const int d = problem.dimension;
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (problem.is_bilateral(i) || !(problem.q(i * d) < 0.0)) continue;
    const BlockSparse& A = problem.by_bodies() ? problem.H : problem.W;
    bool moves = problem.by_bodies() && problem.R(i * d) > 0.0;
    for (Index k = A.start[i]; k < A.start[i + 1] && !moves; ++k) {
      for (int c = 0; c < A.width && !moves; ++c) moves = A.block(k)[c * d] != 0.0;
    }
    if (!moves) return i;
  }
  return -1;
}

ConeMethod cone_method(const std::string& solver) {
  return solver == "cone/newton"         ? ConeMethod::kNewton
         : solver == "cone/gauss-seidel" ? ConeMethod::kGaussSeidel
         : solver == "cone/proximal"     ? ConeMethod::kProximal
                                         : ConeMethod::kAuto;
}

}  // namespace tribo
