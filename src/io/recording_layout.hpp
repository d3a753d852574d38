// Marks of a recording file, shared by writer and reader (docs/file-formats.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tribo {

inline constexpr std::string_view kRecordingMagic = "TRIBOREC";
inline constexpr std::uint32_t kRecordingVersion = 3;        // written
inline constexpr std::uint32_t kOldestRecordingVersion = 2;  // read too: the same without friction against turning
inline constexpr std::size_t kPreambleBytes = 24;            // magic, version, checksum, length of the JSON text
inline constexpr std::uint32_t kFrameTag = 0x4D415246;       // "FRAM"
inline constexpr std::uint32_t kEndTag = 0x454E4F44;         // "DONE"
inline constexpr std::size_t kBlockBytes = 12;               // tag, length, checksum
inline constexpr std::uint32_t kMaxFrameBytes = std::uint32_t{256} << 20;

}  // namespace tribo
