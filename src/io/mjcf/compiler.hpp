// The <compiler> of one MJCF file, and orientations, which depend on it.
#pragma once

#include "tribo/geometry/pose.hpp"

#include <array>
#include <string>

#include "io/xml_fields.hpp"

namespace tribo {

inline constexpr double kTooShort = 1e-14;  // a direction shorter than this is none

enum class FromGeom { kFalse, kTrue, kAuto };

struct MjcfCompiler {
  bool degree = true, autolimits = true, balance_inertia = false, fit_aabb = false, discard_visual = false;
  bool strip_path = false, align_free = false, exact_mesh_inertia = false, fuse_static = false;
  double bound_mass = 0.0, bound_inertia = 0.0, total_mass = -1.0;
  std::string euler = "xyz";
  std::string mesh_dir, texture_dir;
  FromGeom inertia_from_geom = FromGeom::kAuto;
  std::array<double, 2> inertia_groups{0.0, 5.0};

  double angle(double value) const;  // of the file, in radians
};

void read_compiler(const XmlElement& element, MjcfCompiler& compiler, XmlErrors& errors);

// Rotation by three angles of the file about the axes of eulerseq: small letters turn with the body, large ones do not.
Quaterniond from_euler(const MjcfCompiler& compiler, const Vector3d& angles);

// pos and one of quat, axisangle, xyaxes, zaxis, euler.
Pose read_pose(const XmlFields& fields, const MjcfCompiler& compiler);
Quaterniond read_orientation(const XmlFields& fields, const MjcfCompiler& compiler);

// The shortest rotation from z to `axis` (of any length but zero).
Quaterniond from_z_axis(const Vector3d& axis);

}  // namespace tribo
