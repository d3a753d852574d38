#include "io/mjcf/context.hpp"

#include <algorithm>

namespace tribo {

std::string MjcfContext::class_of(const XmlElement& element, const std::string& fallback) {
  const std::string* name = element.find("class");
  if (name == nullptr) return fallback.empty() ? scope(element).main_class : fallback;
  if (!defaults.has(*name)) {
    errors.set(Error{"there is no default class '" + *name + "'", element.where() + " attribute class",
                     suggest(*name, defaults.names(), "check the name")});
  }
  return *name;
}

XmlFields MjcfContext::fields(const XmlElement& element, const std::string& kind, const std::string& fallback) {
  std::vector<const XmlElement*> layers = defaults.layers(class_of(element, fallback), kind);
  layers.push_back(&element);
  return XmlFields(std::move(layers), errors);
}

void MjcfContext::declare(const std::string& kind, const XmlElement& element, const std::string& name, Index index) {
  if (name.empty()) return;
  if (!names[kind].insert({name, index}).second) {
    errors.set(Error{"a " + kind + " named '" + name + "' exists already", element.where(), "rename one of the two"});
  }
}

Index MjcfContext::look_up(const std::string& kind, const XmlFields& fields, const char* attribute) {
  const std::string* name = fields.element().find(attribute);
  if (name == nullptr) {
    fields.fail(attribute, "is missing", "name a " + kind);
    return -1;
  }
  const auto& known = names[kind];
  if (const auto found = known.find(*name); found != known.end()) return found->second;
  std::vector<std::string> all;
  for (const auto& entry : known) all.push_back(entry.first);
  std::sort(all.begin(), all.end());
  fields.fail(attribute, "there is no " + kind + " '" + *name + "'", suggest(*name, all, "check the name"));
  return -1;
}

void MjcfContext::note(const XmlFields& fields, const std::string& element,
                       std::initializer_list<const char*> attributes, bool physical, const std::string& meaning) {
  for (const char* attribute : attributes) {
    if (fields.has(attribute)) notices.add(element + "@" + attribute, physical, meaning);
  }
}

bool read_limited(MjcfContext& context, const XmlFields& fields, const char* limited, const char* range,
                  bool has_range) {
  static constexpr const char* kWords[] = {"false", "true", "auto"};
  int word = 2;
  fields.choice(limited, kWords, word);
  if (word != 2) return word == 1;
  if (has_range && !context.compiler(fields.element()).autolimits) {
    fields.fail(range, "is given without " + std::string(limited) + ", and autolimits is off",
                "set " + std::string(limited) + "=\"true\" or \"false\"");
  }
  return has_range;
}

void read_softness(const XmlFields& fields, const char* solref, std::array<double, 2>& ref, const char* solimp,
                   std::array<double, 5>& imp) {
  fields.numbers(solref, ref, 1);
  fields.numbers(solimp, imp, 1);
}

void read_colour(MjcfContext& context, const XmlFields& fields, const std::string& element,
                 std::array<double, 4>& rgba) {
  if (fields.numbers_or_blank("rgba", rgba)) context.notices.add(element + "@rgba", false, "is empty: not used");
}

void note_contact_numbers(MjcfContext& context, const std::string& element, double margin, double gap,
                          const std::array<double, 2>& solref) {
  if (gap > margin)
    context.notices.add(element + "@gap", true, "is larger than margin: forces act where shapes touch, not deeper");
  if (solref[0] < 0.0)
    context.notices.add(
        element + "@solref", true,
        "negative numbers (stiffness and damping) are not used: the contact is rigid and does not bounce");
}

}  // namespace tribo
