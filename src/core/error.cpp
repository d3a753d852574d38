#include "tribo/core/error.hpp"

namespace tribo {

std::string Error::text() const {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

Error Error::within(const std::string& outer) const {
  Error error = *this;
  error.where = where.empty() ? outer : outer + ": " + where;
  return error;
}

}  // namespace tribo
