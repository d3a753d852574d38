// Shared by the tests of URDF: robots written in the test.
#pragma once

#include <string>

#include "io/urdf/urdf.hpp"

namespace tribo::testing {

inline Expected<ModelFile> parse_urdf(const std::string& inside, const LoadOptions& options = {}) {
  const Expected<XmlFile> file = parse_xml("<robot name=\"r\">\n" + inside + "</robot>", "robot.urdf");
  if (!file) return Unexpected<Error>{file.error()};
  return read_urdf(*file, options);
}

inline std::string inertial(const std::string& mass = "2") {
  return "<inertial><mass value=\"" + mass +
         "\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
}
inline std::string link(const std::string& name, const std::string& inside = inertial()) {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}
inline std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                         const std::string& child, const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}

}  // namespace tribo::testing
