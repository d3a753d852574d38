#include "tribo/problem/model.hpp"

#include <array>
#include <charconv>

namespace tribo {

namespace {

constexpr std::array kModels = {
    ModelInfo{"frictionless", "Signorini alone: contacts push, nothing acts along the surface"},
    ModelInfo{"no-slip", "tangential velocity zero at every contact, by unbounded tangential impulses"},
    ModelInfo{"viscous", "tangential force -mu_v times the slip after the step"},
    ModelInfo{"viscous/explicit", "tangential force -mu_v times the slip before the step"},
    ModelInfo{"viscous/impact", "tangential impulse -impact_damping times the slip after the impact"},
    ModelInfo{"coulomb-pyramid", "Coulomb's law on a polygon with 8 corners; coulomb-pyramid:4 for four"},
    ModelInfo{"coulomb-pyramid/aligned", "the same with each polygon turned towards the predicted slip"},
    ModelInfo{"friction-box", "tangential impulses within bounds given beforehand, maximal dissipation"},
    ModelInfo{"cone", "Coulomb's law with the true cone; with friction against turning and compliance where given"},
};

std::string all_names() {
  std::string names;
  for (const ModelInfo& model : kModels) names += (names.empty() ? "" : ", ") + std::string(model.name);
  return names;
}

struct Name {
  std::string operator()(const Frictionless&) const { return "frictionless"; }
  std::string operator()(const NoSlip&) const { return "no-slip"; }
  std::string operator()(const Viscous& model) const {
    return model.impact ? "viscous/impact" : model.implicit ? "viscous" : "viscous/explicit";
  }
  std::string operator()(const CoulombPyramid& model) const {
    return "coulomb-pyramid:" + std::to_string(model.sides) + (model.aligned ? "/aligned" : "");
  }
  std::string operator()(const FrictionBox&) const { return "friction-box"; }
  std::string operator()(const CoulombCone&) const { return "cone"; }
};

Expected<ContactModel> parse_pyramid(const std::string& name, const std::string& sides_text) {
  const std::string remedy =
      "give an even number of sides >= 4, for example coulomb-pyramid:8 or coulomb-pyramid:8/aligned";
  int sides = 0;
  const char* end = sides_text.data() + sides_text.size();
  const auto [stopped, error] = std::from_chars(sides_text.data(), end, sides);
  if (error != std::errc() || stopped != end) {
    return fail("the number of sides is not a whole number (\"" + sides_text + "\")", "model " + name, remedy);
  }
  if (sides < 4) return fail("a pyramid has at least 4 sides, not " + sides_text, "model " + name, remedy);
  if (sides > kMostSides) {
    return fail("a pyramid has at most " + std::to_string(kMostSides) + " sides, not " + sides_text, "model " + name,
                remedy);
  }
  if (sides % 2 != 0) {
    // Each direction needs its opposite, or friction could not act against every slip.
    return fail("the number of sides is odd (" + sides_text + ")", "model " + name, remedy);
  }
  return ContactModel(CoulombPyramid{sides});
}

}  // namespace

std::span<const ModelInfo> models() { return kModels; }

std::string to_string(const ContactModel& model) { return std::visit(Name{}, model); }

Expected<ContactModel> parse_model(const std::string& name) {
  if (name == "frictionless") return ContactModel(Frictionless{});
  if (name == "no-slip") return ContactModel(NoSlip{});
  if (name == "viscous") return ContactModel(Viscous{.implicit = true});
  if (name == "viscous/explicit") return ContactModel(Viscous{.implicit = false});
  if (name == "viscous/impact") return ContactModel(Viscous{.implicit = true, .impact = true});
  if (name == "coulomb-pyramid") return ContactModel(CoulombPyramid{});
  if (name == "friction-box") return ContactModel(FrictionBox{});
  if (name == "cone") return ContactModel(CoulombCone{});
  const std::string pyramid = "coulomb-pyramid:", aligned = "/aligned";
  if (name.starts_with("coulomb-pyramid") && name.ends_with(aligned)) {
    auto model = parse_model(name.substr(0, name.size() - aligned.size()));
    if (model && !std::get<CoulombPyramid>(*model).aligned) {
      std::get<CoulombPyramid>(*model).aligned = true;
      return model;
    }
    if (!model) return model;
  }
  if (name.starts_with(pyramid)) return parse_pyramid(name, name.substr(pyramid.size()));
  return fail("there is no contact model \"" + name + "\"", "", "give one of " + all_names());
}

}  // namespace tribo
