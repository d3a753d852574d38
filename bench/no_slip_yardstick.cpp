#include "no_slip_yardstick.hpp"

#include "tribo/linalg/block_diagonal.hpp"

#include <cstring>
#include <variant>

#include <Eigen/Cholesky>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tribo {
namespace {

typedef double Lanes __attribute__((vector_size(64)));
constexpr std::ptrdiff_t kLanes = 8, kSums = 4;

inline void multiply_add(const double* x, double factor, Lanes& sum) {
  Lanes lanes;
  std::memcpy(&lanes, x, sizeof lanes);
  sum += lanes * factor;
}

// Rows follow one another without a gap, and so do the segments of a row.
std::span<const double> stretch(const BlockRows& rows) {
  std::size_t count = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    for (const int k : {0, 1}) {
      if (rows.block(i, k) >= 0) count += static_cast<std::size_t>(rows.layout().size(rows.block(i, k)));
    }
  }
  return rows.rows() == 0 ? std::span<const double>() : std::span<const double>(rows.values(0, 0), count);
}

// Well conditioned, and not the identity.
template <typename Matrix>
void fill(Matrix& matrix) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j)
      matrix(i, j) = (i == j ? 2.0 : 0.0) + 1.0 / static_cast<double>(i + j + 2);
  }
}

template <typename Matrix>
double eigen_seconds(Matrix matrix, double budget) {
  fill(matrix);
  Eigen::LLT<Matrix> factor(matrix);
  return least_seconds_short(
      [&] {
        keep(matrix.data());
        factor.compute(matrix);
        keep(&factor);
      },
      budget);
}

}  // namespace

double multiply_add_all(std::span<const double> numbers, double factor) {
  Lanes sums[kSums] = {};
  const double* x = numbers.data();
  const double* end = x + numbers.size();
  for (; end - x >= kLanes * kSums; x += kLanes * kSums) {
    for (std::ptrdiff_t s = 0; s < kSums; ++s) multiply_add(x + kLanes * s, factor, sums[s]);
  }
  for (; end - x >= kLanes; x += kLanes) multiply_add(x, factor, sums[0]);
  double sum = 0.0;
  for (; x < end; ++x) sum += *x * factor;
  const Lanes total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (std::ptrdiff_t k = 0; k < kLanes; ++k) sum += total[k];
  return sum;
}

RowNumbers::RowNumbers(const ContactProblem& problem, const ContactModel& model) {
  stretches_.push_back(stretch(problem.N));
  if (std::holds_alternative<Frictionless>(model)) return;
  stretches_.push_back(stretch(problem.S));
  stretches_.push_back(stretch(problem.T));
}

std::size_t RowNumbers::count() const {
  std::size_t count = 0;
  for (const auto& numbers : stretches_) count += numbers.size();
  return count;
}

void RowNumbers::pass() const {
  double sum = 0.0;
  for (const auto& numbers : stretches_) sum += multiply_add_all(numbers, 0.5);
  keep(&sum);
}

VectorXd RowNumbers::copy() const {
  VectorXd all(static_cast<Index>(count()));
  double* next = all.data();
  for (const auto& numbers : stretches_) next = std::copy(numbers.begin(), numbers.end(), next);
  return all;
}

double cholesky_seconds(Index m, double budget) {
  if (m == 6) return eigen_seconds(Eigen::Matrix<double, 6, 6>(), budget);
  return eigen_seconds(MatrixXd(m, m), budget);
}

double own_cholesky_seconds(Index m, double budget) {
  MatrixXd matrix(m, m), L(m, m);
  fill(matrix);
  return least_seconds_short(
      [&] {
        keep(matrix.data());
        keep(factor_cholesky(matrix, L) ? L.data() : nullptr);
      },
      budget);
}

std::optional<std::size_t> allocated_bytes() {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return std::nullopt;
#endif
}

}  // namespace tribo
