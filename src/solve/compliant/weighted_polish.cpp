#include "solve/compliant/weighted_polish.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solve/compliant/weighted_rows.hpp"

namespace tribo::compliant {

namespace {

constexpr int kNewtonSteps = 40;
constexpr Extended kSettled = 1e-17L;    // change of a force over the largest, at which Newton's method ends
constexpr Extended kNoise = 1e-11L;      // smaller changes may be rounding
constexpr Extended kSignForce = 1e-14L;  // a force, a slack or a multiplier below this part of its terms has no sign
constexpr Extended kSoft = 1e-18L;

using Direction = std::array<Extended, 2>;

Extended tangent_norm(const WeightedUnit& unit, const ExtendedVector& x) {
  if (unit.size == 1) return 0;
  return unit.size == 2 ? std::abs(x(unit.first + 1)) : std::hypot(x(unit.first + 1), x(unit.first + 2));
}

Direction tangent_of(const WeightedUnit& unit, const ExtendedVector& x) {
  Direction t{1, 0};
  const Extended norm = tangent_norm(unit, x);
  for (int k = 1; k < unit.size && norm > 0; ++k) t[static_cast<std::size_t>(k - 1)] = x(unit.first + k) / norm;
  return t;
}

// The system (1)–(2) in the order x (of loaded units), y, −m, −η.
class OptimalitySystem {
 public:
  OptimalitySystem(const WeightedProgram& program, const ActiveGuess& guess) : program_(program) {
    for (std::size_t u = 0; u < program.units.size(); ++u) {
      const WeightedUnit& unit = program.units[u];
      if (guess.units[u] == UnitState::kZero) continue;
      for (int k = 0; k < unit.size; ++k) loaded_.push_back(unit.first + k);
      if (guess.units[u] == UnitState::kBoundary) boundary_.push_back(u);
    }
    for (std::size_t i = 0; i < program.rows.size(); ++i) {
      if (guess.rows[i] != 0) active_.push_back(i);
    }
    place_.assign(static_cast<std::size_t>(program.size()), -1);
    for (std::size_t k = 0; k < loaded_.size(); ++k)
      place_[static_cast<std::size_t>(loaded_[k])] = static_cast<Index>(k);
    fill_constant_part();
  }

  bool curved() const {
    return std::any_of(boundary_.begin(), boundary_.end(), [&](std::size_t u) { return program_.units[u].size == 3; });
  }

  // One Newton step: all unknowns anew. False: singular.
  bool step(WeightedPoint& point) {
    K_ = constant_;
    Index at = first_eta();
    for (const std::size_t u : boundary_) {
      const WeightedUnit& unit = program_.units[u];
      const Direction t = tangent_of(unit, point.x);
      const Index x = place_[static_cast<std::size_t>(unit.first)];
      add_symmetric(x, at, unit.mu);
      for (int k = 1; k < unit.size; ++k) add_symmetric(x + k, at, -t[static_cast<std::size_t>(k - 1)]);
      const Extended norm = tangent_norm(unit, point.x), eta = point.eta(static_cast<Index>(u));
      if (unit.size == 3 && norm > 0 && eta > 0) {
        const std::array<Extended, 2> across{-t[1], t[0]};
        for (int a = 0; a < 2; ++a) {
          for (int b = 0; b < 2; ++b) {
            K_(x + 1 + a, x + 1 + b) +=
                eta / norm * across[static_cast<std::size_t>(a)] * across[static_cast<std::size_t>(b)];
          }
        }
      }
      ++at;
    }
    if (!lu_.factor(K_, first_m(), kSoft)) return false;
    const ExtendedVector answer = lu_.solve(right_);
    if (!answer.allFinite()) return false;
    read(answer, point);
    return true;
  }

 private:
  Index first_y() const { return static_cast<Index>(loaded_.size()); }
  Index first_m() const { return first_y() + static_cast<Index>(program_.residuals.size()); }
  Index first_eta() const { return first_m() + static_cast<Index>(active_.size()); }
  void add_symmetric(Index i, Index j, Extended value) {
    K_(i, j) += value;
    K_(j, i) += value;
  }
  void fill_row(Index at, const WeightedRow& row) {
    for (std::size_t k = 0; k < loaded_.size(); ++k) {
      const Extended value = program_.coefficient(row, loaded_[k]);
      constant_(at, static_cast<Index>(k)) = value;
      constant_(static_cast<Index>(k), at) = value;
    }
    right_(at) = -program_.c(row.x);
  }
  void fill_constant_part() {
    const Index size = first_eta() + static_cast<Index>(boundary_.size());
    constant_.setZero(size, size);
    right_.setZero(size);
    for (std::size_t k = 0; k < loaded_.size(); ++k) {
      constant_(static_cast<Index>(k), static_cast<Index>(k)) = program_.weight(loaded_[k]);
    }
    Index at = first_y();
    for (const WeightedRow& row : program_.residuals) {
      fill_row(at, row);
      constant_(at, at) = -1 / (row.D * row.D);
      ++at;
    }
    for (const std::size_t i : active_) fill_row(at++, program_.rows[i]);
  }
  void read(const ExtendedVector& answer, WeightedPoint& point) const {
    point.x.setZero(program_.size());
    point.m.setZero(static_cast<Index>(program_.rows.size()));
    point.eta.setZero(static_cast<Index>(program_.units.size()));
    point.y = answer.segment(first_y(), static_cast<Index>(program_.residuals.size()));
    for (std::size_t k = 0; k < loaded_.size(); ++k) point.x(loaded_[k]) = answer(static_cast<Index>(k));
    Index at = first_m();
    for (const std::size_t i : active_) point.m(static_cast<Index>(i)) = -answer(at++);
    for (const std::size_t u : boundary_) point.eta(static_cast<Index>(u)) = -answer(at++);
  }

  const WeightedProgram& program_;
  IndexList loaded_;  // forces that are unknown
  IndexList place_;   // force → its place in loaded_, -1: zero
  std::vector<std::size_t> boundary_, active_;
  ExtendedMatrix constant_, K_;
  ExtendedVector right_;
  ExtendedLu lu_;
};

bool solve_guess(const WeightedProgram& program, const ActiveGuess& guess, WeightedPoint& point, int& systems) {
  if (has_rows_only(program)) {
    ++systems;
    return solve_rows(program, guess, point);
  }
  OptimalitySystem system(program, guess);
  ExtendedVector before;
  Extended last = std::numeric_limits<Extended>::infinity();
  for (int step = 0; step < kNewtonSteps; ++step) {
    before = point.x;
    ++systems;
    if (!system.step(point)) return false;
    if (!system.curved()) return true;
    const Extended change = (point.x - before).cwiseAbs().maxCoeff() / point.x.cwiseAbs().maxCoeff();
    // Ill-conditioned systems end at rounding: small steps that no longer shrink.
    if (step > 0 && (change <= kSettled || (change <= kNoise && change >= last / 2))) return true;
    last = change;
  }
  return false;
}

// The signs (3). Collects what should change, with how badly its sign fails, relative to its terms.
class SignCheck {
 public:
  struct Change {
    Extended violation = 0;
    bool is_row = false;
    std::size_t index = 0;
    UnitState state = UnitState::kZero;
    Direction direction{0, 0};  // where a unit leaves x = 0 for the boundary
  };

  SignCheck(const WeightedProgram& program, const ActiveGuess& guess, const WeightedPoint& point)
      : program_(program), guess_(guess), point_(point) {
    calc_gradient();
    largest_ = point.x.size() > 0 ? point.x.cwiseAbs().maxCoeff() : 0;
    for (std::size_t u = 0; u < program.units.size(); ++u) check_unit(u);
    for (std::size_t i = 0; i < program.rows.size(); ++i) check_row(i);
  }
  const std::vector<Change>& changes() const { return changes_; }

 private:
  void calc_gradient() {  // of (1) without the cones, and the sum of its terms' sizes
    const Index n = program_.size();
    gradient_.resize(n);
    terms_.resize(n);
    for (Index j = 0; j < n; ++j) {
      gradient_(j) = program_.weight(j) * point_.x(j);
      terms_(j) = std::abs(gradient_(j));
      const auto add = [&](const WeightedRow& row, Extended multiplier) {
        const Extended term = program_.coefficient(row, j) * multiplier;
        gradient_(j) += term;
        terms_(j) += std::abs(term);
      };
      for (std::size_t t = 0; t < program_.residuals.size(); ++t)
        add(program_.residuals[t], point_.y(static_cast<Index>(t)));
      for (std::size_t i = 0; i < program_.rows.size(); ++i) add(program_.rows[i], -point_.m(static_cast<Index>(i)));
    }
  }
  void note(Extended violation, Extended terms, Change change) {
    if (!(violation > kSignForce * terms)) return;
    change.violation = violation / terms;
    changes_.push_back(change);
  }
  void check_unit(std::size_t u) {
    const WeightedUnit& unit = program_.units[u];
    const Extended pushing = point_.x(unit.first), sideways = tangent_norm(unit, point_.x);
    const Extended slope = gradient_(unit.first), terms = terms_.segment(unit.first, unit.size).maxCoeff();
    const Extended tilt = tangent_norm(unit, gradient_);
    Change change{0, false, u, UnitState::kZero, {0, 0}};
    switch (guess_.units[u]) {
      case UnitState::kInside:
        if (unit.size > 1 && unit.mu * sideways > -pushing) change.state = UnitState::kBoundary;
        note(unit.size == 1 ? -pushing : sideways - unit.mu * pushing, largest_, change);
        break;
      case UnitState::kBoundary:
        if (pushing < 0) {
          note(-pushing, largest_, change);
        } else {
          change.state = UnitState::kInside;
          note(-point_.eta(static_cast<Index>(u)), terms, change);
        }
        break;
      case UnitState::kZero:
        change.state = UnitState::kInside;
        if (unit.size > 1 && tilt > -unit.mu * slope) {
          change.state = UnitState::kBoundary;
          const Direction t = tangent_of(unit, gradient_);
          change.direction = {-t[0], -t[1]};
        }
        note(unit.size == 1 ? -slope : unit.mu * tilt - slope, terms, change);
        break;
    }
  }
  void check_row(std::size_t i) {
    const WeightedRow& row = program_.rows[i];
    const Change change{0, true, i, UnitState::kZero, {0, 0}};
    if (guess_.rows[i] != 0) {
      note(-point_.m(static_cast<Index>(i)) * program_.coefficient(row, row.x), terms_(row.x), change);
      return;
    }
    Extended terms = std::abs(program_.c(row.x));
    for (Index j = 0; j < program_.size(); ++j) terms += std::abs(program_.coefficient(row, j) * point_.x(j));
    note(-program_.value(row, point_.x), terms, change);
  }

  const WeightedProgram& program_;
  const ActiveGuess& guess_;
  const WeightedPoint& point_;
  ExtendedVector gradient_, terms_;
  Extended largest_ = 0;
  std::vector<Change> changes_;
};

void apply(const WeightedProgram& program, const SignCheck::Change& change, ActiveGuess& guess, WeightedPoint& point) {
  if (change.is_row) {
    guess.rows[change.index] ^= 1U;
    return;
  }
  const bool leaves_zero = guess.units[change.index] == UnitState::kZero;
  guess.units[change.index] = change.state;
  if (!leaves_zero || change.state != UnitState::kBoundary) return;
  const WeightedUnit& unit = program.units[change.index];
  for (int k = 1; k < unit.size; ++k) point.x(unit.first + k) = change.direction[static_cast<std::size_t>(k - 1)];
}

}  // namespace

PolishReport polish(const WeightedProgram& program, int max_rounds, ActiveGuess& guess, WeightedPoint& point) {
  PolishReport report;
  if (point.eta.size() != static_cast<Index>(program.units.size())) {
    point.eta.setZero(static_cast<Index>(program.units.size()));
  }
  std::vector<ActiveGuess> seen;
  bool one_by_one = false;
  while (report.rounds < max_rounds) {
    ++report.rounds;
    if (!solve_guess(program, guess, point, report.systems)) return report;
    const SignCheck check(program, guess, point);
    if (check.changes().empty()) {
      report.verified = true;
      return report;
    }
    // A guess that comes back: from there on only the worst changes.
    one_by_one = one_by_one || std::find(seen.begin(), seen.end(), guess) != seen.end();
    seen.push_back(guess);
    const auto worse = [](const SignCheck::Change& a, const SignCheck::Change& b) { return a.violation < b.violation; };
    if (one_by_one) {
      apply(program, *std::max_element(check.changes().begin(), check.changes().end(), worse), guess, point);
    } else {
      for (const SignCheck::Change& change : check.changes()) apply(program, change, guess, point);
    }
  }
  return report;
}

}  // namespace tribo::compliant
