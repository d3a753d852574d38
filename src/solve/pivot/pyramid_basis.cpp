#include "solve/pivot/pyramid_basis.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
using padded::lanes;

namespace {

constexpr double kIndependent = 1e-8;  // of a row of length one (τ of spec B.2)

}  // namespace

template <int Dof>
bool PyramidBasis<Dof>::start(const PyramidProblem& problem, Index slots) {
  problem_ = &problem;
  m_ = problem.dof();
  d_ = problem.directions;
  if (kFixed && (m_ > Dof || d_ > kFixedDirections)) return false;
  padded_d_ = up(d_);
  p_ = up(m_);
  core_.start(m_);
  columns_at_ = problem.normals->rank > 0 ? 3 : 0;
  const Index capacity = kFixed ? std::min(kSlots, slots) : slots;
  ensure_size(slots_, capacity);
  ensure_size(live_, capacity);
  ensure_size(free_, capacity);
  ensure_size(side_, capacity * d_);
  ensure_size(cover_, capacity * padded_d_);
  ensure_size(vectors_, 6 * capacity * p_);
  ensure_size(owner_, up(m_ + 2));
  ensure_size(V_[0], p_);
  ensure_size(V_[1], p_);
  ensure_size(scratch_, p_);
  live_count_ = 0;
  free_count_ = static_cast<std::int32_t>(capacity);
  for (std::int32_t i = 0; i < free_count_; ++i) free_[i] = free_count_ - 1 - i;
  z0_basic = false;
  std::fill_n(V_[kPoint].data(), P(), 0.0);
  std::copy_n(problem.normals->start.data(), m_, V_[kPoint].data());
  z0_ = Two{};
  overflow_ = false;
  return true;
}

template <int Dof>
std::int32_t PyramidBasis<Dof>::add(Index position, Index contact, double cover_nu) {
  if (free_count_ == 0) return -1;
  const std::int32_t at = free_[--free_count_];
  live_[live_count_++] = at;
  const LeastDistance& normals = *problem_->normals;
  double* n = vectors_.data() + 6 * at * P();
  double *s = n + P(), *t = s + P();
  std::fill_n(n, 3 * P(), 0.0);
  Slot& slot = slots_[at];
  slot = Slot{};
  slot.position = position;
  slot.contact = contact;
  slot.cover_nu = cover_nu;
  slot.per_normal = std::sqrt(normals.rows.weights()[position]);
  slot.offset = normals.offset_at(position) * slot.per_normal;
  normals.rows.add_scaled(position, slot.per_normal, n);
  slot.friction = problem_->mu[contact] > 0.0;
  if (slot.friction) {
    problem_->whiten_tangents(contact, s, t);
    const double squared = std::max(padded::dot(s, s, P()), padded::dot(t, t, P()));
    slot.per_tangent = squared > 1e-300 ? 1.0 / std::sqrt(squared) : 1.0;
    for (Index l = 0; l < 2 * P(); l += 8) lanes(s + l).v *= slot.per_tangent;
    slot.mu = problem_->mu[contact] * slot.per_normal / slot.per_tangent;
    std::fill_n(&side_[at * d_], d_, Side::kSigma);
    std::fill_n(&cover_[at * padded_d_], padded_d_, 0.0);
  }
  if (columns_at_ > 0) {
    const auto Q = problem_->normals->Q();
    double* projected = n + 3 * P();
    std::copy_n(n, 3 * P(), projected);
    for (int which = 0; which < 3; ++which) {
      Eigen::Map<VectorXd> x(projected + which * P(), m_);
      for (int pass = 0; pass < 2; ++pass) {  // the second takes away what rounding left of the first
        for (Index q = 0; q < Q.cols(); ++q) x -= Q.col(q).dot(x) * Q.col(q);
      }
      if (x.norm() <= kIndependent) x.setZero();  // bilateral rows hold this direction; what is left is rounding
    }
  }
  return at;
}

template <int Dof>
void PyramidBasis<Dof>::remove(std::int32_t slot) {
  std::int32_t i = 0;
  while (live_[i] != slot) ++i;
  for (; i + 1 < live_count_; ++i) live_[i] = live_[i + 1];
  --live_count_;
  free_[free_count_++] = slot;
}

template <int Dof>
void PyramidBasis<Dof>::set_side(std::int32_t slot, Index k, Side side) {
  Slot& s = slots_[slot];
  Side& now = side_[slot * d_ + k];
  if (now == Side::kSigma && side != Side::kSigma) {
    if (s.held_count == kMostHeld) {
      overflow_ = true;
      return;
    }
    s.held[s.held_count++] = static_cast<std::int32_t>(k);
  } else if (now != Side::kSigma && side == Side::kSigma) {
    std::int32_t i = 0;
    while (s.held[i] != k) ++i;
    for (; i + 1 < s.held_count; ++i) s.held[i] = s.held[i + 1];
    --s.held_count;
  }
  now = side;
}

template <int Dof>
bool PyramidBasis<Dof>::is_basic(const Variable& variable) const {
  if (variable.kind == Kind::kZ0) return z0_basic;
  if (variable.slot < 0) return variable.kind == Kind::kNu;
  const Slot& slot = slots_[variable.slot];
  switch (variable.kind) {
    case Kind::kNu:
      return slot.nu;
    case Kind::kTheta:
      return slot.theta;
    case Kind::kSigma:
      return side(variable.slot, variable.k) == Side::kSigma;
    case Kind::kPhi:
      return side(variable.slot, variable.k) == Side::kPhi;
    case Kind::kGamma:
      return slot.gamma;
    case Kind::kLambda:
      return slot.lambda;
    default:
      return false;
  }
}

template <int Dof>
void PyramidBasis<Dof>::set_basic(const Variable& variable, bool basic) {
  if (variable.kind == Kind::kZ0) {
    z0_basic = basic;
    return;
  }
  Slot& slot = slots_[variable.slot];
  switch (variable.kind) {
    case Kind::kNu:
      slot.nu = basic;
      break;
    case Kind::kTheta:
      slot.theta = basic;
      break;
    case Kind::kSigma:
      set_side(variable.slot, variable.k, basic ? Side::kSigma : Side::kNeither);
      break;
    case Kind::kPhi:
      set_side(variable.slot, variable.k, basic ? Side::kPhi : Side::kNeither);
      break;
    case Kind::kGamma:
      slot.gamma = basic;
      break;
    case Kind::kLambda:
      slot.lambda = basic;
      break;
    default:
      break;
  }
}

// x: σ_x non-basic, preferably with φ_x basic; y: φ_y basic, x if possible (spec C.3).
template <int Dof>
void PyramidBasis<Dof>::choose_eliminated(Slot& slot, std::int32_t at, bool& regular) const {
  slot.x = slot.y = -1;
  if (!slot.friction || (!slot.lambda && slot.gamma)) return;
  std::int32_t phi = -1, neither = -1;
  for (std::int32_t i = 0; i < slot.held_count; ++i) {
    const std::int32_t k = slot.held[i];
    if (side_[at * d_ + k] == Side::kNeither) {
      neither = k;
    } else if (phi < 0) {
      phi = k;
    }
  }
  if (slot.lambda) {
    slot.x = phi >= 0 ? phi : neither;
    regular = regular && slot.x >= 0;
  }
  if (!slot.gamma) slot.y = phi;
}

// along_n n + along_s s + along_t t.
template <int Dof>
void PyramidBasis<Dof>::combine(std::int32_t slot, bool column, double along_n, double along_s, double along_t,
                                double* out) const {
  const double* n = column ? column_vector(slot, 0) : row_vector(slot, 0);
  const double *s = n + P(), *t = s + P();
  for (Index l = 0; l < P(); l += 8) {
    lanes(out + l).v = along_n * lanes(n + l).v + (along_s * lanes(s + l).v + along_t * lanes(t + l).v);
  }
}

template <int Dof>
void PyramidBasis<Dof>::add_column(const double* vector, std::int32_t slot, std::int32_t k) {
  if (core_.add_column(vector)) {
    owner_[core_.size() - 1] = {slot, k};
  } else {
    overflow_ = true;
  }
}

template <int Dof>
void PyramidBasis<Dof>::assemble_columns(const Variable& driving) {
  core_.clear(problem_->normals->start.data());
  double* vector = scratch_.data();
  const auto add_to_direction = [&](std::int32_t slot, double n, double s, double t) {
    combine(slot, true, n, s, t, vector);
    core_.add_to_direction(vector);
  };
  const double* cosine = problem_->cosine.data();
  const double* sine = problem_->sine.data();
  bool gamma_covered = false;
  for (std::int32_t i = 0; i < live_count_; ++i) {
    const std::int32_t at = live_[i];
    const Slot& slot = slots_[at];
    const double cos_y = slot.y < 0 ? 0.0 : cosine[slot.y], sin_y = slot.y < 0 ? 0.0 : sine[slot.y];
    if (slot.theta) {
      combine(at, true, 1.0, slot.mu * cos_y, slot.mu * sin_y, vector);
      add_column(vector, at, -1);
    }
    if (slot.friction) {
      for (std::int32_t j = 0; j < slot.held_count; ++j) {
        const std::int32_t k = slot.held[j];
        if (k == slot.y || side_[at * d_ + k] != Side::kPhi) continue;
        combine(at, true, 0.0, cosine[k] - cos_y, sine[k] - sin_y, vector);
        add_column(vector, at, j);
      }
      gamma_covered = gamma_covered || (slot.y >= 0 && slot.cover_gamma != 0.0);
    }
    if (driving.slot == at) {
      if (driving.kind == Kind::kTheta) add_to_direction(at, 1.0, slot.mu * cos_y, slot.mu * sin_y);
      if (driving.kind == Kind::kPhi) add_to_direction(at, 0.0, cosine[driving.k] - cos_y, sine[driving.k] - sin_y);
      if (driving.kind == Kind::kGamma && slot.y >= 0) add_to_direction(at, 0.0, -cos_y, -sin_y);
    }
  }
  if (!z0_basic && driving.kind != Kind::kZ0) return;
  std::fill_n(vector, P(), 0.0);
  for (std::int32_t i = 0; i < live_count_ && gamma_covered; ++i) {
    const std::int32_t at = live_[i];
    const Slot& slot = slots_[at];
    if (slot.y < 0 || slot.cover_gamma == 0.0) continue;
    const double *s = column_vector(at, 1), *t = column_vector(at, 2);
    const double along_s = slot.cover_gamma * cosine[slot.y], along_t = slot.cover_gamma * sine[slot.y];
    for (Index l = 0; l < P(); l += 8) lanes(vector + l).v += along_s * lanes(s + l).v + along_t * lanes(t + l).v;
  }
  if (driving.kind == Kind::kZ0) {
    core_.add_to_direction(vector);
  } else {
    add_column(vector, -1, -1);  // the last one
  }
}

template <int Dof>
bool PyramidBasis<Dof>::assemble_rows(const Variable& driving) {
  const double* cosine = problem_->cosine.data();
  const double* sine = problem_->sine.data();
  const bool by_z0 = driving.kind == Kind::kZ0;
  double* vector = scratch_.data();
  bool room = true;
  for (std::int32_t i = 0; i < live_count_; ++i) {
    const std::int32_t at = live_[i];
    const Slot& slot = slots_[at];
    const bool mine = driving.slot == at;
    if (!slot.nu) {
      const double direction = mine && driving.kind == Kind::kNu ? -1.0 : by_z0 ? slot.cover_nu : 0.0;
      room &= core_.add_row(row_vector(at, 0), z0_basic ? slot.cover_nu : 0.0, Two{slot.offset, direction});
    }
    if (!slot.friction) continue;
    const double* cover = &cover_[at * padded_d_];
    const double cos_x = slot.x < 0 ? 0.0 : cosine[slot.x], sin_x = slot.x < 0 ? 0.0 : sine[slot.x];
    const double cover_x = slot.x < 0 ? 0.0 : cover[slot.x];
    for (std::int32_t j = 0; j < slot.held_count; ++j) {
      const std::int32_t k = slot.held[j];
      if (k == slot.x) continue;
      double direction = by_z0 ? cover[k] - cover_x : 0.0;
      if (mine && driving.kind == Kind::kLambda) direction = 1.0;
      if (mine && driving.kind == Kind::kSigma) direction = driving.k == k ? -1.0 : driving.k == slot.x ? 1.0 : 0.0;
      combine(at, false, 0.0, cosine[k] - cos_x, sine[k] - sin_x, vector);
      room &= core_.add_row(vector, z0_basic ? cover[k] - cover_x : 0.0, Two{0.0, direction});
    }
    if (slot.gamma || slot.y >= 0) continue;
    double direction = by_z0 ? slot.cover_gamma : 0.0;
    if (mine && driving.kind == Kind::kTheta) direction = slot.mu;
    if (mine && (driving.kind == Kind::kPhi || driving.kind == Kind::kGamma)) direction = -1.0;
    double* row = core_.add_own_row(Two{0.0, direction});
    if (row == nullptr) return false;
    for (Index j = 0; j < core_.size(); ++j) {
      if (owner_[j].slot == at) row[j] = owner_[j].k < 0 ? slot.mu : -1.0;
    }
    if (z0_basic) row[core_.size() - 1] = slot.cover_gamma;
  }
  return room && core_.rows() == core_.size();
}

// All values from the core's unknowns, by (1) and (2).
template <int Dof>
void PyramidBasis<Dof>::evaluate(const Variable& driving) {
  const double* start = problem_->normals->start.data();
  const double* cosine = problem_->cosine.data();
  const double* sine = problem_->sine.data();
  const Two one{0.0, 1.0};  // the driving variable
  z0_ = z0_basic ? core_.x(core_.size() - 1) : driving.kind == Kind::kZ0 ? one : Two{};
  for (Index j = 0; j < core_.size(); ++j) {
    const ColumnOwner& owner = owner_[j];
    if (owner.slot < 0) continue;
    (owner.k < 0 ? slots_[owner.slot].value_theta : slots_[owner.slot].value_held[owner.k]) = core_.x(j);
  }
  double *V0 = V_[kPoint].data(), *V1 = V_[kDirection].data();
  std::fill_n(V1, P(), 0.0);
  std::copy_n(start, m_, V0);
  for (std::int32_t i = 0; i < live_count_; ++i) {
    const std::int32_t at = live_[i];
    Slot& slot = slots_[at];
    const bool drives = driving.slot == at;
    if (!slot.theta) slot.value_theta = drives && driving.kind == Kind::kTheta ? one : Two{};
    Two sum{}, push_s{}, push_t{};
    if (slot.friction) {
      const Two bound = slot.mu * slot.value_theta + slot.cover_gamma * z0_;
      std::int32_t at_y = -1;
      for (std::int32_t j = 0; j < slot.held_count; ++j) {
        const std::int32_t k = slot.held[j];
        if (k == slot.y) {
          at_y = j;
          continue;
        }
        if (side_[at * d_ + k] == Side::kNeither) {
          slot.value_held[j] = drives && driving.kind == Kind::kPhi && driving.k == k ? one : Two{};
        }
        sum += slot.value_held[j];
        push_s += cosine[k] * slot.value_held[j];
        push_t += sine[k] * slot.value_held[j];
      }
      slot.value_gamma = bound - sum;
      if (at_y >= 0) {
        Two phi = slot.value_gamma;
        if (drives && driving.kind == Kind::kGamma) phi -= one;
        slot.value_held[at_y] = phi;
        push_s += cosine[slot.y] * phi;
        push_t += sine[slot.y] * phi;
        slot.value_gamma -= phi;
      }
    }
    slot.push_s = push_s;
    slot.push_t = push_t;
    const double* n = column_vector(at, 0);
    const double *s = n + P(), *t = s + P();
    for (Index l = 0; l < P(); l += 8) {
      const padded::Lanes along_n = lanes(n + l).v, along_s = lanes(s + l).v, along_t = lanes(t + l).v;
      lanes(V0 + l).v += slot.value_theta[0] * along_n + (push_s[0] * along_s + push_t[0] * along_t);
      lanes(V1 + l).v += slot.value_theta[1] * along_n + (push_s[1] * along_s + push_t[1] * along_t);
    }
  }
  for (std::int32_t i = 0; i < live_count_; ++i) {
    const std::int32_t at = live_[i];
    Slot& slot = slots_[at];
    if (slot.nu) {
      const double* n = row_vector(at, 0);
      slot.value_nu = Two{padded::dot(n, V0, P()), padded::dot(n, V1, P())} + slot.cover_nu * z0_;
      slot.value_nu[kPoint] += slot.offset;
    }
    if (!slot.friction) continue;
    const double *s = row_vector(at, 1), *t = s + P();
    padded::Lanes s0{}, s1{}, t0{}, t1{};
    for (Index l = 0; l < P(); l += 8) {
      const padded::Lanes along_s = lanes(s + l).v, along_t = lanes(t + l).v;
      s0 += along_s * lanes(V0 + l).v;
      s1 += along_s * lanes(V1 + l).v;
      t0 += along_t * lanes(V0 + l).v;
      t1 += along_t * lanes(V1 + l).v;
    }
    const padded::FourLanes sums = padded::sums_of(s0, s1, t0, t1);
    slot.along_s = Two{sums[0], sums[1]};
    slot.along_t = Two{sums[2], sums[3]};
    const bool drives = driving.slot == at;
    Two lambda = drives && driving.kind == Kind::kLambda ? one : Two{};
    if (slot.lambda) {
      lambda = -(cosine[slot.x] * slot.along_s + sine[slot.x] * slot.along_t + cover_[at * padded_d_ + slot.x] * z0_);
      if (drives && driving.kind == Kind::kSigma && driving.k == slot.x) lambda += one;
    }
    slot.value_lambda = lambda;
  }
}

template <int Dof>
bool PyramidBasis<Dof>::solve(const Variable& driving) {
  bool regular = !overflow_;
  for (std::int32_t i = 0; i < live_count_; ++i) choose_eliminated(slots_[live_[i]], live_[i], regular);
  if (!regular) return false;
  assemble_columns(driving);
  if (overflow_ || !assemble_rows(driving) || !core_.solve()) return false;
  evaluate(driving);
  return true;
}

template <int Dof>
bool PyramidBasis<Dof>::keep_values() {
  bool regular = !overflow_;
  for (std::int32_t i = 0; i < live_count_; ++i) choose_eliminated(slots_[live_[i]], live_[i], regular);
  if (!regular) return false;
  const Variable none;
  assemble_columns(none);
  if (overflow_) return false;
  for (Index j = 0; j < core_.size(); ++j) {
    const ColumnOwner& owner = owner_[j];
    if (owner.slot < 0) continue;
    const Slot& slot = slots_[owner.slot];
    core_.x(j) = owner.k < 0 ? slot.value_theta : slot.value_held[owner.k];
  }
  evaluate(none);
  return true;
}

template <int Dof>
bool PyramidBasis<Dof>::refine() {
  const Variable none;
  assemble_columns(none);
  if (overflow_ || !assemble_rows(none)) return false;
  // The same rows at the point that was found, in the place of the right-hand side.
  Index row = 0;
  for (std::int32_t i = 0; i < live_count_; ++i) {
    const std::int32_t at = live_[i];
    const Slot& slot = slots_[at];
    if (!slot.nu) {
      const double along = padded::dot(row_vector(at, 0), velocity(kPoint), P());
      core_.set_rhs(row++, Two{-(along + slot.cover_nu * z0_[kPoint] + slot.offset), 0.0});
    }
    if (slot.friction) {
      for (std::int32_t j = 0; j < slot.held_count; ++j) {
        if (slot.held[j] != slot.x) core_.set_rhs(row++, Two{-sigma(at, slot.held[j], kPoint), 0.0});
      }
      if (!slot.gamma && slot.y < 0) core_.set_rhs(row++, Two{-slot.value_gamma[kPoint], 0.0});
    }
  }
  if (!core_.solve()) return false;
  for (Index j = 0; j < core_.size(); ++j) {  // the unknowns with their corrections; all values follow from them
    const ColumnOwner& owner = owner_[j];
    if (owner.slot < 0) continue;
    const Slot& slot = slots_[owner.slot];
    const Two& value = owner.k < 0 ? slot.value_theta : slot.value_held[owner.k];
    core_.x(j) += Two{value[kPoint], 0.0};
  }
  if (z0_basic) core_.x(core_.size() - 1) += Two{z0_[kPoint], 0.0};
  evaluate(none);
  return true;
}

template <int Dof>
void PyramidBasis<Dof>::cover_violations(double floor, double unit) {
  const double* cosine = problem_->cosine.data();
  const double* sine = problem_->sine.data();
  double next = floor;
  const auto lack = [&](double value) {
    if (value >= 0.0) return 0.0;
    next *= 1.0 + 0x1p-5;  // no two of them reach zero together
    return next - value / unit;
  };
  double* V1 = V_[kDirection].data();
  std::fill_n(V1, P(), 0.0);
  for (std::int32_t i = 0; i < live_count_; ++i) {
    const std::int32_t at = live_[i];
    Slot& slot = slots_[at];
    slot.value_theta[kDirection] = slot.theta ? lack(slot.value_theta[kPoint]) : 0.0;
    double push_s = 0.0, push_t = 0.0;
    slot.cover_gamma = -slot.mu * slot.value_theta[kDirection];
    for (std::int32_t j = 0; j < slot.held_count; ++j) {
      const double raised = lack(slot.value_held[j][kPoint]);
      push_s += cosine[slot.held[j]] * raised;
      push_t += sine[slot.held[j]] * raised;
      slot.cover_gamma += raised;
    }
    if (slot.gamma) slot.cover_gamma += lack(slot.value_gamma[kPoint]);
    const double* n = column_vector(at, 0);
    const double *s = n + P(), *t = s + P();
    for (Index l = 0; l < P(); l += 8) {
      lanes(V1 + l).v +=
          slot.value_theta[kDirection] * lanes(n + l).v + (push_s * lanes(s + l).v + push_t * lanes(t + l).v);
    }
  }
  for (std::int32_t i = 0; i < live_count_; ++i) {
    const std::int32_t at = live_[i];
    Slot& slot = slots_[at];
    slot.cover_nu = -padded::dot(row_vector(at, 0), V1, P()) + (slot.nu ? lack(slot.value_nu[kPoint]) : 0.0);
    if (!slot.friction) continue;
    const double along_s = padded::dot(row_vector(at, 1), V1, P()), along_t = padded::dot(row_vector(at, 2), V1, P());
    const double lambda = slot.lambda ? lack(slot.value_lambda[kPoint]) : 0.0;
    double* cover = cover_sigma(at);
    for (Index k = 0; k < d_; ++k) {
      const double at_zero = side_[at * d_ + k] == Side::kSigma ? lack(sigma(at, k, kPoint)) : 0.0;
      cover[k] = at_zero - (cosine[k] * along_s + sine[k] * along_t + lambda);
    }
  }
}

template <int Dof>
double PyramidBasis<Dof>::value(const Variable& variable, Lane lane) const {
  if (variable.kind == Kind::kZ0) return z0_[lane];
  const Slot& slot = slots_[variable.slot];
  switch (variable.kind) {
    case Kind::kNu:
      return slot.value_nu[lane];
    case Kind::kTheta:
      return slot.value_theta[lane];
    case Kind::kSigma:
      return sigma(variable.slot, variable.k, lane);
    case Kind::kPhi:
      for (std::int32_t j = 0; j < slot.held_count; ++j) {
        if (slot.held[j] == variable.k) return slot.value_held[j][lane];
      }
      return 0.0;
    case Kind::kGamma:
      return slot.value_gamma[lane];
    case Kind::kLambda:
      return slot.value_lambda[lane];
    default:
      return 0.0;
  }
}

template <int Dof>
void PyramidBasis<Dof>::step(double t) {
  for (Index l = 0; l < P(); l += 8) lanes(V_[kPoint].data() + l).v += t * lanes(V_[kDirection].data() + l).v;
  z0_[kPoint] += t * z0_[kDirection];
}

template <int Dof>
void PyramidBasis<Dof>::calc_slip(std::int32_t slot) {
  Slot& s = slots_[slot];
  if (!s.friction) return;
  s.value_lambda = Two{};
  s.along_s[kPoint] = padded::dot(row_vector(slot, 1), V_[kPoint].data(), P());
  s.along_t[kPoint] = padded::dot(row_vector(slot, 2), V_[kPoint].data(), P());
}

template class PyramidBasis<6>;
template class PyramidBasis<12>;
template class PyramidBasis<30>;
template class PyramidBasis<0>;

}  // namespace tribo
