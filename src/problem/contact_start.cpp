#include "tribo/problem/contact_start.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace tribo {

namespace {

// Of an impulse: what its way to world axes and back may leave in a component that was zero. Normal impulses below it are none, or
// contacts of the no-slip and viscous models, which have friction without load, would start as loaded
// (NoSlipBench.KeepsEveryPromiseThatIsNotAboutTime).
constexpr double kRotationRounding = 8.0 * std::numeric_limits<double>::epsilon();

ContactKey key_of(const ContactProblem& problem, Index i) {
  const ContactKey& key = problem.contacts[static_cast<std::size_t>(i)].key;
  return key == ContactKey{} ? ContactKey{-1, -1, static_cast<std::uint64_t>(i)} : key;
}

double number_at(const VectorXd& x, Index i) { return i < x.size() ? x(i) : 0.0; }

bool touches_others(const BlockRows& rows, Index i, const std::vector<char>& kept) {
  if (i >= rows.rows()) return false;
  for (int k = 0; k < 2; ++k) {
    const Index block = rows.block(i, k);
    if (block >= 0 && kept[static_cast<std::size_t>(block)] == 0) return true;
  }
  return false;
}

}  // namespace

void StartValues::clear() {
  for (VectorXd* f : {&impulses.f_n, &impulses.f_s, &impulses.f_t, &impulses.f_spin, &impulses.f_roll_s,
                      &impulses.f_roll_t, &impulses.f_j, &impulses.f_d})
    f->resize(0);
  states.clear();
  at_rest.clear();
}

bool StartValues::was_found_at_rest(Index rows) const {
  return std::ssize(at_rest) == rows &&
         std::all_of(at_rest.begin(), at_rest.end(), [](auto rests) { return rests != 0; });
}

ContactStart::ContactStart(const ContactProblem& problem, const ContactSolution& solution,
                           std::span<const ContactState> states, std::span<const std::uint8_t> at_rest) {
  assign(problem, solution, states, at_rest);
}

void ContactStart::assign(std::vector<AtContact> contacts, VectorXd bilateral, VectorXd dry,
                          std::vector<std::uint8_t> dry_at_rest) {
  TRIBO_REQUIRE(std::ssize(dry_at_rest) == dry.size(), "one mark of rest per row of dry friction");
  contacts_ = std::move(contacts);
  joints_.assign(bilateral, {});
  dry_.assign(dry, dry_at_rest);
  sort();
}

void ContactStart::Rows::assign(const VectorXd& impulses, std::span<const std::uint8_t> marks) {
  f = impulses;
  const auto count = static_cast<std::size_t>(f.size());
  if (marks.size() == count) {
    at_rest.assign(marks.begin(), marks.end());
  } else {
    at_rest.assign(count, 0);
  }
  places.resize(count);
  std::iota(places.begin(), places.end(), Index{0});
}

void ContactStart::Rows::align(Index count, VectorXd& out, std::span<std::uint8_t> marks) const {
  const bool in_order = f.size() == count;
  out.setZero(count);
  for (Index i = 0; i < f.size(); ++i) {
    const Index at = in_order ? i : places[static_cast<std::size_t>(i)];
    if (at >= count || !std::isfinite(f(i))) continue;
    out(at) = f(i);
    if (!marks.empty()) marks[static_cast<std::size_t>(at)] = at_rest[static_cast<std::size_t>(i)];
  }
}

ContactStart::Rows ContactStart::Rows::restricted(const BlockRows& rows, const std::vector<char>& kept) const {
  Rows part;
  part.f.resize(f.size());
  for (Index i = 0; i < f.size(); ++i) {
    const Index place = places[static_cast<std::size_t>(i)];
    if (place >= rows.rows() || touches_others(rows, place, kept)) continue;
    part.f(static_cast<Index>(part.places.size())) = f(i);
    part.places.push_back(place);
    part.at_rest.push_back(at_rest[static_cast<std::size_t>(i)]);
  }
  part.f.conservativeResize(static_cast<Index>(part.places.size()));
  return part;
}

ContactStart::Rows ContactStart::Rows::joined(const Rows& other) const {
  Rows all;
  all.f.resize(f.size() + other.f.size());
  const auto place_of = [](const Rows& rows, Index i) {
    return i < rows.f.size() ? rows.places[static_cast<std::size_t>(i)] : std::numeric_limits<Index>::max();
  };
  Index i = 0, j = 0, count = 0;
  while (i < f.size() || j < other.f.size()) {
    const Index mine = place_of(*this, i), theirs = place_of(other, j);
    const Rows& source = theirs <= mine ? other : *this;
    const Index at = theirs <= mine ? j : i;
    all.f(count++) = source.f(at);
    all.at_rest.push_back(source.at_rest[static_cast<std::size_t>(at)]);
    all.places.push_back(std::min(mine, theirs));
    i += mine <= theirs ? 1 : 0;
    j += theirs <= mine ? 1 : 0;
  }
  all.f.conservativeResize(count);
  return all;
}

void ContactStart::clear() {
  contacts_.clear();
  joints_.assign({}, {});
  dry_.assign({}, {});
}

void ContactStart::assign(const ContactProblem& problem, const ContactSolution& solution,
                          std::span<const ContactState> states, std::span<const std::uint8_t> at_rest) {
  const Index n = problem.size();
  TRIBO_REQUIRE(at_rest.empty() || std::ssize(at_rest) == n + problem.dry(),
                "one mark of rest per contact and row of D");
  TRIBO_REQUIRE(solution.f_n.size() == n || solution.f_n.size() == 0, "the answer must be one of this problem");
  TRIBO_REQUIRE(states.empty() || static_cast<Index>(states.size()) == n, "one state per contact");
  contacts_.clear();
  for (Index i = 0; i < n && solution.f_n.size() > 0; ++i) {
    AtContact at;
    at.key = key_of(problem, i);
    at.impulse = Vector3d(number_at(solution.f_s, i), number_at(solution.f_t, i), solution.f_n(i));
    at.couple =
        Vector3d(number_at(solution.f_roll_s, i), number_at(solution.f_roll_t, i), number_at(solution.f_spin, i));
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    if (contact.has_frame) {
      at.impulse = (contact.frame * at.impulse).eval();
      at.couple = (contact.frame * at.couple).eval();
    }
    at.state = !states.empty()         ? states[static_cast<std::size_t>(i)]
               : solution.f_n(i) > 0.0 ? ContactState::kStick
                                       : ContactState::kOpen;
    at.at_rest = at_rest.empty() ? 0 : at_rest[static_cast<std::size_t>(i)];
    at.place = static_cast<std::int32_t>(i);
    contacts_.push_back(at);
  }
  joints_.assign(solution.f_j, {});
  dry_.assign(solution.f_d, at_rest.empty() ? at_rest : at_rest.subspan(static_cast<std::size_t>(n)));
  sort();
}

// By place among equal keys: a stable sort would take memory.
void ContactStart::sort() {
  const auto before = [](const AtContact& x, const AtContact& y) {
    return std::tie(x.key, x.place) < std::tie(y.key, y.place);
  };
  if (!std::is_sorted(contacts_.begin(), contacts_.end(), before))
    std::sort(contacts_.begin(), contacts_.end(), before);
}

void ContactStart::align(const ContactProblem& problem, StartValues& values) const {
  const Index n = problem.size();
  if (empty()) return values.clear();
  const bool turning = problem.spin.rows() > 0 || problem.roll_s.rows() > 0;
  for (VectorXd* f : {&values.impulses.f_n, &values.impulses.f_s, &values.impulses.f_t}) f->setZero(n);
  for (VectorXd* f : {&values.impulses.f_spin, &values.impulses.f_roll_s, &values.impulses.f_roll_t})
    f->setZero(turning ? n : 0);
  values.states.assign(static_cast<std::size_t>(n), ContactState::kOpen);
  values.at_rest.assign(static_cast<std::size_t>(n + problem.dry()), 0);
  std::size_t next = 0;  // behind the last that was found
  for (Index i = 0; i < n; ++i) {
    const ContactKey key = key_of(problem, i);
    const bool again = next > 0 && contacts_[next - 1].key == key;  // equal keys one after the other: in their order
    if (next == contacts_.size() || contacts_[next].key != key) {
      if (again) continue;
      const auto found = std::lower_bound(contacts_.begin(), contacts_.end(), key,
                                          [](const AtContact& x, const ContactKey& k) { return x.key < k; });
      if (found == contacts_.end() || found->key != key) continue;
      next = static_cast<std::size_t>(found - contacts_.begin());
    }
    const AtContact& at = contacts_[next++];
    if (!(at.impulse.allFinite() && at.couple.allFinite())) continue;
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const Vector3d impulse = contact.has_frame ? Vector3d(contact.frame.transpose() * at.impulse) : at.impulse;
    values.impulses.f_s(i) = impulse(0);
    values.impulses.f_t(i) = impulse(1);
    values.impulses.f_n(i) = std::abs(impulse(2)) <= kRotationRounding * impulse.norm() ? 0.0 : impulse(2);
    values.states[static_cast<std::size_t>(i)] = at.state;
    values.at_rest[static_cast<std::size_t>(i)] = at.at_rest;
    if (!turning) continue;
    const Vector3d couple = contact.has_frame ? Vector3d(contact.frame.transpose() * at.couple) : at.couple;
    values.impulses.f_roll_s(i) = couple(0);
    values.impulses.f_roll_t(i) = couple(1);
    values.impulses.f_spin(i) = couple(2);
  }
  joints_.align(problem.bilateral(), values.impulses.f_j, {});
  if (dry_.f.size() == problem.dry()) {
    dry_.align(problem.dry(), values.impulses.f_d, std::span(values.at_rest).subspan(static_cast<std::size_t>(n)));
  } else {
    values.impulses.f_d.resize(0);
  }
}

const ContactStart::AtContact* ContactStart::find(const ContactKey& key) const {
  const auto found = std::lower_bound(contacts_.begin(), contacts_.end(), key,
                                      [](const AtContact& x, const ContactKey& k) { return x.key < k; });
  return found == contacts_.end() || found->key != key ? nullptr : &*found;
}

ContactStart ContactStart::restricted(const ContactProblem& problem, std::span<const Index> blocks) const {
  std::vector<char> kept(static_cast<std::size_t>(problem.mass.blocks()), 0);
  for (const Index block : blocks) {
    TRIBO_REQUIRE(block >= 0 && block < problem.mass.blocks(), "the problem has no such body");
    kept[static_cast<std::size_t>(block)] = 1;
  }
  std::vector<ContactKey> lost;
  for (Index i = 0; i < problem.size(); ++i) {
    for (const BlockRows* rows :
         {&problem.N, &problem.S, &problem.T, &problem.spin, &problem.roll_s, &problem.roll_t}) {
      if (!touches_others(*rows, i, kept)) continue;
      lost.push_back(key_of(problem, i));
      break;
    }
  }
  std::sort(lost.begin(), lost.end());
  ContactStart part;
  for (const AtContact& at : contacts_) {
    if (!std::binary_search(lost.begin(), lost.end(), at.key)) part.contacts_.push_back(at);
  }
  part.joints_ = joints_.restricted(problem.J, kept);
  part.dry_ = dry_.restricted(problem.D, kept);
  return part;
}

ContactStart ContactStart::joined(const ContactStart& other) const {
  ContactStart all = other;
  for (const AtContact& at : contacts_) {
    const auto found = std::lower_bound(other.contacts_.begin(), other.contacts_.end(), at.key,
                                        [](const AtContact& x, const ContactKey& k) { return x.key < k; });
    if (found == other.contacts_.end() || found->key != at.key) all.contacts_.push_back(at);
  }
  all.joints_ = joints_.joined(other.joints_);
  all.dry_ = dry_.joined(other.dry_);
  all.sort();
  return all;
}

}  // namespace tribo
