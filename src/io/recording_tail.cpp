#include "tribo/io/recording_tail.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "io/recording_bytes.hpp"
#include "io/recording_layout.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tribo {
namespace {

constexpr std::size_t kEndBytes = kBlockBytes + 8;  // the end mark counts the frames
constexpr std::int64_t kQuietSeconds = 5;  // a file without a lock that was written to more recently may still grow

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (file_ >= 0) ::close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

// What could be read; shorter than asked where the file ends, or where reading fails.
std::string read_at(int file, std::int64_t from, std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got = ::pread(file, bytes.data() + have, count - have, from + static_cast<std::int64_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

bool has_end_mark(int file, std::int64_t size) {
  if (size < static_cast<std::int64_t>(kPreambleBytes + kEndBytes)) return false;
  const std::string end = read_at(file, size - static_cast<std::int64_t>(kEndBytes), kEndBytes);
  ByteReader in(end);
  const std::uint32_t tag = in.u32(), length = in.u32(), crc = in.u32();
  if (!in.ok() || tag != kEndTag || length != 8) return false;
  return calc_crc32(std::string_view(end).substr(kBlockBytes), calc_crc32(std::string_view(end).substr(0, 8))) == crc;
}

// Whoever writes a recording locks it, where the file system has locks.
bool is_locked(int file) {
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

Checked check_preamble(const std::string& start) {
  if (start.size() < kPreambleBytes || !start.starts_with(kRecordingMagic))
    return fail("is not a recording of Tribo", "", "make one with tribo run --record");
  const std::uint32_t version = ByteReader(std::string_view(start).substr(kRecordingMagic.size())).u32();
  if (version < kOldestRecordingVersion) return fail("was made by an older Tribo", "", "run it again");
  if (version > kRecordingVersion) {
    return fail("is a recording of version " + std::to_string(version) + ", this program reads versions up to " +
                    std::to_string(kRecordingVersion),
                "", "read it with the Tribo that wrote it, or check the file for damage");
  }
  return ok();
}

}  // namespace

Expected<RecordingTail> RecordingTail::open(const std::string& path) {
  if (path.empty()) return fail("the file name is empty", "\"\"", "name a recording");
  const RecordingTail tail(path);
  const Expected<Piece> start = tail.read(0, kPreambleBytes);
  if (!start) return Unexpected<Error>{start.error()};
  if (const Checked fits = check_preamble(start->bytes); !fits) return Unexpected<Error>{fits.error().within(path)};
  return tail;
}

Expected<RecordingTail::Piece> RecordingTail::read(std::int64_t from, std::size_t most) const {
  const OpenFile file(path_);
  if (file.get() < 0) {
    return errno == ENOENT
               ? fail("no such file", path_, "check the path")
               : fail(std::string("cannot be opened: ") + std::strerror(errno), path_, "check its permissions");
  }
  const bool locked = is_locked(file.get());  // asked first: a writer that leaves now has written what is counted below
  struct stat about {};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode))
    return fail(S_ISDIR(about.st_mode) ? "is a folder" : "is not a regular file", path_, "name a recording");
  Piece piece;
  piece.size = about.st_size;
  const bool quiet = !locked && std::time(nullptr) - about.st_mtime >= kQuietSeconds;
  piece.done = quiet || has_end_mark(file.get(), piece.size);
  const std::int64_t left = from < 0 || from >= piece.size ? 0 : piece.size - from;
  piece.bytes = read_at(file.get(), from,
                        static_cast<std::size_t>(std::min<std::int64_t>(left, static_cast<std::int64_t>(most))));
  return piece;
}

}  // namespace tribo
