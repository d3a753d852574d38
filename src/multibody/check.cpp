#include "multibody/check.hpp"

#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "multibody/tendons.hpp"
#include "multibody/tree_factor.hpp"

namespace tribo {

namespace {

constexpr double kUnitTolerance = 1e-6;      // of quaternions; they are made unit
constexpr double kTriangleTolerance = 1e-9;  // of the largest moment, that a moment may be below zero
constexpr double kTooLarge = 1e50;           // SI; squares and products must stay finite

// Finite, with a quaternion that can be made unit.
bool usable(const Pose& pose) {
  const double norm = pose.q.coeffs().norm();
  return pose.p.allFinite() && std::isfinite(norm) && norm > kUnitTolerance;
}

Checked check_inertia(const MassProperties& inertia, const std::string& where) {
  if (!std::isfinite(inertia.mass) || !inertia.com.allFinite() || !inertia.inertia.allFinite())
    return fail("mass or inertia is not a number", where, "give finite numbers");
  if (std::max({inertia.mass, inertia.com.cwiseAbs().maxCoeff(), inertia.inertia.cwiseAbs().maxCoeff()}) > kTooLarge)
    return fail("mass or inertia is too large to compute with (more than 1e50)", where, "give kg and metres");
  if (inertia.mass < 0.0) {
    return fail("the mass is negative (" + std::to_string(inertia.mass) + " kg)", where, "give a mass >= 0");
  }
  const Matrix3d& I = inertia.inertia;
  const double scale = I.cwiseAbs().maxCoeff();
  if ((I - I.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale)
    return fail("the inertia matrix is not symmetric", where, "give a symmetric matrix");
  if (calc_principal(inertia).moments.minCoeff() < -kTriangleTolerance * scale)
    return fail("the inertia matrix has a negative principal moment", where,
                "give moments > 0, or leave the inertia out to have it from the shapes");
  return ok();
}

Checked check_bodies(const ModelDescription& d) {
  if (d.bodies.empty())
    return fail("there is no body 0, the world", "model", "begin the list of bodies with the world");
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    const Body& body = d.bodies[b];
    const std::string where = call("body", body.name, static_cast<Index>(b));
    if (!usable(body.pose))
      return fail("the pose is not finite, or its quaternion is zero", where, "give finite numbers");
    if (Checked checked = check_inertia(body.inertia, where); !checked) return checked;
    if (!std::isfinite(body.gravity_compensation))
      return fail("gravity compensation is not finite", where, "give a finite share");
    if (b > 0 && (body.parent < 0 || body.parent >= static_cast<Index>(b)))
      return fail("the parent is listed after its child, or nowhere", where,
                  "list parents before their children, without cycles");
    if (b > 1) {  // depth first: on the way from the body before to the world
      Index above = static_cast<Index>(b) - 1;
      while (above > body.parent) above = d.bodies[above].parent;
      if (above != body.parent)
        return fail("bodies of another branch stand between it and its parent", where,
                    "list bodies depth first: each with all that hangs on it before the next");
    }
    if (body.kinematic && body.parent != 0)
      return fail("a kinematic body hangs on another body", where, "make it a child of the world");
  }
  return ok();
}

Checked check_joint(const ModelDescription& d, std::size_t j) {
  const Joint& joint = d.joints[j];
  const std::string where = call("joint", joint.name, static_cast<Index>(j));
  if (joint.body < 1 || joint.body >= static_cast<Index>(d.bodies.size()))
    return fail("it belongs to no body", where, "give the index of a body that is not the world");
  if (j > 0 && joint.body < d.joints[j - 1].body)
    return fail("joints are not listed in the order of their bodies", where, "sort the joints by body");
  const Body& body = d.bodies[joint.body];
  if (body.kinematic)
    return fail("a kinematic body has a joint", where, "remove the joint, or let the body be moved by forces");
  const bool alone = !((j > 0 && d.joints[j - 1].body == joint.body) ||
                       (j + 1 < d.joints.size() && d.joints[j + 1].body == joint.body));
  if (joint.type == JointType::kFree && (body.parent != 0 || !alone))
    return fail("a free joint is not the only joint of a child of the world", where,
                "move the body to the top level and give it no other joint");
  if (!joint.anchor.allFinite() || !std::isfinite(joint.axis.norm()) || !(joint.axis.norm() > 1e-12))
    return fail("anchor or axis is not finite, or the axis is zero", where, "give a direction");
  for (const double x : {joint.reference, joint.spring_reference, joint.stiffness, joint.damping, joint.armature,
                         joint.friction_loss, joint.spring_time, joint.spring_damping_ratio}) {
    if (!std::isfinite(x)) return fail("a coefficient is not finite", where, "give finite numbers");
  }
  if (joint.damping < 0.0 || joint.armature < 0.0 || joint.friction_loss < 0.0 || joint.stiffness < 0.0)
    return fail("stiffness, damping, armature or friction is negative", where, "give numbers >= 0");
  if (std::isnan(joint.effort_limit) || std::isnan(joint.velocity_limit))
    return fail("effort or velocity limit is not a number", where, "give a number, or infinity for none");
  if (joint.limited && (joint.type == JointType::kFree || joint.type == JointType::kPlanar))
    return fail("a free or planar joint has no limits", where, "limit hinges, slides and balls");
  if (joint.actuation_limited && (calc_nv(joint.type) != 1 || !(joint.actuation_lower <= joint.actuation_upper)))
    return fail("the range of its actuators' force is no range, or the joint is neither hinge nor slide", where,
                "give it as lower, upper");
  if (joint.limited && joint.type == JointType::kBall && !(joint.upper >= 0.0))
    return fail("the largest angle of a ball is negative", where, "give range as 0, angle");
  if (joint.limited && !(joint.lower <= joint.upper))
    return fail("the lower limit is above the upper one", where, "give range as lower, upper");
  return ok();
}

// A reference to one of `count` things.
Checked check_reference(Index at, std::size_t count, const char* what, const std::string& where) {
  if (at >= 0 && at < static_cast<Index>(count)) return ok();
  return fail(std::string("it refers to no ") + what, where, "give the index of one that exists");
}

bool has_one_dof(const ModelDescription& d, Index joint) { return calc_nv(d.joints[joint].type) == 1; }

// Branches run from site to site, with at most one geom in between.
Checked check_path(const ModelDescription& d, const Tendon& tendon, const std::string& where) {
  if (!tendon.path.empty() && !tendon.terms.empty())
    return fail("it has a path and joints", where, "keep one of the two");
  const auto is = [&](std::size_t i, PathPointType type) { return tendon.path[i].type == type; };
  const std::size_t n = tendon.path.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Tendon::PathPoint& point = tendon.path[i];
    const std::string at = where + " point " + std::to_string(i);
    if (is(i, PathPointType::kPulley)) {
      if (!(point.divisor > 0.0) || !std::isfinite(point.divisor))
        return fail("the divisor of a pulley is not positive", at, "give a number > 0");
      continue;
    }
    if (is(i, PathPointType::kSite)) {
      if (Checked checked = check_reference(point.index, d.sites.size(), "site", at); !checked) return checked;
      const bool from = i > 0 && !is(i - 1, PathPointType::kPulley);
      const bool on = i + 1 < n && !is(i + 1, PathPointType::kPulley);
      if (!from && !on) return fail("a branch has one site alone", at, "give each branch two sites at least");
      continue;
    }
    if (Checked checked = check_reference(point.index, d.geoms.size(), "geom", at); !checked) return checked;
    const ShapeType shape = is(i, PathPointType::kSphere) ? ShapeType::kSphere : ShapeType::kCylinder;
    if (d.geoms[point.index].shape.type != shape || !(d.geoms[point.index].shape.size.x() > 0.0))
      return fail("the path goes round a shape that is no sphere and no cylinder", at, "name a sphere or a cylinder");
    if (i == 0 || i + 1 == n || !is(i - 1, PathPointType::kSite) || !is(i + 1, PathPointType::kSite))
      return fail("a geom of the path is not between two sites", at, "put a site before it and one behind it");
    if (point.side_site != -1) {
      if (Checked checked = check_reference(point.side_site, d.sites.size(), "site", at); !checked) return checked;
    }
  }
  return ok();
}

Checked check_couplings(const ModelDescription& d) {
  for (std::size_t t = 0; t < d.tendons.size(); ++t) {
    const std::string where = call("tendon", d.tendons[t].name, static_cast<Index>(t));
    if (Checked checked = check_path(d, d.tendons[t], where); !checked) return checked;
    for (const Tendon::Term& term : d.tendons[t].terms) {
      if (Checked checked = check_reference(term.joint, d.joints.size(), "joint", where); !checked) return checked;
      if (!has_one_dof(d, term.joint))
        return fail("it couples a joint that is neither hinge nor slide", where,
                    "use joints with one degree of freedom");
      if (!std::isfinite(term.coefficient)) return fail("a coefficient is not finite", where, "give finite numbers");
    }
    const Tendon& tendon = d.tendons[t];
    for (const double x : {tendon.stiffness, tendon.damping, tendon.friction_loss, tendon.armature}) {
      if (!std::isfinite(x) || x < 0.0)
        return fail("stiffness, damping, armature or friction is negative or not finite", where, "give numbers >= 0");
    }
    if (tendon.limited && !(tendon.lower <= tendon.upper))
      return fail("the lower limit is above the upper one", where, "give range as lower, upper");
    if (!(tendon.spring_lower <= tendon.spring_upper))
      return fail("the range where its spring rests is no range", where, "give it as lower, upper");
  }
  for (std::size_t e = 0; e < d.equalities.size(); ++e) {
    const Equality& equality = d.equalities[e];
    const std::string where = call("equality", equality.name, static_cast<Index>(e));
    const bool bodies = equality.type == EqualityType::kConnect || equality.type == EqualityType::kWeld;
    const bool joints = equality.type == EqualityType::kJoint;
    const std::size_t count = bodies ? d.bodies.size() : joints ? d.joints.size() : d.tendons.size();
    const char* what = bodies ? "body" : joints ? "joint" : "tendon";
    if (Checked checked = check_reference(equality.a, count, what, where); !checked) return checked;
    if (bodies || equality.b != -1) {
      if (Checked checked = check_reference(equality.b, count, what, where); !checked) return checked;
      if (equality.a == equality.b) return fail("it ties something to itself", where, "give two different ones");
    }
    if (joints && (!has_one_dof(d, equality.a) || (equality.b >= 0 && !has_one_dof(d, equality.b))))
      return fail("it couples a joint that is neither hinge nor slide", where, "use joints with one degree of freedom");
    if (!usable(equality.frame_a) || !usable(equality.frame_b))
      return fail("a frame is not finite, or its quaternion is zero", where, "give finite numbers");
    for (const double c : equality.polynomial) {
      if (!std::isfinite(c)) return fail("a coefficient is not finite", where, "give finite numbers");
    }
  }
  return ok();
}

Checked check_muscle(const Actuator& actuator, const std::string& where) {
  if (!actuator.muscle) {
    if (actuator.dynamics != ActuatorDynamics::kMuscle) return ok();
    return fail("a muscle's activation drives what is no muscle", where, "make gain and bias those of a muscle");
  }
  const Muscle& muscle = *actuator.muscle;
  for (const double x : {muscle.force, muscle.scale, muscle.vmax, muscle.fpmax, muscle.fvmax, muscle.rise_time,
                         muscle.decay_time, muscle.smoothing, muscle.length_lower, muscle.length_upper}) {
    if (!std::isfinite(x)) return fail("a number of the muscle is not finite", where, "give finite numbers");
  }
  if (!(muscle.range[0] < muscle.range[1]))
    return fail("the muscle's range is no range", where, "give it as lower, upper");
  if (!(muscle.lmin < 1.0 && muscle.lmax > 1.0))
    return fail("the muscle's optimal length 1 is not between lmin and lmax", where, "give lmin < 1 < lmax");
  if (!(muscle.vmax > 0.0 && muscle.fvmax >= 1.0 && muscle.fpmax >= 0.0 && muscle.scale > 0.0))
    return fail("the muscle's vmax, fvmax, fpmax or scale is too small", where,
                "give vmax > 0, fvmax >= 1, fpmax >= 0, scale > 0");
  if (!(muscle.rise_time >= 0.0 && muscle.decay_time >= 0.0 && muscle.smoothing >= 0.0))
    return fail("a time of the muscle is negative", where, "give seconds >= 0");
  if (muscle.length_lower > muscle.length_upper)
    return fail("the muscle's lengthrange is no range", where, "give it as lower, upper");
  return ok();
}

Checked check_actuators(const ModelDescription& d) {
  for (std::size_t u = 0; u < d.actuators.size(); ++u) {
    const Actuator& actuator = d.actuators[u];
    const std::string where = call("actuator", actuator.name, static_cast<Index>(u));
    switch (actuator.transmission) {
      case Transmission::kJoint:
        if (Checked checked = check_reference(actuator.target, d.joints.size(), "joint", where); !checked)
          return checked;
        break;
      case Transmission::kTendon:
        if (Checked checked = check_reference(actuator.target, d.tendons.size(), "tendon", where); !checked)
          return checked;
        break;
      case Transmission::kSite:
        if (Checked checked = check_reference(actuator.target, d.sites.size(), "site", where); !checked) return checked;
        if (actuator.reference_site >= static_cast<Index>(d.sites.size()))
          return fail("it refers to no site", where, "give the index of one that exists");
        break;
      case Transmission::kBody:
        if (Checked checked = check_reference(actuator.target, d.bodies.size(), "body", where); !checked)
          return checked;
        break;
    }
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(actuator.gain[k]) || !std::isfinite(actuator.bias[k]))
        return fail("a gain is not finite", where, "give finite numbers");
    }
    for (const double g : actuator.gear) {
      if (!std::isfinite(g)) return fail("gear is not finite", where, "give finite numbers");
    }
    if (!(actuator.time_constant >= 0.0) || !std::isfinite(actuator.time_constant))
      return fail("the time constant is negative or not finite", where, "give seconds >= 0");
    if (Checked checked = check_muscle(actuator, where); !checked) return checked;
    if (!std::isfinite(actuator.damping_ratio))
      return fail("the damping ratio is not finite", where, "give a finite number");
    if ((actuator.control_limited && !(actuator.control_lower <= actuator.control_upper)) ||
        (actuator.force_limited && !(actuator.force_lower <= actuator.force_upper)) ||
        (actuator.activation_limited && !(actuator.activation_lower <= actuator.activation_upper)))
      return fail("a lower limit is above its upper one", where, "give ranges as lower, upper");
  }
  return ok();
}

// How many parts of the kind there are that a frame may be.
std::size_t count_frames(const ModelDescription& d, SensorFrame frame) {
  switch (frame) {
    case SensorFrame::kWorld:
      return 1;
    case SensorFrame::kBody:
    case SensorFrame::kInertial:
      return d.bodies.size();
    case SensorFrame::kGeom:
      return d.geoms.size();
    case SensorFrame::kSite:
      return d.sites.size();
  }
  return 0;
}

Checked check_sensors(const ModelDescription& d) {
  for (std::size_t s = 0; s < d.sensors.size(); ++s) {
    const Sensor& sensor = d.sensors[s];
    const std::string where = call("sensor", sensor.name, static_cast<Index>(s));
    std::size_t count = 0;
    const char* what = "frame";
    const auto is_joint = [&](bool ball) {
      count = d.joints.size();
      what = "joint";
      if (sensor.index < 0 || sensor.index >= static_cast<Index>(count)) return true;
      const JointType type = d.joints[sensor.index].type;
      return ball ? type == JointType::kBall : calc_nq(type) == 1;
    };
    switch (sensor.type) {
      case SensorType::kTouch:
      case SensorType::kAccelerometer:
      case SensorType::kForce:
      case SensorType::kTorque:
        count = d.sites.size();
        what = "site";
        break;
      case SensorType::kJointPosition:
      case SensorType::kJointVelocity:
        if (!is_joint(false)) return fail("the joint is neither hinge nor slide", where, "measure its frame instead");
        break;
      case SensorType::kBallQuaternion:
      case SensorType::kBallVelocity:
        if (!is_joint(true)) return fail("the joint is no ball", where, "measure its frame instead");
        break;
      case SensorType::kTendonPosition:
      case SensorType::kTendonVelocity:
        count = d.tendons.size();
        what = "tendon";
        break;
      case SensorType::kActuatorPosition:
      case SensorType::kActuatorVelocity:
      case SensorType::kActuatorForce:
        count = d.actuators.size();
        what = "actuator";
        break;
      case SensorType::kSubtreeCom:
      case SensorType::kSubtreeVelocity:
        count = d.bodies.size();
        what = "body";
        break;
      case SensorType::kClock:
        count = 1;
        break;
      default:
        count = count_frames(d, sensor.frame);
    }
    if (sensor.type != SensorType::kClock) {
      if (Checked checked = check_reference(sensor.index, count, what, where); !checked) return checked;
    }
    const std::size_t references = count_frames(d, sensor.reference);
    if (Checked checked = check_reference(sensor.reference_index, references, "frame", where); !checked) return checked;
    if (!(sensor.cutoff >= 0.0)) return fail("the cutoff is negative or not a number", where, "give a number >= 0");
  }
  return ok();
}

Checked check_shapes(const ModelDescription& d) {
  for (std::size_t g = 0; g < d.geoms.size(); ++g) {
    const Geom& geom = d.geoms[g];
    const std::string where = call("geom", geom.name, static_cast<Index>(g));
    if (Checked checked = check_reference(geom.body, d.bodies.size(), "body", where); !checked) return checked;
    if (!usable(geom.pose) || !geom.shape.size.allFinite())
      return fail("pose or size is not finite, or the quaternion is zero", where, "give finite numbers");
    if (!geom.friction.allFinite() || geom.friction.minCoeff() < 0.0)
      return fail("friction is negative or not finite", where, "give numbers >= 0");
    if (!std::isfinite(geom.margin) || !std::isfinite(geom.gap))
      return fail("margin or gap is not finite", where, "give finite numbers, m");
    if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6)
      return fail("condim is " + std::to_string(geom.condim), where, "give 1, 3, 4 or 6");
    if (geom.shape.type == ShapeType::kMesh) {
      if (Checked checked = check_reference(geom.shape.index, d.meshes.size(), "mesh", where); !checked) return checked;
    }
    if (Checked checked = validate(geom.surface, where); !checked) return checked;
    if (geom.exact_mesh && geom.shape.type != ShapeType::kMesh)
      return fail("it is no mesh that could collide by its triangles", where, "give it the type mesh");
    if (geom.exact_mesh && can_move(d, geom.body))
      return fail("a body that can move cannot collide by the triangles of a mesh", where,
                  "take the joints from the body, let the hull collide, or cut the mesh into convex parts");
    if (geom.shape.type == ShapeType::kHeightField) {
      if (Checked checked = check_reference(geom.shape.index, d.height_fields.size(), "height field", where); !checked)
        return checked;
    }
  }
  for (std::size_t s = 0; s < d.sites.size(); ++s) {
    const std::string where = call("site", d.sites[s].name, static_cast<Index>(s));
    if (Checked checked = check_reference(d.sites[s].body, d.bodies.size(), "body", where); !checked) return checked;
    if (!usable(d.sites[s].pose))
      return fail("the pose is not finite, or its quaternion is zero", where, "give finite numbers");
    const Shape& shape = d.sites[s].shape;
    const bool solid = shape.type == ShapeType::kSphere || shape.type == ShapeType::kCapsule ||
                       shape.type == ShapeType::kEllipsoid || shape.type == ShapeType::kCylinder ||
                       shape.type == ShapeType::kBox;
    if (!solid || !shape.size.allFinite())
      return fail("its shape is no sphere, capsule, ellipsoid, cylinder or box, or not finite", where,
                  "give it one of these, with finite sizes");
  }
  for (std::size_t p = 0; p < d.pairs.size(); ++p) {
    const std::string where = call("pair", d.pairs[p].name, static_cast<Index>(p));
    for (const Index geom : {d.pairs[p].geom_a, d.pairs[p].geom_b}) {
      if (Checked checked = check_reference(geom, d.geoms.size(), "geom", where); !checked) return checked;
    }
    if (Checked checked = validate(d.pairs[p].surface, where); !checked) return checked;
  }
  for (std::size_t e = 0; e < d.excludes.size(); ++e) {
    for (const Index body : d.excludes[e]) {
      const std::string where = call("exclude", "", static_cast<Index>(e));
      if (Checked checked = check_reference(body, d.bodies.size(), "body", where); !checked) return checked;
    }
  }
  return ok();
}

}  // namespace

std::string call(const char* kind, const std::string& name, Index index) {
  return name.empty() ? std::string(kind) + " " + std::to_string(index) : std::string(kind) + " '" + name + "'";
}

Checked check_description(const ModelDescription& d) {
  if (!d.gravity.allFinite() || d.gravity.cwiseAbs().maxCoeff() > kTooLarge)
    return fail("gravity is not finite or too large", "model", "give numbers in m/s²");
  if (!(d.timestep > 0.0) || !std::isfinite(d.timestep))
    return fail("the time step is not positive (" + std::to_string(d.timestep) + " s)", "model", "give a step > 0");
  if (Checked checked = check_bodies(d); !checked) return checked;
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    if (Checked checked = check_joint(d, j); !checked) return checked;
  }
  if (Checked checked = check_shapes(d); !checked) return checked;
  if (Checked checked = check_couplings(d); !checked) return checked;
  if (Checked checked = check_actuators(d); !checked) return checked;
  return check_sensors(d);
}

Checked check_keyframes(const Model& model) {
  const std::vector<Keyframe>& keyframes = model.description().keyframes;
  for (std::size_t k = 0; k < keyframes.size(); ++k) {
    const Expected<State> state = make_state(model, keyframes[k]);
    if (!state)
      return Unexpected<Error>{state.error().within(call("keyframe", keyframes[k].name, static_cast<Index>(k)))};
    const Index controls = keyframes[k].control.size();
    if (controls != 0 && controls != model.nu())
      return fail("it has " + std::to_string(controls) + " controls for " + std::to_string(model.nu()) + " actuators",
                  call("keyframe", keyframes[k].name, static_cast<Index>(k)), "give one number per actuator");
    if (!keyframes[k].control.allFinite())
      return fail("a control is not finite", call("keyframe", keyframes[k].name, static_cast<Index>(k)),
                  "give finite numbers");
  }
  return ok();
}

Checked check_rows(const Model& model) {
  const ModelDescription& d = model.description();
  const auto count_trees = [&](std::initializer_list<Index> tendons) {
    std::set<Index> trees;
    for (const Index t : tendons) {
      if (t < 0) continue;
      for (const Index body : find_tendon_bodies(d, d.tendons[t])) trees.insert(model.tree(body));
    }
    trees.erase(-1);  // what does not move
    return trees.size();
  };
  const char* remedy = "couple joints of at most two mechanisms";
  for (std::size_t t = 0; t < d.tendons.size(); ++t) {
    const Tendon& tendon = d.tendons[t];
    const std::size_t trees = count_trees({static_cast<Index>(t)});
    const std::string where = call("tendon", tendon.name, static_cast<Index>(t));
    if (tendon.armature != 0.0 && trees > 1)
      return fail("its armature couples joints of mechanisms that are not connected", where,
                  "give the armature to the joints");
    if ((tendon.limited || tendon.friction_loss > 0.0) && trees > 2)
      return fail("it couples more than two mechanisms", where, remedy);
  }
  for (std::size_t e = 0; e < d.equalities.size(); ++e) {
    const Equality& equality = d.equalities[e];
    if (equality.type == EqualityType::kTendon && count_trees({equality.a, equality.b}) > 2)
      return fail("it couples more than two mechanisms", call("equality", equality.name, static_cast<Index>(e)),
                  remedy);
  }
  return ok();
}

Checked check_mass(const Model& model) {
  Data data(model);
  const State state = make_state(model);
  calc_positions(model, state, data);
  calc_mass_matrix(model, data);
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    // From the tips to the root: a pivot is what a joint has to move when all joints beyond it are free.
    const Index bad = factor_from_tips(model, t, data.M[t]);
    if (bad < 0) continue;
    const Index body = model.dof_body(model.trees().start(t) + bad);
    return fail("nothing resists its motion: mass and inertia of what it moves are zero",
                call("body", model.bodies()[body].name, body),
                "give it a mass and an inertia, shapes with a density, or armature to its joints");
  }
  return ok();
}

}  // namespace tribo
