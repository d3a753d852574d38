#include "io/xml_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>

#include "io/file_bytes.hpp"
#include <pugixml.hpp>

namespace tribo {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
constexpr std::size_t kMaxAttributes = 500;

// Offsets of the newlines, to turn an offset into a line.
class Lines {
 public:
  explicit Lines(const std::string& bytes) {
    for (std::size_t i = bytes.find('\n'); i != std::string::npos; i = bytes.find('\n', i + 1)) ends_.push_back(i);
  }
  int line(std::ptrdiff_t offset) const {
    if (offset < 0) return 0;
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), static_cast<std::size_t>(offset));
    return static_cast<int>(end - ends_.begin()) + 1;
  }

 private:
  std::vector<std::size_t> ends_;
};

std::string at_line(const std::string& path, int line) { return path + ":" + std::to_string(line); }

class Converter {
 public:
  Converter(const std::string& bytes, const std::string& path)
      : lines_(bytes), file_(std::make_shared<const std::string>(path)) {}

  Checked convert(const pugi::xml_node& node, const std::string& parent, int number, int depth, XmlElement& out) {
    out.name = node.name();
    out.file = file_;
    out.line = lines_.line(node.offset_debug());
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      if (out.attributes.size() >= kMaxAttributes)
        return fail("the element has more than " + std::to_string(kMaxAttributes) + " attributes",
                    at_line(*file_, out.line), "no element of MJCF or URDF needs so many");
      if (out.find(attribute.name()) != nullptr) {
        return fail("attribute '" + std::string(attribute.name()) + "' is given twice", at_line(*file_, out.line),
                    "keep one of them");
      }
      out.attributes.push_back({attribute.name(), attribute.value()});
    }
    const std::string* name = out.find("name");
    const std::string own = out.name + "[" + (name != nullptr && !name->empty() ? *name : std::to_string(number)) + "]";
    out.label = parent.empty() ? own : parent + "/" + own;
    if (depth > kMaxXmlDepth) {
      return fail("more than " + std::to_string(kMaxXmlDepth) + " elements one in the other", at_line(*file_, out.line),
                  "make the file flatter");
    }
    return convert_children(node, own, depth, out);
  }

 private:
  Checked convert_children(const pugi::xml_node& node, const std::string& own, int depth, XmlElement& out) {
    std::map<std::string, int> numbers;
    std::size_t count = 0;
    for (const pugi::xml_node& child : node.children()) count += child.type() == pugi::node_element ? 1 : 0;
    out.children.reserve(count);
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) {
        out.children.emplace_back();
        const int number = numbers[child.name()]++;
        if (Checked done = convert(child, depth == 0 ? "" : own, number, depth + 1, out.children.back()); !done) {
          return done;
        }
      } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        out.text += child.value();
      }
    }
    return ok();
  }

  Lines lines_;
  std::shared_ptr<const std::string> file_;
};

}  // namespace

const std::string* XmlElement::find(const std::string& attribute) const {
  for (const XmlAttribute& candidate : attributes) {
    if (candidate.name == attribute) return &candidate.value;
  }
  return nullptr;
}

const XmlElement* XmlElement::find_child(const std::string& child) const {
  for (const XmlElement& candidate : children) {
    if (candidate.name == child) return &candidate;
  }
  return nullptr;
}

std::string XmlElement::where() const { return at_line(file ? *file : "", line) + ": " + label; }

Unexpected<Error> fail_at(const XmlElement& element, std::string what, std::string remedy) {
  return fail(std::move(what), element.where(), std::move(remedy));
}

Expected<XmlFile> parse_xml(const std::string& bytes, const std::string& path) {
  if (bytes.find("<!ENTITY") != std::string::npos)
    return fail("the file declares entities, which are not expanded", path, "write their text where they are used");
  if (bytes.size() > kMaxBytes) return fail("the XML file is larger than 256 MiB", path, "split it by includes");
  if (bytes.find('\0') != std::string::npos) {
    return fail("the file has NUL bytes: it is not UTF-8 text", path, "save it as UTF-8");
  }
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(
      bytes.data(), bytes.size(), pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
  if (!result) {
    return fail(std::string("is not XML: ") + result.description(), at_line(path, Lines(bytes).line(result.offset)),
                "check the tags and quotes there");
  }
  pugi::xml_node root;
  for (const pugi::xml_node& node : document.children()) {
    if (node.type() != pugi::node_element) continue;
    if (root) {
      return fail("has a second root element '" + std::string(node.name()) + "'",
                  at_line(path, Lines(bytes).line(node.offset_debug())), "keep one element around all others");
    }
    root = node;
  }
  if (!root) return fail("has no element", path, "give an MJCF or URDF file");
  XmlFile file{path, {}};
  Converter converter(bytes, path);
  if (Checked done = converter.convert(root, "", 0, 0, file.root); !done) return Unexpected<Error>{done.error()};
  file.root.label = file.root.name;
  return file;
}

Expected<XmlFile> read_xml(const std::string& path) {
  Expected<std::string> bytes = read_bytes(path);
  if (!bytes) return Unexpected<Error>{bytes.error()};
  return parse_xml(*bytes, path);
}

}  // namespace tribo
