#include "io/recording_codec.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace tribo {
namespace {

constexpr int kPoseBits = 24;
constexpr std::int64_t kNotANumber = std::numeric_limits<std::int64_t>::min();

}  // namespace

std::int64_t to_quanta(double x, int bits) {
  if (std::isnan(x)) return kNotANumber;
  constexpr double kMost = 4611686018427387904.0;  // 2⁶²
  const double scaled = std::nearbyint(std::ldexp(x, bits));
  return static_cast<std::int64_t>(std::min(std::max(scaled, -kMost), kMost));
}

double from_quanta(std::int64_t quanta, int bits) {
  if (quanta == kNotANumber) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(static_cast<double>(quanta), -bits);
}

std::int64_t to_short_float(double x) {
  if (std::isnan(x)) return kNotANumber;
  constexpr double kMost = std::numeric_limits<float>::max();
  const auto narrow = std::abs(x) > kMost ? std::numeric_limits<float>::infinity() : static_cast<float>(std::abs(x));
  const std::int64_t magnitude = (std::int64_t{std::bit_cast<std::uint32_t>(narrow)} + 0x80) >> 8;
  return std::signbit(x) ? -magnitude : magnitude;
}

double from_short_float(std::int64_t code) {
  constexpr std::int64_t kInfinite = 0x7F8000;
  if (code < -kInfinite || code > kInfinite) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = std::bit_cast<float>(static_cast<std::uint32_t>(std::abs(code)) << 8);
  return code < 0 ? -magnitude : magnitude;
}

FrameCodec::FrameCodec(const RecordingHeader& header, std::uint32_t version)
    : bodies_(static_cast<std::int64_t>(header.bodies.size())),
      geoms_(static_cast<std::int64_t>(header.geoms.size())),
      joints_(static_cast<std::int64_t>(header.joints.size())),
      solvers_(header.solvers),
      nq_(header.nq),
      nv_(header.nv),
      nk_(header.nk),
      turning_(header.turning),
      version_(version),
      poses_(header.bodies.size()) {
  Index numbers = 0;
  for (const RecordedSensor& sensor : header.sensors) numbers += sensor.size;
  readings_.assign(static_cast<std::size_t>(numbers), 0);
}

void FrameCodec::forget() {
  readings_.assign(readings_.size(), 0);
  poses_.assign(poses_.size(), PoseQuanta{});
  last_.clear();
  first_of_.clear();
  last_rows_.clear();
  row_of_.clear();
}

void FrameCodec::encode_state(const State& state, ByteWriter& out) const {
  out.f64({state.q.data(), static_cast<std::size_t>(nq_)});
  out.f64({state.v.data(), static_cast<std::size_t>(nv_)});
  for (const KinematicState& motion : state.kinematic) {
    out.f64({motion.pose.p.data(), 3});
    for (const double x : {motion.pose.q.w(), motion.pose.q.x(), motion.pose.q.y(), motion.pose.q.z()}) out.f64(x);
    out.f64({motion.velocity.data(), 3});
    out.f64({motion.angular_velocity.data(), 3});
  }
}

bool FrameCodec::decode_state(ByteReader& in, State& state) const {
  const auto room = static_cast<Index>(in.left() / 8);  // sizes of the header are claims
  if (nq_ > room || nv_ > room || nk_ > room || nq_ + nv_ + 13 * nk_ > room) return false;
  state.q.resize(nq_);
  state.v.resize(nv_);
  state.kinematic.resize(static_cast<std::size_t>(nk_));
  in.f64({state.q.data(), static_cast<std::size_t>(nq_)});
  in.f64({state.v.data(), static_cast<std::size_t>(nv_)});
  for (KinematicState& motion : state.kinematic) {
    in.f64({motion.pose.p.data(), 3});
    for (double* x : {&motion.pose.q.w(), &motion.pose.q.x(), &motion.pose.q.y(), &motion.pose.q.z()}) *x = in.f64();
    in.f64({motion.velocity.data(), 3});
    in.f64({motion.angular_velocity.data(), 3});
  }
  return true;
}

void FrameCodec::encode_poses(const std::vector<Pose>& poses, bool key, ByteWriter& out) {
  std::vector<std::pair<std::int64_t, PoseQuanta>> moved;
  for (std::size_t b = 0; b < poses_.size(); ++b) {
    const Pose& pose = poses[b];
    const std::array<double, 7> numbers{pose.p.x(), pose.p.y(), pose.p.z(), pose.q.w(),
                                        pose.q.x(), pose.q.y(), pose.q.z()};
    PoseQuanta quanta;
    for (std::size_t k = 0; k < 7; ++k) quanta[k] = to_quanta(numbers[k], kPoseBits);
    if (key || quanta != poses_[b]) moved.emplace_back(static_cast<std::int64_t>(b), quanta);
  }
  out.varint(moved.size());
  std::int64_t next = 0;
  for (const auto& [body, quanta] : moved) {
    out.varint(static_cast<std::uint64_t>(body - next));
    next = body + 1;
    PoseQuanta& last = poses_[static_cast<std::size_t>(body)];
    for (std::size_t k = 0; k < 7; ++k) out.zigzag(minus_quanta(quanta[k], last[k]));
    last = quanta;
  }
}

bool FrameCodec::decode_poses(ByteReader& in, std::vector<Pose>& poses) {
  const std::uint64_t count = in.varint();
  if (count > static_cast<std::uint64_t>(bodies_)) return false;
  std::int64_t next = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t skip = in.varint();
    if (skip >= static_cast<std::uint64_t>(bodies_ - next)) return false;
    const std::int64_t body = next + static_cast<std::int64_t>(skip);
    next = body + 1;
    for (std::int64_t& number : poses_[static_cast<std::size_t>(body)]) number = plus_quanta(number, in.zigzag());
  }
  poses.resize(poses_.size());
  for (std::size_t b = 0; b < poses_.size(); ++b) {
    const PoseQuanta& x = poses_[b];
    const auto at = [&](std::size_t k) { return from_quanta(x[k], kPoseBits); };
    poses[b] = {Vector3d(at(0), at(1), at(2)), Quaterniond(at(3), at(4), at(5), at(6))};
    // Rounding leaves the length a little off; a body that was never written has none.
    if (poses[b].q.squaredNorm() > 0.0) poses[b].q.normalize();
  }
  return in.ok();
}

void FrameCodec::encode(const RecordedFrame& frame, bool key, std::string& bytes) {
  TRIBO_REQUIRE(static_cast<std::int64_t>(frame.poses.size()) == bodies_, "a frame has one pose per body");
  TRIBO_REQUIRE(!key || (frame.state.q.size() == nq_ && frame.state.v.size() == nv_ &&
                         static_cast<Index>(frame.state.kinematic.size()) == nk_),
                "a key frame has a state");
  ByteWriter out(bytes);
  out.u8(static_cast<std::uint8_t>((key ? kKeyFlag : 0) | (frame.fallback ? kFallbackFlag : 0)));
  out.u8(static_cast<std::uint8_t>(frame.status));
  const auto solver = std::find(solvers_.begin(), solvers_.end(), frame.solver);
  out.u8(solver == solvers_.end() ? 0 : static_cast<std::uint8_t>(solver - solvers_.begin() + 1));
  out.u8(static_cast<std::uint8_t>(frame.failed_before));
  out.u32(static_cast<std::uint32_t>(frame.contacts.size()));
  out.u32(frame.pivots);
  out.u32(frame.sweeps);
  out.u64(static_cast<std::uint64_t>(frame.step));
  for (const double x : {frame.time, frame.worst, frame.overlap, frame.loop_error, frame.energy, frame.seconds})
    out.f64(x);
  if (key) forget();
  encode_readings(frame, out);
  if (key) encode_state(frame.state, out);
  encode_poses(frame.poses, key, out);
  encode_contacts(frame.contacts, out);
  encode_joint_rows(frame.joint_rows, out);
}

Expected<RecordedFrame> FrameCodec::decode(std::string_view bytes) {
  const auto refuse = [](const char* what) { return fail(what, "", "record again"); };
  ByteReader in(bytes);
  RecordedFrame frame;
  const std::uint8_t flags = in.u8(), status = in.u8(), solver = in.u8();
  frame.failed_before = in.u8();
  const std::uint32_t contacts = in.u32();
  frame.key = (flags & kKeyFlag) != 0;
  frame.fallback = (flags & kFallbackFlag) != 0;
  if (status > static_cast<std::uint8_t>(Status::kInterrupted)) return refuse("there is no such status");
  frame.status = static_cast<Status>(status);
  if (solver > solvers_.size()) return refuse("there is no such solver in the header");
  if (solver > 0) frame.solver = solvers_[solver - 1u];
  frame.pivots = in.u32();
  frame.sweeps = in.u32();
  frame.step = static_cast<std::int64_t>(in.u64());
  for (double* x : {&frame.time, &frame.worst, &frame.overlap, &frame.loop_error, &frame.energy, &frame.seconds})
    *x = in.f64();
  if (!in.ok()) return refuse("is too short");
  if (frame.key) forget();
  if (version_ >= kReadingsVersion && !decode_readings(in, frame))
    return refuse("the numbers of sensors do not fit the header");
  if (frame.key && !decode_state(in, frame.state)) return refuse("the state is longer than the frame");
  if (!decode_poses(in, frame.poses)) return refuse("the poses do not fit the bodies of the header");
  if (!decode_contacts(in, frame)) return refuse("the contacts do not fit the header");
  if (last_.size() != contacts) return refuse("holds another number of contacts than it says");
  if (version_ >= kJointRowsVersion && !decode_joint_rows(in, frame.joint_rows))
    return refuse("the limits and dry friction do not fit the joints of the header");
  if (in.left() != 0) return refuse("is longer than what it says it holds");
  return frame;
}

}  // namespace tribo
