// <include file="…"/> is replaced by the children of the file's root element. Paths are relative to the folder of the main
// file, as in MuJoCo; what is not found there is looked for beside the file that includes it. No file is included twice.
#include <filesystem>
#include <set>

#include "io/mjcf/source.hpp"

namespace tribo {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxIncludes = 100;  // one in the other

class Includer {
 public:
  Includer(const std::string& main, std::vector<std::string>& files)
      : folder_(fs::path(main).parent_path()), files_(files) {
    seen_.insert(identify(main));
    files_.push_back(main);
  }

  Checked expand(XmlElement& element, int depth, int includes) {
    if (depth > kMaxXmlDepth) return fail_at(element, "elements are nested too deeply", "make the model flatter");
    bool any = false;
    for (const XmlElement& child : element.children) any = any || child.name == "include";
    if (any) {
      std::vector<XmlElement> children;
      for (XmlElement& child : element.children) {
        if (child.name != "include") {
          children.push_back(std::move(child));
          continue;
        }
        if (Checked done = insert(child, depth, includes, children); !done) return done;
      }
      element.children = std::move(children);
    }
    for (XmlElement& child : element.children) {
      if (Checked done = expand(child, depth + 1, includes); !done) return done;
    }
    return ok();
  }

 private:
  static std::string identify(const fs::path& path) {
    std::error_code code;
    const fs::path real = fs::weakly_canonical(path, code);
    return code ? path.lexically_normal().string() : real.string();
  }

  Checked insert(const XmlElement& include, int depth, int includes, std::vector<XmlElement>& out) {
    for (const XmlAttribute& attribute : include.attributes) {
      if (attribute.name != "file") {
        return fail_at(include, "<include> has no attribute '" + attribute.name + "'", "give file alone");
      }
    }
    const std::string* name = include.find("file");
    if (name == nullptr || name->empty()) return fail_at(include, "<include> names no file", "give file=\"…\"");
    if (!include.children.empty()) return fail_at(include, "<include> has elements", "leave it empty");
    if (includes >= kMaxIncludes) {
      return fail_at(include, "more than " + std::to_string(kMaxIncludes) + " includes one in the other",
                     "include the files from fewer levels");
    }
    std::error_code code;
    fs::path path = folder_ / *name;
    if (!fs::exists(path, code)) {
      const fs::path beside = fs::path(*include.file).parent_path() / *name;
      if (fs::exists(beside, code)) path = beside;
    }
    if (!seen_.insert(identify(path)).second) {
      return fail_at(include, "the file '" + *name + "' is included already", "include each file once");
    }
    Expected<XmlFile> file = read_xml(path.string());
    if (!file) return Unexpected<Error>{file.error().within(include.where())};
    files_.push_back(path.string());
    // Includes among the new children are met at the same depth.
    if (Checked done = expand(file->root, depth, includes + 1); !done) return done;
    for (XmlElement& child : file->root.children) out.push_back(std::move(child));
    return ok();
  }

  fs::path folder_;
  std::vector<std::string>& files_;
  std::set<std::string> seen_;
};

}  // namespace

Checked expand_includes(XmlElement& root, const std::string& path, std::vector<std::string>& files) {
  return Includer(path, files).expand(root, 0, 0);
}

}  // namespace tribo
