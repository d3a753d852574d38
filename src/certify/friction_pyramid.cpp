// Coulomb's law with the friction circle replaced by a polygon (spec C.1), checked from f_n, (f_s, f_t) and
// v⁺ alone. Per contact, with directions d_k = (cos 2πk/d, sin 2πk/d) and slip s = (S v⁺, T v⁺):
//     (f_s, f_t) = Σ β_k d_k  on the two neighbouring directions that enclose it;  Σβ is the polygon's gauge   (1)
//     λ = max(0, max_k −d_k·s),   σ_k = d_k·s + λ ≥ 0,   γ = mu f_n − Σβ                                     (2)
//     cone           γ ≥ 0 and f_n ≥ 0
//     friction law   β_k ⟂ σ_k (push against the fastest slip only),   λ ⟂ γ⁺ (full friction while slipping)  (3)
// Nothing is lost by (1) and (2): if a slip exists (λ > 0), an answer's β lives on the directions of steepest
// slip, which are one or two neighbours; without slip every β with the same resultant will do and (1) has the
// least Σβ. Scales: β with us/ρ, σ and λ with ρ us, γ with us/ρ + mu f_n, ρ = max(ρ_S, ρ_T). The two
// terms of γ's scale are those of Σβ and of mu f_n itself: a contact without normal force has no friction, however large
// mu is. A planar problem (no rows T) has the two directions ±S.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "certify/friction_law.hpp"

namespace tribo {

namespace {

struct Share {
  Index first = 0, second = 0;  // neighbouring directions
  double beta_first = 0.0, beta_second = 0.0;
  double sum() const { return beta_first + beta_second; }
};

void set_sides(Polygon& polygon, int sides) {
  if (polygon.sides() == sides) return;
  polygon.cosine.resize(sides);
  polygon.sine.resize(sides);
  polygon.sine_width = std::sin(2.0 * std::numbers::pi / static_cast<double>(sides));
  for (int k = 0; k < sides; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / sides;
    polygon.cosine(k) = std::cos(angle);
    polygon.sine(k) = std::sin(angle);
  }
}

// (1): the sector that holds the force, then Cramer's rule in it.
Share decompose(const Polygon& polygon, double f_s, double f_t) {
  const Index d = polygon.sides();
  if (d == 2) return {f_s >= 0.0 ? 0 : 1, 0, std::abs(f_s), 0.0};
  if (f_s == 0.0 && f_t == 0.0) return {0, 1, 0.0, 0.0};
  const double width = 2.0 * std::numbers::pi / static_cast<double>(d);
  double angle = std::atan2(f_t, f_s);
  if (angle < 0.0) angle += 2.0 * std::numbers::pi;
  const Index k = std::min(static_cast<Index>(angle / width), d - 1);
  const Index next = (k + 1) % d;
  const double first = (f_s * polygon.sine(next) - f_t * polygon.cosine(next)) / polygon.sine_width;
  const double second = (f_t * polygon.cosine(k) - f_s * polygon.sine(k)) / polygon.sine_width;
  return {k, next, std::max(first, 0.0), std::max(second, 0.0)};
}

}  // namespace

void check_pyramid(const ContactTerms& terms, const CoulombPyramid& model, Numbers f_n, const Tangential& tangential,
                   Polygon& polygon, CertificateWriter& certificate) {
  const bool spatial = terms.norm_T.size() > 0;
  set_sides(polygon, spatial ? model.sides : 2);
  VectorXd& along = polygon.along;
  std::vector<double>& turn = polygon.turn;
  turn.clear();
  if (model.aligned && spatial) polygon.slips.run(*terms.problem, turn);
  Worst cone, law;
  for (Index i = 0; i < terms.norm_S.size(); ++i) {
    const double mu = terms.problem->contacts[static_cast<std::size_t>(i)].mu;
    const double us = terms.speed_at(i), norm_N = terms.norm_N(i);
    const double norm = spatial ? std::max(terms.norm_S(i), terms.norm_T(i)) : terms.norm_S(i);
    const double cos = turn.empty() ? 1.0 : turn[2 * i], sin = turn.empty() ? 0.0 : turn[2 * i + 1];
    const double f_s = tangential.f_s[i], f_t = spatial ? tangential.f_t[i] : 0.0;
    const double along_s = tangential.slip_s[i], along_t = spatial ? tangential.slip_t[i] : 0.0;
    const double slip_s = cos * along_s + sin * along_t, slip_t = cos * along_t - sin * along_s;
    const Share share = decompose(polygon, cos * f_s + sin * f_t, cos * f_t - sin * f_s);

    along = polygon.cosine * slip_s + polygon.sine * slip_t;
    const double lambda = std::max(0.0, -along.minCoeff());
    AccurateSum gap;
    gap.add_product(mu, f_n[i]);
    gap.add(-share.sum());
    const double gamma = gap.value();

    const double velocity_scale = norm * us;
    const double gamma_scale = (norm > 0.0 ? us / norm : 0.0) + mu * std::max(f_n[i], 0.0);
    cone.consider(std::min(gamma, 0.0), gamma_scale);
    if (norm_N > 0.0) cone.consider(std::min(f_n[i], 0.0), us / norm_N);

    const auto pair = [&](double beta, Index k) {
      law.consider(std::min(ratio(beta * norm, us), ratio(along(k) + lambda, velocity_scale)), 1.0);
    };
    pair(share.beta_first, share.first);
    pair(share.beta_second, share.second);
    law.consider(std::min(ratio(lambda, velocity_scale), ratio(std::max(gamma, 0.0), gamma_scale)), 1.0);
  }
  certificate.add("cone", terms.impulse_unit(), cone);
  certificate.add("friction law", "1", law);
}

}  // namespace tribo
