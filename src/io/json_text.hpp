// JSON text to a tree, with limits: bad, deep, ambiguous or huge text is an error, never a crash.
#pragma once

#include "tribo/core/expected.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace tribo {

inline constexpr int kMaxJsonDepth = 32;
inline constexpr std::size_t kMaxJsonBytes = std::size_t{512} << 20;  // the tree takes up to ten times as much

Expected<nlohmann::json> parse_json_text(const std::string& text);

}  // namespace tribo
