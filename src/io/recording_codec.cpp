#include "io/recording_codec.hpp"

#include "tribo/core/assert.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace tribo {
namespace {

constexpr int kPoseBits = 24, kPointBits = 20, kNormalBits = 20;
constexpr std::int64_t kNotANumber = std::numeric_limits<std::int64_t>::min();
constexpr std::uint8_t kStateBits = 3, kSamePair = 4, kSameContact = 8, kSameNormal = 16, kNoImpulse = 32;
constexpr std::size_t kNormal = 3, kGap = 6, kImpulse = 7;

// Wraps around instead of overflowing, and back again.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::array<std::int64_t, 10> numbers_of(const RecordedContact& contact) {
  std::array<std::int64_t, 10> numbers{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<Index>(k);
    numbers[k] = to_quanta(contact.point(i), kPointBits);
    numbers[kNormal + k] = to_quanta(contact.normal(i), kNormalBits);
    numbers[kImpulse + k] = to_short_float(contact.impulse(i));
  }
  numbers[kGap] = to_short_float(contact.gap);
  return numbers;
}

bool has_impulse(const std::array<std::int64_t, 10>& numbers) {
  return numbers[kImpulse] != 0 || numbers[kImpulse + 1] != 0 || numbers[kImpulse + 2] != 0;
}

bool same_normal(const std::array<std::int64_t, 10>& a, const std::array<std::int64_t, 10>& b) {
  return a[kNormal] == b[kNormal] && a[kNormal + 1] == b[kNormal + 1] && a[kNormal + 2] == b[kNormal + 2];
}

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

FrameCodec::FrameCodec(const RecordingHeader& header)
    : bodies_(static_cast<std::int64_t>(header.bodies.size())),
      geoms_(static_cast<std::int64_t>(header.geoms.size())),
      joints_(static_cast<std::int64_t>(header.joints.size())),
      nq_(header.nq),
      nv_(header.nv),
      nk_(header.nk),
      poses_(header.bodies.size()) {}

void FrameCodec::forget() {
  poses_.assign(poses_.size(), PoseQuanta{});
  last_.clear();
  first_of_.clear();
}

void FrameCodec::turn_page() {
  last_.swap(now_);
  first_of_.clear();
  for (std::size_t i = 0; i < last_.size(); ++i) first_of_.try_emplace(last_[i].pair, i);
}

const FrameCodec::ContactQuanta& FrameCodec::guess(const ContactQuanta& contact, bool& known) {
  static const ContactQuanta nothing;
  place_ = !now_.empty() && now_.back().pair == contact.pair ? place_ + 1 : 0;
  const auto found = first_of_.find(contact.pair);
  known = found != first_of_.end() && found->second + place_ < last_.size() &&
          last_[found->second + place_].pair == contact.pair;
  return known ? last_[found->second + place_] : now_.empty() ? nothing : now_.back();
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
    for (std::size_t k = 0; k < 7; ++k) out.zigzag(minus(quanta[k], last[k]));
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
    for (std::int64_t& number : poses_[static_cast<std::size_t>(body)]) number = plus(number, in.zigzag());
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

void FrameCodec::encode_contacts(const std::vector<RecordedContact>& contacts, ByteWriter& out) {
  now_.clear();
  out.varint(contacts.size());
  for (const RecordedContact& contact : contacts) {
    ContactQuanta quanta;
    quanta.pair = {contact.geom_a, contact.geom_b, contact.joint};
    quanta.state = static_cast<std::uint8_t>(contact.state);
    quanta.numbers = numbers_of(contact);
    bool known = false;
    const ContactQuanta guessed = guess(quanta, known);
    std::uint8_t flags = quanta.state;
    const bool same_pair = !now_.empty() && now_.back().pair == quanta.pair;
    const bool same = known && guessed == quanta;
    const bool normal = !now_.empty() && same_normal(now_.back().numbers, quanta.numbers);
    const bool impulse = has_impulse(quanta.numbers);
    if (same_pair) flags |= kSamePair;
    if (same) flags |= kSameContact;
    if (normal) flags |= kSameNormal;
    if (!impulse) flags |= kNoImpulse;
    out.u8(flags);
    if (!same_pair) {
      for (const std::int64_t index : quanta.pair) out.varint(static_cast<std::uint64_t>(index + 1));
    }
    for (std::size_t k = 0; k < 10 && !same; ++k) {
      if ((normal && k >= kNormal && k < kGap) || (!impulse && k >= kImpulse)) continue;
      out.zigzag(minus(quanta.numbers[k], guessed.numbers[k]));
    }
    now_.push_back(quanta);
  }
  turn_page();
}

bool FrameCodec::decode_pair(ByteReader& in, ContactQuanta& contact) const {
  const std::array<std::int64_t, 3> counts{geoms_, geoms_, joints_};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint64_t index = in.varint();
    if (index > static_cast<std::uint64_t>(counts[k])) return false;
    contact.pair[k] = static_cast<std::int64_t>(index) - 1;
  }
  return in.ok();
}

bool FrameCodec::decode_contacts(ByteReader& in, std::vector<RecordedContact>& contacts) {
  now_.clear();
  const std::uint64_t count = in.varint();
  if (count > in.left()) return false;  // each takes a byte at least
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint8_t flags = in.u8();
    ContactQuanta quanta;
    quanta.state = flags & kStateBits;
    if (quanta.state > static_cast<std::uint8_t>(ContactState::kStick)) return false;
    if ((flags & (kSamePair | kSameNormal)) != 0 && now_.empty()) return false;
    if ((flags & kSamePair) != 0) quanta.pair = now_.back().pair;
    if ((flags & kSamePair) == 0 && !decode_pair(in, quanta)) return false;
    bool known = false;
    const ContactQuanta guessed = guess(quanta, known);
    const bool same = (flags & kSameContact) != 0;
    if (same && !known) return false;
    quanta.numbers = guessed.numbers;
    for (std::size_t k = 0; k < 10 && !same; ++k) {
      if ((flags & kSameNormal) != 0 && k >= kNormal && k < kGap) {
        quanta.numbers[k] = now_.back().numbers[k];
      } else if ((flags & kNoImpulse) != 0 && k >= kImpulse) {
        quanta.numbers[k] = 0;
      } else {
        quanta.numbers[k] = plus(guessed.numbers[k], in.zigzag());
      }
    }
    if (!in.ok()) return false;
    RecordedContact& contact = contacts.emplace_back();
    contact.geom_a = quanta.pair[0];
    contact.geom_b = quanta.pair[1];
    contact.joint = quanta.pair[2];
    contact.state = static_cast<ContactState>(quanta.state);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Index>(k);
      contact.point(axis) = from_quanta(quanta.numbers[k], kPointBits);
      contact.normal(axis) = from_quanta(quanta.numbers[kNormal + k], kNormalBits);
      contact.impulse(axis) = from_short_float(quanta.numbers[kImpulse + k]);
    }
    contact.gap = from_short_float(quanta.numbers[kGap]);
    now_.push_back(quanta);
  }
  turn_page();
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
  out.u8(0);
  out.u8(0);
  out.u32(static_cast<std::uint32_t>(frame.contacts.size()));
  out.u32(frame.pivots);
  out.u32(frame.sweeps);
  out.u64(static_cast<std::uint64_t>(frame.step));
  for (const double x : {frame.time, frame.worst, frame.overlap, frame.loop_error, frame.energy, frame.seconds})
    out.f64(x);
  if (key) {
    forget();
    encode_state(frame.state, out);
  }
  encode_poses(frame.poses, key, out);
  encode_contacts(frame.contacts, out);
}

Expected<RecordedFrame> FrameCodec::decode(std::string_view bytes) {
  const auto refuse = [](const char* what) { return fail(what, "", "record again"); };
  ByteReader in(bytes);
  RecordedFrame frame;
  const std::uint8_t flags = in.u8(), status = in.u8();
  in.u8();
  in.u8();
  const std::uint32_t contacts = in.u32();
  frame.key = (flags & kKeyFlag) != 0;
  frame.fallback = (flags & kFallbackFlag) != 0;
  if (status > static_cast<std::uint8_t>(Status::kInterrupted)) return refuse("there is no such status");
  frame.status = static_cast<Status>(status);
  frame.pivots = in.u32();
  frame.sweeps = in.u32();
  frame.step = static_cast<std::int64_t>(in.u64());
  for (double* x : {&frame.time, &frame.worst, &frame.overlap, &frame.loop_error, &frame.energy, &frame.seconds})
    *x = in.f64();
  if (!in.ok()) return refuse("is too short");
  if (frame.key) {
    forget();
    if (!decode_state(in, frame.state)) return refuse("the state is longer than the frame");
  }
  if (!decode_poses(in, frame.poses)) return refuse("the poses do not fit the bodies of the header");
  if (!decode_contacts(in, frame.contacts)) return refuse("the contacts do not fit the header");
  if (in.left() != 0 || frame.contacts.size() != contacts) return refuse("is longer than what it says it holds");
  return frame;
}

}  // namespace tribo
