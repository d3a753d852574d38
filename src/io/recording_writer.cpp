#include "tribo/core/assert.hpp"
#include "tribo/io/recording.hpp"

#include "io/recording_bytes.hpp"
#include "io/recording_codec.hpp"
#include "io/recording_header.hpp"
#include "io/recording_layout.hpp"
#include "io/recording_output.hpp"

namespace tribo {
namespace {

// Tag, length, checksum of both and the content, content.
std::string make_block(std::uint32_t tag, const std::string& content) {
  std::string block;
  ByteWriter out(block);
  out.u32(tag);
  out.u32(static_cast<std::uint32_t>(content.size()));
  out.u32(calc_crc32(content, calc_crc32(block)));
  return block + content;
}

}  // namespace

RecordingWriter::RecordingWriter() = default;
RecordingWriter::~RecordingWriter() = default;
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;

Expected<RecordingWriter> RecordingWriter::create(const std::string& path, const RecordingHeader& header,
                                                  RecordingOptions options) {
  TRIBO_REQUIRE(options.key_every >= 1, "key frames come at least every frame");
  Expected<std::unique_ptr<NewFile>> file = NewFile::create(path, options.overwrite, options.fresh);
  if (!file) return Unexpected<Error>{file.error()};
  const std::string text = write_recording_header(header);
  std::string version, length;
  ByteWriter(version).u32(kRecordingVersion);
  ByteWriter(length).u64(text.size());
  std::string bytes = std::string(kRecordingMagic) + version;
  ByteWriter(bytes).u32(calc_crc32(text, calc_crc32(version + length)));
  bytes += length + text;
  if (const Checked written = (*file)->write(bytes); !written) return Unexpected<Error>{written.error()};
  RecordingWriter writer;
  writer.file_ = std::move(*file);
  writer.codec_ = std::make_unique<FrameCodec>(header);
  writer.key_every_ = options.key_every;
  writer.bytes_ = static_cast<std::int64_t>(bytes.size());
  return writer;
}

Checked RecordingWriter::write(const RecordedFrame& frame) {
  const bool key = frame.key || frames_ == 0 || since_key_ >= key_every_;
  std::string content;
  codec_->encode(frame, key, content);
  if (content.size() > kMaxFrameBytes)
    return fail("a frame of more than 256 MiB is too long", "recording", "record fewer bodies");
  const std::string block = make_block(kFrameTag, content);
  if (const Checked written = file_->write(block); !written) return written;
  since_key_ = key ? 1 : since_key_ + 1;
  ++frames_;
  bytes_ += static_cast<std::int64_t>(block.size());
  return ok();
}

Checked RecordingWriter::close() {
  std::string content;
  ByteWriter(content).u64(static_cast<std::uint64_t>(frames_));
  const std::string block = make_block(kEndTag, content);
  if (const Checked written = file_->write(block); !written) return written;
  bytes_ += static_cast<std::int64_t>(block.size());
  return file_->close();
}

}  // namespace tribo
