#include "io/mjcf/defaults.hpp"

#include <algorithm>
#include <set>

namespace tribo {

bool is_actuator(const std::string& tag) {
  static const std::set<std::string> tags{"general",     "motor",   "position", "velocity", "intvelocity",
                                          "orientation", "pid",     "damper",   "cylinder", "muscle",
                                          "adhesion",    "dcmotor", "plugin"};
  return tags.count(tag) != 0;
}

Checked MjcfDefaults::read(const MjcfSource& source) {
  for (const MjcfScope& scope : source.scopes) classes_.try_emplace(scope.main_class);
  for (const XmlElement& section : source.root.children) {
    if (section.name != "default") continue;
    const std::string& main = source.scopes[static_cast<std::size_t>(section.scope)].main_class;
    const std::string* name = section.find("class");
    // A second section at the top with a class of its own is a class inside the main one.
    const bool inner = name != nullptr && *name != main;
    if (Checked done = add(section, inner ? *name : main, inner ? main : "", !inner); !done) return done;
  }
  return ok();
}

Checked MjcfDefaults::add(const XmlElement& element, const std::string& name, const std::string& parent, bool top) {
  const auto [at, fresh] = classes_.try_emplace(name);
  if (!fresh && !top) {
    return fail_at(element, "the default class '" + name + "' is given twice", "merge the two or rename one");
  }
  if (fresh) at->second.parent = parent;
  for (const XmlElement& child : element.children) {
    if (child.name != "default") at->second.elements.push_back(&child);
  }
  for (const XmlElement& child : element.children) {
    if (child.name != "default") continue;
    const std::string* inner = child.find("class");
    if (inner == nullptr || inner->empty()) {
      return fail_at(child, "a default class inside another has no name", "give class=\"…\"");
    }
    if (Checked done = add(child, *inner, name, false); !done) return done;
  }
  return ok();
}

std::vector<std::string> MjcfDefaults::names() const {
  std::vector<std::string> all;
  for (const auto& entry : classes_) all.push_back(entry.first);
  return all;
}

std::vector<const XmlElement*> MjcfDefaults::layers(const std::string& name, const std::string& kind) const {
  std::vector<const XmlElement*> found;
  for (auto at = classes_.find(name); at != classes_.end(); at = classes_.find(at->second.parent)) {
    const std::vector<const XmlElement*>& own = at->second.elements;
    for (auto element = own.rbegin(); element != own.rend(); ++element) {
      if (kind.empty() ? is_actuator((*element)->name) : (*element)->name == kind) found.push_back(*element);
    }
    if (at->second.parent.empty()) break;
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace tribo
