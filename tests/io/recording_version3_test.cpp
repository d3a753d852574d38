// Recordings of version 3 list limits and dry friction among the contacts, and tell them by their numbers. They are read as what
// they were: data/recordings/version3.json is what the program that wrote these files said of them.
#include "tribo/io/recording.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include "io/recording_bytes.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

using nlohmann::json;

std::string recordings_folder() { return testing::source_dir() + "/data/recordings/"; }

std::string read_recording_bytes(const std::string& name) {
  std::ifstream in(recordings_folder() + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

ContactState state_from(const json& name) {
  return name == "open" ? ContactState::kOpen : name == "slide" ? ContactState::kSlide : ContactState::kStick;
}

void expect_row(const RecordedJointRow& row, const json& told, const RecordingHeader& header) {
  const auto joint = static_cast<std::size_t>(row.joint);
  EXPECT_EQ(header.joint_kinds[joint] + " " + header.joints[joint], told.at("joint"));
  EXPECT_EQ(row.state, state_from(told.at("state")));
  EXPECT_EQ(row.gap, told.at("gap"));
  if (told.at("mu") == 1.0) {
    EXPECT_EQ(row.kind, JointRowKind::kDryFriction);
    EXPECT_EQ(row.place, 0);
    EXPECT_EQ(row.bound / header.step, told.at("normal_force"));
    EXPECT_EQ(std::abs(row.impulse) / header.step, told.at("friction_force"));
    EXPECT_EQ(std::abs(row.velocity), told.at("slip"));
  } else {
    EXPECT_EQ(row.kind, JointRowKind::kLimit);
    EXPECT_EQ(row.place, 0);  // which of the two limits was not written
    EXPECT_EQ(row.bound, 0.0);
    EXPECT_EQ(row.impulse / header.step, told.at("normal_force"));
    EXPECT_EQ(row.velocity, told.at("separation"));
  }
}

void expect_contact(const RecordedContact& contact, const json& told, double step) {
  constexpr double kRounding = 1e-14;  // of sums of three products
  const Vector3d &n = contact.normal, force = contact.impulse / step;
  EXPECT_EQ(json({contact.geom_a, contact.geom_b}), told.at("shapes"));
  EXPECT_EQ(contact.state, state_from(told.at("state")));
  EXPECT_EQ(contact.gap, told.at("gap"));
  EXPECT_EQ(contact.mu, told.at("mu"));
  EXPECT_NEAR(force.dot(n), told.at("normal_force"), kRounding * force.norm());
  EXPECT_NEAR((force - force.dot(n) * n).norm(), told.at("friction_force"), kRounding * force.norm());
  const Vector3d& v = contact.velocity;
  EXPECT_NEAR(v.dot(n), told.at("separation"), kRounding * v.norm());
  EXPECT_NEAR((v - v.dot(n) * n).norm(), told.at("slip"), kRounding * v.norm());
  EXPECT_EQ(contact.mu_spin, told.value("mu_spin", 0.0));
  EXPECT_EQ(contact.mu_roll, told.value("mu_roll", 0.0));
  if (!told.contains("mu_spin")) return;
  const Vector3d couple = contact.couple / step;
  EXPECT_NEAR(std::abs(couple.dot(n)), told.at("spin_couple"), kRounding * couple.norm());
  EXPECT_NEAR(std::abs(contact.turning.dot(n)), told.at("spin"), kRounding * contact.turning.norm());
}

// Every number that the old program told of a row is the number of the row that is read now; no contact is a joint's.
TEST(RecordingVersion3, RowsOfJointsAreRead) {
  std::ifstream in(recordings_folder() + "version3.json");
  const json all = json::parse(in);
  int limits = 0, dry_frictions = 0, contacts = 0;
  for (const json& told : all.at("frames")) {
    SCOPED_TRACE(told.at("file").get<std::string>() + " " + told.at("time").dump());
    auto recording = Recording::open(recordings_folder() + told.at("file").get<std::string>()).value();
    EXPECT_TRUE(recording.complete()) << recording.ending();
    const RecordedFrame frame = recording.frame(told.at("frame")).value();
    EXPECT_EQ(frame.step, told.at("step"));
    ASSERT_EQ(frame.joint_rows.size() + frame.contacts.size(), told.at("contacts").size());
    std::size_t row = 0, contact = 0;
    for (const json& one : told.at("contacts")) {
      if (one.contains("joint")) {
        ++(one.at("mu") == 1.0 ? dry_frictions : limits);
        ASSERT_LT(row, frame.joint_rows.size());
        expect_row(frame.joint_rows[row++], one, recording.header());
      } else {
        ++contacts;
        ASSERT_LT(contact, frame.contacts.size());
        expect_contact(frame.contacts[contact++], one, recording.header().step);
      }
    }
  }
  EXPECT_GE(limits, 5);
  EXPECT_GE(dry_frictions, 4);
  EXPECT_GE(contacts, 10);
}

// Frames are the same however they are reached, and what is written of them in the new format reads back.
TEST(RecordingVersion3, FramesAreWrittenAnew) {
  auto old = Recording::parse(read_recording_bytes("version3.tribo")).value();
  ASSERT_EQ(old.frames(), 21);
  const std::string path = ::testing::TempDir() + "/tribo_version3_anew.tribo";
  {
    auto writer = RecordingWriter::create(path, old.header(), {.overwrite = true}).value();
    for (std::int64_t k = 0; k < old.frames(); ++k) {
      RecordedFrame frame = old.frame(k).value();
      frame.key = old.is_key(k);
      ASSERT_TRUE(writer.write(frame));
    }
    ASSERT_TRUE(writer.close());
  }
  auto anew = Recording::open(path).value();
  EXPECT_TRUE(anew.complete()) << anew.ending();
  std::size_t rows = 0;
  for (const std::int64_t k : {20, 3, 4, 0, 19, 7}) {
    const RecordedFrame a = old.frame(k).value(), b = anew.frame(k).value();
    ASSERT_EQ(a.joint_rows.size(), b.joint_rows.size());
    ASSERT_EQ(a.contacts.size(), b.contacts.size());
    rows += a.joint_rows.size();
    for (std::size_t i = 0; i < a.joint_rows.size(); ++i) {
      const RecordedJointRow &x = a.joint_rows[i], &y = b.joint_rows[i];
      EXPECT_EQ(std::tie(x.kind, x.joint, x.place, x.gap, x.bound, x.impulse, x.velocity, x.state),
                std::tie(y.kind, y.joint, y.place, y.gap, y.bound, y.impulse, y.velocity, y.state));
    }
    for (std::size_t i = 0; i < a.contacts.size(); ++i) {
      EXPECT_EQ(a.contacts[i].impulse, b.contacts[i].impulse);
      EXPECT_EQ(a.contacts[i].turning, b.contacts[i].turning);
      EXPECT_EQ(a.contacts[i].state, b.contacts[i].state);
    }
  }
  EXPECT_GT(rows, 10u);
  std::remove(path.c_str());
}

// Version 2 is version 3 without the word that tells of friction against spinning and rolling.
TEST(RecordingVersion3, VersionTwoIsRead) {
  const std::string three = read_recording_bytes("version3_friction_box.tribo"), word = "\"turning\":false,";
  const std::size_t length = three.find("FRAM") - 24;
  std::string text = three.substr(24, length);
  ASSERT_NE(text.find(word), std::string::npos);
  text.erase(text.find(word), word.size());
  std::string version, size, preamble = "TRIBOREC";
  ByteWriter(version).u32(2);
  ByteWriter(size).u64(text.size());
  preamble += version;
  ByteWriter(preamble).u32(calc_crc32(text, calc_crc32(version + size)));
  auto two = Recording::parse(preamble + size + text + three.substr(24 + length)).value();
  auto same = Recording::parse(three).value();
  EXPECT_TRUE(two.complete()) << two.ending();
  EXPECT_FALSE(two.header().turning);
  ASSERT_EQ(two.frames(), 11);
  for (std::int64_t k = 0; k < two.frames(); ++k) {
    const RecordedFrame a = two.frame(k).value(), b = same.frame(k).value();
    ASSERT_EQ(a.contacts.size(), b.contacts.size());
    ASSERT_EQ(a.joint_rows.size(), b.joint_rows.size());
    for (std::size_t i = 0; i < a.contacts.size(); ++i) EXPECT_EQ(a.contacts[i].impulse, b.contacts[i].impulse);
  }
}

// Bytes under a right checksum may say anything. Each frame is read or refused.
TEST(RecordingVersion3, ForgedFramesAreRefused) {
  const std::string whole = read_recording_bytes("version3.tribo");
  const std::size_t first = whole.find("FRAM");
  int refused = 0, read = 0;
  const std::size_t length =
      static_cast<unsigned char>(whole[first + 4]) + 256u * static_cast<unsigned char>(whole[first + 5]);
  const std::size_t second = first + 12 + length;  // the second frame, which has contacts
  ASSERT_EQ(whole.substr(second, 4), "FRAM");
  const std::size_t second_length =
      static_cast<unsigned char>(whole[second + 4]) + 256u * static_cast<unsigned char>(whole[second + 5]);
  for (std::size_t i = 72; i < second_length; ++i) {
    for (const int change : {0x01, 0x04, 0x80, 0xFF}) {
      std::string head = whole.substr(second, 8), content = whole.substr(second + 12, second_length);
      content[i] = static_cast<char>(content[i] ^ change);
      std::string forged = whole.substr(0, second) + head;
      ByteWriter(forged).u32(calc_crc32(content, calc_crc32(head)));
      auto recording = Recording::parse(forged + content).value();
      ASSERT_EQ(recording.frames(), 2);
      ++(recording.frame(1) ? read : refused);
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(read, 50);
}

}  // namespace
}  // namespace tribo
