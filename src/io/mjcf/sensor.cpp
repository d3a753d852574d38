// <sensor>: what is measured, of which part. Kinds that we do not measure are listed.
#include <map>

#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

struct Kind {
  SensorType type;
  const char* part;  // the attribute that names it, which is also its kind; "": a frame by objtype and objname
};

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all{{"touch", {SensorType::kTouch, "site"}},
                                               {"accelerometer", {SensorType::kAccelerometer, "site"}},
                                               {"velocimeter", {SensorType::kVelocimeter, "site"}},
                                               {"gyro", {SensorType::kGyro, "site"}},
                                               {"force", {SensorType::kForce, "site"}},
                                               {"torque", {SensorType::kTorque, "site"}},
                                               {"jointpos", {SensorType::kJointPosition, "joint"}},
                                               {"jointvel", {SensorType::kJointVelocity, "joint"}},
                                               {"ballquat", {SensorType::kBallQuaternion, "joint"}},
                                               {"ballangvel", {SensorType::kBallVelocity, "joint"}},
                                               {"tendonpos", {SensorType::kTendonPosition, "tendon"}},
                                               {"tendonvel", {SensorType::kTendonVelocity, "tendon"}},
                                               {"actuatorpos", {SensorType::kActuatorPosition, "actuator"}},
                                               {"actuatorvel", {SensorType::kActuatorVelocity, "actuator"}},
                                               {"actuatorfrc", {SensorType::kActuatorForce, "actuator"}},
                                               {"framepos", {SensorType::kFramePosition, ""}},
                                               {"framequat", {SensorType::kFrameQuaternion, ""}},
                                               {"framexaxis", {SensorType::kFrameXAxis, ""}},
                                               {"frameyaxis", {SensorType::kFrameYAxis, ""}},
                                               {"framezaxis", {SensorType::kFrameZAxis, ""}},
                                               {"framelinvel", {SensorType::kFrameLinearVelocity, ""}},
                                               {"frameangvel", {SensorType::kFrameAngularVelocity, ""}},
                                               {"subtreecom", {SensorType::kSubtreeCom, "body"}},
                                               {"subtreelinvel", {SensorType::kSubtreeVelocity, "body"}},
                                               {"clock", {SensorType::kClock, nullptr}}};
  return all;
}

// objtype and objname, or reftype and refname. False: a camera, which we have not.
bool read_frame(MjcfContext& context, const XmlFields& fields, const char* type, const char* name, SensorFrame& frame,
                Index& index) {
  static constexpr const char* kWords[] = {"body", "xbody", "geom", "site", "camera"};
  static constexpr SensorFrame kFrames[] = {SensorFrame::kInertial, SensorFrame::kBody, SensorFrame::kGeom,
                                            SensorFrame::kSite};
  int word = 0;
  if (!fields.has(type)) fields.fail(type, "is missing", "give body, xbody, geom or site");
  if (fields.choice(type, kWords, word) == 0) return true;
  if (word == 4) return false;
  frame = kFrames[word];
  index = context.look_up(word <= 1 ? "body" : kWords[word], fields, name);
  return true;
}

// False: it is not measured, which a notice says.
bool read_sensor(MjcfContext& context, const XmlElement& item, Sensor& sensor) {
  const XmlFields fields(item, context.errors);
  const auto found = kinds().find(item.name);
  if (found == kinds().end()) {
    context.notices.add("sensor/" + item.name, false, "not read: not measured");
    return false;
  }
  const Kind& kind = found->second;
  sensor.type = kind.type;
  fields.text("name", sensor.name);
  fields.number("cutoff", sensor.cutoff);
  if (sensor.cutoff < 0.0) fields.fail("cutoff", "is negative", "give a number >= 0");
  const bool unit = calc_size(kind.type) == 4 || kind.type == SensorType::kFrameXAxis ||
                    kind.type == SensorType::kFrameYAxis || kind.type == SensorType::kFrameZAxis;
  if (unit) sensor.cutoff = 0.0;  // directions are not clamped
  bool measured = true;
  if (kind.part != nullptr && *kind.part != '\0') {
    sensor.index = context.look_up(kind.part, fields, kind.part);
    if (kind.part == std::string("site")) sensor.frame = SensorFrame::kSite;
  } else if (kind.part != nullptr) {
    measured = read_frame(context, fields, "objtype", "objname", sensor.frame, sensor.index);
    if (measured && (fields.has("reftype") || fields.has("refname")))
      measured = read_frame(context, fields, "reftype", "refname", sensor.reference, sensor.reference_index);
  }
  if (!measured) context.notices.add("sensor/" + item.name, false, "not read: cameras are left out");
  const bool axes = unit && kind.type != SensorType::kBallQuaternion;
  if (axes && (sensor.frame == SensorFrame::kInertial || sensor.reference == SensorFrame::kInertial))
    context.notices.add("sensor@objtype=body", false, "its axes are those of inertia, the largest moment first");
  double noise = 0.0, samples = 0.0;
  fields.number("noise", noise);
  if (noise != 0.0) context.notices.add("sensor@noise", false, "values have no noise");
  fields.number("nsample", samples);
  if (samples != 0.0 || fields.has("delay") || fields.has("interval"))
    context.notices.add("sensor@delay", false, "values are those of every step, without delay");
  return measured;
}

}  // namespace

void read_sensors(MjcfContext& context) {
  context.for_each("sensor", [&](const XmlElement& item) {
    Sensor sensor;
    if (!read_sensor(context, item, sensor) || context.errors.failed()) return;
    context.declare("sensor", item, sensor.name, static_cast<Index>(context.model.sensors.size()));
    context.model.sensors.push_back(std::move(sensor));
  });
}

}  // namespace tribo
