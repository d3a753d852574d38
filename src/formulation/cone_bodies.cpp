#include "formulation/cone_bodies.hpp"

#include <algorithm>

namespace tribo {
namespace {

// W += A Cᵀ for blocks of Height × Width, column by column. 0: the size given.
template <int Height, int Width>
void add_block(const double* A, const double* C, int any_height, int any_width, double* W) {
  const int height = Height > 0 ? Height : any_height, width = Width > 0 ? Width : any_width;
  for (int k = 0; k < width; ++k, A += height, C += height) {
    for (int c = 0; c < height; ++c) {
      for (int r = 0; r < height; ++r) W[c * height + r] += A[r] * C[c];
    }
  }
}

using AddBlock = void (*)(const double*, const double*, int, int, double*);

AddBlock choose_kernel(int height, int width) {
  if (height == 3 && width == 6) return add_block<3, 6>;
  if (height == 2 && width == 3) return add_block<2, 3>;
  if (height == 4 && width == 6) return add_block<4, 6>;
  if (height == 6 && width == 6) return add_block<6, 6>;
  return add_block<0, 0>;
}

}  // namespace

void BodyProduct::index(const BlockSparse& A) {
  begin_.assign(static_cast<std::size_t>(A.block_cols) + 1, 0);
  for (const std::int32_t j : A.column) ++begin_[j + 1];
  for (Index j = 0; j < A.block_cols; ++j) begin_[j + 1] += begin_[j];
  places_.resize(A.column.size());
  next_.assign(begin_.begin(), begin_.end() - 1);
  for (Index i = 0; i < A.block_rows(); ++i) {
    for (std::int32_t k = A.start[i]; k < A.start[i + 1]; ++k) {
      places_[next_[A.column[k]]++] = {static_cast<std::int32_t>(i), k};
    }
  }
}

void BodyProduct::make_pattern(const BlockSparse& A, std::span<const DensePart> dense, BlockSparse& W) {
  const Index n = A.block_rows();
  parts_.clear();
  if (!dense.empty()) parts_.resize(static_cast<std::size_t>(n));
  for (std::size_t p = 0; p < dense.size(); ++p) {
    for (const std::int32_t i : dense[p].contacts) parts_[i].push_back(static_cast<std::int32_t>(p));
  }
  W.clear(A.height, A.height, n);
  where_.assign(static_cast<std::size_t>(n), -1);
  for (Index i = 0; i < n; ++i) {
    columns_.clear();
    const auto meet = [&](std::int32_t j) {
      if (where_[j] == i) return;
      where_[j] = static_cast<std::int32_t>(i);
      columns_.push_back(j);
    };
    meet(static_cast<std::int32_t>(i));
    for (const std::int32_t b : A.columns(i)) {
      for (std::int32_t k = begin_[b]; k < begin_[b + 1]; ++k) meet(places_[k].row);
    }
    if (!dense.empty()) {
      for (const std::int32_t p : parts_[i]) {
        for (const std::int32_t j : dense[p].contacts) meet(j);
      }
    }
    std::sort(columns_.begin(), columns_.end());
    W.column.insert(W.column.end(), columns_.begin(), columns_.end());
    W.start.push_back(static_cast<std::int32_t>(W.column.size()));
  }
  W.values.assign(W.column.size() * static_cast<std::size_t>(A.height * A.height), 0.0);
}

void BodyProduct::form(const BlockSparse& A, const BlockSparse& C, std::span<const DensePart> dense, BlockSparse& W) {
  make_pattern(A, dense, W);
  const Index n = A.block_rows();
  const int d = A.height;
  const bool symmetric = &A == &C && dense.empty();
  const AddBlock add = choose_kernel(d, A.width);
  where_.assign(static_cast<std::size_t>(n), 0);
  for (Index i = 0; i < n; ++i) {
    for (std::int32_t k = W.start[i]; k < W.start[i + 1]; ++k) where_[W.column[k]] = k;
    for (std::int32_t a = A.start[i]; a < A.start[i + 1]; ++a) {
      const std::int32_t b = A.column[a];
      const auto end = places_.begin() + begin_[b + 1];
      auto place = places_.begin() + begin_[b];
      if (symmetric) {  // from the diagonal on
        place = std::lower_bound(place, end, i, [](const Place& p, Index row) { return p.row < row; });
      }
      for (; place != end; ++place) add(A.block(a), C.block(place->block), d, A.width, W.block(where_[place->row]));
    }
    if (dense.empty()) continue;
    for (const std::int32_t p : parts_[i]) {
      const DensePart& part = dense[p];
      const auto at = std::lower_bound(part.contacts.begin(), part.contacts.end(), i) - part.contacts.begin();
      for (std::size_t j = 0; j < part.contacts.size(); ++j) {
        Eigen::Map<MatrixXd>(W.block(where_[part.contacts[j]]), d, d) +=
            part.W.block(at * d, static_cast<Index>(j) * d, d, d);
      }
    }
  }
  if (!symmetric) return;
  // Row i meets row j > i in the order in which row j has its columns before j.
  next_.assign(W.start.begin(), W.start.end() - 1);
  for (Index i = 0; i < n; ++i) {
    for (std::int32_t k = next_[i] + 1; k < W.start[i + 1]; ++k) {  // next_[i] has reached the diagonal
      const double* upper = W.block(k);
      double* lower = W.block(next_[W.column[k]]++);
      for (int c = 0; c < d; ++c) {
        for (int r = 0; r < d; ++r) lower[r * d + c] = upper[c * d + r];
      }
    }
  }
}

}  // namespace tribo
