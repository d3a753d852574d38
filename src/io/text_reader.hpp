// Tokens of a text, one after the other, for formats whose sizes cannot be trusted.
//
// The first failure sticks: later reads return zeros and change nothing, so a parser can be written as
// straight code and ask failed() before it allocates or uses a number as an index.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/types.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tribo {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  std::size_t offset() const { return offset_; }

  std::string_view word(const std::string& what);             // the next token
  void expect(std::string_view literal);                      // the next token must be this
  Index integer(const std::string& what);                     // any integer
  Index index(const std::string& what, Index limit);          // 0 … limit − 1
  Index size(const std::string& what);                        // 0 … as many tokens as may be left
  Index equal_size(const std::string& what, Index expected);  // this number, or -1: any size
  void exact(const std::string& what, Index expected);        // exactly this integer
  double number(const std::string& what);                     // finite
  VectorXd vector(const std::string& what, Index size);       // that many finite numbers
  void rest_of_line();                                        // skips it

  // Fails at the last token read. The first failure is kept.
  void refuse(const std::string& what, const std::string& remedy);

  // Could the rest of the text hold this many tokens? Asked before memory is reserved for them.
  bool can_hold(Index tokens) const;

 private:
  std::string_view text_;
  std::size_t offset_ = 0;  // first character not yet read
  std::size_t token_ = 0;   // where the last token starts
  std::optional<Error> error_;
};

// A token for messages: in quotes, printable, 40 characters at most.
std::string in_quotes(std::string_view token);

// One number in any form strtod takes, without regard to the locale. Nothing when the token is anything else
// or the number has no finite double beside it.
std::optional<double> parse_number(std::string_view token);

}  // namespace tribo
