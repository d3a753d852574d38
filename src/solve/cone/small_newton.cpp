#include "solve/cone/small_newton.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "solve/cone/free_block.hpp"

namespace tribo::cone {

namespace {

// α on the diagonal, for redundant contacts; the residual is tested without it. Large at first, while states are still wrong
// and a nearly singular system would leap, then falling with the square of the merit.
constexpr double kFirstAlpha = 2e-2, kLastAlpha = 1e-9;
constexpr int kHalvings = 6;          // of a step
constexpr int kPolish = 3;            // steps after the answer is good enough
constexpr int kPatience = 3;          // steps without descent
constexpr double kSmallPivot = 1e-6;  // of the diagonal before elimination
constexpr double kDescent = 1e-4;     // of the merit, relative, that a step must bring per length

// Zeros around a one: unit vectors by where one starts to read.
constexpr std::array<double, 2 * kSmallRows> make_unit() {
  std::array<double, 2 * kSmallRows> unit = {};
  unit[kSmallRows] = 1.0;
  return unit;
}
constexpr auto kUnitArray = make_unit();
constexpr const double* kUnit = kUnitArray.data();

}  // namespace

template <int D>
void SmallNewton<D>::start(int contacts) {
  n_ = contacts;
  rows_ = D * contacts;
  vectors_ = (rows_ + 7) / 8 * (8 / kWidth);  // in steps of eight numbers
  const V zero = {};
  for (int i = 0; i < rows_; ++i) {
    for (int v = 0; v < vectors_; ++v) {
      store_wide(columns_[i] + kWidth * v, zero);
      store_wide(across(i) + kWidth * v, zero);
    }
  }
  for (int v = 0; v < vectors_; ++v) {
    store_wide(q_ + kWidth * v, zero);
    store_wide(r_ + kWidth * v, zero);
  }
}

template <int D>
void SmallNewton<D>::set_block(int i, int j, const double* block, double scale) {
  for (int b = 0; b < D; ++b) {
    for (int a = 0; a < D; ++a) {
      const double value = block[b * D + a] * scale;
      columns_[D * j + b][D * i + a] = value;
      across(D * i + a)[D * j + b] = value;
      if (i == j) diagonal_[i][b * kLanes<D> + a] = value;
    }
  }
}

template <int D>
void SmallNewton<D>::set_law(int i, double mu, bool bilateral, double inverse_scale) {
  mu_[i] = mu;
  bilateral_[i] = bilateral;
  inverse_scale_[i] = inverse_scale;
}

template <int D>
void SmallNewton<D>::calc_u() {
  V sum[kMostVectors];
  for (int v = 0; v < vectors_; ++v) sum[v] = load_wide(q_ + kWidth * v);
  for (int j = 0; j < rows_; ++j) {
    if (r_[j] == 0.0) continue;
    for (int v = 0; v < vectors_; ++v) sum[v] += load_wide(columns_[j] + kWidth * v) * r_[j];
  }
  for (int v = 0; v < vectors_; ++v) store_wide(u_ + kWidth * v, sum[v]);
}

template <int D>
double SmallNewton<D>::calc_residual() const {
  double worst = 0.0;
  for (int i = 0; i < n_; ++i) {
    const double at = residual_at<D>(r_ + D * i, u_ + D * i, mu_[i], bilateral_[i]) * inverse_scale_[i];
    worst = std::isnan(at) ? std::numeric_limits<double>::infinity() : std::max(worst, at);
  }
  return worst;
}

template <int D>
double SmallNewton<D>::calc_merit(const double* r, const double* u) const {
  double sum = 0.0;
  for (int i = 0; i < n_; ++i) sum += merit<D>(r + D * i, u + D * i, mu_[i], bilateral_[i]);
  return sum;
}

// Every contact by itself against the velocity q, then all of them by the common factor that leaves least energy. Unlike a
// sweep this does not know the order of the contacts, and so neither does the answer, where there are several.
template <int D>
void SmallNewton<D>::start_apart() {
  double against = 0.0, stiff = 0.0;
  for (int i = 0; i < n_; ++i) {
    double b[kLanes<D>] = {}, next[kLanes<D>] = {};
    for (int k = 0; k < D; ++k) b[k] = q_[D * i + k];
    if (bilateral_[i]) {
      solve_free_block<D>(diagonal_[i], b, next);
    } else {
      (void)solve_one_contact<D>(diagonal_[i], b, mu_[i], next, n_ == 1 ? kExact : kRough);
    }
    for (int k = 0; k < D; ++k) {
      r_[D * i + k] = next[k];
      against -= q_[D * i + k] * next[k];
    }
  }
  calc_u();
  for (int j = 0; j < rows_; ++j) stiff += r_[j] * (u_[j] - q_[j]);
  if (n_ == 1 || !(stiff > against) || !(against > 0.0)) return;
  const double share = against / stiff;
  for (int j = 0; j < rows_; ++j) {
    r_[j] *= share;
    u_[j] = q_[j] + (u_[j] - q_[j]) * share;
  }
}

// Gaussian elimination on matrix_, whose right side is z. Without exchanges it is refused where a pivot falls far below the
// diagonal that was there before; the caller then asks for exchanges.
template <int D>
template <int Vectors>
bool SmallNewton<D>::solve_linear(int unknowns, const int* used, bool exchange, double* z) {
  double* row[kSmallRows];
  double inverse[kSmallRows];
  for (int i = 0; i < unknowns; ++i) row[i] = matrix_[used[i]];
  double before[kSmallRows];
  for (int i = 0; i < unknowns; ++i) before[i] = std::abs(row[i][used[i]]);
  int k = 0;
  // Two unknowns at a time: the chain of divisions and updates that nothing can overtake is half as long.
  for (; !exchange && k + 1 < unknowns; k += 2) {
    const int at = used[k], next = used[k + 1];
    const double a = row[k][at], b = row[k][next], c = row[k + 1][at], d = row[k + 1][next];
    const double det = a * d - b * c;
    if (!(std::abs(a) > kSmallPivot * before[k]) || !(std::abs(det) > kSmallPivot * before[k + 1] * std::abs(a)))
      return false;
    const double over = 1.0 / det;
    const double ia = d * over, ib = -b * over, ic = -c * over, id = a * over;
    V first[Vectors], second[Vectors];
    for (int v = 0; v < Vectors; ++v) {
      first[v] = load_wide(row[k] + kWidth * v);
      second[v] = load_wide(row[k + 1] + kWidth * v);
    }
    for (int i = k + 2; i < unknowns; ++i) {
      const double x = row[i][at], y = row[i][next];
      const double l = x * ia + y * ic, m = x * ib + y * id;
      for (int v = 0; v < Vectors; ++v)
        store_wide(row[i] + kWidth * v, load_wide(row[i] + kWidth * v) - first[v] * l - second[v] * m);
      z[i] -= l * z[k] + m * z[k + 1];
    }
    // The pair itself, as two rows of an upper triangle.
    const double l = c / a;
    inverse[k] = 1.0 / a;
    inverse[k + 1] = a * over;
    z[k + 1] -= l * z[k];
    for (int v = 0; v < Vectors; ++v) store_wide(row[k + 1] + kWidth * v, second[v] - first[v] * l);
  }
  for (; k < unknowns; ++k) {
    const int at = used[k];
    if (exchange) {
      int p = k;
      for (int i = k + 1; i < unknowns; ++i) {
        if (std::abs(row[i][at]) > std::abs(row[p][at])) p = i;
      }
      std::swap(row[k], row[p]);
      std::swap(z[k], z[p]);
      if (!(std::abs(row[k][at]) > 0.0)) return false;
    } else if (!(std::abs(row[k][at]) > kSmallPivot * before[k])) {
      return false;
    }
    inverse[k] = 1.0 / row[k][at];
    V pivot[Vectors];
    for (int v = 0; v < Vectors; ++v) pivot[v] = load_wide(row[k] + kWidth * v);
    for (int i = k + 1; i < unknowns; ++i) {
      const double l = row[i][at] * inverse[k];
      for (int v = 0; v < Vectors; ++v) store_wide(row[i] + kWidth * v, load_wide(row[i] + kWidth * v) - pivot[v] * l);
      z[i] -= l * z[k];
    }
  }
  double check = 0.0;
  for (k = unknowns; k-- > 0;) {
    z[k] *= inverse[k];
    check += z[k];
    for (int j = 0; j < k; ++j) z[j] -= row[j][used[k]] * z[k];
  }
  return std::isfinite(check);
}

template <int D>
bool SmallNewton<D>::newton_step(double merit_now, double& next_merit) {
  constexpr int kStep = 8 / kWidth;
  return vectors_ == kStep       ? newton_step_of<kStep>(merit_now, next_merit)
         : vectors_ == 2 * kStep ? newton_step_of<2 * kStep>(merit_now, next_merit)
                                 : newton_step_of<3 * kStep>(merit_now, next_merit);
}

template <int D>
template <int Vectors>
bool SmallNewton<D>::newton_step_of(double merit_now, double& next_merit) {
  constexpr int L = kLanes<D>;
  const double alpha = alpha_;
  for (int j = 0; j < rows_; ++j) across(j)[j] = columns_[j][j] + alpha;
  alignas(64) double c[kSmallRows] = {}, Wc[kSmallRows];
  alignas(64) double coefficient[kOffsets][kSmallRows] = {};  // of x shifted by kLow + k
  int used[kSmallRows];
  int unknowns = 0;
  for (int i = 0; i < n_; ++i) {
    Linear<D>& at = linear_[i];
    linearize<D>(r_ + D * i, u_ + D * i, mu_[i], bilateral_[i], at);
    for (int k = 0; k < D; ++k) c[D * i + k] = at.c[k];
    for (int b = 0; b < at.unknowns; ++b) {
      used[unknowns++] = D * i + b;
      for (int a = 0; a < D; ++a) {
        if (const double t = at.T[b * L + a]; t != 0.0) coefficient[a - b - kLow][D * i + b] = t;
      }
    }
  }
  V sum[Vectors] = {};
  for (int j = 0; j < rows_; ++j) {
    for (int v = 0; v < Vectors; ++v) sum[v] += load_wide(columns_[j] + kWidth * v) * c[j];
  }
  for (int v = 0; v < Vectors; ++v) store_wide(Wc + kWidth * v, sum[v]);
  double z[kSmallRows];
  const auto assemble = [&] {
    int row = 0;
    for (int i = 0; i < n_; ++i) {
      const Linear<D>& at = linear_[i];
      V turned[D][Vectors];  // (W + α) T, the rows of this contact
      const int components = at.unknowns > 1 ? D : at.unknowns;
      for (int a = 0; a < components; ++a) {
        const double* line = across(D * i + a) + kLow;
        for (int v = 0; v < Vectors; ++v) {
          turned[a][v] = load_wide(line + kWidth * v) * load_wide(coefficient[0] + kWidth * v);
          for (int k = 1; k < kOffsets; ++k)
            turned[a][v] += load_wide(line + kWidth * v + k) * load_wide(coefficient[k] + kWidth * v);
        }
      }
      for (int a = 0; a < at.unknowns; ++a, ++row) {
        double* out = matrix_[D * i + a];
        if (at.kind == Kind::kStick || a == 0) {
          for (int v = 0; v < Vectors; ++v) store_wide(out + kWidth * v, turned[a][v]);
          z[row] = -(at.value[a] + Wc[D * i + a] + alpha * at.c[a]);
          continue;
        }
        double right = at.value[a];
        const double* unit = kUnit + kSmallRows - (D * i + a);  // the tangential unknown's own place
        V mixed[Vectors];
        for (int v = 0; v < Vectors; ++v) mixed[v] = load_wide(unit + kWidth * v) * at.extra;
        for (int k = 1; k < D; ++k) {
          const double e = at.E[k * L + a];
          for (int v = 0; v < Vectors; ++v) mixed[v] += turned[k][v] * e;
          right += e * (Wc[D * i + k] + alpha * at.c[k]);
        }
        for (int v = 0; v < Vectors; ++v) store_wide(out + kWidth * v, mixed[v]);
        z[row] = -right;
      }
    }
  };
  assemble();
  if (!solve_linear<Vectors>(unknowns, used, false, z)) {
    assemble();
    if (!solve_linear<Vectors>(unknowns, used, true, z)) return false;
  }
  alignas(64) double dr[kSmallRows] = {}, du[kSmallRows];
  int row = 0;
  for (int i = 0; i < n_; ++i) {
    const Linear<D>& at = linear_[i];
    for (int k = 0; k < D; ++k) dr[D * i + k] = at.c[k];
    for (int a = 0; a < at.unknowns; ++a, ++row) {
      for (int k = 0; k < D; ++k) dr[D * i + k] += at.T[a * L + k] * z[row];
    }
  }
  V move[Vectors] = {};
  for (int j = 0; j < rows_; ++j) {
    for (int v = 0; v < Vectors; ++v) move[v] += load_wide(columns_[j] + kWidth * v) * dr[j];
  }
  for (int v = 0; v < Vectors; ++v) store_wide(du + kWidth * v, move[v]);
  alignas(64) double r[kSmallRows], u[kSmallRows];
  const auto go = [&](double step) {
    for (int v = 0; v < Vectors; ++v) {
      store_wide(r + kWidth * v, load_wide(r_ + kWidth * v) + load_wide(dr + kWidth * v) * step);
      store_wide(u + kWidth * v, load_wide(u_ + kWidth * v) + load_wide(du + kWidth * v) * step);
    }
    next_merit = calc_merit(r, u);
  };
  double step = 1.0;
  go(step);
  for (int halving = 0; !(next_merit <= (1.0 - kDescent * step) * merit_now); ++halving) {
    if (halving < kHalvings) {
      step *= 0.5;
      go(step);
      continue;
    }
    // Watchdog: a full step without descent often leads out of a corner; a few of them are allowed.
    if (--patience_ < 0) return false;
    go(1.0);
    break;
  }
  for (int v = 0; v < Vectors; ++v) {
    store_wide(r_ + kWidth * v, load_wide(r + kWidth * v));
    store_wide(u_ + kWidth * v, load_wide(u + kWidth * v));
  }
  return true;
}

template <int D>
bool SmallNewton<D>::solve(double tolerance, int max_newton, bool sweep_first, Counts& counts) {
  // The merit is compared with what the least strict contact allows before the residual is asked for.
  merit_bound_ = 0.0;
  for (int i = 0; i < n_; ++i) {
    const double allowed = 10.0 * (1.0 + mu_[i]) * tolerance / inverse_scale_[i];
    merit_bound_ += allowed * allowed;
  }
  bool pushes = false;
  for (int i = 0; sweep_first && i < n_; ++i) pushes = pushes || bilateral_[i] || q_[D * i] < 0.0;
  if (pushes) {
    start_apart();
    ++counts.sweeps;
  } else {
    calc_u();
  }
  double now = calc_merit(r_, u_);
  patience_ = kPatience;
  const double first = now;
  for (int step = 0;; ++step) {
    if (!(now > merit_bound_)) {
      calc_u();
      residual_ = calc_residual();
      if (residual_ <= tolerance) return true;
      now = calc_merit(r_, u_);
    }
    if (step == max_newton) break;
    double next = 0.0;
    ++counts.newton;
    const double left = now / first;
    alpha_ = std::clamp(kFirstAlpha * left * left, kLastAlpha, kFirstAlpha);
    if (!newton_step(now, next)) break;
    now = next;
  }
  return false;
}

template <int D>
void SmallNewton<D>::polish(double tolerance, Counts& counts) {
  alpha_ = kLastAlpha;
  for (int step = 0; step < kPolish && residual_ > tolerance; ++step) {
    double before[kSmallRows], next = 0.0;
    const double reached = residual_;
    std::copy(r_, r_ + rows_, before);
    ++counts.newton;
    patience_ = 0;
    bool better = newton_step(calc_merit(r_, u_), next);
    if (better) {
      calc_u();
      residual_ = calc_residual();
      better = residual_ < reached;
    }
    if (better) continue;
    std::copy(before, before + rows_, r_);
    calc_u();
    residual_ = reached;
    return;
  }
}

template class SmallNewton<2>;
template class SmallNewton<3>;
template class SmallNewton<4>;
template class SmallNewton<6>;

}  // namespace tribo::cone
