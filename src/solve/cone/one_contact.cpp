#include "tribo/solve/cone/one_contact.hpp"

#include "solve/cone/one_contact.hpp"

namespace tribo {

namespace {

template <int D>
bool solve(const Eigen::Matrix<double, D, D>& A, const Eigen::Matrix<double, D, 1>& b, double mu,
           Eigen::Matrix<double, D, 1>& r) {
  alignas(64) double block[cone::kBlock<D>] = {}, answer[cone::kLanes<D>] = {};
  for (int j = 0; j < D; ++j) {
    for (int i = 0; i < D; ++i) block[j * cone::kLanes<D> + i] = A(i, j);
  }
  const bool found = cone::solve_one_contact<D>(block, b.data(), mu, answer);
  for (int i = 0; i < D; ++i) r(i) = answer[i];
  return found;
}

}  // namespace

bool solve_one_contact(const Matrix3d& A, const Vector3d& b, double mu, Vector3d& r) { return solve<3>(A, b, mu, r); }
bool solve_one_contact(const Eigen::Matrix2d& A, const Eigen::Vector2d& b, double mu, Eigen::Vector2d& r) {
  return solve<2>(A, b, mu, r);
}

}  // namespace tribo
