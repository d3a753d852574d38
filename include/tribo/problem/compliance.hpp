// Springs and dampers at the contacts, integrated implicitly, as compliance of the model CoulombCone. With stiffness k,
// damping c, gap φ and step h the impulse of the step is
//     f_n = h max(0, −k (φ + h w) − c w),      w = N v⁺                                                        (1)
// Divided by h (h k + c) > 0 this is the law of a rigid contact for an eased velocity,
//     0 ≤ f_n ⟂ w + b_N + compliance f_n ≥ 0,    b_N = φ k/(h k + c),   compliance = 1/(h (h k + c))           (2)
// so any stiffness is as stable as any other, and k → ∞ is the rigid contact with b_N = φ/h. With c > 0 a contact may
// push a little before it touches, as (1) does: the damper does not know of the gap.
//
// Along the tangents spring and damper have `tangential_ratio` times k and c. The spring is unstretched when the step
// begins unless Contact::held_s, held_t say otherwise: with nothing remembered of earlier steps a loaded contact creeps. Infinite,
// the default: rigid tangents.
#pragma once

#include "tribo/problem/contact_problem.hpp"

#include <limits>

namespace tribo {

// (2) for every contact of finite stiffness: sets compliance, tangential_compliance (= compliance/tangential_ratio) and
// b_N. Rigid contacts keep what they have. Velocity level, h > 0, stiffness > 0, damping >= 0 and a ratio > 0 are the
// caller's promise (ContractError).
void soften_contacts(ContactProblem& problem, double tangential_ratio = std::numeric_limits<double>::infinity());

}  // namespace tribo
