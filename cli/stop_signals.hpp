// Ctrl-C and a polite kill end what is going on at the next good moment; the second one ends the program.
#pragma once

namespace tribo {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  static bool asked();

 private:
  void (*interrupt_)(int);
  void (*terminate_)(int);
};

}  // namespace tribo
