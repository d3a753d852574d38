// XML as plain values: elements with their attributes, children, file and line. pugixml stays inside xml_file.cpp: what comes
// out is our own tree, so that includes and copies keep the place they came from.
//     Expected<XmlFile> file = read_xml("robot.xml");
//     file->root.name, file->root.children[0].find("mass")
// Refused: folders and devices, more than 256 MiB, NUL bytes (UTF-16), more than 2000 elements one in the other, two roots, an
// attribute given twice. Entities other than the five of XML are not expanded: there is nothing to explode.
#pragma once

#include "tribo/core/expected.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tribo {

inline constexpr int kMaxXmlDepth = 400;

struct XmlAttribute {
  std::string name, value;
};

struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;                         // between the tags, without the children
  std::shared_ptr<const std::string> file;  // the file it stands in
  int line = 0;
  int scope = 0;      // MJCF: which of the attached models it came with
  std::string label;  // "body[arm]/geom[3]": parent and itself, each by its name or its number among its siblings

  // The attribute's value, nullptr: it is not given.
  const std::string* find(const std::string& attribute) const;
  const XmlElement* find_child(const std::string& child) const;
  std::string where() const;  // "FILE:LINE: body[arm]/geom[3]"
};

struct XmlFile {
  std::string path;
  XmlElement root;
};
Expected<XmlFile> read_xml(const std::string& path);
// `path` is for messages.
Expected<XmlFile> parse_xml(const std::string& bytes, const std::string& path);

// Fails as `element` in an Error: what, "FILE:LINE: body[arm]/geom[3]", remedy.
Unexpected<Error> fail_at(const XmlElement& element, std::string what, std::string remedy);

}  // namespace tribo
