#include "io/text_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tribo {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";

}  // namespace

std::string in_quotes(std::string_view token) {
  std::string shown(1, '\'');
  for (const char c : token.substr(0, 40)) shown += (c >= ' ' && c <= '~') ? c : '?';
  shown += token.size() > 40 ? "...'" : "'";
  return shown;
}

std::optional<double> parse_number(std::string_view token) {
  std::string_view digits = token;
  const bool negative = !digits.empty() && digits.front() == '-';
  if (negative || (!digits.empty() && digits.front() == '+')) digits.remove_prefix(1);
  auto format = std::chars_format::general;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
    format = std::chars_format::hex;
    digits.remove_prefix(2);
  }
  if (digits.empty() || digits.front() == '-') return std::nullopt;
  double value = 0.0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, format);
  if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return negative ? -value : value;
}

std::string_view TextReader::word(const std::string& what) {
  if (failed()) return {};
  const std::size_t start = text_.find_first_not_of(kSpace, offset_);
  if (start == std::string_view::npos) {
    token_ = offset_ = text_.size();
    refuse("the text ends where " + what + " should be", "the file was cut short, or a size in it is wrong");
    return {};
  }
  token_ = start;
  offset_ = std::min(text_.find_first_of(kSpace, start), text_.size());
  return text_.substr(start, offset_ - start);
}

void TextReader::expect(std::string_view literal) {
  const std::string_view token = word(in_quotes(literal));
  if (failed() || token == literal) return;
  refuse("found " + in_quotes(token) + " where " + in_quotes(literal) + " should be",
         "a size before this place is wrong, or this is another kind of file");
}

Index TextReader::integer(const std::string& what) {
  std::string_view token = word(what);
  if (failed()) return 0;
  if (token.size() > 1 && token.front() == '+') token.remove_prefix(1);
  Index value = 0;
  const auto [end, code] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (code != std::errc() || end != token.data() + token.size()) {
    refuse(what + " is " + in_quotes(token) + ", not an integer", "write an integer there");
    return 0;
  }
  return value;
}

Index TextReader::index(const std::string& what, Index limit) {
  const Index value = integer(what);
  if (failed() || (value >= 0 && value < limit)) return value;
  refuse(what + " is " + std::to_string(value) + ", outside of 0 ... " + std::to_string(limit - 1),
         "indices start at 0");
  return 0;
}

Index TextReader::size(const std::string& what) {
  const Index value = integer(what);
  if (failed()) return 0;
  if (value < 0) {
    refuse(what + " is negative (" + std::to_string(value) + ")", "sizes are >= 0");
    return 0;
  }
  if (!can_hold(value)) {
    refuse(what + " is " + std::to_string(value) + ", more than the rest of the text can hold",
           "the size is wrong, or the file was cut short");
    return 0;
  }
  return value;
}

Index TextReader::equal_size(const std::string& what, Index expected) {
  const Index value = size(what);
  if (failed() || expected < 0 || value == expected) return value;
  refuse(what + " is " + std::to_string(value) + ", expected " + std::to_string(expected),
         "the sizes in the file must agree");
  return 0;
}

void TextReader::exact(const std::string& what, Index expected) {
  const Index value = integer(what);
  if (failed() || value == expected) return;
  refuse(what + " is " + std::to_string(value) + ", expected " + std::to_string(expected),
         "a size before this place is wrong, or numbers are missing");
}

double TextReader::number(const std::string& what) {
  const std::string_view token = word(what);
  if (failed()) return 0.0;
  const std::optional<double> value = parse_number(token);
  if (!value)
    refuse("found " + in_quotes(token) + " in " + what + ", not a finite number", "write a finite number there");
  return value.value_or(0.0);
}

VectorXd TextReader::vector(const std::string& what, Index size) {
  if (!failed() && !can_hold(size)) {
    refuse("the text ends inside " + what + ", which has " + std::to_string(size) + " numbers",
           "the file was cut short, or a size in it is wrong");
  }
  if (failed()) return VectorXd();
  VectorXd values(size);
  for (Index i = 0; i < size && !failed(); ++i) values(i) = number(what);
  return values;
}

void TextReader::rest_of_line() {
  if (failed()) return;
  const std::size_t end = text_.find('\n', offset_);
  offset_ = end == std::string_view::npos ? text_.size() : end + 1;
}

void TextReader::refuse(const std::string& what, const std::string& remedy) {
  if (failed()) return;
  const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(token_), '\n') + 1;
  error_ = Error{what, "line " + std::to_string(line), remedy};
}

bool TextReader::can_hold(Index tokens) const {
  // k tokens need k characters and k − 1 spaces between them; the one we stand at needs a space before it.
  const std::size_t left = text_.size() - offset_;
  return tokens >= 0 && static_cast<std::size_t>(tokens) <= left / 2 + 1;
}

}  // namespace tribo
