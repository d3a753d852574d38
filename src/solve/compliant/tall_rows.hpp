// Many rows without friction on few degrees of freedom, in the coordinates of step_rows.hpp (mass I, v* the origin):
//     z = g·u + c,   g = C⁻¹ Gᵀ,  c = G v* + β,    γ = −w z,   w = L where the row is loaded, 0 where it is open      (1)
// Rows are kept in panels of 64, and what is known of the rows of a panel stands side by side, column by column: c, L = 1/R, |g|², then g.
// A pass over the rows is a walk over panels, each in the fastest memory while it is worked on; z and γ are made anew in every pass,
// which costs less than to fetch them. Degrees of freedom that no row of a panel moves have no column in it: a vertical spring under
// a box has three of six. Rows that do not act (K = B = 0) stay in their place as zeros, so that row i of a panel is row first + i of
// its family; the last panel of a family is filled up likewise.
// Cost      one read of the problem's rows in assign(), O(rows · columns); nothing is allocated in a step like the last.
#pragma once

#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/compliant_problem.hpp"

#include <vector>

#include "solve/compliant/step_rows.hpp"

namespace tribo::compliant {

inline constexpr int kPanelRows = 64;
using PanelColumn = Eigen::Array<double, kPanelRows, 1>;

class TallRows {
 public:
  struct Panel {
    Family family = Family::kUnilateral;
    bool pushes = true;  // unilateral rows
    bool acts = false;   // one of its rows does
    int rows = 0;
    int columns = 0;    // of g
    Index first = 0;    // row of its family
    double size = 0.0;  // the largest |g|
    std::size_t start = 0, ids = 0;
  };

  // No friction, nothing fed forward, and many rows.
  static bool fits(const CompliantProblem& problem);

  // Mass and v*, no panels yet. False: the mass is not positive definite.
  [[nodiscard]] bool begin(const CompliantProblem& problem);
  // The panels one after the other, all rows loaded; visit(panel) finds them in the fastest memory. False: not finite.
  template <class Visit>
  [[nodiscard]] bool assign(const CompliantProblem& problem, const Visit& visit);

  Index dof() const { return v_star_.size(); }
  const std::vector<Panel>& panels() const { return panels_; }
  const PanelColumn& offset(const Panel& panel) const { return columns_[panel.start]; }  // c
  // L where the row is loaded, −L where it is open.
  PanelColumn& sided(const Panel& panel) { return columns_[panel.start + 1]; }
  const PanelColumn& sided(const Panel& panel) const { return columns_[panel.start + 1]; }
  const PanelColumn& g(const Panel& panel, int k) const {
    return columns_[panel.start + kFirst + static_cast<std::size_t>(k)];
  }
  Index dof_of(const Panel& panel, int k) const { return ids_[panel.ids + static_cast<std::size_t>(k)]; }

  // z += g u.
  void add_rates(const Panel& panel, const VectorXd& u, PanelColumn& z) const {
    for (int k = 0; k < panel.columns; ++k) z += u(dof_of(panel, k)) * g(panel, k);
  }
  const PanelColumn& squares(const Panel& panel) const { return columns_[panel.start + 2]; }  // |g|²

  double momentum() const { return momentum_; }  // |Cᵀ v*|
  // The larger of |Cᵀ v*| and |u|, block by block.
  void calc_block_speeds(const VectorXd& u, VectorXd& speeds) const;
  void to_whitened(const VectorXd& v1, VectorXd& u) const;
  void to_velocity(const VectorXd& u, VectorXd& v1) const;

 private:
  static constexpr std::size_t kFirst = 3;  // column of g

  void fill(const CompliantProblem& problem, Family family, Index first);
  void fill_law(const CompliantProblem& problem, const CompliantRows& rows, const Panel& panel);
  // The block that all rows of the panel have, and no other, one row behind the other in memory and all acting; else −1.
  Index shared_block(const BlockRows& G, const Panel& panel) const;
  void copy_rows(const BlockRows& G, const Panel& panel);
  std::size_t place_block(Index block);  // its columns in raw_
  void whiten(Index block, PanelColumn* y) const;
  PanelColumn& place(std::size_t at) {
    if (at >= columns_.size()) columns_.resize(at + at / 2 + 1);
    return columns_[at];
  }

  BlockCholesky mass_;
  VectorXd v_star_, whitened_;
  double momentum_ = 0.0, checked_ = 0.0;
  std::vector<Panel> panels_;
  std::vector<PanelColumn> columns_;
  std::vector<PanelColumn> raw_;  // of one panel, before it is whitened: columns of its blocks
  std::vector<Index> ids_;        // degrees of freedom of the columns of g
  IndexList blocks_;
  std::size_t raw_used_ = 0;
};

template <class Visit>
bool TallRows::assign(const CompliantProblem& problem, const Visit& visit) {
  panels_.clear();
  ids_.clear();
  checked_ = momentum_;
  for (const Family family : {Family::kBilateral, Family::kUnilateral, Family::kNormal}) {
    for (Index first = 0; first < rows_of(problem, family).rows(); first += kPanelRows) {
      fill(problem, family, first);
      visit(panels_.back());
    }
  }
  return checked_ - checked_ == 0.0;  // neither infinite nor NaN
}

}  // namespace tribo::compliant
