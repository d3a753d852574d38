// A strictly convex QP as a FactoredLcp: with H = L Lᵀ and x̂ = Lᵀ x the objective is ½|x̂ + L⁻¹ g|², the equalities are
// eliminated by QR, and what is left is the distance of a point from a polyhedron: the same reduction as for contact.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"

#include <memory>

namespace tribo {

class QpFormulation {
 public:
  static Expected<QpFormulation> make(const Qp& qp);  // the qp must be valid
  ~QpFormulation();
  QpFormulation(QpFormulation&&) noexcept;
  QpFormulation& operator=(QpFormulation&&) noexcept;

  bool consistent() const;  // of E x = b
  const FactoredLcp& problem() const;
  QpSolution lift(const VectorXd& z) const;
  // A Farkas vector: y ≥ 0 over the inequalities, then over the equalities, with Gᵀ y_G + Eᵀ y_E = 0 and
  // y_G·d + y_E·b > 0.
  VectorXd lift_farkas(const VectorXd& y) const;
  VectorXd inconsistency() const;  // the same when the equalities alone contradict one another

 private:
  class Parts;
  explicit QpFormulation(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tribo
