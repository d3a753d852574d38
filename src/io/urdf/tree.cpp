// Links and joints by name, then the tree: bodies depth first, joints with them.
#include <algorithm>

#include "io/urdf/parts.hpp"

namespace tribo {
namespace {

Expected<std::size_t> find_link(const XmlElement& joint, const char* role,
                                const std::map<std::string, std::size_t>& links) {
  const XmlElement* element = joint.find_child(role);
  if (element == nullptr) {
    return fail_at(joint, std::string("<") + role + "> is missing", std::string("add <") + role + " link=\"…\"/>");
  }
  if (const Checked checked = require(*element, "link"); !checked) return Unexpected<Error>{checked.error()};
  const std::string& name = *element->find("link");
  if (const auto link = links.find(name); link != links.end()) return link->second;
  std::vector<std::string> names;
  for (const auto& [known, index] : links) names.push_back(known);
  const std::string near = suggest(name, names);
  return fail_at(*element, "there is no link '" + name + "'", near.empty() ? "name a link of this file" : near);
}

Expected<std::size_t> find_root(const UrdfReader& reader) {
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < reader.links.size(); ++i) {
    if (!reader.links[i].joint) roots.push_back(i);
  }
  if (roots.empty()) {
    return fail_at(*reader.links[0].element, "every link is the child of a joint: the joints run in a circle",
                   "let one link, the root, be nobody's child");
  }
  if (roots.size() > 1) {
    return fail_at(
        *reader.links[roots[1]].element,
        "two links without a parent: '" + reader.links[roots[0]].name + "' and '" + reader.links[roots[1]].name + "'",
        "join them with a joint (fixed, where they do not move)");
  }
  return roots[0];
}

// A free joint hangs on the world: a parent that does not move is passed through.
Checked place_floating(UrdfReader& reader, const UrdfJoint& joint, Body& body) {
  ModelDescription& d = reader.description;
  while (body.parent != 0) {
    const Index parent = body.parent;
    if (reader.body_joints[parent] && reader.joints[*reader.body_joints[parent]].type != UrdfJointType::kFixed) {
      return fail_at(*joint.element,
                     "a floating joint hangs on link '" + d.bodies[parent].name + "', which moves itself",
                     "let it hang on the root, or use six prismatic and revolute joints");
    }
    body.pose = d.bodies[parent].pose * body.pose;
    body.parent = d.bodies[parent].parent;
  }
  return ok();
}

Checked add_body(UrdfReader& reader, std::size_t link_index, Index parent, std::vector<Index>& body_of) {
  ModelDescription& d = reader.description;
  const UrdfLink& link = reader.links[link_index];
  if (link.name == "world") {
    if (link.joint) {
      return fail_at(*link.element, "a link named 'world' hangs on a joint", "rename it: the world does not move");
    }
    reader.body_elements[0] = link.element;
    body_of[link_index] = 0;
    return ok();
  }
  Body body;
  body.name = link.name;
  body.parent = parent;
  const auto index = static_cast<Index>(d.bodies.size());
  if (link.joint) {
    const UrdfJoint& joint = reader.joints[*link.joint];
    body.pose = joint.origin;
    if (joint.type == UrdfJointType::kFloating) {
      if (Checked checked = place_floating(reader, joint, body); !checked) return checked;
    }
    if (joint.type != UrdfJointType::kFixed) {
      Joint made = joint.joint;
      made.body = index;
      d.joints.push_back(std::move(made));
    }
  }
  d.bodies.push_back(std::move(body));
  reader.body_elements.push_back(link.element);
  reader.body_joints.push_back(link.joint);
  body_of[link_index] = index;
  return ok();
}

// Every chain of leaders must end. `leader`: by joint, −1: none.
Checked check_circles(const UrdfReader& reader, const std::vector<Index>& leader) {
  std::vector<std::size_t> seen(leader.size(), leader.size());  // in the walk that began at this joint
  for (std::size_t start = 0; start < leader.size(); ++start) {
    for (auto at = static_cast<Index>(start); at >= 0 && seen[at] != start; at = leader[at]) {
      if (seen[at] < start) break;  // known to end
      seen[at] = start;
      if (leader[at] >= 0 && seen[leader[at]] == start) {
        return fail_at(*reader.joints[start].element, "joints mimic each other in a circle", "let one of them lead");
      }
    }
  }
  return ok();
}

Checked add_mimics(UrdfReader& reader) {
  ModelDescription& d = reader.description;
  std::map<std::string, std::size_t> by_name;
  std::map<std::string, Index> made;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < reader.joints.size(); ++j) {
    by_name[reader.joints[j].joint.name] = j;
    names.push_back(reader.joints[j].joint.name);
  }
  for (std::size_t j = 0; j < d.joints.size(); ++j) made[d.joints[j].name] = static_cast<Index>(j);
  std::vector<Index> leaders(reader.joints.size(), -1);
  const auto is_scalar = [&](Index j) { return calc_nv(d.joints[j].type) == 1; };
  for (std::size_t j = 0; j < reader.joints.size(); ++j) {
    const UrdfJoint& joint = reader.joints[j];
    if (joint.mimic.empty()) continue;
    const auto leader = by_name.find(joint.mimic);
    if (leader == by_name.end()) {
      const std::string near = suggest(joint.mimic, names);
      return fail_at(*joint.element, "mimics joint '" + joint.mimic + "', which does not exist",
                     near.empty() ? "name a joint of this file" : near);
    }
    leaders[j] = static_cast<Index>(leader->second);
    Equality equality;
    equality.name = joint.joint.name;
    equality.type = EqualityType::kJoint;
    equality.a = made.at(joint.joint.name);
    equality.polynomial = {joint.offset, joint.multiplier, 0.0, 0.0, 0.0};
    if (const auto moving = made.find(joint.mimic); moving != made.end()) equality.b = moving->second;
    if (!is_scalar(equality.a) || (equality.b >= 0 && !is_scalar(equality.b))) {
      return fail_at(*joint.element, "mimic joins joints that do not have one coordinate each",
                     "use it between revolute, continuous and prismatic joints");
    }
    d.equalities.push_back(std::move(equality));
  }
  return check_circles(reader, leaders);
}

}  // namespace

Checked read_links_and_joints(UrdfReader& reader) {
  std::map<std::string, std::size_t> links, joints;
  for (const XmlElement& element : reader.file->root.children) {
    if (element.name != "link") continue;
    if (Checked checked = require(element, "name"); !checked) return checked;
    UrdfLink link;
    link.element = &element;
    link.name = *element.find("name");
    const auto [entry, is_new] = links.try_emplace(link.name, reader.links.size());
    if (!is_new) {
      return fail_at(element,
                     "a second link named '" + link.name + "' (the first is in line " +
                         std::to_string(reader.links[entry->second].element->line) + ")",
                     "give each link its own name");
    }
    reader.links.push_back(std::move(link));
  }
  if (reader.links.empty())
    return fail_at(reader.file->root, "the robot has no links", "add at least one <link name=\"…\"/>");
  for (const XmlElement& element : reader.file->root.children) {
    if (element.name != "joint") continue;
    Expected<UrdfJoint> joint = read_joint(element, reader);
    if (!joint) return Unexpected<Error>{joint.error()};
    const auto [entry, is_new] = joints.try_emplace(joint->joint.name, reader.joints.size());
    if (!is_new) {
      return fail_at(element,
                     "a second joint named '" + joint->joint.name + "' (the first is in line " +
                         std::to_string(reader.joints[entry->second].element->line) + ")",
                     "give each joint its own name");
    }
    const Expected<std::size_t> parent = find_link(element, "parent", links);
    if (!parent) return Unexpected<Error>{parent.error()};
    const Expected<std::size_t> child = find_link(element, "child", links);
    if (!child) return Unexpected<Error>{child.error()};
    joint->parent = *parent;
    joint->child = *child;
    UrdfLink& link = reader.links[*child];
    if (*parent == *child) return fail_at(element, "joins link '" + link.name + "' with itself", "name two links");
    if (link.joint) {
      return fail_at(element,
                     "link '" + link.name + "' already hangs on joint '" + reader.joints[*link.joint].joint.name + "'",
                     "URDF has no closed loops: remove one of the joints, or use MJCF with an equality");
    }
    link.joint = reader.joints.size();
    reader.links[*parent].children.push_back(reader.joints.size());
    reader.joints.push_back(std::move(*joint));
  }
  return ok();
}

Checked build_tree(UrdfReader& reader) {
  const Expected<std::size_t> root = find_root(reader);
  if (!root) return Unexpected<Error>{root.error()};
  reader.body_elements.assign(1, nullptr);
  reader.body_joints.assign(1, std::nullopt);
  std::vector<Index> body_of(reader.links.size(), -1);
  std::vector<std::size_t> open{*root};
  while (!open.empty()) {
    const std::size_t link = open.back();
    open.pop_back();
    const Index parent = reader.links[link].joint ? body_of[reader.joints[*reader.links[link].joint].parent] : 0;
    if (Checked checked = add_body(reader, link, parent, body_of); !checked) return checked;
    const std::vector<std::size_t>& children = reader.links[link].children;
    for (std::size_t k = children.size(); k-- > 0;) open.push_back(reader.joints[children[k]].child);
  }
  for (std::size_t i = 0; i < reader.links.size(); ++i) {
    if (body_of[i] < 0) {
      return fail_at(*reader.links[i].element,
                     "link '" + reader.links[i].name + "' is its own ancestor: the joints run in a circle",
                     "let every chain of parents end at the root '" + reader.links[*root].name + "'");
    }
  }
  return add_mimics(reader);
}

}  // namespace tribo
