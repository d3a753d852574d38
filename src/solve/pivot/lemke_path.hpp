// One run of Lemke's method: its state, and the steps of its listing. lemke.cpp holds the listing itself, lemke_start.cpp how
// a run begins, lemke_pivot.cpp a pivot, lemke_ray.cpp what a ray is worth.
#pragma once

#include "tribo/solve/pivot/lemke.hpp"

#include <limits>

#include "solve/pivot/crash_basis.hpp"
#include "solve/pivot/lemke_basis.hpp"
#include "solve/pivot/polish.hpp"

namespace tribo {

class LemkePath {
 public:
  explicit LemkePath(LemkeSettings settings) : settings_(settings) {}

  void reserve(Index n);
  SolveReport solve(const MatrixXd& M, const VectorXd& q, Index free, const WarmStart& warm, Evidence& evidence);

  VectorXd z, w;  // the answer over all rows: free variables first

 private:
  // A variable of the method: z_index (z₀ has index n) or w_index.
  struct Variable {
    bool is_w = false;
    Index index = -1;
    double score = 0.0;  // in the lexicographic test
  };
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // What rounding may leave of a zero: of the largest value a variable has had, of the largest rate.
  static constexpr double kZeroValue = 1e-13, kZeroRate = 1e-13;
  static constexpr double kAccepted = 1e-11;  // backward error at which a guess is the answer

  // lemke.cpp
  void run(const std::vector<IndexState>& states, Evidence& evidence);
  void follow_path(Evidence& evidence);
  bool arrive();
  void finish();

  // lemke_start.cpp
  void scale(const MatrixXd& M, const VectorXd& q);
  bool start_basis(const std::vector<IndexState>& states);
  bool try_point(const VectorXd& point);
  bool try_index_set();
  bool try_without_z0(Index s);
  void make_cover();

  // lemke_pivot.cpp
  void calc_direction(const Variable& drive);
  bool refresh(const Variable& drive);
  Variable first_blocking();
  Variable ratio_test();
  Variable break_tie();
  void step(const Variable& drive, const Variable& leaving);
  void note_sizes();

  // lemke_ray.cpp
  bool is_genuine_ray(const Variable& drive);
  void keep_ray(const Variable& drive, Evidence& evidence);

  double polish() {
    const auto count = static_cast<Index>(rows_.size());
    return polish_(Ms(), qs_.head(n_), lo_.head(n_), hi_.head(n_), rows_, columns_, count, xs_.head(n_), ws_.head(n_));
  }
  MatrixIn Ms() const { return Ms_.topLeftCorner(n_, n_); }
  bool is_bounded(Index column) const { return column >= free_; }  // z and z₀, not u
  double value(const Variable& v) const { return v.is_w ? ws_(v.index) : x_(basis_.column_position(v.index)); }
  double rate(const Variable& v) const { return v.is_w ? dw_(v.index) : dx_(basis_.column_position(v.index)); }

  LemkeSettings settings_;
  Index n_ = 0;     // rows
  Index free_ = 0;  // of them, rows of free variables
  SolveReport report_;

  MatrixXd Ms_;          // equilibrated: diag(r) M diag(c)
  VectorXd qs_;          // diag(r) q / unit
  VectorXd r_, c_;       // powers of two
  double unit_ = 1.0;    // of q, a power of two
  VectorXd cover_;       // c of the method, over all rows
  VectorXd cover_size_;  // its size on each constrained variable of the first basis
  VectorXd lo_, hi_;
  LemkeBasis basis_;
  CrashBasis crash_;
  Polish polish_;
  VectorXd x_, ws_;                 // basic values: over C by position, and w over all rows
  VectorXd dx_, dw_;                // how they follow the driving variable
  VectorXd largest_z_, largest_w_;  // the largest value each variable has had on the path
  double smallest_rate_ = 0.0;      // the most negative rate of the last ratio test, over the largest one
  double last_try_ = kInfinity;     // z₀ when the path was last tested for its end
  VectorXd scratch_, xs_;
  std::vector<Variable> blocking_;
  IndexList rows_, columns_;  // of the final basis
};

}  // namespace tribo
