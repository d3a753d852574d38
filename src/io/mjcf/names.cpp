#include "io/mjcf/names.hpp"

#include <array>
#include <filesystem>
#include <map>

namespace tribo {
namespace {

bool is_asset(const std::string& tag) {
  return tag == "mesh" || tag == "hfield" || tag == "texture" || tag == "material" || tag == "skin" || tag == "model";
}

}  // namespace

bool is_for_tribo(const XmlElement& element) {
  const std::string* name = element.find("name");
  return name != nullptr && name->starts_with("tribo.");
}

std::string declared_kind(const XmlElement& element, const std::string& parent) {
  if (parent == "equality" || parent == "actuator" || parent == "sensor" || parent == "tendon" || parent == "contact") {
    return parent;
  }
  if (parent == "custom" && is_for_tribo(element)) return "";
  if (parent == "asset" || parent == "custom" || parent == "keyframe") return element.name;
  if (element.name == "freejoint") return "joint";
  static const std::set<std::string> kinds{"body", "frame", "joint", "geom", "site", "camera", "light", "instance"};
  return kinds.count(element.name) != 0 ? element.name : "";
}

std::string reference_kind(const XmlElement& element, const std::string& attribute) {
  static const std::map<std::string, std::string> kinds{
      {"joint", "joint"},   {"joint1", "joint"},       {"joint2", "joint"},      {"jointinparent", "joint"},
      {"body", "body"},     {"body1", "body"},         {"body2", "body"},        {"target", "body"},
      {"subtree1", "body"}, {"subtree2", "body"},      {"geom", "geom"},         {"geom1", "geom"},
      {"geom2", "geom"},    {"site", "site"},          {"site1", "site"},        {"site2", "site"},
      {"refsite", "site"},  {"cranksite", "site"},     {"slidersite", "site"},   {"sidesite", "site"},
      {"tendon", "tendon"}, {"tendon1", "tendon"},     {"tendon2", "tendon"},    {"actuator", "actuator"},
      {"mesh", "mesh"},     {"hfield", "hfield"},      {"material", "material"}, {"texture", "texture"},
      {"class", "default"}, {"childclass", "default"}, {"camera", "camera"},     {"instance", "instance"}};
  if (attribute == "objname" || attribute == "refname") {
    const std::string* type = element.find(attribute == "objname" ? "objtype" : "reftype");
    if (type == nullptr) return "";
    return *type == "xbody" ? "body" : *type == "pair" || *type == "exclude" ? "contact" : *type;
  }
  const auto found = kinds.find(attribute);
  return found == kinds.end() ? "" : found->second;
}

void collect_names(const XmlElement& element, const std::string& parent, MjcfNames& names) {
  const std::string kind = declared_kind(element, parent);
  const std::string* name = element.find("name");
  if (!kind.empty() && name != nullptr && !name->empty()) names.insert({kind, *name});
  for (const XmlElement& child : element.children) collect_names(child, element.name, names);
}

bool refers_to(const XmlElement& element, const MjcfNames& names) {
  for (const XmlAttribute& attribute : element.attributes) {
    const std::string kind = reference_kind(element, attribute.name);
    if (!kind.empty() && names.count({kind, attribute.value}) != 0) return true;
  }
  for (const XmlElement& child : element.children) {
    if (refers_to(child, names)) return true;
  }
  return false;
}

bool refers_only_to(const XmlElement& element, const MjcfNames& names) {
  static const std::set<std::string> kinds{"body", "joint", "geom", "site", "tendon", "contact"};
  for (const XmlAttribute& attribute : element.attributes) {
    const std::string kind = reference_kind(element, attribute.name);
    if (kinds.count(kind) == 0 || (kind == "body" && attribute.value == "world")) continue;
    if (names.count({kind, attribute.value}) == 0) return false;
  }
  for (const XmlElement& child : element.children) {
    if (!refers_only_to(child, names)) return false;
  }
  return true;
}

void rename(XmlElement& element, const std::string& parent, const std::string& prefix, const std::string& suffix,
            const MjcfNames* only) {
  const std::string own = declared_kind(element, parent);
  if (only == nullptr && parent == "asset" && is_asset(element.name) && element.find("name") == nullptr) {
    const std::string* file = element.find("file");
    if (file != nullptr) element.attributes.push_back({"name", std::filesystem::path(*file).stem().string()});
  }
  for (XmlAttribute& attribute : element.attributes) {
    const std::string kind = attribute.name == "name" ? own : reference_kind(element, attribute.name);
    if (kind.empty() || attribute.value.empty() || (kind == "body" && attribute.value == "world")) continue;
    if (only == nullptr || only->count({kind, attribute.value}) != 0) {
      attribute.value = prefix + attribute.value + suffix;
    }
  }
  for (XmlElement& child : element.children) rename(child, element.name, prefix, suffix, only);
}

}  // namespace tribo
