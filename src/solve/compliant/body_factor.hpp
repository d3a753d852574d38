// The system of row_factor.hpp (1) for many bodies, by the graph of those that rows join:
//     u = Fᵀ y,  y = −(B u + b)    ⇒    (I + Fᵀ B) u = −Fᵀ b,    y = −(B u + b)                                      (1)
// I + Fᵀ B has a block for every pair of nodes (six degrees of freedom of a body or tree) that a row joins; it is factored in
// blocks, in a fill-reducing order (solve/cone/block_lu.hpp).
// Inverses of blocks lose twice the digits that stiffness over mass, |B|², has: above 1e8 or so exchange(), which is Eigen's LU with
// exchanges of rows, two or three times as slow.
// Promise   none alone: the first digits, from which corrections by the residuals (step_system.hpp (2)) make the others.
// Cost      O(fill) per factor; the order is kept while rows join the same nodes. Nothing is allocated then, but by exchange().
// Ends      true · false: singular, or a number is not finite
#pragma once

#include "tribo/linalg/sparse_lu.hpp"
#include "tribo/linalg/types.hpp"

#include <cstdint>
#include <vector>

#include "solve/compliant/step_rows.hpp"
#include "solve/cone/block_lu.hpp"

namespace tribo::compliant {

class BodyFactor {
 public:
  // The graph of the rows; then B and F row by row, and factor().
  void begin(const StepRows& rows);
  // Row Σ_k measure_k g_k of a unit's rows from `first` on, times `root`; F likewise.
  void add_row(const StepRows& rows, Index first, int size, const double* measure, const double* force, double root);
  [[nodiscard]] bool factor();
  [[nodiscard]] bool exchange();  // the same system, whatever its stiffness
  // (1): b has a number for each row added.
  [[nodiscard]] bool solve(const double* b, double* y, double* u);

 private:
  static constexpr int kNode = StepRows::kNode, kWide = cone::kLanes<kNode>, kSquare = cone::kBlock<kNode>;

  void make_graph(const StepRows& rows);

  struct Row {
    Index unit = 0;
    std::size_t at = 0;  // of its numbers in B_ and F_
  };

  const StepRows* rows_ = nullptr;
  std::vector<std::int32_t> joined_, joined_start_;  // nodes of all units, of which the graph is
  std::vector<std::int32_t> start_, column_;         // the graph
  std::vector<std::int32_t> place_start_, place_;    // of the block (a, b) of a unit in matrix_
  std::vector<std::int64_t> pairs_;
  std::vector<double> matrix_;  // blocks of the diagonal, then of the graph
  std::vector<double> B_, F_, right_, z_;
  std::vector<Row> list_;
  std::vector<std::uint8_t> all_;
  cone::BlockLu<kNode, true> lu_;
  SparseLu exchanged_;
  bool is_exchanged_ = false;
};

}  // namespace tribo::compliant
