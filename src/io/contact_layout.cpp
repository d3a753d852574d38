#include "io/contact_layout.hpp"

#include <algorithm>

namespace tribo {
namespace {

bool touches_two_at_most(const MatrixXd& rows, const BlockLayout& layout) {
  for (Index i = 0; i < rows.rows(); ++i) {
    int touched = 0;
    for (Index b = 0; b < layout.blocks(); ++b) {
      if (!rows.row(i).segment(layout.start(b), layout.size(b)).isZero(0.0)) ++touched;
    }
    if (touched > 2) return false;
  }
  return true;
}

bool suits(const BlockLayout& layout, const std::vector<Index>& ends, const std::vector<MatrixXd>& rows) {
  for (Index b = 0; b < layout.blocks(); ++b) {
    if (!std::binary_search(ends.begin(), ends.end(), layout.start(b) + layout.size(b))) return false;
  }
  return std::all_of(rows.begin(), rows.end(), [&](const MatrixXd& r) { return touches_two_at_most(r, layout); });
}

}  // namespace

std::vector<Index> calc_block_ends(const MatrixXd& M) {
  std::vector<Index> ends;
  Index reach = 0;  // the last row that the rows so far are tied to
  for (Index i = 0; i < M.rows(); ++i) {
    for (Index j = M.rows() - 1; j > reach; --j) {
      if (M(i, j) != 0.0 || M(j, i) != 0.0) {
        reach = j;
        break;
      }
    }
    if (reach <= i) {
      ends.push_back(i + 1);
      reach = i + 1;
    }
  }
  return ends;
}

BlockLayout choose_layout(const MatrixXd& M, const std::vector<MatrixXd>& rows) {
  const Index m = M.rows();
  if (m == 0) return BlockLayout();
  const std::vector<Index> ends = calc_block_ends(M);
  for (const Index size : {Index{6}, Index{3}}) {
    if (m % size != 0) continue;
    const BlockLayout layout(std::vector<Index>(static_cast<std::size_t>(m / size), size));
    if (suits(layout, ends, rows)) return layout;
  }
  BlockLayout finest;
  for (const Index end : ends) finest.append(end - finest.size());
  return suits(finest, ends, rows) ? finest : BlockLayout(std::vector<Index>{m});
}

}  // namespace tribo
