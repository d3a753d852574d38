// Bad data from outside: what is wrong, where it is, and what to do about it.
#pragma once

#include <string>
#include <utility>

namespace tribo {

struct Error {
  std::string what;    // "mu is negative (-0.3)"
  std::string where;   // "scene.json: contact 7"; empty when there is no better place than the call itself
  std::string remedy;  // "give a friction coefficient >= 0"

  // "scene.json: contact 7: mu is negative (-0.3); give a friction coefficient >= 0"
  std::string text() const;

  // The same error seen from further out: `outer` is put in front of `where`.
  Error within(const std::string& outer) const;
};

}  // namespace tribo
