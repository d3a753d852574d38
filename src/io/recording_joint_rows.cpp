// Limits and dry friction of a frame, column by column. A row is compared with the row of the same kind, joint and place in the
// last frame; at rest each takes one byte.
#include "tribo/core/assert.hpp"

#include <utility>

#include "io/recording_codec.hpp"

namespace tribo {
namespace {

constexpr int kRowGapBits = 34, kRowSpeedBits = 30;
constexpr std::uint8_t kRowStateBits = 3, kDryFrictionRow = 4, kSameRowKey = 8, kSameRowNumbers = 16,
                       kNoRowImpulse = 32, kNoRowVelocity = 64, kAllRowFlags = 127;
constexpr std::size_t kRowGap = 0, kRowBound = 1, kRowImpulse = 2, kRowVelocity = 3;
constexpr std::int64_t kMostPlace = 5;  // a joint has 6 degrees of freedom at most

// Whether a number of a row with these flags is written.
bool is_written(std::size_t number, std::uint8_t flags) {
  if ((flags & kSameRowNumbers) != 0) return false;
  if (number == kRowGap) return (flags & kDryFrictionRow) == 0;
  if (number == kRowBound) return (flags & kDryFrictionRow) != 0;
  return (flags & (number == kRowImpulse ? kNoRowImpulse : kNoRowVelocity)) == 0;
}

bool is_place(bool dry_friction, std::int64_t place) {
  return dry_friction ? place >= 0 && place <= kMostPlace : place >= -1 && place <= 1;
}

}  // namespace

void FrameCodec::find_old_row(JointRowQuanta& row) const {
  const auto found = row_of_.find(row.key);
  row.old = found == row_of_.end() ? -1 : static_cast<std::int64_t>(found->second);
}

void FrameCodec::turn_row_page() {
  last_rows_.swap(now_rows_);
  row_of_.clear();
  for (std::size_t i = 0; i < last_rows_.size(); ++i) row_of_.try_emplace(last_rows_[i].key, i);
}

void FrameCodec::encode_joint_rows(const std::vector<RecordedJointRow>& rows, ByteWriter& out) {
  now_rows_.assign(rows.size(), {});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RecordedJointRow& recorded = rows[i];
    const bool dry_friction = recorded.kind == JointRowKind::kDryFriction;
    TRIBO_REQUIRE(recorded.joint >= 0 && recorded.joint < joints_, "a joint row is of a joint of the header");
    TRIBO_REQUIRE(is_place(dry_friction, recorded.place), "a joint row has a place");
    JointRowQuanta& row = now_rows_[i];
    row.key = {dry_friction ? 1 : 0, recorded.joint, recorded.place};
    row.numbers[kRowGap] = dry_friction ? 0 : to_quanta(recorded.gap, kRowGapBits);
    row.numbers[kRowBound] = dry_friction ? to_short_float(recorded.bound) : 0;
    row.numbers[kRowImpulse] = to_short_float(recorded.impulse);
    row.numbers[kRowVelocity] = to_quanta(recorded.velocity, kRowSpeedBits);
    find_old_row(row);
    row.flags = static_cast<std::uint8_t>(recorded.state);
    if (dry_friction) row.flags |= kDryFrictionRow;
    if (i < last_rows_.size() && last_rows_[i].key == row.key) row.flags |= kSameRowKey;
    if (row.old >= 0 && last_rows_[static_cast<std::size_t>(row.old)].numbers == row.numbers)
      row.flags |= kSameRowNumbers;
    if (row.numbers[kRowImpulse] == 0) row.flags |= kNoRowImpulse;
    if (row.numbers[kRowVelocity] == 0) row.flags |= kNoRowVelocity;
  }
  out.varint(rows.size());
  for (const JointRowQuanta& row : now_rows_) out.u8(row.flags);
  for (const JointRowQuanta& row : now_rows_) {
    if ((row.flags & kSameRowKey) != 0) continue;
    out.varint(static_cast<std::uint64_t>(row.key[1]));
    out.zigzag(row.key[2]);
  }
  for (const std::size_t k : {kRowGap, kRowBound, kRowImpulse, kRowVelocity}) {
    for (const JointRowQuanta& row : now_rows_) {
      if (!is_written(k, row.flags)) continue;
      out.zigzag(
          minus_quanta(row.numbers[k], row.old < 0 ? 0 : last_rows_[static_cast<std::size_t>(row.old)].numbers[k]));
    }
  }
  turn_row_page();
}

// The flags of all rows. What they promise must fit into what is left: memory is taken only for what is there.
bool FrameCodec::decode_joint_row_flags(ByteReader& in) {
  const std::uint64_t count = in.varint();
  if (!in.ok() || count > in.left()) return false;
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(count));
  std::size_t least = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    flags[i] = in.u8();
    if ((flags[i] & kRowStateBits) > static_cast<std::uint8_t>(ContactState::kStick) || flags[i] > kAllRowFlags)
      return false;
    if ((flags[i] & kSameRowKey) == 0) {
      least += 2;  // joint and place
    } else if (i >= last_rows_.size()) {
      return false;
    }
    if ((flags[i] & kSameRowNumbers) == 0) ++least;
  }
  if (least > in.left()) return false;
  now_rows_.assign(flags.size(), {});
  for (std::size_t i = 0; i < flags.size(); ++i) now_rows_[i].flags = flags[i];
  return true;
}

bool FrameCodec::decode_joint_row_key(ByteReader& in, std::size_t i) {
  JointRowQuanta& row = now_rows_[i];
  const bool dry_friction = (row.flags & kDryFrictionRow) != 0;
  if ((row.flags & kSameRowKey) != 0) {
    row.key = last_rows_[i].key;
    if ((row.key[0] != 0) != dry_friction) return false;
  } else {
    const std::uint64_t joint = in.varint();
    const std::int64_t place = in.zigzag();
    if (!in.ok() || joint >= static_cast<std::uint64_t>(joints_) || !is_place(dry_friction, place)) return false;
    row.key = {dry_friction ? 1 : 0, static_cast<std::int64_t>(joint), place};
  }
  find_old_row(row);
  return row.old >= 0 || (row.flags & kSameRowNumbers) == 0;
}

bool FrameCodec::decode_joint_rows(ByteReader& in, std::vector<RecordedJointRow>& rows) {
  if (!decode_joint_row_flags(in)) return false;
  for (std::size_t i = 0; i < now_rows_.size(); ++i) {
    if (!decode_joint_row_key(in, i)) return false;
  }
  for (const std::size_t k : {kRowGap, kRowBound, kRowImpulse, kRowVelocity}) {
    for (JointRowQuanta& row : now_rows_) {
      const std::int64_t old = row.old < 0 ? 0 : last_rows_[static_cast<std::size_t>(row.old)].numbers[k];
      if (is_written(k, row.flags)) {
        row.numbers[k] = plus_quanta(old, in.zigzag());
      } else if ((row.flags & kSameRowNumbers) != 0) {
        row.numbers[k] = old;
      }
    }
  }
  if (!in.ok()) return false;
  rows.reserve(now_rows_.size());
  for (const JointRowQuanta& row : now_rows_) {
    rows.push_back({.kind = row.key[0] != 0 ? JointRowKind::kDryFriction : JointRowKind::kLimit,
                    .joint = row.key[1],
                    .place = static_cast<int>(row.key[2]),
                    .gap = from_quanta(row.numbers[kRowGap], kRowGapBits),
                    .bound = from_short_float(row.numbers[kRowBound]),
                    .impulse = from_short_float(row.numbers[kRowImpulse]),
                    .velocity = from_quanta(row.numbers[kRowVelocity], kRowSpeedBits),
                    .state = static_cast<ContactState>(row.flags & kRowStateBits)});
  }
  turn_row_page();
  return true;
}

}  // namespace tribo
