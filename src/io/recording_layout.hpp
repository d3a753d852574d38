// Marks of a recording file, shared by writer and reader (docs/file-formats.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tribo {

inline constexpr std::string_view kRecordingMagic = "TRIBOREC";
inline constexpr std::uint32_t kRecordingVersion = 5;  // written
// Read too. Before 5, there are no sensors and no counts of collision; before 4, limits and dry friction of joints are listed among the contacts; before 3, there is no friction against
// spinning and rolling.
inline constexpr std::uint32_t kOldestRecordingVersion = 2;
inline constexpr std::uint32_t kReadingsVersion = 5, kJointRowsVersion = 4,
                               kTurningVersion = 3;     // the first versions that have them
inline constexpr std::size_t kPreambleBytes = 24;       // magic, version, checksum, length of the JSON text
inline constexpr std::uint32_t kFrameTag = 0x4D415246;  // "FRAM"
inline constexpr std::uint32_t kEndTag = 0x454E4F44;    // "DONE"
inline constexpr std::size_t kBlockBytes = 12;          // tag, length, checksum
inline constexpr std::uint32_t kMaxFrameBytes = std::uint32_t{256} << 20;

}  // namespace tribo
