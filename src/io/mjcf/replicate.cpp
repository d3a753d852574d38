// <replicate count offset euler sep>: count frames, each one step further, with a number behind every name. What refers to a
// replicated element (contacts, equalities, tendons, actuators, sensors, elements of tuples) is written once per replica as well.
#include <array>
#include <charconv>

#include "io/mjcf/names.hpp"
#include "io/mjcf/source.hpp"

namespace tribo {
namespace {

std::string to_text(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    if (!text.empty()) text.push_back(' ');
    text.append(buffer.data(), end);
  }
  return text;
}

std::string make_suffix(const std::string& separator, int count, int i) {
  const std::string digits = std::to_string(i);
  return separator + std::string(std::to_string(count).size() - digits.size(), '0') + digits;
}

class Replicator {
 public:
  Replicator(XmlElement& root, const std::vector<MjcfScope>& scopes)
      : root_(root), scopes_(scopes), elements_(count_elements(root)) {}

  Checked run() {
    for (XmlElement& section : root_.children) {
      if (section.name != "worldbody") continue;
      if (Checked done = expand(section); !done) return done;
    }
    return ok();
  }

 private:
  Checked expand(XmlElement& element) {
    bool any = false;
    for (XmlElement& child : element.children) {
      if (Checked done = expand(child); !done) return done;  // inner ones first
      any = any || child.name == "replicate";
    }
    if (!any) return ok();
    std::vector<XmlElement> children;
    for (XmlElement& child : element.children) {
      if (child.name != "replicate") {
        children.push_back(std::move(child));
      } else if (Checked done = replicate(child, children); !done) {
        return done;
      }
    }
    element.children = std::move(children);
    return ok();
  }

  Checked replicate(const XmlElement& element, std::vector<XmlElement>& out) {
    XmlErrors errors;
    const XmlFields fields(element, errors);
    int count = 0;
    Vector3d offset = Vector3d::Zero(), euler = Vector3d::Zero();
    std::string separator;
    if (fields.integer("count", count) == 0) fields.fail("count", "is missing", "say how many replicas");
    if (count < 0) fields.fail("count", "is negative", "give a count >= 0");
    fields.vector("offset", offset);
    fields.vector("euler", euler);
    fields.text("sep", separator);
    for (const XmlElement& child : element.children) {
      if (child.name == "joint" || child.name == "freejoint" || child.name == "inertial") {
        fields.fail("", "<" + child.name + "> cannot be replicated", "put it into a body inside <replicate>");
      }
    }
    if (errors.failed()) return errors.take();
    elements_ += static_cast<Index>(count) * count_elements(element);
    if (elements_ > kMaxElements) {
      return fail_at(element, "the replicas make more than two million elements", "lower count");
    }
    const MjcfCompiler& compiler = scopes_[static_cast<std::size_t>(element.scope)].compiler;
    MjcfNames names;
    for (const XmlElement& child : element.children) collect_names(child, "body", names);
    Vector3d p = Vector3d::Zero();
    for (int i = 0; i < count; ++i) {
      const Quaterniond q = from_euler(compiler, i * euler);
      XmlElement frame = element;
      frame.name = "frame";
      frame.attributes = {{"pos", to_text({p.x(), p.y(), p.z()})}, {"quat", to_text({q.w(), q.x(), q.y(), q.z()})}};
      if (const std::string* childclass = element.find("childclass"))
        frame.attributes.push_back({"childclass", *childclass});
      rename(frame, "", "", make_suffix(separator, count, i), &names);
      out.push_back(std::move(frame));
      p += q * offset;
    }
    return replicate_references(element, names, count, separator);
  }

  Checked replicate_references(const XmlElement& cause, const MjcfNames& names, int count,
                               const std::string& separator) {
    for (XmlElement& section : root_.children) {
      if (section.name == "contact" || section.name == "equality" || section.name == "tendon" ||
          section.name == "actuator" || section.name == "sensor") {
        if (Checked done = replicate_items(section, cause, names, count, separator); !done) return done;
      } else if (section.name == "custom") {
        for (XmlElement& tuple : section.children) {
          if (Checked done = replicate_items(tuple, cause, names, count, separator); !done) return done;
        }
      }
    }
    return ok();
  }

  // Children of `section` that refer to the names.
  Checked replicate_items(XmlElement& section, const XmlElement& cause, const MjcfNames& names, int count,
                          const std::string& separator) {
    std::vector<XmlElement> items, referring;
    for (XmlElement& item : section.children) (refers_to(item, names) ? referring : items).push_back(std::move(item));
    MjcfNames all = names;
    for (const XmlElement& item : referring) {
      collect_names(item, section.name, all);
      elements_ += static_cast<Index>(count) * count_elements(item);
    }
    if (elements_ > kMaxElements) {
      return fail_at(cause, "the replicas make more than two million elements", "lower count");
    }
    // Replica by replica, behind the others: the order in which MuJoCo counts them.
    for (int i = 0; i < count; ++i) {
      for (const XmlElement& item : referring) {
        items.push_back(item);
        rename(items.back(), section.name, "", make_suffix(separator, count, i), &all);
      }
    }
    section.children = std::move(items);
    return ok();
  }

  XmlElement& root_;
  const std::vector<MjcfScope>& scopes_;
  Index elements_;
};

}  // namespace

Index count_elements(const XmlElement& element) {
  Index count = 1;
  for (const XmlElement& child : element.children) count += count_elements(child);
  return count;
}

Checked expand_replicas(XmlElement& root, const std::vector<MjcfScope>& scopes) {
  return Replicator(root, scopes).run();
}

}  // namespace tribo
