// The basis of Lemke's method, reduced to the part that needs solving. With w = M z + c z₀ + q, let C be the columns
// whose variables are basic (free ones, active z, z₀) and R the rows whose w is not. Only the core
//     K = [M c]_{R,C},   k × k                                                                            (1)
// has to be inverted; all other basic variables are the w of the rows outside R, which follow by substitution. Every
// pivot changes K by one row or one column, so K⁻¹ is kept and updated in O(k²):
//     z_r enters, w_j leaves    K gains row j and column r          grow
//     z_r enters, z_j leaves    column j becomes column r           replace_column
//     w_r enters, w_j leaves    row r becomes row j                 replace_row
//     w_r enters, z_j leaves    K loses row r and column j          shrink
// A tableau would spend n² on each; here a pivot costs n k + O(k²), k = the number of active z.
#pragma once

#include "tribo/linalg/dense_lu.hpp"
#include "tribo/linalg/types.hpp"

namespace tribo {

class LemkeBasis {
 public:
  void reserve(Index n);
  // Empty basis over M (n × n) and the covering vector c; both must outlive the basis. Column n stands for z₀.
  void start(const MatrixIn& M, const VectorIn& cover);

  Index size() const { return k_; }
  Index row(Index position) const { return rows_[position]; }
  Index column(Index position) const { return columns_[position]; }
  Index row_position(Index row) const { return row_position_[row]; }              // −1: not in R
  Index column_position(Index column) const { return column_position_[column]; }  // −1: not in C

  // Adds row and column without updating K⁻¹; refactor() must follow.
  void add(Index row, Index column);
  // Rebuilds K⁻¹ by LU. False: singular in working precision.
  [[nodiscard]] bool refactor();

  // K⁻¹ as it stands: row = position in C, column = position in R.
  MatrixIn inverse() const { return inverse_.topLeftCorner(k_, k_); }

  // How the basic variables follow when one that is not basic grows: dx over C by position, dw over all rows.
  void column_direction(Index column, VectorXd& dx, VectorXd& dw) const;  // z_column (or z₀)
  void row_direction(Index row, VectorXd& dx, VectorXd& dw) const;        // w_row
  // One entry of the latter alone: w_i when w_row grows. Costs k instead of n k.
  double row_direction_entry(Index row, Index i) const;
  // Entry of the basic variable at a position of C.
  double row_direction_entry_at(Index row, Index position) const { return inverse_(position, row_position_[row]); }
  // The largest defect of dw over R (should be 0, and 1 in `unit_row` if ≥ 0), over the size of dx and dw.
  double defect(const VectorXd& dx, const VectorXd& dw, Index unit_row) const;

  // One step of iterative refinement of dx, dw against the same targets.
  void refine(VectorXd& dx, VectorXd& dw, Index unit_row) const;

  // x over C by position and w over all rows for the right-hand side q.
  void values(const VectorXd& q, VectorXd& x, VectorXd& w) const;

  // The four exchanges; dx and dw are the direction of the entering variable.
  void grow(Index row, Index column, const VectorXd& dx, double pivot);
  void replace_column(Index position, Index column, const VectorXd& dx);
  void replace_row(Index position, Index row);
  void shrink(Index row_position, Index column_position);

 private:
  const double* column_data(Index column) const { return column == n_ ? cover_ : M_ + column * stride_; }
  void substitute(const VectorXd& dx, VectorXd& dw) const;  // dw += [M c]_{:,C} dx
  void gather_row(Index row) const;                         // row_ ← [M c]_{row,C}

  const double* M_ = nullptr;  // column-major
  Index stride_ = 0;
  const double* cover_ = nullptr;
  Index n_ = 0;
  Index k_ = 0;
  MatrixXd inverse_;  // K⁻¹: row = position in C, column = position in R
  DenseLu lu_;
  IndexList rows_, columns_, row_position_, column_position_;
  mutable VectorXd row_, rhs_;
};

}  // namespace tribo
