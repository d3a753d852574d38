// Attributes as numbers, words and names. Many are read in a row, so the first error is kept and the rest goes on:
//     XmlErrors errors;
//     XmlFields fields(element, errors);
//     fields.number("mass", mass);            // untouched where the attribute is absent
//     fields.vector("pos", p);
//     if (errors.failed()) return errors.take();
// Numbers must be finite. Errors read "FILE:LINE: body[arm]/geom[3] attribute size: …".
#pragma once

#include "tribo/linalg/types.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/xml_file.hpp"

namespace tribo {

class XmlErrors {
 public:
  bool failed() const { return first_.has_value(); }
  void set(Error error) {
    if (!first_) first_ = std::move(error);
  }
  Unexpected<Error> take() const { return Unexpected<Error>{*first_}; }

 private:
  std::optional<Error> first_;
};

// One element, or several laid over each other (defaults first): a later layer overwrites as many numbers as it gives.
class XmlFields {
 public:
  XmlFields(const XmlElement& element, XmlErrors& errors) : layers_{&element}, errors_(&errors) {}
  XmlFields(std::vector<const XmlElement*> layers, XmlErrors& errors) : layers_(std::move(layers)), errors_(&errors) {}

  const XmlElement& element() const { return *layers_.back(); }
  bool has(const char* attribute) const;
  // The value of the last layer that gives it, nullptr: none does.
  const std::string* find(const char* attribute) const;

  // All return how many values the last layer gave, 0 where the attribute is absent or wrong.
  int text(const char* attribute, std::string& out) const;
  int number(const char* attribute, double& out) const;
  int integer(const char* attribute, int& out) const;
  int boolean(const char* attribute, bool& out) const;  // true, false, 1, 0
  int vector(const char* attribute, Vector3d& out) const;
  // At least `least` and at most out.size() numbers; those that are not given stay.
  int numbers(const char* attribute, std::span<double> out, int least) const;
  int numbers(const char* attribute, std::span<double> out) const {
    return numbers(attribute, out, static_cast<int>(out.size()));
  }
  // All or none of the numbers. Layers that leave the attribute blank are passed over; true: there was one.
  bool numbers_or_blank(const char* attribute, std::span<double> out) const;
  int list(const char* attribute, std::vector<double>& out) const;  // any count
  // The place of the value in `words`.
  int choice(const char* attribute, std::span<const char* const> words, int& out) const;

  // Reports an attribute, or with "" the element.
  void fail(const std::string& attribute, std::string what, std::string remedy) const;

 private:
  void fail_in(const XmlElement& layer, const std::string& attribute, std::string what, std::string remedy) const;

  std::vector<const XmlElement*> layers_;
  XmlErrors* errors_;
};

// Numbers separated by white space; the error is the reason alone ("'1.o' is not a number").
Expected<std::vector<double>, std::string> parse_numbers(const std::string& text);

// "did you mean 'range'?" for a misspelt word; `otherwise` where nothing is near.
std::string suggest(const std::string& word, const std::vector<std::string>& known, const std::string& otherwise = "");

}  // namespace tribo
