// Recordings of version 4 have no sensors and no counts of collision. data/recordings/version4.tribo is the motion of
// version3.xml for 0.04 s, as the program of that version wrote it.
#include "tribo/io/recording.hpp"

#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

TEST(RecordingVersion4, IsReadWithoutReadings) {
  auto recording = Recording::open(testing::source_dir() + "/data/recordings/version4.tribo").value();
  EXPECT_TRUE(recording.complete()) << recording.ending();
  EXPECT_TRUE(recording.header().sensors.empty());
  ASSERT_EQ(recording.frames(), 5);
  std::size_t rows = 0, contacts = 0;
  for (const std::int64_t k : {4, 1, 2, 3, 0}) {
    const RecordedFrame frame = recording.frame(k).value();
    EXPECT_EQ(frame.step, k);
    EXPECT_TRUE(frame.sensors.empty());
    EXPECT_EQ(frame.collision.pairs, 0);
    rows += frame.joint_rows.size();
    contacts += frame.contacts.size();
  }
  EXPECT_GT(rows, 8U);
  EXPECT_GT(contacts, 8U);
  EXPECT_NEAR(recording.frame(0).value().energy, 153.089316, 1e-6);  // as that program told
  EXPECT_NEAR(recording.frame(4).value().energy, 152.281797, 1e-6);
}

}  // namespace
}  // namespace tribo
