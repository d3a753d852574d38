#include "io/mjcf/compiler.hpp"

#include <cmath>
#include <numbers>

namespace tribo {
namespace {

Quaterniond about(char axis, double angle) {
  const int i = axis == 'x' || axis == 'X' ? 0 : axis == 'y' || axis == 'Y' ? 1 : 2;
  return Quaterniond(Eigen::AngleAxisd(angle, Vector3d::Unit(i)));
}

// x and y axes, y made orthogonal to x.
bool from_axes(Vector3d x, Vector3d y, Quaterniond& out) {
  if (x.norm() < kTooShort) return false;
  x.normalize();
  y -= x.dot(y) * x;
  if (y.norm() < kTooShort) return false;
  y.normalize();
  Matrix3d rotation;
  rotation << x, y, x.cross(y);
  out = Quaterniond(rotation).normalized();
  return true;
}

}  // namespace

double MjcfCompiler::angle(double value) const { return degree ? value / 180.0 * std::numbers::pi : value; }

void read_compiler(const XmlElement& element, MjcfCompiler& compiler, XmlErrors& errors) {
  const XmlFields fields(element, errors);
  static constexpr const char* kAngles[] = {"radian", "degree"};
  static constexpr const char* kFromGeom[] = {"false", "true", "auto"};
  static constexpr const char* kCoordinates[] = {"local", "global"};
  int word = 0;
  if (fields.choice("angle", kAngles, word) != 0) compiler.degree = word == 1;
  if (fields.choice("coordinate", kCoordinates, word) != 0 && word == 1) {
    fields.fail("coordinate", "global coordinates are not supported",
                "load and save the model with MuJoCo 2.3.3 or older");
  }
  if (fields.choice("inertiafromgeom", kFromGeom, word) != 0) compiler.inertia_from_geom = static_cast<FromGeom>(word);
  fields.boolean("autolimits", compiler.autolimits);
  fields.boolean("balanceinertia", compiler.balance_inertia);
  fields.boolean("fitaabb", compiler.fit_aabb);
  fields.boolean("discardvisual", compiler.discard_visual);
  fields.boolean("strippath", compiler.strip_path);
  fields.boolean("alignfree", compiler.align_free);
  fields.boolean("exactmeshinertia", compiler.exact_mesh_inertia);
  fields.boolean("fusestatic", compiler.fuse_static);
  fields.number("boundmass", compiler.bound_mass);
  fields.number("boundinertia", compiler.bound_inertia);
  fields.number("settotalmass", compiler.total_mass);
  fields.numbers("inertiagrouprange", compiler.inertia_groups);
  fields.text("assetdir", compiler.mesh_dir);
  fields.text("assetdir", compiler.texture_dir);
  fields.text("meshdir", compiler.mesh_dir);
  fields.text("texturedir", compiler.texture_dir);
  if (fields.text("eulerseq", compiler.euler) != 0 &&
      (compiler.euler.size() != 3 || compiler.euler.find_first_not_of("xyzXYZ") != std::string::npos)) {
    fields.fail("eulerseq", "'" + compiler.euler + "' is not a sequence of axes",
                "give three letters of x, y, z, X, Y, Z");
    compiler.euler = "xyz";
  }
}

Quaterniond from_euler(const MjcfCompiler& compiler, const Vector3d& angles) {
  Quaterniond q = Quaterniond::Identity();
  for (int i = 0; i < 3; ++i) {
    const char axis = compiler.euler[static_cast<std::size_t>(i)];
    const Quaterniond turn = about(axis, compiler.angle(angles[i]));
    q = axis >= 'x' ? q * turn : turn * q;
  }
  return q.normalized();
}

Quaterniond from_z_axis(const Vector3d& axis) {
  const Vector3d z = axis.normalized();
  const Vector3d cross = Vector3d::UnitZ().cross(z);
  const double sine = cross.norm();
  if (sine < kTooShort) return z.z() > 0.0 ? Quaterniond(Quaterniond::Identity()) : Quaterniond(0.0, 1.0, 0.0, 0.0);
  return Quaterniond(Eigen::AngleAxisd(std::atan2(sine, z.z()), cross / sine));
}

Quaterniond read_orientation(const XmlFields& fields, const MjcfCompiler& compiler) {
  Quaterniond q = Quaterniond::Identity();
  int given = 0;
  for (const char* name : {"quat", "axisangle", "xyaxes", "zaxis", "euler"}) {
    given += fields.element().find(name) != nullptr ? 1 : 0;
  }
  if (given > 1) fields.fail("", "has several orientations", "keep one of quat, axisangle, xyaxes, zaxis, euler");

  std::array<double, 6> values{};
  if (fields.numbers("quat", std::span(values).first(4)) != 0) {
    q = Quaterniond(values[0], values[1], values[2], values[3]);
    const double norm = q.norm();
    if (norm < kTooShort) {
      fields.fail("quat", "is zero", "give a quaternion w x y z of any other length");
      return Quaterniond::Identity();
    }
    // One that is unit already keeps its bits.
    if (std::abs(norm - 1.0) > 1e-15) q.coeffs() /= norm;
  }
  if (fields.numbers("axisangle", std::span(values).first(4)) != 0) {
    const Vector3d axis(values[0], values[1], values[2]);
    if (axis.norm() < kTooShort)
      fields.fail("axisangle", "the axis is zero", "give a direction and an angle");
    else
      q = Quaterniond(Eigen::AngleAxisd(compiler.angle(values[3]), axis.normalized()));
  }
  if (fields.numbers("xyaxes", values) != 0 &&
      !from_axes({values[0], values[1], values[2]}, {values[3], values[4], values[5]}, q)) {
    fields.fail("xyaxes", "the axes are zero or parallel", "give two independent directions");
  }
  if (fields.numbers("zaxis", std::span(values).first(3)) != 0) {
    const Vector3d axis(values[0], values[1], values[2]);
    if (axis.norm() < kTooShort)
      fields.fail("zaxis", "is zero", "give a direction");
    else
      q = from_z_axis(axis);
  }
  if (fields.numbers("euler", std::span(values).first(3)) != 0) {
    q = from_euler(compiler, {values[0], values[1], values[2]});
  }
  return q;
}

Pose read_pose(const XmlFields& fields, const MjcfCompiler& compiler) {
  Pose pose;
  fields.vector("pos", pose.p);
  pose.q = read_orientation(fields, compiler);
  return pose;
}

}  // namespace tribo
