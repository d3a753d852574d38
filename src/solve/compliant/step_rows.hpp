// The rows of a CompliantProblem that act, in coordinates where the mass is I and v* the origin:
//     u = Cᵀ (v1 − v*),  M = C Cᵀ,    z = g·u + c,  g = C⁻¹ Gᵀ,  c = G v* + β                                      (1)
// and the units that they form (contact_laws.hpp). A contact whose mu is 0 or whose tangents do not act is a unilateral row; one
// whose normal row does not act carries nothing. Few degrees of freedom have g by columns, which is what dense factors like; many
// have it by units, over nodes of six degrees of freedom of the bodies that a unit joins.
// Cost      O(rows · dof) by columns, O(rows) by units; nothing is allocated when rows and degrees of freedom do not grow.
#pragma once

#include "tribo/problem/compliant_problem.hpp"

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "solve/compliant/contact_laws.hpp"
#include "solve/compliant/row_factor.hpp"

namespace tribo::compliant {

enum class Family : std::uint8_t { kBilateral, kUnilateral, kNormal, kR, kS };

struct RowSource {
  Family family = Family::kBilateral;
  Index index = 0;
};

class StepRows {
 public:
  static constexpr int kNode = 6;
  struct Node {
    Index start = 0;  // of its degrees of freedom
    int size = kNode;
  };

  // False when a mass block is not positive definite or a number is not finite.
  [[nodiscard]] bool assign(const CompliantProblem& problem, bool by_units);

  bool by_units() const { return by_units_; }
  // By units alone: the nodes, those of unit k from unit_nodes_start[k] on, and g of row i over the nodes of its unit.
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<std::int32_t>& unit_nodes() const { return unit_nodes_; }
  const std::vector<std::int32_t>& unit_nodes_start() const { return unit_nodes_start_; }
  Index unit_of(Index i) const { return unit_of_[static_cast<std::size_t>(i)]; }
  const double* wide(Index i) const { return G_.data() + wide_start_[static_cast<std::size_t>(i)]; }
  std::size_t wide_size() const { return wide_start_.empty() ? 0 : wide_start_.back(); }

  Index rows() const { return static_cast<Index>(source_.size()); }
  Index dof() const { return n_; }
  const double* column(Index j) const { return G_.data() + j * rows(); }  // of g, by rows; not by units
  double c(Index i) const { return c_[static_cast<std::size_t>(i)]; }
  const double* R() const { return R_.data(); }
  double size(Index i) const { return size_[static_cast<std::size_t>(i)]; }  // |g|
  double momentum() const { return momentum_; }                              // |Cᵀ v*|
  // The larger of |Cᵀ v*| and |u| block by block, and of the blocks that a row touches.
  void calc_block_speeds(const VectorXd& u, VectorXd& speeds) const;
  double speed(Index i, const VectorXd& speeds) const;
  RowSource source(Index i) const { return source_[static_cast<std::size_t>(i)]; }
  const std::vector<Unit>& units() const { return units_; }
  std::vector<Unit>& units() { return units_; }
  // Rows made softer: R is at least `share` of |g|², what the bodies give way by themselves. 0: as the problem has it.
  void soften(double share);
  bool is_softened() const { return softened_; }
  bool has_friction() const { return has_friction_; }
  bool only_bilateral() const { return only_bilateral_; }

  template <typename Number>
  void add_rates(const Number* u, Number* z) const;  // z += g u
  template <typename Number>
  void add_impulse(const Number* impulses, Number* sum) const;       // sum += gᵀ γ
  void calc_rates(const VectorXd& u, VectorXd& z) const;             // z = g u + c
  void calc_impulse(const VectorXd& impulses, VectorXd& sum) const;  // gᵀ γ
  void to_whitened(const VectorXd& v1, VectorXd& u) const;
  void to_velocity(const VectorXd& u, VectorXd& v1) const;
  // Mode kPaper: the impulses −h p of the bilateral rows.
  bool has_prestress() const { return has_prestress_; }
  const VectorXd& prestress() const { return prestress_; }

 private:
  void add(const CompliantRows& rows, Index i, Family family, const CompliantRow& row);
  void feed_forward(const CompliantProblem& problem);
  void fill_columns(const CompliantProblem& problem);
  void fill_units(const CompliantProblem& problem);
  // visit(number of g, degree of freedom) for row i; by units.
  template <typename Visit>
  void for_row(Index i, const Visit& visit) const;

  Index n_ = 0;
  BlockCholesky mass_;
  BlockLayout layout_;
  VectorXd v_star_, whitened_, prestress_, scratch_row_, fed_, left_;
  IndexList acting_;
  std::vector<RowSource> source_;
  std::vector<std::array<Index, 2>> blocks_;  // of each row; -1: none
  std::vector<Unit> units_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> first_node_;  // of each block of the mass
  std::vector<std::int32_t> unit_nodes_, unit_nodes_start_;
  std::vector<Index> unit_of_;
  std::vector<std::size_t> wide_start_;
  std::vector<double> G_, c_, R_, given_R_, size_;
  double momentum_ = 0.0;
  bool has_friction_ = false, only_bilateral_ = true, has_prestress_ = false, softened_ = false, by_units_ = false;
  RowFactor feed_forward_;
};

template <typename Visit>
void StepRows::for_row(Index i, const Visit& visit) const {
  const auto unit = static_cast<std::size_t>(unit_of(i));
  const double* values = wide(i);
  for (std::int32_t a = unit_nodes_start_[unit]; a < unit_nodes_start_[unit + 1]; ++a, values += kNode) {
    const Node& node = nodes_[static_cast<std::size_t>(unit_nodes_[static_cast<std::size_t>(a)])];
    for (int k = 0; k < node.size; ++k) visit(values[k], node.start + k);
  }
}

template <typename Number>
void StepRows::add_rates(const Number* u, Number* z) const {
  const Index m = rows();
  if (by_units_) {
    for (Index i = 0; i < m; ++i) for_row(i, [&](double g, Index j) { z[i] += g * u[j]; });
    return;
  }
  for (Index j = 0; j < n_; ++j) {
    const double* g = column(j);
    const Number value = u[j];
    if (value == Number{0}) continue;
    for (Index i = 0; i < m; ++i) z[i] += g[i] * value;
  }
}

template <typename Number>
void StepRows::add_impulse(const Number* impulses, Number* sum) const {
  const Index m = rows();
  if (by_units_) {
    for (Index i = 0; i < m; ++i) {
      if (impulses[i] != Number{0}) for_row(i, [&](double g, Index j) { sum[j] += g * impulses[i]; });
    }
    return;
  }
  for (Index j = 0; j < n_; ++j) {
    const double* g = column(j);
    if constexpr (std::is_same_v<Number, double>) {
      sum[j] += VectorXd::Map(g, m).dot(VectorXd::Map(impulses, m));
    } else {
      for (Index i = 0; i < m; ++i) sum[j] += g[i] * impulses[i];
    }
  }
}

// The family's rows of a problem, and its forces in a solution.
const CompliantRows& rows_of(const CompliantProblem& problem, Family family);
VectorXd& forces_of(CompliantSolution& solution, Family family);
const VectorXd& forces_of(const CompliantSolution& solution, Family family);

}  // namespace tribo::compliant
