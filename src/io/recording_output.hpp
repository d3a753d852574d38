// A file that is written piece by piece while a program works, each piece handed to the system at once.
#pragma once

#include "tribo/core/expected.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace tribo {

class NewFile {
 public:
  // An existing file is refused unless `overwrite`; what is no regular file (a pipe, /dev/null) holds nothing to lose.
  // `fresh`: nothing may be there, not even a link.
  static Expected<std::unique_ptr<NewFile>> create(const std::string& path, bool overwrite, bool fresh = false);
  Checked write(std::string_view bytes);
  Checked close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace tribo
