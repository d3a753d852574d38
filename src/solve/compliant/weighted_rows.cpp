#include "solve/compliant/weighted_rows.hpp"

namespace tribo::compliant {

namespace {

constexpr int kRefinements = 6;

class RowSystem {
 public:
  RowSystem(const WeightedProgram& program, const ActiveGuess& guess)
      : program_(program), guess_(guess), n_(program.whitened.rows()) {
    for (Index i = 0; i < program.size(); ++i) {
      if (active(i) && !loaded(i)) idle_.push_back(i);
    }
  }

  // Columns by columns: what p, q and the idle rows' m leave of (1) and of the idle rows' equations.
  bool factor() {
    const Index size = 2 * n_ + static_cast<Index>(idle_.size());
    ExtendedMatrix K = ExtendedMatrix::Zero(size, size);
    for (Index a = 0; a < 2 * n_; ++a) K(a, a) = 1;
    const Extended h = program_.h;
    for (Index i = 0; i < program_.size(); ++i) {
      if (!loaded(i)) continue;
      const Extended compliance = 1 / D(i), w = program_.weight(i);
      // x = x_p ĝ·p + x_q ĝ·q,  m likewise
      const Extended x_p = active(i) ? -1 / compliance : 0, x_q = active(i) ? 0 : 1 / w;
      const Extended m_p = active(i) ? w * x_p / compliance : 0, m_q = active(i) ? -1 / compliance : 0;
      for (Index b = 0; b < n_; ++b) {
        const Extended g = program_.whitened(b, i);
        for (Index a = 0; a < n_; ++a) {
          const Extended u = h * program_.mobile(a, i) * g;
          K(a, b) -= u * x_p;
          K(a, n_ + b) -= u * x_q;
          K(n_ + a, b) -= u * m_p;
          K(n_ + a, n_ + b) -= u * m_q;
        }
      }
    }
    for (std::size_t k = 0; k < idle_.size(); ++k) {
      const Index at = 2 * n_ + static_cast<Index>(k);
      for (Index a = 0; a < n_; ++a) {
        K(at, a) = program_.whitened(a, idle_[k]);
        K(n_ + a, at) = -h * program_.mobile(a, idle_[k]);
      }
    }
    return lu_.factor(K, 2 * n_, 1e-18L);
  }

  void solve(WeightedPoint& point) const {
    const Index rows = program_.size();
    point.x.setZero(rows);
    point.m.setZero(rows);
    ExtendedVector p = ExtendedVector::Zero(n_), q = p;
    for (int pass = 0; pass <= kRefinements; ++pass) correct(point.x, point.m, p, q);
  }

 private:
  bool active(Index i) const { return guess_.rows[static_cast<std::size_t>(i)] != 0; }
  bool loaded(Index i) const { return guess_.units[static_cast<std::size_t>(i)] != UnitState::kZero; }
  Extended D(Index i) const { return program_.rows[static_cast<std::size_t>(i)].D; }
  Extended rate(Index i, const ExtendedVector& p) const {
    Extended sum = 0;
    for (Index a = 0; a < n_; ++a) sum += program_.whitened(a, i) * p(a);
    return sum;
  }

  // One Newton step on (1)–(2), which are linear: the first solves, the others refine.
  void correct(ExtendedVector& x, ExtendedVector& m, ExtendedVector& p, ExtendedVector& q) const {
    const Index rows = program_.size(), size = 2 * n_ + static_cast<Index>(idle_.size());
    ExtendedVector right = ExtendedVector::Zero(size), x_own = ExtendedVector::Zero(rows), m_own = x_own;
    right.head(n_) = -p;
    right.segment(n_, n_) = -q;
    for (Index i = 0; i < rows; ++i) {
      const Extended compliance = 1 / D(i), w = program_.weight(i);
      if (loaded(i)) {  // what (2) lacks, put right with p and q as they are
        const Extended slack = compliance * x(i) + rate(i, p) + program_.c(i);
        const Extended slope = w * x(i) - compliance * m(i) - rate(i, q);
        x_own(i) = active(i) ? -slack / compliance : -slope / w;
        m_own(i) = active(i) ? (w * x_own(i) + slope) / compliance : 0;
      }
      for (Index a = 0; a < n_; ++a) {
        const Extended u = program_.h * program_.mobile(a, i);
        right(a) += u * (x(i) + x_own(i));
        right(n_ + a) += u * (m(i) + m_own(i));
      }
    }
    for (std::size_t k = 0; k < idle_.size(); ++k) {
      right(2 * n_ + static_cast<Index>(k)) = -rate(idle_[k], p) - program_.c(idle_[k]);
    }
    const ExtendedVector step = lu_.solve(right);
    const ExtendedVector dp = step.head(n_), dq = step.segment(n_, n_);
    for (Index i = 0; i < rows; ++i) {
      if (!loaded(i)) continue;
      const Extended compliance = 1 / D(i), w = program_.weight(i);
      const Extended dx = active(i) ? -rate(i, dp) / compliance : rate(i, dq) / w;
      x(i) += x_own(i) + dx;
      if (active(i)) m(i) += m_own(i) + (w * dx - rate(i, dq)) / compliance;
    }
    for (std::size_t k = 0; k < idle_.size(); ++k) m(idle_[k]) += step(2 * n_ + static_cast<Index>(k));
    p += dp;
    q += dq;
  }

  const WeightedProgram& program_;
  const ActiveGuess& guess_;
  Index n_;
  IndexList idle_;  // active rows without load
  ExtendedLu lu_;
};

}  // namespace

bool has_rows_only(const WeightedProgram& program) {
  return program.units.size() == static_cast<std::size_t>(program.size()) &&
         program.size() > 4 * program.whitened.rows();
}

bool solve_rows(const WeightedProgram& program, const ActiveGuess& guess, WeightedPoint& point) {
  RowSystem system(program, guess);
  if (!system.factor()) return false;
  system.solve(point);
  point.y.resize(0);
  point.eta.setZero(program.size());
  return point.x.allFinite() && point.m.allFinite();
}

}  // namespace tribo::compliant
