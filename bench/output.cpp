#include "output.hpp"

#include <cstdarg>
#include <cstdio>
#include <iostream>

namespace tribo {

std::string format(const char* pattern, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(buffer, sizeof buffer, pattern, arguments);
  va_end(arguments);
  return buffer;
}

Output::Output(const BenchOptions& options, std::string bench)
    : options_(options), out_(options.out != nullptr ? *options.out : std::cout), bench_(std::move(bench)) {}

void Output::line(const std::string& text) {
  if (!options_.json) out_ << text << '\n' << std::flush;
}

void Output::object(Json fields) {
  if (!options_.json) return;
  Json all = {{"bench", bench_}};
  all.update(fields);
  out_ << all.dump() << '\n' << std::flush;
}

void Output::progress(const std::string& text) {
  if (options_.progress) std::cerr << "\r\033[K" << text << std::flush;
}

void Output::promise(const std::string& name, bool held, const std::string& detail) {
  if (!held) ++broken_;
  line(std::string(held ? "PASS  " : "FAIL  ") + name + (detail.empty() ? "" : ": " + detail));
  object({{"kind", "promise"}, {"name", name}, {"held", held}, {"detail", detail}});
}

}  // namespace tribo
