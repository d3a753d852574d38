#include "io/xml_fields.hpp"

#include "tribo/core/nearest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace tribo {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

std::string quoted(const std::string& word) { return "'" + (word.size() > 40 ? word.substr(0, 40) + "…" : word) + "'"; }

}  // namespace

Expected<std::vector<double>, std::string> parse_numbers(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return numbers;
    const char* stop = std::find_if(at, end, is_space);
    const std::string word(at, stop);
    double value = 0.0;
    const char* first = *at == '+' && stop - at > 1 && at[1] != '-' ? at + 1 : at;
    const auto [last, code] = std::from_chars(first, stop, value);
    if (code == std::errc::result_out_of_range) {
      // Too small is zero, as elsewhere; too large is refused.
      value = std::strtod(word.c_str(), nullptr);
    } else if (code != std::errc() || last != stop) {
      return Unexpected<std::string>{quoted(word) + " is not a number"};
    }
    if (!std::isfinite(value)) return Unexpected<std::string>{quoted(word) + " is not a finite number"};
    numbers.push_back(value);
    at = stop;
  }
}

// Words that are one edit away per three letters are called near.
std::string suggest(const std::string& word, const std::vector<std::string>& known, const std::string& otherwise) {
  const std::string* best = nullptr;
  std::size_t least = word.size() / 3 + 1;
  if (word.size() > 200) return otherwise;
  for (const std::string& candidate : known) {
    if (candidate.empty() || candidate.size() > word.size() + least || word.size() > candidate.size() + least) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least || (distance == least && best == nullptr)) {
      best = &candidate;
      least = distance;
    }
  }
  return best == nullptr ? otherwise : "did you mean '" + *best + "'?";
}

bool XmlFields::has(const char* attribute) const { return find(attribute) != nullptr; }

const std::string* XmlFields::find(const char* attribute) const {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (const std::string* value = (*layer)->find(attribute)) return value;
  }
  return nullptr;
}

void XmlFields::fail(const std::string& attribute, std::string what, std::string remedy) const {
  fail_in(element(), attribute, std::move(what), std::move(remedy));
}

void XmlFields::fail_in(const XmlElement& layer, const std::string& attribute, std::string what,
                        std::string remedy) const {
  const std::string where = layer.where() + (attribute.empty() ? "" : " attribute " + attribute);
  errors_->set(Error{std::move(what), where, std::move(remedy)});
}

int XmlFields::text(const char* attribute, std::string& out) const {
  const std::string* value = find(attribute);
  if (value == nullptr) return 0;
  out = *value;
  return 1;
}

int XmlFields::numbers(const char* attribute, std::span<double> out, int least) const {
  int count = 0;
  for (const XmlElement* layer : layers_) {
    const std::string* value = layer->find(attribute);
    if (value == nullptr) continue;
    const auto given = parse_numbers(*value);
    if (!given) {
      fail_in(*layer, attribute, given.error(), "write finite numbers separated by blanks");
      return 0;
    }
    const std::size_t size = given->size();
    if (size < static_cast<std::size_t>(least) || size > out.size()) {
      const std::string wanted = static_cast<std::size_t>(least) == out.size()
                                     ? std::to_string(least)
                                     : std::to_string(least) + " to " + std::to_string(out.size());
      fail_in(*layer, attribute, "has " + std::to_string(size) + " numbers", "give " + wanted);
      return 0;
    }
    std::copy(given->begin(), given->end(), out.begin());
    count = static_cast<int>(size);
  }
  return count;
}

int XmlFields::number(const char* attribute, double& out) const { return numbers(attribute, {&out, 1}, 1); }

int XmlFields::vector(const char* attribute, Vector3d& out) const { return numbers(attribute, {out.data(), 3}, 3); }

bool XmlFields::numbers_or_blank(const char* attribute, std::span<double> out) const {
  std::vector<const XmlElement*> given;
  for (const XmlElement* layer : layers_) {
    const std::string* value = layer->find(attribute);
    if (value == nullptr || !std::all_of(value->begin(), value->end(), is_space)) given.push_back(layer);
  }
  if (!given.empty()) XmlFields(given, *errors_).numbers(attribute, out);
  return given.size() < layers_.size();
}

int XmlFields::list(const char* attribute, std::vector<double>& out) const {
  const std::string* value = find(attribute);
  if (value == nullptr) return 0;
  auto given = parse_numbers(*value);
  if (!given) {
    fail(attribute, given.error(), "write finite numbers separated by blanks");
    return 0;
  }
  out = std::move(*given);
  return static_cast<int>(out.size());
}

int XmlFields::integer(const char* attribute, int& out) const {
  double value = out;
  if (number(attribute, value) == 0) return 0;
  if (value != std::floor(value) || std::abs(value) > 2147483647.0) {
    fail(attribute, quoted(*find(attribute)) + " is not an integer", "give a whole number");
    return 0;
  }
  out = static_cast<int>(value);
  return 1;
}

int XmlFields::boolean(const char* attribute, bool& out) const {
  static constexpr const char* kWords[] = {"false", "true", "0", "1"};
  int place = 0;
  if (choice(attribute, kWords, place) == 0) return 0;
  out = place % 2 == 1;
  return 1;
}

int XmlFields::choice(const char* attribute, std::span<const char* const> words, int& out) const {
  const std::string* value = find(attribute);
  if (value == nullptr) return 0;
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (*value == words[i]) {
      out = static_cast<int>(i);
      return 1;
    }
    all += (i == 0 ? "" : ", ") + std::string(words[i]);
  }
  fail(attribute, quoted(*value) + " is not known", "give one of " + all);
  return 0;
}

}  // namespace tribo
