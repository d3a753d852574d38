// Contacts of a frame, column by column: numbers of one kind stand together, so that a general compressor finds what they share.
#include "tribo/core/assert.hpp"

#include <algorithm>
#include <utility>

#include "io/recording_codec.hpp"

namespace tribo {
namespace {

constexpr int kPointBits = 20, kNormalBits = 20, kGapBits = 34, kSpeedBits = 30;
constexpr std::uint8_t kStateBits = 3, kSamePair = 4, kSameContact = 8, kSameNormal = 16, kNoImpulse = 32, kSameMu = 64,
                       kNoVelocity = 128;
constexpr std::uint8_t kNoCouple = 1, kSameTurningMu = 2, kNoTurning = 4, kTurningBits = 7;
constexpr std::size_t kPoint = 0, kNormal = 3, kGap = 6, kImpulse = 7, kMu = 10, kVelocity = 11;
constexpr std::size_t kTurningMu = 14, kCouple = 16, kTurning = 19;

// First number of a column, how many, and the flag that says that they are not written.
struct Column {
  std::size_t first, count;
  std::uint8_t left_out;
};
constexpr Column kColumns[] = {{kPoint, 3, 0},    {kNormal, 3, kSameNormal},  {kGap, 1, 0}, {kImpulse, 3, kNoImpulse},
                               {kMu, 1, kSameMu}, {kVelocity, 3, kNoVelocity}};
constexpr Column kTurningColumns[] = {
    {kTurningMu, 2, kSameTurningMu}, {kCouple, 3, kNoCouple}, {kTurning, 3, kNoTurning}};

template <typename Numbers>
bool all_zero(const Numbers& numbers, std::size_t first) {
  return numbers[first] == 0 && numbers[first + 1] == 0 && numbers[first + 2] == 0;
}

template <typename Numbers>
bool same_three(const Numbers& a, const Numbers& b, std::size_t first) {
  return a[first] == b[first] && a[first + 1] == b[first + 1] && a[first + 2] == b[first + 2];
}

}  // namespace

FrameCodec::ContactNumbers FrameCodec::numbers_of(const RecordedContact& contact) {
  ContactNumbers numbers{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<Index>(k);
    numbers[kPoint + k] = to_quanta(contact.point(i), kPointBits);
    numbers[kNormal + k] = to_quanta(contact.normal(i), kNormalBits);
    numbers[kImpulse + k] = to_short_float(contact.impulse(i));
    numbers[kVelocity + k] = to_quanta(contact.velocity(i), kSpeedBits);
    numbers[kCouple + k] = to_short_float(contact.couple(i));
    numbers[kTurning + k] = to_quanta(contact.turning(i), kSpeedBits);
  }
  numbers[kGap] = to_quanta(contact.gap, kGapBits);
  numbers[kMu] = to_short_float(contact.mu);
  numbers[kTurningMu] = to_short_float(contact.mu_spin);
  numbers[kTurningMu + 1] = to_short_float(contact.mu_roll);
  return numbers;
}

RecordedContact FrameCodec::contact_of(const ContactQuanta& quanta) {
  RecordedContact contact;
  contact.geom_a = quanta.pair[0];
  contact.geom_b = quanta.pair[1];
  contact.state = static_cast<ContactState>(quanta.flags & kStateBits);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<Index>(k);
    contact.point(i) = from_quanta(quanta.numbers[kPoint + k], kPointBits);
    contact.normal(i) = from_quanta(quanta.numbers[kNormal + k], kNormalBits);
    contact.impulse(i) = from_short_float(quanta.numbers[kImpulse + k]);
    contact.velocity(i) = from_quanta(quanta.numbers[kVelocity + k], kSpeedBits);
    contact.couple(i) = from_short_float(quanta.numbers[kCouple + k]);
    contact.turning(i) = from_quanta(quanta.numbers[kTurning + k], kSpeedBits);
  }
  contact.gap = from_quanta(quanta.numbers[kGap], kGapBits);
  contact.mu = from_short_float(quanta.numbers[kMu]);
  contact.mu_spin = from_short_float(quanta.numbers[kTurningMu]);
  contact.mu_roll = from_short_float(quanta.numbers[kTurningMu + 1]);
  return contact;
}

void FrameCodec::turn_page() {
  last_.swap(now_);
  first_of_.clear();
  for (std::size_t i = 0; i < last_.size(); ++i) first_of_.try_emplace(last_[i].pair, i);
}

void FrameCodec::find_old(std::size_t i) {
  ContactQuanta& contact = now_[i];
  place_ = i > 0 && now_[i - 1].pair == contact.pair ? place_ + 1 : 0;
  contact.old = i > 0 ? kBefore : kNothing;
  const auto found = first_of_.find(contact.pair);
  if (found == first_of_.end()) return;
  const std::size_t at = found->second + place_;
  if (at < last_.size() && last_[at].pair == contact.pair) contact.old = static_cast<std::int64_t>(at);
}

const FrameCodec::ContactNumbers& FrameCodec::old_numbers(std::size_t i) const {
  static const ContactNumbers zeros{};
  const std::int64_t old = now_[i].old;
  return old >= 0 ? last_[static_cast<std::size_t>(old)].numbers : old == kBefore ? now_[i - 1].numbers : zeros;
}

void FrameCodec::encode_contacts(const std::vector<RecordedContact>& contacts, ByteWriter& out) {
  now_.assign(contacts.size(), {});
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ContactQuanta& contact = now_[i];
    for (const Index geom : {contacts[i].geom_a, contacts[i].geom_b})
      TRIBO_REQUIRE(geom >= 0 && geom < geoms_, "a contact is between two geoms of the header");
    contact.pair = {contacts[i].geom_a, contacts[i].geom_b, -1};
    contact.numbers = numbers_of(contacts[i]);
    if (!turning_) std::fill(contact.numbers.begin() + kTurningMu, contact.numbers.end(), 0);
    find_old(i);
    const ContactNumbers& old = old_numbers(i);
    contact.flags = static_cast<std::uint8_t>(contacts[i].state);
    if (i > 0 && now_[i - 1].pair == contact.pair) contact.flags |= kSamePair;
    if (contact.old >= 0 && old == contact.numbers) contact.flags |= kSameContact;
    if (i > 0 && same_three(now_[i - 1].numbers, contact.numbers, kNormal)) contact.flags |= kSameNormal;
    if (all_zero(contact.numbers, kImpulse)) contact.flags |= kNoImpulse;
    if (old[kMu] == contact.numbers[kMu]) contact.flags |= kSameMu;
    if (all_zero(contact.numbers, kVelocity)) contact.flags |= kNoVelocity;
    if (all_zero(contact.numbers, kCouple)) contact.turning |= kNoCouple;
    if (old[kTurningMu] == contact.numbers[kTurningMu] && old[kTurningMu + 1] == contact.numbers[kTurningMu + 1])
      contact.turning |= kSameTurningMu;
    if (all_zero(contact.numbers, kTurning)) contact.turning |= kNoTurning;
  }
  out.varint(contacts.size());
  for (const ContactQuanta& contact : now_) out.u8(contact.flags);
  for (const ContactQuanta& contact : now_) {
    if ((contact.flags & kSamePair) != 0) continue;
    for (const std::size_t k : {0, 1}) out.varint(static_cast<std::uint64_t>(contact.pair[k]));
  }
  encode_columns(out);
  turn_page();
}

void FrameCodec::encode_columns(ByteWriter& out) const {
  const auto write = [&](const Column& column, std::size_t i, std::uint8_t flags) {
    if ((now_[i].flags & kSameContact) != 0 || (flags & column.left_out) != 0) return;
    const ContactNumbers &numbers = now_[i].numbers, &old = old_numbers(i);
    for (std::size_t k = column.first; k < column.first + column.count; ++k)
      out.zigzag(minus_quanta(numbers[k], old[k]));
  };
  for (const Column& column : kColumns) {
    for (std::size_t i = 0; i < now_.size(); ++i) write(column, i, now_[i].flags);
  }
  if (!turning_) return;
  for (const ContactQuanta& contact : now_) {
    if ((contact.flags & kSameContact) == 0) out.u8(contact.turning);
  }
  for (const Column& column : kTurningColumns) {
    for (std::size_t i = 0; i < now_.size(); ++i) write(column, i, now_[i].turning);
  }
}

// The flags of all contacts. What they promise must fit into what is left: memory is taken only for what is there.
bool FrameCodec::decode_flags(ByteReader& in, std::vector<std::uint8_t>& flags) {
  constexpr std::size_t kLeast = 4;  // bytes of a point and a gap
  const std::uint64_t count = in.varint();
  if (count > in.left()) return false;
  flags.resize(static_cast<std::size_t>(count));
  std::size_t least = 0;
  for (std::uint8_t& one : flags) {
    one = in.u8();
    if ((one & kStateBits) > static_cast<std::uint8_t>(ContactState::kStick)) return false;
    if ((one & kSameContact) == 0) least += kLeast;
  }
  return least <= in.left() && (flags.empty() || (flags[0] & (kSamePair | kSameNormal)) == 0);
}

bool FrameCodec::decode_pair(ByteReader& in, std::size_t i) {
  ContactQuanta& contact = now_[i];
  if ((contact.flags & kSamePair) != 0) {
    contact.pair = now_[i - 1].pair;
  } else if (version_ >= kJointRowsVersion) {
    for (const std::size_t k : {0, 1}) {
      const std::uint64_t index = in.varint();
      if (index >= static_cast<std::uint64_t>(geoms_)) return false;
      contact.pair[k] = static_cast<std::int64_t>(index);
    }
  } else {
    const std::array<std::int64_t, 3> counts{geoms_, geoms_, joints_};
    for (std::size_t k = 0; k < 3; ++k) {  // each one more than the index; 0: none
      const std::uint64_t index = in.varint();
      if (index > static_cast<std::uint64_t>(counts[k])) return false;
      contact.pair[k] = static_cast<std::int64_t>(index) - 1;
    }
  }
  find_old(i);
  return in.ok() && (contact.old >= 0 || (contact.flags & kSameContact) == 0);
}

// What is not written is the old contact's, the normal that of the contact before, and the rest zero.
void FrameCodec::decode_columns(ByteReader& in) {
  const auto read = [&](const Column& column, std::size_t i, std::uint8_t flags, bool before, bool kept) {
    const ContactNumbers& old = old_numbers(i);
    const bool same = (now_[i].flags & kSameContact) != 0, left_out = (flags & column.left_out) != 0;
    for (std::size_t k = column.first; k < column.first + column.count; ++k) {
      std::int64_t& number = now_[i].numbers[k];
      if (same) {
        number = old[k];
      } else if (!left_out) {
        number = plus_quanta(old[k], in.zigzag());
      } else {
        number = before ? now_[i - 1].numbers[k] : kept ? old[k] : 0;
      }
    }
  };
  for (const Column& column : kColumns) {
    const bool before = column.first == kNormal, kept = column.first == kMu;
    for (std::size_t i = 0; i < now_.size(); ++i) read(column, i, now_[i].flags, before, kept);
  }
  if (!turning_) return;
  for (ContactQuanta& contact : now_) {
    if ((contact.flags & kSameContact) == 0) contact.turning = in.u8() & kTurningBits;
  }
  for (const Column& column : kTurningColumns) {
    for (std::size_t i = 0; i < now_.size(); ++i) read(column, i, now_[i].turning, false, column.first == kTurningMu);
  }
}

// Version 3 lists rows of joints as contacts without geoms. A limit has mu 0, and its impulse and speed are the last numbers.
// Dry friction has mu 1: the first numbers are its impulse and speed, the last impulse is the bound.
bool FrameCodec::take_contacts(RecordedFrame& frame) const {
  frame.contacts.reserve(now_.size());
  for (const ContactQuanta& quanta : now_) {
    RecordedContact contact = contact_of(quanta);
    if (quanta.pair[0] >= 0 && quanta.pair[1] >= 0) {
      frame.contacts.push_back(contact);
      continue;
    }
    const Index joint = quanta.pair[2];
    if (quanta.pair[0] >= 0 || quanta.pair[1] >= 0 || joint < 0) return false;
    RecordedJointRow row;
    row.joint = joint;
    row.state = contact.state;
    if (contact.mu > 0.0) {
      row.kind = JointRowKind::kDryFriction;
      row.bound = contact.impulse.z();
      row.impulse = contact.impulse.x();
      row.velocity = contact.velocity.x();
      // The degrees of freedom of a joint follow one another.
      const RecordedJointRow* before = frame.joint_rows.empty() ? nullptr : &frame.joint_rows.back();
      if (before != nullptr && before->kind == row.kind && before->joint == joint) row.place = before->place + 1;
      if (row.place > 5) return false;  // no joint has more
    } else {
      row.gap = contact.gap;
      row.impulse = contact.impulse.z();
      row.velocity = contact.velocity.z();
    }
    frame.joint_rows.push_back(row);
  }
  return true;
}

bool FrameCodec::decode_contacts(ByteReader& in, RecordedFrame& frame) {
  std::vector<std::uint8_t> flags;
  if (!decode_flags(in, flags)) return false;
  now_.clear();
  for (const std::uint8_t one : flags) {
    now_.emplace_back().flags = one;
    if (!decode_pair(in, now_.size() - 1)) return false;
  }
  decode_columns(in);
  if (!in.ok() || !take_contacts(frame)) return false;
  turn_page();
  return true;
}

}  // namespace tribo
