// Expected<T, E>: a value or the reason why there is none, shaped like C++23's std::expected.
#pragma once

#include "tribo/core/error.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace tribo {

// Thrown by value() when there is none.
class BadExpectedAccess : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename E>
struct Unexpected {
  E error;
};
template <typename E>
Unexpected(E) -> Unexpected<E>;

template <typename T, typename E = Error>
class [[nodiscard]] Expected {
 public:
  using value_type = T;
  using error_type = E;

  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit, as in the standard
  Expected(Unexpected<E> unexpected)                                       // NOLINT
      : state_(std::in_place_index<1>, std::move(unexpected.error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    require_value();
    return std::get<0>(state_);
  }
  const T& value() const& {
    require_value();
    return std::get<0>(state_);
  }
  T&& value() && {
    require_value();
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const E& error() const {
    if (has_value()) throw BadExpectedAccess("error() asked of an Expected that has a value");
    return std::get<1>(state_);
  }

 private:
  void require_value() const {
    if (has_value()) return;
    if constexpr (requires(const E& e) { e.text(); }) {
      throw BadExpectedAccess(std::get<1>(state_).text());
    } else {
      throw BadExpectedAccess("value() asked of an Expected that holds an error");
    }
  }

  std::variant<T, E> state_;
};

// The outcome of a check that returns nothing but its reason to refuse.
using Checked = Expected<std::monostate, Error>;
inline Checked ok() { return Checked(std::monostate{}); }
inline Unexpected<Error> fail(std::string what, std::string where, std::string remedy) {
  return Unexpected<Error>{Error{std::move(what), std::move(where), std::move(remedy)}};
}

}  // namespace tribo
