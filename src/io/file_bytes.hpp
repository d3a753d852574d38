// Whole files in and out of memory: the only place where Tribo opens a file.
#pragma once

#include "tribo/core/expected.hpp"

#include <cstdint>
#include <string>

namespace tribo {

inline constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{2} << 30;

// Fails on missing, unreadable, empty and too large files and on whatever is not a regular file.
Expected<std::string> read_bytes(const std::string& path, std::uintmax_t most = kMaxFileBytes);

// Writes beside `path`, then renames: `path` holds the old bytes or all the new ones, never a part.
Checked write_bytes(const std::string& path, const std::string& bytes);

}  // namespace tribo
