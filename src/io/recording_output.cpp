#include "io/recording_output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>

namespace tribo {

namespace fs = std::filesystem;

namespace {

// Tells those who read along that more will come. The system takes the lock away with the program, however that ends; a file
// system without locks is no reason to fail.
void lock_while_open(int file) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  ::fcntl(file, F_OFD_SETLK, &whole);
}

}  // namespace

Expected<std::unique_ptr<NewFile>> NewFile::create(const std::string& path, bool overwrite, bool fresh) {
  if (path.empty()) return fail("the file name is empty", "\"\"", "name a file to write");
  std::error_code code;
  const fs::file_type type = fs::status(path, code).type();
  if (type == fs::file_type::directory) return fail("is a folder", path, "name a file in it");
  const bool present = type != fs::file_type::not_found && type != fs::file_type::none;
  const bool replace = !fresh && (overwrite || (present && type != fs::file_type::regular));
  auto made = std::make_unique<NewFile>();
  made->path_ = path;
  made->file_.reset(std::fopen(path.c_str(), replace ? "wbe" : "wbxe"));
  if (made->file_) {
    lock_while_open(::fileno(made->file_.get()));
    return made;
  }
  if (errno == EEXIST) return fail("exists already", path, "name another file, or overwrite it with --force");
  return fail(std::string("cannot be written: ") + std::strerror(errno), path,
              "check that the folder exists and may be written to");
}

Checked NewFile::write(std::string_view bytes) {
  if (!file_) return fail("is closed", path_, "write before closing");
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size() && std::fflush(file_.get()) == 0)
    return ok();
  return fail(std::string("cannot be written: ") + std::strerror(errno), path_, "is the disk full?");
}

Checked NewFile::close() {
  if (!file_ || std::fclose(file_.release()) == 0) return ok();
  return fail(std::string("cannot be written: ") + std::strerror(errno), path_, "is the disk full?");
}

}  // namespace tribo
