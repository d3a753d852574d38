#include "view_command.hpp"

#include "tribo/core/clock.hpp"
#include "tribo/io/recording_tail.hpp"
#include "tribo/io/replay_page.hpp"

#include <charconv>
#include <chrono>
#include <limits>

#include "exit_code.hpp"
#include "http_server.hpp"
#include "stop_signals.hpp"
#include "terminal.hpp"
#include "view_page.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

template <typename T>
Expected<T> parse_view_option(const std::string& text, const char* option, T most, const std::string& remedy) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || !(value >= T{0} && value <= most))
    return fail("\"" + text + "\" cannot be used", option, remedy);
  return value;
}

Checked serve_recording(const ViewArguments& arguments) {
  const auto port = parse_view_option<std::uint16_t>(arguments.port, "--port", 65535,
                                                     "give a whole number up to 65535; 0 takes a free port");
  if (!port) return Unexpected<Error>{port.error()};
  double seconds = std::numeric_limits<double>::infinity();
  if (arguments.seconds) {
    const auto given = parse_view_option<double>(*arguments.seconds, "--seconds", 1e9, "give seconds from 0 to 1e9");
    if (!given) return Unexpected<Error>{given.error()};
    seconds = *given;
  }
  Expected<RecordingTail> recording = RecordingTail::open(arguments.recording);
  if (!recording) return Unexpected<Error>{recording.error()};
  Expected<std::string> page = load_replay_template();
  if (!page) return Unexpected<Error>{page.error()};
  Expected<HttpServer> server = HttpServer::listen(*port);
  if (!server) return Unexpected<Error>{server.error()};

  const StopSignals signals;
  const ViewPage view(std::move(*page), std::move(*recording), server->port());
  // Somebody who starts this from a program reads the address from stdout; once nobody can, it is of no use to go on.
  if (!write_output(fmt::format("http://127.0.0.1:{}/\n", server->port())))
    return fail("the address cannot be written", "standard output", "");
  if (stderr_is_terminal()) write_error("serving on this machine only; open the address in a browser, Ctrl-C ends it");
  for (const Stopwatch watch; !StopSignals::asked() && watch.seconds() < seconds;)
    server->serve(view, std::chrono::milliseconds(100));
  return ok();
}

}  // namespace

int run_view(const ViewArguments& arguments) {
  const Checked served = serve_recording(arguments);
  if (served) return kCertified;
  write_error(served.error().text());
  return kBadInput;
}

}  // namespace tribo
