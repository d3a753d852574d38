#include "stop_signals.hpp"

#include <csignal>

namespace tribo {
namespace {

volatile std::sig_atomic_t stop_was_asked = 0;

void ask_to_stop(int signal) {
  stop_was_asked = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

StopSignals::StopSignals()
    : interrupt_(std::signal(SIGINT, &ask_to_stop)), terminate_(std::signal(SIGTERM, &ask_to_stop)) {}

StopSignals::~StopSignals() {
  std::signal(SIGINT, interrupt_);
  std::signal(SIGTERM, terminate_);
}

bool StopSignals::asked() { return stop_was_asked != 0; }

}  // namespace tribo
