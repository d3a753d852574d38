#include "solve/pivot/pyramid_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/pivot/pyramid_race.hpp"

namespace tribo {
namespace {

using padded::Lanes;
using padded::lanes;

constexpr double kSmallRate = 1e-11;       // pivots, relative to the largest rate of the column
constexpr double kTie = 1e-12;             // of the unit: how far below zero a value may go in favour of a larger pivot
constexpr double kNothing = 1e-11;         // of the unit: what is left of z₀
constexpr double kNegativeAnswer = 1e-10;  // of the unit: how negative an answer's values may be
constexpr double kOffRest = 0.1;           // c of σ beside that of ν (spec C.5: not zero, for bodies at rest)

// 1 … 1.5 from an index: the same number on every machine.
double scattered(std::uint64_t index, std::uint64_t seed) {
  std::uint64_t x = (index + 1) * 0x9e3779b97f4a7c15ULL + seed * 0xd1b54a32d192ed03ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return 1.0 + 0.5 * static_cast<double>(x >> 11) * 0x1p-53;
}

}  // namespace

template <int Dof>
double PyramidPath<Dof>::cover_of(std::uint64_t index) const {
  return settings_.seed == 0 ? 1.0 : scattered(index, settings_.seed);
}

// c by contact, not by position: how contacts are grouped is no property of the problem.
template <int Dof>
void PyramidPath<Dof>::make_cover() {
  const PairRows& rows = problem_->normals->rows;
  const auto positions = static_cast<std::size_t>(rows.positions());
  const auto contacts = static_cast<std::size_t>(rows.rows());
  const auto ensure = [](std::vector<double>& v, std::size_t size) {
    if (v.size() < size) v.resize(size);
  };
  for (auto* v : {&cover_, &norm_, &w_, &dw_}) ensure(*v, positions);
  for (auto* v : {&twists_, &moves_}) ensure(*v, static_cast<std::size_t>(rows.maps().twist_size()));
  if (scatter_seed_ != settings_.seed) scatter_.clear();
  scatter_seed_ = settings_.seed;
  while (scatter_.size() < contacts) scatter_.push_back(cover_of(scatter_.size()));
  const double* weight = rows.weights();
  for (std::size_t i = 0; i < positions; ++i) {
    norm_[i] = weight[i] > 0.0 ? 1.0 / std::sqrt(weight[i]) : 0.0;
    cover_[i] = 0.0;
  }
  for (const PairRows::Run& run : rows.runs()) {
    for (Index i = 0; i < run.count; ++i) cover_[run.position + i] = norm_[run.position + i] * scatter_[run.row + i];
  }
}

template <int Dof>
void PyramidPath<Dof>::price() {
  const LeastDistance& normals = *problem_->normals;
  const PairRows& rows = normals.rows;
  const Index m = problem_->dof();
  rows.maps().twists(Eigen::Map<const VectorXd>(basis_.velocity(Basis::kPoint), m), twists_.data());
  rows.maps().twists(Eigen::Map<const VectorXd>(basis_.velocity(Basis::kDirection), m), moves_.data());
  for (Index p = 0; p < rows.slices(); ++p) {
    const PairRows::Slice slice = rows.slice(p);
    const Index twist = rows.maps()[p].twist;
    const double* b = normals.offsets() == nullptr ? nullptr : normals.offsets() + slice.begin;
    const auto pass = slice.width == 6 ? multiply_both<6> : slice.width == 12 ? multiply_both<12> : multiply_both<0>;
    pass(slice, &twists_[twist], &moves_[twist], b, &w_[slice.begin], &dw_[slice.begin]);
  }
}

template <int Dof>
PyramidVariable PyramidPath<Dof>::complement(const Variable& variable) const {
  Variable other = variable;
  switch (variable.kind) {
    case Kind::kNu:
      other.kind = Kind::kTheta;
      break;
    case Kind::kTheta:
      other.kind = Kind::kNu;
      break;
    case Kind::kSigma:
      other.kind = Kind::kPhi;
      break;
    case Kind::kPhi:
      other.kind = Kind::kSigma;
      break;
    case Kind::kGamma:
      other.kind = Kind::kLambda;
      break;
    case Kind::kLambda:
      other.kind = Kind::kGamma;
      break;
    default:
      break;
  }
  return other;
}

template <int Dof>
std::int32_t PyramidPath<Dof>::enter(Index position) {
  const double cover = norm_[position] > 0.0 ? cover_[position] / norm_[position] : 1.0;
  const std::int32_t at = basis_.add(position, problem_->normals->rows.row(position), cover);
  if (at >= 0) cover_[position] = 0.0;
  return at;
}

// The rows of a contact whose ν has left, at the current point (spec C.5).
template <int Dof>
void PyramidPath<Dof>::open_friction(std::int32_t at) {
  auto& slot = basis_.slot(at);
  if (!slot.friction) return;
  basis_.calc_slip(at);
  const Index d = basis_.directions();
  const double z0 = basis_.z0(Basis::kPoint);
  const auto base = static_cast<std::uint64_t>(slot.contact) * static_cast<std::uint64_t>(d);
  const bool sliding = settings_.rows == PyramidRows::kSliding;
  double* cover = basis_.cover_sigma(at);
  for (Index k = 0; k < d; ++k) {
    const double scatter = cover_of(base + static_cast<std::uint64_t>(k) + 0x10000);
    cover[k] = sliding ? 2.0 * kOffRest * (scatter - 0.5) : scatter;
  }
  slot.cover_gamma = settings_.rows == PyramidRows::kAll ? 1.0 : 0.0;
  if (settings_.rows == PyramidRows::kAll) return;
  Index fastest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < d; ++k) {
    const double value = basis_.sigma(at, k, Basis::kPoint);  // λ = 0 as yet
    if (value < least) {
      least = value;
      fastest = k;
    }
  }
  if (least > 0.0) return;
  if (sliding) {
    basis_.set_side(at, fastest, Basis::Side::kPhi);
    slot.lambda = true;
    slot.gamma = false;
  } else {
    for (Index k = 0; k < d; ++k) cover[k] -= 2.0 * least / z0;
  }
}

template <int Dof>
bool PyramidPath<Dof>::start_cold() {
  const PairRows& rows = problem_->normals->rows;
  price();
  Variable first;
  double most = 0.0, not_finite = 0.0;
  for (Index i = 0; i < rows.positions(); ++i) {
    not_finite += (w_[i] - w_[i]) + (rows.weights()[i] - rows.weights()[i]);
    const bool more = settings_.lexicographic ? -w_[i] >= most * cover_[i] : -w_[i] > most * cover_[i];  // spec C.4
    if (cover_[i] > 0.0 && more && -w_[i] > kTie * unit_ * norm_[i]) {
      most = -w_[i] / cover_[i];
      first = {Kind::kNu, -1, 0, i};
    }
  }
  if (!(not_finite == 0.0)) {
    report_.detail = "the problem is not finite";
    return false;
  }
  if (first.kind == Kind::kNone) {  // σ, λ and γ of zero forces can always be completed
    report_.status = Status::kSolved;
    return false;
  }
  if (settings_.rows == PyramidRows::kAll) {
    for (const PairRows::Run& run : rows.runs()) {
      for (Index i = 0; i < run.count; ++i) {
        const std::int32_t at = enter(run.position + i);
        open_friction(at);
        if (run.position + i == first.position) first.slot = at;
      }
    }
    for (std::int32_t i = 0; i < basis_.live(); ++i) {  // σ may need more than ν
      const std::int32_t at = basis_.slot_at(i);
      if (!basis_.slot(at).friction) continue;
      for (std::int32_t k = 0; k < basis_.directions(); ++k) {
        const double needed = -basis_.sigma(at, k, Basis::kPoint) / basis_.cover_sigma(at)[k];
        if (needed > most) {
          most = needed;
          first = {Kind::kSigma, at, k, -1};
        }
      }
    }
  }
  basis_.start_at(most);
  ++report_.pivots;
  basis_.z0_basic = true;
  if (first.slot < 0) {
    first.slot = enter(first.position);
    open_friction(first.slot);
  }
  basis_.set_basic(first, false);
  driving_ = complement(first);
  return true;
}

// The basis of an answer to another problem. As it is, or as the beginning of a path at z₀ = unit.
template <int Dof>
bool PyramidPath<Dof>::start_warm(std::span<const LoadedContact> warm) {
  const PairRows& rows = problem_->normals->rows;
  for (const LoadedContact& contact : warm) {
    if (contact.contact < 0 || contact.contact >= problem_->size()) return false;
    Index position = -1;
    for (const PairRows::Run& run : rows.runs()) {
      const Index offset = contact.contact - run.row;
      if (offset >= 0 && offset < run.count) position = run.position + offset;
    }
    if (position < 0 || cover_[position] == 0.0) return false;
    const std::int32_t at = enter(position);
    if (at < 0) return false;
    auto& slot = basis_.slot(at);
    slot.nu = false;
    slot.theta = true;
    slot.value_theta = typename Basis::Two{contact.theta / slot.per_normal, 0.0};
    if (!slot.friction) continue;
    slot.lambda = contact.slides;
    slot.gamma = !contact.slides;
    for (std::size_t which = 0; which < contact.directions.size(); ++which) {
      const std::int32_t k = contact.directions[which];
      if (k < 0 || k >= basis_.directions()) continue;
      basis_.set_side(at, k, Basis::Side::kPhi);
      for (std::int32_t j = 0; j < slot.held_count; ++j)
        if (slot.held[j] == k) slot.value_held[j] = typename Basis::Two{contact.phi[which] / slot.per_tangent, 0.0};
    }
  }
  if (!basis_.solve({})) {
    // A degenerate answer belongs to several bases, and the one that its impulses suggest may be singular.
    if (!basis_.keep_values() || !is_answer()) return false;
    report_.status = Status::kSolved;
    return true;
  }
  if (is_answer()) return true;
  if (settings_.rows == PyramidRows::kAll) return false;  // a path would need the rows of all contacts
  const double floor = 0.1;
  basis_.cover_violations(floor, unit_);
  price();
  for (Index i = 0; i < rows.positions(); ++i) {
    if (cover_[i] == 0.0) continue;
    cover_[i] = -dw_[i] + (w_[i] < 0.0 ? floor * cover_[i] - w_[i] / unit_ : 0.0);
  }
  driving_.kind = Kind::kZ0;
  return true;
}

// The variables of the slots, when the driving one moves by `sign`.
template <int Dof>
void PyramidPath<Dof>::list_slots(double sign) {
  const Index d = basis_.directions();
  entries_ = per_slot_ * basis_.live();
  const double z0 = basis_.z0(Basis::kPoint), dz0 = basis_.z0(Basis::kDirection);
  const bool from_one = driving_.kind == Kind::kZ0;
  for (std::int32_t i = 0; i < basis_.live(); ++i) {
    const std::int32_t at = basis_.slot_at(i);
    const auto& slot = basis_.slot(at);
    double* value = &value_[i * per_slot_];
    double* rate = &rate_[i * per_slot_];
    if (slot.friction) {
      const double* cover = basis_.cover_sigma(at);
      for (Index k = 0; k < d; k += 8) {
        const Lanes cos = lanes(&cosine_[k]).v, sin = lanes(&sine_[k]).v, c = lanes(cover + k).v;
        lanes(value + k).v = cos * slot.along_s[0] + sin * slot.along_t[0] + slot.value_lambda[0] + c * z0;
        lanes(rate + k).v = sign * (cos * slot.along_s[1] + sin * slot.along_t[1] + slot.value_lambda[1] + c * dz0);
      }
      for (std::int32_t j = 0; j < slot.held_count; ++j) {
        const std::int32_t k = slot.held[j];
        const bool phi = basis_.side(at, k) == Basis::Side::kPhi;
        value[k] = slot.value_held[j][0];
        rate[k] = phi ? sign * slot.value_held[j][1] : 1.0;
      }
    } else {
      std::fill_n(rate, d, 1.0);
    }
    std::fill_n(rate + d, per_slot_ - d, 1.0);
    if (slot.nu || slot.theta) {
      value[d] = slot.nu ? slot.value_nu[0] : slot.value_theta[0];
      rate[d] = sign * (slot.nu ? slot.value_nu[1] : slot.value_theta[1]);
    }
    if (slot.friction && (slot.gamma || slot.lambda)) {
      value[d + 1] = slot.gamma ? slot.value_gamma[0] : slot.value_lambda[0];
      rate[d + 1] = sign * (slot.gamma ? slot.value_gamma[1] : slot.value_lambda[1]);
    }
    if (!from_one) continue;
    for (Index k = 0; k < per_slot_; ++k) value[k] -= unit_ * rate[k];  // the point was solved for z₀ = 0
  }
}

template <int Dof>
void PyramidPath<Dof>::add_tied(Index entry, double value, double rate) {
  const Index d = basis_.directions();
  const std::int32_t at = basis_.slot_at(static_cast<std::int32_t>(entry / per_slot_));
  const auto k = static_cast<std::int32_t>(entry % per_slot_);
  const auto& slot = basis_.slot(at);
  Variable variable{Kind::kNone, at, 0, -1};
  if (k < d) {
    variable.kind = basis_.side(at, k) == Basis::Side::kPhi ? Kind::kPhi : Kind::kSigma;
    variable.k = k;
  } else if (k == d) {
    variable.kind = slot.nu ? Kind::kNu : Kind::kTheta;
  } else {
    variable.kind = slot.gamma ? Kind::kGamma : Kind::kLambda;
  }
  tied_.push_back({variable, value, rate});
}

// The ratio test in two steps: how far the driving variable may go if everything may fall to −kTie; then, of all that is
// at zero by then, the one that falls fastest. Rates below kSmallRate of the largest possible one do not block.
template <int Dof>
typename PyramidPath<Dof>::Candidate PyramidPath<Dof>::choose(double sign) {
  list_slots(sign);
  const bool open_contacts = settings_.rows != PyramidRows::kAll;
  if (open_contacts) {
    price();
    // Contacts with a slot are listed there.
    for (std::int32_t i = 0; i < basis_.live(); ++i) dw_[basis_.slot(basis_.slot_at(i)).position] = 0.0;
  }
  const double z0 = basis_.z0(Basis::kPoint), dz0 = basis_.z0(Basis::kDirection);
  double largest = std::max(1.0, std::abs(dz0));
  for (Index j = 0; j < problem_->dof(); ++j)
    largest = std::max(largest, std::abs(basis_.velocity(Basis::kDirection)[j]));
  for (std::int32_t i = 0; i < basis_.live(); ++i) {
    const auto& slot = basis_.slot(basis_.slot_at(i));
    largest = std::max({largest, std::abs(slot.value_theta[1]), std::abs(slot.value_lambda[1])});
  }
  const double slowest = kSmallRate * largest, slack = kTie * unit_;
  const bool z0_drives = driving_.kind == Kind::kZ0;

  Race race;
  for (Index e = 0; e < entries_; e += 8) {
    race.enter(lanes(&value_[e]).v, lanes(&rate_[e]).v, Lanes{} + slack, Lanes{} + slowest);
  }
  const Index positions = open_contacts ? problem_->normals->rows.positions() : 0;
  for (Index i = 0; i < positions; i += 8) {
    const Lanes cover = lanes(&cover_[i]).v, norm = lanes(&norm_[i]).v;
    const Lanes rate = sign * (lanes(&dw_[i]).v + cover * dz0);
    const Lanes value = z0_drives ? lanes(&w_[i]).v - unit_ * rate : lanes(&w_[i]).v + cover * z0;
    lanes(&w_[i]).v = value;
    lanes(&dw_[i]).v = rate;
    race.enter(value, rate, slack * norm, slowest * norm);
  }
  double time = race.time();
  // z₀ leaves whenever it may (spec C.2); while it drives it starts from the unit.
  const double z0_value = z0_drives ? unit_ : std::max(z0, 0.0);
  const double z0_rate = z0_drives ? -1.0 : basis_.z0_basic ? sign * dz0 : 1.0;
  if (-z0_rate > slowest && z0_value <= time * -z0_rate) return {{Kind::kZ0, -1, 0, -1}, z0_value, z0_rate};
  tied_.clear();
  if (!(time < 1e290)) return {};
  for (Index e = 0; e < entries_; e += 8) {
    if (!any_arrives(lanes(&value_[e]).v, lanes(&rate_[e]).v, Lanes{} + slowest, time)) continue;
    for (Index k = e; k < e + 8; ++k) {
      if (arrives(value_[k], rate_[k], slowest, time)) add_tied(k, value_[k], rate_[k]);
    }
  }
  for (Index i = 0; i < positions; i += 8) {
    if (!any_arrives(lanes(&w_[i]).v, lanes(&dw_[i]).v, slowest * lanes(&norm_[i]).v, time)) continue;
    for (Index k = i; k < i + 8; ++k) {
      if (!arrives(w_[k], dw_[k], slowest * norm_[k], time)) continue;
      tied_.push_back({{Kind::kNu, -1, 0, k}, w_[k] / norm_[k], dw_[k] / norm_[k]});
    }
  }
  if (tied_.empty()) return {};
  const Candidate* best = &tied_.front();
  if (tied_.size() == 1) return *best;
  if (settings_.lexicographic) return break_tie();
  for (const Candidate& c : tied_) {
    if (c.rate < best->rate) best = &c;
  }
  if (best->variable.kind != Kind::kTheta && best->variable.slot >= 0) {
    // φ ≤ mu θ: all friction of a contact vanishes with its load, and then the load leaves (spec C.5).
    for (const Candidate& c : tied_) {
      if (c.variable.is(Kind::kTheta, best->variable.slot)) return c;
    }
  }
  return *best;
}

// Lexicographic rule of spec C.4 over the w-variables in a fixed order: ν of the slots, then σ, then γ.
template <int Dof>
typename PyramidPath<Dof>::Candidate PyramidPath<Dof>::break_tie() {
  const auto same = [](const Variable& a, const Variable& b) {
    return a.kind == b.kind && a.slot == b.slot && a.k == b.k && a.position == b.position;
  };
  std::vector<double>& of_column = column_;
  const auto try_variable = [&](const Variable& w) {
    if (basis_.is_basic(w)) {
      std::erase_if(tied_, [&](const Candidate& c) { return same(c.variable, w); });
      return;
    }
    if (same(w, driving_) || !basis_.solve(w)) return;
    const PairRows& rows = problem_->normals->rows;
    rows.maps().twists(Eigen::Map<const VectorXd>(basis_.velocity(Basis::kDirection), problem_->dof()), moves_.data());
    double least = std::numeric_limits<double>::infinity();
    of_column.clear();
    for (const Candidate& c : tied_) {
      const Index position = c.variable.position;
      const double rate = c.variable.slot >= 0 ? basis_.value(c.variable, Basis::kDirection)
                                               : (rows.dot(position, &moves_[rows.maps()[rows.pair(position)].twist]) +
                                                  cover_[position] * basis_.z0(Basis::kDirection)) /
                                                     norm_[position];
      of_column.push_back(rate / c.rate);  // −m'(w) / −m'(driving)
      least = std::min(least, of_column.back());
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tied_.size(); ++i) {
      if (of_column[i] <= least + 1e-11 * std::max(1.0, std::abs(least))) tied_[kept++] = tied_[i];
    }
    tied_.resize(kept);
  };
  for (const Kind kind : {Kind::kNu, Kind::kSigma, Kind::kGamma}) {
    for (std::int32_t i = 0; i < basis_.live() && tied_.size() > 1; ++i) {
      const std::int32_t at = basis_.slot_at(i);
      if (kind != Kind::kNu && !basis_.slot(at).friction) continue;
      const std::int32_t count = kind == Kind::kSigma ? static_cast<std::int32_t>(basis_.directions()) : 1;
      for (std::int32_t k = 0; k < count && tied_.size() > 1; ++k) try_variable({kind, at, k, -1});
    }
  }
  const Candidate chosen = tied_.front();
  static_cast<void>(basis_.solve(driving_));  // its values again, in the place of the columns'
  return chosen;
}

// A contact whose ν has become basic again needs no slot.
template <int Dof>
void PyramidPath<Dof>::open_again() {
  if (driving_.kind != Kind::kNu || settings_.rows != PyramidRows::kSliding) return;
  const auto& slot = basis_.slot(driving_.slot);
  cover_[slot.position] = slot.cover_nu * norm_[slot.position];
  basis_.remove(driving_.slot);
}

// True: go on. The driving variable becomes basic, `leaving` does not stay so, and its complement drives.
template <int Dof>
bool PyramidPath<Dof>::pivot(const Variable& leaving) {
  ++report_.pivots;
  if (leaving.kind == Kind::kTheta && settings_.rows == PyramidRows::kSliding) {
    const std::int32_t at = leaving.slot;
    if (driving_.slot != at) basis_.set_basic(driving_, true);
    open_again();
    basis_.drop_friction(at);  // inactive contacts need no friction rows; ν_i drives and needs its slot once more
    basis_.set_basic(leaving, false);
    driving_ = {Kind::kNu, at, 0, -1};
    return true;
  }
  basis_.set_basic(driving_, true);
  open_again();
  Variable out = leaving;
  if (out.kind == Kind::kNu && out.slot < 0) {
    out.slot = enter(out.position);
    if (out.slot < 0) {
      report_.detail = "more loaded contacts than degrees of freedom";
      return false;
    }
    open_friction(out.slot);
  }
  basis_.set_basic(out, false);
  driving_ = complement(out);
  return true;
}

template <int Dof>
bool PyramidPath<Dof>::follow() {
  while (report_.pivots < settings_.max_pivots) {
    if (!basis_.solve(driving_)) {
      report_.detail = "the core became singular";
      return false;
    }
    const double sign = driving_.kind == Kind::kZ0 ? -1.0 : 1.0;
    const Candidate leaves = choose(sign);
    const Variable& leaving = leaves.variable;
    if (leaving.kind == Kind::kNone) {
      // Bodies that are nearly jammed stand still before the path ends: what is left of z₀ is rounding, and so are all
      // rates. The point is an answer then, whatever the basis.
      if (std::abs(basis_.z0(Basis::kPoint)) <= kNothing * unit_ && is_answer()) {
        report_.status = Status::kSolved;
        return true;
      }
      report_.status = Status::kRay;
      report_.detail = "Lemke's path ended in a secondary ray";
      return false;
    }
    const double t = leaves.value > 0.0 ? leaves.value / -leaves.rate : 0.0;
    basis_.step(driving_.kind == Kind::kZ0 ? unit_ - t : t);
    if (leaving.kind == Kind::kZ0) {
      ++report_.pivots;
      basis_.set_basic(driving_, true);
      basis_.z0_basic = false;
      return finish();
    }
    if (!pivot(leaving)) return false;
  }
  report_.status = Status::kIterationLimit;
  report_.detail = "the limit of pivots was reached";
  return false;
}

// z₀ is gone: the basis is an answer's, if its values say so.
template <int Dof>
bool PyramidPath<Dof>::finish() {
  driving_ = {};
  if (!basis_.solve(driving_) || !basis_.refine()) {
    report_.detail = "the last core is singular";
    return false;
  }
  if (!is_answer()) {
    report_.detail = "accuracy lost: the last basis is not an answer";
    return false;
  }
  report_.status = Status::kSolved;
  report_.detail = "";
  return true;
}

// Every complementary pair of the point, without z₀: |min(z, w)| below kNegativeAnswer. γ has the size of mu θ.
template <int Dof>
bool PyramidPath<Dof>::is_answer() {
  const double small = kNegativeAnswer * unit_;
  const auto agree = [small](double z, double w) { return std::abs(std::min(z, w)) <= small; };
  const double z0 = basis_.z0(Basis::kPoint);
  price();
  for (std::int32_t i = 0; i < basis_.live(); ++i) {
    const std::int32_t at = basis_.slot_at(i);
    const auto& slot = basis_.slot(at);
    if (!agree(slot.value_theta[0], w_[slot.position] * slot.per_normal)) return false;
    w_[slot.position] = 0.0;
    if (!slot.friction) continue;
    const double gamma = slot.value_gamma[0] - slot.cover_gamma * z0;
    if (!agree(slot.value_lambda[0], gamma / std::max(1.0, slot.mu))) return false;
    const double* cover = basis_.cover_sigma(at);
    for (Index k = 0; k < basis_.directions(); ++k) sigma_[k] = basis_.sigma(at, k, Basis::kPoint) - cover[k] * z0;
    for (std::int32_t j = 0; j < slot.held_count; ++j) {
      if (!agree(slot.value_held[j][0], sigma_[slot.held[j]])) return false;
      sigma_[slot.held[j]] = 0.0;
    }
    for (Index k = 0; k < basis_.directions(); ++k) {
      if (!(sigma_[k] >= -small)) return false;
    }
  }
  const Index positions = problem_->normals->rows.positions();
  for (Index i = 0; i < positions; ++i) {
    if (!(w_[i] >= -small * norm_[i])) return false;
  }
  return true;
}

template <int Dof>
bool PyramidPath<Dof>::run(const PyramidProblem& problem, const PyramidPathSettings& settings,
                           std::span<const LoadedContact> warm, SolveReport& report) {
  problem_ = &problem;
  settings_ = settings;
  report_ = {};
  const Index n = problem.size();
  if (settings_.max_pivots == 0) {
    constexpr Index kMost = 1'000'000'000;
    const Index rows = settings.rows == PyramidRows::kAll ? n * (problem.directions + 2) : 0;
    settings_.max_pivots = static_cast<int>(std::min(500 + 100 * problem.dof() + 4 * rows, kMost));
  }
  const Index slots = settings.rows == PyramidRows::kSliding ? std::min(n, problem.dof() + 2) : n;
  if (!basis_.start(problem, slots)) return false;
  unit_ = problem.normals->speed;
  const auto d = static_cast<std::size_t>(problem.directions);
  per_slot_ = padded::length(problem.directions + 2);
  const auto entries = static_cast<std::size_t>(per_slot_ * slots);
  if (value_.size() < entries) {
    value_.resize(entries);
    rate_.resize(entries);
  }
  tied_.reserve(entries + static_cast<std::size_t>(n));
  column_.reserve(entries + static_cast<std::size_t>(n));
  cosine_.assign(static_cast<std::size_t>(per_slot_), 0.0);
  sigma_.resize(d);
  sine_.assign(static_cast<std::size_t>(per_slot_), 0.0);
  std::copy_n(problem.cosine.begin(), d, cosine_.begin());
  std::copy_n(problem.sine.begin(), d, sine_.begin());
  make_cover();
  driving_ = {};
  int pivots = 0;
  const int most_pivots = settings_.max_pivots;
  settings_.max_pivots =
      std::min(most_pivots, 10 + static_cast<int>(problem.dof()));  // from far away a cold start is better
  const bool done = !warm.empty() && start_warm(warm) &&
                    (is_solved(report_.status) || (driving_.kind == Kind::kNone ? finish() : follow()));
  settings_.max_pivots = most_pivots;
  if (!done) {
    if (!warm.empty()) {  // it led nowhere
      pivots = report_.pivots;
      report_ = {};
      driving_ = {};
      basis_.start(problem, slots);
      make_cover();
    }
    if (start_cold()) follow();
  }
  report_.pivots += pivots;
  report_.iterations = report_.pivots;
  report = report_;
  return true;
}

template <int Dof>
void PyramidPath<Dof>::read(PyramidSolution& solution) const {
  const Index n = problem_->size();
  solution.theta.setZero(n);
  solution.phi_s.setZero(n);
  solution.phi_t.setZero(n);
  solution.loaded.clear();
  for (std::int32_t i = 0; i < basis_.live(); ++i) {
    const std::int32_t at = basis_.slot_at(i);
    const auto& slot = basis_.slot(at);
    if (!slot.theta) continue;
    const Index contact = slot.contact;
    solution.theta(contact) = std::max(0.0, slot.value_theta[0]) * slot.per_normal;
    LoadedContact loaded;
    loaded.contact = contact;
    loaded.slides = slot.lambda;
    if (slot.friction) {
      double along_s = 0.0, along_t = 0.0;
      std::size_t count = 0;
      for (std::int32_t j = 0; j < slot.held_count; ++j) {
        const std::int32_t k = slot.held[j];
        const double phi = std::max(0.0, slot.value_held[j][0]);
        along_s += problem_->cosine[k] * phi;
        along_t += problem_->sine[k] * phi;
        if (count < loaded.directions.size()) loaded.directions[count++] = k;
      }
      const double cos = problem_->turn.empty() ? 1.0 : problem_->turn[2 * contact];
      const double sin = problem_->turn.empty() ? 0.0 : problem_->turn[2 * contact + 1];
      solution.phi_s(contact) = (cos * along_s - sin * along_t) * slot.per_tangent;
      if (problem_->spatial()) solution.phi_t(contact) = (sin * along_s + cos * along_t) * slot.per_tangent;
    }
    solution.loaded.push_back(loaded);
  }
}

template class PyramidPath<6>;
template class PyramidPath<12>;
template class PyramidPath<30>;
template class PyramidPath<0>;

}  // namespace tribo
