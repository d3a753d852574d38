// A contact problem in whitened coordinates with its equality rows eliminated (spec A.3, B.2). With M = L Lᵀ, rows
// ê = L⁻¹ e and velocities u = Lᵀ v:
//     Êᵀ_acc = Q R            each row accepted if more than τ of it is new (FIND-INDICES)    (1)
//     u_p = u − Q (Qᵀ u + R⁻ᵀ b_acc)      the velocity without contact forces                                 (2)
//     x_p = x̂ − Q (Qᵀ x̂)                  a row x seen by contact forces                                      (3)
//     u⁺ = u_p + X_pᵀ f,   v⁺ = L⁻ᵀ u⁺,   f_acc = R⁻¹ Qᵀ (u⁺ − u − X̂ᵀ f),   other f_E = 0                     (4)
#pragma once

#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/block_rows.hpp"
#include "tribo/linalg/growing_qr.hpp"
#include "tribo/linalg/types.hpp"

namespace tribo {

inline constexpr double kConsistent = 1e-8;  // of |x| speed + |b|, for equality rows that were not accepted

class Reduction {
 public:
  // u0: the velocity (acceleration) without any constraint. E: equality rows with offsets b_E (E v⁺ + b_E = 0).
  Reduction(const BlockCholesky& factor, const VectorXd& u0, const BlockRows& E, const VectorXd& b_E);

  // False: the equality rows contradict one another; contradiction() is y with Eᵀ y = 0, y·b_E < 0.
  bool consistent() const { return contradiction_.size() == 0; }
  const VectorXd& contradiction() const { return contradiction_; }

  Index rank() const { return Q_.cols(); }
  double speed() const { return speed_; }                 // max(|u|, |u_p|)
  const VectorXd& free_velocity() const { return u_p_; }  // whitened, (2)

  MatrixXd whitened(const BlockRows& rows) const;      // X̂, dense
  MatrixXd projected(const MatrixXd& whitened) const;  // (3), row by row

  // (4) for the forces f along the whitened rows X̂.
  VectorXd velocity(const MatrixXd& projected, const VectorXd& f) const;
  VectorXd equality_forces(const VectorXd& v_next, const MatrixXd& whitened, const VectorXd& f) const;
  // y_e with Xᵀ y + Eᵀ y_e = 0, for y with X_pᵀ y = 0.
  VectorXd balance(const MatrixXd& whitened, const VectorXd& y) const;

 private:
  const BlockCholesky* factor_;
  VectorXd u_, u_p_;
  MatrixXd Q_;
  GrowingQr qr_;
  IndexList accepted_;
  Index equalities_ = 0;
  double speed_ = 0.0;
  VectorXd contradiction_;
};

// A proof without the entries that are rounding beside the largest one: alone in a column they would spoil it.
VectorXd without_dust(VectorXd y);

}  // namespace tribo
