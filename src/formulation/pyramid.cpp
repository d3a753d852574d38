#include "tribo/formulation/pyramid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "formulation/brake_pads.hpp"

namespace tribo {
namespace {

// Beyond, the cone is a half space as far as double precision can tell; an answer that slides there all the same is refused
// by its certificate, which knows the true mu.
constexpr double kLargestMu = 1e20;

}  // namespace

PyramidFormulation::PyramidFormulation() = default;
PyramidFormulation::~PyramidFormulation() = default;
PyramidFormulation::PyramidFormulation(PyramidFormulation&&) noexcept = default;
PyramidFormulation& PyramidFormulation::operator=(PyramidFormulation&&) noexcept = default;

Checked PyramidFormulation::update(const ContactProblem& given, const CoulombPyramid& model) {
  if (model.sides < 4 || model.sides > kMostSides || model.sides % 2 != 0) {
    return fail("a pyramid with " + std::to_string(model.sides) + " sides", "model",
                "give an even number of sides from 4 to " + std::to_string(kMostSides));
  }
  if (given.size() > 0 && given.S.rows() == 0) {
    return fail("the model '" + to_string(model) + "' needs tangential rows, and the problem has none", "S",
                "give S (and T in space), or use the model frictionless");
  }
  if (given.level == Level::kAcceleration) {
    return fail("the model '" + to_string(model) + "' is not available at acceleration level", "level",
                "use velocity level, or the models frictionless or viscous");
  }
  problem_ = &given;
  if (given.dry() > 0 && pads_ == nullptr) pads_ = std::make_unique<BrakePads>();
  const ContactProblem& problem = given.dry() > 0 ? pads_->update(given) : given;
  const Index n = problem.size();
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
  if (model.aligned && d > 2) slips_.run(problem, pyramid_.turn);
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
  constexpr double kAtBound = 1e-9;       // of the bound: what is as close to it slides
  loaded.clear();
  const ContactSolution& known = values.impulses;
  const Index n = problem_->size(), d = pyramid_.directions;
  if (known.f_n.size() != n) return;
  const double wedge = 2.0 * std::numbers::pi / static_cast<double>(d);
  for (Index i = 0; i < n; ++i) {
    if (!(known.f_n(i) > 0.0)) continue;
    LoadedContact& contact = loaded.emplace_back();
    contact.contact = i;
    contact.theta = known.f_n(i);
    if (!(pyramid_.mu[i] > 0.0) || known.f_s.size() != n) continue;
    contact.slides = !values.states.empty() && values.states[static_cast<std::size_t>(i)] == ContactState::kSlide;
    const double at_bound = (1.0 - kAtBound) * pyramid_.mu[i] * known.f_n(i);
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
      contact.phi[0] = friction;
      contact.slides = contact.slides || friction >= at_bound;
      continue;
    }
    // friction = φ_k e_k + φ_{k+1} e_{k+1} for the wedge in which it lies.
    double angle = std::atan2(t, s);
    if (angle < 0.0) angle += 2.0 * std::numbers::pi;
    const Index k = std::min<Index>(static_cast<Index>(angle / wedge), d - 1), next = (k + 1) % d;
    const double share = std::sin(angle - static_cast<double>(k) * wedge),
                 rest = std::sin(static_cast<double>(k + 1) * wedge - angle);
    std::size_t count = 0;
    const auto add = [&](Index direction, double part) {
      if (!(part > kOneDirection)) return;
      contact.directions[count] = static_cast<std::int32_t>(direction);
      contact.phi[count++] = friction * part / std::sin(wedge);
    };
    add(k, rest);
    add(next, share);
    // φ_k + φ_{k+1} ≤ mu θ, with equality on the edge of the polygon; also of what sticks by all that friction gives.
    contact.slides = contact.slides || friction * (share + rest) >= at_bound * std::sin(wedge);
  }
  // Pads: pressed while there is a bound; their friction lies along ±s.
  if (known.f_d.size() != problem_->dry()) return;
  for (Index i = 0; i < problem_->dry(); ++i) {
    const double bound = problem_->bound(i), friction = known.f_d(i);
    if (!(bound > 0.0)) continue;
    LoadedContact& pad = loaded.emplace_back();
    pad.contact = n + i;
    pad.theta = bound;
    const double along = pyramid_.turn.empty() ? friction : pyramid_.turn[2 * pad.contact] * friction;
    if (along != 0.0) pad.directions[0] = static_cast<std::int32_t>(along > 0.0 ? 0 : d / 2);
    pad.phi[0] = std::abs(along);
    pad.slides = std::abs(friction) >= (1.0 - kAtBound) * bound;
  }
}

void PyramidFormulation::lift(const PyramidSolution& solution, ContactSolution& out) {
  const Index n = problem_->size(), d = problem_->dry();
  const GivenImpulses given{.f_s = &solution.phi_s, .f_t = &solution.phi_t};
  if (d == 0) return normal_.lift(solution.theta, given, out);
  normal_.lift(solution.theta, given, padded_);
  out.v_next = padded_.v_next.head(problem_->dof());
  out.f_n = padded_.f_n.head(n);
  out.f_s = padded_.f_s.head(n);
  out.f_t = padded_.f_t.head(n);
  out.f_d = padded_.f_s.tail(d).cwiseMax(-problem_->bound).cwiseMin(problem_->bound);
  out.f_j = padded_.f_j;
  for (VectorXd* couple : {&out.f_spin, &out.f_roll_s, &out.f_roll_t}) couple->resize(0);
  out.y_n.resize(0);
  out.y_e.resize(0);
}

namespace {

// A proof says nothing about pads: alone on their bodies, their normals balance nothing.
ContactSolution without_pads(ContactSolution proof, Index contacts) {
  if (proof.y_n.size() > contacts) proof.y_n = proof.y_n.head(contacts).eval();
  return proof;
}

}  // namespace

ContactSolution PyramidFormulation::inconsistency() const {
  return without_pads(normal_.inconsistency(), problem_->size());
}

ContactSolution PyramidFormulation::lift_farkas(const VectorXd& y) const {
  return without_pads(normal_.lift_farkas(y), problem_->size());
}

}  // namespace tribo
