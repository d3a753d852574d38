// Small worlds for the tests of the simulation: scenes of scenes/ by name, and free bodies put together in code.
#pragma once

#include "tribo/io/model_file.hpp"
#include "tribo/sim/simulation.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/paths.hpp"

namespace tribo::testing {

inline Simulation make_simulation(ModelDescription description, SimulationOptions options = {}) {
  return Simulation::make(Model::make(std::move(description)).value(), std::move(options)).value();
}

// At its keyframe `start` or `home` where there is one; `change` edits what the file says.
inline Simulation make_scene(const std::string& scene, SimulationOptions options = {},
                             const std::function<void(ModelDescription&)>& change = {}) {
  Expected<ModelFile> file = read_model(source_dir() + "/scenes/" + scene + ".xml");
  if (!file) throw std::runtime_error(file.error().text());
  if (change) change(file->description);
  Simulation simulation = make_simulation(std::move(file->description), std::move(options));
  for (const Keyframe& keyframe : simulation.model().description().keyframes) {
    if (keyframe.name != "start" && keyframe.name != "home") continue;
    simulation.set_state(make_state(simulation.model(), keyframe).value());
    if (keyframe.control.size() > 0) simulation.control() = keyframe.control;
  }
  return simulation;
}

inline void set_friction(ModelDescription& d, double mu) {
  for (Geom& geom : d.geoms) geom.friction(0) = mu;
}

// A body with one free joint and no shape; returns its index.
inline Index add_free_body(ModelDescription& d, const MassProperties& inertia, const Pose& pose = {}) {
  Body body;
  body.name = "body_" + std::to_string(d.bodies.size());
  body.pose = pose;
  body.inertia = inertia;
  d.bodies.push_back(body);
  Joint joint;
  joint.type = JointType::kFree;
  joint.body = static_cast<Index>(d.bodies.size()) - 1;
  d.joints.push_back(joint);
  return joint.body;
}

inline void add_geom(ModelDescription& d, Index body, const Shape& shape, double mu, const Pose& pose = {}) {
  Geom geom;
  geom.name = "geom_" + std::to_string(d.geoms.size());
  geom.body = body;
  geom.shape = shape;
  geom.pose = pose;
  geom.friction(0) = mu;
  d.geoms.push_back(geom);
}

inline Index add_box(ModelDescription& d, const Vector3d& half, double mass, double mu, const Pose& pose) {
  const Vector3d square = half.cwiseAbs2();
  const Vector3d moments = mass / 3.0 * (Vector3d::Constant(square.sum()) - square);
  const Index body = add_free_body(d, {mass, Vector3d::Zero(), moments.asDiagonal()}, pose);
  add_geom(d, body, {ShapeType::kBox, half, -1}, mu);
  return body;
}

inline Index add_sphere(ModelDescription& d, double radius, double mass, double mu, const Vector3d& at) {
  const Matrix3d inertia = 0.4 * mass * radius * radius * Matrix3d::Identity();
  const Index body = add_free_body(d, {mass, Vector3d::Zero(), inertia}, {.p = at});
  add_geom(d, body, {ShapeType::kSphere, Vector3d(radius, 0.0, 0.0), -1}, mu);
  return body;
}

inline void add_floor(ModelDescription& d, double mu, double slope = 0.0) {
  const Quaterniond turn(Eigen::AngleAxisd(slope, Vector3d::UnitY()));  // downhill is +x
  add_geom(d, 0, {ShapeType::kPlane, Vector3d::Zero(), -1}, mu, {.p = Vector3d::Zero(), .q = turn});
}

// A body on a hinge about y through the world's origin; its centre of mass hangs `below` it at q = 0.
inline ModelDescription make_hinged(double mass, double below, double moment) {
  ModelDescription d;
  Body body;
  body.name = "arm";
  body.inertia = {mass, Vector3d(0.0, 0.0, -below), moment * Matrix3d::Identity()};
  d.bodies.push_back(body);
  Joint joint;
  joint.body = 1;
  joint.axis = Vector3d::UnitY();
  d.joints.push_back(joint);
  return d;
}

}  // namespace tribo::testing
