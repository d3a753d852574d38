#include "formulation/cone_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo {
namespace {

// Of the weight of a turning row beside the normal row of its contact: below, rounding of the slip would be asked for.
constexpr double kLeastTurning = 1e-5;

Checked check(const ContactProblem& problem) {
  if (problem.size() > 0 && problem.S.rows() == 0) {
    return fail("the model 'cone' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (problem.level == Level::kAcceleration) {
    return fail("the model 'cone' is not available at acceleration level", "level",
                "use velocity level, or the models frictionless or viscous");
  }
  return ok();
}

// The coefficient of component k of a block: n, s, t, spin, roll_s, roll_t.
double coefficient(const Contact& contact, int k) {
  return k < 3 ? contact.mu : k == 3 ? contact.mu_spin : contact.mu_roll;
}

}  // namespace

// The smallest block that holds every component with a coefficient.
void ContactCone::choose_dimension() {
  bool spin = false, roll = false;
  for (const Contact& contact : problem_->contacts) {
    spin = spin || contact.mu_spin > 0.0;
    roll = roll || contact.mu_roll > 0.0;
  }
  spin = spin && problem_->spin.rows() > 0;
  roll = roll && problem_->roll_s.rows() > 0;
  const bool spatial = problem_->T.rows() > 0 || (problem_->size() == 0 && problem_->bilateral() + problem_->dry() > 0);
  d_ = roll ? 6 : spin ? 4 : spatial ? 3 : 2;
  b_ = d_ == 2 ? 3 : 6;
}

ContactCone::Block ContactCone::contact_block(Index i) const {
  const ContactProblem& p = *problem_;
  const std::array<const BlockRows*, kMost> all = {&p.N, &p.S, &p.T, &p.spin, &p.roll_s, &p.roll_t};
  Block block;
  const Contact& contact = p.contacts[static_cast<std::size_t>(i)];
  const bool turns = (d_ >= 4 && contact.mu_spin > 0.0 && p.spin.rows() > 0) || (d_ == 6 && contact.mu_roll > 0.0);
  for (int k = 0; k < d_; ++k) {
    // Without any friction the tangents stay: nothing acts along them, and the block keeps its scale.
    const bool acts = k == 0 || coefficient(contact, k) > 0.0 || (k < 3 && !turns);
    if (!acts || all[k]->rows() == 0) continue;
    block.rows[k] = all[k];
    block.row[k] = i;
  }
  return block;
}

ContactCone::Block ContactCone::dry_block(Index i) const {
  Block block;
  block.rows[1] = &problem_->D;
  block.row[1] = i;
  return block;
}

double ContactCone::calc_spring(Index row) const {
  double sum = 0.0;
  for (const BlockRows::Segment& part : problem_->D.row(row)) {
    for (std::size_t k = 0; k < part.values.size(); ++k) {
      const auto at = static_cast<Index>(k);
      if (part.values[k] != 0.0) sum += part.values[k] * part.values[k] / problem_->mass.block(part.block)(at, at);
    }
  }
  return sum > 0.0 ? sum : 1.0;
}

ContactCone::Block ContactCone::bilateral_block(Index g) const {
  Block block;
  const Index begin = groups_[g], size = groups_[g + 1] - begin;
  for (Index k = 0; k < size; ++k) {
    block.rows[k] = &problem_->J;
    block.row[k] = grouped_[begin + k];
  }
  return block;
}

void ContactCone::group_bilateral() {
  const BlockRows& J = problem_->J;
  grouped_.resize(static_cast<std::size_t>(J.rows()));
  for (Index i = 0; i < J.rows(); ++i) grouped_[i] = i;
  const auto pair_of = [&](Index i) { return std::minmax({J.block(i, 0), J.block(i, 1)}); };
  std::sort(grouped_.begin(), grouped_.end(), [&](Index i, Index j) {
    const auto a = pair_of(i), b = pair_of(j);
    return a != b ? a < b : i < j;
  });
  groups_.assign(1, 0);
  for (Index k = 1; k <= J.rows(); ++k) {
    const bool ends = k == J.rows() || k - groups_.back() == d_ || pair_of(grouped_[k]) != pair_of(grouped_[k - 1]);
    if (ends) groups_.push_back(k);
  }
}

void ContactCone::collect_bodies(const Block& block) {
  bodies_.clear();
  for (int k = 0; k < d_; ++k) {
    if (block.rows[k] == nullptr) continue;
    for (int side = 0; side < 2; ++side) {
      const auto body = static_cast<std::int32_t>(block.rows[k]->block(block.row[k], side));
      if (body < 0 || std::find(bodies_.begin(), bodies_.end(), body) != bodies_.end()) continue;
      bodies_.push_back(body);
    }
  }
  std::sort(bodies_.begin(), bodies_.end());
}

bool ContactCone::plan_columns() {
  count_.assign(static_cast<std::size_t>(problem_->mass.blocks()), 0);
  for (Index k = 0; k < blocks(); ++k) {
    collect_bodies(block_of(k));
    for (const std::int32_t body : bodies_) ++count_[body];
  }
  column_.assign(count_.size(), -1);
  std::int32_t columns = 0;
  for (std::size_t body = 0; body < count_.size(); ++body) {
    if (count_[body] == 0) continue;
    column_[body] = columns;
    columns += static_cast<std::int32_t>((problem_->mass.layout().size(static_cast<Index>(body)) + b_ - 1) / b_);
  }
  rows_.block_cols = columns;
  // Blocks of W: pairs of contacts that share a body.
  double pairs = 0.0;
  for (const Index count : count_) pairs += static_cast<double>(count) * static_cast<double>(count);
  const bool sparse = blocks() <= kFewContacts || pairs <= kMostPairs * static_cast<double>(blocks());
  return sparse && contacts_pay(blocks() * d_, columns * b_, blocks());
}

// Row k of Ĥ, with q; then the cone is made round.
void ContactCone::fill_block(Index k, BlockSparse& H, ConeProblem& cone) {
  const BlockLayout& layout = problem_->mass.layout();
  const Block block = block_of(k);
  collect_bodies(block);
  columns_.clear();
  for (const std::int32_t body : bodies_) {
    for (Index at = 0; at < layout.size(body); at += b_) {
      columns_.push_back(column_[body] + static_cast<std::int32_t>(at / b_));
    }
  }
  const Index first = H.blocks();
  H.add_row(columns_);
  const auto first_of = [&](std::int32_t body) {
    return first + (std::lower_bound(columns_.begin(), columns_.end(), column_[body]) - columns_.begin());
  };
  double norms[kMost] = {};  // squared
  for (int c = 0; c < d_; ++c) {
    if (block.rows[c] == nullptr) continue;
    double speed = 0.0;
    for (int side = 0; side < 2; ++side) {
      const Index body = block.rows[c]->block(block.row[c], side);
      if (body < 0) continue;
      const Index size = layout.size(body);
      if (row_.size() < static_cast<std::size_t>(size)) row_.resize(static_cast<std::size_t>(size));
      std::copy_n(block.rows[c]->values(block.row[c], side), size, row_.data());
      factor_.whiten_row(body, row_.data());
      double* out = H.block(first_of(static_cast<std::int32_t>(body)));
      const double* u0 = u0_.data() + layout.start(body);
      for (Index i = 0; i < size; ++i) {
        out[i * d_ + c] = row_[i];  // blocks of b_ columns follow one another
        norms[c] += row_[i] * row_[i];
        speed += row_[i] * u0[i];
      }
    }
    cone.q(k * d_ + c) = speed;
  }
  if (const Index i = contact_of(k); i >= 0) {
    const Contact& contact = problem_->contacts[static_cast<std::size_t>(i)];
    cone.q(k * d_) += problem_->b_N(i);
    if (block.rows[1] != nullptr) cone.q(k * d_ + 1) -= contact.tangential_compliance * contact.held_s;
    if (d_ > 2 && block.rows[2] != nullptr) cone.q(k * d_ + 2) -= contact.tangential_compliance * contact.held_t;
  } else if (is_dry(k)) {
    cone.q(k * d_) = -calc_spring(k - limits_) * problem_->bound(k - limits_);
  } else {
    for (int c = 0; c < d_ && block.rows[c] != nullptr; ++c) cone.q(k * d_ + c) += problem_->b_J(block.row[c]);
  }
  set_scale(k, norms, cone);
  make_round(k, norms, cone);
  // Scales that are not one belong to the rows as well.
  const double* sigma = sigma_.data() + k * d_;
  if (std::all_of(sigma, sigma + d_, [](double s) { return s == 1.0; })) return;
  double* out = H.block(first);
  for (Index i = 0; i < static_cast<Index>(columns_.size()) * b_; ++i) {
    for (int c = 0; c < d_; ++c) out[i * d_ + c] *= sigma[c];
  }
  for (int c = 0; c < d_; ++c) cone.q(k * d_ + c) *= sigma[c];
}

// What the certificate compares a contact with (spec B.7): its row's norm, and the speed of its bodies.
void ContactCone::set_scale(Index k, const double* norms, ConeProblem& cone) {
  const Block block = block_of(k);
  double speed = 0.0;
  for (const std::int32_t body : bodies_) speed = std::max(speed, body_speed_[static_cast<std::size_t>(body)]);
  cone.norm(k) = std::sqrt(norms[0]);
  for (int c = 0; c < d_ && norms[0] > 0.0; ++c) {
    const Index contact = contact_of(k);
    if (c > 0 && contact >= 0) break;
    if (block.rows[c] == nullptr || !(norms[c] > 0.0)) continue;
    const double offset = contact >= 0 ? -problem_->b_N(contact) : std::abs(problem_->b_J(block.row[c]));
    speed = std::max(speed, offset / std::sqrt(norms[c]));
  }
  cone.speed(k) = speed;
}

// σ, mu and R of a block.
void ContactCone::make_round(Index k, const double* norms, ConeProblem& cone) {
  double* sigma = sigma_.data() + k * d_;
  double* R = diagonal_.data() + k * d_;
  const Block block = block_of(k);
  std::fill_n(R, d_, 0.0);
  const bool bilateral = is_bilateral(k);
  if (is_dry(k)) {
    for (int c = 0; c < d_; ++c) sigma[c] = c < 3 ? 1.0 : 0.0;
    cone.mu(k) = 1.0;
    R[0] = calc_spring(k - limits_);
  } else if (bilateral) {
    // Rows of a joint may have different units: all get the size of the first.
    double size = 0.0;
    for (int c = 0; c < d_; ++c) {
      size = size > 0.0 ? size : norms[c];
      sigma[c] = norms[c] > 0.0 ? std::sqrt(size / norms[c]) : 0.0;
    }
    cone.mu(k) = 0.0;
  } else {
    const Contact& contact = problem_->contacts[static_cast<std::size_t>(contact_of(k))];
    double mu = contact.mu;
    for (int c = 3; c < d_; ++c) {
      if (block.rows[c] == nullptr) continue;
      mu = std::max(mu, coefficient(contact, c) * std::sqrt(norms[c] / (norms[0] > 0.0 ? norms[0] : 1.0)));
    }
    cone.mu(k) = mu;
    for (int c = 0; c < d_; ++c) {
      const double own = coefficient(contact, c);
      sigma[c] = block.rows[c] == nullptr ? 0.0 : c == 0 || own == mu ? 1.0 : mu > 0.0 ? own / mu : 0.0;
    }
    // The certificate measures each turning rate by the norm of its own row; here it counts by sigma, and may be a small part of that.
    double least = 1.0;
    for (int c = 3; c < d_; ++c) {
      if (sigma[c] > 0.0 && norms[c] > 0.0 && norms[0] > 0.0)
        least = std::min(least, sigma[c] * std::sqrt(norms[c] / norms[0]));
    }
    cone.norm(k) *= std::max(least, kLeastTurning);
    R[0] = contact.compliance;
    for (int c = 1; c < std::min(d_, 3); ++c) R[c] = sigma[c] * sigma[c] * contact.tangential_compliance;
  }
  double sum = 0.0;
  int filled = 0, present = 0;
  for (int c = 0; c < d_; ++c) {
    filled += sigma[c] == 0.0 ? 1 : 0;
    if (sigma[c] == 0.0 || (bilateral && norms[c] == 0.0)) continue;
    sum += sigma[c] * sigma[c] * norms[c] + R[c];
    ++present;
  }
  if (filled == 0) return;
  const double mean = sum > 0.0 ? sum / present : 1.0;
  for (int c = 0; c < d_; ++c) R[c] = sigma[c] == 0.0 ? mean : R[c];
}

Checked ContactCone::update(const ContactProblem& problem, ConeForm form, ConeProblem& cone) {
  if (Checked checked = check(problem); !checked) return checked;
  problem_ = &problem;
  if (Checked done = factor_.assign(problem.mass); !done) return done;
  // Rows without offsets cannot contradict one another: rest obeys them.
  judged_ = problem.bilateral() > 0 && !problem.b_J.isZero(0.0);
  if (judged_) {
    if (Checked done = normal_.update(problem, Frictionless{}, {.dry = DryRows::kLeaveOut}); !done) return done;
  }
  choose_dimension();
  limits_ = 0;
  while (limits_ < problem.size() && problem.contacts[static_cast<std::size_t>(limits_)].kind == RowKind::kLimit)
    ++limits_;
  group_bilateral();
  u0_ = problem.f;
  push_ = problem.v;
  factor_.whiten_force(u0_);
  factor_.whiten_velocity(push_);
  u0_ = push_ + problem.h * u0_;
  const BlockLayout& layout = problem.mass.layout();
  body_speed_.resize(static_cast<std::size_t>(layout.blocks()));
  for (Index b = 0; b < layout.blocks(); ++b) {
    const Index start = layout.start(b), size = layout.size(b);
    body_speed_[static_cast<std::size_t>(b)] =
        std::max(push_.segment(start, size).norm(), u0_.segment(start, size).norm());
  }

  const Index n = blocks();
  const bool small = plan_columns();
  const bool by_contacts = form == ConeForm::kContacts || (form == ConeForm::kAuto && small);
  sigma_.resize(static_cast<std::size_t>(n * d_));
  diagonal_.resize(static_cast<std::size_t>(n * d_));
  cone.dimension = d_;
  cone.q.setZero(n * d_);
  cone.mu.resize(n);
  cone.norm.resize(n);
  cone.speed.resize(n);
  cone.bilateral.clear();
  if (n > first_group()) {
    cone.bilateral.resize(static_cast<std::size_t>(n), 1);
    std::fill_n(cone.bilateral.begin(), first_group(), std::uint8_t{0});
  }
  BlockSparse& H = by_contacts ? rows_ : cone.H;
  H.clear(d_, b_, rows_.block_cols);
  for (Index k = 0; k < n; ++k) fill_block(k, H, cone);
  if (by_contacts) {
    product_.index(H);
    product_.form(H, H, {}, cone.W);
    cone.H.clear(0, 0, 0);
    cone.R.resize(0);
    for (Index k = 0; k < n; ++k) {
      const auto columns = cone.W.columns(k);
      const auto at = std::lower_bound(columns.begin(), columns.end(), k) - columns.begin();
      double* block = cone.W.block(cone.W.start[k] + at);
      for (int c = 0; c < d_; ++c) block[c * d_ + c] += diagonal_[k * d_ + c];
    }
  } else {
    cone.W.clear(0, 0, 0);
    cone.R = Eigen::Map<const VectorXd>(diagonal_.data(), n * d_);
  }
  return ok();
}

namespace {

// The vectors of a contact answer in the order of a block; null where the problem has no such row.
template <typename Solution>
auto impulses_of(Solution& s) {
  return std::array{&s.f_n, &s.f_s, &s.f_t, &s.f_spin, &s.f_roll_s, &s.f_roll_t};
}

}  // namespace

void ContactCone::lift(const VectorXd& r, ContactSolution& out) {
  const ContactProblem& p = *problem_;
  const auto impulses = impulses_of(out);
  const Index n = p.size();
  for (int c = 0; c < 3; ++c) impulses[c]->setZero(n);
  out.f_spin.setZero(p.spin.rows());
  out.f_roll_s.setZero(p.roll_s.rows());
  out.f_roll_t.setZero(p.roll_t.rows());
  out.f_j.setZero(p.bilateral());
  out.f_d.setZero(p.dry());
  out.y_n.resize(0);
  out.y_e.resize(0);
  push_ = p.h * p.f;
  for (Index k = 0; k < blocks(); ++k) {
    const Block block = block_of(k);
    for (int c = 0; c < d_; ++c) {
      if (block.rows[c] == nullptr) continue;
      double impulse = sigma_[k * d_ + c] * r(k * d_ + c);
      if (is_dry(k)) impulse = std::clamp(impulse, -p.bound(block.row[c]), p.bound(block.row[c]));
      VectorXd& family = is_dry(k) ? out.f_d : is_bilateral(k) ? out.f_j : *impulses[c];
      family(block.row[c]) = impulse;
      if (impulse != 0.0) block.rows[c]->add_scaled(block.row[c], impulse, push_);
    }
  }
  factor_.solve(push_);
  out.v_next = p.v + push_;
}

void ContactCone::warm_start(const ContactSolution& known, ConeWarmStart& warm) const {
  warm.states.clear();
  warm.r.setZero(blocks() * d_);
  const auto impulses = impulses_of(known);
  for (Index k = 0; k < blocks(); ++k) {
    const Block block = block_of(k);
    for (int c = 0; c < d_; ++c) {
      const double sigma = sigma_[k * d_ + c];
      if (block.rows[c] == nullptr || sigma == 0.0) continue;
      const VectorXd& impulse = is_dry(k) ? known.f_d : is_bilateral(k) ? known.f_j : *impulses[c];
      if (impulse.size() > 0) warm.r(k * d_ + c) = impulse(block.row[c]) / sigma;
    }
    if (is_dry(k) && known.f_d.size() > 0) warm.r(k * d_) = problem_->bound(k - limits_);
  }
}

ConeComponent ContactCone::component(Index place) const {
  constexpr ConeRow kKinds[] = {ConeRow::kN,    ConeRow::kS,     ConeRow::kT,
                                ConeRow::kSpin, ConeRow::kRollS, ConeRow::kRollT};
  const Index k = place / d_;
  const auto c = static_cast<std::size_t>(place % d_);
  const Block block = block_of(k);
  if (is_dry(k) && c == 0) return {ConeRow::kPressure, k - limits_, 1.0};
  const double sigma = sigma_[static_cast<std::size_t>(place)];
  if (block.rows[c] == nullptr || sigma == 0.0) return {};
  return {is_dry(k) ? ConeRow::kD : is_bilateral(k) ? ConeRow::kJ : kKinds[c], block.row[c], sigma};
}

}  // namespace tribo
