// The states of certify/classify.hpp, from what the certificate of the answer has computed.
#pragma once

#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/model.hpp"

#include <vector>

#include "certify/friction_law.hpp"

namespace tribo {

// `fallback`, per island: what impulses are compared with whose normal row moves nothing (scaled_pair.hpp).
void calc_states(const ContactTerms& terms, const ContactModel& model, Numbers f_n, const Tangential& tangential,
                 const VectorXd& fallback, double tolerance, std::vector<ContactState>& states);
// Of dry friction, per row of D; `rate`: D v⁺.
void calc_dry_states(const ContactTerms& terms, Numbers rate, double tolerance, std::vector<ContactState>& states);

}  // namespace tribo
