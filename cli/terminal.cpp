#include "terminal.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace tribo {
namespace {

int last_errno = 0;

// A benchmark writes through a stream of its own accord, and errno is gone when the failure is noticed.
bool reader_has_left() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace

void secure_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The free descriptor is filled with one that refuses the wrong direction: writing still fails, as it should.
    const int filler = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (filler > STDERR_FILENO) ::close(filler);
  }
}

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

bool write_output(const std::string& text) {
  errno = 0;
  std::cout << text << std::flush;
  if (std::cout) return true;
  if (errno != 0) last_errno = errno;
  return false;
}

void write_error(const std::string& text) { std::cerr << "tribo: " << text << "\n" << std::flush; }

std::string output_failure() {
  if (last_errno == EPIPE || (last_errno == 0 && reader_has_left())) return "";
  return last_errno == 0 ? "the output cannot be written" : std::strerror(last_errno);
}

Progress::Progress() : enabled_(stderr_is_terminal()) {}

void Progress::show(const std::string& text) {
  if (!enabled_) return;
  clear();
  std::cerr << text << std::flush;
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace tribo
