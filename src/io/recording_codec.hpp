// A frame of a recording to bytes and back. Rounded numbers become whole ones (quanta), and what is written is their difference
// to the last frame's: rounding never adds up, and what rests costs next to nothing.
#pragma once

#include "tribo/io/recording.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/recording_bytes.hpp"
#include "io/recording_layout.hpp"

namespace tribo {

// The fixed part at the beginning of every frame's content.
inline constexpr std::size_t kFixedBytes = 72;
inline constexpr std::uint8_t kKeyFlag = 1, kFallbackFlag = 2;

// x in quanta of 2^-bits, halves to even; beyond ±2⁶² it stays there. NaN is a number of its own.
std::int64_t to_quanta(double x, int bits);
double from_quanta(std::int64_t quanta, int bits);
// A float without its last eight bits, as a whole number that grows with it.
std::int64_t to_short_float(double x);
double from_short_float(std::int64_t code);

// Wraps around instead of overflowing, and back again.
inline std::int64_t minus_quanta(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
inline std::int64_t plus_quanta(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// One object for one direction; frames in their order. A key frame forgets what was before.
class FrameCodec {
 public:
  // `version`: of what is decoded; what is encoded is always of the newest.
  explicit FrameCodec(const RecordingHeader& header, std::uint32_t version = kRecordingVersion);
  void encode(const RecordedFrame& frame, bool key, std::string& bytes);
  Expected<RecordedFrame> decode(std::string_view bytes);

 private:
  using PoseQuanta = std::array<std::int64_t, 7>;
  // Point, normal, gap, impulse, mu, velocity; mu_spin, mu_roll, couple, turning.
  using ContactNumbers = std::array<std::int64_t, 22>;
  struct ContactQuanta {
    std::array<std::int64_t, 3> pair{-1, -1, -1};  // geom a, geom b; before kJointRowsVersion a joint
    std::uint8_t flags = 0, turning = 0;           // turning: flags of those numbers
    std::int64_t old = 0;                          // place in last_ of the contact that it is compared with; see below
    ContactNumbers numbers{};
  };
  // Gap, bound, impulse, velocity.
  using JointRowNumbers = std::array<std::int64_t, 4>;
  using JointRowKey = std::array<std::int64_t, 3>;  // kind, joint, place
  struct JointRowQuanta {
    JointRowKey key{};
    std::uint8_t flags = 0;
    std::int64_t old = -1;  // place in last_rows_ of the row with the same key; -1: there is none
    JointRowNumbers numbers{};
  };
  static constexpr std::int64_t kBefore = -1, kNothing = -2;  // the contact before it; zeros

  void forget();
  void encode_readings(const RecordedFrame& frame, ByteWriter& out);
  bool decode_readings(ByteReader& in, RecordedFrame& frame);
  void encode_state(const State& state, ByteWriter& out) const;
  bool decode_state(ByteReader& in, State& state) const;
  void encode_poses(const std::vector<Pose>& poses, bool key, ByteWriter& out);
  bool decode_poses(ByteReader& in, std::vector<Pose>& poses);
  void encode_contacts(const std::vector<RecordedContact>& contacts, ByteWriter& out);
  bool decode_contacts(ByteReader& in, RecordedFrame& frame);
  bool take_contacts(RecordedFrame& frame) const;
  static ContactNumbers numbers_of(const RecordedContact& contact);
  static RecordedContact contact_of(const ContactQuanta& quanta);
  bool decode_pair(ByteReader& in, std::size_t i);
  void encode_columns(ByteWriter& out) const;
  void decode_columns(ByteReader& in);
  static bool decode_flags(ByteReader& in, std::vector<std::uint8_t>& flags);
  // The contact of the last frame that stands at the same place among those of its pair, else the one before it in this frame.
  void find_old(std::size_t i);
  const ContactNumbers& old_numbers(std::size_t i) const;
  void turn_page();
  void encode_joint_rows(const std::vector<RecordedJointRow>& rows, ByteWriter& out);
  bool decode_joint_rows(ByteReader& in, std::vector<RecordedJointRow>& rows);
  bool decode_joint_row_flags(ByteReader& in);
  bool decode_joint_row_key(ByteReader& in, std::size_t i);
  void find_old_row(JointRowQuanta& row) const;
  void turn_row_page();

  std::int64_t bodies_, geoms_, joints_;
  std::vector<std::string> solvers_;
  Index nq_, nv_, nk_;
  bool turning_;  // of the header
  std::uint32_t version_;
  std::vector<std::int64_t> readings_;  // numbers of sensors
  std::vector<PoseQuanta> poses_;
  std::vector<ContactQuanta> last_, now_;
  std::map<std::array<std::int64_t, 3>, std::size_t> first_of_;  // pair → its first contact in last_
  std::size_t place_ = 0;                                        // among those of the pair
  std::vector<JointRowQuanta> last_rows_, now_rows_;
  std::map<JointRowKey, std::size_t> row_of_;  // key → its first row in last_rows_
};

}  // namespace tribo
