// The side of DART's module that our program sees. DART's solver writes its complaints to standard error and output, where they
// are caught while it steps.
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "peers/peer_engines.hpp"
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tribo {
namespace {

struct DartModule {
  const char* (*version)() = nullptr;
  PeerEngine* (*make)(const PeerScene*) = nullptr;
};

// It lies beside the program. Nulls: it was not built, or DART is no longer installed.
DartModule load_dart_module() {
  DartModule module;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return module;
  void* library = dlopen((program.parent_path() / "tribo_dart_engine.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return module;
  module.version = reinterpret_cast<decltype(module.version)>(dlsym(library, "tribo_dart_version"));
  module.make = reinterpret_cast<decltype(module.make)>(dlsym(library, "tribo_dart_make"));
  return module;
}

const DartModule& dart_engine_module() {
  static const DartModule loaded = load_dart_module();
  return loaded;
}

void flush_all() {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
}

class DartBehindBorder final : public PeerEngine {
 public:
  explicit DartBehindBorder(std::unique_ptr<PeerEngine> engine)
      : engine_(std::move(engine)), file_(memfd_create("dart", 0)) {}
  ~DartBehindBorder() override { close(file_); }
  DartBehindBorder(const DartBehindBorder&) = delete;
  DartBehindBorder& operator=(const DartBehindBorder&) = delete;

  void step() override { engine_->step(); }
  void read(std::vector<PeerMotion>& bodies) const override { engine_->read(bodies); }
  long contacts() const override { return engine_->contacts(); }
  long complaints() const override { return complaints_; }
  std::string complaint() const override { return complaint_; }

  void enter() override {
    flush_all();
    out_ = dup(STDOUT_FILENO);
    error_ = dup(STDERR_FILENO);
    dup2(file_, STDOUT_FILENO);
    dup2(file_, STDERR_FILENO);
  }
  void leave() override {
    flush_all();
    dup2(out_, STDOUT_FILENO);
    dup2(error_, STDERR_FILENO);
    close(out_);
    close(error_);
    char buffer[4096];
    lseek(file_, 0, SEEK_SET);
    for (ssize_t count = 0; (count = ::read(file_, buffer, sizeof buffer)) > 0;) {
      for (ssize_t i = 0; i < count; ++i) {
        if (buffer[i] == '\n') {
          ++complaints_;
        } else if (complaints_ == 0 && complaint_.size() < 100) {
          complaint_ += buffer[i];
        }
      }
    }
    (void)!ftruncate(file_, 0);
    lseek(file_, 0, SEEK_SET);
  }

 private:
  std::unique_ptr<PeerEngine> engine_;
  int file_, out_ = -1, error_ = -1;
  long complaints_ = 0;  // lines
  std::string complaint_;
};

}  // namespace

std::string peer_dart_version() {
  return dart_engine_module().version == nullptr ? "" : dart_engine_module().version();
}

PeerMade make_dart_engine(const PeerStart& start) {
  if (dart_engine_module().make == nullptr) return fail("built without DART", start.path, "install libdart-dev");
  std::unique_ptr<PeerEngine> engine(dart_engine_module().make(&start.scene));
  return PeerMade(std::make_unique<DartBehindBorder>(std::move(engine)));
}

}  // namespace tribo
