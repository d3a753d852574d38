// What tribo why prints: a step, or one of its contacts.
#pragma once

#include "tribo/io/recording.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tribo {

struct WhyQuestion {
  std::string file, ending;  // ending: why the recording is not complete; empty: it is
  const RecordingHeader* header = nullptr;
  const RecordedFrame* frame = nullptr;
  std::int64_t number = 0, frames = 0;  // of the frame; in the recording
  std::optional<std::size_t> contact;
};

std::string why_text(const WhyQuestion& question);
std::string why_json(const WhyQuestion& question);
std::string why_error_json(const std::string& recording, const std::string& error);

}  // namespace tribo
