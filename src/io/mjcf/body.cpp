// The tree of bodies. Elements of a body come before its children's, whatever the order in the file: joints, geoms and sites
// are numbered by body.
#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

// What hangs on one body, through all frames.
struct Contents {
  std::vector<MjcfItem> items, bodies;
};

class WorldReader {
 public:
  explicit WorldReader(MjcfContext& context) : context_(context) {}

  void run() {
    elements_.push_back(nullptr);
    context_.names["body"]["world"] = 0;
    Contents contents;
    for (const XmlElement& section : context_.source.root.children) {
      if (section.name == "worldbody") gather(section, Pose{}, context_.scope(section).main_class, contents);
    }
    read_contents(nullptr, contents, 0);
    if (!context_.errors.failed()) check_masses(context_, elements_);
  }

 private:
  // An attached model starts from its own main class.
  std::string class_in(const XmlElement& parent, const XmlElement& child, const std::string& inherited) {
    return child.scope == parent.scope ? inherited : context_.scope(child).main_class;
  }

  std::string child_class(const XmlElement& element, const std::string& inherited) {
    const std::string* name = element.find("childclass");
    if (name == nullptr) return inherited;
    if (!context_.defaults.has(*name)) {
      context_.errors.set(Error{"there is no default class '" + *name + "'", element.where() + " attribute childclass",
                                suggest(*name, context_.defaults.names(), "check the name")});
    }
    return *name;
  }

  void gather(const XmlElement& parent, const Pose& frame, const std::string& inherited, Contents& contents) {
    for (const XmlElement& child : parent.children) {
      if (context_.errors.failed()) return;
      const std::string childclass = class_in(parent, child, inherited);
      if (child.name == "frame") {
        const XmlFields fields(child, context_.errors);
        if (const std::string* name = child.find("name")) context_.declare("frame", child, *name, 0);
        gather(child, frame * read_pose(fields, context_.compiler(child)), child_class(child, childclass), contents);
      } else if (child.name == "body") {
        contents.bodies.push_back({&child, frame, childclass});
      } else {
        contents.items.push_back({&child, frame, childclass});
      }
    }
  }

  void read_body(const MjcfItem& item, Index parent) {
    const XmlElement& element = *item.element;
    const XmlFields fields(element, context_.errors);
    const Index index = static_cast<Index>(context_.model.bodies.size());
    {
      Body body;
      body.parent = parent;
      fields.text("name", body.name);
      context_.declare("body", element, body.name, index);
      body.pose = item.frame * read_pose(fields, context_.compiler(element));
      fields.boolean("mocap", body.kinematic);
      fields.number("gravcomp", body.gravity_compensation);
      if (body.kinematic && parent != 0) fields.fail("mocap", "the body is not a child of the world", "move it up");
      context_.model.bodies.push_back(std::move(body));
    }
    elements_.push_back(&element);
    Contents contents;
    gather(element, Pose{}, child_class(element, item.childclass), contents);
    read_contents(&element, contents, index);
  }

  void read_contents(const XmlElement* element, const Contents& contents, Index body) {
    read_items(element, contents.items, body, contents.bodies.empty());
    for (const MjcfItem& child : contents.bodies) {
      if (context_.errors.failed()) return;
      read_body(child, body);
    }
  }

  void read_items(const XmlElement* element, const std::vector<MjcfItem>& items, Index body, bool leaf) {
    const std::size_t first_joint = context_.model.joints.size(), first_geom = context_.model.geoms.size();
    const MjcfItem* inertial = nullptr;
    for (const MjcfItem& item : items) {
      if (item.element->name == "inertial") inertial = &item;
    }
    const bool weighs = element != nullptr && from_geoms(context_.compiler(*element), inertial != nullptr);
    for (const MjcfItem& item : items) {
      if (context_.errors.failed()) return;
      const std::string& tag = item.element->name;
      if ((tag == "joint" || tag == "freejoint" || tag == "inertial") && body == 0) {
        context_.errors.set(Error{"the world has no " + tag, item.element->where(), "put it into a body"});
      } else if (tag == "joint" || tag == "freejoint") {
        read_joint(context_, item, body);
      } else if (tag == "geom") {
        read_geom(context_, item, body, weighs);
      } else if (tag == "site") {
        read_site(context_, item, body);
      } else if (tag == "camera" || tag == "light") {
        context_.notices.add(tag, false, "for pictures");
      } else if (tag == "plugin") {
        context_.notices.add("body/plugin", true, "plugins are not loaded");
      } else if (tag == "composite" || tag == "flexcomp") {
        context_.notices.add("body/" + tag, true, "its bodies are left out");
        context_.bodies_left_out = true;
      }
    }
    if (context_.errors.failed() || element == nullptr) return;
    check_joints(*element, first_joint, body);
    read_inertia(context_, *element, inertial, body, first_geom);
    if (leaf) align_free_body(*element, body, first_joint, first_geom, items);
  }

  void check_joints(const XmlElement& element, std::size_t first, Index body) {
    const std::vector<Joint>& joints = context_.model.joints;
    int dofs = 0;
    bool ball = false;
    const auto refuse = [&](const std::string& what, const std::string& remedy) {
      context_.errors.set(Error{what, element.where(), remedy});
    };
    for (std::size_t i = first; i < joints.size(); ++i) {
      const JointType type = joints[i].type;
      if (type == JointType::kFree && joints.size() - first > 1) refuse("a free joint has company", "keep it alone");
      if (type == JointType::kFree && context_.model.bodies[static_cast<std::size_t>(body)].parent != 0) {
        refuse("a free joint is below another body", "move the body up to the world");
      }
      if (ball && type != JointType::kSlide) refuse("a ball joint is followed by a rotation", "put the ball last");
      ball = ball || type == JointType::kBall;
      dofs += type == JointType::kFree ? 6 : type == JointType::kBall ? 3 : 1;
    }
    if (dofs > 6) refuse("the body has more than 6 degrees of freedom", "remove joints");
    if (context_.model.bodies[static_cast<std::size_t>(body)].kinematic && dofs > 0) {
      refuse("a mocap body has joints", "remove mocap or the joints");
    }
  }

  // freejoint align="true": the frame of a free body without children is moved to its inertial frame.
  void align_free_body(const XmlElement& element, Index index, std::size_t first_joint, std::size_t first_geom,
                       const std::vector<MjcfItem>& items) {
    ModelDescription& model = context_.model;
    if (model.joints.size() != first_joint + 1 || model.joints.back().type != JointType::kFree) return;
    bool aligned = context_.compiler(element).align_free;
    for (const MjcfItem& item : items) {
      const std::string* align = item.element->name == "freejoint" ? item.element->find("align") : nullptr;
      if (align != nullptr && *align != "auto") aligned = *align == "true";
    }
    if (!aligned) return;
    Body& body = model.bodies[static_cast<std::size_t>(index)];
    const Pose frame = calc_principal(body.inertia).frame, back = frame.inverse();
    body.pose = body.pose * frame;
    body.inertia = body.inertia.seen_from(back);
    for (std::size_t i = first_geom; i < model.geoms.size(); ++i) model.geoms[i].pose = back * model.geoms[i].pose;
    for (Site& site : model.sites) {
      if (site.body == index) site.pose = back * site.pose;
    }
  }

  MjcfContext& context_;
  std::vector<const XmlElement*> elements_;  // of the bodies
};

}  // namespace

void read_world(MjcfContext& context) { WorldReader(context).run(); }

}  // namespace tribo
