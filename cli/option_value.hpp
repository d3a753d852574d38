// Values of options from their text, with errors that say what to give instead.
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/core/expected.hpp"
#include "tribo/problem/compliant_name.hpp"
#include "tribo/problem/model.hpp"

#include <cstdint>
#include <string>

namespace tribo {

Expected<double> parse_tolerance(const std::string& text);    // 0 < t < 1
Expected<int> parse_repeat(const std::string& text);          // 1 … 10⁹
Expected<std::uint64_t> parse_seed(const std::string& text);  // any 64-bit number
Expected<Release> parse_release(const std::string& text);     // never, predicted, solved
Expected<ContactModel> parse_model_option(const std::string& text);
Expected<CompliantName> parse_compliant_option(const std::string& text);  // names that is_compliant_name() knows
Checked check_solver_option(const std::string& text);                     // "auto" or a name of capabilities()
Checked check_kind_option(const std::string& text);                       // "" or a kind that settles a text file

}  // namespace tribo
