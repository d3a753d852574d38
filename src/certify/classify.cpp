// The verdict on a contact, with the scales of its certificate (ρ = |row|_{M⁻¹}, us of the island, R compliance):
//     loaded   f_n (ρ_N + R/ρ_N) > ε us                      a normal row that moves nothing: f_n, or R f_n, over the fallback  (1)
//     slips    |û_k/ρ_k| > ε us                                                                                               (2)
// (2) is judged as each law measures its slip: the true cone by the norm over its components, with ρ the larger norm of the
// two rows that share a coefficient, the pyramid by the norm of (S v⁺, T v⁺) over the larger ρ, the box and the no-slip model row
// by row. Rows that move nothing do not slip. A row of dry friction slides where (2) holds for D v⁺, else it sticks.
#include "tribo/certify/classify.hpp"

#include "tribo/certify/contact_certifier.hpp"

#include <algorithm>
#include <cmath>

#include "certify/contact_states.hpp"
#include "certify/scaled_pair.hpp"

namespace tribo {

namespace {

// Speeds over the norms of their rows, as far as they count.
class Slip {
 public:
  void add(double speed, double norm) {
    if (speed != 0.0 && norm > 0.0) relative_[count_++] = std::abs(speed) / norm;
  }
  double largest() const { return count_ == 0 ? 0.0 : *std::max_element(relative_, relative_ + count_); }
  double norm() const {
    const double most = largest();
    if (count_ < 2 || !(most < kInfinity)) return most;
    double sum = 0.0;
    for (int k = 0; k < count_; ++k) sum += (relative_[k] / most) * (relative_[k] / most);
    return most * std::sqrt(sum);
  }

 private:
  double relative_[5];
  int count_ = 0;
};

// One answer in one model; a verdict per contact.
class Judge {
 public:
  Judge(const ContactTerms& terms, const ContactModel& model, const Tangential& tangential)
      : terms_(terms), tangential_(tangential), model_(model) {}

  // (1)
  bool is_loaded(Index i, double f_n, double fallback, double tolerance) const {
    const double norm = terms_.norm_N(i), R = is<CoulombCone>() ? contact(i).compliance : 0.0;
    if (norm > 0.0) return f_n * impulse_weight(norm, R) > tolerance * terms_.speed_at(i);
    return (R > 0.0 ? R * f_n : f_n) > tolerance * fallback;
  }

  // Load, friction and no slip (2).
  bool sticks(Index i, double tolerance) const {
    if (contact(i).kind == RowKind::kLimit) return true;  // it has nothing to slide along
    if (!can_hold(i)) return false;
    const double limit = tolerance * terms_.speed_at(i);
    if (is<CoulombCone>()) return !(calc_cone_slip(i).norm() > limit);
    Slip slip;
    if (is<CoulombPyramid>()) {
      const double norm = larger(terms_.norm_S, terms_.norm_T, i);
      slip.add(at(tangential_.slip_s, i), norm);
      slip.add(at(tangential_.slip_t, i), norm);
      return !(slip.norm() > limit);
    }
    if (terms_.norm_S.size() > 0) slip.add(tangential_.slip_s[i], terms_.norm_S(i));
    if (terms_.norm_T.size() > 0) slip.add(tangential_.slip_t[i], terms_.norm_T(i));
    return !(slip.largest() > limit);
  }

 private:
  template <typename Model>
  bool is() const {
    return std::holds_alternative<Model>(model_);
  }
  const Contact& contact(Index i) const { return terms_.problem->contacts[static_cast<std::size_t>(i)]; }
  static double at(Numbers x, Index i) { return x.empty() ? 0.0 : x[static_cast<std::size_t>(i)]; }
  static double larger(const VectorXd& a, const VectorXd& b, Index i) {
    return std::max(a.size() > 0 ? a(i) : 0.0, b.size() > 0 ? b(i) : 0.0);
  }

  // Whether the law has friction that can hold the contact without slip.
  bool can_hold(Index i) const {
    const Contact& c = contact(i);
    const bool tangents = terms_.norm_S.size() > 0;
    if (is<NoSlip>()) return tangents && !c.released;
    if (is<CoulombPyramid>()) return tangents && c.mu > 0.0;
    if (is<FrictionBox>()) return tangents && c.friction_bound > 0.0;
    if (!is<CoulombCone>()) return false;
    return (tangents && c.mu > 0.0) || (terms_.norm_spin.size() > 0 && c.mu_spin > 0.0) ||
           (terms_.norm_roll_s.size() > 0 && c.mu_roll > 0.0);
  }

  Slip calc_cone_slip(Index i) const {
    const Contact& c = contact(i);
    const double R = c.tangential_compliance;
    const auto eased = [&](Numbers slip, Numbers force, double held) {
      return slip.empty() ? 0.0 : at(slip, i) - R * held + R * at(force, i);
    };
    Slip slip;
    const double norm = larger(terms_.norm_S, terms_.norm_T, i);
    slip.add(eased(tangential_.slip_s, tangential_.f_s, c.held_s), norm);
    slip.add(eased(tangential_.slip_t, tangential_.f_t, c.held_t), norm);
    if (c.mu_spin > 0.0 && terms_.norm_spin.size() > 0) slip.add(tangential_.rate_spin[i], terms_.norm_spin(i));
    if (c.mu_roll > 0.0 && terms_.norm_roll_s.size() > 0) {
      const double roll_norm = larger(terms_.norm_roll_s, terms_.norm_roll_t, i);
      slip.add(tangential_.rate_roll_s[i], roll_norm);
      slip.add(tangential_.rate_roll_t[i], roll_norm);
    }
    return slip;
  }

  const ContactTerms& terms_;
  const Tangential& tangential_;
  const ContactModel& model_;
};

}  // namespace

void calc_states(const ContactTerms& terms, const ContactModel& model, Numbers f_n, const Tangential& tangential,
                 const VectorXd& fallback, double tolerance, std::vector<ContactState>& states) {
  const Judge judge(terms, model, tangential);
  states.resize(f_n.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    const auto i = static_cast<Index>(k);
    states[k] = !judge.is_loaded(i, f_n[k], fallback(terms.island_of_contact(i)), tolerance) ? ContactState::kOpen
                : judge.sticks(i, tolerance)                                                 ? ContactState::kStick
                                                                                             : ContactState::kSlide;
  }
}

void calc_dry_states(const ContactTerms& terms, Numbers rate, double tolerance, std::vector<ContactState>& states) {
  states.resize(rate.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const bool slips = std::abs(rate[k]) > tolerance * terms.norm_D(i) * terms.speed_at_dry(i);
    states[k] = slips ? ContactState::kSlide : ContactState::kStick;
  }
}

std::vector<ContactState> classify(const ContactProblem& problem, const ContactModel& model,
                                   const ContactSolution& solution, double tolerance) {
  std::vector<ContactState> states;
  ContactCertifier().classify(problem, model, solution, tolerance, states);
  return states;
}

}  // namespace tribo
