#include "solve/compliant/weighted_interior.hpp"

#include <algorithm>
#include <cmath>

#include "solve/compliant/weighted_cone.hpp"

namespace tribo::compliant {

namespace {

constexpr Extended kStep = 0.99L;     // of the way to the boundary
constexpr Extended kGapEnd = 1e-28L;  // in scaled units, where forces and weights are about one
constexpr Extended kSlowest = 0.9L;   // the gap must fall by this at least ...
constexpr int kPatience = 12;         // ... in one of so many iterations

using Cones = std::vector<ConeVector>;

struct Iterate {
  ExtendedVector x, y;
  Cones s, z;  // rows, then units
};

// The largest second derivative of the objective along one force.
Extended calc_curvature(const WeightedProgram& program) {
  ExtendedVector diagonal = program.weight;
  for (const WeightedRow& row : program.residuals) {
    for (Index j = 0; j < program.size(); ++j) {
      const Extended slope = row.D * program.coefficient(row, j);
      diagonal(j) += slope * slope;
    }
  }
  return diagonal.maxCoeff();
}

class InteriorPoint {
 public:
  explicit InteriorPoint(const WeightedProgram& program)
      : program_(program), rows_(program.rows.size()), weight_scale_(calc_curvature(program)) {
    const Index n = program.size(), t = static_cast<Index>(program.residuals.size()), m = static_cast<Index>(rows_);
    constant_.setZero(n + t + m, n + t + m);
    constants_.setZero(t + m);
    for (Index j = 0; j < n; ++j) constant_(j, j) = program.weight(j) / weight_scale_;
    Index at = n;
    for (const WeightedRow& row : program.residuals) {
      fill_row(at, row, 1);
      constant_(at, at) = -weight_scale_ / (row.D * row.D);
      ++at;
    }
    for (const WeightedRow& row : program.rows) {
      Extended largest = 0;
      for (Index j = 0; j < n; ++j) largest = std::max(largest, std::abs(program.coefficient(row, j)));
      row_scale_.push_back(largest);
      fill_row(at++, row, largest);
    }
  }

  bool start() {  // scaling one, then shifted into the cones
    const std::size_t cones = rows_ + program_.units.size();
    scaling_.assign(cones, ConeScaling{});
    for (ConeScaling& scaling : scaling_) scaling.w.at[0] = 1;
    now_.s.assign(cones, ConeVector{});
    if (!factor()) return false;
    const Index n = program_.size(), t = static_cast<Index>(program_.residuals.size());
    now_.x.setZero(n);
    Cones right = calc_cones(now_.x, true);
    for (ConeVector& b : right) b = combine(-1, b, 0, b);
    solve(ExtendedVector::Zero(n), -constants_.head(t), right, now_.x, now_.y, now_.z);
    for (std::size_t k = 0; k < cones; ++k) now_.s[k] = combine(-1, now_.z[k], 0, now_.z[k]);
    shift_inside(now_.s);
    shift_inside(now_.z);
    return now_.x.allFinite();
  }

  // One predictor-corrector step; false: the arithmetic has come to its end.
  bool step() {
    for (std::size_t k = 0; k < scaling_.size(); ++k) {
      scaling_[k].assign(now_.s[k], now_.z[k]);
      if (!std::isfinite(scaling_[k].eta) || !std::isfinite(scaling_[k].w.at[0])) return false;
    }
    if (!factor()) return false;
    const std::size_t cones = scaling_.size();
    Cones lambda(cones), target(cones);
    for (std::size_t k = 0; k < cones; ++k) {
      lambda[k] = scaling_[k].apply(now_.z[k]);
      target[k] = combine(-1, lambda[k], 0, lambda[k]);
    }
    Iterate affine, step;
    calc_direction(0, target, affine);
    const Extended alpha = std::min(Extended{1}, calc_longest(affine));
    const Extended sigma = (1 - alpha) * (1 - alpha) * (1 - alpha);
    const Extended centre = sigma * gap() / static_cast<Extended>(cones);
    for (std::size_t k = 0; k < cones; ++k) {
      const ConeVector second = circle(scaling_[k].apply_inverse(affine.s[k]), scaling_[k].apply(affine.z[k]));
      ConeVector b = combine(-1, circle(lambda[k], lambda[k]), -1, second);
      b.at[0] += centre;
      target[k] = divide(lambda[k], b);
    }
    calc_direction(sigma, target, step);
    const Extended length = std::min(Extended{1}, kStep * calc_longest(step));
    if (!(length > 1e-10L) || !step.x.allFinite()) return false;
    Iterate next = now_;
    next.x += length * step.x;
    next.y += length * step.y;
    for (std::size_t k = 0; k < cones; ++k) {
      next.s[k] = combine(1, now_.s[k], length, step.s[k]);
      next.z[k] = combine(1, now_.z[k], length, step.z[k]);
      if (!(next.s[k].lowest() > 0 && next.z[k].lowest() > 0)) return false;
    }
    now_ = next;
    return true;
  }

  Extended gap() const {
    Extended sum = 0;
    for (std::size_t k = 0; k < now_.s.size(); ++k) sum += now_.s[k].dot(now_.z[k]);
    return sum;
  }

  // What of (1) is not yet so, over the largest of its terms.
  Extended calc_defect() const {
    ExtendedVector defect_x, defect_y;
    Cones defect_s;
    calc_defects(defect_x, defect_y, defect_s);
    Extended largest_z = 0, worst = 0;
    for (std::size_t k = 0; k < now_.z.size(); ++k) {
      largest_z = std::max(largest_z, now_.z[k].at[0]);
      for (const Extended value : defect_s[k].at) worst = std::max(worst, std::abs(value));
    }
    const Extended forces = std::max(Extended{1}, now_.x.cwiseAbs().maxCoeff());
    const Extended slope = std::max(largest_z, constant_.diagonal().head(program_.size()).maxCoeff() * forces);
    return std::max(worst / forces, defect_x.cwiseAbs().maxCoeff() / slope);
  }

  void write(ActiveGuess& guess, WeightedPoint& point) const {
    Extended reference = 0;
    for (const ConeVector& z : now_.z) reference = std::max(reference, z.at[0]);
    const Extended multiplier = weight_scale_ * program_.force;
    point.x = program_.force * now_.x;
    point.y = multiplier * now_.y;
    point.m.setZero(static_cast<Index>(rows_));
    point.eta.setZero(static_cast<Index>(program_.units.size()));
    guess.rows.assign(rows_, 0);
    guess.units.assign(program_.units.size(), UnitState::kInside);
    for (std::size_t i = 0; i < rows_; ++i) {
      guess.rows[i] = now_.z[i].at[0] > reference * now_.s[i].at[0] ? 1 : 0;
      point.m(static_cast<Index>(i)) = multiplier * now_.z[i].at[0] / row_scale_[i];
    }
    for (std::size_t u = 0; u < program_.units.size(); ++u) {
      const ConeVector &s = now_.s[rows_ + u], &z = now_.z[rows_ + u];
      // The eigenvalues come in pairs: the small one of s with the large one of z.
      const bool small_is_zero = z.at[0] + z.tail() > reference * s.lowest();
      const bool large_is_zero = z.lowest() > reference * (s.at[0] + s.tail());
      if (program_.units[u].size == 1) {
        guess.units[u] = small_is_zero ? UnitState::kZero : UnitState::kInside;
      } else if (small_is_zero) {
        guess.units[u] = large_is_zero ? UnitState::kZero : UnitState::kBoundary;
        point.eta(static_cast<Index>(u)) = multiplier * z.at[0];
      }
    }
  }

 private:
  void fill_row(Index at, const WeightedRow& row, Extended scale) {
    for (Index j = 0; j < program_.size(); ++j) {
      constant_(at, j) = program_.coefficient(row, j) / scale;
      constant_(j, at) = constant_(at, j);
    }
    constants_(at - program_.size()) = program_.c(row.x) / (scale * program_.force);
  }
  Extended unit_slope(const WeightedUnit& unit, int k) const { return k == 0 && unit.size > 1 ? unit.mu : Extended{1}; }

  // Rows and units keep their multipliers as unknowns: eliminated, their W⁻² would swamp all else near the end.
  bool factor() {
    const Index n = program_.size(), inner = constant_.rows();
    K_.setZero(inner + n, inner + n);
    K_.topLeftCorner(inner, inner) = constant_;
    const Index first_row = inner - static_cast<Index>(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
      const Index at = first_row + static_cast<Index>(i);
      K_(at, at) = -scaling_[i].eta * scaling_[i].eta;
    }
    for (std::size_t u = 0; u < program_.units.size(); ++u) {
      const WeightedUnit& unit = program_.units[u];
      for (int a = 0; a < unit.size; ++a) {
        const Index x = unit.first + a, at = inner + x;
        K_(x, at) = K_(at, x) = unit_slope(unit, a);
        for (int b = 0; b < unit.size; ++b) K_(at, inner + unit.first + b) = -scaling_[rows_ + u].squared(a, b);
      }
    }
    return lu_.factor(K_, K_.rows(), 0);
  }

  Cones calc_cones(const ExtendedVector& x, bool with_constant) const {  // C x (+ c_C)
    Cones result(rows_ + program_.units.size());
    const Index first_row = constant_.rows() - static_cast<Index>(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
      const Index at = first_row + static_cast<Index>(i);
      Extended sum = with_constant ? constants_(at - program_.size()) : 0;
      for (Index j = 0; j < x.size(); ++j) sum += constant_(j, at) * x(j);
      result[i].at[0] = sum;
    }
    for (std::size_t u = 0; u < program_.units.size(); ++u) {
      const WeightedUnit& unit = program_.units[u];
      for (int k = 0; k < unit.size; ++k) {
        result[rows_ + u].at[static_cast<std::size_t>(k)] = unit_slope(unit, k) * x(unit.first + k);
      }
    }
    return result;
  }

  // visit(cone, component, force) for every force of every unit.
  template <typename Visit>
  void for_units(const Visit& visit) const {
    for (std::size_t u = 0; u < program_.units.size(); ++u) {
      const WeightedUnit& unit = program_.units[u];
      for (int k = 0; k < unit.size; ++k) visit(rows_ + u, static_cast<std::size_t>(k), unit.first + k);
    }
  }

  void add_transposed(const Cones& z, ExtendedVector& x) const {  // x += C_uᵀ z, units only
    for (std::size_t u = 0; u < program_.units.size(); ++u) {
      const WeightedUnit& unit = program_.units[u];
      for (int k = 0; k < unit.size; ++k) {
        x(unit.first + k) += unit_slope(unit, k) * z[rows_ + u].at[static_cast<std::size_t>(k)];
      }
    }
  }

  // ŵ dx + X̂ᵀ dy − Cᵀ dz = bx,   X̂ dx − dy/D² = by,   C dx + W² dz = bs
  void solve(const ExtendedVector& bx, const ExtendedVector& by, const Cones& bs, ExtendedVector& dx,
             ExtendedVector& dy, Cones& dz) const {
    const Index n = program_.size(), t = by.size(), m = static_cast<Index>(rows_), inner = n + t + m;
    ExtendedVector right(inner + n);
    right.head(n) = bx;
    right.segment(n, t) = by;
    for (Index i = 0; i < m; ++i) right(n + t + i) = bs[static_cast<std::size_t>(i)].at[0];
    for_units([&](std::size_t cone, std::size_t k, Index x) { right(inner + x) = bs[cone].at[k]; });
    const ExtendedVector answer = lu_.solve(right);
    dx = answer.head(n);
    dy = answer.segment(n, t);
    dz.assign(bs.size(), ConeVector{});
    for (Index i = 0; i < m; ++i) dz[static_cast<std::size_t>(i)].at[0] = -answer(n + t + i);
    for_units([&](std::size_t cone, std::size_t k, Index x) { dz[cone].at[k] = -answer(inner + x); });
  }

  void calc_defects(ExtendedVector& defect_x, ExtendedVector& defect_y, Cones& defect_s) const {
    const Index n = program_.size(), t = static_cast<Index>(program_.residuals.size());
    defect_x.resize(n);
    for (Index j = 0; j < n; ++j) {
      Extended sum = constant_(j, j) * now_.x(j);
      for (Index k = 0; k < t; ++k) sum += constant_(n + k, j) * now_.y(k);
      for (std::size_t i = 0; i < rows_; ++i) sum -= constant_(n + t + static_cast<Index>(i), j) * now_.z[i].at[0];
      defect_x(j) = sum;
    }
    ExtendedVector units = ExtendedVector::Zero(n);
    add_transposed(now_.z, units);
    defect_x -= units;
    defect_y = constants_.head(t);
    for (Index k = 0; k < t; ++k) {
      for (Index j = 0; j < n; ++j) defect_y(k) += constant_(j, n + k) * now_.x(j);
      defect_y(k) += constant_(n + k, n + k) * now_.y(k);
    }
    defect_s = calc_cones(now_.x, true);
    for (std::size_t k = 0; k < defect_s.size(); ++k) defect_s[k] = combine(1, now_.s[k], -1, defect_s[k]);
  }

  void calc_direction(Extended sigma, const Cones& target, Iterate& direction) const {
    ExtendedVector bx, by;
    Cones bs;
    calc_defects(bx, by, bs);
    const Extended share = 1 - sigma;
    for (std::size_t k = 0; k < bs.size(); ++k) bs[k] = combine(share, bs[k], 1, scaling_[k].apply(target[k]));
    solve(-share * bx, -share * by, bs, direction.x, direction.y, direction.z);
    direction.s.resize(bs.size());
    for (std::size_t k = 0; k < bs.size(); ++k) {
      direction.s[k] = scaling_[k].apply(combine(1, target[k], -1, scaling_[k].apply(direction.z[k])));
    }
  }

  Extended calc_longest(const Iterate& direction) const {
    Extended length = std::numeric_limits<Extended>::infinity();
    for (std::size_t k = 0; k < now_.s.size(); ++k) {
      length = std::min({length, longest_step(now_.s[k], direction.s[k]), longest_step(now_.z[k], direction.z[k])});
    }
    return length;
  }

  static void shift_inside(Cones& cones) {
    Extended lowest = std::numeric_limits<Extended>::infinity();
    for (const ConeVector& a : cones) lowest = std::min(lowest, a.lowest());
    if (lowest > 1e-6L) return;
    for (ConeVector& a : cones) a.at[0] += 1 - lowest;
  }

  const WeightedProgram& program_;
  std::size_t rows_;
  Extended weight_scale_;
  std::vector<Extended> row_scale_;
  ExtendedMatrix constant_, K_;
  ExtendedVector constants_;  // c of residuals, then of rows
  std::vector<ConeScaling> scaling_;
  ExtendedLu lu_;
  Iterate now_;
};

}  // namespace

InteriorReport solve_interior(const WeightedProgram& program, int max_iterations, ActiveGuess& guess,
                              WeightedPoint& point) {
  InteriorReport report;
  InteriorPoint method(program);
  if (!method.start()) return report;
  Extended least = method.gap(), defect = method.calc_defect();
  int waiting = 0;
  while (report.iterations < max_iterations && waiting < kPatience && method.gap() > kGapEnd && method.step()) {
    ++report.iterations;
    const Extended now = method.calc_defect();
    const bool fell = method.gap() < kSlowest * least || now < kSlowest * defect;
    least = std::min(least, method.gap());
    defect = std::min(defect, now);
    waiting = fell ? 0 : waiting + 1;
  }
  report.converged = method.gap() <= 1e-12L && method.calc_defect() <= 1e-10L;
  method.write(guess, point);
  return report;
}

}  // namespace tribo::compliant
