// Few contacts (at most 24 rows): every contact by itself, then Newton's method on dense arrays of fixed size.
//     start    r_i ← the answer of contact i alone against q (one_contact.hpp, to two digits), all times a common factor
//     Newton   A z = −Eᵀ(value + (W + α) c),  A = Eᵀ (W + α I) T + extra,  dr = T z + c         cone_law.hpp (2)
//              step halved until the merit |F|² falls
// Source    spec/cone §3, with the reduced system of §6 in place of the full one: half the equations.
// Cost      no memory but this object's own; 24 rows are three vectors of eight where the machine has them.
// Ends      true: res ≤ tolerance. False: no descent or too many steps; r is the last point.
#pragma once

#include "tribo/problem/cone_problem.hpp"

#include "solve/cone/cone_law.hpp"
#include "solve/cone/one_contact.hpp"

namespace tribo::cone {

inline constexpr int kSmallRows = 24;

template <int D>
class SmallNewton {
 public:
  static constexpr int kMost = kSmallRows / D;  // contacts

  struct Counts {
    int sweeps = 0, newton = 0;
  };

  // The problem, scaled. Block (i, j) in lanes; blocks that are not set are zero.
  void start(int contacts);
  void set_block(int i, int j, const double* block, double scale);  // a dense D × D block, column by column
  double* q(int i) { return q_ + D * i; }
  double* r(int i) { return r_ + D * i; }  // where to start
  const double* u(int i) const { return u_ + D * i; }
  void set_law(int i, double mu, bool bilateral, double inverse_scale);

  // `tolerance`: of max_i |natural map|_i · inverse_scale_i, in the caller's unit. `warm`: r is a guess, not zero.
  bool solve(double tolerance, int max_newton, bool sweep_first, Counts& counts);
  // After solve(): a few steps more, kept while they bring the residual down.
  void polish(double tolerance, Counts& counts);
  double residual() const { return residual_; }

 private:
  // Vectors as wide as the machine's: wider ones would be taken apart through memory.
#if defined(__AVX512F__)
  static constexpr int kWidth = 8;
#elif defined(__AVX__)
  static constexpr int kWidth = 4;
#else
  static constexpr int kWidth = 2;
#endif
  static constexpr int kMostVectors = kSmallRows / kWidth;
  using V = LaneType<kWidth>::type;
  double* across(int row) { return across_storage_[row + 1]; }
  // T acts inside a contact: new component b of a row is Σ_a T_ab x_a, a − b from kLow to D − 1.
  static constexpr int kLow = D <= 3 ? 0 : 3 - D;
  static constexpr int kOffsets = D - kLow;
  static V load_wide(const double* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  static void store_wide(double* p, V v) { std::memcpy(p, &v, sizeof v); }

  void calc_u();
  double calc_residual() const;
  double calc_merit(const double* r, const double* u) const;
  void start_apart();
  bool newton_step(double merit, double& next_merit);
  template <int Vectors>
  bool newton_step_of(double merit, double& next_merit);
  template <int Vectors>
  bool solve_linear(int unknowns, const int* used, bool exchange, double* z);

  int n_ = 0, rows_ = 0, vectors_ = 0, patience_ = 0;
  double residual_ = 0.0, alpha_ = 0.0;
  alignas(64) double columns_[kSmallRows][kSmallRows];  // W by columns
  // W + α I by rows, with a row to spare at both ends: shifted loads reach a few numbers beyond.
  alignas(64) double across_storage_[kSmallRows + 2][kSmallRows] = {};
  alignas(64) double q_[kSmallRows], r_[kSmallRows], u_[kSmallRows];
  // Newton's matrix: row and column of an unknown are those of its component, unused ones are skipped.
  alignas(64) double matrix_[kSmallRows][kSmallRows];
  alignas(64) double diagonal_[kMost][kBlock<D>];
  double mu_[kMost], inverse_scale_[kMost];
  double merit_bound_ = 0.0;  // a merit above this cannot belong to an answer
  bool bilateral_[kMost];
  Linear<D> linear_[kMost];
};

extern template class SmallNewton<2>;
extern template class SmallNewton<3>;
extern template class SmallNewton<4>;
extern template class SmallNewton<6>;

}  // namespace tribo::cone
