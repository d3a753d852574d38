// Coulomb's law with the true cone, checked from f_n, friction and v⁺ alone. Friction of a contact has up to five
// components k (along s and t with mu, against turning about n with mu_spin, about s and t with mu_roll), with impulse
// f_k and velocity û_k, compliance included. Where mu_k > 0,
//     g = √Σ (f_k/mu_k)² ≤ f_n                                                                    cone            (1)
//     û = 0 and (1),  or  f = f*,  f*_k = −(f_n/|ψ|) mu_k² û_k,  ψ_k = mu_k û_k                   friction law    (2)
//     Σ f_k u_k ≤ 0,  u without compliance, but with what springs hold                            dissipation     (3)
// and where mu_k = 0, f_k = 0. With one coefficient for all this is the circle: |f| ≤ mu f_n, f against û.
//
// Sizes are free of units, R the compliance, ρ the larger norm of the two rows that share a coefficient:
//     F_k = f_k (ρ_k + R_k/ρ_k)/us,   U_k = û_k/(ρ_k us),   A_k = mu_k f_n (ρ_k + R_k/ρ_k)/us                      (4)
// A violation is the distance to a point (F̂, Û) at which the condition holds: the larger of |U − Û| and |e|,
//     e_k = (F_k − F̂_k)/(1 + A_k)                                                                                 (5)
// Where the limit A_k is small, e_k is what the error does to the motion. Where it is large, e_k is the error over the
// limit: forces that hold one another have rounding errors above us/ρ. With x = |F − F̂| and y = x/A, (5) is x y/(x + y).
// A force that is tiny in F is near every ray, so (5) never compares directions: where mu and mu_spin differ by 1e9, a
// friction that fills the cone along s and t leaves out the whole couple, and e_spin tells it.
//     cone   F̂ the point of the ellipsoid Σ (F̂_k/A_k)² ≤ 1 with the least |e|; Û = U
//     law    the least violation among three points that obey (2):
//              no slip        F̂ = F, Û = 0. The cone is reported apart.
//              full friction  F̂ = F*, Û = U
//              both change    F̂ = argmin Σ c_k (z_k − F̂_k)²/(1 + A_k) on the ellipsoid,  Û = U − e,               (6)
//                             z_k = F_k − (1 + A_k) U_k,   c_k = ρ_k²/(ρ_k² + R_k)
//            (6) is the natural map of −û ∈ N(f), N the normal cone of the ellipsoid: its optimality condition is (2) at (F̂, Û).
// A row with ρ = 0 moves nothing; only (1) holds its force, by g/f_n − 1.
//
// Most contacts are far inside the cone or do not slip by more than another one already did: where a bound shows that a
// contact cannot be the worst one, nothing more is computed. kSure leaves room for the rounding of either side.
#include <algorithm>
#include <cmath>

#include "certify/ellipsoid.hpp"
#include "certify/friction_law.hpp"
#include "certify/scaled_pair.hpp"

namespace tribo {

namespace {

constexpr double kSure = 1.0 - 1e-10;

// Components: s, t, and where there are rows against turning spin, roll_s, roll_t.
template <int Count>
using Components = Eigen::Matrix<double, Count, 1>;

// One contact. Components that the problem does not have are zero, with norm zero.
template <int Count>
struct Friction {
  Components<Count> mu, force;
  Components<Count> rate;   // u
  Components<Count> eased;  // û
  Components<Count> norm;   // ρ
  Components<Count> compliance;
};

// Without over- and underflow of squares; what is not finite is too much.
template <int Count>
double safe_norm(const Components<Count>& x) {
  const double largest = x.cwiseAbs().maxCoeff();
  if (!x.allFinite()) return kInfinity;
  if (largest == 0.0) return 0.0;
  return largest * (x / largest).norm();
}

template <int Count>
class ContactFriction {
 public:
  ContactFriction(const Friction<Count>& friction, double f_n, double speed)
      : friction_(friction), f_n_(std::max(f_n, 0.0)), speed_(speed) {}

  // (1)
  void add_cone(Worst& worst) {
    if (surely_inside()) return;
    for (int k = 0; k < Count; ++k) {
      const double f = friction_.force(k), norm = friction_.norm(k);
      if (friction_.mu(k) > 0.0 || f == 0.0) continue;
      const double weight = norm > 0.0 ? impulse_weight(norm, friction_.compliance(k)) : kInfinity;
      worst.consider(f, speed_ / weight, ratio(f * weight, speed_));
    }
    calc_gauge();
    const double excess = gauge_ - f_n_;
    if (!(excess > 0.0)) return;
    const double y = ratio(excess, f_n_);  // no less than |e|: shrinking all friction by g/f_n is one way into the cone
    if (y < kSure * worst.relative()) return;
    double relative = y;
    if (!dead_) {
      calc_sizes();
      Components<Count> stretch, metric;
      for (int k = 0; k < Count; ++k) {
        stretch(k) = limit_(k) >= 1.0 ? gauge_share_(k) : limit_(k) > 0.0 ? force_(k) / limit_(k) : 0.0;
        const double share = limit_(k) / (1.0 + limit_(k));
        metric(k) = share * share;
      }
      relative = std::min(y, error_at(nearest_in_ball<Count>(stretch, metric)));
    }
    worst.consider(excess, relative > 0.0 ? excess / relative : 0.0, relative);
  }

  // (2)
  void add_law(Worst& worst) {
    if (surely_slower(worst.relative())) return;
    calc_sizes();
    const double slip = safe_norm<Count>(slip_);
    if (!(slip > kSure * worst.relative())) return;
    const double nearest = std::min(slip, error_at(full_friction()));
    if (!(nearest > kSure * worst.relative())) return;
    worst.consider(std::min(nearest, error_at(natural_point())), 1.0);
  }

  // (3). A large force (a jam) times the rounding of a slip is no gain of energy: the scale grows with the force.
  void add_work(Worst& worst) const {
    AccurateSum work;
    double impulse = 0.0;
    for (int k = 0; k < Count; ++k) {
      work.add_product(friction_.force(k), friction_.rate(k));
      impulse += std::abs(friction_.force(k)) * friction_.norm(k);
    }
    worst.consider(std::max(work.value(), 0.0), speed_ * std::max(speed_, impulse));
  }

 private:
  // Σ f_k² < (mu f_n)² with the smallest mu, and no square is near the ends of the numbers there are.
  bool surely_inside() const {
    double least = kInfinity, squared = 0.0;
    for (int k = 0; k < Count; ++k) {
      const double f = friction_.force(k);
      if (f == 0.0) continue;
      if (!(friction_.mu(k) > 0.0)) return false;
      least = std::min(least, friction_.mu(k));
      squared += f * f;
    }
    if (least == kInfinity) return true;  // no friction at all
    const double room = least * f_n_;
    return room > 1e-140 && room < 1e140 && squared < kSure * (room * room);
  }

  // |û_k| in sum below what makes |U| as large as `relative`: the point of (2) without slip is nearer than that.
  bool surely_slower(double relative) const {
    double least = kInfinity, sum = 0.0;
    for (int k = 0; k < Count; ++k) {
      const double speed = friction_.eased(k);
      if (speed == 0.0) continue;
      if (!(friction_.norm(k) > 0.0)) return false;
      least = std::min(least, friction_.norm(k));
      sum += std::abs(speed);
    }
    if (least == kInfinity) return true;  // no slip at all
    const double limit = kSure * relative * (least * speed_);
    return limit < kInfinity && sum < limit;
  }

  // g, over rows that move nothing too.
  void calc_gauge() {
    for (int k = 0; k < Count; ++k) {
      if (!(friction_.mu(k) > 0.0)) continue;
      const double stretch = friction_.force(k) / friction_.mu(k);
      gauge_ = std::hypot(gauge_, stretch);
      dead_ = dead_ || (stretch != 0.0 && !(friction_.norm(k) > 0.0));
    }
  }

  // (4), of the rows that move something.
  void calc_sizes() {
    if (sized_) return;
    sized_ = true;
    // Of A, free of units: below, friction counts as zero; above, e is (f − f̂)/(mu f_n) to the last digit.
    constexpr double kSmallest = 1e-100, kLargest = 1e100;
    for (int k = 0; k < Count; ++k) {
      const double mu = friction_.mu(k), norm = friction_.norm(k), most = mu * f_n_;
      if (!(mu > 0.0) || !(norm > 0.0)) continue;
      const double weight = impulse_weight(norm, friction_.compliance(k));
      const double limit = std::min(ratio(most * weight, speed_), kLargest);
      limit_(k) = limit >= kSmallest ? limit : 0.0;
      force_(k) = std::copysign(ratio(friction_.force(k) * weight, speed_), friction_.force(k));
      slip_(k) = std::copysign(ratio(friction_.eased(k), norm * speed_), friction_.eased(k));
      gauge_share_(k) = limit_(k) > 0.0 ? friction_.force(k) / most : 0.0;
      share_(k) = norm / weight;
    }
  }

  // |e| of (5) for F̂_k = A_k p_k. Of two forms that are equal, the one without overflow.
  double error_at(const Components<Count>& p) const {
    Components<Count> e;
    for (int k = 0; k < Count; ++k) {
      const double limit = limit_(k);
      e(k) = limit >= 1.0 ? (gauge_share_(k) - p(k)) / (1.0 + 1.0 / limit) : (force_(k) - limit * p(k)) / (1.0 + limit);
    }
    return safe_norm<Count>(e);
  }

  // f*_k/(mu_k f_n). Only ratios of coefficients count, so that they cannot overflow.
  Components<Count> full_friction() const {
    const double largest_mu = friction_.mu.maxCoeff();
    Components<Count> p = Components<Count>::Zero();
    for (int k = 0; k < Count; ++k) {
      if (slip_(k) != 0.0) p(k) = -(friction_.mu(k) / largest_mu) * friction_.eased(k);
    }
    const double largest = p.cwiseAbs().maxCoeff();
    return largest > 0.0 ? (p / largest).normalized() : p;
  }

  // F̂_k/A_k of (6).
  Components<Count> natural_point() const {
    Components<Count> stretch, metric;
    for (int k = 0; k < Count; ++k) {
      const double limit = limit_(k);
      stretch(k) = limit >= 1.0  ? gauge_share_(k) - (1.0 + 1.0 / limit) * slip_(k)
                   : limit > 0.0 ? (force_(k) - (1.0 + limit) * slip_(k)) / limit
                                 : 0.0;
      metric(k) = share_(k) * limit * (limit / (1.0 + limit));
    }
    return nearest_in_ball<Count>(stretch, metric);
  }

  const Friction<Count>& friction_;
  double f_n_, speed_;
  bool sized_ = false;
  double gauge_ = 0.0;                                         // g
  bool dead_ = false;                                          // there is a force along a row that moves nothing
  Components<Count> force_ = Components<Count>::Zero();        // F
  Components<Count> slip_ = Components<Count>::Zero();         // U
  Components<Count> limit_ = Components<Count>::Zero();        // A
  Components<Count> gauge_share_ = Components<Count>::Zero();  // f_k/(mu_k f_n) = F_k/A_k
  Components<Count> share_ = Components<Count>::Zero();        // c
};

// The rows of one coefficient: impulses (absent: zero), rates and norms; rows that are absent have no norms.
struct Family {
  Numbers force, rate;
  const VectorXd* norm = nullptr;
};

template <int Count>
void check(const ContactTerms& terms, Numbers f_n, const Family (&families)[5], Worst& cone, Worst& law, Worst& work) {
  for (Index i = 0; i < terms.problem->size(); ++i) {
    const Contact& contact = terms.problem->contacts[static_cast<std::size_t>(i)];
    const double us = terms.speed_at(i);
    Friction<Count> friction;
    friction.compliance.setZero();
    friction.compliance(0) = friction.compliance(1) = contact.tangential_compliance;
    friction.mu(0) = friction.mu(1) = contact.mu;
    if constexpr (Count == 5) friction.mu.template tail<3>() << contact.mu_spin, contact.mu_roll, contact.mu_roll;
    for (int k = 0; k < Count; ++k) {
      const Family& family = families[k];
      const bool present = family.norm->size() > 0;
      friction.norm(k) = present ? (*family.norm)(i) : 0.0;
      friction.rate(k) = present ? family.rate[i] : 0.0;
      if (present && k < 2)
        friction.rate(k) -= contact.tangential_compliance * (k == 0 ? contact.held_s : contact.held_t);
      friction.force(k) = present && !family.force.empty() ? family.force[i] : 0.0;
      friction.eased(k) = friction.rate(k) + friction.compliance(k) * friction.force(k);
    }
    friction.norm(0) = friction.norm(1) = std::max(friction.norm(0), friction.norm(1));
    if constexpr (Count == 5) friction.norm(3) = friction.norm(4) = std::max(friction.norm(3), friction.norm(4));
    if (f_n[i] < 0.0) cone.consider(f_n[i], ratio(us, terms.norm_N(i)), ratio(f_n[i] * terms.norm_N(i), us));
    ContactFriction<Count> checked(friction, f_n[i], us);
    checked.add_cone(cone);
    checked.add_law(law);
    checked.add_work(work);
  }
}

}  // namespace

void check_cone(const ContactTerms& terms, Numbers f_n, const Tangential& tangential, CertificateWriter& certificate) {
  const Family families[5] = {{tangential.f_s, tangential.slip_s, &terms.norm_S},
                              {tangential.f_t, tangential.slip_t, &terms.norm_T},
                              {tangential.f_spin, tangential.rate_spin, &terms.norm_spin},
                              {tangential.f_roll_s, tangential.rate_roll_s, &terms.norm_roll_s},
                              {tangential.f_roll_t, tangential.rate_roll_t, &terms.norm_roll_t}};
  Worst cone, law, work;
  const bool turning = terms.norm_spin.size() > 0 || terms.norm_roll_s.size() > 0;
  if (turning) {
    check<5>(terms, f_n, families, cone, law, work);
  } else {
    check<2>(terms, f_n, families, cone, law, work);
  }
  certificate.add("cone", terms.impulse_unit(), cone);
  certificate.add("friction law", "1", law);
  certificate.add("dissipation", terms.work_unit(), work);
}

}  // namespace tribo
