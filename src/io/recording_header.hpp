// The header of a recording as JSON text and back.
#pragma once

#include "tribo/io/recording.hpp"

#include <string>

namespace tribo {

std::string write_recording_header(const RecordingHeader& header);
// Sizes and indices are checked; the error names the key.
// `version`: of the file that it is of.
Expected<RecordingHeader> read_recording_header(const std::string& text, std::uint32_t version);

}  // namespace tribo
