#include "tribo/core/assert.hpp"
#include "tribo/io/recording.hpp"

#include <filesystem>
#include <string_view>

#include "io/file_bytes.hpp"
#include "io/recording_bytes.hpp"
#include "io/recording_codec.hpp"
#include "io/recording_header.hpp"
#include "io/recording_layout.hpp"

namespace tribo {

Recording::Recording() = default;
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

Expected<Recording> Recording::open(const std::string& path) {
  constexpr std::uintmax_t kMost = std::uintmax_t{1} << 36;
  std::error_code code;
  if (const std::uintmax_t size = std::filesystem::file_size(path, code); !code && size > kMost)
    return fail("a recording of more than 64 GiB is too long", path, "record fewer frames, with --every");
  Expected<std::string> bytes = read_bytes(path, kMost);
  if (!bytes) return Unexpected<Error>{bytes.error()};
  Expected<Recording> recording = parse(std::move(*bytes));
  if (!recording) return Unexpected<Error>{recording.error().within(path)};
  return recording;
}

Expected<Recording> Recording::parse(std::string bytes) {
  const std::string_view all = bytes;
  if (!all.starts_with(kRecordingMagic))
    return fail("is not a recording of Tribo", "", "make one with tribo run --record");
  ByteReader in(all.substr(kRecordingMagic.size()));
  const std::uint32_t version = in.u32(), crc = in.u32();
  const std::uint64_t length = in.u64();
  if (!in.ok() || length > in.left())
    return fail("ends within its header", "", "nothing can be read from it; record again");
  if (version < kOldestRecordingVersion) return fail("was made by an older Tribo", "", "run it again");
  if (version > kRecordingVersion) {
    return fail("is a recording of version " + std::to_string(version) + ", this program reads versions up to " +
                    std::to_string(kRecordingVersion),
                "", "read it with the Tribo that wrote it, or check the file for damage");
  }
  const std::string text(all.substr(kPreambleBytes, length));
  const std::string_view claimed = all.substr(16, 8);
  if (calc_crc32(text, calc_crc32(claimed, calc_crc32(all.substr(8, 4)))) != crc)
    return fail("the header is damaged: its checksum does not fit", "", "nothing can be read from it; record again");
  Expected<RecordingHeader> header = read_recording_header(text, version);
  if (!header) return Unexpected<Error>{header.error().within("header")};
  Recording recording;
  recording.header_ = std::move(*header);
  recording.bytes_ = std::move(bytes);
  recording.codec_ = std::make_unique<FrameCodec>(recording.header_, version);
  recording.build_index(kPreambleBytes + length);
  return recording;
}

void Recording::build_index(std::size_t start) {
  const std::string_view all = bytes_;
  good_bytes_ = static_cast<std::int64_t>(start);
  const auto end = [&](const std::string& what) {
    ending_ = "frame " + std::to_string(index_.size()) + ", at byte " + std::to_string(good_bytes_) + ": " + what;
  };
  for (std::size_t at = start;;) {
    if (at == all.size()) return end("the file ends here without its end mark; the writer was stopped");
    ByteReader in(all.substr(at));
    const std::uint32_t tag = in.u32(), length = in.u32(), crc = in.u32();
    if (!in.ok()) return end("is cut off");
    if (tag != kFrameTag && tag != kEndTag) return end("is damaged: no frame begins here");
    if (length > in.left()) return end("is cut off");
    const std::string_view content = all.substr(at + kBlockBytes, length);
    if (calc_crc32(content, calc_crc32(all.substr(at, 8))) != crc) return end("is damaged: its checksum does not fit");
    at += kBlockBytes + length;
    ByteReader fixed(content);
    if (tag == kEndTag) {
      if (fixed.u64() != index_.size() || !fixed.ok()) return end("the end mark counts other frames");
      if (at != all.size()) return end("something follows the end mark");
      return;
    }
    if (length < kFixedBytes || length > kMaxFrameBytes) return end("is damaged: no frame has this length");
    Entry entry{at - length, length, 0.0, (fixed.u8() & kKeyFlag) != 0};
    if (index_.empty() && !entry.key) return end("is no key frame, and nothing comes before it");
    ByteReader time(content.substr(24));
    entry.time = time.f64();
    index_.push_back(entry);
    good_bytes_ = static_cast<std::int64_t>(at);
  }
}

Expected<RecordedFrame> Recording::frame(std::int64_t frame) {
  TRIBO_REQUIRE(frame >= 0 && frame < frames(), "there is such a frame");
  std::int64_t from = frame;
  while (!index_[static_cast<std::size_t>(from)].key && from != next_) --from;
  for (;; ++from) {
    const Entry& entry = index_[static_cast<std::size_t>(from)];
    next_ = -1;
    Expected<RecordedFrame> read = codec_->decode(std::string_view(bytes_).substr(entry.start, entry.size));
    if (!read) return Unexpected<Error>{read.error().within("frame " + std::to_string(from))};
    next_ = from + 1;
    if (from == frame) return read;
  }
}

}  // namespace tribo
