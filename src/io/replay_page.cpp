#include "tribo/io/replay_page.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "io/file_bytes.hpp"
#include <zlib.h>

namespace tribo {
namespace {

constexpr std::string_view kMark = "@TRIBO_RECORDING@";
constexpr std::size_t kMostPageBytes = std::size_t{400} << 20;  // a text that browsers can still hold

// The format of gzip, best compression; the time in it is zero: the same recording gives the same bytes.
Expected<std::string> compress(std::string_view bytes) {
  constexpr int kGzip = 15 + 16;
  constexpr std::size_t kPiece = std::size_t{1} << 28;  // zlib counts in 32 bits
  z_stream stream{};
  if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return fail("cannot be compressed", "", "is there enough memory?");
  std::string packed;
  std::string room(std::size_t{1} << 18, '\0');
  int state = Z_OK;
  std::size_t at = 0;
  do {
    if (stream.avail_in == 0 && at < bytes.size()) {
      const std::string_view piece = bytes.substr(at, kPiece);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));  // only read
      stream.avail_in = static_cast<uInt>(piece.size());
      at += piece.size();
    }
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.size());
    state = ::deflate(&stream, at == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    packed.append(room, 0, room.size() - stream.avail_out);
  } while (state == Z_OK || state == Z_BUF_ERROR);
  ::deflateEnd(&stream);
  if (state != Z_STREAM_END) return fail("cannot be compressed", "", "is there enough memory?");
  return packed;
}

std::string to_base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text.push_back(i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63u]);
  }
  return text;
}

}  // namespace

Expected<std::string> load_replay_template() {
  if (const char* given = std::getenv("TRIBO_VIEWER"); given != nullptr && *given != '\0') {
    Expected<std::string> page = read_bytes(given);
    if (!page) return Unexpected<Error>{page.error().within("TRIBO_VIEWER")};
    return page;
  }
  if (replay_template().empty())
    return fail("this Tribo was built without its replay page", "",
                "build it with make viewer, then build Tribo again");
  return std::string(replay_template());
}

Expected<std::string> make_replay_page(std::string_view page, std::string_view recording) {
  const std::size_t at = page.find(kMark);
  if (at == std::string_view::npos || page.find(kMark, at + kMark.size()) != std::string_view::npos)
    return fail("the replay page does not have the mark " + std::string(kMark) + " exactly once", "",
                "make viewer again");
  Expected<std::string> packed = compress(recording);
  if (!packed) return Unexpected<Error>{packed.error()};
  if (packed->size() / 3 * 4 + page.size() > kMostPageBytes)
    return fail("the page would be larger than 400 MiB, too large for a browser", "",
                "record fewer frames, with --every");
  std::string whole(page.substr(0, at));
  whole += to_base64(*packed);
  whole += page.substr(at + kMark.size());
  return whole;
}

Checked write_replay_page(const std::string& recording, const std::string& page, bool overwrite) {
  std::error_code code;
  const std::filesystem::file_type type = std::filesystem::status(page, code).type();
  const bool present = type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::none;
  if (present && type != std::filesystem::file_type::regular)
    return fail("is not a file", page, "name a file to write");
  if (present && !overwrite) return fail("exists already", page, "name another file, or overwrite it with --force");
  const Expected<std::string> text = load_replay_template();
  if (!text) return Unexpected<Error>{text.error()};
  if (const std::uintmax_t size = std::filesystem::file_size(recording, code); !code && size > kMaxFileBytes)
    return fail("the recording is longer than 2 GiB, too long for a page", page, "record fewer frames, with --every");
  const Expected<std::string> bytes = read_bytes(recording);
  if (!bytes) return Unexpected<Error>{bytes.error()};
  const Expected<std::string> whole = make_replay_page(*text, *bytes);
  if (!whole) return Unexpected<Error>{whole.error().within(page)};
  return write_bytes(page, *whole);
}

}  // namespace tribo
