// <asset><model/></asset> and <attach/>: another file's model, or one body or frame of it, put in place with a prefix on all
// its names. Its default classes, assets, contacts, equalities, tendons, actuators and sensors, and what its tuples for Tribo say
// (custom.cpp), come along as far as they speak of what was attached; its options, statistics, pictures and keyframes do not.
#include "io/mjcf/source.hpp"

#include <filesystem>
#include <map>

#include "io/mjcf/names.hpp"

namespace tribo {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxModels = 20;  // one attached in the other

bool comes_along(const std::string& section) {
  return section == "contact" || section == "equality" || section == "tendon" || section == "actuator" ||
         section == "sensor";
}

void set_scope(XmlElement& element, int scope) {
  element.scope = scope;
  for (XmlElement& child : element.children) set_scope(child, scope);
}

const XmlElement* find_named(const XmlElement& element, const std::string& tag, const std::string& name) {
  for (const XmlElement& child : element.children) {
    const std::string* own = child.find("name");
    if (child.name == tag && own != nullptr && *own == name) return &child;
    if (child.name != "body" && child.name != "frame") continue;
    if (const XmlElement* found = find_named(child, tag, name)) return found;
  }
  return nullptr;
}

class Attacher {
 public:
  explicit Attacher(MjcfSource& source) : source_(source) {}

  // Reads the rest of a file into `root`: includes, scope, attached models, replicas.
  Checked complete(XmlElement& root, const std::string& path, int depth) {
    if (Checked done = expand_includes(root, path, source_.files); !done) return done;
    const int scope = static_cast<int>(source_.scopes.size());
    source_.scopes.push_back({{}, fs::path(path).parent_path().string(), "main"});
    set_scope(root, scope);
    XmlErrors errors;
    for (const XmlElement& section : root.children) {
      if (section.name == "compiler") read_compiler(section, source_.scopes.back().compiler, errors);
    }
    // The first section of defaults may give the main class another name.
    if (const XmlElement* section = root.find_child("default")) {
      if (const std::string* name = section->find("class")) source_.scopes.back().main_class = *name;
    }
    if (errors.failed()) return errors.take();
    if (Checked done = attach_all(root, depth); !done) return done;
    return expand_replicas(root, source_.scopes);
  }

 private:
  struct Part {
    std::map<std::string, XmlElement> models;
    std::vector<XmlElement> sections;  // of attached models, to be added to the root
    XmlElement* root = nullptr;
    Index elements = 0;
  };

  Checked attach_all(XmlElement& root, int depth) {
    Part part;
    part.root = &root;
    part.elements = count_elements(root);
    for (const XmlElement& section : root.children) {
      if (section.name != "asset") continue;
      for (const XmlElement& item : section.children) {
        if (item.name != "model") continue;
        if (Checked done = read_child(item, depth, part.models); !done) return done;
      }
    }
    for (XmlElement& section : root.children) {
      if (section.name != "worldbody") continue;
      if (Checked done = attach_in(section, part); !done) return done;
    }
    for (XmlElement& section : part.sections) root.children.push_back(std::move(section));
    return ok();
  }

  Checked read_child(const XmlElement& item, int depth, std::map<std::string, XmlElement>& models) {
    const std::string* file = item.find("file");
    if (file == nullptr) return fail_at(item, "<model> names no file", "give file=\"…\"");
    if (depth >= kMaxModels) {
      return fail_at(item, "more than " + std::to_string(kMaxModels) + " models attached one in the other",
                     "does the model attach itself?");
    }
    const fs::path path = fs::path(source_.scopes[static_cast<std::size_t>(item.scope)].folder) / *file;
    Expected<XmlFile> child = read_xml(path.string());
    if (!child) return Unexpected<Error>{child.error().within(item.where())};
    if (child->root.name != "mujoco") {
      return fail_at(item, "'" + *file + "' is not an MJCF model but <" + child->root.name + ">", "attach MJCF files");
    }
    if (Checked done = complete(child->root, path.string(), depth + 1); !done) return done;
    const std::string* own = child->root.find("model");
    const std::string* given = item.find("name");
    const std::string name = given != nullptr ? *given : own != nullptr ? *own : "MuJoCo Model";
    models[name] = std::move(child->root);
    return ok();
  }

  Checked attach_in(XmlElement& element, Part& part) {
    std::vector<XmlElement> children;
    bool any = false;
    for (const XmlElement& child : element.children) any = any || child.name == "attach";
    if (any) {
      for (XmlElement& child : element.children) {
        if (child.name != "attach") {
          children.push_back(std::move(child));
        } else if (Checked done = attach(child, part, children); !done) {
          return done;
        }
      }
      element.children = std::move(children);
    }
    for (XmlElement& child : element.children) {
      if (child.scope != element.scope) continue;  // attached just now: its own are done
      if (Checked done = attach_in(child, part); !done) return done;
    }
    return ok();
  }

  Checked attach(const XmlElement& place, Part& part, std::vector<XmlElement>& out) {
    const std::string *model = place.find("model"), *body = place.find("body"), *frame = place.find("frame");
    const std::string* prefix = place.find("prefix");
    if (prefix == nullptr) return fail_at(place, "<attach> has no prefix", "give prefix=\"…\"");
    if (body != nullptr && frame != nullptr) return fail_at(place, "<attach> names a body and a frame", "keep one");
    if (model == nullptr) {
      return fail_at(place, "a model attached to itself is not supported", "write the body twice or use <replicate>");
    }
    const auto found = part.models.find(*model);
    if (found == part.models.end()) {
      std::vector<std::string> known;
      for (const auto& entry : part.models) known.push_back(entry.first);
      return fail_at(place, "there is no model '" + *model + "' among the assets",
                     suggest(*model, known, "check the name"));
    }
    XmlElement child = found->second;
    part.elements += count_elements(child);
    if (part.elements > kMaxElements) {
      return fail_at(place, "the attached models make more than two million elements", "attach fewer");
    }
    const std::size_t first = out.size();
    if (body != nullptr || frame != nullptr) {
      const std::string tag = body != nullptr ? "body" : "frame", name = body != nullptr ? *body : *frame;
      const XmlElement* source = nullptr;
      for (const XmlElement& section : child.children) {
        if (section.name == "worldbody" && source == nullptr) source = find_named(section, tag, name);
      }
      if (source == nullptr) {
        return fail_at(place, "the model '" + *model + "' has no " + tag + " '" + name + "'", "check the name");
      }
      out.push_back(*source);
    } else {
      for (const XmlElement& section : child.children) {
        if (section.name == "worldbody") out.insert(out.end(), section.children.begin(), section.children.end());
      }
    }
    MjcfNames names;
    for (std::size_t i = first; i < out.size(); ++i) collect_names(out[i], "body", names);
    keep_what_belongs(child, names);
    // Attached parts get scopes of their own: the same file under another prefix has other classes.
    std::map<int, int> scopes;
    for (std::size_t i = first; i < out.size(); ++i) settle(out[i], "body", *prefix, scopes);
    for (XmlElement& section : kept_) {
      settle(section, "mujoco", *prefix, scopes);
      part.sections.push_back(std::move(section));
    }
    kept_.clear();
    return ok();
  }

  void keep_what_belongs(XmlElement& child, MjcfNames& names) {
    for (XmlElement& section : child.children) {
      if (section.name == "default" || section.name == "asset") {
        kept_.push_back(std::move(section));
      } else if (section.name == "keyframe") {
        source_.left_out_keyframes += static_cast<Index>(section.children.size());
      }
    }
    // Tendons first: actuators and equalities may refer to them.
    for (const bool tendons : {true, false}) {
      for (XmlElement& section : child.children) {
        if (!comes_along(section.name) || (section.name == "tendon") != tendons) continue;
        std::vector<XmlElement> items;
        for (XmlElement& item : section.children) {
          if (!refers_only_to(item, names)) continue;
          collect_names(item, section.name, names);
          items.push_back(std::move(item));
        }
        section.children = std::move(items);
        kept_.push_back(std::move(section));
      }
    }
    keep_tuples(child, names);
  }

  void keep_tuples(XmlElement& child, const MjcfNames& names) {
    for (XmlElement& section : child.children) {
      if (section.name != "custom") continue;
      std::erase_if(section.children, [](const XmlElement& item) { return !is_for_tribo(item); });
      for (XmlElement& tuple : section.children)
        std::erase_if(tuple.children, [&](const XmlElement& item) { return !refers_only_to(item, names); });
      kept_.push_back(std::move(section));
    }
  }

  void settle(XmlElement& element, const std::string& parent, const std::string& prefix, std::map<int, int>& scopes) {
    rename(element, parent, prefix, "", nullptr);
    move_scopes(element, prefix, scopes);
  }

  void move_scopes(XmlElement& element, const std::string& prefix, std::map<int, int>& scopes) {
    const auto [at, fresh] = scopes.insert({element.scope, static_cast<int>(source_.scopes.size())});
    if (fresh) {
      MjcfScope scope = source_.scopes[static_cast<std::size_t>(element.scope)];
      scope.main_class = prefix + scope.main_class;
      source_.scopes.push_back(std::move(scope));
    }
    element.scope = at->second;
    for (XmlElement& child : element.children) move_scopes(child, prefix, scopes);
  }

  MjcfSource& source_;
  std::vector<XmlElement> kept_;
};

}  // namespace

Expected<MjcfSource> read_mjcf_source(const XmlFile& file) {
  MjcfSource source;
  source.root = file.root;
  if (Checked done = Attacher(source).complete(source.root, file.path, 0); !done)
    return Unexpected<Error>{done.error()};
  return source;
}

}  // namespace tribo
