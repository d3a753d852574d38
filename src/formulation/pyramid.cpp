#include "tribo/formulation/pyramid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace tribo {
namespace {

// Beyond, the cone is a half space as far as double precision can tell; an answer that slides there all the same is refused
// by its certificate, which knows the true mu.
constexpr double kLargestMu = 1e20;

}  // namespace

Checked PyramidFormulation::update(const ContactProblem& problem, const CoulombPyramid& model) {
  if (model.sides < 4 || model.sides > kMostSides || model.sides % 2 != 0) {
    return fail("a pyramid with " + std::to_string(model.sides) + " sides", "model",
                "give an even number of sides from 4 to " + std::to_string(kMostSides));
  }
  const Index n = problem.size();
  if (n > 0 && problem.S.rows() == 0) {
    return fail("the model '" + to_string(model) + "' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (problem.level == Level::kAcceleration) {
    return fail("the model '" + to_string(model) + "' is not available at acceleration level", "level",
                "use velocity level, or the models frictionless or viscous");
  }
  if (Checked updated = normal_.update(problem, Frictionless{}); !updated) return updated;
  pyramid_.normals = &normal_.problem();
  pyramid_.factor = &normal_.mass_factor();
  pyramid_.S = &problem.S;
  pyramid_.T = &problem.T;
  const Index d = problem.T.rows() > 0 ? model.sides : 2;
  if (pyramid_.directions != d) {
    pyramid_.directions = d;
    pyramid_.cosine.resize(static_cast<std::size_t>(d));
    pyramid_.sine.resize(static_cast<std::size_t>(d));
    for (Index k = 0; k < d; ++k) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(d);
      pyramid_.cosine[k] = std::cos(angle);
      pyramid_.sine[k] = d == 2 ? 0.0 : std::sin(angle);
    }
  }
  pyramid_.mu.resize(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) pyramid_.mu[i] = std::min(problem.contacts[i].mu, kLargestMu);
  pyramid_.turn.clear();
  if (model.aligned && d > 2) pyramid_.turn = predict_slip_directions(problem);
  return ok();
}

bool PyramidFormulation::limit_friction(double largest) {
  bool any = false;
  for (double& mu : pyramid_.mu) {
    any = any || mu > largest;
    mu = std::min(mu, largest);
  }
  return any;
}

void PyramidFormulation::start(const StartValues& values, std::vector<LoadedContact>& loaded) const {
  constexpr double kOneDirection = 1e-9;  // of the friction: less of it lies along the neighbour
  loaded.clear();
  const ContactSolution& known = values.impulses;
  const Index n = pyramid_.size(), d = pyramid_.directions;
  if (known.f_n.size() != n) return;
  const double wedge = 2.0 * std::numbers::pi / static_cast<double>(d);
  for (Index i = 0; i < n; ++i) {
    if (!(known.f_n(i) > 0.0)) continue;
    LoadedContact& contact = loaded.emplace_back();
    contact.contact = i;
    if (!(pyramid_.mu[i] > 0.0) || known.f_s.size() != n) continue;
    contact.slides = !values.states.empty() && values.states[static_cast<std::size_t>(i)] == ContactState::kSlide;
    double s = known.f_s(i), t = known.f_t.size() == n && pyramid_.spatial() ? known.f_t(i) : 0.0;
    if (!pyramid_.turn.empty()) {
      const double cos = pyramid_.turn[2 * i], sin = pyramid_.turn[2 * i + 1];
      const double turned = cos * s + sin * t;
      t = cos * t - sin * s;
      s = turned;
    }
    const double friction = std::hypot(s, t);
    if (!(friction > 0.0)) continue;
    if (d == 2) {
      contact.directions[0] = s > 0.0 ? 0 : 1;
      continue;
    }
    // friction = φ_k e_k + φ_{k+1} e_{k+1} for the wedge in which it lies.
    double angle = std::atan2(t, s);
    if (angle < 0.0) angle += 2.0 * std::numbers::pi;
    const Index k = std::min<Index>(static_cast<Index>(angle / wedge), d - 1), next = (k + 1) % d;
    const double share = std::sin(angle - static_cast<double>(k) * wedge),
                 rest = std::sin(static_cast<double>(k + 1) * wedge - angle);
    std::size_t count = 0;
    if (rest > kOneDirection) contact.directions[count++] = static_cast<std::int32_t>(k);
    if (share > kOneDirection) contact.directions[count++] = static_cast<std::int32_t>(next);
  }
}

void PyramidFormulation::lift(const PyramidSolution& solution, ContactSolution& out) {
  normal_.lift(solution.theta, solution.phi_s, solution.phi_t, out);
}

}  // namespace tribo
