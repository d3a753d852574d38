// <custom>: what MJCF has no word for, in tuples that other tools read and leave alone.
//     <tuple name="tribo.stiffness"> <element objtype="geom" objname="ball" prm="1e7"/> </tuple>
//     <tuple name="tribo.exact_mesh"> <element objtype="mesh" objname="bowl"/> </tuple>
// mu_v, restitution, stiffness and damping are numbers of geoms and pairs (SurfaceLaw); exact_mesh names meshes, for all geoms
// that collide as them, or geoms. All else in <custom> is data for programs.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/mjcf/context.hpp"
#include "io/mjcf/names.hpp"

namespace tribo {
namespace {

struct SurfaceWord {
  const char* name;
  std::optional<double> SurfaceLaw::*number;
};
constexpr SurfaceWord kSurfaceWords[] = {{"tribo.mu_v", &SurfaceLaw::mu_v},
                                         {"tribo.restitution", &SurfaceLaw::restitution},
                                         {"tribo.stiffness", &SurfaceLaw::stiffness},
                                         {"tribo.damping", &SurfaceLaw::damping}};
constexpr const char* kExactMesh = "tribo.exact_mesh";

// objtype, one of two words; "" with an error.
std::string read_type(const XmlFields& fields, std::array<const char*, 2> words) {
  int word = 0;
  if (!fields.has("objtype")) fields.fail("objtype", "is missing", std::string("give ") + words[0] + " or " + words[1]);
  return fields.choice("objtype", words, word) == 0 ? "" : words[static_cast<std::size_t>(word)];
}

void read_number(MjcfContext& context, const SurfaceWord& word, const XmlElement& element) {
  const XmlFields fields(element, context.errors);
  const std::string type = read_type(fields, {"geom", "pair"});
  const Index index = type.empty() ? -1 : context.look_up(type, fields, "objname");
  double value = 0.0;
  if (index < 0) return;
  if (fields.number("prm", value) == 0) {
    fields.fail("prm", "is missing", "give the number here");
    return;
  }
  SurfaceLaw& law = type == "geom" ? context.model.geoms[static_cast<std::size_t>(index)].surface
                                   : context.model.pairs[static_cast<std::size_t>(index)].surface;
  std::optional<double>& number = law.*word.number;
  if (number && *number != value) {
    fields.fail("prm", std::string(word.name) + " of this " + type + " is given already", "keep one of the two");
    return;
  }
  number = value;
  if (const Checked valid = validate(law, element.where() + " attribute prm"); !valid)
    context.errors.set(valid.error());
}

bool may_collide(const ModelDescription& model, Index geom) {
  const Geom& one = model.geoms[static_cast<std::size_t>(geom)];
  return one.contype != 0 || one.conaffinity != 0 ||
         std::any_of(model.pairs.begin(), model.pairs.end(),
                     [&](const ContactPair& pair) { return pair.geom_a == geom || pair.geom_b == geom; });
}

void make_exact(MjcfContext& context, const XmlFields& fields, Index index) {
  Geom& geom = context.model.geoms[static_cast<std::size_t>(index)];
  if (geom.shape.type != ShapeType::kMesh) {
    fields.fail("objname", "this geom is no mesh", "name a geom of type mesh");
  } else if (can_move(context.model, geom.body)) {
    const std::string& body = context.model.bodies[static_cast<std::size_t>(geom.body)].name;
    const std::string name = geom.name.empty() ? "geom " + std::to_string(index) : "geom '" + geom.name + "'";
    fields.fail("objname",
                name + " is on body '" + body + "', which can move: only what stands still collides by triangles",
                "take the joints from the body, name geoms of others, or cut the mesh into convex parts");
  } else {
    geom.exact_mesh = true;
  }
}

void read_exact(MjcfContext& context, const XmlElement& element) {
  const XmlFields fields(element, context.errors);
  const std::string type = read_type(fields, {"mesh", "geom"});
  const Index index = type.empty() ? -1 : context.look_up(type, fields, "objname");
  if (index < 0) return;
  if (type == "geom") {
    make_exact(context, fields, index);
    return;
  }
  const Index mesh = context.meshes[static_cast<std::size_t>(index)].index;
  bool used = false;
  for (Index g = 0; g < static_cast<Index>(context.model.geoms.size()); ++g) {
    const Shape& shape = context.model.geoms[static_cast<std::size_t>(g)].shape;
    if (mesh < 0 || shape.type != ShapeType::kMesh || shape.index != mesh || !may_collide(context.model, g)) continue;
    used = true;
    make_exact(context, fields, g);
  }
  if (!used) fields.fail("objname", "no geom collides as this mesh", "name a mesh that a geom of type mesh has");
}

void read_tuple(MjcfContext& context, const XmlElement& tuple) {
  const std::string& name = *tuple.find("name");
  const auto* const word = std::find_if(std::begin(kSurfaceWords), std::end(kSurfaceWords),
                                        [&](const SurfaceWord& candidate) { return name == candidate.name; });
  if (tuple.name != "tuple" || (word == std::end(kSurfaceWords) && name != kExactMesh)) {
    std::vector<std::string> known{kExactMesh};
    for (const SurfaceWord& candidate : kSurfaceWords) known.emplace_back(candidate.name);
    context.errors.set(Error{"there is no <" + tuple.name + "> '" + name + "' for Tribo", tuple.where(),
                             tuple.name == "tuple" ? suggest(name, known, "see docs/simulation.md")
                                                   : "give a <tuple>, or a name that does not begin with tribo."});
    return;
  }
  for (const XmlElement& element : tuple.children) {
    if (word != std::end(kSurfaceWords))
      read_number(context, *word, element);
    else
      read_exact(context, element);
  }
}

}  // namespace

void read_custom(MjcfContext& context) {
  context.for_each("custom", [&](const XmlElement& item) {
    if (is_for_tribo(item))
      read_tuple(context, item);
    else
      context.notices.add("custom/" + item.name, false, "data for programs");
  });
}

}  // namespace tribo
