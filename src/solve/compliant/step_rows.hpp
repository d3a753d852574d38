// The rows of a CompliantProblem that act, in coordinates where the mass is I and v* the origin:
//     u = Cᵀ (v1 − v*),  M = C Cᵀ,    z = g·u + c,  g = C⁻¹ Gᵀ,  c = G v* + β                                      (1)
// and the units that they form (contact_laws.hpp). A contact whose mu is 0 or whose tangents do not act is a unilateral row; one
// whose normal row does not act carries nothing. Cost O(rows); nothing is allocated when rows and degrees of freedom do not grow.
#pragma once

#include "tribo/problem/compliant_problem.hpp"

#include <cstdint>
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
  // False when a mass block is not positive definite or a number is not finite.
  [[nodiscard]] bool assign(const CompliantProblem& problem);

  Index rows() const { return static_cast<Index>(source_.size()); }
  Index dof() const { return n_; }
  const double* column(Index j) const { return G_.data() + j * rows(); }  // of g, by rows
  double c(Index i) const { return c_[static_cast<std::size_t>(i)]; }
  const double* R() const { return R_.data(); }
  double size(Index i) const { return size_[static_cast<std::size_t>(i)]; }  // |g|
  double momentum() const { return momentum_; }                              // |Cᵀ v*|
  RowSource source(Index i) const { return source_[static_cast<std::size_t>(i)]; }
  const std::vector<Unit>& units() const { return units_; }
  std::vector<Unit>& units() { return units_; }
  bool has_friction() const { return has_friction_; }
  bool only_bilateral() const { return only_bilateral_; }

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
  void fill(const CompliantProblem& problem);

  Index n_ = 0;
  BlockCholesky mass_;
  VectorXd v_star_, whitened_, prestress_, scratch_row_, fed_, left_;
  IndexList acting_;
  std::vector<RowSource> source_;
  std::vector<Unit> units_;
  std::vector<double> G_, c_, R_, size_;
  double momentum_ = 0.0;
  bool has_friction_ = false, only_bilateral_ = true, has_prestress_ = false;
  RowFactor feed_forward_;
};

// The family's rows of a problem, and its forces in a solution.
const CompliantRows& rows_of(const CompliantProblem& problem, Family family);
VectorXd& forces_of(CompliantSolution& solution, Family family);

}  // namespace tribo::compliant
