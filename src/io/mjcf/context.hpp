// What the parts of the MJCF reader share: the source, the model as far as it is read, names, notices and the first error.
#pragma once

#include "tribo/multibody/description.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/mjcf/defaults.hpp"
#include "io/mjcf/source.hpp"
#include "io/notices.hpp"
#include "io/xml_fields.hpp"

namespace tribo {

// A mesh asset; its file is read when a geom needs it.
struct MjcfMesh {
  const XmlElement* element = nullptr;
  Index index = -1;  // in the model, -1: not read yet
  MeshInertia how = MeshInertia::kLegacy;
  std::optional<Expected<MassProperties>> mass;
};

struct MjcfContext {
  explicit MjcfContext(const MjcfSource& s) : source(s) {}

  const MjcfSource& source;
  MjcfDefaults defaults;
  ModelDescription model;
  NoticeList notices;
  XmlErrors errors;
  std::map<std::string, std::unordered_map<std::string, Index>> names;  // kind, name, index
  std::vector<MjcfMesh> meshes;
  std::map<std::string, std::array<double, 4>> materials;
  std::vector<MassProperties> geom_mass;  // in the body's frame; one per geom
  std::vector<int> actuator_group;
  bool medium = false;           // the file has air or water that would push
  bool bodies_left_out = false;  // flexible bodies: q of the file is longer than ours

  const MjcfCompiler& compiler(const XmlElement& element) const { return scope(element).compiler; }
  const MjcfScope& scope(const XmlElement& element) const {
    return source.scopes[static_cast<std::size_t>(element.scope)];
  }
  // Calls `visit` for every child of every section with that name.
  template <typename Visit>
  void for_each(const char* section, Visit visit) {
    for (const XmlElement& candidate : source.root.children) {
      if (candidate.name != section) continue;
      for (const XmlElement& item : candidate.children) {
        visit(item);
        if (errors.failed()) return;
      }
    }
  }

  // The element over the defaults called `kind` of its own class, else of `fallback`; "": the main class.
  XmlFields fields(const XmlElement& element, const std::string& kind, const std::string& fallback = "");
  std::string class_of(const XmlElement& element, const std::string& fallback);

  // A name that must be new. Empty names are not kept.
  void declare(const std::string& kind, const XmlElement& element, const std::string& name, Index index);
  // The index of the name in `attribute`, -1 with an error where there is none.
  Index look_up(const std::string& kind, const XmlFields& fields, const char* attribute);

  // Notes attributes that are given and not used.
  void note(const XmlFields& fields, const std::string& element, std::initializer_list<const char*> attributes,
            bool physical, const std::string& meaning);
};

// limited="false|true|auto" with its range: auto means "where there is a range", if autolimits allows it.
bool read_limited(MjcfContext& context, const XmlFields& fields, const char* limited, const char* range,
                  bool has_range);

// solref and solimp, as many numbers as are given.
void read_softness(const XmlFields& fields, const char* solref, std::array<double, 2>& ref, const char* solimp,
                   std::array<double, 5>& imp);

// rgba, which concerns looks alone: left empty, it is as if it were not there, with a notice.
void read_colour(MjcfContext& context, const XmlFields& fields, const std::string& element,
                 std::array<double, 4>& rgba);

// What contacts do not do: begin deep inside (gap > margin), give way as springs (a negative solref).
void note_contact_numbers(MjcfContext& context, const std::string& element, double margin, double gap,
                          const std::array<double, 2>& solref);

// The parts, in the order in which they must run.
void read_options(MjcfContext& context);
void read_assets(MjcfContext& context);
void read_world(MjcfContext& context);
void read_contacts(MjcfContext& context);
void read_tendons(MjcfContext& context);
void read_equalities(MjcfContext& context);
void read_actuators(MjcfContext& context);
void read_sensors(MjcfContext& context);
void read_custom(MjcfContext& context);
void apply_flags(MjcfContext& context);
void read_keyframes(MjcfContext& context);

// Where an asset's file is: from the folder of the model, else from that of the file that names it.
std::string locate_asset(const MjcfContext& context, const XmlElement& element, std::string name);
// All files that the model was read from or names: XML, then meshes, height fields and pictures.
std::vector<std::string> collect_mjcf_files(const MjcfContext& context);

// Mesh `name` of the assets, read from its file: index in the model, -1 with an error.
Index require_mesh(MjcfContext& context, Index asset, const XmlFields& fields);
const Expected<MassProperties>& mesh_mass(MjcfContext& context, Index asset);

// One element of a body. `frame` is the frame it is written in, seen from the body.
struct MjcfItem {
  const XmlElement* element = nullptr;
  Pose frame;
  std::string childclass;
};
void read_joint(MjcfContext& context, const MjcfItem& item, Index body);
void read_geom(MjcfContext& context, const MjcfItem& item, Index body, bool weighs);
void read_site(MjcfContext& context, const MjcfItem& item, Index body);
// The inertia of a body from its <inertial> or its geoms (from `first_geom` on).
void read_inertia(MjcfContext& context, const XmlElement& element, const MjcfItem* inertial, Index body,
                  std::size_t first_geom);
// Whether geoms decide on the inertia.
bool from_geoms(const MjcfCompiler& compiler, bool has_inertial);
// Minimum masses for all that moves, and the total mass.
void check_masses(MjcfContext& context, const std::vector<const XmlElement*>& elements);

}  // namespace tribo
