#include "tribo/linalg/block_sparse.hpp"

#include "tribo/core/assert.hpp"

namespace tribo {
namespace {

// Blocks have their sizes known when compiled where it matters; 0: any size.
template <int Height, int Width>
void multiply(const BlockSparse& A, const double* x, double* y) {
  const int height = Height > 0 ? Height : A.height, width = Width > 0 ? Width : A.width;
  const double* block = A.values.data();
  for (Index i = 0; i < A.block_rows(); ++i) {
    double* y_i = y + i * height;
    for (const std::int32_t j : A.columns(i)) {
      const double* x_j = x + static_cast<Index>(j) * width;
      for (int c = 0; c < width; ++c, block += height) {
        for (int r = 0; r < height; ++r) y_i[r] += block[r] * x_j[c];
      }
    }
  }
}

template <int Height, int Width>
void multiply_transposed(const BlockSparse& A, const double* x, double* y) {
  const int height = Height > 0 ? Height : A.height, width = Width > 0 ? Width : A.width;
  const double* block = A.values.data();
  for (Index i = 0; i < A.block_rows(); ++i) {
    const double* x_i = x + i * height;
    for (const std::int32_t j : A.columns(i)) {
      double* y_j = y + static_cast<Index>(j) * width;
      for (int c = 0; c < width; ++c, block += height) {
        double sum = 0.0;
        for (int r = 0; r < height; ++r) sum += block[r] * x_i[r];
        y_j[c] += sum;
      }
    }
  }
}

}  // namespace

void BlockSparse::clear(int block_height, int block_width, Index columns_of_blocks) {
  height = block_height;
  width = block_width;
  block_cols = columns_of_blocks;
  start.assign(1, 0);
  column.clear();
  values.clear();
}

void BlockSparse::add_row(std::span<const std::int32_t> columns) {
  TRIBO_ASSERT(columns.empty() || (columns.front() >= 0 && columns.back() < block_cols));
  column.insert(column.end(), columns.begin(), columns.end());
  values.resize(column.size() * static_cast<std::size_t>(height * width), 0.0);
  start.push_back(static_cast<std::int32_t>(column.size()));
}

MatrixXd BlockSparse::to_dense() const {
  MatrixXd result = MatrixXd::Zero(rows(), cols());
  for (Index i = 0; i < block_rows(); ++i) {
    for (Index k = start[i]; k < start[i + 1]; ++k) {
      result.block(i * height, column[k] * width, height, width) = Eigen::Map<const MatrixXd>(block(k), height, width);
    }
  }
  return result;
}

void BlockSparse::add_product(const VectorIn& x, VectorOut y) const {
  TRIBO_ASSERT(x.size() == cols() && y.size() == rows());
  const auto run = height == 3 && width == 3   ? multiply<3, 3>
                   : height == 3 && width == 6 ? multiply<3, 6>
                   : height == 2 && width == 2 ? multiply<2, 2>
                   : height == 2 && width == 3 ? multiply<2, 3>
                                               : multiply<0, 0>;
  run(*this, x.data(), y.data());
}

void BlockSparse::add_transposed_product(const VectorIn& x, VectorOut y) const {
  TRIBO_ASSERT(x.size() == rows() && y.size() == cols());
  const auto run = height == 3 && width == 3   ? multiply_transposed<3, 3>
                   : height == 3 && width == 6 ? multiply_transposed<3, 6>
                   : height == 2 && width == 2 ? multiply_transposed<2, 2>
                   : height == 2 && width == 3 ? multiply_transposed<2, 3>
                                               : multiply_transposed<0, 0>;
  run(*this, x.data(), y.data());
}

}  // namespace tribo
