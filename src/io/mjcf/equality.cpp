// <equality>: loops, welds and couplings. What the file leaves open holds at the reference configuration.
#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

std::vector<Pose> world_poses(const ModelDescription& model) {
  std::vector<Pose> poses(model.bodies.size());
  for (std::size_t i = 1; i < poses.size(); ++i) {
    poses[i] = poses[static_cast<std::size_t>(model.bodies[i].parent)] * model.bodies[i].pose;
  }
  return poses;
}

class EqualityReader {
 public:
  explicit EqualityReader(MjcfContext& context) : context_(context), poses_(world_poses(context.model)) {}

  void read(const XmlElement& item) {
    const XmlFields fields = context_.fields(item, "equality");
    Equality equality;
    fields.text("name", equality.name);
    fields.boolean("active", equality.active);
    read_softness(fields, "solref", equality.solref, "solimp", equality.solimp);
    bool known = true;
    if (item.name == "connect" || item.name == "weld") {
      equality.type = item.name == "weld" ? EqualityType::kWeld : EqualityType::kConnect;
      if (item.find("site1") != nullptr || item.find("site2") != nullptr)
        read_sites(fields, equality);
      else
        read_bodies(fields, equality);
    } else if (item.name == "joint" || item.name == "tendon") {
      known = read_coupling(fields, equality);
    } else {
      context_.notices.add("equality/" + item.name, true, "not held");
      known = false;
    }
    if (context_.errors.failed() || !known) return;
    context_.declare("equality", item, equality.name, static_cast<Index>(context_.model.equalities.size()));
    context_.model.equalities.push_back(std::move(equality));
  }

 private:
  void read_sites(const XmlFields& fields, Equality& equality) {
    for (const char* other : {"body1", "body2", "anchor", "relpose"}) {
      if (fields.element().find(other) != nullptr) fields.fail(other, "is given beside sites", "keep sites or bodies");
    }
    const Index a = context_.look_up("site", fields, "site1"), b = context_.look_up("site", fields, "site2");
    if (a < 0 || b < 0) return;
    const Site& first = context_.model.sites[static_cast<std::size_t>(a)];
    const Site& second = context_.model.sites[static_cast<std::size_t>(b)];
    equality.a = first.body;
    equality.b = second.body;
    equality.frame_a = first.pose;
    equality.frame_b = second.pose;
    check_bodies(fields, equality);
  }

  void check_bodies(const XmlFields& fields, const Equality& equality) {
    if (equality.a == equality.b) fields.fail("", "ties a body to itself", "name two bodies");
  }

  void read_bodies(const XmlFields& fields, Equality& equality) {
    equality.a = context_.look_up("body", fields, "body1");
    equality.b = fields.element().find("body2") == nullptr ? 0 : context_.look_up("body", fields, "body2");
    if (equality.a < 0 || equality.b < 0) return;
    check_bodies(fields, equality);
    Vector3d anchor = Vector3d::Zero();
    const bool anchored = fields.vector("anchor", anchor) != 0;
    const Pose& a = poses_[static_cast<std::size_t>(equality.a)];
    const Pose& b = poses_[static_cast<std::size_t>(equality.b)];
    if (equality.type == EqualityType::kConnect) {
      if (!anchored) fields.fail("anchor", "is missing", "give the point in the frame of body1");
      equality.frame_a.p = anchor;
      equality.frame_b.p = b.inverse() * (a * anchor);
      return;
    }
    // The anchor of a weld is a point of body2; relpose is body2 (there) seen from body1.
    std::array<double, 7> relative{};
    fields.numbers("relpose", relative);
    Quaterniond q(relative[3], relative[4], relative[5], relative[6]);
    equality.frame_b.p = anchor;
    if (q.norm() > 1e-14) {
      equality.frame_a = {Vector3d(relative[0], relative[1], relative[2]), q.normalized()};
    } else {
      equality.frame_a = a.inverse() * b * equality.frame_b;
    }
    double torque_scale = 1.0;
    fields.number("torquescale", torque_scale);
    if (torque_scale != 1.0) context_.notices.add("weld@torquescale", false, "softness of welds");
  }

  bool read_coupling(const XmlFields& fields, Equality& equality) {
    const bool joints = fields.element().name == "joint";
    equality.type = joints ? EqualityType::kJoint : EqualityType::kTendon;
    const std::string kind = joints ? "joint" : "tendon";
    equality.a = context_.look_up(kind, fields, joints ? "joint1" : "tendon1");
    const char* second = joints ? "joint2" : "tendon2";
    if (fields.element().find(second) != nullptr) equality.b = context_.look_up(kind, fields, second);
    if (context_.errors.failed()) return false;
    fields.numbers("polycoef", equality.polynomial, 1);
    if (equality.a == equality.b) fields.fail(second, "is the first one again", "name two different ones");
    for (const Index index : {equality.a, equality.b}) {
      if (index < 0) continue;
      const std::size_t i = static_cast<std::size_t>(index);
      if (joints) {
        const JointType type = context_.model.joints[i].type;
        if (type != JointType::kHinge && type != JointType::kSlide) {
          fields.fail("", "couples a joint that is neither hinge nor slide", "use joints with one degree of freedom");
        }
      }
    }
    return true;
  }

  MjcfContext& context_;
  std::vector<Pose> poses_;
};

}  // namespace

void read_equalities(MjcfContext& context) {
  EqualityReader reader(context);
  context.for_each("equality", [&](const XmlElement& item) { reader.read(item); });
}

}  // namespace tribo
