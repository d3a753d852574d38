// Counts of collision and numbers of sensors in a frame:
//     varint pairs, distances, manifolds;  per number of the sensors a difference of floats, as whole numbers, to the
//     last frame
#include "io/recording_readings.hpp"

#include "tribo/core/assert.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "io/recording_codec.hpp"

namespace tribo {
namespace {

constexpr std::int64_t kNotANumber = std::numeric_limits<std::int64_t>::min();

bool turns(JointType type) { return type == JointType::kHinge || type == JointType::kBall; }

// Of a length of the actuator, its speed and its force; empty where the gear mixes units.
struct ActuatorUnits {
  const char *length = "", *speed = "", *force = "";
};
ActuatorUnits units_of(const ModelDescription& d, const Actuator& actuator) {
  if (actuator.transmission != Transmission::kJoint) return {};
  const JointType type = d.joints[static_cast<std::size_t>(actuator.target)].type;
  if (type == JointType::kHinge) return {"rad", "rad/s", "N·m"};
  if (type == JointType::kSlide) return {"m", "m/s", "N"};
  return {};
}

std::string unit_of(const ModelDescription& d, const Sensor& sensor) {
  const auto at = static_cast<std::size_t>(sensor.index);
  switch (sensor.type) {
    case SensorType::kTouch:
    case SensorType::kForce:
      return "N";
    case SensorType::kAccelerometer:
      return "m/s²";
    case SensorType::kVelocimeter:
    case SensorType::kFrameLinearVelocity:
    case SensorType::kSubtreeVelocity:
      return "m/s";
    case SensorType::kGyro:
    case SensorType::kBallVelocity:
    case SensorType::kFrameAngularVelocity:
      return "rad/s";
    case SensorType::kTorque:
      return "N·m";
    case SensorType::kJointPosition:
      return turns(d.joints[at].type) ? "rad" : "m";
    case SensorType::kJointVelocity:
      return turns(d.joints[at].type) ? "rad/s" : "m/s";
    case SensorType::kFramePosition:
    case SensorType::kSubtreeCom:
      return "m";
    case SensorType::kActuatorPosition:
      return units_of(d, d.actuators[at]).length;
    case SensorType::kActuatorVelocity:
      return units_of(d, d.actuators[at]).speed;
    case SensorType::kActuatorForce:
      return units_of(d, d.actuators[at]).force;
    case SensorType::kClock:
      return "s";
    case SensorType::kTendonPosition:  // sums of angles and lengths
    case SensorType::kTendonVelocity:
    case SensorType::kBallQuaternion:
    case SensorType::kFrameQuaternion:
    case SensorType::kFrameXAxis:
    case SensorType::kFrameYAxis:
    case SensorType::kFrameZAxis:
      break;
  }
  return "";
}

bool has_activation(const Actuator& actuator) { return actuator.dynamics != ActuatorDynamics::kNone; }

}  // namespace

std::vector<RecordedSensor> list_sensors(const Model& model) {
  const ModelDescription& d = model.description();
  std::vector<RecordedSensor> list;
  for (std::size_t s = 0; s < d.sensors.size(); ++s) {
    const Sensor& sensor = d.sensors[s];
    list.push_back(
        {sensor.name.empty() ? "sensor" + std::to_string(s) : sensor.name, unit_of(d, sensor), calc_size(sensor.type)});
  }
  for (std::size_t a = 0; a < d.actuators.size(); ++a) {
    const Actuator& actuator = d.actuators[a];
    const std::string name = actuator.name.empty() ? "actuator" + std::to_string(a) : actuator.name;
    if (has_activation(actuator)) list.push_back({name + " activation", "", 1});
  }
  return list;
}

std::int64_t to_float_code(double x) {
  if (std::isnan(x)) return kNotANumber;
  constexpr double kMost = std::numeric_limits<float>::max();
  const auto narrow = std::abs(x) > kMost ? std::numeric_limits<float>::infinity() : static_cast<float>(std::abs(x));
  const std::int64_t magnitude = std::bit_cast<std::uint32_t>(narrow);
  return std::signbit(x) ? -magnitude : magnitude;
}

double from_float_code(std::int64_t code) {
  constexpr std::int64_t kInfinite = 0x7F800000;
  if (code < -kInfinite || code > kInfinite) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = std::bit_cast<float>(static_cast<std::uint32_t>(std::abs(code)));
  return code < 0 ? -magnitude : magnitude;
}

void FrameCodec::encode_readings(const RecordedFrame& frame, ByteWriter& out) {
  TRIBO_REQUIRE(frame.sensors.size() == readings_.size(), "a frame has all numbers of the sensors of the header");
  for (const Index count : {frame.collision.pairs, frame.collision.distances, frame.collision.manifolds})
    out.varint(static_cast<std::uint64_t>(count));
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const std::int64_t code = to_float_code(frame.sensors[i]);
    out.zigzag(minus_quanta(code, readings_[i]));
    readings_[i] = code;
  }
}

bool FrameCodec::decode_readings(ByteReader& in, RecordedFrame& frame) {
  for (Index* count : {&frame.collision.pairs, &frame.collision.distances, &frame.collision.manifolds}) {
    const std::uint64_t number = in.varint();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return false;
    *count = static_cast<Index>(number);
  }
  if (readings_.size() > in.left()) return false;  // each takes a byte at least
  frame.sensors.resize(readings_.size());
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    readings_[i] = plus_quanta(readings_[i], in.zigzag());
    frame.sensors[i] = from_float_code(readings_[i]);
  }
  return in.ok();
}

}  // namespace tribo
