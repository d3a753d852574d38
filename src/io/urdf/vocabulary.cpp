#include "io/urdf/vocabulary.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace tribo {
namespace {

// Children and attributes that are read, by the element's path below <robot>. "name" is known everywhere.
struct Known {
  std::string_view path;
  std::vector<std::string_view> children, attributes;
};

const std::vector<Known>& known_elements() {
  static const std::vector<Known> table = {
      {"", {"link", "joint", "material", "mujoco"}, {"version", "encoding"}},
      {"link", {"inertial", "visual", "collision"}, {}},
      {"link/inertial", {"origin", "mass", "inertia"}, {}},
      {"link/inertial/mass", {}, {"value"}},
      {"link/inertial/inertia", {}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
      {"link/visual", {"origin", "geometry", "material"}, {}},
      {"link/collision", {"origin", "geometry"}, {}},
      {"geometry", {"box", "cylinder", "sphere", "capsule", "mesh"}, {}},
      {"geometry/box", {}, {"size"}},
      {"geometry/cylinder", {}, {"radius", "length"}},
      {"geometry/sphere", {}, {"radius"}},
      {"geometry/capsule", {}, {"radius", "length"}},
      {"geometry/mesh", {}, {"filename", "scale"}},
      {"material", {"color"}, {}},
      {"material/color", {}, {"rgba"}},
      {"origin", {}, {"xyz", "rpy"}},
      {"joint", {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"}, {"type"}},
      {"joint/parent", {}, {"link"}},
      {"joint/child", {}, {"link"}},
      {"joint/axis", {}, {"xyz"}},
      {"joint/limit", {}, {"lower", "upper", "effort", "velocity"}},
      {"joint/dynamics", {}, {"damping", "friction"}},
      {"joint/mimic", {}, {"joint", "multiplier", "offset"}},
      {"mujoco", {"compiler", "option"}, {}},
      {"mujoco/compiler",
       {},
       {"meshdir", "assetdir", "strippath", "discardvisual", "balanceinertia", "boundmass", "boundinertia", "angle"}},
      {"mujoco/option", {}, {"timestep", "gravity"}},
  };
  return table;
}

const Known* find_known(std::string_view path) {
  for (const Known& known : known_elements()) {
    if (known.path == path) return &known;
  }
  return nullptr;
}

// Parts of the format, or of its neighbours, that do not touch the motion.
struct Harmless {
  std::string_view name, meaning;
};
constexpr Harmless kHarmless[] = {
    {"transmission", "no actuator is made from it"},
    {"gazebo", "settings of another simulator"},
    {"sensor", "sensors are not simulated"},
    {"ros2_control", "settings of a controller"},
    {"safety_controller", "settings of a controller"},
    {"calibration", "settings of a controller"},
    {"hardwareInterface", "settings of a controller"},
    {"texture", "pictures are not drawn"},
    {"material", "colour of a shape that is not drawn"},
    {"verbose", "text for another program"},
    {"group", "names for a planner"},
    {"group_state", "names for a planner"},
    {"end_effector", "names for a planner"},
    {"frame", "a name for a place"},
    {"dont_collapse", "links behind fixed joints keep their bodies"},
    {"disable_collisions", "names for a planner"},
    {"self_collision_checking", "settings of another program"},
    {"collision_checking", "settings of another program"},
    {"size", "memory of another program"},
    {"fusestatic", "links behind fixed joints keep their bodies"},
    {"texturedir", "pictures are not drawn"},
    {"usethread", "settings of another program"},
    {"saveinertial", "settings of another program"},
};

const Harmless* find_harmless(std::string_view name) {
  for (const Harmless& harmless : kHarmless) {
    if (harmless.name == name) return &harmless;
  }
  return nullptr;
}

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool may_repeat(std::string_view name) {
  return name == "link" || name == "joint" || name == "material" || name == "visual" || name == "collision";
}

// Elements that look the same wherever they stand.
std::string table_path(const std::string& path, const std::string& name) {
  if (name == "origin" || name == "geometry" || name == "material") return name;
  return path.empty() ? name : path + "/" + name;
}

void notice_gazebo(const XmlElement& gazebo, NoticeList& notices) {
  for (const XmlElement& child : gazebo.children) {
    for (const char* word : {"mu1", "mu2", "kp", "kd", "maxVel", "minDepth", "fdir1", "turnGravityOff", "static"}) {
      if (child.name == word) notices.add("gazebo/" + child.name, true, "not taken over");
    }
  }
}

class Walk {
 public:
  explicit Walk(NoticeList& notices) : notices_(&notices) {}

  // `path`: in the table; `shown`: for the notices.
  Checked visit(const XmlElement& element, const std::string& path, const std::string& shown) {
    const Known* known = find_known(path);
    for (const XmlAttribute& attribute : element.attributes) {
      if (attribute.value.find("${") != std::string::npos || attribute.value.find("$(") != std::string::npos) {
        return fail_at(element,
                       "attribute " + attribute.name + " still holds a macro ('" + attribute.value.substr(0, 40) + "')",
                       "expand the file with xacro first");
      }
      notice_attribute(attribute.name, known, shown);
    }
    std::set<std::string> seen;
    for (const XmlElement& child : element.children) {
      if (child.name.starts_with("xacro:")) {
        return fail_at(child, "<" + child.name + "> is a macro, not URDF", "expand the file with xacro first");
      }
      const std::string name = shown.empty() ? child.name : shown + "/" + child.name;
      if (known != nullptr && contains(known->children, child.name)) {
        if (!may_repeat(child.name) && !seen.insert(child.name).second) {
          notices_->add(name, true, "given more than once: only the first is read");
          continue;
        }
        if (Checked checked = visit(child, table_path(path, child.name), name); !checked) return checked;
        continue;
      }
      const Harmless* harmless = find_harmless(child.name);
      notices_->add(name, harmless == nullptr,  // what we do not know may well be physics
                    harmless != nullptr ? std::string(harmless->meaning) : "not a part of URDF that Tribo reads");
      if (child.name == "gazebo") notice_gazebo(child, *notices_);
    }
    return ok();
  }

 private:
  void notice_attribute(const std::string& name, const Known* known, const std::string& shown) {
    if (name == "name" || name.starts_with("xmlns") || name.starts_with("xsi:")) return;
    if (known == nullptr || contains(known->attributes, name)) return;
    const Harmless* harmless = find_harmless(name);
    notices_->add((shown.empty() ? "robot" : shown) + "@" + name, harmless == nullptr,
                  harmless != nullptr ? std::string(harmless->meaning) : "not a part of URDF that Tribo reads");
  }

  NoticeList* notices_;
};

}  // namespace

Checked check_vocabulary(const XmlElement& robot, NoticeList& notices) { return Walk(notices).visit(robot, "", ""); }

}  // namespace tribo
