#include "io/mjcf/schema.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "io/mjcf/schema_words.hpp"
#include "io/xml_fields.hpp"

namespace tribo {
namespace {

struct Row {
  std::vector<std::string> attributes;
  std::map<std::string, std::string> children;  // tag, row
};
using Rows = std::map<std::string, Row>;

Rows parse_rows() {
  Rows rows;
  // A line that starts with a blank goes on with the one before.
  std::string words = kMjcfWords;
  for (std::size_t at = words.find("\n "); at != std::string::npos; at = words.find("\n ", at)) words[at] = ' ';
  std::istringstream lines(words);
  std::string line, word;
  while (std::getline(lines, line)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream head(line.substr(0, colon)), tail(line.substr(colon + 1));
    std::string key, base;
    head >> key >> word >> base;
    Row row;
    if (!base.empty()) row = rows[base];
    bool children = false;
    while (tail >> word) {
      if (word == "|") {
        children = true;
      } else if (!children) {
        row.attributes.push_back(word);
      } else {
        const std::size_t equals = word.find('=');
        row.children[word.substr(0, equals)] = equals == std::string::npos ? word : word.substr(equals + 1);
      }
    }
    rows[key] = std::move(row);
  }
  // The tendon defaults stand before the row they take over.
  rows["default_tendon"].attributes = rows["spatial"].attributes;
  return rows;
}

Checked check(const Rows& rows, const Row& row, const XmlElement& element) {
  for (const XmlAttribute& attribute : element.attributes) {
    if (std::find(row.attributes.begin(), row.attributes.end(), attribute.name) != row.attributes.end()) continue;
    if (attribute.name.rfind("xmlns", 0) == 0 || attribute.name.find(':') != std::string::npos) continue;
    return fail_at(element, "<" + element.name + "> has no attribute '" + attribute.name + "' in MJCF",
                   suggest(attribute.name, row.attributes, "remove it"));
  }
  for (const XmlElement& child : element.children) {
    const auto found = row.children.find(child.name);
    if (found == row.children.end()) {
      std::vector<std::string> known;
      for (const auto& entry : row.children) known.push_back(entry.first);
      return fail_at(child, "<" + element.name + "> has no element '" + child.name + "' in MJCF",
                     suggest(child.name, known, "remove it"));
    }
    if (Checked done = check(rows, rows.at(found->second), child); !done) return done;
  }
  return ok();
}

}  // namespace

Checked check_mjcf_words(const XmlElement& root) {
  static const Rows rows = parse_rows();
  return check(rows, rows.at("mujoco"), root);
}

}  // namespace tribo
