// Reading along with a recording that is being written: what is there, and whether more will come.
#include "tribo/io/recording_tail.hpp"

#include "tribo/io/recording.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace tribo {
namespace {

class RecordingTailTest : public ::testing::Test {
 protected:
  RecordingTailTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tribo_tail_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~RecordingTailTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name = "a.tribo") const { return folder_ + "/" + name; }

  // As if nothing had been written for a minute.
  void age() const {
    std::filesystem::last_write_time(path(), std::filesystem::file_time_type::clock::now() - std::chrono::minutes(1));
  }
  std::optional<RecordingWriter> start() const {
    RecordingHeader header;
    header.bodies.resize(1);
    return RecordingWriter::create(path(), header, {.overwrite = true}).value();
  }
  static RecordedFrame frame() {
    RecordedFrame made;
    made.poses.resize(1);
    return made;
  }
  std::string whole() const {
    std::ifstream in(path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

 private:
  std::string folder_;
};

// Pieces from any byte on, put together, are the file.
TEST_F(RecordingTailTest, PiecesMakeTheFile) {
  auto writer = start();
  const auto tail = RecordingTail::open(path()).value();
  std::string bytes;
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(writer->write(frame()));
    const auto piece = tail.read(static_cast<std::int64_t>(bytes.size()), 1u << 20).value();
    EXPECT_FALSE(piece.bytes.empty());
    EXPECT_FALSE(piece.done);
    bytes += piece.bytes;
  }
  ASSERT_TRUE(writer->close());
  bool done = false;
  for (int k = 0; k < 100 && !done; ++k) {
    const auto piece = tail.read(static_cast<std::int64_t>(bytes.size()), 7).value();
    EXPECT_LE(piece.bytes.size(), 7u);
    EXPECT_TRUE(piece.done);
    done = piece.bytes.empty();
    bytes += piece.bytes;
  }
  EXPECT_TRUE(done);
  EXPECT_EQ(bytes, whole());
}

// A slow simulation writes nothing for minutes: as long as its program lives, more may come. Then the file is what it is.
TEST_F(RecordingTailTest, AWriterThatIsGoneIsNoticed) {
  auto writer = start();
  ASSERT_TRUE(writer->write(frame()));
  age();
  const auto tail = RecordingTail::open(path()).value();
  EXPECT_FALSE(tail.read(0, 10).value().done);
  writer.reset();
  age();
  EXPECT_TRUE(tail.read(0, 10).value().done);
}

// Beyond the end there is nothing, whatever number is given.
TEST_F(RecordingTailTest, OddPlacesAreEmpty) {
  start();
  const auto tail = RecordingTail::open(path()).value();
  for (const std::int64_t from : {std::int64_t{-1}, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(tail.read(from, 100).value().bytes, "");
  }
  std::filesystem::remove(path());
  EXPECT_FALSE(tail.read(0, 100));
}

// What is no recording is refused before anything is served.
TEST_F(RecordingTailTest, OtherFilesAreRefused) {
  const auto text = [&](const std::string& name) { return RecordingTail::open(name).error().text(); };
  EXPECT_NE(text(path("missing")).find("no such file"), std::string::npos);
  EXPECT_NE(text(path("")).find("folder"), std::string::npos);
  EXPECT_NE(text("").find("empty"), std::string::npos);
  EXPECT_NE(text("/dev/null").find("regular"), std::string::npos);
  std::ofstream(path("other")) << "TRIBO is a program with a very long history";
  EXPECT_NE(text(path("other")).find("is not a recording of Tribo"), std::string::npos);
  start();
  std::string old = whole();
  old[8] = 1;
  std::ofstream(path("old"), std::ios::binary) << old;
  EXPECT_NE(text(path("old")).find("older Tribo; run it again"), std::string::npos);
}

}  // namespace
}  // namespace tribo
