// The active set of a LeastDistance problem, with the interface of active_set.hpp. One QR factor holds Q of the equality
// rows, which stay, and the active rows N̂_A after them:
//     [Q, N̂_Aᵀ] = [Q, Q_A] [I, C; 0, R]        C = Qᵀ N̂_Aᵀ is what the projection takes away                (1)
//     s = −R⁻ᵀ q_A,   u = u₀ + Q_A s,   z_A = R⁻¹ s                                                          (2)
//     w = N̂ u + b: the twist V u of every pair, then one pass over the rows' few numbers                     (3)
#pragma once

#include "tribo/problem/least_distance.hpp"

#include "solve/pivot/active_set.hpp"

namespace tribo {

class PairActiveSet : public ActiveSetBase {
 public:
  void reserve(const LeastDistance& problem);
  Index capacity() const { return static_cast<Index>(member_.size()); }
  void start(const LeastDistance& problem);
  void clear();

  double row_norm(Index i) const { return 1.0 / std::sqrt(problem_->rows.weights()[i]); }  // 1 for a row of zeros
  double active_norm(Index position) const { return norm_(position); }
  Index caller_rows() const { return problem_->size(); }
  Index caller_row(Index position) const { return problem_->rows.row(position); }
  template <typename Visit>
  void for_each_row(const Visit& visit) const {
    for (const PairRows::Run& run : problem_->rows.runs()) {
      for (Index i = 0; i < run.count; ++i) visit(run.position + i, run.row + i * run.step);
    }
  }
  void copy_slack(const VectorXd& w, VectorXd& out) const;
  Index find_violated(const VectorXd& w, double floor) const;
  void forget(Index i, const VectorXd& w);  // w(i) was changed

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
  double defect() const { return defect_; }

 private:
  void split(Index i);  // row i into the factor's input, and tested
  void restart();       // Q alone
  void refresh();
  double score(Index i, const VectorXd& w) const { return PairRows::score(w(i), problem_->rows.weights()[i]); }
  Index find_in_chunk(Index chunk, const VectorXd& w) const;  // the least score, −1: none below zero

  const LeastDistance* problem_ = nullptr;
  Index rank_ = 0;  // columns of Q
  GrowingQr factor_;
  VectorXd u_, q_, s_, direction_;
  VectorXd norm_;     // of the active rows
  Index solved_ = 0;  // entries of s_ that are those of the present set: a new row leaves the others alone
  Index moved_ = 0;   // of them in u_
  std::vector<double> start_twists_, twists_, least_;  // least_: score of every chunk of rows, by the last full pass
  double rest_ = 0.0, schur_ = 0.0, defect_ = 0.0;
};

}  // namespace tribo
