// Start values in their own terms: keys that are missing, foreign or double, numbers that are none, parts and their union.
#include "tribo/problem/contact_start.hpp"

#include "tribo/core/assert.hpp"

#include <array>

#include "problem/problem_testing.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

// Three boxes in a row that do not touch, each with two contacts, one bilateral row and one row of dry friction.
ContactProblem make_row() {
  ContactBuilder builder;
  for (int k = 0; k < 3; ++k) {
    const double x = 1.0 * k;
    const Index box = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.2}), {x, 0.0, 0.1});
    for (const double side : {-0.1, 0.1})
      builder.add_contact(box, kWorld, {x + side, 0.0, 0.0}, Vector3d::UnitZ(), {.mu = 0.5});
    builder.add_bilateral({{box, VectorXd::Unit(6, 1)}});
    builder.add_dry_friction({{box, VectorXd::Unit(6, 5)}}, 1.0);
  }
  ContactProblem problem = builder.build();
  for (Index i = 0; i < problem.size(); ++i)
    problem.contacts[i].key = {0, 1 + i / 2, static_cast<std::uint64_t>(i % 2)};
  return problem;
}

ContactSolution make_impulses(const ContactProblem& problem) {
  ContactSolution known;
  known.f_n = VectorXd::LinSpaced(problem.size(), 1.0, 2.0);
  known.f_s = VectorXd::LinSpaced(problem.size(), -0.1, 0.1);
  known.f_t = VectorXd::LinSpaced(problem.size(), 0.2, 0.3);
  known.f_j = VectorXd::LinSpaced(problem.bilateral(), 3.0, 4.0);
  known.f_d = VectorXd::LinSpaced(problem.dry(), -0.5, 0.5);
  return known;
}

std::vector<ContactState> make_states(const ContactProblem& problem) {
  constexpr std::array kStates{ContactState::kStick, ContactState::kSlide, ContactState::kOpen};
  std::vector<ContactState> states;
  for (Index i = 0; i < problem.size(); ++i) states.push_back(kStates[static_cast<std::size_t>(i) % 3]);
  return states;
}

void expect_same(const StartValues& a, const StartValues& b) {
  EXPECT_EQ(a.impulses.f_n, b.impulses.f_n);
  EXPECT_EQ(a.impulses.f_s, b.impulses.f_s);
  EXPECT_EQ(a.impulses.f_t, b.impulses.f_t);
  EXPECT_EQ(a.impulses.f_j, b.impulses.f_j);
  EXPECT_EQ(a.impulses.f_d, b.impulses.f_d);
  EXPECT_EQ(a.states, b.states);
}

StartValues align(const ContactStart& start, const ContactProblem& problem) {
  StartValues values;
  start.align(problem, values);
  return values;
}

// Parts of one start that are joined are that start again, in any order: contacts, rows of joints and of dry friction.
TEST(ContactStart, PartsJoinedAreTheWhole) {
  const ContactProblem problem = make_row();
  const ContactStart whole(problem, make_impulses(problem), make_states(problem));
  const StartValues values = align(whole, problem);
  EXPECT_EQ(values.impulses.f_d, make_impulses(problem).f_d);
  const std::array<std::vector<Index>, 3> parts{std::vector<Index>{0}, std::vector<Index>{1}, std::vector<Index>{2}};
  const std::array<std::array<int, 3>, 3> orders{{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}};
  for (const auto& order : orders) {
    ContactStart joined;
    for (const int part : order) joined = joined.joined(whole.restricted(problem, parts[part]));
    expect_same(align(joined, problem), values);
  }
  const std::vector<Index> outer{0, 2};
  const ContactStart two = whole.restricted(problem, outer), middle = whole.restricted(problem, parts[1]);
  expect_same(align(two.joined(middle), problem), values);
  expect_same(align(middle.joined(two), problem), values);
  expect_same(align(whole.restricted(problem, std::vector<Index>{0, 1, 2}), problem), values);
  EXPECT_TRUE(whole.restricted(problem, {}).empty());
}

// A part is a start of the problem that has these bodies alone: rows keep their order, contacts are found by their keys.
TEST(ContactStart, APartStartsTheProblemOfItsBodies) {
  const ContactProblem problem = make_row();
  const ContactSolution known = make_impulses(problem);
  const ContactStart whole(problem, known, make_states(problem));
  ContactBuilder builder;
  const Index box = builder.add_body(1.0, box_inertia(1.0, {0.2, 0.2, 0.2}), {1.0, 0.0, 0.1});
  for (const double side : {-0.1, 0.1}) builder.add_contact(box, kWorld, {1.0 + side, 0.0, 0.0}, Vector3d::UnitZ());
  builder.add_bilateral({{box, VectorXd::Unit(6, 1)}});
  builder.add_dry_friction({{box, VectorXd::Unit(6, 5)}}, 1.0);
  ContactProblem part = builder.build();
  for (Index i = 0; i < 2; ++i) part.contacts[i].key = problem.contacts[2 + i].key;
  const std::vector<Index> middle{1};
  const StartValues values = align(whole.restricted(problem, middle), part);
  EXPECT_EQ(values.impulses.f_n, known.f_n.segment(2, 2));
  EXPECT_EQ(values.impulses.f_j, known.f_j.segment(1, 1));
  EXPECT_EQ(values.impulses.f_d, known.f_d.segment(1, 1));
  EXPECT_EQ(values.states, (std::vector{make_states(problem)[2], make_states(problem)[3]}));
}

// Where two starts know the same contact or row, the one that is joined to counts.
TEST(ContactStart, TheOtherCountsWhereBothKnow) {
  const ContactProblem problem = make_row();
  const ContactSolution old = make_impulses(problem);
  ContactSolution fresh = old;
  for (VectorXd* f : {&fresh.f_n, &fresh.f_s, &fresh.f_t, &fresh.f_j, &fresh.f_d}) *f *= 2.0;
  const std::vector<Index> first{0};
  const ContactStart part = ContactStart(problem, fresh).restricted(problem, first);
  const StartValues values = align(ContactStart(problem, old).joined(part), problem);
  EXPECT_EQ(values.impulses.f_n.head(2), fresh.f_n.head(2));
  EXPECT_EQ(values.impulses.f_n.tail(4), old.f_n.tail(4));
  EXPECT_EQ(values.impulses.f_j(0), fresh.f_j(0));
  EXPECT_EQ(values.impulses.f_j.tail(2), old.f_j.tail(2));
  EXPECT_EQ(values.impulses.f_d(0), fresh.f_d(0));
  EXPECT_EQ(values.impulses.f_d.tail(2), old.f_d.tail(2));
}

// Foreign contacts are ignored, missing ones start without load.
TEST(ContactStart, ForeignAndMissingContactsAreHarmless) {
  const ContactProblem problem = make_row();
  ContactProblem other = problem;
  for (const Index i : {0, 3, 5}) other.contacts[i].key = {7, 7, static_cast<std::uint64_t>(i)};
  const ContactSolution known = make_impulses(problem);
  const StartValues values = align(ContactStart(problem, known, make_states(problem)), other);
  for (Index i = 0; i < problem.size(); ++i) {
    const bool found = i != 0 && i != 3 && i != 5;
    EXPECT_EQ(values.impulses.f_n(i), found ? known.f_n(i) : 0.0) << i;
    EXPECT_EQ(values.states[i], found ? make_states(problem)[i] : ContactState::kOpen) << i;
  }
}

// Contacts of equal key are told apart by their places.
TEST(ContactStart, EqualKeysFollowTheirPlaces) {
  ContactProblem problem = make_row();
  for (Contact& contact : problem.contacts) contact.key = {1, 2, 3};
  const ContactSolution known = make_impulses(problem);
  const ContactStart start(problem, known);
  EXPECT_EQ(align(start, problem).impulses.f_n, known.f_n);
  const std::vector<Index> first{0};
  EXPECT_EQ(start.joined(start).contacts().size(), start.contacts().size());
  static_cast<void>(align(start.restricted(problem, first), problem));
  problem.contacts[5].key = {1, 2, 4};
  EXPECT_EQ(align(start, problem).impulses.f_n.head(5), known.f_n.head(5));
  EXPECT_EQ(align(start, problem).impulses.f_n(5), 0.0);
}

// A number that is none starts as nothing: the contact without load, rows of joints and of dry friction likewise.
TEST(ContactStart, NumbersThatAreNoneCountAsNothing) {
  const ContactProblem problem = make_row();
  for (const double bad : {kNan, kInf, -kInf}) {
    ContactSolution known = make_impulses(problem);
    const ContactSolution good = known;
    known.f_s(1) = bad;
    known.f_n(2) = bad;
    known.f_j(1) = bad;
    known.f_d(2) = bad;
    const StartValues values = align(ContactStart(problem, known, make_states(problem)), problem);
    for (Index i = 0; i < problem.size(); ++i) {
      const bool sound = i != 1 && i != 2;
      EXPECT_EQ(values.impulses.f_n(i), sound ? good.f_n(i) : 0.0) << i;
      EXPECT_EQ(values.impulses.f_s(i), sound ? good.f_s(i) : 0.0) << i;
      EXPECT_EQ(values.states[i], sound ? make_states(problem)[i] : ContactState::kOpen) << i;
    }
    EXPECT_EQ(values.impulses.f_j, (VectorXd(3) << good.f_j(0), 0.0, good.f_j(2)).finished());
    EXPECT_EQ(values.impulses.f_d, (VectorXd(3) << good.f_d(0), good.f_d(1), 0.0).finished());
  }
}

// Promises of the caller.
TEST(ContactStart, RefusesWhatBelongsToNoProblem) {
  const ContactProblem problem = make_row();
  ContactSolution known = make_impulses(problem);
  const std::vector<ContactState> few(2, ContactState::kStick);
  EXPECT_THROW(ContactStart(problem, known, few), ContractError);
  const ContactStart start(problem, known);
  for (const Index block : {Index{-1}, Index{3}, Index{1'000'000}})
    EXPECT_THROW(static_cast<void>(start.restricted(problem, std::array{block})), ContractError) << block;
  known.f_n = VectorXd::Ones(2);
  EXPECT_THROW(ContactStart(problem, known), ContractError);
}

}  // namespace
}  // namespace tribo::testing
