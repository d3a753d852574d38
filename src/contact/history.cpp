#include "tribo/contact/history.hpp"

namespace tribo {

std::string to_string(const Attempt& attempt) {
  std::string text = attempt.island >= 0 ? "island " + std::to_string(attempt.island) + ": " : "";
  text += attempt.name;
  if (!attempt.note.empty()) text += " (" + attempt.note + ")";
  return text + ": " + std::string(to_string(attempt.status));
}

}  // namespace tribo
