#include <algorithm>
#include <cmath>

#include "solve/pivot/lemke_path.hpp"

namespace tribo {
namespace {

constexpr double kDefectSmall = 1e-11;  // of a direction, before it is refined
constexpr double kDefectLimit = 1e-9;   // of a refined direction, before K⁻¹ is rebuilt
constexpr int kRefreshEvery = 50;       // pivots between recomputations of the basic values

}  // namespace

void LemkePath::calc_direction(const Variable& drive) {
  if (drive.is_w) {
    basis_.row_direction(drive.index, dx_, dw_);
  } else {
    basis_.column_direction(drive.index, dx_, dw_);
  }
}

// Keeps the direction of `drive`, K⁻¹ and the basic values honest. False: singular.
bool LemkePath::refresh(const Variable& drive) {
  const Index unit_row = drive.is_w ? drive.index : -1;
  const auto defect = [&] { return basis_.defect(dx_, dw_, unit_row); };
  bool rebuilt = false;
  if (!(defect() <= kDefectSmall)) {
    basis_.refine(dx_, dw_, unit_row);
    if (!(defect() <= kDefectLimit)) {
      if (!basis_.refactor()) return false;
      ++report_.refactored;
      rebuilt = true;
      calc_direction(drive);
      for (int pass = 0; pass < 3 && !(defect() <= kDefectSmall); ++pass) basis_.refine(dx_, dw_, unit_row);
      if (!(defect() <= kDefectLimit)) return false;
    }
  }
  if (rebuilt || report_.pivots % kRefreshEvery == 0) basis_.values(qs_, x_, ws_);
  return true;
}

// z₀ enters: the most negative basic variable, counted in covering sizes, leaves. Ties: the last index (spec C.4).
LemkePath::Variable LemkePath::first_blocking() {
  Variable leaving;
  double least = kInfinity;
  const auto consider = [&](const Variable& v, double value, Index i) {
    const double ratio = value / cover_size_(i);
    if (ratio <= least) {
      least = ratio;
      leaving = v;
    }
  };
  for (Index i = free_; i < n_; ++i) {
    if (basis_.column_position(i) >= 0) {
      consider({false, i}, x_(basis_.column_position(i)), i);
    } else if (basis_.row_position(i) < 0) {
      consider({true, i}, ws_(i), i);
    }
  }
  return leaving;
}

// The basic variables that reach zero first; index −1 when none ever does.
LemkePath::Variable LemkePath::ratio_test() {
  const Index k = basis_.size();
  const auto dw = dw_.segment(free_, n_ - free_);
  double largest_rate = dw.size() > 0 ? dw.cwiseAbs().maxCoeff() : 0.0;
  for (Index p = 0; p < k; ++p) {
    if (is_bounded(basis_.column(p))) largest_rate = std::max(largest_rate, std::abs(dx_(p)));
  }
  const double smallest_pivot = settings_.pivot_tolerance * largest_rate;
  double least = kInfinity;
  Variable nearest;
  const auto consider = [&](const Variable& v, double ratio) {
    if (!(ratio < least)) return;
    least = ratio;
    nearest = v;
  };
  smallest_rate_ = 0.0;
  for (Index p = 0; p < k; ++p) {
    if (dx_(p) < -smallest_pivot && is_bounded(basis_.column(p))) {
      consider({false, basis_.column(p)}, std::max(0.0, x_(p)) / -dx_(p));
    }
  }
  for (Index i = free_; i < n_; ++i) {
    if (dw_(i) < -smallest_pivot && basis_.row_position(i) < 0) {
      consider({true, i}, std::max(0.0, ws_(i)) / -dw_(i));
    }
  }
  blocking_.clear();
  if (least == kInfinity) {
    for (Index p = 0; p < k; ++p) {
      if (is_bounded(basis_.column(p))) smallest_rate_ = std::min(smallest_rate_, dx_(p) / largest_rate);
    }
    for (Index i = free_; i < n_; ++i) {
      if (basis_.row_position(i) < 0) smallest_rate_ = std::min(smallest_rate_, dw_(i) / largest_rate);
    }
    return {};
  }
  // A tie: what is left of the value after this step is rounding.
  for (Index p = 0; p < k; ++p) {
    const Index j = basis_.column(p);
    if (!is_bounded(j) || dx_(p) >= -smallest_pivot) continue;
    if (x_(p) + least * dx_(p) > kZeroValue * largest_z_(j)) continue;
    if (j == n_) return {false, n_};  // z₀ may leave: solved
    blocking_.push_back({false, j});
  }
  for (Index i = free_; i < n_; ++i) {
    if (dw_(i) >= -smallest_pivot || basis_.row_position(i) >= 0) continue;
    if (ws_(i) + least * dw_(i) <= kZeroValue * largest_w_(i)) blocking_.push_back({true, i});
  }
  if (blocking_.empty()) return nearest;  // numbers so small that even a zero is rounded
  return blocking_.size() == 1 ? blocking_.front() : break_tie();
}

// Lexicographic rule (spec C.4): compare the rows of [q', B⁻¹], column by column of B⁻¹, each over the driving rate.
LemkePath::Variable LemkePath::break_tie() {
  for (Index j = free_; j < n_ && blocking_.size() > 1; ++j) {
    if (basis_.row_position(j) < 0) {  // w_j basic: its own row has the only, positive, entry
      std::erase_if(blocking_, [j](const Variable& v) { return v.is_w && v.index == j; });
      continue;
    }
    double least = kInfinity, largest = 0.0;
    for (Variable& v : blocking_) {
      const double entry = v.is_w ? basis_.row_direction_entry(j, v.index)
                                  : basis_.row_direction_entry_at(j, basis_.column_position(v.index));
      v.score = entry / rate(v);
      least = std::min(least, v.score);
      largest = std::max(largest, std::abs(v.score));
    }
    std::erase_if(blocking_, [&](const Variable& v) { return v.score > least + 1e-10 * largest; });
  }
  // Rows that rounding cannot tell apart: the largest pivot.
  return *std::min_element(blocking_.begin(), blocking_.end(),
                           [&](const Variable& a, const Variable& b) { return rate(a) < rate(b); });
}

void LemkePath::step(const Variable& drive, const Variable& leaving) {
  const double length = drive.index == n_ && !drive.is_w ? -value(leaving) / rate(leaving)
                                                         : std::max(0.0, value(leaving)) / -rate(leaving);
  const Index k = basis_.size();
  x_.head(k) += length * dx_.head(k);
  ws_.head(n_) += length * dw_.head(n_);
  if (!drive.is_w && leaving.is_w) {
    basis_.grow(leaving.index, drive.index, dx_, dw_(leaving.index));
    x_(k) = length;
  } else if (!drive.is_w) {
    const Index position = basis_.column_position(leaving.index);
    basis_.replace_column(position, drive.index, dx_);
    x_(position) = length;
  } else if (leaving.is_w) {
    basis_.replace_row(basis_.row_position(drive.index), leaving.index);
  } else {
    const Index position = basis_.column_position(leaving.index);
    basis_.shrink(basis_.row_position(drive.index), position);
    x_(position) = x_(k - 1);
  }
  for (Index p = 0; p < basis_.size(); ++p) ws_(basis_.row(p)) = 0.0;
  if (drive.is_w) ws_(drive.index) = length;
  note_sizes();
  ++report_.pivots;
}

void LemkePath::note_sizes() {
  largest_w_.head(n_) = largest_w_.head(n_).cwiseMax(ws_.head(n_).cwiseAbs());
  for (Index p = 0; p < basis_.size(); ++p) {
    double& largest = largest_z_(basis_.column(p));
    largest = std::max(largest, std::abs(x_(p)));
  }
}

}  // namespace tribo
