// The active set A of  0 ≤ z ⟂ w = F z + q ≥ 0,  F symmetric positive semidefinite, with a factor of F_AA that follows
// A's changes (spec B.4). Two kinds with one interface, so that each method is written once:
//     GramActiveSet      F given as a matrix; Cholesky of F_AA
//     FactoredActiveSet  F = G Gᵀ given by its rows G; thin QR of G_Aᵀ, error ~ cond instead of cond²
#pragma once

#include "tribo/linalg/growing_cholesky.hpp"
#include "tribo/linalg/growing_qr.hpp"
#include "tribo/problem/lcp.hpp"

#include <vector>

#include "solve/accurate_product.hpp"
#include "solve/pivot/find_least.hpp"

namespace tribo {

// Scales and bookkeeping common to both kinds.
class ActiveSetBase {
 public:
  Index rows() const { return n_; }
  Index size() const { return static_cast<Index>(active_.size()); }
  Index at(Index position) const { return active_[position]; }
  bool contains(Index i) const { return member_[i] != 0; }
  double row_norm(Index i) const { return row_norm_(i); }  // nN of spec B.3: the scale of row i
  double active_norm(Index position) const { return row_norm_(active_[position]); }
  double speed() const { return speed_; }  // us of spec B.3
  double floor() const { return 0.0; }     // violations of less than this, in units of row_norm, are rounding
  // Rows as the caller counts them. A set may keep them in another order.
  Index caller_rows() const { return n_; }
  Index caller_row(Index i) const { return i; }
  template <typename Visit>
  void for_each_row(const Visit& visit) const {  // visit(row here, row of the caller)
    for (Index i = 0; i < n_; ++i) visit(i, i);
  }
  void copy_slack(const VectorXd& w, VectorXd& out) const { out = w.head(n_); }
  Index find_violated(const VectorXd& w, double floor) const {
    return find_least(w.data(), row_inverse_.data(), n_, floor);
  }
  void forget(Index, const VectorXd&) {}

 protected:
  void reserve_base(Index n);
  void start_base(Index n);
  void invert_norms();  // row_inverse_ from row_norm_
  void push(Index i);
  void erase(Index position);
  double combined_norm(Index i, const VectorXd& r) const;  // of row i and of A's rows weighted with |r|

  Index n_ = 0;
  double speed_ = 0.0;
  VectorXd row_norm_, row_inverse_;
  IndexList active_;
  std::vector<char> member_;
  int removals_ = 0;  // since the factor was last built from scratch
};

class GramActiveSet : public ActiveSetBase {
 public:
  void reserve(Index n);
  void start(const Lcp& lcp);  // empty set; lcp must outlive it
  void clear();

  // Is row i independent of A? Afterwards schur() gives d² = F_ii − F_iA r and direction() gives r, F_AA r = F_Ai.
  bool test(Index i);
  double schur() const { return schur_; }  // d² itself
  const VectorXd& direction();
  void append(Index i);  // after test(i)
  void remove(Index position);

  void solve(VectorXd& z);                                       // z_A = −F_AA⁻¹ q_A, by position
  void slack(const VectorXd& z, VectorXd& w);                    // w = F_:A z_A + q, w_A = 0
  bool is_negative(Index i, double w, const VectorXd& z) const;  // beyond what rounding explains
  bool is_noise(Index i, double w, const VectorXd& z) const;     // of a dependent row: explained by rounding
  void refine(VectorXd& z, VectorXd& w);                         // in extended precision
  // y_p = 1, y_A = −r with F y = 0 to full accuracy. False: the rows are too nearly dependent for that.
  bool farkas(Index p, VectorXd& y);

 private:
  double row_size(Index i, const VectorXd& z) const;  // |q_i| + Σ_A |F_ij| z_j
  void refresh();

  const Lcp* lcp_ = nullptr;
  GrowingCholesky factor_;
  AccurateProduct product_;
  VectorXd column_, direction_, full_, step_;
  double schur_ = 0.0;
};

inline constexpr double kNegativeSlack = 1e-11;  // of row_norm · speed

class FactoredActiveSet : public ActiveSetBase {
 public:
  void reserve(Index n, Index m);
  void start(const FactoredLcp& lcp);
  void clear();

  bool test(Index i);
  double schur() const { return schur_; }
  const VectorXd& direction();
  void append(Index i);
  void remove(Index position);

  void solve(VectorXd& z);
  void slack(const VectorXd& z, VectorXd& w);
  bool is_negative(Index i, double w, const VectorXd& z) const;
  bool is_noise(Index i, double w, const VectorXd& z) const;
  void refine(VectorXd& z, VectorXd& w);
  bool farkas(Index p, VectorXd& y);
  double floor() const { return kNegativeSlack * speed_; }
  double defect() const { return defect_; }  // of the last slack(): largest |w_A| / (row_norm speed)

 private:
  void refresh();

  double defect_ = 0.0;
  const FactoredLcp* lcp_ = nullptr;
  GrowingQr factor_;
  VectorXd row_, direction_, s_, t_;
  double schur_ = 0.0;
};

}  // namespace tribo
