// Default classes: for an element, the layers it is read from, the outermost class first and the element itself last.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/mjcf/source.hpp"

namespace tribo {

class MjcfDefaults {
 public:
  // Keeps pointers into the source.
  Checked read(const MjcfSource& source);

  bool has(const std::string& name) const { return classes_.count(name) != 0; }
  std::vector<std::string> names() const;

  // Elements called `kind` ("geom") in the class and those around it, outermost first. `kind` empty: actuators of any kind.
  std::vector<const XmlElement*> layers(const std::string& name, const std::string& kind) const;

 private:
  struct Class {
    std::string parent;
    std::vector<const XmlElement*> elements;
  };
  Checked add(const XmlElement& element, const std::string& name, const std::string& parent, bool top);

  std::map<std::string, Class> classes_;
};

// general, motor, position, … : all share one set of defaults.
bool is_actuator(const std::string& tag);

}  // namespace tribo
