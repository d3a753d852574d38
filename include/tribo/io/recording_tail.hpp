// The bytes of a recording, also while it is being written.
//     auto tail = RecordingTail::open("wall.tribo").value();
//     auto piece = tail.read(0, 1 << 20).value();
#pragma once

#include "tribo/core/expected.hpp"

#include <cstdint>
#include <string>

namespace tribo {

class RecordingTail {
 public:
  struct Piece {
    std::string bytes;
    std::int64_t size = 0;  // of the file
    bool done = false;      // it will not grow: it has its end mark, or nobody writes it any more
  };

  // Fails on what is not a recording of this version; its frames are not looked at.
  static Expected<RecordingTail> open(const std::string& path);

  // From byte `from` to the end of what is there, `most` bytes at most; none when `from` is at the end or beyond. The file is
  // opened anew: another one may stand under its name.
  Expected<Piece> read(std::int64_t from, std::size_t most) const;

 private:
  explicit RecordingTail(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace tribo
