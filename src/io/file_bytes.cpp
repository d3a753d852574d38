#include "io/file_bytes.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <unistd.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, Close>;

std::string reason() { return std::strerror(errno); }

}  // namespace

Expected<std::string> read_bytes(const std::string& path, std::uintmax_t most) {
  if (path.empty()) return fail("the file name is empty", "\"\"", "name a problem file");
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) return fail("no such file", path, "check the path");
  if (code) return fail("cannot be looked at: " + code.message(), path, "check the path and its permissions");
  if (status.type() == fs::file_type::directory) {
    return fail("is a folder", path, "name one of the files in it");
  }
  if (status.type() != fs::file_type::regular) {
    return fail("is not a regular file", path, "copy the data to a file first");
  }
  const std::uintmax_t size = fs::file_size(path, code);
  if (code) return fail("has no readable size: " + code.message(), path, "check the permissions");
  if (size == 0) return fail("the file is empty", path, "was it written completely?");
  if (size > most) {
    return fail("the file has " + std::to_string(size) + " bytes, more than the limit of " +
                    std::to_string(most >> 30) + " GiB",
                path, "split the problem into its islands");
  }
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) return fail("cannot be opened: " + reason(), path, "check the permissions");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    return fail("cannot be read to its end", path, "is another program writing it?");
  }
  return bytes;
}

Checked write_bytes(const std::string& path, const std::string& bytes) {
  static std::atomic<unsigned> counter{0};
  const std::string part = path + "." + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".part";
  FileHandle file(std::fopen(part.c_str(), "wbx"));
  if (!file) {
    return fail("cannot be written: " + reason(), path, "check that the folder exists and may be written to");
  }
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
                       std::fflush(file.get()) == 0 && ::fsync(::fileno(file.get())) == 0;
  const std::string write_reason = written ? "" : reason();
  const bool closed = std::fclose(file.release()) == 0;
  if (!written || !closed) {
    std::remove(part.c_str());
    return fail("cannot be written: " + (written ? reason() : write_reason), path, "is the disk full?");
  }
  std::error_code code;
  fs::rename(part, path, code);
  if (code) {
    std::remove(part.c_str());
    return fail("cannot be replaced: " + code.message(), path, "check that the path is a file you may replace");
  }
  return ok();
}

}  // namespace tribo
