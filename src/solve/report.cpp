#include "tribo/solve/report.hpp"

#include <array>

namespace tribo {

std::string_view to_string(Method method) {
  static constexpr std::array<std::string_view, kMethods> kNames = {
      "states",          "one contact",    "small newton",    "sweeps",
      "proximal newton", "energy newton",  "bilateral",       "discs",
      "newton",          "convex cone",    "complementarity", "active set of the last step",
      "dual active set", "interior point", "active set"};
  return kNames[static_cast<std::size_t>(method)];
}

void write(MethodSet methods, std::string& text) {
  text.clear();
  for (int k = 0; k < kMethods; ++k) {
    const auto method = static_cast<Method>(k);
    if (!methods.has(method)) continue;
    if (!text.empty()) text += ", ";
    text += to_string(method);
  }
  if (text.empty()) text = "nothing to do";
}

std::string to_string(MethodSet methods) {
  std::string text;
  write(methods, text);
  return text;
}

}  // namespace tribo
