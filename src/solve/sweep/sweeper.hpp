// One sweep, the natural residual and the final judgement: what PGS and PGS-SM share.
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/solve/report.hpp"

#include "solve/accurate_product.hpp"
#include "solve/residual.hpp"

namespace tribo {

class Sweeper {
 public:
  void reserve(Index n);
  // Starts at clip(warm or 0). False: a negative diagonal or a number that is not finite; report says where.
  bool start(const MatrixXd& M, const VectorXd& q, const VectorXd& lo, const VectorXd& hi, const VectorXd& warm,
             SolveReport& report);
  void sweep();
  double residual();  // pgs.hpp (2), relative; computes w on the finished sweep
  // w in extended precision, and status: kSolved only if the answer's backward error supports it.
  void finish(bool converged, SolveReport& report);

  Index size() const { return n_; }
  const MatrixXd& M() const { return *M_; }
  const VectorXd& q() const { return *q_; }
  double lo(Index i) const { return (*lo_)(i); }
  double hi(Index i) const { return (*hi_)(i); }
  double root(Index i) const { return root_(i); }                   // sqrt(M_ii), 0 for an empty row
  double objective(const VectorXd& z_in, VectorXd& scratch) const;  // φ

  VectorXd z, w;
  VectorXd default_lo, default_hi;  // of an Lcp

 private:
  const MatrixXd* M_ = nullptr;
  const VectorXd* q_ = nullptr;
  const VectorXd* lo_ = nullptr;
  const VectorXd* hi_ = nullptr;
  Index n_ = 0;
  VectorXd root_;
  double speed_ = 0.0;  // max |q_i| / sqrt(M_ii): the scale of sqrt(M_ii) z_i
  double size_ = 0.0;   // the same, or the size of the starting point if that is larger
  AccurateProduct product_;
  BackwardError backward_error_;
};

}  // namespace tribo
