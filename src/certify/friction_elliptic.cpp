// Coulomb's law with the true cone, checked from f_n, friction and v⁺ alone. Friction of a contact has up to five
// components k (along s and t with mu, against turning about n with mu_spin, about s and t with mu_roll), with impulse
// f_k and velocity û_k, compliance included. Where mu_k > 0,
//     g = √Σ (f_k/mu_k)² ≤ f_n                                                                    cone            (1)
//     û = 0,  or  f_k = −(f_n/|ψ|) mu_k² û_k,  ψ_k = mu_k û_k                                     friction law    (2)
//     Σ f_k u_k ≤ 0,  u without compliance, but with what springs hold                            dissipation     (3)
// and where mu_k = 0, f_k = 0. With one coefficient for all this is the circle: |f| ≤ mu f_n, f against û.
//
// Sizes are free of units: F_k = f_k (ρ_k + R_k/ρ_k)/us and U_k = û_k/(ρ_k us), R the compliance, ρ the larger norm of
// the two rows that share a coefficient. A violation is what has to change at least, in the cheaper way:
//     cone   shrink friction by the share σ = 1 − f_n/g: changes F by x = σ|F| and f by y = (g − f_n)/f_n of itself
//     law    too little, the share σ = 1 − g/f_n missing: stop the slip, |U|, or add the friction, x = σ|F*|, y = σ
//            misdirected: turn the velocity towards the friction, or the friction against the velocity; each is a
//            distance from a ray, in the space of U and in that of F
// x and y count as x y/(x + y), about the smaller one: y is all there is to say where huge forces hold one another
// (us/ρ is then below their rounding), x where a contact hardly bears a load. F* is the full friction of (2).
// A row with ρ = 0 moves nothing; only (1) holds its force, by y.
//
// Most contacts are far inside the cone or do not slip by more than another one already did: where a bound shows that a
// contact cannot be the worst one, nothing more is computed. kSure leaves room for the rounding of either side.
#include <algorithm>
#include <cmath>

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

// x y/(x + y); ∞ on one side: the other.
double both(double x, double y) {
  if (x == kInfinity || y == 0.0) return y;
  if (y == kInfinity || x == 0.0) return x;
  return x * (y / (x + y));
}

// Without over- and underflow of squares; what is not finite is too much.
template <int Count>
double safe_norm(const Components<Count>& x) {
  const double largest = x.cwiseAbs().maxCoeff();
  if (!x.allFinite()) return kInfinity;
  if (largest == 0.0) return 0.0;
  return largest * (x / largest).norm();
}

// |x − t d| for the best t ≥ 0; nothing where there is no direction.
template <int Count>
double distance_from_ray(const Components<Count>& x, const Components<Count>& direction) {
  const double largest = direction.cwiseAbs().maxCoeff();
  if (largest == 0.0) return 0.0;
  const Components<Count> d = (direction / largest).normalized();
  return safe_norm<Count>(x - std::max(0.0, x.dot(d)) * d);
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
    calc_gauges();
    const double excess = cone_ - f_n_;
    if (!(excess > 0.0)) return;
    const double y = ratio(excess, f_n_);
    if (y < kSure * worst.relative()) return;
    calc_sizes();
    const double x = dead_ ? kInfinity : excess / cone_ * safe_norm<Count>(force_);
    const double relative = both(x, y);
    worst.consider(excess, relative > 0.0 ? excess / relative : 0.0, relative);
  }

  // (2)
  void add_law(Worst& worst) {
    if (surely_slower(worst.relative())) return;
    calc_gauges();
    calc_sizes();
    const double psi = safe_norm<Count>(psi_);
    if (!(psi > 0.0)) return;
    if (f_n_ > gauge_) {
      const double share = (f_n_ - gauge_) / f_n_;
      const double missing = ratio(share * f_n_ * largest_mu_ * (safe_norm<Count>(full_) / psi), speed_);
      worst.consider(std::min(safe_norm<Count>(slip_), both(missing, share)), 1.0);
    }
    worst.consider(std::min(distance_from_ray<Count>(slip_, path_), distance_from_ray<Count>(force_, full_)), 1.0);
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

  // |û_k| in sum below what makes |U| as large as `relative`: neither side of (2) can be worse than stopping the slip.
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

  void calc_gauges() {
    if (gauged_) return;
    gauged_ = true;
    for (int k = 0; k < Count; ++k) {
      if (!(friction_.mu(k) > 0.0)) continue;
      const double stretch = friction_.force(k) / friction_.mu(k);
      cone_ = std::hypot(cone_, stretch);
      if (friction_.norm(k) > 0.0) {
        gauge_ = std::hypot(gauge_, stretch);
      } else {
        dead_ = dead_ || stretch != 0.0;
      }
    }
  }

  void calc_sizes() {
    if (sized_) return;
    sized_ = true;
    // Of the coefficients only their ratios count for directions; so they cannot overflow there.
    largest_mu_ = friction_.mu.maxCoeff();
    double smallest_mu = largest_mu_;
    for (int k = 0; k < Count; ++k) {
      if (friction_.mu(k) > 0.0) smallest_mu = std::min(smallest_mu, friction_.mu(k));
    }
    for (int k = 0; k < Count; ++k) {
      const double mu = friction_.mu(k), norm = friction_.norm(k);
      if (!(mu > 0.0) || !(norm > 0.0)) continue;
      const double weight = impulse_weight(norm, friction_.compliance(k));
      force_(k) = std::copysign(ratio(friction_.force(k) * weight, speed_), friction_.force(k));
      slip_(k) = std::copysign(ratio(friction_.eased(k), norm * speed_), friction_.eased(k));
      const double above = mu / largest_mu_, below = smallest_mu / mu;
      psi_(k) = above * friction_.eased(k);
      full_(k) = -above * psi_(k) * weight;
      path_(k) = -below * (below * friction_.force(k)) / norm;
    }
  }

  const Friction<Count>& friction_;
  double f_n_, speed_, largest_mu_ = 0.0;
  bool gauged_ = false, sized_ = false;
  double cone_ = 0.0, gauge_ = 0.0;                      // g with and without rows that move nothing
  bool dead_ = false;                                    // there is a force along such a row
  Components<Count> force_ = Components<Count>::Zero();  // F
  Components<Count> slip_ = Components<Count>::Zero();   // U
  Components<Count> psi_ = Components<Count>::Zero();    // ψ over the largest mu
  Components<Count> full_ = Components<Count>::Zero();   // the direction of F*
  Components<Count> path_ = Components<Count>::Zero();   // the direction of U that the friction belongs to
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
