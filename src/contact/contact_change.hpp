// The members of a ContactProblem, its answers and its changes by the kind of row they belong to.
#pragma once

#include "tribo/contact/gradient.hpp"

#include <array>

namespace tribo {

// Rows of every kind, in the order of a block of the cone problem; those of the joints and of dry friction last.
inline constexpr int kKinds = 8, kNormal = 0, kJoint = 6, kDry = 7;

template <typename Rows>
auto rows_of(Rows& data) {
  return std::array{&data.N, &data.S, &data.T, &data.spin, &data.roll_s, &data.roll_t, &data.J, &data.D};
}

template <typename Solution>
auto impulses_of(Solution& s) {
  return std::array{&s.f_n, &s.f_s, &s.f_t, &s.f_spin, &s.f_roll_s, &s.f_roll_t, &s.f_j, &s.f_d};
}

// What acts along a row of this kind; null: nothing does.
template <typename Change>
auto offset_of(Change& change, int kind) {
  return kind == kNormal ? &change.b_N : kind == kJoint ? &change.b_J : nullptr;
}
template <typename Change>
auto compliance_of(Change& change, int kind) {
  return kind == kNormal ? &change.compliance : kind < 3 ? &change.tangential_compliance : nullptr;
}
template <typename Change>
auto coefficient_of(Change& change, int kind) {
  return kind == kNormal || kind >= kJoint ? nullptr
         : kind < 3                        ? &change.mu
         : kind == 3                       ? &change.mu_spin
                                           : &change.mu_roll;
}

inline double entry(const VectorXd* x, Index i) { return x != nullptr && x->size() > 0 ? (*x)(i) : 0.0; }

}  // namespace tribo
