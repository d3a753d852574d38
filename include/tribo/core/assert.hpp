// Broken promises in our own code. TRIBO_REQUIRE guards public entry points and is always on; TRIBO_ASSERT guards
// inner loops and exists in debug builds only. Bad data from outside is not a broken promise: see expected.hpp.
#pragma once

#include <stdexcept>
#include <string>

namespace tribo {

class ContractError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void throw_contract_error(const char* condition, const char* file, int line, const char* message);

}  // namespace tribo

#define TRIBO_REQUIRE(condition, message)                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      ::tribo::throw_contract_error(#condition, __FILE__, __LINE__, message); \
    }                                                                         \
  } while (false)

#ifdef NDEBUG
#define TRIBO_ASSERT(condition) static_cast<void>(0)
#else
#define TRIBO_ASSERT(condition) TRIBO_REQUIRE(condition, "internal invariant")
#endif
