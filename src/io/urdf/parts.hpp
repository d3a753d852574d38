// The parts of a URDF file on their way into a ModelDescription.
#pragma once

#include "tribo/io/model_file.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/notices.hpp"
#include "io/urdf/mesh_path.hpp"
#include "io/xml_fields.hpp"

namespace tribo {

// <mujoco><compiler/></mujoco>
struct UrdfCompiler {
  MeshSearch search;
  bool discard_visual = false;
  bool balance_inertia = false;
  double bound_mass = 0.0, bound_inertia = 0.0;
};

enum class UrdfJointType { kRevolute, kContinuous, kPrismatic, kFixed, kFloating, kPlanar, kSpherical };

struct UrdfJoint {
  const XmlElement* element = nullptr;
  UrdfJointType type = UrdfJointType::kFixed;
  Joint joint;  // its body is set with the tree
  Pose origin;
  std::size_t parent = 0, child = 0;  // links
  std::string mimic;                  // joint that leads; empty: none
  double multiplier = 1.0, offset = 0.0;
};

struct UrdfLink {
  const XmlElement* element = nullptr;
  std::string name;
  std::optional<std::size_t> joint;   // to its parent; none: root
  std::vector<std::size_t> children;  // joints, in the file's order
};

// What all steps share.
struct UrdfReader {
  const XmlFile* file = nullptr;
  UrdfCompiler compiler;
  NoticeList notices;
  ModelDescription description;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<const XmlElement*> body_elements;                           // by body; nullptr: the world without a link
  std::vector<std::optional<std::size_t>> body_joints;                    // by body: into `joints`
  std::map<std::string, std::array<double, 4>> colours;                   // of the materials
  std::map<std::pair<std::string, std::array<double, 3>>, Index> meshes;  // by file and scale
  std::map<std::string, std::string> mesh_files;                          // by the path in the file
  std::set<std::string> geom_names, mesh_names;
};

// xyz and rpy of the child <origin>: x_parent = xyz + Rz(y) Ry(p) Rx(r) x.
Checked read_origin(const XmlElement& element, Pose& pose);
// Fails where the attribute is missing.
Checked require(const XmlElement& element, const char* attribute);

Checked read_links_and_joints(UrdfReader& reader);  // names, parents, children; each link has one parent at most
Expected<UrdfJoint> read_joint(const XmlElement& element, UrdfReader& reader);
Checked build_tree(UrdfReader& reader);  // bodies and joints in order; mimic
Checked read_inertials(UrdfReader& reader);
Checked read_shapes(UrdfReader& reader);
Checked weigh_massless(UrdfReader& reader);  // nothing moves without mass

}  // namespace tribo
