#include "tribo/contact/history.hpp"

namespace tribo {

PhaseSeconds& PhaseSeconds::operator+=(const PhaseSeconds& other) {
  validate += other.validate;
  islands += other.islands;
  formulate += other.formulate;
  solve += other.solve;
  lift += other.lift;
  select += other.select;
  certify += other.certify;
  classify += other.classify;
  return *this;
}

std::string to_string(const Attempt& attempt) {
  std::string text = attempt.island >= 0 ? "island " + std::to_string(attempt.island) + ": " : "";
  text += attempt.name;
  const std::string methods = attempt.methods.empty() ? "" : to_string(attempt.methods);
  if (!attempt.note.empty() || !methods.empty())
    text += " (" + attempt.note + (attempt.note.empty() || methods.empty() ? "" : "; ") + methods + ")";
  return text + ": " + std::string(to_string(attempt.status));
}

}  // namespace tribo
