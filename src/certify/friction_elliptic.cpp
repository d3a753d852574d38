// Coulomb's law with the true cone, checked from f_n, friction and v⁺ alone. Friction of a contact has up to five
// components k (along s and t with mu, against turning about n with mu_spin, about s and t with mu_roll), with impulse
// f_k and velocity û_k, compliance included. Where mu_k > 0,
//     g = √Σ (f_k/mu_k)² ≤ f_n                                                                    cone            (1)
//     û = 0,  or  f_k = −(f_n/|ψ|) mu_k² û_k,  ψ_k = mu_k û_k                                     friction law    (2)
//     Σ f_k u_k ≤ 0,  u without compliance                                                        dissipation     (3)
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
#include <algorithm>
#include <cmath>

#include "certify/friction_law.hpp"
#include "certify/scaled_pair.hpp"

namespace tribo {

namespace {

constexpr int kComponents = 5;  // s, t, spin, roll_s, roll_t
using Components = Eigen::Matrix<double, kComponents, 1>;

// One contact. Components that the problem does not have are zero, with norm zero.
struct Friction {
  Components mu = Components::Zero();
  Components force = Components::Zero();
  Components rate = Components::Zero();   // u
  Components eased = Components::Zero();  // û
  Components norm = Components::Zero();   // ρ
  Components compliance = Components::Zero();
};

// x y/(x + y); ∞ on one side: the other.
double both(double x, double y) {
  if (x == kInfinity || y == 0.0) return y;
  if (y == kInfinity || x == 0.0) return x;
  return x * (y / (x + y));
}

// Without over- and underflow of squares; what is not finite is too much.
double safe_norm(const Components& x) {
  if (!x.allFinite()) return kInfinity;
  const double largest = x.cwiseAbs().maxCoeff();
  if (largest == 0.0) return 0.0;
  return largest * (x / largest).norm();
}

// |x − t d| for the best t ≥ 0; nothing where there is no direction.
double distance_from_ray(const Components& x, const Components& direction) {
  const double largest = direction.cwiseAbs().maxCoeff();
  if (largest == 0.0) return 0.0;
  const Components d = (direction / largest).normalized();
  return safe_norm(x - std::max(0.0, x.dot(d)) * d);
}

class ContactFriction {
 public:
  ContactFriction(const Friction& friction, double f_n, double speed)
      : friction_(friction), f_n_(std::max(f_n, 0.0)), speed_(speed) {
    // Of the coefficients only their ratios count for directions; so they cannot overflow there.
    largest_mu_ = friction.mu.maxCoeff();
    double smallest_mu = largest_mu_;
    for (int k = 0; k < kComponents; ++k) {
      if (friction.mu(k) > 0.0) smallest_mu = std::min(smallest_mu, friction.mu(k));
    }
    for (int k = 0; k < kComponents; ++k) {
      const double mu = friction.mu(k), norm = friction.norm(k);
      if (!(mu > 0.0)) continue;
      const double stretch = friction.force(k) / mu;
      cone_ = std::hypot(cone_, stretch);
      if (!(norm > 0.0)) {
        dead_ = dead_ || stretch != 0.0;
        continue;
      }
      const double weight = impulse_weight(norm, friction.compliance(k));
      gauge_ = std::hypot(gauge_, stretch);
      force_(k) = std::copysign(ratio(friction.force(k) * weight, speed), friction.force(k));
      slip_(k) = std::copysign(ratio(friction.eased(k), norm * speed), friction.eased(k));
      const double above = mu / largest_mu_, below = smallest_mu / mu;
      psi_(k) = above * friction.eased(k);
      full_(k) = -above * psi_(k) * weight;
      path_(k) = -below * (below * friction.force(k)) / norm;
    }
  }

  // (1)
  void add_cone(Worst& worst) const {
    for (int k = 0; k < kComponents; ++k) {
      const double f = friction_.force(k), norm = friction_.norm(k);
      if (friction_.mu(k) > 0.0 || f == 0.0) continue;
      const double weight = norm > 0.0 ? impulse_weight(norm, friction_.compliance(k)) : kInfinity;
      worst.consider(f, speed_ / weight, ratio(f * weight, speed_));
    }
    const double excess = cone_ - f_n_;
    if (!(excess > 0.0)) return;
    const double x = dead_ ? kInfinity : excess / cone_ * safe_norm(force_);
    const double relative = both(x, ratio(excess, f_n_));
    worst.consider(excess, relative > 0.0 ? excess / relative : 0.0, relative);
  }

  // (2)
  void add_law(Worst& worst) const {
    const double psi = safe_norm(psi_);
    if (!(psi > 0.0)) return;
    if (f_n_ > gauge_) {
      const double share = (f_n_ - gauge_) / f_n_;
      const double missing = ratio(share * f_n_ * largest_mu_ * (safe_norm(full_) / psi), speed_);
      worst.consider(std::min(safe_norm(slip_), both(missing, share)), 1.0);
    }
    worst.consider(std::min(distance_from_ray(slip_, path_), distance_from_ray(force_, full_)), 1.0);
  }

  // (3). A large force (a jam) times the rounding of a slip is no gain of energy: the scale grows with the force.
  void add_work(Worst& worst) const {
    AccurateSum work;
    double impulse = 0.0;
    for (int k = 0; k < kComponents; ++k) {
      work.add_product(friction_.force(k), friction_.rate(k));
      impulse += std::abs(friction_.force(k)) * friction_.norm(k);
    }
    worst.consider(std::max(work.value(), 0.0), speed_ * std::max(speed_, impulse));
  }

 private:
  const Friction& friction_;
  double f_n_, speed_, largest_mu_ = 0.0;
  double cone_ = 0.0, gauge_ = 0.0;        // g with and without rows that move nothing
  bool dead_ = false;                      // there is a force along such a row
  Components force_ = Components::Zero();  // F
  Components slip_ = Components::Zero();   // U
  Components psi_ = Components::Zero();    // ψ over the largest mu
  Components full_ = Components::Zero();   // the direction of F*
  Components path_ = Components::Zero();   // the direction of U that the friction belongs to
};

// The rows of one coefficient: their place among the components, impulses (absent: zero) and norms.
struct Family {
  int place = 0;
  const BlockRows* rows = nullptr;
  const VectorXd* force = nullptr;
  const VectorXd* norm = nullptr;
};

}  // namespace

void check_cone(const ContactTerms& terms, const VectorXd& f_n, const VectorXd& velocity, const Tangential& tangential,
                Certificate& certificate) {
  const ContactProblem& problem = terms.problem;
  const Family families[kComponents] = {{0, &problem.S, &tangential.f_s, &terms.norm_S},
                                        {1, &problem.T, &tangential.f_t, &terms.norm_T},
                                        {2, &problem.spin, &tangential.f_spin, &terms.norm_spin},
                                        {3, &problem.roll_s, &tangential.f_roll_s, &terms.norm_roll_s},
                                        {4, &problem.roll_t, &tangential.f_roll_t, &terms.norm_roll_t}};
  Worst cone, law, work;
  for (Index i = 0; i < problem.size(); ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    Friction friction;
    friction.mu << contact.mu, contact.mu, contact.mu_spin, contact.mu_roll, contact.mu_roll;
    friction.compliance.head<2>().setConstant(contact.tangential_compliance);
    for (const Family& family : families) {
      if (family.rows->rows() == 0) continue;
      const int k = family.place;
      friction.norm(k) = (*family.norm)(i);
      friction.rate(k) = accurate_row(*family.rows, i, velocity);
      if (family.force->size() > 0) friction.force(k) = (*family.force)(i);
      friction.eased(k) = friction.rate(k) + friction.compliance(k) * friction.force(k);
    }
    friction.norm.head<2>().setConstant(friction.norm.head<2>().maxCoeff());
    friction.norm.tail<2>().setConstant(friction.norm.tail<2>().maxCoeff());
    if (f_n(i) < 0.0)
      cone.consider(f_n(i), ratio(terms.speed, terms.norm_N(i)), ratio(f_n(i) * terms.norm_N(i), terms.speed));
    const ContactFriction checked(friction, f_n(i), terms.speed);
    checked.add_cone(cone);
    checked.add_law(law);
    checked.add_work(work);
  }
  certificate.add(cone.residual("cone", terms.impulse_unit()));
  certificate.add(law.residual("friction law", "1"));
  certificate.add(work.residual("dissipation", terms.work_unit()));
}

}  // namespace tribo
