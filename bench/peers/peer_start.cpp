#include "tribo/io/model_file.hpp"

#include <algorithm>
#include <cmath>

#include "peers/peer_engines.hpp"

namespace tribo {
namespace {

PeerVector to_plain(const Vector3d& x) { return {x.x(), x.y(), x.z()}; }
Vector3d from_plain(const PeerVector& x) { return {x[0], x[1], x[2]}; }
PeerPose to_plain(const Pose& pose) { return {to_plain(pose.p), {pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z()}}; }
Quaterniond from_plain(const std::array<double, 4>& q) { return {q[0], q[1], q[2], q[3]}; }

Unexpected<Error> refuse_scene(const PeerStart& start, const std::string& what) {
  return fail(what + ": not every engine of bench peers can be given that", start.path, "leave the scene out");
}

const Joint* joint_of(const Model& model, Index body) {
  return model.joint_count(body) == 1 ? &model.joints()[static_cast<std::size_t>(model.first_joint(body))] : nullptr;
}

Checked add_bodies(PeerStart& start) {
  const Model& model = start.model;
  std::vector<PeerMotion> motions;
  for (Index i = 1; i < model.nb(); ++i) {
    const Body& body = model.bodies()[static_cast<std::size_t>(i)];
    const Joint* joint = joint_of(model, i);
    if (body.parent != 0 || joint == nullptr || (joint->type != JointType::kFree && joint->type != JointType::kSlide)) {
      return refuse_scene(start, "body " + body.name + " has not one joint, free or slide, to the world");
    }
    if (joint->limited || joint->stiffness != 0.0 || joint->damping != 0.0 || joint->armature != 0.0 ||
        joint->friction_loss != 0.0 || joint->reference != 0.0) {
      return refuse_scene(start,
                          "joint " + joint->name + " has a limit, spring, damper, armature, friction or reference");
    }
    const MassProperties& inertia = body.inertia;
    const Matrix3d across = inertia.inertia - Matrix3d(inertia.inertia.diagonal().asDiagonal());
    if (!inertia.com.isZero(0.0) || across.norm() > 1e-12 * inertia.inertia.norm()) {
      return refuse_scene(start, "mass of body " + body.name + " is not along the axes of its frame");
    }
    PeerBody plain;
    plain.name = body.name;
    plain.mass = inertia.mass;
    plain.inertia = to_plain(Vector3d(inertia.inertia.diagonal()));
    plain.pose = to_plain(body.pose);  // of a slide; a free body's is read from the state below
    plain.slides = joint->type == JointType::kSlide;
    if (plain.slides) plain.axis = to_plain(body.pose.q * joint->axis);
    start.scene.bodies.push_back(std::move(plain));
  }
  read_peer_state(start, start.state.q.data(), start.state.v.data(), motions);
  for (PeerMotion& motion : motions) {
    start.rest.push_back(motion.pose.p);
    for (double& x : motion.pose.p) x *= 1.0 - kPeerSeat;
  }
  start.state = make_peer_state(start, motions);
  read_peer_state(start, start.state.q.data(), start.state.v.data(), motions);
  for (std::size_t i = 0; i < motions.size(); ++i) start.scene.bodies[i].pose = motions[i].pose;
  return ok();
}

Checked add_shapes(PeerStart& start) {
  const ModelDescription& description = start.model.description();
  for (std::size_t g = 0; g < description.geoms.size(); ++g) {
    const Geom& geom = description.geoms[g];
    PeerShape shape;
    if (geom.shape.type == ShapeType::kPlane && geom.body == 0) {
      shape.type = PeerShapeType::kPlane;
    } else if (geom.shape.type == ShapeType::kBox) {
      shape.type = PeerShapeType::kBox;
    } else if (geom.shape.type == ShapeType::kSphere) {
      shape.type = PeerShapeType::kSphere;
    } else {
      return refuse_scene(start, std::string("geom ") + geom.name + " is a " + name_of(geom.shape.type));
    }
    if (g > 0 && geom.friction[0] != start.scene.friction) return refuse_scene(start, "there are several frictions");
    if (geom.condim != 3 || geom.contype != 1 || geom.conaffinity != 1 || geom.margin != 0.0) {
      return refuse_scene(start, "geom " + geom.name + " has a condim, filter or margin of its own");
    }
    start.scene.friction = geom.friction[0];
    shape.size = to_plain(geom.shape.size);
    shape.pose = to_plain(geom.pose);
    if (geom.body == 0) {
      start.scene.fixed.push_back(shape);
    } else {
      start.scene.bodies[static_cast<std::size_t>(geom.body - 1)].shapes.push_back(shape);
    }
  }
  return ok();
}

// Motors on slides: force = gain · gear · control.
Checked add_forces(PeerStart& start) {
  const ModelDescription& description = start.model.description();
  for (std::size_t a = 0; a < description.actuators.size(); ++a) {
    const Actuator& motor = description.actuators[a];
    const bool plain = motor.transmission == Transmission::kJoint && motor.gain[1] == 0.0 && motor.gain[2] == 0.0 &&
                       motor.bias == std::array<double, 3>{} && !motor.force_limited && !motor.control_limited;
    const Joint* joint = plain ? &description.joints[static_cast<std::size_t>(motor.target)] : nullptr;
    if (joint == nullptr || joint->type != JointType::kSlide) {
      return refuse_scene(start, "actuator " + motor.name + " is not a motor on a slide");
    }
    start.scene.bodies[static_cast<std::size_t>(joint->body - 1)].force +=
        motor.gain[0] * motor.gear[0] * start.control[static_cast<Index>(a)];
  }
  return ok();
}

}  // namespace

Expected<PeerStart> load_peer_start(const std::string& path) {
  Expected<World> world = load(path);
  if (!world) return Unexpected<Error>{world.error()};
  PeerStart start{path, std::move(world->model), {}, {}, {}, {}};
  const ModelDescription& description = start.model.description();
  start.state = make_state(start.model);
  start.control = VectorXd::Zero(start.model.nu());
  const auto key = std::find_if(description.keyframes.begin(), description.keyframes.end(),
                                [](const Keyframe& k) { return k.name == "start"; });
  if (key != description.keyframes.end()) {
    Expected<State> state = make_state(start.model, *key);
    if (!state) return Unexpected<Error>{state.error().within(path)};
    start.state = std::move(*state);
    if (key->control.size() > 0) start.control = key->control;
  }
  start.scene.step = description.timestep;
  start.scene.gravity = to_plain(description.gravity);
  if (!description.pairs.empty() || !description.excludes.empty() || !description.equalities.empty() ||
      !description.tendons.empty()) {
    return refuse_scene(start, "there are pairs, exclusions, equalities or tendons");
  }
  if (!start.state.v.isZero(0.0)) return refuse_scene(start, "it does not start at rest");
  for (const auto add : {add_bodies, add_shapes, add_forces}) {
    if (Checked added = add(start); !added) return Unexpected<Error>{added.error()};
  }
  return start;
}

State make_peer_state(const PeerStart& start, const std::vector<PeerMotion>& bodies) {
  State state = start.state;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Index joint = start.model.first_joint(static_cast<Index>(i) + 1);
    const Index q = start.model.q_start(joint), v = start.model.v_start(joint);
    const Vector3d p = from_plain(bodies[i].pose.p), velocity = from_plain(bodies[i].velocity);
    if (start.scene.bodies[i].slides) {
      const Vector3d axis = from_plain(start.scene.bodies[i].axis);
      state.q[q] = axis.dot(p - start.model.bodies()[i + 1].pose.p);
      state.v[v] = axis.dot(velocity);
    } else {
      const std::array<double, 4>& turn = bodies[i].pose.q;
      state.q.segment<3>(q) = p;
      for (Index k = 0; k < 4; ++k) state.q[q + 3 + k] = turn[static_cast<std::size_t>(k)];
      state.v.segment<3>(v) = velocity;
      state.v.segment<3>(v + 3) = from_plain(turn).conjugate() * from_plain(bodies[i].angular_velocity);
    }
  }
  return state;
}

void read_peer_state(const PeerStart& start, const double* q, const double* v, std::vector<PeerMotion>& bodies) {
  bodies.resize(start.scene.bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Index joint = start.model.first_joint(static_cast<Index>(i) + 1);
    const double* qi = q + start.model.q_start(joint);
    const double* vi = v + start.model.v_start(joint);
    PeerMotion& motion = bodies[i];
    if (start.scene.bodies[i].slides) {
      const Vector3d axis = from_plain(start.scene.bodies[i].axis);
      const Pose& pose = start.model.bodies()[i + 1].pose;
      motion.pose = to_plain(Pose{pose.p + axis * qi[0], pose.q});
      motion.velocity = to_plain(Vector3d(axis * vi[0]));
      motion.angular_velocity = {};
    } else {
      motion.pose = {{qi[0], qi[1], qi[2]}, {qi[3], qi[4], qi[5], qi[6]}};
      motion.velocity = {vi[0], vi[1], vi[2]};
      motion.angular_velocity = to_plain(Vector3d(from_plain(motion.pose.q) * Vector3d(vi[3], vi[4], vi[5])));
    }
  }
}

}  // namespace tribo
