#include "tribo/multibody/names.hpp"

#include "tribo/core/nearest.hpp"

namespace tribo {

namespace {

template <typename Element>
Expected<Index> find_among(const std::vector<Element>& elements, const char* kind, const std::string& name,
                           const Model& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].name == name && !name.empty()) return static_cast<Index>(i);
    if (!elements[i].name.empty()) names.push_back(elements[i].name);
  }
  const std::string where = "model '" + model.description().name + "'";
  const std::string what = std::string("there is no ") + kind + " '" + name + "'";
  if (names.empty()) return fail(what + ", and none has a name", where, "use indices");
  std::string remedy;
  for (const std::string& near : find_nearest(name, names, 3)) remedy += (remedy.empty() ? "'" : ", '") + near + "'";
  return fail(what, where, "nearest: " + remedy);
}

}  // namespace

const char* name_of(Part part) {
  static constexpr const char* kNames[] = {"body", "joint", "geom", "site", "tendon", "actuator", "sensor", "keyframe"};
  return kNames[static_cast<std::size_t>(part)];
}

Expected<Index> find_part(const Model& model, Part part, const std::string& name) {
  const ModelDescription& d = model.description();
  const auto find = [&](const auto& elements) { return find_among(elements, name_of(part), name, model); };
  switch (part) {
    case Part::kBody:
      return find(d.bodies);
    case Part::kJoint:
      return find(d.joints);
    case Part::kGeom:
      return find(d.geoms);
    case Part::kSite:
      return find(d.sites);
    case Part::kTendon:
      return find(d.tendons);
    case Part::kActuator:
      return find(d.actuators);
    case Part::kSensor:
      return find(d.sensors);
    case Part::kKeyframe:
      return find(d.keyframes);
  }
  return find(d.bodies);
}

}  // namespace tribo
