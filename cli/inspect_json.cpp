#include <map>

#include "inspect_output.hpp"
#include "inspect_words.hpp"
#include "json_text.hpp"
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::ordered_json;

template <typename List>
ordered_json list(const List& values) {
  ordered_json array = ordered_json::array();
  for (const double x : values) array.push_back(number_json(x));
  return array;
}

ordered_json list(const Quaterniond& q) { return list(std::array<double, 4>{q.w(), q.x(), q.y(), q.z()}); }

ordered_json rows(const MatrixXd& matrix) {
  ordered_json array = ordered_json::array();
  for (Index i = 0; i < matrix.rows(); ++i) array.push_back(list(VectorXd(matrix.row(i))));
  return array;
}

ordered_json range(bool limited, double lower, double upper) {
  return limited ? list(std::array<double, 2>{lower, upper}) : ordered_json(nullptr);
}

ordered_json limit(double x) { return x == kUnlimited ? ordered_json(nullptr) : number_json(x); }

ordered_json body_json(const Model& model, Index b, const StateNumbers* numbers) {
  const Body& body = model.bodies()[static_cast<std::size_t>(b)];
  const PrincipalInertia principal = calc_principal(body.inertia);
  ordered_json object = {{"name", body.name},
                         {"parent", body.parent},
                         {"mass", number_json(body.inertia.mass)},
                         {"pos", list(body.pose.p)},
                         {"quat", list(body.pose.q)},
                         {"ipos", list(body.inertia.com)},
                         {"inertia", rows(body.inertia.inertia)},
                         {"iquat", list(principal.frame.q)},
                         {"diaginertia", list(principal.moments)},
                         {"gravcomp", number_json(body.gravity_compensation)},
                         {"kinematic", body.kinematic},
                         {"tree", model.tree(b)}};
  if (numbers != nullptr) {
    object["xpos"] = list(numbers->data.p[static_cast<std::size_t>(b)]);
    object["xquat"] = list(numbers->data.quat[static_cast<std::size_t>(b)]);
  }
  return object;
}

ordered_json joint_json(const Model& model, Index j) {
  const Joint& joint = model.joints()[static_cast<std::size_t>(j)];
  return {{"name", joint.name},
          {"type", name_of(joint.type)},
          {"body", joint.body},
          {"qadr", model.q_start(j)},
          {"vadr", model.v_start(j)},
          {"pos", list(joint.anchor)},
          {"axis", list(joint.axis)},
          {"limited", joint.limited},
          {"range", list(std::array<double, 2>{joint.lower, joint.upper})},
          {"ref", number_json(joint.reference)},
          {"stiffness", number_json(joint.stiffness)},
          {"springref", number_json(joint.spring_reference)},
          {"damping", number_json(joint.damping)},
          {"armature", number_json(joint.armature)},
          {"frictionloss", number_json(joint.friction_loss)},
          {"effort_limit", limit(joint.effort_limit)},
          {"velocity_limit", limit(joint.velocity_limit)}};
}

ordered_json actuator_json(const ModelDescription& d, const Actuator& actuator) {
  ordered_json object = {{"name", actuator.name},
                         {"kind", kind_of(actuator)},
                         {"transmission", name_of(actuator.transmission)},
                         {"target", target_of(d, actuator)},
                         {"gear", list(actuator.gear)},
                         {"gainprm", list(actuator.gain)},
                         {"biasprm", list(actuator.bias)},
                         {"ctrlrange", range(actuator.control_limited, actuator.control_lower, actuator.control_upper)},
                         {"forcerange", range(actuator.force_limited, actuator.force_lower, actuator.force_upper)}};
  if (actuator.dynamics != ActuatorDynamics::kNone) object["dynamics"] = name_of(actuator.dynamics);
  if (actuator.dynamics == ActuatorDynamics::kFilter) object["timeconst"] = number_json(actuator.time_constant);
  if (actuator.muscle) {
    object["force"] = number_json(actuator.muscle->force);
    object["lengthrange"] = list(std::array<double, 2>{actuator.muscle->length_lower, actuator.muscle->length_upper});
  }
  return object;
}

ordered_json equality_json(const ModelDescription& d, const Equality& equality) {
  ordered_json object = {{"name", equality.name},
                         {"type", name_of(equality.type)},
                         {"obj1", object_of(d, equality, equality.a)},
                         {"obj2", object_of(d, equality, equality.b)},
                         {"active", equality.active}};
  if (equality.type == EqualityType::kConnect || equality.type == EqualityType::kWeld) {
    object["pos1"] = list(equality.frame_a.p);
    object["pos2"] = list(equality.frame_b.p);
    if (equality.type == EqualityType::kWeld) {
      object["quat1"] = list(equality.frame_a.q);
      object["quat2"] = list(equality.frame_b.q);
    }
  } else {
    object["polycoef"] = list(equality.polynomial);
  }
  return object;
}

ordered_json path_point_json(const ModelDescription& d, const Tendon::PathPoint& point) {
  if (point.type == PathPointType::kPulley) return {{"pulley", number_json(point.divisor)}};
  const auto name_of_site = [&](Index i) { return d.sites[static_cast<std::size_t>(i)].name; };
  if (point.type == PathPointType::kSite) return {{"site", name_of_site(point.index)}, {"index", point.index}};
  ordered_json object = {{"geom", d.geoms[static_cast<std::size_t>(point.index)].name}, {"index", point.index}};
  if (point.side_site >= 0) object["sidesite"] = name_of_site(point.side_site);
  return object;
}

ordered_json tendon_json(const ModelDescription& d, const Tendon& tendon) {
  ordered_json terms = ordered_json::array();
  for (const Tendon::Term& term : tendon.terms) {
    terms.push_back({{"joint", d.joints[static_cast<std::size_t>(term.joint)].name},
                     {"index", term.joint},
                     {"coef", number_json(term.coefficient)}});
  }
  ordered_json path = ordered_json::array();
  for (const Tendon::PathPoint& point : tendon.path) path.push_back(path_point_json(d, point));
  return {{"name", tendon.name},
          {"joints", std::move(terms)},
          {"path", std::move(path)},
          {"limited", tendon.limited},
          {"range", list(std::array<double, 2>{tendon.lower, tendon.upper})},
          {"stiffness", number_json(tendon.stiffness)},
          {"springlength", list(std::array<double, 2>{tendon.spring_lower, tendon.spring_upper})},
          {"damping", number_json(tendon.damping)},
          {"armature", number_json(tendon.armature)},
          {"frictionloss", number_json(tendon.friction_loss)}};
}

ordered_json geoms_json(const ModelDescription& d) {
  std::map<std::string, Index> counts;
  for (const Geom& geom : d.geoms) ++counts[name_of(geom.shape.type)];
  return counts.empty() ? ordered_json::object() : ordered_json(counts);
}

ordered_json notices_json(const std::vector<Notice>& notices) {
  ordered_json array = ordered_json::array();
  for (const Notice& notice : notices) {
    array.push_back({{"element", notice.element},
                     {"count", notice.count},
                     {"physical", notice.physical},
                     {"meaning", notice.meaning}});
  }
  return array;
}

template <typename Make>
ordered_json list_of(std::size_t count, Make make) {
  ordered_json array = ordered_json::array();
  for (std::size_t k = 0; k < count; ++k) array.push_back(make(k));
  return array;
}

void add_model(const World& world, const StateNumbers* numbers, ordered_json& object) {
  const Model& model = world.model;
  const ModelDescription& d = model.description();
  object["name"] = d.name;
  object["nq"] = model.nq();
  object["nv"] = model.nv();
  object["nu"] = model.nu();
  object["trees"] = model.trees().blocks();
  object["total_mass"] = number_json(model.total_mass());
  object["gravity"] = list(d.gravity);
  object["timestep"] = number_json(d.timestep);
  object["bodies"] =
      list_of(d.bodies.size(), [&](std::size_t b) { return body_json(model, static_cast<Index>(b), numbers); });
  object["joints"] = list_of(d.joints.size(), [&](std::size_t j) { return joint_json(model, static_cast<Index>(j)); });
  object["actuators"] = list_of(d.actuators.size(), [&](std::size_t u) {
    ordered_json actuator = actuator_json(d, d.actuators[u]);
    if (numbers != nullptr) actuator["length"] = number_json(numbers->actuator_lengths[u]);
    return actuator;
  });
  object["equality"] = list_of(d.equalities.size(), [&](std::size_t e) {
    ordered_json equality = equality_json(d, d.equalities[e]);
    if (numbers != nullptr) equality["error"] = list(numbers->equality_errors[e]);
    return equality;
  });
  object["tendons"] = list_of(d.tendons.size(), [&](std::size_t t) {
    ordered_json tendon = tendon_json(d, d.tendons[t]);
    if (numbers != nullptr) tendon["length"] = number_json(numbers->tendon_lengths[t]);
    return tendon;
  });
  object["geoms"] = geoms_json(d);
  object["keyframes"] = list_of(d.keyframes.size(), [&](std::size_t k) { return ordered_json(d.keyframes[k].name); });
  object["notices"] = notices_json(world.notices);
  object["q0"] = list(model.q0());
}

void add_numbers(const Model& model, const StateNumbers& numbers, ordered_json& object) {
  object["q"] = list(numbers.state.q);
  object["v"] = list(numbers.state.v);
  object["M"] = rows(make_dense_mass(model, numbers.data));
  object["bias"] = list(numbers.data.bias);
  object["passive"] = list(numbers.data.passive);
  object["energy"] = {{"kinetic", number_json(numbers.energy.kinetic)},
                      {"potential", number_json(numbers.energy.potential)}};
  object["com"] = list(numbers.com);
}

}  // namespace

std::string inspect_json(const std::string& file, const World& world, const StateNumbers* numbers) {
  ordered_json object = {{"file", file}};
  add_model(world, numbers, object);
  if (numbers != nullptr) add_numbers(world.model, *numbers, object);
  return json_line(object);
}

std::string inspect_error_json(const std::string& file, const std::string& error) {
  return json_line({{"file", file}, {"error", error}});
}

}  // namespace tribo
