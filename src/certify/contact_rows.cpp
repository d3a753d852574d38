// Norms of rows and accurate products with rows: where a certificate spends its time. Rows of one contact that have the
// same blocks go side by side; every number is what one row alone would give.
#include <algorithm>
#include <cmath>

#include "certify/accurate_lanes.hpp"
#include "certify/contact_terms.hpp"

namespace tribo {

namespace {

constexpr Index kLongest = 32;  // blocks up to this size go side by side
constexpr double kNoNumbers[kLongest] = {};

// Up to three families of rows of the same contacts, with one number per row as result; absent ones have no rows.
class Families {
 public:
  Families(const BlockRows* const (&rows)[3], VectorXd* const (&result)[3]) : rows_{rows[0], rows[1], rows[2]} {
    for (int f = 0; f < 3; ++f) {
      result[f]->resize(rows[f]->rows());
      if (rows[f]->rows() == 0) continue;
      if (present_ == 0) layout_ = &rows[f]->layout();
      out_[present_] = result[f]->data();
      places_[present_++] = f;
      count_ = rows[f]->rows();
    }
  }
  Index count() const { return count_; }
  const BlockLayout& layout() const { return *layout_; }

  // The common block of segment k of the rows i; -1: none has one; kMixed: they differ, or it is too long.
  static constexpr Index kMixed = -2;
  Index common_block(Index i, int k) const {
    const Index common = rows_[places_[0]]->block(i, k);
    for (int p = 1; p < present_; ++p) {
      if (rows_[places_[p]]->block(i, k) != common) return kMixed;
    }
    return common < 0 || layout_->size(common) <= kLongest ? common : kMixed;
  }
  const double* values(int f, Index i, int k) const {
    return rows_[f]->rows() == 0 ? kNoNumbers : rows_[f]->values(i, k);
  }

  void store(Index i, const FourLanes& results) const {
    for (int p = 0; p < present_; ++p) out_[p][i] = results[places_[p]];
  }
  template <typename Calc>
  void store_each(Index i, Calc calc) const {  // calc(family, its rows)
    for (int p = 0; p < present_; ++p) out_[p][i] = calc(places_[p], *rows_[places_[p]]);
  }

 private:
  const BlockRows* rows_[3];
  const BlockLayout* layout_ = nullptr;
  int present_ = 0;
  int places_[3] = {};   // of those that are present
  double* out_[3] = {};  // theirs
  Index count_ = 0;
};

// Number c of segment k of the rows i, side by side.
struct Columns {
  const double *first, *second, *third;
  Columns(const Families& rows, Index i, int k)
      : first(rows.values(0, i, k)), second(rows.values(1, i, k)), third(rows.values(2, i, k)) {}
  FourLanes operator[](Index c) const { return FourLanes{first[c], second[c], third[c], 0.0}; }
};

// |L⁻¹ x|² for x side by side. Size: known when compiled, or 0.
template <int Size>
FourLanes whitened_norms(const double* L, const double* inverse, Index any_size, const Columns& x) {
  const Index size = Size > 0 ? Size : any_size;
  FourLanes y[Size > 0 ? Size : kLongest];
#pragma GCC unroll 6
  for (Index j = 0; j < size; ++j) y[j] = x[j];
  FourLanes sum = {};
#pragma GCC unroll 6
  for (Index j = 0; j < size; ++j) {
    y[j] *= inverse[j];
    sum += y[j] * y[j];
#pragma GCC unroll 6
    for (Index i = j + 1; i < size; ++i) y[i] -= L[size * j + i] * y[j];
  }
  return sum;
}

FourLanes whitened_norms(const BlockCholesky& factor, Index block, const Columns& x) {
  const Index size = factor.layout().size(block);
  const auto calc = size == 6 ? whitened_norms<6> : whitened_norms<0>;
  return calc(factor.block(block).data(), factor.inverse_diagonal(block), size, x);
}

// high + low += x · part for x side by side.
template <int Size>
void add_dots(const Columns& x, Index any_size, const double* part, FourLanes& high, FourLanes& low) {
  const Index size = Size > 0 ? Size : any_size;
#pragma GCC unroll 6
  for (Index c = 0; c < size; ++c) add_products(x[c], FourLanes{part[c], part[c], part[c], part[c]}, high, low);
}

double row_norm(const BlockRows& rows, Index i, const BlockCholesky& factor, VectorXd& part) {
  double squared = 0.0;
  for (int k = 0; k < 2; ++k) {
    const Index block = rows.block(i, k);
    if (block < 0) continue;
    const Index size = rows.layout().size(block);
    double* x = part.data();  // as long as the longest block
    std::copy_n(rows.values(i, k), size, x);
    factor.whiten_row(block, x);
    for (Index c = 0; c < size; ++c) squared += x[c] * x[c];
  }
  return std::sqrt(squared);
}

void norms(const Families& rows, const BlockCholesky& factor, VectorXd& part) {
  for (Index i = 0; i < rows.count(); ++i) {
    const Index first = rows.common_block(i, 0), second = rows.common_block(i, 1);
    if (first == Families::kMixed || second == Families::kMixed) {
      rows.store_each(i, [&](int, const BlockRows& family) { return row_norm(family, i, factor, part); });
      continue;
    }
    FourLanes squared = {};
    if (first >= 0) squared = whitened_norms(factor, first, Columns(rows, i, 0));
    if (second >= 0) squared += whitened_norms(factor, second, Columns(rows, i, 1));
    rows.store(i, FourLanes{std::sqrt(squared[0]), std::sqrt(squared[1]), std::sqrt(squared[2]), 0.0});
  }
}

}  // namespace

void row_norms(const ContactProblem& problem, ContactTerms& terms) {
  const BlockLayout& layout = problem.mass.layout();
  Index longest = 0;
  for (Index b = 0; b < layout.blocks(); ++b) longest = std::max(longest, layout.size(b));
  VectorXd& part = terms.segment;
  if (part.size() < longest) part.resize(longest);
  norms({{&problem.N, &problem.S, &problem.T}, {&terms.norm_N, &terms.norm_S, &terms.norm_T}}, terms.factor, part);
  norms({{&problem.spin, &problem.roll_s, &problem.roll_t}, {&terms.norm_spin, &terms.norm_roll_s, &terms.norm_roll_t}},
        terms.factor, part);
  terms.norm_J.resize(problem.J.rows());
  for (Index i = 0; i < problem.J.rows(); ++i) terms.norm_J(i) = row_norm(problem.J, i, terms.factor, part);
  terms.norm_D.resize(problem.dry());
  for (Index i = 0; i < problem.dry(); ++i) terms.norm_D(i) = row_norm(problem.D, i, terms.factor, part);
}

double accurate_row(const BlockRows& rows, Index i, const VectorXd& x, double offset) {
  AccurateSum sum(offset);
  for (int k = 0; k < 2; ++k) {
    const Index block = rows.block(i, k);
    if (block < 0) continue;
    const double* values = rows.values(i, k);
    const double* part = x.data() + rows.layout().start(block);
    const Index size = rows.layout().size(block);
    for (Index c = 0; c < size; ++c) sum.add_product(values[c], part[c]);
  }
  return sum.value();
}

void accurate_rows(const BlockRows* const (&rows)[3], const VectorXd& x, const VectorXd* offset,
                   VectorXd* const (&result)[3]) {
  const Families families(rows, result);
  for (Index i = 0; i < families.count(); ++i) {
    const double start = offset != nullptr ? (*offset)(i) : 0.0;
    const Index common[2] = {families.common_block(i, 0), families.common_block(i, 1)};
    if (common[0] == Families::kMixed || common[1] == Families::kMixed) {
      families.store_each(
          i, [&](int f, const BlockRows& family) { return accurate_row(family, i, x, f == 0 ? start : 0.0); });
      continue;
    }
    FourLanes high = {start, 0.0, 0.0, 0.0}, low = {};
    for (int k = 0; k < 2; ++k) {
      if (common[k] < 0) continue;
      const Columns columns(families, i, k);
      const double* part = x.data() + families.layout().start(common[k]);
      const Index size = families.layout().size(common[k]);
      if (size == 6) {
        add_dots<6>(columns, size, part, high, low);
      } else {
        add_dots<0>(columns, size, part, high, low);
      }
    }
    families.store(i, high + low);
  }
}

void accurate_rows(const BlockRows& rows, const VectorXd& x, VectorXd& result) {
  result.resize(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) result(i) = accurate_row(rows, i, x);
}

namespace {

// (high, low)_k += x_k factor, k = 0 … size − 1.
void add_product(const double* x, Index size, double factor, double* high, double* low) {
  for (Index k = 0; k < size; ++k) {
    const double product = x[k] * factor, sum = high[k] + product, part = sum - high[k];
    low[k] += std::fma(x[k], factor, -product);
    low[k] += (high[k] - (sum - part)) + (product - part);
    high[k] = sum;
  }
}

// Segment k of the rows from `begin` to `end`, which all have it in the same block, into the sums of that block.
void add_segments(const BlockRows& rows, Index begin, Index end, int k, double sign, const VectorIn& f, double* high,
                  double* low) {
  const Index size = rows.layout().size(rows.block(begin, k));
  if (size != 6) {
    for (Index i = begin; i < end; ++i) {
      if (f(i) != 0.0) add_product(rows.values(i, k), size, sign * f(i), high, low);
    }
    return;
  }
  SixSums sums(high, low);
  for (Index i = begin; i < end; ++i) {
    if (f(i) != 0.0) sums.add_product(rows.values(i, k), sign * f(i));
  }
  sums.store(high, low);
}

}  // namespace

void add_mass_product(MomentumSums& sums, const BlockDiagonal& mass, double sign, const VectorXd& x) {
  for (Index b = 0; b < mass.blocks(); ++b) {
    const Index start = mass.layout().start(b), size = mass.layout().size(b);
    const double* block = mass.block(b).data();
    double *high = sums.high.data() + start, *low = sums.low.data() + start;
    if (size == 6) {
      SixSums six(high, low);
      for (Index j = 0; j < 6; ++j) six.add_product(block + 6 * j, sign * x(start + j));
      six.store(high, low);
    } else {
      for (Index j = 0; j < size; ++j) add_product(block + size * j, size, sign * x(start + j), high, low);
    }
  }
}

void add_scaled_vector(MomentumSums& sums, double scale, const VectorXd& x) {
  add_product(x.data(), x.size(), scale, sums.high.data(), sums.low.data());
}

// Contacts of the same two bodies follow one another as a rule: their sums are not put down in between.
void add_rows_transposed(MomentumSums& sums, const BlockRows& rows, double sign, const VectorIn& f) {
  for (Index begin = 0, end = 0; begin < rows.rows(); begin = end) {
    const Index first = rows.block(begin, 0), second = rows.block(begin, 1);
    while (end < rows.rows() && rows.block(end, 0) == first && rows.block(end, 1) == second) ++end;
    for (int k = 0; k < 2; ++k) {
      const Index block = rows.block(begin, k);
      if (block < 0) continue;
      const Index start = rows.layout().start(block);
      add_segments(rows, begin, end, k, sign, f, sums.high.data() + start, sums.low.data() + start);
    }
  }
}

}  // namespace tribo
