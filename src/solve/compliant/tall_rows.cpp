#include "solve/compliant/tall_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo::compliant {
namespace {

// Numbers of a panel's rows, zeros beyond them.
PanelColumn take_rows(const VectorXd& x, const TallRows::Panel& panel) {
  if (panel.rows == kPanelRows) return x.segment<kPanelRows>(panel.first).array();
  PanelColumn part = PanelColumn::Zero();
  part.head(panel.rows) = x.segment(panel.first, panel.rows).array();
  return part;
}

}  // namespace

bool TallRows::fits(const CompliantProblem& problem) {
  constexpr Index kTall = 4;  // rows per degree of freedom, as in row_factor.hpp
  const Index rows = problem.bilateral.rows() + problem.unilateral.rows() + problem.normal.rows();
  return problem.r.rows() == 0 && problem.product != VelocityProduct::kPaper && rows >= kTall * problem.dof();
}

bool TallRows::begin(const CompliantProblem& problem) {
  if (!mass_.assign(problem.mass)) return false;
  v_star_ = problem.f * problem.h;
  mass_.solve(v_star_);
  v_star_ += problem.v;
  whitened_ = v_star_;
  mass_.whiten_velocity(whitened_);
  momentum_ = whitened_.norm();
  return true;
}

// L, and β in the place of c: calc_row() of compliant_problem.hpp for all rows of a panel at once.
void TallRows::fill_law(const CompliantProblem& problem, const CompliantRows& rows, const Panel& panel) {
  constexpr double kLeast = 1.0 / std::numeric_limits<double>::max();  // 1/L would not be finite
  const double h = problem.h;
  const PanelColumn K = take_rows(rows.K, panel);
  PanelColumn D = h * K + take_rows(rows.B, panel);
  if (panel.family == Family::kNormal && problem.rate_scale.size() > 0) D *= take_rows(problem.rate_scale, panel);
  PanelColumn& L = sided(panel);
  PanelColumn& c = columns_[panel.start];
  L = h * D;
  c = K / D * take_rows(rows.phi, panel);
  if (problem.product != VelocityProduct::kNone && rows.drift.size() > 0) c += h * take_rows(rows.drift, panel);
  c = (L > kLeast).select(c, 0.0);
  L = (L > kLeast).select(L, 0.0);
}

std::size_t TallRows::place_block(Index block) {
  const BlockLayout& layout = mass_.layout();
  std::size_t at = 0;
  for (const Index other : blocks_) {
    if (other == block) return at;
    at += static_cast<std::size_t>(layout.size(other));
  }
  blocks_.push_back(block);
  raw_used_ = at + static_cast<std::size_t>(layout.size(block));
  if (raw_.size() < raw_used_) raw_.resize(raw_used_);
  std::for_each(raw_.begin() + static_cast<std::ptrdiff_t>(at), raw_.begin() + static_cast<std::ptrdiff_t>(raw_used_),
                [](PanelColumn& column) { column.setZero(); });
  return at;
}

Index TallRows::shared_block(const BlockRows& G, const Panel& panel) const {
  const Index first = panel.first, block = G.block(first, 0);
  if (block < 0 || !(sided(panel).head(panel.rows).minCoeff() > 0.0)) return -1;
  bool shared = G.values(first + panel.rows - 1, 0) ==
                G.values(first, 0) + static_cast<Index>(panel.rows - 1) * mass_.layout().size(block);
  for (int i = 0; i < panel.rows; ++i) {
    shared = shared && G.block(first + i, 0) == block && G.block(first + i, 1) < 0;
  }
  return shared ? block : -1;
}

// The rows of a panel as they are: zeros where they have nothing in a block, or do not act.
void TallRows::copy_rows(const BlockRows& G, const Panel& panel) {
  const PanelColumn& L = sided(panel);
  blocks_.clear();
  if (const Index block = shared_block(G, panel); block >= 0 && mass_.layout().size(block) == 6) {  // under a free body
    const std::size_t at = place_block(block);                                                      // may move raw_
    PanelColumn* out = raw_.data() + at;
    const double* values = G.values(panel.first, 0);
    for (int i = 0; i < panel.rows; ++i, values += 6) {
      for (int j = 0; j < 6; ++j) out[j](i) = values[j];
    }
    return;
  }
  for (int k = 0; k < 2; ++k) {
    Index last = -1, size = 0;
    PanelColumn* out = nullptr;
    for (int i = 0; i < panel.rows; ++i) {
      const Index block = G.block(panel.first + i, k);
      if (block < 0 || !(L(i) > 0.0)) continue;
      if (block != last) {
        last = block;
        size = mass_.layout().size(block);
        const std::size_t at = place_block(block);
        out = raw_.data() + at;
      }
      const double* values = G.values(panel.first + i, k);
      if (size == 6) {  // a free body: unrolled
        for (int j = 0; j < 6; ++j) out[j](i) = values[j];
      } else {
        for (Index j = 0; j < size; ++j) out[j](i) = values[j];
      }
    }
  }
}

// y ← L⁻¹ y, which for bodies is little more than a scale.
void TallRows::whiten(Index block, PanelColumn* y) const {
  const MatrixXd& lower = mass_.block(block);
  for (Index j = 0; j < lower.rows(); ++j) {
    for (Index k = 0; k < j; ++k) {
      if (lower(j, k) != 0.0) y[j] -= lower(j, k) * y[k];
    }
    y[j] *= mass_.inverse_diagonal(block)[j];
  }
}

void TallRows::fill(const CompliantProblem& problem, Family family, Index first) {
  const CompliantRows& rows = rows_of(problem, family);
  const std::size_t start =
      panels_.empty() ? 0 : panels_.back().start + kFirst + static_cast<std::size_t>(panels_.back().columns);
  place(start + kFirst);
  Panel& panel = panels_.emplace_back();
  panel.family = family;
  panel.pushes = family != Family::kBilateral;
  panel.rows = static_cast<int>(std::min<Index>(kPanelRows, rows.rows() - first));
  panel.first = first;
  panel.start = start;
  panel.ids = ids_.size();
  fill_law(problem, rows, panel);
  panel.acts = sided(panel).maxCoeff() > 0.0;
  copy_rows(rows.G, panel);
  PanelColumn c = offset(panel);
  PanelColumn* y = raw_.data();
  for (const Index block : blocks_) {
    const Index from = mass_.layout().start(block), size = mass_.layout().size(block);
    for (Index j = 0; j < size; ++j) c += v_star_(from + j) * y[j];
    whiten(block, y);
    for (Index j = 0; j < size; ++j, ++y) {
      if (y->abs().sum() == 0.0) continue;
      place(start + kFirst + static_cast<std::size_t>(panel.columns)) = *y;
      ids_.push_back(from + j);
      ++panel.columns;
    }
  }
  columns_[start] = c;
  PanelColumn sum = PanelColumn::Zero();
  for (int k = 0; k < panel.columns; ++k) sum += g(panel, k).square();
  columns_[start + 2] = sum;
  panel.size = std::sqrt(sum.maxCoeff());
  checked_ += c.sum() + panel.size;
}

void TallRows::calc_block_speeds(const VectorXd& u, VectorXd& speeds) const {
  const BlockLayout& layout = mass_.layout();
  speeds.resize(layout.blocks());
  for (Index b = 0; b < layout.blocks(); ++b) {
    const Index start = layout.start(b), size = layout.size(b);
    speeds(b) = std::max(whitened_.segment(start, size).norm(), u.segment(start, size).norm());
  }
}

void TallRows::to_whitened(const VectorXd& v1, VectorXd& u) const {
  u = v1 - v_star_;
  mass_.whiten_velocity(u);
}

void TallRows::to_velocity(const VectorXd& u, VectorXd& v1) const {
  v1 = u;
  mass_.unwhiten_velocity(v1);
  v1 += v_star_;
}

}  // namespace tribo::compliant
