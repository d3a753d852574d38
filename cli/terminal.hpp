// The three standard streams: made safe once at the start, then written to from one place.
#pragma once

#include <iosfwd>
#include <string>

namespace tribo {

// A reader that goes away must not end the process, and a stream that was closed before the start must not be taken
// over by the first file that is opened.
void secure_standard_streams();

bool stderr_is_terminal();

// Writes one piece of output and hands it on at once; false: nobody can receive it any more.
bool write_output(const std::string& text);

// "tribo: <text>" on stderr.
void write_error(const std::string& text);

// Why the last write_output failed; empty when the reader just left (a closed pipe), which is no error to talk about.
std::string output_failure();

// One line on a terminal that the next output replaces. Silent when stderr is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& text);
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace tribo
