// Every answer tells what its contacts do, and what it tells follows from the law of its model.
#include "tribo/certify/classify.hpp"

#include "tribo/contact/solve.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Friction as the polygon measures it: its distance from the sides, over that of a side of a polygon of radius 1.
double polygon_gauge(const CoulombPyramid& pyramid, double f_s, double f_t) {
  double most = 0.0;
  const double step = 2.0 * std::numbers::pi / pyramid.sides;
  for (int k = 0; k < pyramid.sides; ++k) {
    const double angle = (k + 0.5) * step;
    most = std::max(most, (std::cos(angle) * f_s + std::sin(angle) * f_t) / std::cos(0.5 * step));
  }
  return most;
}

class StateTally {
 public:
  void check(const ContactProblem& problem, const ContactModel& model, const ContactAnswer& answer) {
    ASSERT_EQ(static_cast<Index>(answer.states.size()), problem.size());
    double speed = 0.1, impulse = 0.0;  // m/s: what gravity gives in a step, at least
    for (const auto& contact : answer.contacts) {
      speed = std::max(speed, contact.velocity.cwiseAbs().maxCoeff());
      impulse = std::max(impulse, contact.impulse.cwiseAbs().maxCoeff());
    }
    for (std::size_t i = 0; i < answer.states.size(); ++i) {
      SCOPED_TRACE(i);
      const auto& at = answer.contacts[i];
      const Contact& contact = problem.contacts[i];
      const double small = 1e-5;
      const double load = at.impulse(2), friction = at.impulse.head<2>().norm(), slip = at.velocity.head<2>().norm();
      ++counts[static_cast<std::size_t>(answer.states[i])];
      const bool frictional = !std::holds_alternative<NoSlip>(model);
      if (answer.states[i] == ContactState::kOpen) {
        EXPECT_LE(load, small * impulse);
        const bool coulomb =
            std::holds_alternative<CoulombCone>(model) || std::holds_alternative<CoulombPyramid>(model);
        if (coulomb) {
          EXPECT_LE(friction, small * impulse);
        }
        continue;
      }
      EXPECT_GT(load, 0.0);
      EXPECT_LE(at.velocity(2), small * speed);  // it carries load: it does not open
      if (answer.states[i] == ContactState::kStick) {
        EXPECT_LE(slip, small * speed);
        continue;
      }
      EXPECT_TRUE(frictional);  // without released contacts nothing slides
      const double room = small * (impulse + contact.mu * load);
      if (std::holds_alternative<CoulombCone>(model)) {
        EXPECT_NEAR(friction, contact.mu * load, room);
        EXPECT_NEAR(at.impulse.head<2>().dot(at.velocity.head<2>()), -friction * slip, small * impulse * speed);
      }
      if (const auto* pyramid = std::get_if<CoulombPyramid>(&model); pyramid != nullptr && !pyramid->aligned) {
        EXPECT_NEAR(polygon_gauge(*pyramid, at.impulse(0), at.impulse(1)), contact.mu * load, room);
      }
      if (std::holds_alternative<FrictionBox>(model)) {
        bool full = false;
        for (int k = 0; k < 2; ++k)
          full = full || std::abs(at.impulse(k)) >= contact.friction_bound * (1.0 - small) - small * impulse;
        EXPECT_TRUE(full);
      }
    }
  }

  std::array<int, 3> counts{};
};

TEST(ClassifyAnswers, EveryModelTellsWhatItsLawSays) {
  const ContactModel models[] = {Frictionless{},          NoSlip{},      Viscous{},    CoulombPyramid{4},
                                 CoulombPyramid{8, true}, FrictionBox{}, CoulombCone{}};
  for (const ContactModel& model : models) {
    SCOPED_TRACE(to_string(model));
    Random random(17);
    StateTally tally;
    int solved = 0;
    for (int k = 0; k < 60; ++k) {
      SCOPED_TRACE(k);
      const ContactProblem problem = random_bodies(random);
      const ContactAnswer answer = solve(problem, model);
      if (!is_solved(answer.status)) continue;
      ++solved;
      tally.check(problem, model, answer);
      EXPECT_EQ(answer.states, classify(problem, model, answer.solution, 1e-8));
    }
    EXPECT_GE(solved, 40);
    const bool holds = !std::holds_alternative<Frictionless>(model) && !std::holds_alternative<Viscous>(model);
    EXPECT_GT(tally.counts[0], 100);
    EXPECT_EQ(tally.counts[1] > 20, !std::holds_alternative<NoSlip>(model));
    EXPECT_EQ(tally.counts[2] > 20, holds);
  }
}

// The verdict is that of the numbers, also of a problem that was changed on the way: a released contact that carries load
// slides without friction.
TEST(ClassifyAnswers, ReleasedContactsSlide) {
  Random random(3);
  int released = 0, sliding = 0;
  for (int k = 0; k < 40; ++k) {
    ContactProblem problem = random_bodies(random);
    for (std::size_t i = 0; i < problem.contacts.size(); i += 2) problem.contacts[i].released = true;
    const ContactAnswer answer = solve(problem, NoSlip{});
    if (!is_solved(answer.status)) continue;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      if (!problem.contacts[i].released) {
        EXPECT_NE(answer.states[i], ContactState::kSlide);
      } else {
        ++released;
        sliding += answer.states[i] == ContactState::kSlide ? 1 : 0;
        EXPECT_NE(answer.states[i], ContactState::kStick);
      }
    }
  }
  EXPECT_GT(released, 100);
  EXPECT_GT(sliding, 20);
}

}  // namespace
}  // namespace tribo
