// A replay page is the template with the recording in it, and nothing else is changed.
#include "tribo/io/replay_page.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

namespace tribo {
namespace {

const std::string kStandIn =
    "<script id=\"recording\" type=\"text/plain\">@TRIBO_RECORDING@</script><p>$1 \\0 &amp;</p>";

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    held = held << 6 | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(held >> bits & 255u));
  }
  return bytes;
}

std::string from_gzip(const std::string& packed, std::size_t room) {
  std::string bytes(room + 1, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}

std::string inside(const std::string& page) {
  const std::string before = kStandIn.substr(0, kStandIn.find('@')), after = kStandIn.substr(kStandIn.rfind('@') + 1);
  EXPECT_TRUE(page.starts_with(before) && page.ends_with(after)) << page.substr(0, 200);
  return page.substr(before.size(), page.size() - before.size() - after.size());
}

// The browser gets the very bytes of the file, whatever their number and values.
TEST(ReplayPage, TheRecordingComesBack) {
  for (const std::size_t size : {0u, 1u, 2u, 3u, 4u, 1000u, 300001u}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(i * i * 31 >> 3));
    const std::string text = inside(make_replay_page(kStandIn, bytes).value());
    EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
              std::string::npos);
    EXPECT_EQ(text.size() % 4, 0u);
    EXPECT_EQ(from_gzip(from_base64(text), size), bytes) << size;
  }
}

// The same recording gives the same page: no time of day inside.
TEST(ReplayPage, IsTheSameEveryTime) {
  EXPECT_EQ(make_replay_page(kStandIn, "abc").value(), make_replay_page(kStandIn, "abc").value());
}

// Without exactly one mark the recording would be nowhere, or in the wrong place.
TEST(ReplayPage, ATemplateHasOneMark) {
  EXPECT_FALSE(make_replay_page("<html></html>", "abc"));
  EXPECT_FALSE(make_replay_page(kStandIn + kStandIn, "abc"));
  EXPECT_FALSE(make_replay_page("", "abc"));
}

// What was built in is usable, or there is nothing; half a page would be a bug of the build.
TEST(ReplayPage, TheOneBuiltInIsWholeOrAbsent) {
  if (replay_template().empty()) {
    RecordProperty("left_out", "viewer/ was not built before this test");
    ::unsetenv("TRIBO_VIEWER");
    const auto page = load_replay_template();
    ASSERT_FALSE(page);
    EXPECT_NE(page.error().remedy.find("make viewer"), std::string::npos);
    return;
  }
  const std::string page = make_replay_page(replay_template(), "abc").value();
  EXPECT_NE(page.find("</html>"), std::string::npos);
}

class ReplayFile : public ::testing::Test {
 protected:
  ReplayFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tribo_replay_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    write("page.html", kStandIn);
    write("a.tribo", "TRIBOREC and more");
    ::setenv("TRIBO_VIEWER", path("page.html").c_str(), 1);
  }
  ~ReplayFile() override {
    ::unsetenv("TRIBO_VIEWER");
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

 private:
  std::string folder_;
};

// A page that exists may be somebody's; it is replaced on demand only, and then as a whole.
TEST_F(ReplayFile, IsWrittenAsAWhole) {
  ASSERT_TRUE(write_replay_page(path("a.tribo"), path("a.html")));
  EXPECT_EQ(from_gzip(from_base64(inside(read("a.html"))), 100), "TRIBOREC and more");
  EXPECT_FALSE(write_replay_page(path("a.tribo"), path("a.html")));
  EXPECT_TRUE(write_replay_page(path("a.tribo"), path("a.html"), true));
  EXPECT_FALSE(write_replay_page(path("missing"), path("b.html")));
  EXPECT_FALSE(write_replay_page(path("a.tribo"), path("no/folder.html")));
  EXPECT_FALSE(write_replay_page(path("a.tribo"), path(""), true));
  EXPECT_EQ(read("b.html"), "");
}

}  // namespace
}  // namespace tribo
