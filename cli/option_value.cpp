#include "option_value.hpp"

#include "tribo/solve/registry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "suggest.hpp"

namespace tribo {
namespace {

template <typename T>
bool parse_whole(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

// Names of docs/ and papers that this version does not have: better than "did you mean".
bool is_model_to_come(const std::string& name) { return name == "baraff"; }

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelInfo& model : models()) names.emplace_back(model.name);
  for (const ModelInfo& model : compliant_models()) names.emplace_back(model.name);
  return names;
}

}  // namespace

Expected<double> parse_tolerance(const std::string& text) {
  const std::string remedy = "give a number between 0 and 1, for example 1e-8";
  double value = 0.0;
  if (!parse_whole(text, value) || std::isnan(value)) return fail(quoted(text) + " is not a number", "--tol", remedy);
  if (value <= 0.0) return fail("a tolerance of " + text + " can never be met", "--tol", remedy);
  if (value >= 1.0) return fail("a relative tolerance of " + text + " would accept anything", "--tol", remedy);
  return value;
}

Expected<int> parse_repeat(const std::string& text) {
  int value = 0;
  if (!parse_whole(text, value) || value < 1 || value > 1'000'000'000) {
    return fail(quoted(text) + " is not a number of repeats", "--repeat", "give a whole number from 1 to 1000000000");
  }
  return value;
}

Expected<std::uint64_t> parse_seed(const std::string& text) {
  std::uint64_t value = 0;
  if (!parse_whole(text, value)) {
    return fail(quoted(text) + " is not a seed", "--seed", "give a whole number from 0 to 18446744073709551615");
  }
  return value;
}

Expected<Release> parse_release(const std::string& text) {
  if (text == "never") return Release::kNever;
  if (text == "predicted") return Release::kPredicted;
  if (text == "solved") return Release::kSolved;
  return fail("there is no way to release called " + quoted(text), "--release",
              suggest(text, {"never", "predicted", "solved"}));
}

Expected<ContactModel> parse_model_option(const std::string& text) {
  const std::vector<std::string> names = model_names();
  if (is_model_to_come(text)) {
    return fail("the model " + text + " is not in this version", "--model", suggest("", names));
  }
  Expected<ContactModel> model = parse_model(text);
  if (model) return model;
  if (is_compliant_name(text)) {
    return fail("the model " + text + " is not for this", "--model", "use it with tribo solve on a compliant problem");
  }
  if (text.starts_with("coulomb-pyramid:")) return Unexpected<Error>{model.error().within("--model")};
  return fail("there is no contact model " + quoted(text), "--model", suggest(text, names));
}

Expected<CompliantName> parse_compliant_option(const std::string& text) {
  Expected<CompliantName> name = parse_compliant_name(text);
  if (name) return name;
  return fail("there is no contact model " + quoted(text), "--model", suggest(text, model_names()));
}

Checked check_solver_option(const std::string& text) {
  if (text == "auto" || find_capability(text) != nullptr) return ok();
  std::vector<std::string> names = {"auto"};
  for (const Capability& row : capabilities()) names.emplace_back(row.name);
  return fail("there is no solver " + quoted(text), "--solver", suggest(text, names));
}

Checked check_kind_option(const std::string& text) {
  const std::vector<std::string> kinds = {"lcp", "mlcp", "fc3d", "fc2d", "gfc3d", "gfc2d", "gmp"};
  if (text.empty() || std::find(kinds.begin(), kinds.end(), text) != kinds.end()) return ok();
  return fail("there is no kind " + quoted(text), "--kind", suggest(text, kinds));
}

}  // namespace tribo
