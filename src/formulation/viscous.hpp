// Viscous friction, B = Sᵀ c S + Tᵀ c T with c per contact, in whitened coordinates of the block mass M = L Lᵀ:
//     B̂ = L⁻¹ B L⁻ᵀ = Σ_pairs Vᵀ (Σ_i c_i ρ_iᵀ ρ_i) V                                                         (1)
// so that a thousand contacts of a pair cost one c × c sum. Implicit: M + B = L (I + B̂) Lᵀ = (L C)(L C)ᵀ with
// I + B̂ = C Cᵀ; B couples bodies, so C is dense. Explicit friction is stable while h λ_max(B̂) < 2 (spec B.8).
#pragma once

#include "tribo/linalg/pair_rows.hpp"

#include <vector>

namespace tribo {

class Damping {
 public:
  // `c` per contact; row k of the tangents belongs to contact k / per_contact.
  void calc(const PairRows& tangents, Index per_contact, const std::vector<double>& c, Index m);
  MatrixXd& B() { return B_; }  // B̂, m × m, both triangles

  bool is_stable();             // λ_max(B̂) < 2: 2 I − B̂ is positive definite
  double largest_rate() const;  // λ_max(B̂), for the message when it is not

 private:
  MatrixXd B_, factor_;
  std::vector<double> weights_, gram_, product_;  // of one pair: c by position; Σ c ρᵀρ; that times V
};

}  // namespace tribo
