// Names and numbers in tables of text.
#pragma once

#include <charconv>
#include <string>

namespace tribo {

inline std::string quote(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos && !name.starts_with(' ') && !name.ends_with(' ')) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// So that it reads back bit for bit.
inline void append(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace tribo
