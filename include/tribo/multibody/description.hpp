// ModelDescription: a robot or a scene as plain values, what a file says after all defaults and units are resolved. SI, radians.
//
// Body 0 is the world. Bodies are listed parents first, depth first, in the file's order; q and v follow that order
// (Model::make numbers them). Everything that hangs on a body is given in that body's frame.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/geometry/mass_properties.hpp"
#include "tribo/geometry/mesh.hpp"
#include "tribo/geometry/pose.hpp"
#include "tribo/geometry/shape.hpp"
#include "tribo/multibody/integrator.hpp"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tribo {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

struct Body {
  std::string name;
  Index parent = 0;
  Pose pose;                          // in the parent's frame, with all joints at their reference
  MassProperties inertia;             // in the body's frame
  double gravity_compensation = 0.0;  // share of its weight that is carried from outside
  bool kinematic = false;  // moved by the user, not by forces (MJCF: mocap); a child of the world without joints
};

enum class JointType : std::uint8_t {
  kFree,  // q: position, quaternion w x y z, of the body's frame in the world; v: linear in world axes, angular in body axes
  kBall,    // q: quaternion; v: angular velocity in the child's axes
  kHinge,   // q: angle about axis
  kSlide,   // q: distance along axis
  kPlanar,  // q: x, y, angle: slides along the two directions of planar_axes(axis), then turns about axis
};
const char* name_of(JointType type);
int calc_nq(JointType type);
int calc_nv(JointType type);
// The rotation by the shortest way from z to `axis`, applied to x and to y.
std::array<Vector3d, 2> planar_axes(const Vector3d& axis);

// Several joints of one body act one after the other, in the order of the list.
struct Joint {
  std::string name;
  JointType type = JointType::kHinge;
  Index body = 0;
  Vector3d anchor = Vector3d::Zero();  // point the joint turns about; in the body's frame
  Vector3d axis = Vector3d::UnitZ();   // unit, in the body's frame
  double reference = 0.0;              // q of hinge and slide at Body::pose
  bool limited = false;                // hinge, slide: lower <= q <= upper; ball: angle <= upper
  double lower = 0.0, upper = 0.0;
  double stiffness = 0.0, spring_reference = 0.0;  // force −stiffness (q − spring_reference)
  // Both > 0: Model::make sets stiffness and damping so that the joint alone, with its inertia at the reference, has this time
  // constant (s) and damping ratio.
  double spring_time = 0.0, spring_damping_ratio = 0.0;
  double damping = 0.0;        // N·s/m or N·m·s
  double armature = 0.0;       // added to M on every dof of the joint
  double friction_loss = 0.0;  // dry friction, N or N·m
  // hinge, slide: the sum of what all actuators give along the joint is clamped, N or N·m
  bool actuation_limited = false;
  double actuation_lower = 0.0, actuation_upper = 0.0;
  double effort_limit = kUnlimited, velocity_limit = kUnlimited;  // URDF; kept for controllers
};

// What a geom or a pair says of its contacts beyond friction; empty: it says nothing. Each number is that of one contact point.
// Two geoms: what only one says counts; where both do, the one of higher priority, else: the larger mu_v, the mean restitution,
// stiffness and damping as springs and dampers in series. What a pair says counts before its geoms.
struct SurfaceLaw {
  std::optional<double> mu_v = {};         // N·s/m, >= 0; models viscous
  std::optional<double> restitution = {};  // 0 … 1; empty: as solref has it
  std::optional<double> stiffness = {};    // N/m, > 0; compliant contacts; empty: by shape and material
  std::optional<double> damping = {};      // N·s/m, >= 0; the same
  bool operator==(const SurfaceLaw&) const = default;
};
Checked validate(const SurfaceLaw& law, const std::string& where);

struct Geom {
  std::string name;
  Index body = 0;
  Shape shape;
  Pose pose;  // in the body's frame
  int contype = 1, conaffinity = 1, condim = 3, group = 0, priority = 0;
  Vector3d friction{1.0, 0.005, 0.0001};  // sliding; spin, roll: m
  double margin = 0.0, gap = 0.0;         // m; surfaces rest margin − gap apart, where that is positive
  std::array<double, 2> solref{0.02,
                               1.0};  // MJCF's contact softness: time constant, damping ratio (or −stiffness, −damping)
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2.0};
  double solmix = 1.0;
  std::array<double, 4> rgba{0.5, 0.5, 0.5, 1.0};
  std::string material;  // its name in the file; stiffness follows from it where it is that of a real one
  SurfaceLaw surface = {};
  bool exact_mesh = false;  // collides by the triangles of its mesh, not by their hull; only on bodies that cannot move
};

struct Site {
  std::string name;
  Index body = 0;
  Pose pose;
  Shape shape = {ShapeType::kSphere, Vector3d::Constant(0.005),
                 -1};  // the zone of touch sensors; no plane, mesh or field
};

// Fixed: length = Σ coefficient · q of hinges and slides. Spatial: the length of the way along `path`.
enum class PathPointType : std::uint8_t {
  kSite,    // the path goes through it
  kSphere,  // between two sites: the path goes round this geom where it is in the way, or where the side site asks for it
  kCylinder,  // the same, round a cylinder without ends
  kPulley,    // a branch ends and another begins; lengths of the new one are divided by `divisor`
};
struct Tendon {
  struct Term {
    Index joint = 0;
    double coefficient = 1.0;
  };
  struct PathPoint {
    PathPointType type = PathPointType::kSite;
    Index index = -1;  // site or geom
    Index side_site =
        -1;  // of a geom: the path passes on its side; inside the geom: through the geom. -1: the shorter way
    double divisor = 1.0;
  };
  std::string name;
  std::vector<Term> terms;
  std::vector<PathPoint> path;  // not beside terms
  bool limited = false;
  double lower = 0.0, upper = 0.0;
  double stiffness = 0.0, damping = 0.0, friction_loss = 0.0, armature = 0.0;
  double spring_lower = 0.0, spring_upper = 0.0;  // no spring force in between
  bool rests_with_joints = false;  // Model::make sets both to the length with all springs of joints at rest
};

enum class EqualityType : std::uint8_t {
  kConnect,  // a point of body a stays on a point of body b
  kWeld,     // frame a stays on frame b
  kJoint,   // q_a − q_a0 = Σ_k c_k (q_b − q_b0)^k, q0 the reference; b = -1: q_a − q_a0 = c_0. Also mimic joints
  kTendon,  // the same with lengths of tendons
};
struct Equality {
  std::string name;
  EqualityType type = EqualityType::kConnect;
  Index a = -1, b = -1;   // bodies (0: world), joints or tendons
  Pose frame_a, frame_b;  // connect, weld: in bodies a and b
  std::array<double, 5> polynomial{0.0, 1.0, 0.0, 0.0, 0.0};
  bool active = true;
  std::array<double, 2> solref{0.02, 1.0};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2.0};
};

// The law of a muscle (src/multibody/muscle.hpp); lengths and speeds of the fibre are in units of its optimal length.
struct Muscle {
  std::array<double, 2> range{0.75, 1.05};     // lengths of the fibre at both ends of the actuator's motion
  double force = -1.0;                         // N, peak at rest; < 0: Model::make sets it from `scale`
  double scale = 200.0;                        // N s²/m: peak force times acceleration per unit force
  double lmin = 0.5, lmax = 1.6;               // where the active force ends
  double vmax = 1.5;                           // 1/s, of shortening without force
  double fpmax = 1.3, fvmax = 1.2;             // passive force at lmax, active force at the fastest lengthening; peaks
  double rise_time = 0.01, decay_time = 0.04;  // s, of the activation
  double smoothing = 0.0;                      // of the control: how wide the change from rise to decay is
  double length_lower = 0.0, length_upper = 0.0;  // m, the actuator's at both ends; equal: Model::make finds them
};

// What drives an actuator: the control u itself, or an activation a that follows it.
enum class ActuatorDynamics : std::uint8_t {
  kNone,
  kIntegrator,  // ȧ = u
  kFilter,      // ȧ = (u − a) / time_constant
  kMuscle,      // the same with the muscle's times
};

// force = clamp((gain_0 + gain_1 l + gain_2 l̇) ctrl + bias_0 + bias_1 l + bias_2 l̇), l = gear · (joint or tendon); with dynamics, the
// activation in place of ctrl. A muscle has its own law instead.
enum class Transmission : std::uint8_t { kJoint, kTendon, kSite, kBody };
struct Actuator {
  std::string name;
  Transmission transmission = Transmission::kJoint;
  Index target = 0;
  std::array<double, 6> gear{1.0, 0.0, 0.0, 0.0, 0.0, 0.0};  // joints with one dof and tendons: the first number
  bool in_parent = false;     // ball and free joints: gear in the parent's axes (free: the world's)
  Index reference_site = -1;  // site: gear acts between the two
  std::array<double, 3> gain{1.0, 0.0, 0.0}, bias{0.0, 0.0, 0.0};
  double damping_ratio = 0.0;  // > 0: Model::make sets bias_2 = −2 ratio √(stiffness · inertia at q0)
  bool control_limited = false, force_limited = false;
  double control_lower = 0.0, control_upper = 0.0, force_lower = 0.0, force_upper = 0.0;
  ActuatorDynamics dynamics = ActuatorDynamics::kNone;
  double time_constant = 0.0;  // s; 0: the activation is the control
  bool activation_limited = false;
  double activation_lower = 0.0, activation_upper = 0.0;
  std::optional<Muscle> muscle = {};
};

enum class SensorType : std::uint8_t {
  kTouch,  // N, >= 0: normal forces of the body's contacts whose point is in the site's shape, or whose outward normal meets it
  kAccelerometer,  // m/s², of the site, without gravity, in its axes: + g upward at rest
  kVelocimeter,    // m/s, of the site, in its axes
  kGyro,           // rad/s, the same
  kForce,          // N, from the parent on the site's body and what hangs on it, in the site's axes
  kTorque,         // N·m, about the site, the same
  kJointPosition,
  kJointVelocity,  // of hinges and slides
  kTendonPosition,
  kTendonVelocity,
  kActuatorPosition,
  kActuatorVelocity,
  kActuatorForce,  // N or N·m, along the actuator's length
  kBallQuaternion,
  kBallVelocity,  // rad/s, in the child's axes
  kFramePosition,
  kFrameQuaternion,
  kFrameXAxis,
  kFrameYAxis,
  kFrameZAxis,
  kFrameLinearVelocity,
  kFrameAngularVelocity,  // of frames, in axes of a reference frame and against it
  kSubtreeCom,            // m, of a body and all that hangs on it
  kSubtreeVelocity,       // m/s, of that point
  kClock,                 // s
};
int calc_size(SensorType type);

enum class SensorFrame : std::uint8_t { kWorld, kBody, kInertial, kGeom, kSite };
struct Sensor {
  std::string name;
  SensorType type = SensorType::kClock;
  SensorFrame frame =
      SensorFrame::kWorld;  // of frame sensors, gyro and velocimeter; kInertial: a body's principal axes
  Index index = 0;          // body, geom, site, joint, tendon or actuator
  SensorFrame reference = SensorFrame::kWorld;
  Index reference_index = 0;
  double cutoff = 0.0;  // > 0: values are clamped to ± cutoff
};

struct ContactPair {
  std::string name;
  Index geom_a = 0, geom_b = 0;
  int condim = 3;
  std::array<double, 5> friction{1.0, 1.0, 0.005, 0.0001, 0.0001};  // two tangents, spin, two rolls
  double margin = 0.0, gap = 0.0;
  std::array<double, 2> solref{0.02, 1.0};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2.0};
  SurfaceLaw surface = {};
};

struct Keyframe {
  std::string name;
  double time = 0.0;
  VectorXd q, v, control;       // as long as the model's; empty: reference, zero, zero
  VectorXd activation;          // one per actuator; empty: zero
  std::vector<Pose> kinematic;  // one per kinematic body; empty: as in the file
};

inline std::vector<Body> only_world() {
  std::vector<Body> bodies(1);
  bodies[0].name = "world";
  return bodies;
}

struct ModelDescription {
  std::string name;
  std::string file;
  double timestep = 0.002;                    // s; what the file proposes
  std::optional<Integrator> integrator = {};  // likewise
  Vector3d gravity{0.0, 0.0, -9.81};          // m/s²
  std::vector<Body> bodies = only_world();
  std::vector<Joint> joints;  // by body, in the bodies' order
  std::vector<Geom> geoms;
  std::vector<Site> sites;
  std::vector<Mesh> meshes;
  std::vector<HeightField> height_fields;
  std::vector<Tendon> tendons;
  std::vector<Equality> equalities;
  std::vector<Actuator> actuators;
  std::vector<Sensor> sensors;
  std::vector<ContactPair> pairs;
  std::vector<std::array<Index, 2>> excludes;  // bodies that never touch
  bool filter_parent = true;                   // a body and its parent never touch (the world's children do touch it)
  std::vector<Keyframe> keyframes;
};

// Whether joints or hands move the body or what it hangs on. Parents must be listed before their children.
bool can_move(const ModelDescription& description, Index body);

}  // namespace tribo
