#include "io/file_bytes.hpp"

#include <fstream>

#include "io/io_testing.hpp"
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace tribo {
namespace {

using testing::TemporaryFolder;

// What was written must come back byte for byte, zeros included.
TEST(FileBytes, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(write_bytes(folder.path("x"), bytes));
  ASSERT_TRUE(write_bytes(folder.path("x"), bytes));  // also over an old file
  EXPECT_EQ(read_bytes(folder.path("x")).value(), bytes);
  EXPECT_EQ(folder.files(), 1u);
}

// Each way in which a file cannot be read has its own reason, and the path is in it.
TEST(FileBytes, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("empty"));
  std::ofstream(folder.path("large"));
  std::filesystem::resize_file(folder.path("large"), kMaxFileBytes + 1);
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const auto reason = [&](const std::string& path) {
    const auto result = read_bytes(path);
    EXPECT_FALSE(result.has_value()) << path;
    EXPECT_EQ(result.error().where, path);
    EXPECT_FALSE(result.error().remedy.empty());
    return result.error().what;
  };
  EXPECT_EQ(reason(folder.path("none")), "no such file");
  EXPECT_EQ(reason(folder.path("")), "is a folder");
  EXPECT_EQ(reason(folder.path("empty")), "the file is empty");
  EXPECT_EQ(reason(folder.path("pipe")), "is not a regular file");
  EXPECT_NE(reason(folder.path("large")).find("2 GiB"), std::string::npos);
  EXPECT_EQ(reason(folder.path("empty") + "/x"), "no such file");
}

// A write that fails must leave what was there, and no half-written file beside it.
TEST(FileBytes, LosesNothingWhenAWriteFails) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("target"));
  std::ofstream(folder.path("target/old")) << "old";
  EXPECT_FALSE(write_bytes(folder.path("target"), "new"));
  EXPECT_FALSE(write_bytes(folder.path("missing/file"), "new"));
  EXPECT_EQ(read_bytes(folder.path("target/old")).value(), "old");
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace tribo
