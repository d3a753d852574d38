#include "tribo/linalg/block_rows.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>

namespace tribo {

namespace {

using ConstSegment = Eigen::Map<const VectorXd>;

// Where a span lies inside our own values, or -1: a row may be copied from the rows it is added to, and the
// values move when they grow.
std::ptrdiff_t offset_inside(std::span<const double> part, const std::vector<double>& values) {
  const double* begin = values.data();
  const std::less<const double*> before;
  if (part.empty() || before(part.data(), begin) || !before(part.data(), begin + values.size())) return -1;
  return part.data() - begin;
}

}  // namespace

Expected<BlockRows> BlockRows::from_dense(const MatrixXd& dense, const BlockLayout& layout) {
  if (dense.cols() != layout.size()) {
    return fail("the rows have " + std::to_string(dense.cols()) + " columns, the blocks together " +
                    std::to_string(layout.size()),
                "", "give rows as wide as the mass matrix");
  }
  BlockRows result(layout);
  VectorXd values(layout.size());
  for (Index i = 0; i < dense.rows(); ++i) {
    values = dense.row(i).transpose();
    std::array<Segment, 2> segments;
    std::size_t used = 0;
    for (Index b = 0; b < layout.blocks(); ++b) {
      const auto part = values.segment(layout.start(b), layout.size(b));
      if (!(part.array() != 0.0).any()) continue;  // NaN differs from 0 and is kept
      if (used == 2) {
        return fail("the row touches more than two blocks", "row " + std::to_string(i),
                    "merge the blocks that it couples into one tree");
      }
      segments[used++] = {b, {part.data(), static_cast<std::size_t>(part.size())}};
    }
    result.add_row(segments[0], segments[1]);
  }
  return result;
}

void BlockRows::clear() {
  blocks_.clear();
  starts_.clear();
  values_.clear();
}

void BlockRows::keep(Index rows) {
  TRIBO_ASSERT(rows >= 0 && rows <= this->rows());
  const auto count = static_cast<std::size_t>(rows);
  if (count == blocks_.size()) return;
  values_.resize(static_cast<std::size_t>(starts_[count]));
  starts_.resize(count);
  blocks_.resize(count);
}

void BlockRows::add_row(Segment first) { add_row(first, Segment{}); }

void BlockRows::add_row(Segment first, Segment second) {
  if (first.block < 0) std::swap(first, second);
  TRIBO_REQUIRE(first.block < 0 || first.block != second.block, "the two segments must be in different blocks");
  std::array<Segment, 2> segments{first, second};
  std::array<std::int32_t, 2> block{-1, -1};
  const auto begin = static_cast<Index>(values_.size());
  std::array<std::ptrdiff_t, 2> inside{-1, -1};
  for (std::size_t k = 0; k < 2; ++k) {
    const Segment& segment = segments[k];
    if (segment.block < 0) continue;
    TRIBO_REQUIRE(segment.block < layout_.blocks(), "the segment's block does not exist");
    TRIBO_REQUIRE(static_cast<Index>(segment.values.size()) == layout_.size(segment.block),
                  "a segment must have the size of its block");
    inside[k] = offset_inside(segment.values, values_);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const Segment& segment = segments[k];
    if (segment.block < 0) continue;
    block[k] = static_cast<std::int32_t>(segment.block);
    const std::size_t at = values_.size();
    values_.resize(at + segment.values.size());
    const double* source = inside[k] < 0 ? segment.values.data() : values_.data() + inside[k];
    std::copy_n(source, segment.values.size(), values_.data() + at);
  }
  blocks_.push_back(block);
  starts_.push_back(begin);
}

std::array<BlockRows::Segment, 2> BlockRows::row(Index i) const {
  TRIBO_ASSERT(i >= 0 && i < rows());
  const auto at = static_cast<std::size_t>(i);
  std::array<Segment, 2> segments;
  for (std::size_t k = 0; k < 2; ++k) {
    const Index block = blocks_[at][k];
    if (block < 0) continue;
    segments[k] = {block, {values(i, static_cast<int>(k)), static_cast<std::size_t>(layout_.size(block))}};
  }
  return segments;
}

bool BlockRows::all_finite() const {
  // The product with zero is NaN for what is not finite; sums of zeros are zero.
  const auto count = static_cast<Index>(values_.size()), padded = count / padded::kLanes * padded::kLanes;
  padded::Lanes lanes = {};
  for (Index i = 0; i < padded; i += padded::kLanes) lanes += 0.0 * padded::lanes(values_.data() + i).v;
  double sum = padded::sum_of(lanes);
  for (Index i = padded; i < count; ++i) sum += 0.0 * values_[static_cast<std::size_t>(i)];
  return sum == 0.0;
}

double BlockRows::dot(Index i, const VectorIn& x) const {
  TRIBO_ASSERT(x.size() == cols());
  double sum = 0.0;
  for (const Segment& part : row(i)) {
    if (part.block < 0) continue;
    const Index size = layout_.size(part.block);
    sum += ConstSegment(part.values.data(), size).dot(x.segment(layout_.start(part.block), size));
  }
  return sum;
}

void BlockRows::add_scaled(Index i, double scale, Eigen::Ref<VectorXd> y) const {
  TRIBO_ASSERT(y.size() == cols());
  for (const Segment& part : row(i)) {
    if (part.block < 0) continue;
    const Index size = layout_.size(part.block);
    y.segment(layout_.start(part.block), size) += scale * ConstSegment(part.values.data(), size);
  }
}

VectorXd BlockRows::multiply(const VectorIn& x) const {
  TRIBO_REQUIRE(x.size() == cols(), "the vector must have the length of the rows");
  VectorXd y(rows());
  for (Index i = 0; i < rows(); ++i) y(i) = dot(i, x);
  return y;
}

VectorXd BlockRows::multiply_transposed(const VectorIn& f) const {
  TRIBO_REQUIRE(f.size() == rows(), "one number per row is needed");
  VectorXd y = VectorXd::Zero(cols());
  for (Index i = 0; i < rows(); ++i) add_scaled(i, f(i), y);
  return y;
}

MatrixXd BlockRows::to_dense() const {
  MatrixXd dense = MatrixXd::Zero(rows(), cols());
  for (Index i = 0; i < rows(); ++i) {
    for (const Segment& part : row(i)) {
      if (part.block < 0) continue;
      const Index size = layout_.size(part.block);
      dense.row(i).segment(layout_.start(part.block), size) = ConstSegment(part.values.data(), size).transpose();
    }
  }
  return dense;
}

void BlockRows::whiten(Index i, const BlockCholesky& factor, double* x) const {
  for (int k = 0; k < 2; ++k) {
    const Index at = block(i, k);
    if (at < 0) continue;
    double* part = x + layout_.start(at);
    std::copy_n(values(i, k), layout_.size(at), part);
    factor.whiten_row(at, part);
  }
}

BlockRows BlockRows::whitened(const BlockCholesky& factor) const {
  TRIBO_REQUIRE(factor.layout() == layout_, "the factor must have the rows' layout");
  BlockRows result = *this;
  for (Index i = 0; i < rows(); ++i) {
    for (int k = 0; k < 2; ++k) {
      if (block(i, k) >= 0) factor.whiten_row(block(i, k), result.values(i, k));
    }
  }
  return result;
}

}  // namespace tribo
