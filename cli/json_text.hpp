// JSON as every command prints it.
#pragma once

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

namespace tribo {

// JSON has no number that is not finite: such a one is one of the strings "inf", "-inf", "nan".
inline nlohmann::ordered_json number_json(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf";
}

// One line, with the newline. Names need not be UTF-8; JSON must be.
inline std::string json_line(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tribo
